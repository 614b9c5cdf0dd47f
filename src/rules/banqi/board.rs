//! What stands where. All of it is public.

use super::capture::{identity, piece};
use super::square::{Square, SquareSet};
use crate::game::Symmetry;
use crate::rules::pieces::{Color, Piece, Role};

/// What stands on a square. Nobody knows anything of a face-down piece, not even its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cell {
    Empty,
    FaceDown,
    FaceUp(Piece),
}

/// Cells as they are stored: below 14 the identity of a face-up piece.
const FACE_DOWN: u8 = 14;
const EMPTY: u8 = 15;

/// The pieces on the board.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    cells: [u8; Square::COUNT],
    /// Where each code stands, so that a move is the same few exclusive ors whatever it does.
    sets: [SquareSet; Board::CODES],
}

impl Board {
    /// How many numbers [`Board::code`] has; the last is that of an empty square.
    pub const CODES: usize = EMPTY as usize + 1;

    pub const CLEAR: Board = Board::full_of(EMPTY);

    /// Everything face down.
    pub const START: Board = Board::full_of(FACE_DOWN);

    const fn full_of(code: u8) -> Board {
        let mut sets = [SquareSet::EMPTY; Board::CODES];
        sets[code as usize] = SquareSet::ALL;
        Board { cells: [code; Square::COUNT], sets }
    }

    #[inline]
    pub fn occupied(&self) -> SquareSet {
        SquareSet::ALL.without(self.empty())
    }

    #[inline]
    pub fn empty(&self) -> SquareSet {
        self.sets[usize::from(EMPTY)]
    }

    #[inline]
    pub fn face_down(&self) -> SquareSet {
        self.sets[usize::from(FACE_DOWN)]
    }

    /// The face-up pieces of `color`.
    #[inline]
    pub fn pieces(&self, color: Color) -> SquareSet {
        self.by_rank(color).iter().fold(SquareSet::EMPTY, |all, &pieces| all | pieces)
    }

    /// The face-up pieces of `color`, by rank.
    #[inline]
    pub fn by_rank(&self, color: Color) -> &[SquareSet; 7] {
        let (ranks, _) = self.sets.as_chunks();
        &ranks[color as usize]
    }

    /// The number of what stands on `at`, below [`Board::CODES`], for tables.
    #[inline]
    pub fn code(&self, at: Square) -> usize {
        usize::from(self.cells[at.index()])
    }

    #[inline]
    pub fn cell(&self, at: Square) -> Cell {
        match self.cells[at.index()] {
            EMPTY => Cell::Empty,
            FACE_DOWN => Cell::FaceDown,
            number => Cell::FaceUp(piece(usize::from(number))),
        }
    }

    /// The role of the face-up piece on `at`.
    pub fn role(&self, at: Square) -> Option<Role> {
        match self.cell(at) {
            Cell::FaceUp(piece) => Some(piece.role),
            Cell::Empty | Cell::FaceDown => None,
        }
    }

    /// Puts `cell` on `at`, in the place of what stands there.
    #[inline]
    pub fn set(&mut self, at: Square, cell: Cell) {
        self.put(
            at,
            match cell {
                Cell::Empty => EMPTY,
                Cell::FaceDown => FACE_DOWN,
                Cell::FaceUp(piece) => identity(piece) as u8,
            },
        );
    }

    #[inline]
    fn put(&mut self, at: Square, code: u8) {
        let old = self.code(at);
        self.sets[old].toggle(at);
        self.sets[usize::from(code)].toggle(at);
        self.cells[at.index()] = code;
    }

    /// Moves the piece on `from` to `to`, taking what stands there.
    #[inline]
    pub fn shift(&mut self, from: Square, to: Square) {
        let code = self.cells[from.index()];
        self.put(from, EMPTY);
        self.put(to, code);
    }

    pub fn mirrored(&self, by: Symmetry) -> Board {
        let mut board = Board::CLEAR;
        for square in Square::all() {
            board.set(square.mirrored(by), self.cell(square));
        }
        board
    }
}
