//! The search, on a game small enough to solve and on Jieqi.

mod allocations;
mod draws;
mod equilibrium;
mod exact;
mod jieqi;
mod plain_banqi;
mod roots;
mod secrets;
mod solved;
mod tables;
mod toy;
mod unequal;

use std::collections::{HashMap, HashSet};

use facedown::eval::{EvalError, Evaluations, Evaluator, Query, Rollout, RolloutConfig, Uniform};
use facedown::game::{Eyes, Game, MoverValue, Seat, View};
use facedown::search::{InnerRule, OpponentEyes, RootReport, RootRule, Search, SearchConfig, Visits};
use facedown::units::{Probability, Temperature};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use toy::{Act, BagRules, BagView, Bags, Burnt, Kind};

type Report = RootReport<Act, Kind>;

/// A search by PUCT at every node that shows the evaluator what the player to move knows.
fn visits(visits: u32) -> SearchConfig {
    let visits = Visits::new(u64::from(visits)).unwrap();
    SearchConfig {
        visits,
        root: RootRule::Puct,
        inner: InnerRule::Puct,
        opponent_eyes: OpponentEyes::Own,
        ..SearchConfig::default().without_exploration()
    }
}

fn search(view: &BagView, config: SearchConfig, seed: u64) -> Report {
    let mut search = Search::<Bags>::new(view.clone(), config, seed);
    search.run(&mut Uniform).unwrap();
    search.report()
}

fn mover_view(game: &Bags) -> BagView {
    game.view(Eyes::Of(game.mover()))
}

fn rules(bags: [[u8; 3]; 2], points: [u8; 2], plies: u8, burnt: Burnt) -> BagRules {
    BagRules { bags, points, plies, burnt }
}

/// The first player to move, after the second has burnt a tile of kind `burnt` that the first did not see.
fn after_a_secret(bag: [u8; 3], burnt: u8, plies: u8) -> Bags {
    let mut game = rules([bag, [1, 1, 1]], [0, 1], plies, Burnt::SeenByBurner).start();
    game.play(Act::Pass, None);
    game.play(Act::Burn, Some(burnt));
    game
}

/// Judges like [`Uniform`] and remembers what it was asked.
#[derive(Default)]
struct Recorder {
    asked: Vec<BagView>,
}

impl Evaluator<Bags> for Recorder {
    fn evaluate(&mut self, queries: &[Query<Bags>], out: &mut Evaluations) -> Result<(), EvalError> {
        self.asked.extend(queries.iter().map(|query| query.view.clone()));
        Uniform.evaluate(queries, out)
    }
}

fn recorded(view: BagView, config: SearchConfig, seed: u64) -> Vec<BagView> {
    let mut recorder = Recorder::default();
    Search::<Bags>::new(view, config, seed).run(&mut recorder).unwrap();
    recorder.asked
}

#[test]
fn the_value_tends_to_expectiminimax_and_the_best_move_is_found() {
    let games = [
        rules([[2, 1, 1], [1, 2, 1]], [0, 0], 4, Burnt::SeenByBoth),
        rules([[1, 0, 2], [3, 1, 1]], [0, 1], 5, Burnt::SeenByBoth),
        rules([[0, 2, 1], [1, 1, 2]], [1, 0], 5, Burnt::SeenByBoth),
        rules([[4, 1, 1], [0, 0, 2]], [3, 0], 4, Burnt::SeenByBoth),
    ];
    for rules in games {
        let game = rules.start();
        let exact = game.solve().for_mover(game.mover()).0;
        let errors = [200, 20_000].map(|budget| {
            let report = search(&mover_view(&game), visits(budget), 5);
            let best = report.policy(Temperature::ZERO).iter().position(|&p| p == 1.0).unwrap();
            let chosen = game.solve_moves()[best].1.for_mover(game.mover()).0;
            assert!((chosen - exact).abs() < 1e-6 || budget < 20_000, "{game:?} plays for {chosen}");
            (report.value.0 - exact).abs()
        });
        assert!(errors[1] < 0.03, "{game:?} is worth {exact}: off by {errors:?}");
    }
}

