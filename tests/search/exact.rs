//! Exact values: what `solve` finds, what the search proves, and what it keeps between moves.

use facedown::eval::{Evaluations, Evaluator, Uniform};
use facedown::game::{Eyes, Game, MoveList, Profile, Seat, Status, View};
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView};
use facedown::search::{Objective, Search, SearchConfig, SolveError, Visits, solve};
use facedown::units::{Count, Temperature};

use super::toy::{Act, Bags, Burnt};
use super::{after_a_secret, mover_view, rules, search, visits};

/// Positions in which both players know the same: rule set, position, value for the player to move as
/// `facedown solve` gives it, and the moves that are worth it.
fn table() -> Vec<(&'static str, &'static str, f32, Vec<&'static str>)> {
    let text = include_str!("../data/jieqi_solved.tsv");
    text.lines()
        .skip(1)
        .map(|line| {
            let [rules, position, value, best] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("four columns: {line}")
            };
            (rules, position, value.parse().unwrap(), best.split(' ').collect())
        })
        .collect()
}

fn jieqi(rules: &str, position: &str) -> JieqiView {
    JieqiView::parse(position, &JieqiRules::load(rules).unwrap()).unwrap()
}

#[test]
fn solve_agrees_with_a_plain_expectiminimax_on_bags() {
    for (bags, points, plies) in [([[2, 1, 1], [1, 2, 1]], [0, 0], 4), ([[1, 0, 2], [3, 1, 1]], [0, 1], 5)] {
        let game = rules(bags, points, plies, Burnt::SeenByBoth).start();
        let solution = solve::<Bags>(&mover_view(&game), Objective::Result, 1_000_000).unwrap();
        assert!((solution.value.0 - game.solve().for_mover(game.mover()).0).abs() < 1e-6, "{solution:?}");
        for ((act, value), (expected_act, expected)) in solution.moves.iter().zip(game.solve_moves()) {
            assert_eq!(*act, expected_act);
            assert!((value.0 - expected.for_mover(game.mover()).0).abs() < 1e-6, "{act}: {value:?}");
        }
    }
}

/// The first seat's value without any memory or bound.
fn brute_force(game: &Jieqi) -> f64 {
    let mover = match game.status() {
        Status::Over(outcome) => {
            return outcome.winner.map_or(0.0, |seat| if seat == Seat::First { 1.0 } else { -1.0 });
        }
        Status::ToMove(mover) => mover,
    };
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    let values = moves.iter().map(|&mv| {
        let outcomes = game.chances(mv);
        outcomes.probabilities().fold(0.0, |sum, (reveal, odds)| {
            let mut next = game.clone();
            next.play(mv, reveal);
            sum + odds * brute_force(&next)
        })
    });
    match mover {
        Seat::First => values.fold(f64::NEG_INFINITY, f64::max),
        Seat::Second => values.fold(f64::INFINITY, f64::min),
    }
}

#[test]
fn the_solved_table_holds_by_solve_and_by_brute_force() {
    let table = table();
    assert!(table.len() >= 40, "{} positions", table.len());
    for (place, (rules, position, value, best)) in table.into_iter().enumerate() {
        let view = jieqi(rules, position);
        let solution = solve::<Jieqi>(&view, Objective::Result, 1_000_000).unwrap();
        assert!((solution.value.0 - value).abs() < 1e-5, "{position}: {solution:?}");
        for mv in best {
            let found = solution.moves.iter().find(|(other, _)| other.to_string() == mv).unwrap();
            assert!((found.1.0 - value).abs() < 1e-5, "{position}: {mv}");
        }
        if place % 4 == 0 && solution.nodes < 3_000 {
            let game = Jieqi::sample(&view, &mut facedown::game::random_stream(0, 0));
            let Status::ToMove(mover) = view.status() else { panic!("a move to choose") };
            let sign = if mover == Seat::First { 1.0 } else { -1.0 };
            assert!((sign * brute_force(&game) - f64::from(value)).abs() < 1e-5, "{position}");
        }
    }
}

#[test]
fn the_search_tends_to_the_solved_values() {
    let table = table();
    let mean_error = |budget: u32| {
        let errors = table.iter().map(|(rules, position, value, best)| {
            let view = jieqi(rules, position);
            let Status::ToMove(mover) = view.status() else { panic!("a move to choose") };
            let view = Jieqi::sample(&view, &mut facedown::game::random_stream(0, 0)).view(Eyes::Of(mover));
            let mut search = Search::<Jieqi>::new(view, visits(budget), 3);
            search.run(&mut Uniform).unwrap();
            let error = (search.report().value.0 - value).abs();
            if budget == 20_000 {
                assert!(error < 0.01, "{position}: off by {error}");
                let chosen = search.choose(0).mv.to_string();
                assert!(best.contains(&chosen.as_str()), "{position}: {chosen} is not among the best");
            }
            error
        });
        errors.sum::<f32>() / table.len() as f32
    };
    let errors = [10, 100, 1_000].map(mean_error);
    assert!(errors.is_sorted_by(|few, many| few > many), "{errors:?}");
    assert!(mean_error(20_000) < 0.001);
}

#[test]
fn solve_refuses_what_players_do_not_both_know() {
    let secret = after_a_secret([2, 1, 1], 0, 7);
    let solved = |game: &Bags| solve::<Bags>(&mover_view(game), Objective::Result, 1_000_000).unwrap_err();
    assert_eq!(solved(&secret), SolveError::Secret);
    let soon = rules([[2, 1, 1], [1, 2, 1]], [0, 0], 6, Burnt::SeenByBurner).start();
    assert_eq!(solved(&soon), SolveError::SecretBelow);
    let open = rules([[2, 1, 1], [1, 2, 1]], [0, 0], 6, Burnt::SeenByBoth).start();
    let refused = solve::<Bags>(&mover_view(&open), Objective::Result, 10).unwrap_err();
    assert_eq!(refused, SolveError::Budget { nodes: 10 });
}

