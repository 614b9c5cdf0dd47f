//! The tables of solved positions: right by two methods each, and what the search makes of them.

use std::hash::{DefaultHasher, Hash, Hasher};

use facedown::eval::{EvalError, Evaluations, Evaluator, Query};
use facedown::game::{Game, MoveList, MoverValue, Seat, Status, View, random_stream};
use facedown::rules::banqi::{Banqi, BanqiRules};
use facedown::rules::jieqi::Jieqi;
use facedown::search::{Objective, RootRule, Solution, solve};
use rand::RngExt;

use super::plain_banqi::{Position, Rules, Solver};
use super::solved::{Attempt, Solved, banqi, jieqi};

/// What `solve` says of a position, once the row agrees.
fn solution<G: Game>(row: &Solved<G>) -> Solution<G::Move> {
    let solution = solve::<G>(&row.view, Objective::Result, 1_000_000).unwrap();
    assert!((solution.value.0 - row.value).abs() < 1e-5, "{}: {solution:?}", row.position);
    let best = solution.moves.iter().filter(|(_, value)| (value.0 - row.value).abs() < 1e-5);
    let best: Vec<_> = best.map(|(mv, _)| mv.to_string()).collect();
    assert_eq!(best, row.best, "{}", row.position);
    solution
}

/// The first seat's value by the library's rules, without any memory or bound.
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
fn the_table_of_jieqi_holds_by_solve_and_by_brute_force() {
    let table = jieqi();
    assert!(table.len() >= 40, "{} positions", table.len());
    for (place, row) in table.iter().enumerate() {
        let solution = solution(row);
        if place % 4 == 0 && solution.nodes < 3_000 {
            let game = Jieqi::sample(&row.view, &mut random_stream(0, 0));
            let Status::ToMove(mover) = row.view.status() else { panic!("a move to choose") };
            let sign = if mover == Seat::First { 1.0 } else { -1.0 };
            assert!((sign * brute_force(&game) - f64::from(row.value)).abs() < 1e-5, "{}", row.position);
        }
    }
}

fn plainly(rules: &BanqiRules) -> Rules {
    Rules {
        limit: rules.no_progress_plies.into(),
        third_draws: rules.repetition == Some(3),
        capture_all_wins: rules.capture_all_wins,
        draw_before_win: rules.draw_before_win,
    }
}

#[test]
fn the_table_of_banqi_holds_by_solve_and_by_the_letter_of_the_rules() {
    let table = banqi();
    assert!(table.len() >= 40, "{} positions", table.len());
    for row in &table {
        assert!(row.position.contains('?'), "{}: nothing to flip", row.position);
        let moves = Solver::new(plainly(&row.rules)).moves(&Position::read(row.position));
        let solution = solution(row);
        assert_eq!(moves.len(), solution.moves.len(), "{}", row.position);
        for ((name, worth), (mv, value)) in moves.iter().zip(&solution.moves) {
            assert_eq!(*name, mv.to_string(), "{}", row.position);
            assert!((worth - f64::from(value.0)).abs() < 1e-6, "{}: {name} {worth} {value:?}", row.position);
        }
    }
}

#[test]
fn banqi_is_solved_for_either_seat_and_either_color() {
    for colors in [" w ", " b "] {
        for seats in [true, false] {
            let alike = |row: &&Solved<Banqi>| {
                row.position.contains(colors) && row.position.ends_with(" first b") == seats
            };
            assert!(banqi().iter().filter(alike).count() >= 4, "{colors}, first black: {seats}");
        }
    }
}

fn mean_error<G: Game>(table: &[Solved<G>], rule: RootRule, visits: u32) -> f32 {
    table.iter().map(|row| row.search(rule, visits, 3).error).sum::<f32>() / table.len() as f32
}

/// Three flips, each of which takes some ten thousand visits before an end comes in sight below it: PUCT, to which
/// one of them looks better early on, comes to the others late.
const WIDE: &str = "c?6/1?6/?7/8 w A1P1n1 1";

fn tends_to_the_exact_values<G: Game>(table: &[Solved<G>], rule: RootRule) {
    let errors = [10, 100, 1_000].map(|visits| mean_error(table, rule, visits));
    assert!(errors.is_sorted_by(|few, many| few > many), "{rule:?}: {errors:?}");
    for row in table {
        let late = rule == RootRule::Puct && row.position == WIDE;
        let visits = if late { 50_000 } else { 20_000 };
        let Attempt { error, right } = row.search(rule, visits, 3);
        assert!(error < 0.01 && right, "{rule:?}, {}: off by {error}, right: {right}", row.position);
    }
}

#[test]
fn searching_by_puct_tends_to_the_exact_values() {
    tends_to_the_exact_values(&jieqi(), RootRule::Puct);
    tends_to_the_exact_values(&banqi(), RootRule::Puct);
}

#[test]
fn searching_by_the_improved_policy_tends_to_the_exact_values() {
    tends_to_the_exact_values(&jieqi(), RootRule::Gumbel);
    tends_to_the_exact_values(&banqi(), RootRule::Gumbel);
}

/// Judges positions at random, and each always alike.
struct Fancy;

impl<G: Game> Evaluator<G> for Fancy {
    fn evaluate(&mut self, queries: &[Query<G>], out: &mut Evaluations) -> Result<(), EvalError> {
        out.clear();
        for Query { view, moves } in queries {
            let mut hasher = DefaultHasher::new();
            view.hash(&mut hasher);
            let value = random_stream(hasher.finish(), 0).random_range(-0.9..0.9);
            out.push(moves.iter().map(|_| (moves.len() as f32).recip()), MoverValue(value));
        }
        Ok(())
    }
}

/// A search that never came back to a move which was once judged badly would be off by a quarter here.
fn gets_over_its_evaluator<G: Game>(table: &[Solved<G>]) {
    for rule in [RootRule::Gumbel, RootRule::Puct] {
        let rows: Vec<_> = table.iter().step_by(3).collect();
        let errors = rows.iter().map(|row| row.search_by(&mut Fancy, rule, 20_000, 3).error);
        let mean = errors.sum::<f32>() / rows.len() as f32;
        assert!(mean < 0.03, "{rule:?}: off by {mean}");
    }
}

#[test]
fn a_search_gets_over_what_its_evaluator_fancies() {
    gets_over_its_evaluator(&jieqi());
    gets_over_its_evaluator(&banqi());
}
