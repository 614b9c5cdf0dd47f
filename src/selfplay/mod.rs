//! Games of a player against itself, written as shards of a dataset.
//!
//! A shard is the unit of repetition and of storage: one worker plays its games and writes them at the end,
//! whole or not at all. What it holds depends on the run's seed, the settings, the evaluator and the shard's
//! number, and on nothing else: what an evaluator says of a position does not hang on its company, unless it asks a
//! graphics card. A shard that exists is done; one that does not is played again.

mod config;
mod rules;

use std::sync::Arc;
use std::time::{Duration, Instant};

pub use config::{ResignConfig, SelfplayConfig};
pub use rules::RuleNames;

use crate::eval::{EvalError, Evaluator};
use crate::game::{Game, fnv1a};
use crate::progress::Progress;
use crate::record::{Dataset, turn_of};
use crate::search::SearchConfig;
use crate::tables::{
    Cheap, Counters, Course, Fate, Manners, Mind, Player, Resign, Room, RoomError, ShardError, Shards, Start,
    Tally, Ticket, Work, Worker,
};
use crate::units::Probability;

/// Self-play could not go on. Finished shards are kept.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    #[error(transparent)]
    Room(#[from] RoomError),
    #[error("cannot make an evaluator for a worker")]
    Evaluator(#[from] EvalError),
    #[error(transparent)]
    Shard(#[from] ShardError),
}

/// What to play, and what to call it.
pub struct Selfplay<'a, G: Game> {
    /// At least one; shards take turns, as in the dataset they go to.
    pub rules: &'a [Arc<G::Profile>],
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
    /// worker's evaluator, and `counters` are told what is done.
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
        counters: &Counters,
        progress: &dyn Progress,
    ) -> Result<Totals, SelfplayError> {
        progress.stage(&format!("self-play by {}", self.player), "games", Some(u64::from(self.games)));
        let per_shard = self.config.games_per_shard.size() as u32;
        let shards = Shards::new(self.games, per_shard, Some((dataset, self.prefix.as_str())));
        let slots = shards.tables_for_each(pool.current_num_threads(), self.config.slots.size());
        let work = || -> Result<Instant, SelfplayError> {
            let mut judges = [judge()?];
            let mut worker = Worker::new(self, &shards, counters, progress);
            self.room(slots, |room| worker.work(&room, &mut judges))?;
            Ok(Instant::now())
        };
        let results = pool.broadcast(|_| shards.share(work));
        let ends = results.into_iter().collect::<Result<Vec<Instant>, _>>()?;
        let last = ends.iter().max().copied();
        for end in ends {
            counters.spend(Work::Waiting, last.map_or(Duration::ZERO, |last| last - end));
        }
        Ok(Totals { shards_kept: shards.found(), shards_played: shards.played(), tally: counters.tally() })
    }

    /// The rules of the game of a number.
    fn rules_of(&self, game: u32) -> &Arc<G::Profile> {
        let shard = game / self.config.games_per_shard.size() as u32;
        &self.rules[turn_of(&self.prefix, shard, self.rules.len())]
    }

    /// Lets `play` have the room in which a worker's games are played.
    fn room<T>(&self, slots: usize, play: impl FnOnce(Room<'_>) -> T) -> T {
        let player = Player {
            name: self.player.clone(),
            mind: Mind::Search { judge: 0, config: *self.search, time: None },
            restraint: None,
        };
        let manners = Manners {
            record: true,
            audit: self.config.audit_share,
            explore: self.config.explore_share,
            cheap: (self.config.cheap_share > Probability::ZERO)
                .then_some(Cheap { share: self.config.cheap_share, visits: self.config.cheap_visits }),
            end_dead_positions: self.config.end_dead_positions,
            resign: self.config.resign.as_ref().map(|resign| Resign {
                hopeless: resign.hopeless,
                plies: resign.plies.size() as u32,
                played_out: resign.played_out,
            }),
        };
        play(Room { players: &[player], manners, slots })
    }
}

impl<G: Game> Course<G> for &Selfplay<'_, G> {
    type Error = SelfplayError;

    fn ticket(&self, game: u32) -> Ticket<G> {
        let name = format!("{}/{}/{}/{game}", G::NAME, self.seed, self.prefix);
        Ticket {
            game_id: fnv1a(name.as_bytes()),
            seed: fnv1a(format!("seed of {name}").as_bytes()),
            seats: [0, 0],
            fate: Fate::Odds,
            start: Start::Fresh(self.rules_of(game).clone()),
        }
    }
}
