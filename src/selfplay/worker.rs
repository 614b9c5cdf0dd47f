//! What one worker plays: shard after shard, without a pause between them.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::{Selfplay, SelfplayError};
use crate::game::Game;
use crate::progress::Progress;
use crate::record::{Dataset, Found, GameRecord};
use crate::tables::{Counters, Host, Played, Ticket, Work};

/// What the workers of one run of self-play have in common.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// The number of the next shard that nobody has looked at.
    next: AtomicU32,
    /// Shards found finished.
    pub kept: AtomicU32,
    pub played: AtomicU32,
    /// A worker failed: the others finish what they have begun.
    pub failed: AtomicBool,
}

/// Tells the others when a worker panics: they would else play on to the end of the run.
pub(super) struct Alarm<'a>(pub &'a Shared);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.failed.store(true, Ordering::Relaxed);
        }
    }
}

/// Sends the games of one shard after the other to a room. While the last games of a shard are being played
/// the first ones of the next take the free tables, so that batches stay full to the end of the run.
pub(super) struct Worker<'a, G: Game> {
    pub selfplay: &'a Selfplay<'a, G>,
    pub dataset: &'a Dataset,
    pub shared: &'a Shared,
    pub counters: &'a Counters,
    pub progress: &'a dyn Progress,
    begun: VecDeque<Begun>,
    /// Games sent so far.
    sent: usize,
}

/// A shard of which some games are played and some are not.
struct Begun {
    shard: u32,
    /// The numbers, within the run, of games that have not been sent.
    waiting: Range<u32>,
    /// How many games the worker had sent before the shard's first.
    sent_before: usize,
    /// By place in the shard, once the game has ended.
    records: Vec<Option<GameRecord>>,
    unfinished: usize,
}

impl<'a, G: Game> Worker<'a, G> {
    pub fn new(
        selfplay: &'a Selfplay<'a, G>,
        dataset: &'a Dataset,
        shared: &'a Shared,
        counters: &'a Counters,
        progress: &'a dyn Progress,
    ) -> Self {
        Self { selfplay, dataset, shared, counters, progress, begun: VecDeque::new(), sent: 0 }
    }

    /// Begins the next shard that the dataset does not hold; says whether there was one.
    fn begin_shard(&mut self) -> Result<bool, SelfplayError> {
        while !self.shared.failed.load(Ordering::Relaxed) {
            let shard = self.shared.next.fetch_add(1, Ordering::Relaxed);
            let games = self.selfplay.games_of(shard);
            if games.is_empty() {
                break;
            }
            let found = self.dataset.shard(&self.selfplay.prefix, shard);
            match found.map_err(|source| SelfplayError::Record { shard, source })? {
                Found::Nothing => {}
                Found::Broken(error) => {
                    self.progress.say(&format!("shard {shard} is played again: {error}"));
                }
                Found::Whole => {
                    self.shared.kept.fetch_add(1, Ordering::Relaxed);
                    self.counters.skip(games.len() as u64);
                    continue;
                }
            }
            self.begun.push_back(Begun {
                shard,
                sent_before: self.sent,
                records: games.clone().map(|_| None).collect(),
                unfinished: games.len(),
                waiting: games,
            });
            return Ok(true);
        }
        Ok(false)
    }

    fn write(&self, shard: u32, records: &[GameRecord]) -> Result<(), SelfplayError> {
        let write = || self.dataset.write_shard(&self.selfplay.prefix, shard, records);
        let written = self.counters.timed(Work::Writing, write);
        written.map_err(|source| SelfplayError::Record { shard, source })?;
        self.shared.played.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

impl<G: Game> Host<G> for Worker<'_, G> {
    type Error = SelfplayError;

    fn next(&mut self) -> Result<Option<Ticket<G>>, SelfplayError> {
        loop {
            if let Some(game) = self.begun.back_mut().and_then(|shard| shard.waiting.next()) {
                self.sent += 1;
                return Ok(Some(self.selfplay.ticket(game)));
            }
            if !self.begin_shard()? {
                return Ok(None);
            }
        }
    }

    fn take(&mut self, played: Played) -> Result<(), SelfplayError> {
        let after = self.begun.iter().position(|begun| begun.sent_before > played.index);
        let place = after.unwrap_or(self.begun.len()) - 1;
        let begun = &mut self.begun[place];
        begun.records[played.index - begun.sent_before] = played.record;
        begun.unfinished -= 1;
        if begun.unfinished > 0 {
            return Ok(());
        }
        let done = self.begun.remove(place).expect("it was there just now");
        self.write(done.shard, &done.records.into_iter().flatten().collect::<Vec<_>>())
    }
}
