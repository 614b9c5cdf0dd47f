//! What every game owes the contract, checked along random games, over every game and rule set.

use std::collections::HashMap;

use facedown::game::{Encode, Eyes, Game, MoveIndex, MoveList, NotationError, PlyKind, Seat, Status, View};
use facedown::rules::{GameKind, Task, dispatch};
use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::rule_sets::rule_sets;

/// Far more plies than any game under rules that end it.
const ENDLESS: usize = 20_000;

/// One random game, and how it is to be looked at.
struct RandomGame {
    rules: usize,
    seed: u64,
    /// Whether every face-down piece is dealt beforehand.
    dealt: bool,
}

impl Task for RandomGame {
    type Out = Result<(), TestCaseError>;

    fn run<G: Game>(self) -> Self::Out {
        let rule_sets = rule_sets::<G>();
        let rules = &rule_sets[self.rules % rule_sets.len()];
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let deal = self.dealt.then(|| G::deal(rules, &mut rng));
        let mut game = G::start(rules);
        let mut keys = Keys::default();
        for ply in 0.. {
            prop_assert!(ply < ENDLESS, "the game does not end");
            keys.check(&game)?;
            let Status::ToMove(mover) = game.status() else { break };
            let moves = legal_moves::<G>(&game);
            for eyes in Eyes::ALL {
                check_view(&game, eyes, &moves, &mut rng)?;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            let reveal = match &deal {
                Some(deal) => game.reveal(mv, deal),
                None => game.chances(mv).draw(&mut rng),
            };
            check_ply(&game, mover, mv, reveal)?;
            game = check_successor(&game, mv, reveal)?;
        }
        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        prop_assert!(moves.is_empty(), "a finished game has no moves");
        Ok(())
    }
}

fn legal_moves<G: Game>(game: &G) -> MoveList<G::Move> {
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    moves
}

fn moves_of<V: View>(view: &V) -> MoveList<V::Move> {
    let mut moves = MoveList::new();
    view.legal_moves(&mut moves);
    moves
}

/// The views met in a game by their keys: equal views have equal keys, others differ.
#[derive(Default)]
struct Keys {
    views: HashMap<u64, String>,
    keys: HashMap<String, u64>,
}

impl Keys {
    fn check<G: Game>(&mut self, game: &G) -> Result<(), TestCaseError> {
        for eyes in Eyes::ALL {
            let (key, text) = (game.key(eyes), game.view(eyes).to_string());
            prop_assert_eq!(self.views.entry(key).or_insert_with(|| text.clone()), &text);
            prop_assert_eq!(*self.keys.entry(text).or_insert(key), key);
        }
        Ok(())
    }
}

/// A view agrees with the truth, with its own text, with worlds it allows, and with its mirror images.
fn check_view<G: Game>(
    game: &G,
    eyes: Eyes,
    moves: &MoveList<G::Move>,
    rng: &mut ChaCha8Rng,
) -> Result<(), TestCaseError> {
    let view = game.view(eyes);
    prop_assert_eq!(view.eyes(), eyes);
    prop_assert_eq!(view.status(), game.status());
    prop_assert_eq!(&moves_of(&view), moves);
    prop_assert!(moves.is_sorted() && !moves.is_empty());
    prop_assert_eq!(view.public(), game.view(Eyes::Public));
    prop_assert!(view.heuristic().is_finite());

    let text = view.to_string();
    let read = G::View::parse(&text, view.rules()).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(&read, &view);
    prop_assert_eq!(planes(&read), planes(&view));

    let world = G::sample(&view, rng);
    prop_assert_eq!(&world.view(eyes), &view);
    prop_assert_eq!(world.key(eyes), game.key(eyes));
    prop_assert_eq!(world.status(), game.status());
    prop_assert_eq!(&legal_moves::<G>(&world), moves);

    check_chances(game, &view, moves)?;
    check_policy(&view, moves)?;
    check_symmetries(&view, moves, rng)
}

/// Chances add up, leave out nothing that can happen, and are the referee's where nothing is secret.
fn check_chances<G: Game>(game: &G, view: &G::View, moves: &MoveList<G::Move>) -> Result<(), TestCaseError> {
    let adds_up = |total: f64| (total - 1.0).abs() < 1e-9;
    for &mv in moves {
        let (truth, seen) = (game.chances(mv), view.chances(mv));
        prop_assert!(adds_up(truth.probabilities().map(|(_, p)| p).sum()));
        prop_assert!(adds_up(seen.probabilities().map(|(_, p)| p).sum()));
        let mut shown: HashMap<G::Seen, f64> = HashMap::new();
        for (reveal, p) in truth.probabilities() {
            *shown.entry(game.seen(mv, reveal, view.eyes())).or_default() += p;
        }
        for (seen_as, p) in shown {
            let expected = seen.probability(seen_as);
            prop_assert!(expected > 0.0, "{mv} may show {seen_as:?}");
            prop_assert!(game.has_secrets() || (expected - p).abs() < 1e-9, "{mv} shows {seen_as:?}");
        }
    }
    Ok(())
}

/// The moves of a position have entries of their own, each scored by a cell of its own.
fn check_policy<V: Encode>(view: &V, moves: &MoveList<V::Move>) -> Result<(), TestCaseError> {
    let mut entries: Vec<_> = moves.iter().map(|&mv| view.index(mv)).collect();
    let mut cells: Vec<_> = entries.iter().map(|&entry| V::policy_cell(entry)).collect();
    entries.sort();
    entries.dedup();
    cells.sort_unstable();
    cells.dedup();
    prop_assert_eq!((entries.len(), cells.len()), (moves.len(), moves.len()));
    prop_assert!(entries.iter().all(|entry| entry.get() < V::POLICY_LEN));
    prop_assert!(cells.iter().all(|&cell| cell < V::POLICY_PLANES * V::SHAPE.squares()));
    Ok(())
}

fn planes<V: Encode>(view: &V) -> Vec<u32> {
    let mut planes = vec![f32::NAN; V::SHAPE.len()];
    view.planes(&mut planes);
    assert!(planes.iter().all(|value| (0.0..=1.0).contains(value)), "planes hold values from 0 to 1");
    planes.into_iter().map(f32::to_bits).collect()
}

/// Laying the board onto itself and playing a move give the same in either order.
fn check_symmetries<V: Encode>(
    view: &V,
    moves: &MoveList<V::Move>,
    rng: &mut ChaCha8Rng,
) -> Result<(), TestCaseError> {
    for &by in V::SYMMETRIES {
        let mirror = view.mirrored(by);
        prop_assert_eq!(&mirror.mirrored(by), view);
        let mirrored_moves = moves_of(&mirror);
        let twin = |index: MoveIndex| mirrored_moves.iter().find(|&&mv| mirror.index(mv) == index);
        prop_assert_eq!(mirrored_moves.len(), moves.len());
        let mv = moves[rng.random_range(0..moves.len())];
        let twin = twin(V::mirrored_index(view.index(mv), by));
        prop_assert!(twin.is_some(), "the mirror image of a legal move is legal");
        let twin = *twin.expect("just checked");
        let seen = view.chances(mv).draw(rng);
        prop_assert_eq!(mirror.after(twin, seen), view.after(mv, seen).mirrored(by));
    }
    Ok(())
}

/// What is said of a ply agrees with the board and reads back from its text.
fn check_ply<G: Game>(game: &G, mover: Seat, mv: G::Move, reveal: G::Reveal) -> Result<(), TestCaseError> {
    let fail = |error: NotationError| TestCaseError::fail(error.to_string());
    prop_assert!(game.chances(mv).probability(reveal) > 0.0);
    let text = format!("{mv}{}", game.reveal_text(mv, reveal));
    prop_assert_eq!(game.parse_ply(&text).map_err(fail)?, (mv, reveal));
    prop_assert_eq!(mv.to_string().parse::<G::Move>().map_err(fail)?, mv);
    for eyes in Eyes::ALL {
        let (view, seen) = (game.view(eyes), game.seen(mv, reveal, eyes));
        let text = view.seen_text(mv, seen);
        prop_assert_eq!(view.parse_seen(&text).map_err(fail)?, (mv, seen));
    }

    let facts = game.facts(mv, reveal);
    let letters = game.view(Eyes::Of(mover)).letters(mv, game.seen(mv, reveal, Eyes::Of(mover)));
    prop_assert_eq!(facts.kind, game.kind(mv));
    prop_assert_eq!(facts.revealed, letters.revealed);
    prop_assert_eq!(facts.kind.is_flip(), facts.revealed.is_some());
    prop_assert_eq!(facts.control, game.control(mv));
    if facts.taken_hidden {
        prop_assert_eq!(facts.taken, letters.taken);
        prop_assert!(matches!(facts.kind, PlyKind::Capture | PlyKind::FlipCapture));
    }
    let control = facts.control;
    prop_assert!(control.see >= 0.0 && control.risk >= 0.0);
    prop_assert_eq!(control.least_attacker.is_some(), control.attackers > 0);
    prop_assert!(control.attackers_hidden <= control.attackers);
    prop_assert!(control.defenders_hidden <= control.defenders);
    if control.attackers == 0 {
        prop_assert_eq!((control.see, control.risk), (0.0, 0.0));
    }
    Ok(())
}

/// A player who follows the game by what it saw knows what the truth says it knows.
fn check_successor<G: Game>(game: &G, mv: G::Move, reveal: G::Reveal) -> Result<G, TestCaseError> {
    let mut next = game.clone();
    next.play(mv, reveal);
    for eyes in Eyes::ALL {
        let followed = game.view(eyes).after(mv, game.seen(mv, reveal, eyes));
        prop_assert_eq!(&followed, &next.view(eyes));
    }
    Ok(next)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn every_game_keeps_the_contract(rules in 0..64_usize, seed: u64, dealt: bool) {
        for kind in GameKind::ALL {
            dispatch(kind, RandomGame { rules, seed, dealt })?;
        }
    }
}
