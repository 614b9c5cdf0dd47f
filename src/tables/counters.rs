//! What was done at the tables, counted across workers while they work.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::{Played, Surrenders};
use crate::game::EndReason;
use crate::progress::Progress;

/// What a worker's time goes into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Trees, moves, and what is written down of a ply.
    Searching,
    /// Bringing positions into the form an evaluator takes.
    Encoding,
    /// The evaluator itself.
    Judging,
    /// Bringing finished games to the disk.
    Writing,
    /// Nothing is left to do while other workers end theirs.
    Waiting,
}

impl Work {
    const ALL: [Self; 5] = [Self::Searching, Self::Encoding, Self::Judging, Self::Writing, Self::Waiting];
}

/// What was done, counted across workers while they work.
#[derive(Debug)]
pub struct Counters {
    /// Games that were found done; they count towards progress alone.
    skipped: AtomicU64,
    games: AtomicU64,
    plies: AtomicU64,
    resigned: AtomicU64,
    played_out: AtomicU64,
    mistaken: AtomicU64,
    positions: AtomicU64,
    batches: AtomicU64,
    /// Nanoseconds of all workers together, by [`Work`].
    spent: [AtomicU64; 5],
    started: Instant,
}

/// What was done, all told.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    pub games: u64,
    pub plies: u64,
    pub surrenders: Surrenders,
    /// Positions that evaluators judged.
    pub positions: u64,
    /// Batches they were judged in.
    pub batches: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    pub spent: Spent,
}

/// Seconds of all workers together, by what they went into; see [`Work`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spent {
    pub searching: f64,
    pub encoding: f64,
    pub judging: f64,
    pub writing: f64,
    pub waiting: f64,
}

impl Counters {
    /// Starts counting, and the clock.
    pub fn start() -> Self {
        Self {
            skipped: AtomicU64::new(0),
            games: AtomicU64::new(0),
            plies: AtomicU64::new(0),
            resigned: AtomicU64::new(0),
            played_out: AtomicU64::new(0),
            mistaken: AtomicU64::new(0),
            positions: AtomicU64::new(0),
            batches: AtomicU64::new(0),
            spent: Work::ALL.map(|_| AtomicU64::new(0)),
            started: Instant::now(),
        }
    }

    pub fn tally(&self) -> Tally {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let seconds = |work: Work| read(&self.spent[work as usize]) as f64 / 1e9;
        Tally {
            games: read(&self.games),
            plies: read(&self.plies),
            surrenders: Surrenders {
                resigned: read(&self.resigned),
                played_out: read(&self.played_out),
                mistaken: read(&self.mistaken),
            },
            positions: read(&self.positions),
            batches: read(&self.batches),
            seconds: self.started.elapsed().as_secs_f64(),
            spent: Spent {
                searching: seconds(Work::Searching),
                encoding: seconds(Work::Encoding),
                judging: seconds(Work::Judging),
                writing: seconds(Work::Writing),
                waiting: seconds(Work::Waiting),
            },
        }
    }

    /// Some games need not be played: they were found done.
    pub fn skip(&self, games: u64) {
        self.skipped.fetch_add(games, Ordering::Relaxed);
    }

    /// Does some work and counts the time it takes.
    pub fn timed<T>(&self, work: Work, act: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = act();
        self.spend(work, start.elapsed());
        done
    }

    pub fn spend(&self, work: Work, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.spent[work as usize].fetch_add(nanoseconds, Ordering::Relaxed);
    }

    pub(super) fn count_game(&self, played: &Played) {
        let count = |counter: &AtomicU64, number: u64| counter.fetch_add(number, Ordering::Relaxed);
        count(&self.games, 1);
        count(&self.plies, played.plies.into());
        if let Some(surrender) = played.surrender {
            let ended = played.outcome.reason == EndReason::Resignation;
            let lost = played.outcome.winner == Some(surrender.seat.other());
            count(&self.resigned, ended.into());
            count(&self.played_out, (!ended).into());
            count(&self.mistaken, (!lost).into());
        }
    }

    pub(super) fn count_batch(&self, positions: usize) {
        self.positions.fetch_add(positions as u64, Ordering::Relaxed);
        self.batches.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn report(&self, progress: &dyn Progress) {
        let tally = self.tally();
        progress.update(self.skipped.load(Ordering::Relaxed) + tally.games, &tally.to_string());
    }
}

impl Tally {
    /// Positions to a batch; 0 if there was none.
    pub fn mean_batch(&self) -> f64 {
        self.positions as f64 / self.batches.max(1) as f64
    }

    /// Positions judged in a second of wall-clock time.
    pub fn positions_per_second(&self) -> f64 {
        self.per_second(self.positions)
    }

    fn per_second(&self, count: u64) -> f64 {
        count as f64 / self.seconds.max(1e-9)
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:.0} plies/s  {:.0} positions/s  mean batch {:.0}",
            self.per_second(self.plies),
            self.positions_per_second(),
            self.mean_batch(),
        )?;
        let Surrenders { resigned, played_out, mistaken } = self.surrenders;
        if resigned + played_out > 0 {
            write!(f, "  {resigned} games given up, {mistaken} of {played_out} played out wrongly")?;
        }
        Ok(())
    }
}
