//! The 32 squares of the board, and sets of them.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign};

use crate::game::{SquareName, Symmetry};

pub const FILES: u8 = 8;
pub const RANKS: u8 = 4;

/// A square of the board, `a1` to `h4`.
///
/// Numbered file by file, so that squares sort as their names do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    pub const COUNT: usize = FILES as usize * RANKS as usize;

    /// The square on `file` (0 is a) and `rank` (0 is rank 1), if it is on the board.
    pub const fn on(file: i8, rank: i8) -> Option<Square> {
        if file >= 0 && file < FILES as i8 && rank >= 0 && rank < RANKS as i8 {
            Some(Square(file as u8 * RANKS + rank as u8))
        } else {
            None
        }
    }

    /// The square numbered `index`, below [`Square::COUNT`].
    #[inline]
    pub const fn from_index(index: usize) -> Square {
        assert!(index < Square::COUNT);
        Square(index as u8)
    }

    pub fn all() -> impl Iterator<Item = Square> {
        (0..Square::COUNT).map(Square::from_index)
    }

    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for file a to 7 for file h.
    pub const fn file(self) -> u8 {
        self.0 / RANKS
    }

    /// 0 for rank 1 to 3 for rank 4.
    pub const fn rank(self) -> u8 {
        self.0 % RANKS
    }

    /// The square in row order: rank 1 first, files from a.
    pub const fn in_rows(self) -> usize {
        (self.rank() * FILES + self.file()) as usize
    }

    /// The square one step on.
    ///
    /// # Panics
    ///
    /// May panic at the edge of the board, or name a square that is no neighbour.
    #[inline]
    pub const fn step(self, direction: Direction) -> Square {
        Square::from_index((self.0 as i8 + direction.stride()) as usize)
    }

    pub const fn mirrored(self, by: Symmetry) -> Square {
        let (file, rank) = (self.file(), self.rank());
        let (file, rank) = match by {
            Symmetry::Files => (FILES - 1 - file, rank),
            Symmetry::Ranks => (file, RANKS - 1 - rank),
            Symmetry::Turn => (FILES - 1 - file, RANKS - 1 - rank),
        };
        Square(file * RANKS + rank)
    }

    pub fn name(self) -> SquareName {
        SquareName::new(b'a' + self.file(), b'1' + self.rank())
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

/// One of the four ways along the board's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Up,
    Down,
    Right,
    Left,
}

impl Direction {
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Right, Direction::Left];

    /// How far a step goes in the numbering of squares.
    const fn stride(self) -> i8 {
        match self {
            Direction::Up => 1,
            Direction::Down => -1,
            Direction::Right => RANKS as i8,
            Direction::Left => -(RANKS as i8),
        }
    }
}

/// A set of squares, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SquareSet(u32);

/// Ranks 1 and 4 in a set: the lowest and the highest square of each file.
const RANK_1: u32 = 0x1111_1111;
const RANK_4: u32 = 0x8888_8888;

/// The squares on from each square to the edge of the board, by direction.
static RAYS: [[SquareSet; Square::COUNT]; 4] = rays();

const fn rays() -> [[SquareSet; Square::COUNT]; 4] {
    let mut rays = [[SquareSet::EMPTY; Square::COUNT]; 4];
    let mut direction = 0;
    while direction < 4 {
        let mut from = 0;
        while from < Square::COUNT {
            let square = Square::from_index(from);
            let (files, ranks) = match Direction::ALL[direction] {
                Direction::Up => (0, 1),
                Direction::Down => (0, -1),
                Direction::Right => (1, 0),
                Direction::Left => (-1, 0),
            };
            let (mut file, mut rank) = (square.file() as i8 + files, square.rank() as i8 + ranks);
            while let Some(on) = Square::on(file, rank) {
                rays[direction][from].0 |= 1 << on.0;
                (file, rank) = (file + files, rank + ranks);
            }
            from += 1;
        }
        direction += 1;
    }
    rays
}

