//! Draws and the counters that lead to them, under the default rules; `perpetuals.rs` has the vectors D1 to
//! D10 for the rule sets they name.

use facedown::game::{EndReason, Game, Outcome, Profile, Seat, Status};
use facedown::rules::jieqi::{Jieqi, JieqiRules};

use super::{game, is_running, played, view, view_under};

/// The game from a position with a counter of plies without a capture, after some plies.
fn after(board: &str, pool: &str, counter: u16, plies: &str) -> Jieqi {
    played(game(&view(&format!("{board} w {pool} {counter} 90"))), plies)
}

fn over(winner: Option<Seat>, reason: EndReason) -> Status {
    Status::Over(Outcome { winner, reason })
}

const QUIET: &str = "3k5/9/9/9/9/9/9/9/r8/R3K4";
const WITH_FACE_DOWN: &str = "3k5/9/9/9/9/9/X8/9/9/R3K4";

#[test]
fn d1_d7_one_ply_short_of_the_limit_the_game_continues() {
    assert!(is_running(&after(QUIET, "-", 118, "a0b0")));
}

#[test]
fn d2_d7_a_quiet_ply_that_reaches_the_limit_draws() {
    assert_eq!(after(QUIET, "-", 119, "a0b0").status(), over(None, EndReason::NoProgress));
}

#[test]
fn d3_a_capture_starts_the_count_again() {
    let game = after(QUIET, "-", 119, "a0a1");
    assert!(is_running(&game));
    assert!(game.view(super::RED).to_string().contains(" 0 90"));
}

#[test]
fn d4_a_reveal_does_not_start_the_count_again() {
    assert_eq!(after(WITH_FACE_DOWN, "P1", 119, "a3a4P").status(), over(None, EndReason::NoProgress));
}

#[test]
fn d4_a_reveal_starts_the_count_again_where_the_rules_say_so() {
    let (_, wxf) = JieqiRules::BUILT_IN[0];
    let text = wxf.replace("reveal_resets_counter = false", "reveal_resets_counter = true");
    let rules = std::sync::Arc::new(JieqiRules::from_toml(&text, "a test").unwrap());
    let before = game(&view_under(&format!("{WITH_FACE_DOWN} w P1 119 90"), &rules));
    assert!(is_running(&played(before, "a3a4P")));
}

#[test]
fn d5_mate_and_stalemate_on_the_last_ply_win() {
    let mate = after("3k5/R8/9/9/9/9/9/9/8R/4K4", "-", 119, "i1i9");
    assert_eq!(mate.status(), over(Some(Seat::First), EndReason::Checkmate));
    let stalemate = after("3k5/9/R7R/9/9/9/9/9/9/4K4", "-", 119, "i7i8");
    assert_eq!(stalemate.status(), over(Some(Seat::First), EndReason::Stalemate));
}

#[test]
fn d9_the_third_occurrence_of_a_position_draws() {
    let cycle = "a0a2 d9d8 a2a0 d8d9";
    let mut game = after("3k5/9/9/9/9/9/9/9/9/R3K4", "-", 0, cycle);
    for ply in cycle.split(' ') {
        assert!(is_running(&game), "before the second {ply}");
        game = played(game, ply);
    }
    assert_eq!(game.status(), over(None, EndReason::Repetition));
}

#[test]
fn d9_the_history_in_a_views_text_counts() {
    let game = after("3k5/9/9/9/9/9/9/9/9/R3K4", "-", 0, "a0a2 d9d8 a2a0 d8d9 a0a2 d9d8 a2a0");
    let text = game.view(super::BLACK).to_string();
    let continued = super::game(&view(&text));
    assert_eq!(played(continued, "d8d9").status(), over(None, EndReason::Repetition));
}

#[test]
fn d10_a_reveal_between_makes_every_earlier_position_unreachable() {
    let board = "3k5/9/9/9/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX";
    let reveals = "a3a4P d9d8 c3c4P d8d9 e3e4P d9d8 g3g4P d8d9 i3i4P d9d8 a0a1R d8d9 i0i1R d9d8";
    assert!(is_running(&after(board, "R2A2C2P5N2B2", 0, reveals)));
}

#[test]
fn the_ply_cap_draws() {
    let (_, base) = JieqiRules::BUILT_IN.iter().find(|(name, _)| *name == "base").unwrap();
    let rules = JieqiRules::from_toml(&base.replace("9999", "600"), "a test").unwrap();
    let before = view_under("3k5/9/9/9/9/9/9/9/9/R3K4 w - 500 300", &std::sync::Arc::new(rules));
    let ply_599 = played(game(&before), "a0a1");
    assert!(is_running(&ply_599));
    assert_eq!(played(ply_599, "d9d8").status(), over(None, EndReason::PlyCap));
}

#[test]
fn only_two_kings_are_a_dead_position() {
    let kings = "3k5/9/9/9/9/9/9/9/9/4K4 w - 0 1";
    assert!(game(&view(kings)).is_dead());
    for alive in ["3k5/9/9/9/9/9/9/9/9/A3K4 w - 0 1", "3k5/9/9/9/9/9/X8/9/9/4K4 w P1 0 1"] {
        assert!(!game(&view(alive)).is_dead(), "{alive}");
    }
}
