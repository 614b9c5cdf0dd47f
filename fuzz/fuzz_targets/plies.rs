//! Plies, one a line behind a view on the first line: what is read is written, and can be said aloud.

#![no_main]

use std::sync::Arc;

use facedown::game::{Eyes, Game, View};
use facedown::rules::dialect::{Language, text_rules};
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView, Move, Reveal};
use libfuzzer_sys::fuzz_target;

fn start(text: &str, rules: &Arc<JieqiRules>) -> Option<JieqiView> {
    match text {
        "" => Some(Jieqi::start(rules).view(Eyes::Public)),
        text => JieqiView::parse(text, rules).ok(),
    }
}

fn read_back(view: &JieqiView, mv: Move, seen: Reveal) {
    assert_eq!(view.parse_seen(&view.seen_text(mv, seen)), Ok((mv, seen)));
    Language::ALL.into_iter().for_each(|language| drop(language.say(view, mv, seen)));
}

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let Some(mut view) = start(lines.next().unwrap_or_default(), &text_rules()) else { return };
    for text in lines {
        let _ = text.parse::<Move>();
        match view.parse_seen(text) {
            Ok((mv, seen)) => {
                read_back(&view, mv, seen);
                view = view.after(mv, seen);
            }
            Err(error) => assert!(text.is_char_boundary(error.at), "{error}"),
        }
    }
});