impl SquareSet {
    pub const EMPTY: Self = Self(0);
    pub const ALL: Self = Self(u32::MAX);

    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1 << square.0)
    }

    /// The squares from which one step in `direction` leads to a square of this set.
    #[inline]
    pub const fn stepping_in(self, direction: Direction) -> Self {
        Self(match direction {
            Direction::Up => self.0 >> 1 & !RANK_4,
            Direction::Down => self.0 << 1 & !RANK_1,
            Direction::Right => self.0 >> RANKS,
            Direction::Left => self.0 << RANKS,
        })
    }

    /// The squares of this set as the low bits of a number, to count several sets at once.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The squares next to `square`.
    pub fn next_to(square: Square) -> Self {
        let here = Self::of(square);
        Direction::ALL.into_iter().fold(Self::EMPTY, |set, direction| set | here.stepping_in(direction))
    }

    /// Where a jump from `from` lands: behind exactly one of the `occupied` squares of a line, on the next
    /// that is occupied.
    #[inline]
    pub fn jumps(from: Square, occupied: Self) -> Self {
        let line = |direction: Direction| RAYS[direction as usize][from.index()] & occupied;
        let mut landings = 0;
        for direction in [Direction::Up, Direction::Right] {
            let behind = without_lowest(line(direction).0);
            landings |= behind & behind.wrapping_neg();
        }
        for direction in [Direction::Down, Direction::Left] {
            landings |= highest(without_highest(line(direction).0));
        }
        Self(landings)
    }

    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// These squares without those of `other`.
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The square with `place` others of the set below it.
    ///
    /// # Panics
    ///
    /// May panic if there are not more than `place` squares.
    #[inline]
    pub fn nth(self, place: u32) -> Square {
        let mut rest = self.0;
        for _ in 0..place {
            rest = without_lowest(rest);
        }
        Square(rest.trailing_zeros() as u8)
    }

    /// Puts `square` in if it is not there, and out if it is.
    #[inline]
    pub fn toggle(&mut self, square: Square) {
        self.0 ^= 1 << square.0;
    }
}

#[inline]
const fn without_lowest(squares: u32) -> u32 {
    squares & squares.wrapping_sub(1)
}

#[inline]
const fn highest(squares: u32) -> u32 {
    match squares.checked_ilog2() {
        Some(square) => 1 << square,
        None => 0,
    }
}

#[inline]
const fn without_highest(squares: u32) -> u32 {
    squares ^ highest(squares)
}

impl BitAnd for SquareSet {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for SquareSet {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for SquareSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// The squares of a set, lowest first.
pub struct Squares(SquareSet);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0.is_empty() {
            return None;
        }
        let square = self.0.nth(0);
        self.0 = SquareSet(without_lowest(self.0.0));
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

    fn set(names: &str) -> SquareSet {
        let at = |name: &str| Square::all().find(|square| square.to_string() == name).expect("a square");
        names.split_whitespace().map(at).collect()
    }

    #[test]
    fn squares_sort_as_their_names_do() {
        let names: Vec<_> = Square::all().map(|square| square.to_string()).collect();
        assert!(names.is_sorted());
        assert_eq!((names[0].as_str(), names[31].as_str()), ("a1", "h4"));
    }

    #[test]
    fn steps_stay_on_the_board() {
        let neighbours = |name| SquareSet::next_to(set(name).nth(0));
        assert_eq!(neighbours("a1"), set("a2 b1"));
        assert_eq!(neighbours("a4"), set("a3 b4"));
        assert_eq!(neighbours("d3"), set("d2 d4 c3 e3"));
        assert_eq!(neighbours("h1"), set("h2 g1"));
        let pairs: u32 = Square::all().map(|square| SquareSet::next_to(square).len()).sum();
        assert_eq!(pairs, 104);
        for square in Square::all() {
            for direction in Direction::ALL {
                let from = SquareSet::of(square).stepping_in(direction);
                assert!(from.into_iter().all(|from| from.step(direction) == square));
            }
        }
    }

    #[test]
    fn jumps_land_behind_one_piece_in_each_direction() {
        let occupied = set("a1 a2 a4 c1 f1 h1 d3 d4 b2 e2");
        assert_eq!(SquareSet::jumps(set("a1").nth(0), occupied), set("a4 f1"));
        assert_eq!(SquareSet::jumps(set("h1").nth(0), occupied), set("c1"));
        assert_eq!(SquareSet::jumps(set("d1").nth(0), occupied), set("a1 d4 h1"));
        assert_eq!(SquareSet::jumps(set("f1").nth(0), occupied), set("a1"));
        assert_eq!(SquareSet::jumps(set("a4").nth(0), occupied), set("a1"));
        assert_eq!(SquareSet::jumps(set("e2").nth(0), occupied), set("a2"));
    }
}
