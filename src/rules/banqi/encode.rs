//! A view as network input, and moves as policy entries.
//!
//! The board has no sides, so both players see it alike: row 0 is rank 1.

use super::square::{FILES, RANKS, Square};
use super::view::BanqiView;
use super::{Move, planes};
use crate::game::{Encode, MoveIndex, Shape, Symmetry};

/// A flip of every square, then every pair of squares that share a line.
const ENTRIES: usize = Square::COUNT + Square::COUNT * (FILES as usize - 1 + RANKS as usize - 1);

/// Planes of the convolutional head: the flip, then up, down, right and left by length.
const HEAD_PLANES: usize = 1 + 2 * (RANKS as usize - 1) + 2 * (FILES as usize - 1);

const NO_ENTRY: u16 = u16::MAX;

struct PolicyTable {
    /// By origin, then destination, in the numbering of squares; a flip has both equal.
    index: [[u16; Square::COUNT]; Square::COUNT],
    /// Origin, destination and head plane of each entry.
    entries: [(u8, u8, u8); ENTRIES],
}

static POLICY: PolicyTable = policy_table();

const fn policy_table() -> PolicyTable {
    let mut table =
        PolicyTable { index: [[NO_ENTRY; Square::COUNT]; Square::COUNT], entries: [(0, 0, 0); ENTRIES] };
    let mut flip = 0;
    while flip < Square::COUNT {
        table.index[flip][flip] = flip as u16;
        table.entries[flip] = (flip as u8, flip as u8, 0);
        flip += 1;
    }
    let mut next = Square::COUNT;
    let mut from = 0;
    while from < Square::COUNT {
        let mut to = 0;
        while to < Square::COUNT {
            if let Some(plane) = line_plane(Square::from_index(from), Square::from_index(to)) {
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

/// The head plane of a move along a line; none if the squares are equal or share no line.
const fn line_plane(from: Square, to: Square) -> Option<u8> {
    const UP: u8 = 1;
    const DOWN: u8 = UP + RANKS - 1;
    const RIGHT: u8 = DOWN + RANKS - 1;
    const LEFT: u8 = RIGHT + FILES - 1;
    let right = to.file() as i8 - from.file() as i8;
    let up = to.rank() as i8 - from.rank() as i8;
    let length = right.unsigned_abs() + up.unsigned_abs();
    match (right, up) {
        (0, 0) => None,
        (0, 1..) => Some(UP + length - 1),
        (0, _) => Some(DOWN + length - 1),
        (1.., 0) => Some(RIGHT + length - 1),
        (_, 0) => Some(LEFT + length - 1),
        _ => None,
    }
}

impl Encode for BanqiView {
    const SHAPE: Shape = Shape { planes: planes::COUNT, rows: RANKS as usize, files: FILES as usize };
    const POLICY_LEN: usize = ENTRIES;
    const POLICY_PLANES: usize = HEAD_PLANES;
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Files, Symmetry::Ranks, Symmetry::Turn];

    fn plane_names() -> Vec<String> {
        planes::names()
    }

    fn planes(&self, out: &mut [f32]) {
        assert_eq!(out.len(), Self::SHAPE.len(), "planes of this game have {:?}", Self::SHAPE);
        planes::write(self, out);
    }

    fn index(&self, mv: Move) -> MoveIndex {
        let index = POLICY.index[mv.from.index()][mv.to.index()];
        assert_ne!(index, NO_ENTRY, "no piece can go {mv}");
        MoveIndex(index)
    }

    fn policy_cell(index: MoveIndex) -> usize {
        let (from, _, plane) = POLICY.entries[index.get()];
        usize::from(plane) * Square::COUNT + Square::from_index(usize::from(from)).in_rows()
    }

    fn mirrored(&self, by: Symmetry) -> Self {
        let rules = self.rules_arc();
        BanqiView::new(rules, self.position().mirrored(rules, by), crate::game::View::eyes(self))
    }

    fn mirrored_index(index: MoveIndex, by: Symmetry) -> MoveIndex {
        let mirror = |square: u8| Square::from_index(usize::from(square)).mirrored(by).index();
        let (from, to, _) = POLICY.entries[index.get()];
        MoveIndex(POLICY.index[mirror(from)][mirror(to)])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_policy_has_352_entries_one_to_one_with_moves_and_head_cells() {
        let all: Vec<_> = (0..BanqiView::POLICY_LEN).map(|index| MoveIndex(index as u16)).collect();
        assert_eq!(all.len(), 352);
        for &entry in &all {
            let (from, to, _) = POLICY.entries[entry.get()];
            assert_eq!(POLICY.index[usize::from(from)][usize::from(to)], entry.0);
        }
        let cells: HashSet<_> = all.iter().map(|&entry| BanqiView::policy_cell(entry)).collect();
        assert_eq!(cells.len(), all.len());
        assert!(cells.into_iter().max() < Some(BanqiView::POLICY_PLANES * BanqiView::SHAPE.squares()));
    }

    #[test]
    fn every_plane_has_a_name() {
        assert_eq!(BanqiView::plane_names().len(), BanqiView::SHAPE.planes);
    }
}