#[test]
fn one_ply_before_the_end_the_value_of_a_draw_is_its_expectation() {
    let game = rules([[3, 2, 1], [1, 0, 0]], [0, 1], 1, Burnt::SeenByBoth).start();
    let report = search(&mover_view(&game), visits(40), 1);
    for (mv, (act, exact)) in report.moves.iter().zip(game.solve_moves()) {
        assert_eq!(mv.mv, act);
        let q = mv.q.expect("forty visits reach three moves").0;
        assert!((q - exact.0).abs() < 1e-6, "{act}: {q}, exact {exact:?}");
    }
}

#[test]
fn visits_add_up_and_priors_are_reported_without_noise() {
    let game = rules([[2, 1, 1], [1, 2, 1]], [0, 0], 6, Burnt::SeenByBoth).start();
    let quiet = search(&mover_view(&game), visits(100), 3);
    let noisy = SearchConfig { noise: SearchConfig::default().noise, ..visits(100) };
    let noisy = search(&mover_view(&game), noisy, 3);
    for report in [&quiet, &noisy] {
        assert_eq!(report.visits, 100);
        assert_eq!(report.moves.iter().map(|mv| mv.visits).sum::<u32>(), 100);
        assert!(report.moves.iter().all(|mv| mv.prior == 1.0 / 3.0), "{report:?}");
    }
    let counts = |report: &Report| report.moves.iter().map(|mv| mv.visits).collect::<Vec<_>>();
    assert_ne!(counts(&quiet), counts(&noisy));
}

#[test]
fn equal_seeds_give_equal_reports() {
    let games = [
        rules([[2, 1, 1], [1, 2, 1]], [0, 0], 6, Burnt::SeenByBoth).start(),
        after_a_secret([2, 1, 1], 0, 7),
    ];
    for game in games {
        let config = SearchConfig { visits: Visits::literal(300), ..SearchConfig::default() };
        let view = mover_view(&game);
        assert_eq!(search(&view, config, 8), search(&view, config, 8));
        assert_ne!(search(&view, config, 8), search(&view, config, 9));
    }
}

#[test]
fn what_a_player_cannot_know_does_not_change_the_report() {
    let [a, b] = [0, 2].map(|burnt| after_a_secret([2, 1, 1], burnt, 7));
    assert_ne!(a, b);
    assert_ne!(a.view(Eyes::Of(Seat::Second)), b.view(Eyes::Of(Seat::Second)));
    for audit in [false, true] {
        let config = SearchConfig { audit, ..visits(500) };
        assert_eq!(search(&mover_view(&a), config, 4), search(&mover_view(&b), config, 4));
    }
}

#[test]
fn a_node_splits_on_what_its_mover_knows_and_on_nothing_else() {
    let root = after_a_secret([2, 1, 1], 0, 7);
    let asked = recorded(mover_view(&root), visits(2_000), 6);
    let start = root.view(Eyes::Public).ply();
    let at = |ply: u8| asked.iter().filter(move |view| view.ply() == start + ply);

    let mut replies = HashMap::<BagView, usize>::new();
    for view in at(1) {
        assert_eq!(view.eyes(), Eyes::Of(Seat::Second));
        *replies.entry(view.public()).or_default() += 1;
    }
    assert!(replies.values().any(|&nodes| nodes > 1), "the second player knows what it burnt");

    let mut own = HashSet::new();
    assert!(at(2).count() > 5);
    for view in at(2) {
        assert_eq!(view.eyes(), Eyes::Of(Seat::First));
        assert!(own.insert(view), "two nodes for one view: {view:?}");
    }
}

#[test]
fn no_reveal_contradicts_the_world_it_is_drawn_in() {
    let root = after_a_secret([1, 2, 1], 2, 8);
    let asked = recorded(mover_view(&root), visits(3_000), 2);
    // In a world where the second player burnt the only tile of three points, the first cannot draw it.
    let burnt_the_best =
        |view: &&BagView| view.eyes() == Eyes::Of(Seat::Second) && view.burnt(Seat::First).count(2) == 1;
    assert!(asked.iter().filter(burnt_the_best).count() > 10);
    for view in asked.iter().filter(burnt_the_best) {
        assert!(view.points(Seat::First) <= 2, "{view:?}");
    }
}

