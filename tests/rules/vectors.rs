//! Movement, check and the end of the game, position by position: the vectors J01 to J48.

use std::fmt::Write;

use facedown::game::{EndReason, Game, PerftCount, Seat, Status, View};
use facedown::rules::jieqi::{JieqiRules, JieqiView, Move};

use super::{START, game, legal_moves, named, view};

#[test]
fn every_vector_has_its_answer() {
    let rules = named("wxf");
    let mut wrong = String::new();
    for line in include_str!("../data/jieqi_vectors.tsv").lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let [id, fen, question, about, expected, reason] = fields[..] else { panic!("{line}") };
        let got = answer(fen, question, about, &rules);
        if got != expected {
            writeln!(wrong, "{id}: {question} {about}: {got}, not {expected}: {reason}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn answer(fen: &str, question: &str, about: &str, rules: &std::sync::Arc<JieqiRules>) -> String {
    let view = match JieqiView::parse(fen, rules) {
        Ok(view) => view,
        Err(_) => return "reject".into(),
    };
    let moves = legal_moves(&view);
    match question {
        "count" => moves.len().to_string(),
        "moves" => moves.join(" "),
        "targets" => {
            let targets: Vec<_> = moves.iter().filter_map(|mv| mv.strip_prefix(about)).collect();
            if targets.is_empty() { "-".into() } else { targets.join(" ") }
        }
        "legality" if moves.iter().any(|mv| mv == about) => "legal".into(),
        "legality" => "illegal".into(),
        "check" if in_check(&view) => "yes".into(),
        "check" => "no".into(),
        "end" => match view.status() {
            Status::Over(outcome) if outcome.winner == Some(Seat::First) => outcome.reason.name().into(),
            other => format!("{other:?}"),
        },
        "perft" => {
            let counts: Vec<_> =
                (1..=3).map(|depth| view.perft(depth, PerftCount::Moves).to_string()).collect();
            counts.join(" ")
        }
        "parse" => "accepted".into(),
        other => panic!("no such question: {other}"),
    }
}

fn in_check(view: &JieqiView) -> bool {
    match view.status() {
        Status::Over(outcome) => outcome.reason == EndReason::Checkmate,
        Status::ToMove(_) => {
            let mv = legal_moves(view)[0].parse().expect("a move");
            let game = game(view);
            let (reveal, _) = game.chances(mv).iter().next().expect("an outcome");
            game.facts(mv, reveal).in_check
        }
    }
}

#[test]
fn the_start_has_the_moves_of_xiangqi() {
    let opening = "a0a1 a0a2 a3a4 b0a2 b0c2 b2a2 b2b1 b2b3 b2b4 b2b5 b2b6 b2b9 b2c2 b2d2 b2e2 b2f2 b2g2 \
                   c0a2 c0e2 c3c4 d0e1 e0e1 e3e4 f0e1 g0e2 g0i2 g3g4 h0g2 h0i2 h2c2 h2d2 h2e2 h2f2 h2g2 \
                   h2h1 h2h3 h2h4 h2h5 h2h6 h2h9 h2i2 i0i1 i0i2 i3i4";
    assert_eq!(legal_moves(&view(START)).join(" "), opening);
}

#[test]
fn j46_j47_the_start_has_259_outcomes_and_11292_replies() {
    let start = view(START);
    assert_eq!(start.perft(1, PerftCount::Outcomes), 43 * 6 + 1);
    assert_eq!(start.perft(2, PerftCount::Moves), 11_292);
    assert_eq!(start.perft(2, PerftCount::Outcomes), 66_462);
}

#[test]
fn j48_the_first_move_e3e4_gives_check_in_two_of_fifteen_cases() {
    let start = view(START);
    let mv: Move = "e3e4".parse().unwrap();
    let chances = start.chances(mv);
    let checks = chances.probabilities().filter(|&(seen, _)| in_check(&start.after(mv, seen)));
    let chance: f64 = checks.map(|(_, p)| p).sum();
    assert!((chance - 2.0 / 15.0).abs() < 1e-12, "{chance}");
}

#[test]
fn what_a_piece_turns_up_as_never_exposes_its_own_king() {
    for row in include_str!("../data/jieqi_perft.tsv").lines().skip(1) {
        let view = view(row.split('\t').nth(2).unwrap());
        for mv in legal_moves(&view) {
            let mv: Move = mv.parse().unwrap();
            for (seen, _) in view.chances(mv).iter() {
                // A text in which the side not to move is in check is refused.
                let fen = view.after(mv, seen).public().to_string();
                assert!(JieqiView::parse(&fen, view.rules()).is_ok(), "{fen}");
            }
        }
    }
}
