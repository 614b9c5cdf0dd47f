//! Counting the tree below a position without walking its last ply.

use std::hint::black_box;

use arrayvec::ArrayVec;

use super::RolePool;
use super::board::Board;
use super::square::SquareSet;
use crate::game::PerftCount;
use crate::rules::pieces::{ByColor, Color, Role};

/// What to count; only mate and stalemate end a line early.
///
/// A face-down mover has one child for each distinct identity in its pool.
pub struct Perft {
    pub last_ply: PerftCount,
    /// Whether taking a face-down piece has one child for each distinct identity in that piece's pool
    /// too, because everybody sees what it was. Otherwise it stays in its pool and does not branch.
    pub takes_branch: bool,
}

/// The distinct identities in a pool.
fn identities(pool: &RolePool) -> ArrayVec<Option<Role>, 6> {
    let counts = Role::ALL.into_iter().zip(pool.counts());
    counts.filter(|&(_, &count)| count > 0).map(|(role, _)| Some(role)).collect()
}

fn without(pools: &ByColor<RolePool>, color: Color, role: Option<Role>) -> ByColor<RolePool> {
    let mut pools = *pools;
    if let Some(role) = role {
        pools[color].remove(role.index());
    }
    pools
}

impl Perft {
    /// The lines of `depth` plies with `color` to move.
    pub fn count(&self, board: &Board, color: Color, pools: &ByColor<RolePool>, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.last_plies(board, color, pools),
            _ => {
                let mut lines = 0;
                self.each_child(board, color, pools, |child, pools| {
                    lines += self.count(child, color.other(), pools, depth - 1);
                });
                lines
            }
        }
    }

    /// The lines of `depth` plies, each played to its last ply, whose outcomes all count.
    pub fn count_played(&self, board: &Board, color: Color, pools: &ByColor<RolePool>, depth: u32) -> u64 {
        if depth == 0 {
            // Or the compiler would see that nobody looks at this board, and not make it.
            black_box(board);
            return 1;
        }
        let mut lines = 0;
        self.each_child(board, color, pools, |child, pools| {
            lines += self.count_played(child, color.other(), pools, depth - 1);
        });
        lines
    }

    /// The plies of `color` as they are to be counted, none of them played.
    fn last_plies(&self, board: &Board, color: Color, pools: &ByColor<RolePool>) -> u64 {
        let opened = identities(&pools[color]).len();
        let taken = identities(&pools[color.other()]).len();
        let mut plies = 0;
        board.legal_targets(color, |from, targets| {
            plies += match self.last_ply {
                PerftCount::Moves => targets.len() as usize,
                PerftCount::Outcomes => {
                    let branching = self.branching(board, targets);
                    let outcomes =
                        targets.without(branching).len() as usize + branching.len() as usize * taken;
                    outcomes * if board.face_down().contains(from) { opened } else { 1 }
                }
            };
            true
        });
        plies as u64
    }

    /// Plays every ply of `color` with everything it may uncover.
    fn each_child(
        &self,
        board: &Board,
        color: Color,
        pools: &ByColor<RolePool>,
        mut visit: impl FnMut(&Board, &ByColor<RolePool>),
    ) {
        let opened_faces = identities(&pools[color]);
        let taken_faces = identities(&pools[color.other()]);
        board.legal_targets(color, |from, targets| {
            let opened: &[_] = if board.face_down().contains(from) { &opened_faces } else { &[None] };
            let branching = self.branching(board, targets);
            for to in targets {
                for &face in opened {
                    let mut child = board.clone();
                    child.play(from, to, face);
                    let pools = without(pools, color, face);
                    let taken: &[_] = if branching.contains(to) { &taken_faces } else { &[None] };
                    for &face in taken {
                        visit(&child, &without(&pools, color.other(), face));
                    }
                }
            }
            true
        });
    }

    /// The targets that have a child for each thing taken there.
    fn branching(&self, board: &Board, targets: SquareSet) -> SquareSet {
        if self.takes_branch { targets & board.face_down() } else { SquareSet::EMPTY }
    }
}
