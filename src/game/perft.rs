//! Counting the tree below a position: the classic check of a move generator, with chance.
//!
//! A node is a public view. A move that turns a piece up has one child for each distinct identity left
//! in the mover's pool, not weighted by how many are left; a face-down piece that is taken unseen does
//! not branch. A finished game has no children.

use super::{MoveList, View};

/// What perft counts at its last ply; before it, every reveal branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PerftCount {
    /// The last ply counts once per move, whatever it turns up.
    Moves,
    /// The last ply counts once per distinct thing it may turn up.
    Outcomes,
}

/// Counts the lines of `depth` plies from `view` by walking them.
pub fn perft<V: View>(view: &V, depth: u32, count: PerftCount) -> u64 {
    if depth == 0 {
        return 1;
    }
    divide(view, depth, count).iter().map(|&(_, lines)| lines).sum()
}

/// The count below each legal move, in the moves' order.
///
/// # Panics
///
/// If `depth` is 0.
pub fn divide<V: View>(view: &V, depth: u32, count: PerftCount) -> Vec<(V::Move, u64)> {
    assert!(depth > 0, "a division needs a first ply");
    let mut moves = MoveList::new();
    view.legal_moves(&mut moves);
    moves.iter().map(|&mv| (mv, lines_after(view, mv, depth, count))).collect()
}

fn lines_after<V: View>(view: &V, mv: V::Move, depth: u32, count: PerftCount) -> u64 {
    match (depth, count) {
        (1, PerftCount::Moves) => 1,
        (1, PerftCount::Outcomes) => view.chances(mv).len() as u64,
        _ => view.chances(mv).iter().map(|(seen, _)| view.after(mv, seen).perft(depth - 1, count)).sum(),
    }
}
