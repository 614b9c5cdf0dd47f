//! The plies since the last one that cannot be taken back, kept where the rules count repetitions.

use super::Move;
use crate::rules::hashing::mix;

/// A quiet ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Past {
    mv: Move,
    /// The key of the position it was played in.
    key: u64,
}

/// The plies since the last flip or capture, oldest first: no position from before can recur.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct History {
    plies: Vec<Past>,
    hash: u64,
}

impl Clone for History {
    fn clone(&self) -> Self {
        Self { plies: self.plies.clone(), hash: self.hash }
    }

    fn clone_from(&mut self, source: &Self) {
        self.plies.clone_from(&source.plies);
        self.hash = source.hash;
    }
}

impl History {
    /// Adds a ply played in the position that has `key`.
    pub fn push(&mut self, mv: Move, key: u64) {
        self.plies.push(Past { mv, key });
        self.hash = mix(self.hash, key);
    }

    #[inline]
    pub fn restart(&mut self) {
        self.plies.clear();
        self.hash = 0;
    }

    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.plies.iter().map(|past| past.mv)
    }

    pub fn is_empty(&self) -> bool {
        self.plies.is_empty()
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
