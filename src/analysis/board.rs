//! What a report has to know of a game's board: how it is written, how it mirrors, how it is drawn.
//!
//! Reports read files and import no rules; this is the one place that says something of a game by its
//! name.

use super::AnalysisError;

/// The board of a game, by the name the files give it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Board {
    /// Nine files `a` to `i` and ten ranks `0` to `9`, pieces on the points, as in Jieqi.
    Xiangqi,
}

/// A point of the board: `file` from the left, `rank` from the first seat's side, both from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    pub file: u8,
    pub rank: u8,
}

impl Board {
    /// The board of the game called `name`.
    ///
    /// # Errors
    ///
    /// If no report knows that game.
    pub fn of_game(name: &str) -> Result<Self, AnalysisError> {
        match name {
            "jieqi" => Ok(Self::Xiangqi),
            _ => Err(AnalysisError::UnknownGame { found: name.into() }),
        }
    }

    /// The game as its players call it.
    pub fn game_names(self) -> &'static str {
        match self {
            Self::Xiangqi => "揭棋 · Cờ úp · Jieqi",
        }
    }

    /// Files and ranks.
    pub fn size(self) -> (u8, u8) {
        match self {
            Self::Xiangqi => (9, 10),
        }
    }

    /// The pool of face-down pieces at the start, in the order of [`Board::letters`].
    pub fn start_pool(self) -> &'static [u8] {
        match self {
            Self::Xiangqi => &[2, 2, 2, 5, 2, 2, 0],
        }
    }

    /// The points where the first seat's face-down pieces stand at the start.
    pub fn homes(self) -> Vec<Point> {
        let row = |rank: u8, files: &'static [u8]| files.iter().map(move |&file| Point { file, rank });
        match self {
            Self::Xiangqi => row(0, &[0, 1, 2, 3, 5, 6, 7, 8])
                .chain(row(2, &[1, 7]))
                .chain(row(3, &[0, 2, 4, 6, 8]))
                .collect(),
        }
    }

    /// The role letter a face-down piece of the first seat has from the point it stands on at the start; none
    /// of another point, or where the place says nothing.
    pub fn home_role(self, point: Point) -> Option<u8> {
        let Self::Xiangqi = self;
        let Point { file, rank } = point;
        match (rank.min(self.size().1 - 1 - rank), file.min(8 - file)) {
            (0, 0) => Some(b'R'),
            (0, 1) => Some(b'N'),
            (0, 2) => Some(b'B'),
            (0, 3) => Some(b'A'),
            (2, 1) => Some(b'C'),
            (3, 0 | 2 | 4) => Some(b'P'),
            _ => None,
        }
    }

    /// The letters of the pieces, in the order pools count them.
    pub fn letters(self) -> &'static [u8] {
        match self {
            Self::Xiangqi => b"RACPNBK",
        }
    }

    /// Rooks and cannons in a pool.
    pub fn strong_pieces(self, pool: &[u8]) -> u8 {
        let strong = self.letters().iter().zip(pool).filter(|(letter, _)| b"RC".contains(letter));
        strong.map(|(_, &count)| count).sum()
    }

    /// The piece of a role letter, `R` as `rook 車`; a letter of no piece as it is.
    pub fn piece_name(self, letter: &str) -> String {
        let name = match self {
            Self::Xiangqi => match letter {
                "R" => "rook 車",
                "N" => "horse 馬",
                "B" => "elephant 相",
                "A" => "advisor 仕",
                "C" => "cannon 炮",
                "P" => "pawn 兵",
                _ => return letter.into(),
            },
        };
        name.into()
    }

    /// Reads a point, like `b2`; none if it is not one of this board.
    pub fn point(self, name: &str) -> Option<Point> {
        let &[file, rank] = name.as_bytes() else { return None };
        let (files, ranks) = self.size();
        let point = Point { file: file.checked_sub(b'a')?, rank: rank.checked_sub(b'0')? };
        (point.file < files && point.rank < ranks).then_some(point)
    }

    /// The two points of a move, like `b2e2`; none if the text is not a move between points.
    pub fn points(self, mv: &str) -> Option<(Point, Point)> {
        Some((self.point(mv.get(..2)?)?, self.point(mv.get(2..)?)?))
    }

    /// The point's name, like `b2`.
    pub fn name(self, point: Point) -> String {
        format!("{}{}", char::from(b'a' + point.file), char::from(b'0' + point.rank))
    }

    /// The mirror image, left and right exchanged.
    pub fn mirrored(self, point: Point) -> Point {
        Point { file: self.size().0 - 1 - point.file, ..point }
    }

    /// The point as the player in `seat` (0 or 1) sees it, each from the own side with the own back rank
    /// nearest: the second seat looks at the board turned by half.
    pub fn seen_from(self, seat: u8, point: Point) -> Point {
        match seat {
            0 => point,
            _ => Point { rank: self.size().1 - 1 - point.rank, ..self.mirrored(point) },
        }
    }

    /// Of a point and its mirror image, the one on the left: figures of the two are merged.
    pub fn merged(self, point: Point) -> Point {
        point.min(self.mirrored(point))
    }

    /// Of a move and its mirror image, the one that is first by name: figures of the two are merged.
    pub fn merged_move(self, (from, to): (Point, Point)) -> (Point, Point) {
        (from, to).min((self.mirrored(from), self.mirrored(to)))
    }
}