/// Pearson's statistic of the visits of a move's outcomes against the odds the root player gives them.
fn chi_square(view: &BagView, report: &Report, act: Act) -> f64 {
    let mv = report.moves.iter().find(|mv| mv.mv == act).unwrap();
    let terms = view
        .chances(act)
        .probabilities()
        .map(|(seen, odds)| {
            let drawn =
                mv.outcomes.iter().find(|outcome| outcome.seen == seen).map_or(0, |outcome| outcome.visits);
            let expected = odds * f64::from(mv.visits);
            (f64::from(drawn) - expected).powi(2) / expected
        })
        .collect::<Vec<_>>();
    terms.iter().sum()
}

#[test]
fn draws_follow_the_pool_also_below_a_secret() {
    // 0.1 % of honest draws exceed this with two degrees of freedom.
    const LIMIT: f64 = 13.82;
    let open = rules([[3, 2, 1], [1, 2, 1]], [0, 0], 5, Burnt::SeenByBoth).start();
    for (game, act) in [(open, Act::Draw), (after_a_secret([3, 2, 1], 1, 5), Act::Draw)] {
        let view = mover_view(&game);
        let report = search(&view, visits(6_000), 11);
        let statistic = chi_square(&view, &report, act);
        assert!(statistic < LIMIT, "{statistic} for {view:?}");
    }
}

#[test]
fn below_a_secret_a_last_draw_is_worth_its_expectation() {
    // First draws from two tiles, one of which may have been burnt, and the game is over.
    let game = after_a_secret([1, 1, 1], 0, 3);
    let view = mover_view(&game);
    let report = search(&view, visits(60), 3);
    let draw = report.moves.iter().find(|mv| mv.mv == Act::Draw).unwrap();
    // Second leads by a point: drawing 0 loses, 1 draws, 3 wins, each with odds of a third.
    assert!(draw.q.unwrap().0.abs() < 1e-6, "{draw:?}");
    assert_eq!(draw.outcomes.len(), 3);
}

#[test]
fn an_audit_opens_every_outcome_of_every_move() {
    let games = [
        rules([[2, 1, 1], [1, 2, 1]], [0, 0], 6, Burnt::SeenByBoth).start(),
        after_a_secret([2, 1, 1], 0, 7),
    ];
    for game in games {
        let view = mover_view(&game);
        let report = search(&view, SearchConfig { audit: true, ..visits(10) }, 1);
        let mut opened = 0;
        for mv in &report.moves {
            let chances = view.chances(mv.mv);
            assert!(mv.q.is_some());
            assert_eq!(mv.audit_visits as usize, chances.len());
            let uncovered = chances.iter().filter(|(seen, _)| seen.is_some()).count();
            assert_eq!(mv.outcomes.len(), uncovered, "{mv:?}");
            opened += mv.audit_visits;
        }
        assert_eq!(report.visits, 10 + opened);
        assert_eq!(report.moves.iter().map(|mv| mv.led_visits()).sum::<u32>(), 10);
    }
}

#[test]
fn a_lone_move_costs_few_visits() {
    let game = rules([[0, 0, 0], [0, 0, 0]], [1, 0], 6, Burnt::SeenByBoth).start();
    let report = search(&mover_view(&game), visits(500), 1);
    assert_eq!(u64::from(report.visits), SearchConfig::default().lone_move_visits.get());
    assert_eq!(report.moves.len(), 1);
    assert!(report.moves[0].q.is_some());
}

#[test]
fn a_choice_tells_the_probability_it_was_made_with() {
    let game = rules([[2, 1, 1], [1, 2, 1]], [0, 0], 6, Burnt::SeenByBoth).start();
    let report = search(&mover_view(&game), visits(50), 1);
    let mut rng = ChaCha8Rng::seed_from_u64(1);

    let most = report.moves.iter().map(|mv| mv.visits).max().unwrap();
    let choice = report.choose(Temperature::ZERO, &mut rng);
    assert!(report.moves.iter().any(|mv| mv.mv == choice.mv && mv.visits == most));
    assert_eq!(choice.probability, Some(1.0));

    let trials = 4_000;
    let mut chosen = HashMap::<Act, u32>::new();
    for _ in 0..trials {
        let choice = report.choose(Temperature::ONE, &mut rng);
        *chosen.entry(choice.mv).or_default() += 1;
        let mv = report.moves.iter().find(|mv| mv.mv == choice.mv).unwrap();
        let share = f64::from(mv.visits) / f64::from(report.visits);
        assert!((f64::from(choice.probability.unwrap()) - share).abs() < 1e-6);
    }
    for mv in &report.moves {
        let share = f64::from(mv.visits) / f64::from(report.visits);
        let drawn = f64::from(chosen.get(&mv.mv).copied().unwrap_or(0)) / f64::from(trials);
        let error = (share * (1.0 - share) / f64::from(trials)).sqrt();
        assert!((drawn - share).abs() <= 5.0 * error, "{:?}: {drawn} of {share}", mv.mv);
    }
}

