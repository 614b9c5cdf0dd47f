//! Games in shards, and how far the workers who share them have come.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::record::{Dataset, Found, GameRecord, RecordError, shard_name};

/// Games that are played, kept and lost by shards. Workers take one shard after the other, whoever is free.
#[derive(Debug)]
pub struct Shards<'a> {
    /// Of all shards together.
    games: u32,
    games_per_shard: u32,
    /// Where they are kept, if they are, and what the shards' names begin with.
    kept_in: Option<(&'a Dataset, &'a str)>,
    /// The number of the next shard that nobody has looked at.
    next: AtomicU32,
    found: AtomicU32,
    played: AtomicU32,
    /// Nobody is to begin another shard.
    stopped: AtomicBool,
}

/// A shard could not be read, kept, or removed.
#[derive(Debug, thiserror::Error)]
#[error("shard {shard} could not be read or kept")]
pub struct ShardError {
    pub shard: u32,
    pub source: RecordError,
}

impl<'a> Shards<'a> {
    /// # Panics
    ///
    /// If a shard is to hold no game.
    pub fn new(games: u32, games_per_shard: u32, kept_in: Option<(&'a Dataset, &'a str)>) -> Self {
        assert!(games_per_shard > 0, "a shard holds a game");
        Self {
            games,
            games_per_shard,
            kept_in,
            next: AtomicU32::new(0),
            found: AtomicU32::new(0),
            played: AtomicU32::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    /// How many shards there are.
    pub fn count(&self) -> u32 {
        self.games.div_ceil(self.games_per_shard)
    }

    /// Shards that were found finished.
    pub fn found(&self) -> u32 {
        self.found.load(Ordering::Relaxed)
    }

    /// Shards that were played.
    pub fn played(&self) -> u32 {
        self.played.load(Ordering::Relaxed)
    }

    /// How many of `tables` a worker makes use of when so many share the games: with more, the first would take
    /// what the others could play meanwhile.
    pub fn tables_for_each(&self, workers: usize, tables: usize) -> usize {
        let shards = (self.count() as usize).div_ceil(workers.max(1));
        tables.min(shards.saturating_mul(self.games_per_shard as usize)).max(1)
    }

    /// Lets no worker begin another shard.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Does a worker's work; if it fails, or panics, the others finish what they have begun and no more.
    pub fn share<T, E>(&self, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let _alarm = Alarm(self);
        work().inspect_err(|_| self.stop())
    }

    /// The next shard that nobody has looked at, with the numbers of its games; none after the last.
    pub(super) fn next(&self) -> Option<(u32, Range<u32>)> {
        if self.stopped.load(Ordering::Relaxed) {
            return None;
        }
        let shard = self.next.fetch_add(1, Ordering::Relaxed);
        let start = shard.saturating_mul(self.games_per_shard).min(self.games);
        let games = start..start.saturating_add(self.games_per_shard).min(self.games);
        (!games.is_empty()).then_some((shard, games))
    }

    /// What there is of a shard already.
    pub(super) fn find(&self, shard: u32) -> Result<Found, ShardError> {
        let Some((dataset, prefix)) = self.kept_in else { return Ok(Found::Nothing) };
        let found = dataset.shard(prefix, shard).map_err(|source| ShardError { shard, source })?;
        self.found.fetch_add(u32::from(matches!(found, Found::Whole)), Ordering::Relaxed);
        Ok(found)
    }

    /// Keeps a shard that was played.
    pub(super) fn keep(&self, shard: u32, records: &[GameRecord]) -> Result<(), ShardError> {
        if let Some((dataset, prefix)) = self.kept_in {
            dataset.write_shard(prefix, shard, records).map_err(|source| ShardError { shard, source })?;
        }
        self.played.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// The games of a shard that was found, in order.
    pub(super) fn read(&self, shard: u32) -> Result<Vec<GameRecord>, ShardError> {
        let (dataset, prefix) = self.kept_in.expect("only what is kept is found");
        dataset.read_shard(prefix, shard).map_err(|source| ShardError { shard, source })
    }

    /// Removes what is kept of the shards from `first` on.
    ///
    /// # Errors
    ///
    /// If the disk refuses.
    pub fn remove_from(&self, first: u32) -> Result<(), ShardError> {
        let Some((dataset, prefix)) = self.kept_in else { return Ok(()) };
        (first..self.count()).try_for_each(|shard| {
            let removed = dataset.remove_shard(&shard_name(prefix, shard));
            removed.map_err(|source| ShardError { shard, source })
        })
    }
}

/// Tells the others when a worker panics: they would else play on to the end.
struct Alarm<'a>(&'a Shards<'a>);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}
