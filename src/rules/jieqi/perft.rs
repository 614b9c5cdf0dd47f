//! Counting the tree below a position without walking its last ply.

use super::RolePool;
use super::board::Board;
use crate::game::PerftCount;
use crate::rules::pieces::{ByColor, Color, Role};

/// The lines of `depth` plies with `color` to move; only mate and stalemate end one early.
///
/// A face-down mover has one child for each distinct identity in its pool; a face-down piece that is
/// taken stays in its pool and does not branch.
pub fn count(board: &Board, color: Color, pools: &ByColor<RolePool>, depth: u32, last: PerftCount) -> u64 {
    if depth == 0 {
        return 1;
    }
    let pool = &pools[color];
    let identities =
        Role::ALL.into_iter().take(pool.counts().len()).filter(|role| pool.count(role.index()) > 0);
    let mut lines = 0;
    board.legal_targets(color, |from, targets| {
        let face_down = board.face_down().contains(from);
        if depth == 1 {
            let ways = if face_down && last == PerftCount::Outcomes { identities.clone().count() } else { 1 };
            lines += u64::from(targets.len()) * ways as u64;
            return true;
        }
        for to in targets {
            if face_down {
                for role in identities.clone() {
                    let mut pools = *pools;
                    pools[color].remove(role.index());
                    let mut child = board.clone();
                    child.play(from, to, Some(role));
                    lines += count(&child, color.other(), &pools, depth - 1, last);
                }
            } else {
                let mut child = board.clone();
                child.play(from, to, None);
                lines += count(&child, color.other(), pools, depth - 1, last);
            }
        }
        true
    });
    lines
}
