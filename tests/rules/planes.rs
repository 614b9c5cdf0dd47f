//! What the network is told of checks and chases in a row, and of the rules.

use std::collections::HashSet;
use std::sync::Arc;

use facedown::game::{Encode, Profile, View};
use facedown::rules::jieqi::{JieqiRules, JieqiView};

use super::{START, named, view_under};

fn planes(view: &JieqiView) -> Vec<f32> {
    let mut planes = vec![0.0; JieqiView::SHAPE.len()];
    view.planes(&mut planes);
    planes
}

/// What stands on the planes about rows of checks and chases: name, square and value, where it is not 0.
/// Squares are named from the mover's side, whose back rank is 0.
fn rows(fen: &str, plies: &str, rules: &str) -> Vec<String> {
    let view = plies.split_whitespace().fold(view_under(fen, &named(rules)), |view, ply| {
        let (mv, seen) = view.parse_seen(ply).unwrap_or_else(|error| panic!("{error}"));
        view.after(mv, seen)
    });
    let planes = planes(&view);
    let mut rows = Vec::new();
    for (name, plane) in JieqiView::plane_names().iter().zip(planes.chunks_exact(90)) {
        if !name.starts_with("own c") && !name.starts_with("enemy c") {
            continue;
        }
        for (at, value) in plane.iter().enumerate().filter(|&(_, &value)| value > 0.0) {
            let file = char::from(b'a' + (at % 9) as u8);
            rows.push(format!("{name} {file}{} {value:.3}", at / 9));
        }
    }
    rows
}

const CHECKS: &str = "3k5/R8/9/9/9/9/9/9/9/4K4 w - 0 1";

#[test]
fn checks_in_a_row_stand_where_the_piece_stands_that_gave_them() {
    assert_eq!(rows(CHECKS, "a8a9 d9d8 a9a8", "tencent"), ["enemy checks in a row by a1 0.333"]);
    assert_eq!(rows(CHECKS, "a8a9 d9d8 a9a8 d8d9", "tencent"), ["own checks in a row by a8 0.333"]);
    assert_eq!(rows(CHECKS, "a8a9 d9d8 a9a8 d8d9", "ziga"), ["own checks in a row by a8 0.200"]);
}

#[test]
fn checks_from_one_square_stand_there_and_where_the_piece_has_gone() {
    let twice_from_a9 = "a8a9 d9d8 a9a8 d8d9 a8a9 d9d8";
    let expected =
        ["own checks in a row by a9 1.000", "own checks from here a8 0.500", "own checks from here a9 1.000"];
    assert_eq!(rows(CHECKS, twice_from_a9, "sunwin"), expected);
}

#[test]
fn chases_in_a_row_stand_at_both_ends() {
    let fen = "3k5/9/9/9/1c7/9/9/9/9/2R1K4 w - 0 1";
    let expected = ["own chases in a row by b0 0.167", "own chases in a row of c5 0.167"];
    assert_eq!(rows(fen, "c0b0 b5c5", "tencent"), expected);
    let expected = ["enemy chases in a row by c9 0.333", "enemy chases in a row of c4 0.333"];
    assert_eq!(rows(fen, "c0b0 b5c5 b0c0", "comu"), expected);
}

#[test]
fn rules_that_count_no_row_leave_the_planes_empty() {
    assert_eq!(rows(CHECKS, "a8a9 d9d8 a9a8", "wxf"), [""; 0]);
}

#[test]
fn rule_sets_with_different_limits_look_different() {
    let mut seen = HashSet::new();
    for name in ["wxf", "tencent", "ziga", "pychess", "pychess-deployed", "tuongky", "comu", "sunwin"] {
        let rules: Arc<JieqiRules> = JieqiRules::load(name).unwrap();
        let bits: Vec<_> = planes(&view_under(START, &rules)).into_iter().map(f32::to_bits).collect();
        assert!(seen.insert(bits), "{name} looks like another rule set");
    }
}
