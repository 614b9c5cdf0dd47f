//! Control of squares and the words a ply is described in, on positions worked out by hand.

use facedown::game::{Control, Game, Phase, PlyKind};

use super::{START, game, view};

/// Values in pawns: R, A, C, P, N, B.
const R: f32 = 1080.0 / 149.0;
const C: f32 = 769.0 / 149.0;
const N: f32 = 616.0 / 149.0;
const P: f32 = 1.0;
/// The mean of a full pool.
const MEAN: f32 = (2.0 * (1080.0 + 243.0 + 769.0 + 616.0 + 218.0) + 5.0 * 149.0) / 149.0 / 15.0;

fn control(position: &str, mv: &str) -> Control {
    game(&view(position)).control(mv.parse().unwrap())
}

fn close(a: f32, b: f32) {
    assert!((a - b).abs() < 1e-4, "{a}, not {b}");
}

#[test]
fn a_cannon_that_takes_a_face_down_horse_at_once_is_retaken_by_the_chariot_square() {
    let found = control(START, "b2b9");
    assert_eq!((found.attackers, found.attackers_hidden, found.least_attacker), (1, 1, Some('R')));
    assert_eq!((found.defenders, found.defenders_hidden), (0, 0));
    close(found.see, MEAN);
    // Only a piece worth more than the one taken is a loss.
    close(found.risk, 2.0 / 15.0 * ((R - MEAN) + (C - MEAN) + (N - MEAN)));
}

#[test]
fn a_protected_soldier_attacked_by_a_chariot_is_safe() {
    // The soldier goes to e5, the rook on a5 attacks it along the rank, the rook on e0's file defends.
    let found = control("3k5/9/9/9/r8/4P4/9/4R4/9/5K3 w - 0 1", "e4e5");
    assert_eq!((found.attackers, found.least_attacker, found.defenders), (1, Some('R'), 1));
    close(found.see, 0.0);
    close(found.risk, 0.0);
}

#[test]
fn an_unprotected_soldier_is_lost() {
    let found = control("3k5/9/9/9/r8/4P4/9/9/9/5K3 w - 0 1", "e4e5");
    assert_eq!((found.attackers, found.attackers_hidden, found.defenders), (1, 0, 0));
    close(found.see, P);
    close(found.risk, P);
}

#[test]
fn a_pinned_piece_does_not_attack() {
    // The black rook on d5 shields its king from the rook on d0.
    let found = control("3k5/9/9/9/3r5/4P4/9/9/9/3R1K3 w - 0 1", "e4e5");
    assert_eq!((found.attackers, found.see), (0, 0.0));
}

#[test]
fn the_cheapest_piece_takes_first() {
    // Horse and rook attack e5; the soldier there is defended once.
    let found = control("3k5/9/3n5/9/r8/4P4/9/4R4/9/5K3 w - 0 1", "e4e5");
    assert_eq!((found.attackers, found.least_attacker, found.defenders), (2, Some('N'), 1));
    // The horse takes the soldier and is not retaken: that would give a rook for a horse.
    close(found.see, P);
}

#[test]
fn facts_of_a_flip_that_takes() {
    let game = game(&view(START));
    let (mv, reveal) = game.parse_ply("b2b9Rn").unwrap();
    let facts = game.facts(mv, reveal);
    assert_eq!(facts.kind, PlyKind::FlipCapture);
    assert_eq!((facts.from.as_str(), facts.to.as_str()), ("b2", "b9"));
    assert_eq!((facts.shown, facts.revealed), (Some('C'), Some('R')));
    assert_eq!((facts.taken, facts.taken_hidden), (Some('N'), true));
    assert_eq!((facts.check, facts.in_check), (false, false));
    assert_eq!((facts.phase, facts.face_down_left), (Phase::Opening, 30));
    assert_eq!(facts.pool_own.as_slice(), [2, 2, 2, 5, 2, 2]);
    assert_eq!(facts.control, game.control(mv));
}

