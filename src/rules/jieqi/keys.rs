//! Hash numbers: the same on every machine and in every build, because records may be ordered by them.

use super::RolePool;
use super::board::{Board, Cell};
use super::square::Square;

/// Told apart from every piece's number by its size.
const SIDE_TO_MOVE: u64 = 1 << 32;

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): distinct numbers give distinct results.
const fn scramble(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Adds `number` to a hash in which order counts.
pub const fn mix(hash: u64, number: u64) -> u64 {
    scramble(hash.rotate_left(23) ^ scramble(number))
}

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
