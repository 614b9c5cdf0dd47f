//! What a report has to know of a game's board: how it is written, how it mirrors, how it is drawn.
//!
//! Reports read files and import no rules; this is the one place that says something of a game by its
//! name.

use std::collections::BTreeSet;

use super::AnalysisError;

/// The board of a game, by the name the files give it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Board {
    /// Nine files `a` to `i` and ten ranks `0` to `9`, pieces on the points, as in Jieqi.
    Xiangqi,
    /// Eight files `a` to `h` and four ranks `1` to `4`, pieces in the squares, which belong to nobody, as in
    /// Banqi.
    Half,
}

/// A way to lay a board onto itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mirror {
    Same,
    /// Left and right change places.
    Files,
    /// Near and far change places.
    Ranks,
    /// Both.
    Turn,
}

/// A point of the board: `file` from the left, `rank` from the first seat's side, both from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    pub file: u8,
    pub rank: u8,
}

/// A set of points of one board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Points(u128);

impl Points {
    /// More files than any board has.
    const FILES: u8 = 12;

    pub fn contains(self, point: Point) -> bool {
        self.0 & Self::bit(point) != 0
    }

    pub fn insert(&mut self, point: Point) {
        self.0 |= Self::bit(point);
    }

    /// Those that `other` has not.
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub fn iter(self) -> impl Iterator<Item = Point> {
        let all = (0..10).flat_map(|rank| (0..Self::FILES).map(move |file| Point { file, rank }));
        all.filter(move |&point| self.contains(point))
    }

    fn bit(Point { file, rank }: Point) -> u128 {
        1 << (rank * Self::FILES + file)
    }
}

impl Board {
    /// The board of the game called `name`.
    ///
    /// # Errors
    ///
    /// If no report knows that game.
    pub fn of_game(name: &str) -> Result<Self, AnalysisError> {
        let known = [Self::Xiangqi, Self::Half].into_iter().find(|board| board.game() == name);
        known.ok_or_else(|| AnalysisError::UnknownGame { found: name.into() })
    }