#[test]
fn a_search_among_some_moves_is_that_of_a_game_without_the_others() {
    let game = rules([[2, 1, 1], [1, 2, 1]], [0, 0], 5, Burnt::SeenByBoth).start();
    let among = |moves: &[Act]| {
        let mut search = Search::<Bags>::among(moves, mover_view(&game), visits(4_000), 5);
        search.run(&mut Uniform).unwrap();
        search.report()
    };
    assert_eq!(among(&[Act::Burn, Act::Draw, Act::Pass]), search(&mover_view(&game), visits(4_000), 5));
    let report = among(&[Act::Burn, Act::Pass]);
    assert_eq!(report.moves.iter().map(|mv| mv.mv).collect::<Vec<_>>(), [Act::Burn, Act::Pass]);
    assert_eq!(report.moves.iter().map(|mv| mv.visits).sum::<u32>(), report.visits);
    let exact = game.solve_moves();
    for mv in &report.moves {
        let (_, value) = exact.iter().find(|(act, _)| *act == mv.mv).unwrap();
        let error = mv.q.unwrap().0 - value.for_mover(game.mover()).0;
        assert!(error.abs() < 0.15, "{mv:?}: off by {error}");
    }
}

#[test]
fn many_searches_share_one_batch() {
    let games =
        [4, 5, 6].map(|plies| rules([[2, 1, 1], [1, 2, 1]], [0, 0], plies, Burnt::SeenByBoth).start());
    let mut searches = games.each_ref().map(|game| Search::<Bags>::new(mover_view(game), visits(80), 7));
    let (mut queries, mut evaluations) = (Vec::new(), Evaluations::default());
    loop {
        queries.clear();
        let leaves: Vec<_> = searches.iter_mut().map(|search| search.gather(&mut queries)).collect();
        if queries.is_empty() {
            break;
        }
        Uniform.evaluate(&queries, &mut evaluations).unwrap();
        for (search, leaf) in searches.iter_mut().zip(leaves) {
            leaf.into_iter().for_each(|leaf| search.apply(leaf, &evaluations));
        }
    }
    for (together, game) in searches.iter().zip(&games) {
        assert_eq!(together.report(), search(&mover_view(game), visits(80), 7));
    }
}

#[test]
fn a_rollout_says_the_same_of_a_position_in_every_batch() {
    let views = [4, 5, 6].map(|plies| mover_view(&after_a_secret([2, 1, 1], 0, plies)));
    let query = |view: &BagView| {
        let mut moves = facedown::game::MoveList::new();
        view.legal_moves(&mut moves);
        Query::<Bags> { view: view.clone(), moves }
    };
    let values = |queries: &[Query<Bags>], seed| {
        let mut evaluations = Evaluations::default();
        Rollout::new(RolloutConfig { seed, ..RolloutConfig::default() })
            .evaluate(queries, &mut evaluations)
            .unwrap();
        (0..queries.len()).map(|index| evaluations.value(index)).collect::<Vec<MoverValue>>()
    };
    let together = values(&views.each_ref().map(query), 1);
    let apart: Vec<_> = views.iter().flat_map(|view| values(&[query(view)], 1)).collect();
    assert_eq!(together, apart);
    assert!((0..20).any(|seed| values(&views.each_ref().map(query), seed) != together));
}

#[test]
fn settings_out_of_range_and_unknown_keys_are_refused() {
    for text in [
        "visits = 0",
        "visits = 4000000000",
        "max_nodes = 100000000",
        "cpuct = -1.0",
        "fpu = 1.5",
        "noise = { share = 2.0 }",
        "visit = 3",
    ] {
        assert!(toml::from_str::<SearchConfig>(text).is_err(), "{text}");
    }
    let config: SearchConfig = toml::from_str("visits = 7\nnoise = { share = 0.0 }").unwrap();
    assert_eq!((config.visits.get(), config.noise.share), (7, Probability::ZERO));
}
