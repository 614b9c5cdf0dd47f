//! A view as network input, and moves as policy entries.
//!
//! Both are from the mover's side: row 0 is the mover's back rank. For Black the board is turned over
//! by ranks; files keep their places.

use super::play::DEALT;
use super::square::{FILES, RANKS, Square};
use super::view::JieqiView;
use super::{Move, planes};
use crate::game::{Encode, MoveIndex, Shape, Symmetry, View};
use crate::rules::pieces::Color;

const FILE_COUNT: usize = FILES as usize;

/// The square in row order from the mover's side.
pub(super) fn seen_from(color: Color, square: Square) -> usize {
    usize::from(square.rank_from(color)) * FILE_COUNT + usize::from(square.file())
}

/// Every pair of squares that some piece can go between on an empty board.
const ENTRIES: usize = 2550;

/// Planes of the convolutional head: directions with their lengths, up, down, right and left for lines,
/// then the horse's, then one and two steps along the diagonals.
const HEAD_PLANES: usize = 2 * (RANKS as usize - 1) + 2 * (FILES as usize - 1) + 8 + 4 + 4;

const NO_ENTRY: u16 = u16::MAX;

struct PolicyTable {
    /// By origin, then destination, both in row order from the mover's side.
    index: [[u16; Square::COUNT]; Square::COUNT],
    /// Origin, destination and head plane of each entry.
    entries: [(u8, u8, u8); ENTRIES],
}

static POLICY: PolicyTable = policy_table();

const fn policy_table() -> PolicyTable {
    let mut table =
        PolicyTable { index: [[NO_ENTRY; Square::COUNT]; Square::COUNT], entries: [(0, 0, 0); ENTRIES] };
    let mut next = 0;
    let mut from = 0;
    while from < Square::COUNT {
        let mut to = 0;
        while to < Square::COUNT {
            let right = (to % FILE_COUNT) as i8 - (from % FILE_COUNT) as i8;
            let up = (to / FILE_COUNT) as i8 - (from / FILE_COUNT) as i8;
            if let Some(plane) = head_plane(right, up) {
                table.index[from][to] = next as u16;
                table.entries[next] = (from as u8, to as u8, plane);
                next += 1;
            }
            to += 1;
        }
        from += 1;
    }
    assert!(next == ENTRIES);
    table
}

const fn head_plane(right: i8, up: i8) -> Option<u8> {
    const RIGHT: u8 = 2 * (RANKS - 1);
    const HORSE: u8 = RIGHT + 2 * (FILES - 1);
    const ONE_STEP: u8 = HORSE + 8;
    const TWO_STEPS: u8 = ONE_STEP + 4;
    let quadrant = 2 * (right < 0) as u8 + (up < 0) as u8;
    match (right.unsigned_abs(), up.unsigned_abs()) {
        (0, 0) => None,
        (0, length) => Some(length - 1 + if up < 0 { RANKS - 1 } else { 0 }),
        (length, 0) => Some(RIGHT + length - 1 + if right < 0 { FILES - 1 } else { 0 }),
        (1, 2) => Some(HORSE + quadrant),
        (2, 1) => Some(HORSE + 4 + quadrant),
        (1, 1) => Some(ONE_STEP + quadrant),
        (2, 2) => Some(TWO_STEPS + quadrant),
        _ => None,
    }
}

impl Encode for JieqiView {
    const SHAPE: Shape = Shape { planes: planes::COUNT, rows: RANKS as usize, files: FILE_COUNT };
    const POLICY_LEN: usize = ENTRIES;
    const POLICY_PLANES: usize = HEAD_PLANES;
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Files];
    const SECRET_KINDS: usize = DEALT.counts().len();

    fn plane_names() -> Vec<String> {
        planes::names()
    }

    fn planes(&self, out: &mut [f32]) {
        assert_eq!(out.len(), Self::SHAPE.len(), "planes of this game have {:?}", Self::SHAPE);
        planes::write(self, out);
    }

    fn index(&self, mv: Move) -> MoveIndex {
        let mover = self.position().to_move();
        let index = POLICY.index[seen_from(mover, mv.from)][seen_from(mover, mv.to)];
        assert_ne!(index, NO_ENTRY, "no piece can go {mv}");
        MoveIndex(index)
    }

    fn policy_cell(index: MoveIndex) -> usize {
        let (from, _, plane) = POLICY.entries[index.get()];
        usize::from(plane) * Square::COUNT + usize::from(from)
    }

    /// # Panics
    ///
    /// For another symmetry than [`Symmetry::Files`]: the two sides' soldiers go opposite ways.
    fn mirrored(&self, by: Symmetry) -> Self {
        assert_eq!(by, Symmetry::Files, "Jieqi has no other symmetry");
        JieqiView::new(self.rules(), self.position().mirrored(self.rules()), self.eyes(), *self.saw())
    }

    fn mirrored_index(index: MoveIndex, by: Symmetry) -> MoveIndex {
        assert_eq!(by, Symmetry::Files, "Jieqi has no other symmetry");
        let mirror = |square: u8| {
            let (row, file) = (usize::from(square) / FILE_COUNT, usize::from(square) % FILE_COUNT);
            row * FILE_COUNT + FILE_COUNT - 1 - file
        };
        let (from, to, _) = POLICY.entries[index.get()];
        MoveIndex(POLICY.index[mirror(from)][mirror(to)])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_policy_has_2550_entries_one_to_one_with_moves_and_head_cells() {
        let all: Vec<_> = (0..JieqiView::POLICY_LEN).map(|index| MoveIndex(index as u16)).collect();
        assert_eq!(all.len(), 2550);
        for &entry in &all {
            let (from, to, _) = POLICY.entries[entry.get()];
            assert_eq!(POLICY.index[usize::from(from)][usize::from(to)], entry.0);
        }
        let cells: HashSet<_> = all.iter().map(|&entry| JieqiView::policy_cell(entry)).collect();
        assert_eq!(cells.len(), all.len());
        assert!(cells.into_iter().max() < Some(JieqiView::POLICY_PLANES * JieqiView::SHAPE.squares()));
    }

    #[test]
    fn mirroring_an_entry_twice_gives_it_back() {
        for entry in (0..2550).map(MoveIndex) {
            let mirror = |entry| JieqiView::mirrored_index(entry, Symmetry::Files);
            assert_eq!(mirror(mirror(entry)), entry);
        }
    }

    #[test]
    fn every_plane_has_a_name() {
        assert_eq!(JieqiView::plane_names().len(), JieqiView::SHAPE.planes);
    }
}
