//! What stands where. All of it is public.

use super::capture::{identity, piece};
use super::square::{Square, SquareSet};
use crate::game::Symmetry;
use crate::rules::pieces::{ByColor, Color, Piece, Role};

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
    /// The face-up pieces, by identity.
    pieces: [SquareSet; 14],
    colors: ByColor<SquareSet>,
    face_down: SquareSet,
}

impl Board {
    pub const CLEAR: Board = Board {
        cells: [EMPTY; Square::COUNT],
        pieces: [SquareSet::EMPTY; 14],
        colors: ByColor::new(SquareSet::EMPTY, SquareSet::EMPTY),
        face_down: SquareSet::EMPTY,
    };

    /// Everything face down.
    pub const START: Board =
        Board { cells: [FACE_DOWN; Square::COUNT], face_down: SquareSet::ALL, ..Board::CLEAR };

    pub fn occupied(&self) -> SquareSet {
        self.colors[Color::Red] | self.colors[Color::Black] | self.face_down
    }

    pub fn face_down(&self) -> SquareSet {
        self.face_down
    }

    /// The face-up pieces of `color`.
    pub fn pieces(&self, color: Color) -> SquareSet {
        self.colors[color]
    }

    /// The face-up pieces of `color`, by rank.
    pub fn by_rank(&self, color: Color) -> &[SquareSet; 7] {
        let (red, black) = self.pieces.split_first_chunk().expect("there are fourteen identities");
        match color {
            Color::Red => red,
            Color::Black => black.try_into().expect("seven are left"),
        }
    }

    pub fn cell(&self, at: Square) -> Cell {
        match self.cells[at.index()] {
            EMPTY => Cell::Empty,
            FACE_DOWN => Cell::FaceDown,
            number => Cell::FaceUp(piece(usize::from(number))),
        }
    }

    /// The number of what stands on `at`, below [`Board::CODES`], for tables.
    pub fn code(&self, at: Square) -> usize {
        usize::from(self.cells[at.index()])
    }

    /// How many numbers [`Board::code`] has; the last is that of an empty square.
    pub const CODES: usize = EMPTY as usize + 1;

    /// The role of the face-up piece on `at`.
    pub fn role(&self, at: Square) -> Option<Role> {
        match self.cell(at) {
            Cell::FaceUp(piece) => Some(piece.role),
            Cell::Empty | Cell::FaceDown => None,
        }
    }

    /// Puts `cell` on `at`, in the place of what stands there.
    pub fn set(&mut self, at: Square, cell: Cell) {
        let here = SquareSet::of(at);
        match self.cell(at) {
            Cell::Empty => {}
            Cell::FaceDown => self.face_down = self.face_down.without(here),
            Cell::FaceUp(piece) => {
                self.pieces[identity(piece)].remove(at);
                self.colors[piece.color].remove(at);
            }
        }
        self.cells[at.index()] = match cell {
            Cell::Empty => EMPTY,
            Cell::FaceDown => {
                self.face_down.insert(at);
                FACE_DOWN
            }
            Cell::FaceUp(piece) => {
                self.pieces[identity(piece)].insert(at);
                self.colors[piece.color].insert(at);
                identity(piece) as u8
            }
        };
    }

    /// Moves the piece on `from` to `to`, taking what stands there.
    pub fn shift(&mut self, from: Square, to: Square) {
        let cell = self.cell(from);
        self.set(from, Cell::Empty);
        self.set(to, cell);
    }

    pub fn mirrored(&self, by: Symmetry) -> Board {
        let mut board = Board::CLEAR;
        for square in Square::all() {
            board.set(square.mirrored(by), self.cell(square));
        }
        board
    }
}
