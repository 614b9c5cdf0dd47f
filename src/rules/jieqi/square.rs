//! The 90 points of the board, and sets of them.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use crate::game::SquareName;
use crate::rules::pieces::{Color, Role};

pub const FILES: u8 = 9;
pub const RANKS: u8 = 10;

/// A point of the board, `a0` to `i9`; rank 0 is Red's back rank.
///
/// Numbered file by file, so that squares sort as their names do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    pub const COUNT: usize = FILES as usize * RANKS as usize;

    /// The square on `file` (0 is a) and `rank`, if it is on the board.
    pub const fn on(file: i8, rank: i8) -> Option<Square> {
        if file >= 0 && file < FILES as i8 && rank >= 0 && rank < RANKS as i8 {
            Some(Square(file as u8 * RANKS + rank as u8))
        } else {
            None
        }
    }

    /// The square numbered `index`, below [`Square::COUNT`].
    pub const fn from_index(index: usize) -> Square {
        assert!(index < Square::COUNT);
        Square(index as u8)
    }

    pub fn all() -> impl Iterator<Item = Square> {
        (0..Square::COUNT).map(Square::from_index)
    }

    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for file a to 8 for file i.
    pub const fn file(self) -> u8 {
        self.0 / RANKS
    }

    pub const fn rank(self) -> u8 {
        self.0 % RANKS
    }

    /// The square `files` to the right and `ranks` up, from Red's side.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        Square::on(self.file() as i8 + files, self.rank() as i8 + ranks)
    }

    /// Left and right change places.
    pub const fn mirrored(self) -> Square {
        Square((FILES - 1 - self.file()) * RANKS + self.rank())
    }

    /// The rank as `color` counts it: 0 is that side's back rank.
    pub const fn rank_from(self, color: Color) -> u8 {
        match color {
            Color::Red => self.rank(),
            Color::Black => RANKS - 1 - self.rank(),
        }
    }

    /// The side on whose half of the board the square lies.
    pub const fn half(self) -> Color {
        if self.rank() < RANKS / 2 { Color::Red } else { Color::Black }
    }

    /// The role of the piece that starts here in xiangqi: how a face-down piece on it moves. The kings'
    /// squares have none, because kings are never face down.
    pub const fn home_role(self) -> Option<Role> {
        match (self.rank_from(self.half()), self.file()) {
            (0, 0 | 8) => Some(Role::Chariot),
            (0, 1 | 7) => Some(Role::Horse),
            (0, 2 | 6) => Some(Role::Elephant),
            (0, 3 | 5) => Some(Role::Advisor),
            (2, 1 | 7) => Some(Role::Cannon),
            (3, 0 | 2 | 4 | 6 | 8) => Some(Role::Soldier),
            _ => None,
        }
    }

    pub fn name(self) -> SquareName {
        SquareName::new(b'a' + self.file(), b'0' + self.rank())
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().as_str())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of squares, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SquareSet(pub(super) u128);

impl SquareSet {
    pub const EMPTY: Self = Self(0);
    pub const ALL: Self = Self((1 << Square::COUNT) - 1);

    /// Where the two kings may stand: files d to f, each side's three back ranks.
    pub const PALACES: Self = Self::zone(3, 5, 0, 2).with_zone(3, 5, 7, 9);

    pub const fn of(square: Square) -> Self {
        Self(1 << square.0)
    }

    /// The squares of a rectangle, its borders included.
    const fn zone(first_file: i8, last_file: i8, first_rank: i8, last_rank: i8) -> Self {
        let mut set = 0;
        let mut file = first_file;
        while file <= last_file {
            let mut rank = first_rank;
            while rank <= last_rank {
                if let Some(square) = Square::on(file, rank) {
                    set |= 1 << square.0;
                }
                rank += 1;
            }
            file += 1;
        }
        Self(set)
    }

    const fn with_zone(self, first_file: i8, last_file: i8, first_rank: i8, last_rank: i8) -> Self {
        Self(self.0 | Self::zone(first_file, last_file, first_rank, last_rank).0)
    }

    /// The squares on `color`'s side of the river.
    pub const fn half(color: Color) -> Self {
        match color {
            Color::Red => Self::zone(0, 8, 0, 4),
            Color::Black => Self::zone(0, 8, 5, 9),
        }
    }

    /// The squares on which `color`'s pieces other than the king start the game.
    pub const fn homes(color: Color) -> Self {
        let mut set = 0;
        let mut index = 0;
        while index < Square::COUNT {
            let square = Square::from_index(index);
            if square.home_role().is_some() && square.half() as u8 == color as u8 {
                set |= 1 << index;
            }
            index += 1;
        }
        Self(set)
    }

    /// The squares in line with both ends, strictly between them; empty if they share no line.
    pub const fn between(a: Square, b: Square) -> Self {
        let files = a.file() as i8 - b.file() as i8;
        let ranks = a.rank() as i8 - b.rank() as i8;
        if files != 0 && ranks != 0 {
            return Self::EMPTY;
        }
        // Squares of one file are neighbours in the numbering; those of one rank lie RANKS apart.
        let (low, high) = if a.0 < b.0 { (a.0, b.0) } else { (b.0, a.0) };
        if files == 0 {
            let above_low = u128::MAX << low << 1;
            Self(above_low & ((1 << high) - 1))
        } else {
            let rank = Self::zone(0, 8, 0, 0).0 << a.rank();
            let above_low = u128::MAX << low << 1;
            Self(rank & above_low & ((1 << high) - 1))
        }
    }

    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub const fn has_one(self) -> bool {
        self.0 != 0 && self.0 & (self.0 - 1) == 0
    }

    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The lowest square, if any.
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// These squares without those of `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub fn insert(&mut self, square: Square) {
        *self |= Self::of(square);
    }

    pub fn remove(&mut self, square: Square) {
        *self = self.without(Self::of(square));
    }
}

impl BitAnd for SquareSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for SquareSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAndAssign for SquareSet {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for SquareSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl Not for SquareSet {
    type Output = Self;

    fn not(self) -> Self {
        Self::ALL.without(self)
    }
}

/// The squares of a set, lowest first.
pub struct Squares(SquareSet);

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0 = SquareSet(self.0.0 & (self.0.0 - 1));
        Some(square)
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_sort_as_their_names_do() {
        let names: Vec<_> = Square::all().map(|square| square.to_string()).collect();
        assert!(names.is_sorted());
        assert_eq!((names[0].as_str(), names[89].as_str()), ("a0", "i9"));
    }

    #[test]
    fn each_side_has_fifteen_homes_by_role() {
        for color in Color::BOTH {
            let mut count = [0; 7];
            SquareSet::homes(color)
                .into_iter()
                .for_each(|home| count[home.home_role().expect("a home has a role").index()] += 1);
            assert_eq!(count, [2, 2, 2, 5, 2, 2, 0]);
        }
    }

    #[test]
    fn between_holds_the_inner_squares_of_a_line_only() {
        let at = |name: &str| Square::all().find(|square| square.to_string() == name).expect("a square");
        let between = |a, b| SquareSet::between(at(a), at(b)).into_iter().map(|s| s.to_string()).collect();
        let names: Vec<String> = between("e0", "e3");
        assert_eq!(names, ["e1", "e2"]);
        let names: Vec<String> = between("d5", "a5");
        assert_eq!(names, ["b5", "c5"]);
        let names: Vec<String> = between("a0", "b1");
        assert!(names.is_empty());
    }
}