    /// The game's name, as the files give it.
    pub fn game(self) -> &'static str {
        match self {
            Self::Xiangqi => "jieqi",
            Self::Half => "banqi",
        }
    }

    /// The game as its players call it.
    pub fn game_names(self) -> &'static str {
        match self {
            Self::Xiangqi => "揭棋 · Cờ úp · Jieqi",
            Self::Half => "盤棋 · 暗棋 · Banqi",
        }
    }

    /// Files and ranks.
    pub fn size(self) -> (u8, u8) {
        match self {
            Self::Xiangqi => (9, 10),
            Self::Half => (8, 4),
        }
    }

    /// The digit of the first rank.
    pub fn first_rank(self) -> u8 {
        match self {
            Self::Xiangqi => b'0',
            Self::Half => b'1',
        }
    }

    /// Every way to lay the board onto itself under which the game plays the same.
    pub fn mirrors(self) -> &'static [Mirror] {
        match self {
            Self::Xiangqi => &[Mirror::Same, Mirror::Files],
            Self::Half => &[Mirror::Same, Mirror::Files, Mirror::Ranks, Mirror::Turn],
        }
    }

    /// The pool of a side's face-down pieces at the start, in the order of [`Board::letters`].
    pub fn start_pool(self) -> &'static [u8] {
        match self {
            Self::Xiangqi => &[2, 2, 2, 5, 2, 2, 0],
            Self::Half => &[1, 2, 2, 2, 2, 2, 5],
        }
    }

    /// The odds of what a face-down piece is at the start, by the letters that files give it.
    pub fn start_odds(self) -> Vec<(u8, f64)> {
        let dealt = self.letters().iter().zip(self.start_pool()).filter(|(_, count)| **count > 0);
        let own = dealt.map(|(&letter, &count)| (letter, f64::from(count)));
        let pool: Vec<(u8, f64)> = match self {
            Self::Xiangqi => own.collect(),
            // A face-down piece may be the other side's.
            Self::Half => own.flat_map(|(l, count)| [(l, count), (l.to_ascii_lowercase(), count)]).collect(),
        };
        let total: f64 = pool.iter().map(|(_, count)| count).sum();
        pool.into_iter().map(|(letter, count)| (letter, count / total)).collect()
    }

    /// The points where the first seat's face-down pieces stand at the start; all of them where face-down
    /// pieces are nobody's.
    pub fn homes(self) -> Vec<Point> {
        let row = |rank: u8, files: &'static [u8]| files.iter().map(move |&file| Point { file, rank });
        match self {
            Self::Xiangqi => row(0, &[0, 1, 2, 3, 5, 6, 7, 8])
                .chain(row(2, &[1, 7]))
                .chain(row(3, &[0, 2, 4, 6, 8]))
                .collect(),
            Self::Half => (0..4).flat_map(|rank| (0..8).map(move |file| Point { file, rank })).collect(),
        }
    }

    /// The role letter a face-down piece of the first seat has from the point it stands on at the start; none
    /// of another point, or where the place says nothing.
    pub fn home_role(self, point: Point) -> Option<u8> {
        if self == Self::Half {
            return None;
        }
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
            Self::Half => b"KABRNCP",
        }
    }

    /// Rooks and cannons in a pool.
    pub fn strong_pieces(self, pool: &[u8]) -> u8 {
        let strong = self.letters().iter().zip(pool).filter(|(letter, _)| b"RC".contains(letter));
        strong.map(|(_, &count)| count).sum()
    }

    /// The piece of a role letter, `R` as `rook 車`; a letter of no piece as it is. A small letter is a piece
    /// of the other side, where face-down pieces may be anybody's.
    pub fn piece_name(self, letter: &str) -> String {
        let name = match letter.to_ascii_uppercase().as_str() {
            "R" => "rook 車",
            "N" => "horse 馬",
            "B" => "elephant 相",
            "A" => "advisor 仕",
            "C" => "cannon 炮",
            "P" => "pawn 兵",
            "K" => "general 帥",
            _ => return letter.into(),
        };
        if letter.starts_with(|c: char| c.is_ascii_lowercase()) {
            format!("enemy {name}")
        } else {
            name.into()
        }
    }

    /// Reads a point, like `b2`; none if it is not one of this board.
    pub fn point(self, name: &str) -> Option<Point> {
        let &[file, rank] = name.as_bytes() else { return None };
        let (files, ranks) = self.size();
        let point = Point { file: file.checked_sub(b'a')?, rank: rank.checked_sub(self.first_rank())? };
        (point.file < files && point.rank < ranks).then_some(point)
    }

    /// The points of squares named with spaces between them; none if one is not a square of this board.
    pub fn points_of(self, names: &str) -> Option<Points> {
        let mut points = Points::default();
        for name in names.split_ascii_whitespace() {
            points.insert(self.point(name)?);
        }
        Some(points)
    }

    /// The two points of a move, like `b2e2`; twice the same of a piece turned up where it stands, like `b2`.
    /// None if the text is not a move on this board.
    pub fn points(self, mv: &str) -> Option<(Point, Point)> {
        let from = self.point(mv.get(..2)?)?;
        let stays = self.flips_in_place() && mv.len() == 2;
        Some((from, if stays { from } else { self.point(mv.get(2..)?)? }))
    }

    /// Whether a face-down piece is turned up where it stands, and not by its first move.
    pub fn flips_in_place(self) -> bool {
        self == Self::Half
    }

    /// Who sits where in a picture of the board, for its caption.
    pub fn seats(self) -> &'static str {
        match self {
            Self::Xiangqi => " The side to move sits below.",
            Self::Half => " The board has no sides.",
        }
    }

    /// The point's name, like `b2`.
    pub fn name(self, point: Point) -> String {
        format!("{}{}", char::from(b'a' + point.file), char::from(self.first_rank() + point.rank))
    }

    /// The move's name, as [`Board::points`] reads it.
    pub fn move_name(self, (from, to): (Point, Point)) -> String {
        if from == to { self.name(from) } else { self.name(from) + &self.name(to) }
    }

    pub fn image(self, Point { file, rank }: Point, by: Mirror) -> Point {
        let (files, ranks) = self.size();
        let (other_file, other_rank) = (files - 1 - file, ranks - 1 - rank);
        match by {
            Mirror::Same => Point { file, rank },
            Mirror::Files => Point { file: other_file, rank },
            Mirror::Ranks => Point { file, rank: other_rank },
            Mirror::Turn => Point { file: other_file, rank: other_rank },
        }
    }

    pub fn image_of_move(self, (from, to): (Point, Point), by: Mirror) -> (Point, Point) {
        (self.image(from, by), self.image(to, by))
    }

    /// The point and its mirror images, each once.
    pub fn images(self, point: Point) -> BTreeSet<Point> {
        self.mirrors().iter().map(|&by| self.image(point, by)).collect()
    }

    /// The move and its mirror images, each once.
    pub fn images_of_move(self, mv: (Point, Point)) -> BTreeSet<(Point, Point)> {
        self.mirrors().iter().map(|&by| self.image_of_move(mv, by)).collect()
    }

    /// The point as the player in `seat` (0 or 1) sees it, each from the own side with the own back rank
    /// nearest: the second seat looks at the board turned by half. Where no rank is anybody's, as it is.
    pub fn seen_from(self, seat: u8, point: Point) -> Point {
        match (self, seat) {
            (Self::Half, _) | (_, 0) => point,
            (Self::Xiangqi, _) => self.image(point, Mirror::Turn),
        }
    }

    /// Of a point and its mirror images, the one that is first by name: figures of them are merged.
    pub fn merged(self, point: Point) -> Point {
        self.mirrors().iter().map(|&by| self.image(point, by)).min().unwrap_or(point)
    }

    /// Of a move and its mirror images, the one that is first by name: figures of them are merged.
    pub fn merged_move(self, mv: (Point, Point)) -> (Point, Point) {
        self.mirrors().iter().map(|&by| self.image_of_move(mv, by)).min().unwrap_or(mv)
    }
}
