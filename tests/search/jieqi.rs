//! The search on Jieqi.

use facedown::eval::{Evaluator, Material, Uniform};
use facedown::game::{Eyes, Game, MoveList, Profile, Seat, SeatValue, Status, View};
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView, Reveal};
use facedown::search::{RootReport, Search, SearchConfig, Visits};
use facedown::units::Temperature;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

type Report = RootReport<<Jieqi as Game>::Move, Reveal>;

fn search<E: Evaluator<Jieqi>>(view: JieqiView, visits: u32, seed: u64, mut evaluator: E) -> Search<Jieqi> {
    let mut search = Search::new(view, super::visits(visits), seed);
    search.run(&mut evaluator).unwrap();
    search
}

fn report(view: JieqiView, visits: u32, seed: u64) -> Report {
    search(view, visits, seed, Material).report()
}

fn mover(game: &Jieqi) -> Option<Seat> {
    match game.status() {
        Status::ToMove(seat) => Some(seat),
        Status::Over(_) => None,
    }
}

fn random_move(game: &Jieqi, rng: &mut ChaCha8Rng) -> <Jieqi as Game>::Move {
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    moves[rng.random_range(0..moves.len())]
}

/// Two games that went alike but for what the second player alone saw of a piece it took face down, with
/// the first player to move.
fn two_truths(seed: u64) -> Option<[Jieqi; 2]> {
    let rules = JieqiRules::load("wxf").unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Jieqi::start(&rules);
    while let Some(seat) = mover(&game) {
        let mv = random_move(&game, &mut rng);
        let reveal = game.chances(mv).draw(&mut rng);
        let other = game
            .chances(mv)
            .iter()
            .map(|(other, _)| other)
            .find(|other| other.opened == reveal.opened && other.taken != reveal.taken);
        let mut twin = game.clone();
        game.play(mv, reveal);
        if let (Seat::Second, Some(other)) = (seat, other) {
            twin.play(mv, other);
            return mover(&game).map(|_| [game, twin]);
        }
    }
    None
}

#[test]
fn what_the_opponent_took_unseen_does_not_change_the_report() {
    let pairs: Vec<_> = (0..8).filter_map(two_truths).collect();
    assert!(pairs.len() >= 4, "{} games with a secret", pairs.len());
    for [a, b] in pairs {
        let eyes = Eyes::Of(Seat::First);
        assert_ne!(a.view(Eyes::Of(Seat::Second)), b.view(Eyes::Of(Seat::Second)));
        assert_eq!(report(a.view(eyes), 400, 5), report(b.view(eyes), 400, 5), "{}", a.view(eyes));
    }
}

#[test]
fn a_mate_by_whatever_is_turned_up_is_found() {
    // The face-down piece goes to the king's rank and can only be a chariot there.
    let rules = JieqiRules::load("wxf").unwrap();
    let view = JieqiView::parse("4k4/R8/9/9/9/p8/9/1X7/9/3K5 w R1 0 1", &rules).unwrap();
    let report = report(view, 100, 1);
    let best = report.policy(Temperature::ZERO).iter().position(|&p| p == 1.0).unwrap();
    assert_eq!(report.moves[best].mv.to_string(), "b2b9");
    assert_eq!(report.moves[best].q.unwrap().0, 1.0);
}

#[test]
fn a_mate_by_one_identity_in_two_is_worth_half_of_it() {
    let rules = JieqiRules::load("wxf").unwrap();
    let view = JieqiView::parse("4k4/R8/9/9/9/p8/9/1X5X1/9/3K5 w R1P1 0 1", &rules).unwrap();
    let report = report(view, 400, 1);
    let flip = report.moves.iter().find(|mv| mv.mv.to_string() == "b2b9").unwrap();
    let [mate, other] = &flip.outcomes[..] else { panic!("two identities: {flip:?}") };
    assert_eq!(mate.q.0, 1.0);
    let expected = (mate.q.0 + other.q.0) / 2.0;
    assert!((flip.q.unwrap().0 - expected).abs() < 1e-6, "{flip:?}");
}

/// The first seat's result.
fn play(mut first: impl Evaluator<Jieqi>, mut second: impl Evaluator<Jieqi>, seed: u64) -> f32 {
    let rules = JieqiRules::load("wxf").unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Jieqi::start(&rules);
    while let Some(seat) = mover(&game) {
        let config =
            SearchConfig { visits: Visits::literal(64), ..SearchConfig::default().without_exploration() };
        let mut search = Search::<Jieqi>::new(game.view(Eyes::Of(seat)), config, rng.random());
        match seat {
            Seat::First => search.run(&mut first).unwrap(),
            Seat::Second => search.run(&mut second).unwrap(),
        }
        let mv = search.choose(0).mv;
        let reveal = game.chances(mv).draw(&mut rng);
        game.play(mv, reveal);
    }
    let Status::Over(outcome) = game.status() else { unreachable!("the loop ends with the game") };
    SeatValue::of(outcome).0
}

#[test]
fn counting_material_beats_knowing_nothing() {
    let pairs = 6;
    let score: f32 =
        (0..pairs).map(|seed| play(Material, Uniform, seed) - play(Uniform, Material, seed)).sum();
    // In games; 0 would be equal play, 12 a win in every one.
    assert!(score >= 6.0, "material leads by {score} games of {}", 2 * pairs);
}