#[test]
fn a_reveal_that_checks_is_a_check() {
    let game = game(&view(START));
    for (ply, check) in [("e3e4C", true), ("e3e4R", false)] {
        let (mv, reveal) = game.parse_ply(ply).unwrap();
        assert_eq!(game.facts(mv, reveal).check, check, "{ply}");
    }
}

#[test]
fn a_face_down_piece_without_a_move_is_locked() {
    // The advisor square d0: its only target is taken by an own piece.
    let locked = |text| {
        let game = game(&view(text));
        let mut moves = facedown::game::MoveList::new();
        game.legal_moves(&mut moves);
        let (reveal, _) = game.chances(moves[0]).iter().next().unwrap();
        let facts = game.facts(moves[0], reveal);
        let locks = facts.locks.expect("a game with locks");
        assert_eq!(
            (locks.own.len(), locks.enemy.len()),
            (facts.locked_own.into(), facts.locked_enemy.into())
        );
        [locks.own, locks.enemy].map(|squares| squares.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let none = Vec::<String>::new;
    assert_eq!(locked("3k5/9/9/9/9/9/9/9/4P4/3X1K3 w A1 0 1"), [vec!["d0".into()], none()]);
    assert_eq!(locked("3k5/9/9/9/9/9/9/9/9/3X1K3 w A1 0 1"), [none(), none()]);
    // The black soldier square a6 can only step in front of the rook's file, onto a5, and is taken there.
    assert_eq!(locked("3k5/9/9/x8/9/9/9/9/9/R4K3 w c1 0 1"), [none(), vec!["a6".into()]]);
}

#[test]
fn a_ply_is_told_to_attack_two_to_pin_and_to_threaten_mate() {
    let threats = |text: &str, ply: &str| {
        let game = game(&view(text));
        let (mv, reveal) = game.parse_ply(ply).unwrap();
        let threats = game.facts(mv, reveal).threats.expect("a game with kings");
        (threats.attacked, threats.pinned, threats.mates)
    };
    // A horse gives check and attacks a rook that nobody defends.
    assert_eq!(threats("4k4/1r7/9/5N3/9/9/9/9/9/5K3 w - 0 1", "f6d7"), (2, 0, 0));
    // A horse between rook and king may not leave the file; a soldier on it may go on.
    assert_eq!(threats("4k4/9/9/9/4n4/9/9/R8/9/5K3 w - 0 1", "a2e2"), (1, 1, 0));
    assert_eq!(threats("4k4/9/9/9/4p4/9/9/R8/9/5K3 w - 0 1", "a2e2"), (1, 0, 0));
    // One rook keeps the king on the last rank, the other could check there.
    assert_eq!(threats("4k4/R8/9/9/9/9/7R1/9/9/3K5 w - 0 1", "h3h4"), (0, 0, 1));
    // A soldier that the horse defends is not worth the rook that attacks it.
    assert_eq!(threats("3k5/9/3n5/9/4p4/9/9/R8/9/5K3 w - 0 1", "a2a5"), (0, 0, 0));
}

#[test]
fn the_phase_goes_by_face_down_pieces_left() {
    let phase = |text: &str, ply: &str| {
        let game = game(&view(text));
        let (mv, reveal) = game.parse_ply(ply).unwrap();
        game.facts(mv, reveal).phase
    };
    let black = "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9";
    let full = "r2a2c2p5n2b2";
    assert_eq!(phase(&format!("{black}/X1X1X1X2/9/9/4K4 w P4{full} 0 1"), "a3a4P"), Phase::Middle);
    assert_eq!(phase(&format!("{black}/X1X1X1X2/9/9/XXX1K4 w P5R2{full} 0 1"), "a3a4P"), Phase::Opening);
    assert_eq!(phase("3k5/9/9/x8/9/9/9/9/9/4K4 b r1 0 1", "a6a5r"), Phase::Endgame);
}
