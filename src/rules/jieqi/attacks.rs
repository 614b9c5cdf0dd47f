//! Where each kind of piece reaches from each square, from tables made by the compiler.

use super::square::{FILES, RANKS, Square, SquareSet};
use crate::rules::pieces::Color;

/// What stands along the four lines from a square.
#[derive(Debug, Clone, Copy)]
pub struct Lines {
    /// The squares up to the first piece of each line, that piece included: a chariot's targets.
    pub reach: SquareSet,
    /// The second piece of each line: a cannon's captures.
    pub jump: SquareSet,
}

/// One line of up to ten squares, seen from one of them: bits 0 to 9 reach, bits 16 to 25 jump.
type LineEntry = u32;

const LINE_SQUARES: usize = 10;
const LINE_MASK: u128 = (1 << LINE_SQUARES) - 1;

/// By place in the line, then by which of its squares are occupied. A rank has nine squares: for it the
/// tenth never counts, because a piece there would be the last one of its direction.
static LINE: [[LineEntry; 1 << LINE_SQUARES]; LINE_SQUARES] = line_table();

/// Spreads the nine bits of a rank, as a line, over rank 0 of the board.
static RANK_SPREAD: [u128; 1 << FILES] = rank_spread();

const fn line_table() -> [[LineEntry; 1 << LINE_SQUARES]; LINE_SQUARES] {
    let mut table = [[0; 1 << LINE_SQUARES]; LINE_SQUARES];
    let mut place = 0;
    while place < LINE_SQUARES {
        let mut occupied = 0;
        while occupied < 1 << LINE_SQUARES {
            let up = line_direction(place as i8, occupied, 1);
            table[place][occupied] = up | line_direction(place as i8, occupied, -1);
            occupied += 1;
        }
        place += 1;
    }
    table
}

const fn line_direction(place: i8, occupied: usize, step: i8) -> LineEntry {
    let mut entry = 0;
    let mut passed = 0;
    let mut at = place + step;
    while at >= 0 && at < LINE_SQUARES as i8 && passed < 2 {
        let here = occupied >> at & 1 == 1;
        if passed == 0 {
            entry |= 1 << at;
        } else if here {
            entry |= 1 << (at + 16);
        }
        passed += here as u8;
        at += step;
    }
    entry
}

const fn rank_spread() -> [u128; 1 << FILES] {
    let mut table = [0; 1 << FILES];
    let mut line = 0;
    while line < 1 << FILES {
        let mut file = 0;
        while file < FILES {
            if line >> file & 1 == 1 {
                table[line] |= 1 << (file * RANKS);
            }
            file += 1;
        }
        line += 1;
    }
    table
}

/// The lines from `from` when the squares of `occupied` hold pieces.
pub fn lines(from: Square, occupied: SquareSet) -> Lines {
    let file_shift = from.file() * RANKS;
    let on_file = (occupied.0 >> file_shift & LINE_MASK) as usize;
    let along_file = LINE[usize::from(from.rank())][on_file];

    let on_rank = rank_line(occupied.0 >> from.rank());
    let along_rank = LINE[usize::from(from.file())][on_rank];

    let spread = |line: LineEntry| RANK_SPREAD[(line & 0x1ff) as usize] << from.rank();
    let stand = |line: LineEntry| (u128::from(line) & LINE_MASK) << file_shift;
    Lines {
        reach: SquareSet(stand(along_file) | spread(along_rank)),
        jump: SquareSet(stand(along_file >> 16) | spread(along_rank >> 16)),
    }
}

/// Gathers bits 0, 10, 20 … 80 of a board shifted down to rank 0 into nine neighbouring bits.
///
/// The multiplication moves bit 10k of the lower half to bit 57 + k; the two bits of the upper half
/// are placed by hand.
fn rank_line(board: u128) -> usize {
    const LOW: u64 = 0x1004_0100_4010_0401;
    const GATHER: u64 = 1 << 57 | 1 << 48 | 1 << 39 | 1 << 30 | 1 << 21 | 1 << 12 | 1 << 3;
    let low = (board as u64 & LOW).wrapping_mul(GATHER) >> 57;
    let high = (board >> 64) as u64;
    (low | (high >> 6 & 1) << 7 | (high >> 16 & 1) << 8) as usize
}

/// A square that must be empty for the squares behind it to be reached.
#[derive(Clone, Copy)]
pub struct Hop {
    pub block: SquareSet,
    pub behind: SquareSet,
}

type Hops = [[Hop; 4]; Square::COUNT];
type Steps = [SquareSet; Square::COUNT];

