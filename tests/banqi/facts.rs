//! Control of squares and the words a ply is described in, on positions worked out by hand.

use facedown::game::{Control, Game, MoveFacts, Phase, PlyKind, View, random_stream};
use facedown::rules::banqi::Banqi;

use super::{START, view};

fn game(position: &str) -> Banqi {
    Banqi::sample(&view(position), &mut random_stream(0, 0))
}

fn control(position: &str, mv: &str) -> Control {
    game(position).control(mv.parse().unwrap())
}

fn facts(position: &str, ply: &str) -> MoveFacts {
    let game = game(position);
    let (mv, reveal) = game.parse_ply(ply).unwrap_or_else(|error| panic!("{error}"));
    game.facts(mv, reveal)
}

fn close(a: f32, b: f32) {
    assert!((a - b).abs() < 1e-5, "{a}, not {b}");
}

#[test]
fn a_horse_that_steps_beside_a_chariot_is_lost() {
    let found = control("8/3r4/8/3N4 w - 0", "d1d2");
    assert_eq!((found.attackers, found.least_attacker, found.defenders), (1, Some('R'), 0));
    close(found.see, 2.5);
    close(found.risk, 2.5);
}

#[test]
fn a_cannon_behind_a_screen_attacks_whatever_stands_there() {
    let found = control("3c4/3?4/8/A7 w p1 0", "a1b1");
    assert_eq!(found.attackers, 0);
    let found = control("3c4/3?4/8/2A5 w p1 0", "c1d1");
    assert_eq!((found.attackers, found.least_attacker), (1, Some('C')));
    close(found.see, 5.0);
}

#[test]
fn what_can_retake_makes_the_exchange_even() {
    // The chariot on d3 takes the horse, the elephant on e2 retakes it: a horse for a chariot.
    let found = control("8/3r4/4B3/3N4 w - 0", "d1d2");
    assert_eq!((found.attackers, found.defenders), (1, 1));
    close(found.see, 0.0);
    // A soldier could not.
    let found = control("8/3r4/4P3/3N4 w - 0", "d1d2");
    assert_eq!(found.defenders, 0);
    close(found.see, 2.5);
}

#[test]
fn a_capture_risks_only_what_it_loses_beyond_its_catch() {
    // The advisor takes a chariot next to the king.
    let found = control("8/3k4/3r4/3A4 w - 0", "d1d2");
    close(found.see, 5.0);
    close(found.risk, 2.5);
}

#[test]
fn a_soldier_takes_the_general_and_the_general_no_soldier() {
    assert_eq!(control("8/3k4/8/3P4 w - 0", "d1d2").attackers, 0);
    let found = control("8/3p4/8/3K4 w - 0", "d1d2");
    assert_eq!((found.attackers, found.least_attacker), (1, Some('P')));
    close(found.see, 15.0);
}

#[test]
fn a_flip_risks_what_of_its_own_may_turn_up_and_be_taken() {
    // Beside a black horse: Red may find an advisor, a cannon or a soldier, Black's king is no risk.
    let position = "8/2n5/2?2??1/?6K w A1C1P1k1 0";
    let found = control(position, "c2");
    assert_eq!((found.attackers, found.least_attacker, found.defenders), (1, Some('N'), 0));
    close(found.risk, (2.5 + 1.0) / 4.0);
    assert_eq!(control(position, "f2").risk, 0.0);
    // The horse could take none of what Red may find here.
    assert_eq!(control("8/2n5/2?5/7K w A1 0", "c2").attackers, 0);
}

#[test]
fn the_first_flip_is_nobodys_risk() {
    let found = facts(START, "c2=n");
    assert_eq!(found.control, Control::default());
    assert_eq!((found.kind, found.shown, found.revealed), (PlyKind::Flip, None, Some('N')));
    assert_eq!((found.phase, found.face_down_left), (Phase::Opening, 32));
    assert_eq!(found.pool_own, found.pool_enemy);
}

#[test]
fn a_flipped_piece_of_the_other_side_has_a_small_letter() {
    let position = "8/2n5/2?5/7K w p1 0";
    assert_eq!(facts(position, "c2=p").revealed, Some('p'));
    let position = "8/2n5/2?5/7K w P1 0";
    assert_eq!(facts(position, "c2=P").revealed, Some('P'));
}

#[test]
fn a_ply_is_told_from_its_movers_side() {
    let found = facts("8/3rN3/??6/8 b P2 7", "d3e3");
    assert_eq!((found.from.as_str(), found.to.as_str()), ("d3", "e3"));
    assert_eq!((found.kind, found.shown, found.taken), (PlyKind::Capture, Some('R'), Some('N')));
    assert!(!found.taken_hidden && !found.check && !found.in_check);
    assert_eq!(found.pool_own.as_slice(), [0; 7]);
    assert_eq!(found.pool_enemy.as_slice(), [0, 0, 0, 0, 0, 0, 2]);
    assert_eq!((found.phase, found.face_down_left), (Phase::Endgame, 2));
}

#[test]
fn material_counts_what_is_face_down_as_what_it_is() {
    assert_eq!(view(START).heuristic(), 0.0);
    close(view("8/3rN3/??6/8 b P2 7").heuristic(), 2.5 - 2.5 - 2.0);
}
