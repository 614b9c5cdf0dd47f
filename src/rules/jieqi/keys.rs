//! What the pieces and the side to move contribute to the key of a position.

use super::RolePool;
use super::board::{Board, Cell};
use super::square::Square;
use crate::rules::hashing::scramble;

/// Told apart from every piece's number by its size.
const SIDE_TO_MOVE: u64 = 1 << 32;

/// What `cell` on `at` contributes, by exclusive or, to a position's key.
pub fn cell(at: Square, cell: Cell) -> u64 {
    let kind = match cell {
        Cell::Empty => return 0,
        Cell::FaceUp(piece) => 2 * piece.role.index() + piece.color as usize,
        Cell::FaceDown(color) => 14 + color as usize,
    };
    scramble((kind * Square::COUNT + at.index()) as u64)
}

/// What black to move contributes, by exclusive or, to a position's key.
pub const BLACK_TO_MOVE: u64 = scramble(SIDE_TO_MOVE);

/// What all pieces contribute together.
pub fn board(board: &Board) -> u64 {
    board.occupied().into_iter().fold(0, |key, at| key ^ cell(at, board.cell(at)))
}

/// The counts of a pool as one number.
pub fn pool(pool: &RolePool) -> u64 {
    pool.counts().iter().fold(0, |number, &count| number << 4 | u64::from(count))
}
