//! Two truths that differ in what a player cannot know look alike to that player, over every game.

use std::sync::Arc;

use facedown::eval::Material;
use facedown::game::{Encode, Eyes, Game, MoveList, Seat, Status, View};
use facedown::rules::{GameKind, Task, dispatch};
use facedown::search::{
    ChanceRule, InnerRule, Objective, OpponentEyes, RootRule, Search, SearchConfig, Visits,
};
use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::rule_sets::rule_sets;

/// For each rule set two games in step that the player at `seat` cannot tell apart, made as different as the
/// rules allow.
#[derive(Clone, Copy)]
struct Twins {
    seed: u64,
    seat: Seat,
}

impl Task for Twins {
    /// Under how many rule sets the twins came to differ.
    type Out = Result<usize, TestCaseError>;

    fn run<G: Game>(self) -> Self::Out {
        rule_sets::<G>()
            .iter()
            .try_fold(0, |differing, rules| Ok(differing + usize::from(self.come_to_differ::<G>(rules)?)))
    }
}

impl Twins {
    fn come_to_differ<G: Game>(self, rules: &Arc<G::Profile>) -> Result<bool, TestCaseError> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let eyes = Eyes::Of(self.seat);
        let (mut one, mut other) = (G::start(rules), G::start(rules));
        let mut differ = false;
        for ply in 0.. {
            check_alike(&one, &other, eyes)?;
            let differed = differ;
            differ |= one.view(Eyes::Of(self.seat.other())) != other.view(Eyes::Of(self.seat.other()));
            let Status::ToMove(mover) = one.status() else { break };
            if mover == self.seat && differ && (!differed || ply % 16 < 2) {
                check_searches(&one, &other, eyes, self.seed)?;
            }
            let mut moves = MoveList::new();
            one.legal_moves(&mut moves);
            let mv = moves[rng.random_range(0..moves.len())];
            let Some((first, second)) = alike_outcomes(&one, &other, mv, eyes, &mut rng) else {
                break;
            };
            one.play(mv, first);
            other.play(mv, second);
        }
        Ok(differ)
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

/// Every rule of the root, below it, of chance and of worth, and every way to judge an opponent; audited or not.
fn ways_to_search() -> impl Iterator<Item = SearchConfig> {
    let halved = SearchConfig {
        visits: Visits::literal(24),
        root: RootRule::Gumbel,
        inner: InnerRule::Improved,
        opponent_eyes: OpponentEyes::Public,
        ..SearchConfig::default()
    };
    let promising = SearchConfig {
        root: RootRule::Puct,
        inner: InnerRule::Puct,
        opponent_eyes: OpponentEyes::Own,
        ..halved
    };
    let ways = [
        halved,
        promising,
        SearchConfig { objective: Objective::Settlement, ..halved },
        SearchConfig { chance: ChanceRule::Sampled, ..promising },
    ];
    ways.into_iter().flat_map(|way| [false, true].map(|audit| SearchConfig { audit, ..way }))
}

/// A player who is to move finds the same in both games, to the last bit.
fn check_searches<G: Game>(one: &G, other: &G, eyes: Eyes, seed: u64) -> Result<(), TestCaseError> {
    for config in ways_to_search() {
        let report = |game: &G| {
            let mut search = Search::<G>::new(game.view(eyes), config, seed);
            search.run(&mut Material).expect("material can always be counted");
            // Floats are written out in as many digits as tell them apart.
            format!("{:?}", search.report())
        };
        prop_assert_eq!(report(one), report(other), "{:?}", config);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn what_a_player_cannot_know_changes_nothing_it_is_given(seed: u64, second: bool) {
        let seat = if second { Seat::Second } else { Seat::First };
        for kind in GameKind::ALL {
            dispatch(kind, Twins { seed, seat })?;
        }
    }
}

#[test]
fn the_twins_do_come_to_differ_where_the_capturer_alone_sees() {
    // Eight of Jieqi's rule sets here: without a difference the test above would show nothing.
    let differing: usize =
        (0..4).map(|seed| dispatch(GameKind::Jieqi, Twins { seed, seat: Seat::First }).expect("alike")).sum();
    assert!(differing > 16, "{differing} of 32");
}
