//! What a ply threatens: two captures at once, pins, and mates to come.

use super::board::Board;
use super::exchange::{Means, cell_value, exchange};
use super::square::{Square, SquareSet};
use crate::game::Threats;
use crate::rules::pieces::{Color, Role};

/// What `mover` threatens on the board after its ply, which ended on `at`.
pub fn after_ply(after: &Board, mover: Color, at: Square, means: &Means) -> Threats {
    let enemy = mover.other();
    let enemy_king = SquareSet::of(after.king(enemy));
    let in_reach = after.legal_targets_from(mover, at) & after.pieces(enemy).without(enemy_king);
    let won = in_reach.into_iter().filter(|&to| wins_by_taking(after, mover, at, to, means)).count();
    let checkers = after.checkers(enemy);
    let in_check = !checkers.is_empty();
    Threats {
        attacked: won as u8 + u8::from(checkers.contains(at)),
        // Of pieces that may not move for a check that is given nobody would say that they are pinned.
        pinned: if in_check { 0 } else { pinned(after, enemy) },
        mates: if in_check { 0 } else { mates(after, mover) },
    }
}

/// Whether the piece on `from` wins something by taking on `to`, all that follows there counted.
fn wins_by_taking(board: &Board, mover: Color, from: Square, to: Square, means: &Means) -> bool {
    let worth = cell_value(board.cell(to), means);
    let mut taken = board.clone();
    let at_stake = taken.take_in_exchange(from, to, means);
    worth > exchange(&taken, mover.other(), to, at_stake, means)
}

/// The pieces of `color`, its king apart, that have moves and may make none of them for the sake of their king.
fn pinned(board: &Board, color: Color) -> u8 {
    let own = board.pieces(color).without(board.shown_as(Role::King));
    let is_pinned = |&from: &Square| {
        let moves_as = board.cell(from).shown(from).expect("a piece stands here");
        !board.targets(color, from, moves_as).is_empty() && board.legal_targets_from(color, from).is_empty()
    };
    own.into_iter().filter(is_pinned).count() as u8
}

/// The moves of `color`'s face-up pieces that would mate, were it to move.
fn mates(board: &Board, color: Color) -> u8 {
    let face_up = board.pieces(color).without(board.face_down());
    let moves = face_up.into_iter().flat_map(|from| {
        let targets = board.legal_targets_from(color, from);
        targets.into_iter().map(move |to| (from, to))
    });
    let mates = |&(from, to): &(Square, Square)| {
        let mut after = board.clone();
        after.play(from, to, None);
        after.in_check(color.other()) && !after.can_move(color.other())
    };
    moves.filter(mates).count() as u8
}
