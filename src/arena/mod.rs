//! Matches between two players, on paired deals, and what they say of the players' strength.
//!
//! A match is played in shards of whole pairs, like self-play: what a shard holds depends on the match
//! alone, so a match that was cut off goes on, and ends as if it had not been. The standing is told from
//! the records of the games, taken in the order of their numbers.

mod conduct;
mod considered;
mod desk;
mod ladder;
mod luck;
mod pairing;
mod rating;
mod sprt;
mod standing;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::eval::{EvalError, Evaluator};
use crate::game::{Game, Seat, fnv1a};
use crate::progress::Progress;
use crate::record::{Dataset, Found, GameRecord, RecordError};
use crate::tables::{Counters, Manners, Mind, Player, Room, RoomError, Ticket};
use desk::Desk;

pub use conduct::Conduct;
pub use considered::Considered;
pub use ladder::{Ladder, Meeting, Rung};
pub use luck::{LuckError, luck};
pub use pairing::Pairing;
pub use rating::{Elo, Score};
pub use sprt::{Counted, Sprt, SprtError, Verdict};
pub use standing::{End, Mean, PairOfGames, Standing};

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
    /// Pairs that one worker plays at a time, and that are kept or lost together; their games share their
    /// batches.
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
    #[error("shard {shard} of the match could not be kept")]
    Record { shard: u32, source: RecordError },
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
        let next_shard = AtomicU32::new(0);
        let counters = Counters::start();
        let desk = Desk::new(self.sprt, self.counted);
        let work = || -> Result<(), MatchError> {
            let mut players = (judges.players)()?;
            let mut judge = (judges.luck)()?;
            while !desk.is_closed() {
                let shard = next_shard.fetch_add(1, Ordering::Relaxed);
                let pairs = self.pairs_of(shard);
                if pairs.is_empty() {
                    break;
                }
                let unusable = |source| MatchError::Record { shard, source };
                let found = dataset.map_or(Ok(Found::Nothing), |dataset| dataset.shard("", shard));
                let is_there = matches!(found.map_err(unusable)?, Found::Whole);
                let records = match dataset.filter(|_| is_there) {
                    Some(dataset) => {
                        counters.skip(2 * pairs.len() as u64);
                        dataset.read_shard("", shard)
                    }
                    None => {
                        let records = self.play_room(pairs, &mut players, &counters, progress)?;
                        let kept = dataset.map_or(Ok(()), |dataset| dataset.write_shard("", shard, &records));
                        kept.map(|()| records)
                    }
                };
                let records = records.map_err(unusable)?;
                let pairs = self.told(&records, judge.as_mut());
                desk.take(shard, pairs.map_err(|source| MatchError::Luck { shard, source })?);
            }
            Ok(())
        };
        let results = pool.broadcast(|_| work().inspect_err(|_| desk.close()));
        let interrupted = |error: &MatchError| matches!(error, MatchError::Room(RoomError::Interrupted));
        let mut end = End::AllPlayed;
        for error in results.into_iter().filter_map(Result::err) {
            if !interrupted(&error) {
                return Err(error);
            }
            end = End::Interrupted;
        }
        Ok(desk.standing(end))
    }

    fn play_room(
        &self,
        pairs: Range<u32>,
        judges: &mut [Box<dyn Evaluator<G>>],
        counters: &Counters,
        progress: &dyn Progress,
    ) -> Result<Vec<GameRecord>, RoomError> {
        let tickets: Vec<_> = pairs.flat_map(|pair| self.tickets(pair)).collect();
        // A player's time is its own only if no other game is thought about meanwhile.
        let slots = if self.is_timed() { 1 } else { tickets.len() };
        let manners = Manners { record: true, end_dead_positions: true, ..Manners::default() };
        let room = Room { rules: self.rules, players: &self.players, manners, slots };
        let played = room.play(tickets, judges, counters, progress)?;
        Ok(played.into_iter().filter_map(|played| played.record).collect())
    }

    /// Whether a player's time is limited, so that the match does not repeat.
    pub fn is_timed(&self) -> bool {
        self.players.iter().any(|player| matches!(player.mind, Mind::Search { time: Some(_), .. }))
    }

    /// The numbers of a shard's pairs within the match; none for a shard past the last.
    fn pairs_of(&self, shard: u32) -> Range<u32> {
        let start = shard.saturating_mul(self.pairs_per_shard).min(self.pairs);
        start..start.saturating_add(self.pairs_per_shard).min(self.pairs)
    }

    /// The two games of a pair: one fate, the seats changed.
    fn tickets(&self, pair: u32) -> [Ticket<G>; 2] {
        let [first, second] = self.players.each_ref().map(|player| &player.name);
        let name = format!("{}/{}/{first}/{second}/{pair}", G::NAME, self.seed);
        let fate_seed = fnv1a(format!("fate of {name}").as_bytes());
        [[0, 1], [1, 0]].map(|seats| {
            let game = format!("{name}/{}", seats[0]);
            let seeded = if self.mirrored { &name } else { &game };
            Ticket {
                game_id: fnv1a(game.as_bytes()),
                seed: fnv1a(format!("seed of {seeded}").as_bytes()),
                seats,
                fate: self.pairing.fate(self.rules, fate_seed),
                from: None,
            }
        })
    }

    /// What the records of whole pairs say of the player.
    fn told(
        &self,
        records: &[GameRecord],
        judge: &mut dyn Evaluator<G>,
    ) -> Result<Vec<PairOfGames>, LuckError> {
        let mut tell = |game: &GameRecord| -> Result<(i8, f64), LuckError> {
            Ok((game.result, luck::<G>(self.rules, game, judge)?))
        };
        let pairs = records.chunks_exact(2);
        pairs
            .map(|pair| {
                let told = PairOfGames::new(tell(&pair[0])?, tell(&pair[1])?);
                Ok(told.with_conduct(self.conduct(pair)?))
            })
            .collect()
    }

    /// How the player's restraint showed in the games of a pair, if there is one.
    fn conduct(&self, pair: &[GameRecord]) -> Result<Conduct, LuckError> {
        let mut conduct = Conduct::default();
        if let Some(restraint) = self.players[0].restraint.as_deref() {
            for (game, seat) in pair.iter().zip(Seat::BOTH) {
                conduct += Conduct::of_game::<G>(self.rules, game, seat, restraint)?;
            }
        }
        Ok(conduct)
    }
}