#[test]
fn a_sure_win_is_proven_through_chance_only_where_all_reveals_agree() {
    let sure = jieqi("wxf", "4k4/R8/9/9/9/p8/9/1X7/9/3K5 w R1 0 1");
    let mut sure_search = Search::<Jieqi>::new(sure, visits(100), 1);
    sure_search.run(&mut Uniform).unwrap();
    let report = sure_search.report();
    let mate = report.moves.iter().find(|mv| mv.mv.to_string() == "b2b9").unwrap();
    assert_eq!((mate.stakes.proof().map(|proof| proof.0), report.value.0), (Some(1.0), 1.0));

    let half = jieqi("wxf", "4k4/R8/9/9/9/p8/9/1X5X1/9/3K5 w R1P1 0 1");
    let mut half_search = Search::<Jieqi>::new(half, visits(100), 1);
    half_search.run(&mut Uniform).unwrap();
    let report = half_search.report();
    let mate = report.moves.iter().find(|mv| mv.mv.to_string() == "b2b9").unwrap();
    assert_eq!(mate.stakes.proof(), None);
}

#[test]
fn a_proof_is_never_wrong() {
    for seed in 0..20 {
        let game = rules([[2, 1, 1], [1, 2, 1]], [1, 0], 4, Burnt::SeenByBoth).start();
        let report = search(&mover_view(&game), visits(400), seed);
        for (mv, (_, exact)) in report.moves.iter().zip(game.solve_moves()) {
            if let Some(proof) = mv.stakes.proof() {
                assert!((proof.0 - exact.for_mover(game.mover()).0).abs() < 1e-6, "{mv:?}");
            }
        }
    }
}

#[test]
fn a_kept_tree_starts_with_the_visits_it_has_and_stays_sound() {
    let mut game = rules([[2, 1, 1], [1, 2, 1]], [0, 0], 5, Burnt::SeenByBoth).start();
    let mut first = Search::<Bags>::new(mover_view(&game), visits(4_000), 5);
    first.run(&mut Uniform).unwrap();
    let plies = [(Act::Draw, Some(0)), (Act::Pass, None)];
    for (act, kind) in plies {
        game.play(act, kind);
    }
    let mut kept = first.advance(&plies, mover_view(&game), 6);
    assert!(kept.visits() > 0 && kept.visits() < 4_000, "{}", kept.visits());
    kept.run(&mut Uniform).unwrap();
    let report = kept.report();
    let exact = game.solve().for_mover(game.mover()).0;
    assert!(report.value.0 - exact < 0.05 && exact - report.value.0 < 0.05, "{report:?}, exact {exact}");
    let best = report.policy(Temperature::ZERO).iter().position(|&p| p == 1.0).unwrap();
    assert!((game.solve_moves()[best].1.for_mover(game.mover()).0 - exact).abs() < 1e-6);
}

#[test]
fn below_a_secret_a_search_starts_anew() {
    let mut game = after_a_secret([2, 1, 1], 0, 8);
    let mut first = Search::<Bags>::new(mover_view(&game), visits(300), 5);
    first.run(&mut Uniform).unwrap();
    for _ in 0..2 {
        game.play(Act::Pass, None);
    }
    let next = first.advance(&[(Act::Pass, None), (Act::Pass, None)], mover_view(&game), 9);
    assert_eq!(next.visits(), 0);
}

#[test]
fn a_search_without_bound_ends_where_nothing_is_left_to_look_at() {
    let mated = jieqi("wxf", "4k4/R8/9/9/9/p8/9/1X7/9/3K5 w R1 0 1");
    let mut won = Search::<Jieqi>::new(mated, SearchConfig { visits: Visits::MOST, ..visits(1) }, 1);
    won.run(&mut Uniform).unwrap();
    assert_eq!(won.report().value.0, 1.0);
    let drawn = rules([[1, 0, 0], [1, 0, 0]], [0, 0], 2, Burnt::SeenByBoth).start();
    assert_eq!(
        search(&mover_view(&drawn), SearchConfig { visits: Visits::MOST, ..visits(1) }, 1).value.0,
        0.0
    );
}

#[test]
fn a_search_whose_lines_all_end_gives_up_when_told() {
    let drawn = rules([[1, 0, 0], [1, 0, 0]], [0, 0], 2, Burnt::SeenByBoth).start();
    let mut search = Search::<Bags>::new(mover_view(&drawn), visits(1_000_000), 1);
    let (mut queries, mut evaluations) = (Vec::new(), Evaluations::default());
    let mut asked = 0;
    while let Some(leaf) = search.gather_until(&mut queries, || {
        asked += 1;
        asked == 50
    }) {
        Uniform.evaluate(&queries, &mut evaluations).unwrap();
        search.apply(leaf, &evaluations);
        queries.clear();
    }
    assert_eq!(asked, 50);
    assert!(search.visits() >= 50 && search.visits() < 100, "{}", search.visits());
}

#[test]
fn a_full_tree_ends_the_search() {
    let game = rules([[2, 1, 1], [1, 2, 1]], [0, 0], 6, Burnt::SeenByBoth).start();
    let config = SearchConfig { max_nodes: Count::literal(50), ..visits(100_000) };
    let report = search(&mover_view(&game), config, 3);
    assert!(report.visits >= 49 && report.visits < 100_000, "{}", report.visits);
}
