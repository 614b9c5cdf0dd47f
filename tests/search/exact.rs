//! Exact values: what `solve` finds, what the search proves, and what it keeps between moves.

use facedown::eval::{Evaluations, Evaluator, Uniform};
use facedown::game::{Game, Profile, View};
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView};
use facedown::search::{Objective, Search, SearchConfig, SolveError, Visits, solve};
use facedown::units::{Count, Temperature};

use super::toy::{Act, Bags, Burnt};
use super::{after_a_secret, mover_view, rules, search, visits};

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
