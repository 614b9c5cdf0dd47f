//! Two truths that differ in what a player cannot know look alike to that player, over every game.

use facedown::game::{Encode, Eyes, Game, MoveList, Seat, Status, View};
use facedown::rules::{GameKind, Task, dispatch};
use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::rule_sets::rule_sets;

/// Two games in step that `eyes` cannot tell apart, made as different as the rules allow.
struct Twins {
    rules: usize,
    seed: u64,
    seat: Seat,
}

impl Task for Twins {
    /// Whether the twins came to differ.
    type Out = Result<bool, TestCaseError>;

    fn run<G: Game>(self) -> Self::Out {
        let rule_sets = rule_sets::<G>();
        let rules = &rule_sets[self.rules % rule_sets.len()];
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let eyes = Eyes::Of(self.seat);
        let (mut one, mut other) = (G::start(rules), G::start(rules));
        let mut differ = false;
        loop {
            check_alike(&one, &other, eyes)?;
            differ |= one.view(Eyes::Of(self.seat.other())) != other.view(Eyes::Of(self.seat.other()));
            let Status::ToMove(_) = one.status() else { return Ok(differ) };
            let mut moves = MoveList::new();
            one.legal_moves(&mut moves);
            let mv = moves[rng.random_range(0..moves.len())];
            let Some((first, second)) = alike_outcomes(&one, &other, mv, eyes, &mut rng) else {
                return Ok(differ);
            };
            one.play(mv, first);
            other.play(mv, second);
        }
    }
}

/// Outcomes of `mv` in both games that look alike to `eyes`, and are not the same if that can be had.
/// None if what is left in one game can no longer happen in the other.
fn alike_outcomes<G: Game>(
    one: &G,
    other: &G,
    mv: G::Move,
    eyes: Eyes,
    rng: &mut ChaCha8Rng,
) -> Option<(G::Reveal, G::Reveal)> {
    let (chances, others) = (one.chances(mv), other.chances(mv));
    let mut pairs: Vec<_> = chances
        .iter()
        .flat_map(|(a, _)| others.iter().map(move |(b, _)| (a, b)))
        .filter(|&(a, b)| one.seen(mv, a, eyes) == other.seen(mv, b, eyes))
        .collect();
    if pairs.iter().any(|(a, b)| a != b) {
        pairs.retain(|(a, b)| a != b);
    }
    (!pairs.is_empty()).then(|| pairs[rng.random_range(0..pairs.len())])
}

fn check_alike<G: Game>(one: &G, other: &G, eyes: Eyes) -> Result<(), TestCaseError> {
    for eyes in [eyes, Eyes::Public] {
        let (view, twin) = (one.view(eyes), other.view(eyes));
        prop_assert_eq!(&view, &twin);
        prop_assert_eq!(view.to_string(), twin.to_string());
        prop_assert_eq!(one.key(eyes), other.key(eyes));
        prop_assert_eq!(view.status(), twin.status());
        if matches!(view.status(), Status::ToMove(_)) {
            let planes = |view: &G::View| {
                let mut planes = vec![0.0; G::View::SHAPE.len()];
                view.planes(&mut planes);
                planes
            };
            prop_assert_eq!(planes(&view), planes(&twin));
            prop_assert_eq!(view.heuristic(), twin.heuristic());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn what_a_player_cannot_know_changes_nothing_it_is_given(rules in 0..64_usize, seed: u64, second: bool) {
        let seat = if second { Seat::Second } else { Seat::First };
        for kind in GameKind::ALL {
            dispatch(kind, Twins { rules, seed, seat })?;
        }
    }
}

#[test]
fn the_twins_do_come_to_differ_where_the_capturer_alone_sees() {
    // The default rules of Jieqi: without a difference the test above would show nothing.
    let differing = (0..20).filter(|&seed| {
        dispatch(GameKind::Jieqi, Twins { rules: 0, seed, seat: Seat::First }).expect("alike")
    });
    assert!(differing.count() > 10);
}
