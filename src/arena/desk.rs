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
}

impl Books {
    fn is_decided(&self) -> bool {
        matches!(self.standing.end, End::Decided(_))
    }
}

impl Desk {
    pub fn new(sprt: Option<Sprt>, counted: Counted) -> Self {
        Self { sprt, counted, books: Mutex::default() }
    }

    pub fn take(&self, shard: u32, pairs: Vec<PairOfGames>) {
        let mut books = self.books();
        books.early.insert(shard, pairs);
        while !books.is_decided() {
            let next = books.next;
            let Some(pairs) = books.early.remove(&next) else { return };
            books.next += 1;
            for pair in pairs {
                books.standing.add(pair);
                let sprt = self.sprt.as_ref();
                if let Some(verdict) = sprt.and_then(|sprt| sprt.verdict_on(&books.standing, self.counted)) {
                    books.standing.end = End::Decided(verdict);
                    break;
                }
            }
        }
    }

    pub fn is_decided(&self) -> bool {
        self.books().is_decided()
    }

    /// How many shards were counted until the match was decided; none if it was not.
    pub fn decided_after(&self) -> Option<u32> {
        let books = self.books();
        books.is_decided().then_some(books.next)
    }

    /// The standing; `end` says how the match ended if it was not decided.
    pub fn standing(self, end: End) -> Standing {
        let mut books = self.books.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !books.is_decided() {
            books.standing.end = end;
        }
        books.standing
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
