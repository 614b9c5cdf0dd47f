//! What stands where, as both players see it.

use super::square::{Square, SquareSet};
use crate::rules::pieces::{ByColor, Color, Piece, Role};

/// How far advisors and elephants that lie face up may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Guards {
    /// Over the whole board, as in Jieqi.
    Free,
    /// Advisors in their palace, elephants on their half, as in xiangqi.
    Confined,
}

/// What stands on a square.
///
/// A face-down piece has a colour and no role, so code that reads its role does not compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cell {
    Empty,
    FaceUp(Piece),
    FaceDown(Color),
}

impl Cell {
    pub fn color(self) -> Option<Color> {
        match self {
            Cell::Empty => None,
            Cell::FaceUp(piece) => Some(piece.color),
            Cell::FaceDown(color) => Some(color),
        }
    }

    /// The role this piece moves as from `at`: its own, or the one whose home square it is.
    pub fn shown(self, at: Square) -> Option<Role> {
        match self {
            Cell::Empty => None,
            Cell::FaceUp(piece) => Some(piece.role),
            Cell::FaceDown(_) => at.home_role(),
        }
    }
}

/// The pieces on the board. All of it is public.
///
/// A face-down piece is kept under the role it shows, and marked. It has never moved, so it stands on a
/// home square of its own side, and [`Square::home_role`] says what it shows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    colors: ByColor<SquareSet>,
    /// By [`Role::index`]: the pieces that move as this role, of both colours.
    shown: [SquareSet; 7],
    face_down: SquareSet,
    guards: Guards,
}

impl Board {
    pub fn empty(guards: Guards) -> Board {
        Board {
            colors: ByColor::default(),
            shown: [SquareSet::EMPTY; 7],
            face_down: SquareSet::EMPTY,
            guards,
        }
    }

    /// Both kings face up at home and everything else face down.
    pub fn start(guards: Guards) -> Board {
        let mut board = Board::empty(guards);
        for color in Color::BOTH {
            for home in SquareSet::homes(color) {
                board.put(home, Cell::FaceDown(color));
            }
            let king_home = Square::all()
                .find(|square| square.file() == 4 && square.rank_from(color) == 0)
                .expect("file e crosses both back ranks");
            board.put(king_home, Cell::FaceUp(Piece { color, role: Role::King }));
        }
        board
    }

    pub fn guards(&self) -> Guards {
        self.guards
    }

    pub fn occupied(&self) -> SquareSet {
        self.colors[Color::Red] | self.colors[Color::Black]
    }

    pub fn pieces(&self, color: Color) -> SquareSet {
        self.colors[color]
    }

    /// The pieces of both colours that move as `role`, face-down ones included.
    pub fn shown_as(&self, role: Role) -> SquareSet {
        self.shown[role.index()]
    }

    /// The face-down pieces of both colours.
    pub fn face_down(&self) -> SquareSet {
        self.face_down
    }

    /// `color`'s king.
    ///
    /// # Panics
    ///
    /// If there is none; a legal position has one of each.
    pub fn king(&self, color: Color) -> Square {
        (self.shown_as(Role::King) & self.pieces(color)).first().expect("each side has a king")
    }

    pub fn cell(&self, at: Square) -> Cell {
        let color = match Color::BOTH.into_iter().find(|&color| self.colors[color].contains(at)) {
            None => return Cell::Empty,
            Some(color) => color,
        };
        if self.face_down.contains(at) {
            return Cell::FaceDown(color);
        }
        Cell::FaceUp(Piece { color, role: self.role_at(at) })
    }

    /// The role the piece on an occupied square moves as.
    fn role_at(&self, at: Square) -> Role {
        Role::ALL.into_iter().find(|&role| self.shown_as(role).contains(at)).expect("a piece stands here")
    }

    /// Puts `cell` on an empty square.
    pub fn put(&mut self, at: Square, cell: Cell) {
        debug_assert_eq!(self.cell(at), Cell::Empty);
        if let (Some(color), Some(role)) = (cell.color(), cell.shown(at)) {
            self.colors[color].insert(at);
            self.shown[role.index()].insert(at);
            if matches!(cell, Cell::FaceDown(_)) {
                self.face_down.insert(at);
            }
        }
    }

    /// Takes whatever stands on `at` off the board.
    pub fn lift(&mut self, at: Square) -> Cell {
        let cell = self.cell(at);
        if let (Some(color), Some(role)) = (cell.color(), cell.shown(at)) {
            self.colors[color].remove(at);
            self.shown[role.index()].remove(at);
            self.face_down.remove(at);
        }
        cell
    }

    /// Moves the piece on `from` to `to`, taking what stands there. A face-down piece is turned up as
    /// `opened`.
    pub fn play(&mut self, from: Square, to: Square, opened: Option<Role>) {
        let mover = match (self.lift(from), opened) {
            (Cell::FaceDown(color), Some(role)) => Cell::FaceUp(Piece { color, role }),
            (cell, _) => cell,
        };
        self.lift(to);
        self.put(to, mover);
    }

    /// The board with left and right exchanged.
    pub fn mirrored(&self) -> Board {
        let mut board = Board::empty(self.guards);
        for square in self.occupied() {
            board.put(square.mirrored(), self.cell(square));
        }
        board
    }
}
