//! What one worker plays: shard after shard, without a pause between them.

use std::collections::VecDeque;
use std::ops::Range;

use super::shards::{ShardError, Shards};
use super::{Counters, Host, Played, Room, RoomError, Ticket, Work};
use crate::eval::Evaluator;
use crate::game::Game;
use crate::progress::Progress;
use crate::record::{Found, GameRecord};

/// What games a worker plays, and what it makes of them besides keeping them.
pub trait Course<G: Game> {
    type Error: From<RoomError> + From<ShardError>;

    /// Whether the games are wanted back, those that were found kept included.
    const WANTS_GAMES: bool = false;

    /// The game of a number.
    fn ticket(&self, game: u32) -> Ticket<G>;

    /// Takes the games of a finished shard, in order, once they are kept.
    ///
    /// # Errors
    ///
    /// If the work cannot go on.
    fn take(&mut self, _shard: u32, _games: &[GameRecord]) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Whether no game counts any more, even of those in play.
    fn is_over(&self) -> bool {
        false
    }
}

/// Sends the games of one shard after the other to a room. While the last games of a shard are being played
/// the first ones of the next take the free tables, so that batches stay full to the end of the work.
pub struct Worker<'a, C> {
    course: C,
    shards: &'a Shards<'a>,
    counters: &'a Counters,
    progress: &'a dyn Progress,
    begun: VecDeque<Begun>,
    /// Games sent so far.
    sent: usize,
}

/// A shard of which some games are played and some are not.
struct Begun {
    shard: u32,
    /// The numbers of games that have not been sent.
    waiting: Range<u32>,
    /// How many games the worker had sent before the shard's first.
    sent_before: usize,
    /// By place in the shard, once the game has ended.
    records: Vec<Option<GameRecord>>,
    unfinished: usize,
}

impl<'a, C> Worker<'a, C> {
    pub fn new(
        course: C,
        shards: &'a Shards<'a>,
        counters: &'a Counters,
        progress: &'a dyn Progress,
    ) -> Self {
        Self { course, shards, counters, progress, begun: VecDeque::new(), sent: 0 }
    }

    /// Plays in a room, whose manners record the games, until no shard is left or no game counts any more.
    ///
    /// # Errors
    ///
    /// As [`Room::play_for`]; if a shard cannot be read or kept; if the course cannot go on.
    pub fn work<G: Game>(
        &mut self,
        room: &Room<'_>,
        judges: &mut [Box<dyn Evaluator<G>>],
    ) -> Result<(), C::Error>
    where
        C: Course<G>,
    {
        let (counters, progress) = (self.counters, self.progress);
        room.play_for(self, judges, counters, progress)
    }

    /// Begins the next shard that is not kept yet; says whether there was one.
    fn begin_shard<G: Game>(&mut self) -> Result<bool, C::Error>
    where
        C: Course<G>,
    {
        while let Some((shard, games)) = self.shards.next() {
            match self.shards.find(shard)? {
                Found::Nothing => {}
                Found::Broken(error) => {
                    self.progress.say(&format!("shard {shard} is played again: {error}"));
                }
                Found::Whole => {
                    self.counters.skip(games.len() as u64);
                    if C::WANTS_GAMES {
                        self.course.take(shard, &self.shards.read(shard)?)?;
                    }
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
}

impl<G: Game, C: Course<G>> Host<G> for Worker<'_, C> {
    type Error = C::Error;

    fn next(&mut self) -> Result<Option<Ticket<G>>, C::Error> {
        loop {
            if let Some(game) = self.begun.back_mut().and_then(|shard| shard.waiting.next()) {
                self.sent += 1;
                return Ok(Some(self.course.ticket(game)));
            }
            if self.course.is_over() || !self.begin_shard()? {
                return Ok(None);
            }
        }
    }

    fn take(&mut self, played: Played) -> Result<(), C::Error> {
        let after = self.begun.iter().position(|begun| begun.sent_before > played.index);
        let place = after.unwrap_or(self.begun.len()) - 1;
        let begun = &mut self.begun[place];
        begun.records[played.index - begun.sent_before] = played.record;
        begun.unfinished -= 1;
        if begun.unfinished > 0 {
            return Ok(());
        }
        let done = self.begun.remove(place).expect("it was there just now");
        let games: Vec<GameRecord> = done.records.into_iter().flatten().collect();
        self.counters.timed(Work::Writing, || self.shards.keep(done.shard, &games))?;
        self.course.take(done.shard, &games)
    }

    fn is_over(&self) -> bool {
        self.course.is_over()
    }
}
