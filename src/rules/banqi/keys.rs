//! What the pieces, the pool and the side to move contribute, by exclusive or, to the key of a position.

use super::board::Board;
use super::capture::PiecePool;
use super::square::Square;
use crate::rules::hashing::scramble;
use crate::rules::pieces::Color;

/// The most pieces of one identity.
const MOST: usize = 5;

const CELLS: usize = Board::CODES * Square::COUNT;
const POOLS: usize = 14 * (MOST + 1);

static KEYS: [u64; CELLS + POOLS] = {
    let mut keys = [0; CELLS + POOLS];
    let mut number = 0;
    while number < keys.len() {
        keys[number] = scramble(number as u64);
        number += 1;
    }
    keys
};

/// What black to move contributes.
pub const BLACK_TO_MOVE: u64 = scramble(1 << 32);

/// What it contributes that the player who moved first has this colour.
pub const fn first(color: Color) -> u64 {
    scramble((1 << 33) + color as u64)
}

/// What stands on `at`. An empty square contributes its number too, so that nothing need be asked.
#[inline]
pub fn cell(board: &Board, at: Square) -> u64 {
    KEYS[board.code(at) * Square::COUNT + at.index()]
}

/// That `count` pieces of an identity are left in the pool.
#[inline]
pub fn left(identity: usize, count: u8) -> u64 {
    KEYS[CELLS + identity * (MOST + 1) + usize::from(count)]
}

/// What stands on the board, all together.
pub fn board(board: &Board) -> u64 {
    Square::all().fold(0, |key, at| key ^ cell(board, at))
}

/// What is left in the pool, all together.
pub fn pool(pool: &PiecePool) -> u64 {
    (0..).zip(pool.counts()).fold(0, |key, (identity, &count)| key ^ left(identity, count))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::rules::banqi::board::Cell;

    #[test]
    fn no_two_contributions_are_equal() {
        let others = [BLACK_TO_MOVE, first(Color::Red), first(Color::Black)];
        let all: HashSet<u64> = KEYS.iter().copied().chain(others).collect();
        assert_eq!(all.len(), KEYS.len() + others.len());
        assert_ne!(board(&Board::START), board(&Board::CLEAR));
        let mut one = Board::CLEAR;
        one.set(Square::from_index(7), Cell::FaceDown);
        assert_ne!(board(&one), board(&Board::CLEAR));
    }
}
