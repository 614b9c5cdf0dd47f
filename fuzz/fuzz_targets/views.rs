//! Views under every built-in rule set: read, written, read again, played from, settled.

#![no_main]

use std::sync::{Arc, LazyLock};

use facedown::game::{
    Encode, EndReason, Game, MoveList, Outcome, Profile, Shape, Status, View, random_stream,
};
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView};
use libfuzzer_sys::fuzz_target;

static RULE_SETS: LazyLock<Vec<Arc<JieqiRules>>> = LazyLock::new(|| {
    let names = JieqiRules::BUILT_IN.iter().map(|(name, _)| name);
    names.map(|name| JieqiRules::load(name).expect("it is built in")).collect()
});

fuzz_target!(|text: &str| {
    for rules in RULE_SETS.iter() {
        let Ok(view) = JieqiView::parse(text, rules) else { continue };
        let written = view.to_string();
        assert_eq!(JieqiView::parse(&written, rules).as_ref(), Ok(&view));
        let agreed = Outcome { winner: None, reason: EndReason::Agreement };
        let worth = Jieqi::sample(&view, &mut random_stream(0, 0)).settlement(agreed);
        assert!((-1.0..=1.0).contains(&worth.0), "{worth:?}");
        if let Status::ToMove(_) = view.status() {
            let mut moves = MoveList::new();
            view.legal_moves(&mut moves);
            assert!(!moves.is_empty(), "a game that goes on has moves");
            let shape: Shape = JieqiView::SHAPE;
            view.planes(&mut vec![0.0; shape.len()]);
            for &mv in &moves {
                let (seen, _) = view.chances(mv).iter().next().expect("a move has an outcome");
                assert!(view.index(mv).get() < JieqiView::POLICY_LEN);
                view.after(mv, seen).heuristic();
            }
        }
    }
});
