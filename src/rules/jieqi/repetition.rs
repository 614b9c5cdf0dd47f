//! The plies that can still be undone by play, and how often a position has stood.

use super::Move;
use super::keys::mix;

/// A ply that neither took nor turned up a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Past {
    mv: Move,
    /// The key of the position it was played in.
    key: u64,
}

/// The plies since the last one that cannot be taken back, oldest first.
///
/// A capture or a reveal makes every earlier position unreachable: face-down pieces never come back. So
/// no position before it can recur, and it empties the history.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct History {
    plies: Vec<Past>,
    hash: u64,
}

impl History {
    /// Adds a ply played in the position that has `key`.
    pub fn push(&mut self, mv: Move, key: u64) {
        self.plies.push(Past { mv, key });
        self.hash = mix(self.hash, key);
    }

    pub fn clear(&mut self) {
        self.plies.clear();
        self.hash = 0;
    }

    pub fn len(&self) -> usize {
        self.plies.len()
    }

    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.plies.iter().map(|past| past.mv)
    }

    /// A hash of all positions in it, in their order.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// How often the position that has `key` stood before.
    pub fn occurrences(&self, key: u64) -> usize {
        // The side to move alternates, and no piece is back where it was in fewer than four plies.
        self.plies.iter().rev().skip(3).step_by(2).filter(|past| past.key == key).count()
    }
}