const DIAGONALS: [(i8, i8); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
const STRAIGHTS: [(i8, i8); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];

/// A horse's leaps, by the leg that may hobble it.
pub static HORSE: Hops = horse_hops();
/// The horses that may leap to a square, by the leg they would use.
pub static HORSE_SOURCES: Hops = horse_source_hops();
/// An elephant's steps, by its eye. They read the same from either end.
pub static ELEPHANT: Hops = elephant_hops();
/// One step along a diagonal.
pub static ADVISOR: Steps = steps(&DIAGONALS, SquareSet::ALL);
/// One straight step inside the palaces.
pub static KING: Steps = steps(&STRAIGHTS, SquareSet::PALACES);
/// A soldier's steps, by colour.
pub static SOLDIER: [Steps; 2] = [soldier_steps(Color::Red), soldier_steps(Color::Black)];
/// The squares from which a soldier steps to a square, by the soldier's colour.
pub static SOLDIER_SOURCES: [Steps; 2] = [sources(&SOLDIER[0]), sources(&SOLDIER[1])];

const fn set_of(square: Option<Square>) -> SquareSet {
    match square {
        Some(square) => SquareSet::of(square),
        None => SquareSet::EMPTY,
    }
}

const fn union(a: SquareSet, b: SquareSet) -> SquareSet {
    SquareSet(a.0 | b.0)
}

const fn steps(directions: &[(i8, i8); 4], within: SquareSet) -> Steps {
    let mut table = [SquareSet::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let mut direction = 0;
        while direction < 4 {
            let (files, ranks) = directions[direction];
            let target = set_of(Square::from_index(index).offset(files, ranks));
            table[index] = union(table[index], SquareSet(target.0 & within.0));
            direction += 1;
        }
        index += 1;
    }
    table
}

const NO_HOPS: Hops = [[Hop { block: SquareSet::EMPTY, behind: SquareSet::EMPTY }; 4]; Square::COUNT];

const fn horse_hops() -> Hops {
    let mut table = NO_HOPS;
    let mut index = 0;
    while index < Square::COUNT {
        let from = Square::from_index(index);
        let mut direction = 0;
        while direction < 4 {
            let (files, ranks) = STRAIGHTS[direction];
            // Two steps ahead and one to either side.
            let left = set_of(from.offset(2 * files - ranks, 2 * ranks - files));
            let right = set_of(from.offset(2 * files + ranks, 2 * ranks + files));
            table[index][direction] =
                Hop { block: set_of(from.offset(files, ranks)), behind: union(left, right) };
            direction += 1;
        }
        index += 1;
    }
    table
}

const fn horse_source_hops() -> Hops {
    let mut table = NO_HOPS;
    let mut index = 0;
    while index < Square::COUNT {
        let to = Square::from_index(index);
        let mut direction = 0;
        while direction < 4 {
            let (files, ranks) = DIAGONALS[direction];
            // A horse's leg lies diagonally before its target.
            let near = set_of(to.offset(files, 2 * ranks));
            let far = set_of(to.offset(2 * files, ranks));
            table[index][direction] =
                Hop { block: set_of(to.offset(files, ranks)), behind: union(near, far) };
            direction += 1;
        }
        index += 1;
    }
    table
}

const fn elephant_hops() -> Hops {
    let mut table = NO_HOPS;
    let mut index = 0;
    while index < Square::COUNT {
        let from = Square::from_index(index);
        let mut direction = 0;
        while direction < 4 {
            let (files, ranks) = DIAGONALS[direction];
            table[index][direction] = Hop {
                block: set_of(from.offset(files, ranks)),
                behind: set_of(from.offset(2 * files, 2 * ranks)),
            };
            direction += 1;
        }
        index += 1;
    }
    table
}

const fn soldier_steps(color: Color) -> Steps {
    let forward = match color {
        Color::Red => 1,
        Color::Black => -1,
    };
    let mut table = [SquareSet::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let from = Square::from_index(index);
        table[index] = set_of(from.offset(0, forward));
        if from.half() as u8 != color as u8 {
            let sideways = union(set_of(from.offset(-1, 0)), set_of(from.offset(1, 0)));
            table[index] = union(table[index], sideways);
        }
        index += 1;
    }
    table
}

/// Turns a table of targets by origin into one of origins by target.
const fn sources(targets: &Steps) -> Steps {
    let mut table = [SquareSet::EMPTY; Square::COUNT];
    let mut to = 0;
    while to < Square::COUNT {
        let mut from = 0;
        while from < Square::COUNT {
            if targets[from].contains(Square::from_index(to)) {
                table[to] = union(table[to], SquareSet::of(Square::from_index(from)));
            }
            from += 1;
        }
        to += 1;
    }
    table
}

/// The squares behind those hops from `square` that nothing blocks.
pub fn unblocked(hops: &Hops, square: Square, occupied: SquareSet) -> SquareSet {
    hops[square.index()]
        .iter()
        .filter(|hop| !hop.block.meets(occupied))
        .fold(SquareSet::EMPTY, |set, hop| set | hop.behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks a direction square by square, as the tables must agree with.
    fn walked(from: Square, occupied: SquareSet) -> Lines {
        let mut lines = Lines { reach: SquareSet::EMPTY, jump: SquareSet::EMPTY };
        for (files, ranks) in STRAIGHTS {
            let ahead = (1..10).map_while(|n| from.offset(n * files, n * ranks));
            let mut passed = 0;
            for square in ahead {
                if passed == 0 {
                    lines.reach.insert(square);
                }
                if occupied.contains(square) {
                    passed += 1;
                    if passed == 2 {
                        lines.jump.insert(square);
                        break;
                    }
                }
            }
        }
        lines
    }

    #[test]
    fn lines_agree_with_walking_the_board() {
        let mut bits = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835_u128;
        for round in 0..200 {
            bits = bits.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(round);
            let occupied = SquareSet(bits >> 20 & bits >> 7) & SquareSet::ALL;
            for from in Square::all() {
                let (fast, slow) = (lines(from, occupied), walked(from, occupied));
                assert_eq!((fast.reach, fast.jump), (slow.reach, slow.jump), "{from} {occupied:?}");
            }
        }
    }

    #[test]
    fn horses_reach_a_square_from_where_it_is_their_target() {
        let occupied: SquareSet = Square::all().filter(|square| square.index() % 7 < 2).collect();
        for from in Square::all() {
            for to in Square::all() {
                let forth = unblocked(&HORSE, from, occupied).contains(to);
                let back = unblocked(&HORSE_SOURCES, to, occupied).contains(from);
                assert_eq!(forth, back, "{from} {to}");
            }
        }
    }
}
