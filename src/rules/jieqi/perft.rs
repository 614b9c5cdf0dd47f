//! Counting the tree below a position without walking its last ply.

use arrayvec::ArrayVec;

use super::RolePool;
use super::board::Board;
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
        if depth == 0 {
            return 1;
        }
        let opened_faces = identities(&pools[color]);
        let taken_faces = identities(&pools[color.other()]);
        let mut lines = 0;
        board.legal_targets(color, |from, targets| {
            let opened: &[_] = if board.face_down().contains(from) { &opened_faces } else { &[None] };
            let branching = if self.takes_branch { targets & board.face_down() } else { Default::default() };
            if depth == 1 {
                lines += match self.last_ply {
                    PerftCount::Moves => u64::from(targets.len()),
                    PerftCount::Outcomes => {
                        let plain = targets.without(branching).len() as usize;
                        let outcomes = plain + branching.len() as usize * taken_faces.len();
                        (opened.len() * outcomes) as u64
                    }
                };
                return true;
            }
            for to in targets {
                for &face in opened {
                    let mut child = board.clone();
                    child.play(from, to, face);
                    let pools = without(pools, color, face);
                    let taken: &[_] = if branching.contains(to) { &taken_faces } else { &[None] };
                    for &face in taken {
                        let pools = without(&pools, color.other(), face);
                        lines += self.count(&child, color.other(), &pools, depth - 1);
                    }
                }
            }
            true
        });
        lines
    }
}
