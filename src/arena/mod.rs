//! Matches between two players, on paired deals, and what they say of the players' strength.
//!
//! A match is played in shards of whole pairs, like self-play: what a shard holds depends on the match
//! alone, so a match that was cut off goes on, and ends as if it had not been. The standing is told from
//! the records of the games, taken in the order of their numbers. Once a sequential test has decided a match,
//! games in progress are dropped, and shards that came after the deciding one are not kept: a folder holds the
//! same games whatever the number of threads.

mod clerk;
mod conduct;
mod considered;
mod desk;
mod ladder;
mod luck;
mod pairing;
mod rating;
mod sprt;
mod standing;

use std::sync::Arc;

use crate::eval::{EvalError, Evaluator};
use crate::game::{Game, fnv1a};
use crate::progress::Progress;
use crate::record::Dataset;
use crate::tables::{
    Counters, Manners, Mind, Player, Room, RoomError, ShardError, Shards, Start, Ticket, Worker,
};
use clerk::Clerk;
use desk::Desk;

pub use conduct::Conduct;
pub use considered::Considered;
pub use ladder::{Ladder, Meeting, Rung};
pub use luck::{LuckError, luck};
pub use pairing::Pairing;
pub use rating::{Elo, Score};
pub use sprt::{Counted, Sprt, SprtError, Verdict};
pub use standing::{End, Mean, PairOfGames, Standing};

/// Pairs to a shard, unless something else is asked for: few, so that the last shards end together, a sequential
/// test is told soon of what was played, and little is lost with a worker.
pub const PAIRS_PER_SHARD: u32 = 4;

/// The most games that one worker has in progress; their positions share their batches.
const SLOTS: usize = 64;

/// Two players and how they meet.
pub struct Match<'a, G: Game> {
    pub rules: &'a Arc<G::Profile>,
    /// The player whose score is counted, and the opponent.
    pub players: [Player; 2],
    /// At most so many; in both games of a pair the same pieces turn up, the players changing seats.
    pub pairs: u32,
    pub pairing: Pairing,
    /// Both games of a pair have one seed, so that they are one game, the seats changed, as long as the players
    /// choose alike: for players who differ in one thing alone.
    pub mirrored: bool,
    /// Pairs that one worker plays, and that are kept or lost together. Part of what the kept games are, and of
    /// nothing else.
    pub pairs_per_shard: u32,
    /// Ends the match as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// What that goes by.
    pub counted: Counted,
    pub seed: u64,
}

/// Makes what a worker judges positions with.
pub struct Judges<'a, G: Game> {
    /// The players' evaluators, in the order in which the players' minds name them.
    pub players: &'a (dyn Fn() -> Result<Vec<Box<dyn Evaluator<G>>>, EvalError> + Sync),
    /// The evaluator that luck is measured by, on the referee's side.
    pub luck: &'a (dyn Fn() -> Result<Box<dyn Evaluator<G>>, EvalError> + Sync),
}

/// A match could not go on. Finished shards are kept.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error(transparent)]
    Room(#[from] RoomError),
    #[error("cannot make an evaluator for a worker")]
    Evaluator(#[from] EvalError),
    #[error(transparent)]
    Shard(#[from] ShardError),
    #[error("the luck of the games in shard {shard} could not be told")]
    Luck { shard: u32, source: LuckError },
}

impl<G: Game> Match<'_, G> {
    /// Plays the match on all threads of `pool`, keeping the games in `dataset` and not playing again what
    /// it holds. The standing depends on the number of threads only if a player's time is limited.
    ///
    /// A match that the user interrupts ends with the pairs that stand in an unbroken row from the first.
    ///
    /// # Errors
    ///
    /// If an evaluator fails, or a shard cannot be written or read.
    pub fn play(
        &self,
        pool: &rayon::ThreadPool,
        judges: &Judges<'_, G>,
        dataset: Option<&Dataset>,
        progress: &dyn Progress,
    ) -> Result<Standing, MatchError> {
        let name = format!("{} against {}", self.players[0].name, self.players[1].name);
        progress.stage(&name, "games", Some(2 * u64::from(self.pairs)));
        let counters = Counters::start();
        let pairs_per_shard = self.pairs_per_shard.min(self.pairs).max(1);
        let shards = Shards::new(2 * self.pairs, 2 * pairs_per_shard, dataset.map(|dataset| (dataset, "")));
        let desk = Desk::new(self.sprt, self.counted);
        // A player's time is its own only if no other game is thought about meanwhile.
        let slots =
            if self.is_timed() { 1 } else { shards.tables_for_each(pool.current_num_threads(), SLOTS) };
        let manners = Manners { record: true, end_dead_positions: true, ..Manners::default() };
        let work = || -> Result<(), MatchError> {
            let mut players = (judges.players)()?;
            let clerk = Clerk { contest: self, desk: &desk, judge: (judges.luck)()? };
            let room = Room { players: &self.players, manners, slots };
            Worker::new(clerk, &shards, &counters, progress).work(&room, &mut players)
        };
        let results = pool.broadcast(|_| shards.share(work));
        let interrupted = |error: &MatchError| matches!(error, MatchError::Room(RoomError::Interrupted));
        let mut end = End::AllPlayed;
        for error in results.into_iter().filter_map(Result::err) {
            if !interrupted(&error) {
                return Err(error);
            }
            end = End::Interrupted;
        }
        if let Some(counted) = desk.decided_after() {
            shards.remove_from(counted)?;
        }
        Ok(desk.standing(end))
    }

    /// Whether a player's time is limited, so that the match does not repeat.
    pub fn is_timed(&self) -> bool {
        self.players.iter().any(|player| matches!(player.mind, Mind::Search { time: Some(_), .. }))
    }

    /// A game of the match: one of the two of a pair, which have one fate, the seats changed.
    fn ticket(&self, game: u32) -> Ticket<G> {
        let (pair, seats) = (game / 2, if game.is_multiple_of(2) { [0, 1] } else { [1, 0] });
        let [first, second] = self.players.each_ref().map(|player| &player.name);
        let name = format!("{}/{}/{first}/{second}/{pair}", G::NAME, self.seed);
        let fate_seed = fnv1a(format!("fate of {name}").as_bytes());
        let game = format!("{name}/{}", seats[0]);
        let seeded = if self.mirrored { &name } else { &game };
        Ticket {
            game_id: fnv1a(game.as_bytes()),
            seed: fnv1a(format!("seed of {seeded}").as_bytes()),
            seats,
            fate: self.pairing.fate(self.rules, fate_seed),
            start: Start::Fresh(self.rules.clone()),
        }
    }
}
