//! Where workers hand in finished shards, which are counted in the order of their numbers.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Counted, End, PairOfGames, Sprt, Standing};

/// Counts shards in the order of their numbers, whatever the order they come in, so that neither the
/// standing nor the pair that decides the match hangs on which worker is faster.
pub struct Desk {
    sprt: Option<Sprt>,
    counted: Counted,
    books: Mutex<Books>,
}

#[derive(Default)]
struct Books {
    /// Shards that came before one with a smaller number.
    early: BTreeMap<u32, Vec<PairOfGames>>,
    next: u32,
    standing: Standing,
    closed: bool,
}

impl Desk {
    pub fn new(sprt: Option<Sprt>, counted: Counted) -> Self {
        Self { sprt, counted, books: Mutex::default() }
    }

    pub fn take(&self, shard: u32, pairs: Vec<PairOfGames>) {
        let mut books = self.books();
        books.early.insert(shard, pairs);
        loop {
            let next = books.next;
            let Some(pairs) = books.early.remove(&next) else { return };
            books.next += 1;
            for pair in pairs {
                if matches!(books.standing.end, End::Decided(_)) {
                    return;
                }
                books.standing.add(pair);
                if let Some(verdict) =
                    self.sprt.and_then(|sprt| sprt.verdict_on(&books.standing, self.counted))
                {
                    books.standing.end = End::Decided(verdict);
                    books.closed = true;
                }
            }
        }
    }

    /// Lets no worker begin another shard.
    pub fn close(&self) {
        self.books().closed = true;
    }

    pub fn is_closed(&self) -> bool {
        self.books().closed
    }

    /// The standing; `end` says how the match ended if it was not decided.
    pub fn standing(self, end: End) -> Standing {
        let mut standing = self.books.into_inner().unwrap_or_else(PoisonError::into_inner).standing;
        if !matches!(standing.end, End::Decided(_)) {
            standing.end = end;
        }
        standing
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
