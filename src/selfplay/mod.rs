//! Games of a player against itself, written as shards of a dataset.
//!
//! A shard is the unit of work, of repetition and of storage: its games are played in one room by one
//! worker and written at the end, whole or not at all. What it holds depends on the run's seed, the
//! settings, the evaluator and the shard's number, and on nothing else. A shard that exists is done; one
//! that does not is played again.

mod config;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

pub use config::SelfplayConfig;

use crate::eval::{EvalError, Evaluator};
use crate::game::{Game, fnv1a};
use crate::progress::Progress;
use crate::record::{Dataset, Found, GameRecord, RecordError};
use crate::search::SearchConfig;
use crate::tables::{Counters, Fate, Manners, Mind, Player, Room, RoomError, Tally, Ticket};

/// Self-play could not go on. Finished shards are kept.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    #[error(transparent)]
    Room(#[from] RoomError),
    #[error("cannot make an evaluator for a worker")]
    Evaluator(#[from] EvalError),
    #[error("shard {shard} could not be kept")]
    Record { shard: u32, source: RecordError },
}

/// What to play, and what to call it.
pub struct Selfplay<'a, G: Game> {
    pub rules: &'a Arc<G::Profile>,
    pub config: &'a SelfplayConfig,
    pub search: &'a SearchConfig,
    /// The evaluator's name, for the games table.
    pub player: String,
    /// The start of the shards' names; empty, or the generation's.
    pub prefix: String,
    pub games: u32,
    pub seed: u64,
}

/// What self-play did in one call.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Shards found finished.
    pub shards_kept: u32,
    pub shards_played: u32,
    /// Of the shards played.
    pub tally: Tally,
}

impl<G: Game> Selfplay<'_, G> {
    /// Plays the shards that `dataset` does not hold yet, on all threads of `pool`; `judge` makes a
    /// worker's evaluator.
    ///
    /// # Errors
    ///
    /// If an evaluator fails, a file cannot be written, or the user interrupts; shards in progress are
    /// then dropped.
    pub fn play(
        &self,
        dataset: &Dataset,
        pool: &rayon::ThreadPool,
        judge: &(dyn Fn() -> Result<Box<dyn Evaluator<G>>, EvalError> + Sync),
        progress: &dyn Progress,
    ) -> Result<Totals, SelfplayError> {
        progress.stage(&format!("self-play by {}", self.player), "games", Some(u64::from(self.games)));
        let counters = Counters::start();
        let [next, kept, played] = [(); 3].map(|()| AtomicU32::new(0));
        let failed = AtomicBool::new(false);
        let work = || -> Result<(), SelfplayError> {
            let mut judges = [judge()?];
            while !failed.load(Ordering::Relaxed) {
                let shard = next.fetch_add(1, Ordering::Relaxed);
                let games = self.games_of(shard);
                if games.is_empty() {
                    break;
                }
                let unusable = |source| SelfplayError::Record { shard, source };
                match dataset.shard(&self.prefix, shard).map_err(unusable)? {
                    Found::Nothing => {}
                    Found::Broken(error) => {
                        progress.say(&format!("shard {shard} is played again: {error}"));
                    }
                    Found::Whole => {
                        kept.fetch_add(1, Ordering::Relaxed);
                        counters.skip(games.len() as u64);
                        continue;
                    }
                }
                let records = self.play_shard(games, &mut judges, &counters, progress)?;
                dataset.write_shard(&self.prefix, shard, &records).map_err(unusable)?;
                played.fetch_add(1, Ordering::Relaxed);
            }
            Ok(())
        };
        let results = pool.broadcast(|_| work().inspect_err(|_| failed.store(true, Ordering::Relaxed)));
        results.into_iter().collect::<Result<(), _>>()?;
        Ok(Totals {
            shards_kept: kept.into_inner(),
            shards_played: played.into_inner(),
            tally: counters.tally(),
        })
    }

    /// Plays one shard's games and returns them in the order of their numbers.
    fn play_shard(
        &self,
        games: Range<u32>,
        judges: &mut [Box<dyn Evaluator<G>>; 1],
        counters: &Counters,
        progress: &dyn Progress,
    ) -> Result<Vec<GameRecord>, RoomError> {
        let tickets: Vec<_> = games.map(|game| self.ticket(game)).collect();
        let player = Player {
            name: self.player.clone(),
            mind: Mind::Search { judge: 0, config: *self.search, time: None },
        };
        let manners = Manners {
            record: true,
            audit: self.config.audit_share,
            explore: self.config.explore_share,
            end_dead_positions: self.config.end_dead_positions,
        };
        let slots = self.config.slots.size();
        let room = Room { rules: self.rules, players: &[player], manners, slots };
        let played = room.play(tickets, judges, counters, progress)?;
        Ok(played.into_iter().filter_map(|played| played.record).collect())
    }

    /// The numbers of a shard's games within the run; none for a shard past the last.
    fn games_of(&self, shard: u32) -> Range<u32> {
        let per_shard = self.config.games_per_shard.size() as u32;
        let start = shard.saturating_mul(per_shard).min(self.games);
        start..start.saturating_add(per_shard).min(self.games)
    }

    fn ticket(&self, game: u32) -> Ticket<G> {
        let name = format!("{}/{}/{}/{game}", G::NAME, self.seed, self.prefix);
        Ticket {
            game_id: fnv1a(name.as_bytes()),
            seed: fnv1a(format!("seed of {name}").as_bytes()),
            seats: [0, 0],
            fate: Fate::Odds,
        }
    }
}
