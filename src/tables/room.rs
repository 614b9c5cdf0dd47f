//! Many tables in lockstep.

use std::time::Instant;

use super::table::{Next, Table};
use super::{Counters, Manners, Played, Player, RoomError, Ticket, Work};
use crate::eval::{Evaluations, Evaluator, Query};
use crate::game::Game;
use crate::progress::Progress;

/// Where games are played, `slots` at a time.
///
/// Of several evaluators the one whose batch is largest judges next, and tables that wait for another go on waiting:
/// where one player thinks four times as long as the other, most tables come to wait for the same evaluator, and
/// no batch is smaller than half of what a room with one evaluator has.
pub struct Room<'a> {
    pub players: &'a [Player],
    pub manners: Manners,
    /// Tables in play at the same time; a table whose game ends takes the next ticket.
    pub slots: usize,
}

/// Who sends games to a room and takes them in when they are played.
pub trait Host<G: Game> {
    type Error: From<RoomError>;

    /// The next game; asked for when a table is free, until there is none.
    ///
    /// # Errors
    ///
    /// If the room is to be left at once.
    fn next(&mut self) -> Result<Option<Ticket<G>>, Self::Error>;

    /// Takes a game that has ended; games do not end in the order in which they were sent.
    ///
    /// # Errors
    ///
    /// If the room is to be left at once.
    fn take(&mut self, played: Played) -> Result<(), Self::Error>;

    /// Whether the games still in play are of no use any more, so that the room may be left.
    fn is_over(&self) -> bool {
        false
    }
}

/// Positions that wait for one evaluator, and the tables that asked.
struct Tray<G: Game> {
    queries: Vec<Query<G>>,
    askers: Vec<usize>,
}

impl Room<'_> {
    /// Plays one game per ticket and returns them in the tickets' order.
    ///
    /// # Errors
    ///
    /// If an evaluator fails, or the user asks to stop.
    ///
    /// # Panics
    ///
    /// If there are no slots, or a ticket or a mind names a player or an evaluator that is not there.
    pub fn play<G: Game>(
        &self,
        tickets: Vec<Ticket<G>>,
        judges: &mut [Box<dyn Evaluator<G>>],
        counters: &Counters,
        progress: &dyn Progress,
    ) -> Result<Vec<Played>, RoomError> {
        let mut party = Party { waiting: tickets.into_iter(), played: Vec::new() };
        self.play_for(&mut party, judges, counters, progress)?;
        party.played.sort_by_key(|played| played.index);
        Ok(party.played)
    }

    /// Plays what a host sends until there is no more.
    ///
    /// # Errors
    ///
    /// If an evaluator fails, the user asks to stop, or the host wants no more.
    ///
    /// # Panics
    ///
    /// As [`Room::play`].
    pub fn play_for<G: Game, H: Host<G>>(
        &self,
        host: &mut H,
        judges: &mut [Box<dyn Evaluator<G>>],
        counters: &Counters,
        progress: &dyn Progress,
    ) -> Result<(), H::Error> {
        assert!(self.slots > 0, "a room has at least one table");
        let mut arrivals = Arrivals { sent: 0, more: true };
        let mut tables: Vec<Table<G>> = Vec::with_capacity(self.slots);
        let mut trays: Vec<_> =
            judges.iter().map(|_| Tray { queries: Vec::new(), askers: Vec::new() }).collect();
        let mut evaluations = Evaluations::default();
        loop {
            while let Some((index, ticket)) = arrivals.next(self.slots - tables.len(), host)? {
                tables.push(Table::new(self.players, self.manners, index, ticket));
            }
            if tables.is_empty() || host.is_over() {
                return Ok(());
            }
            if progress.interrupted() {
                return Err(RoomError::Interrupted.into());
            }
            let finished = counters.timed(Work::Searching, || move_on(&mut tables, &mut trays));
            for played in finished {
                counters.count_game(&played);
                host.take(played)?;
            }
            let fullest = trays.iter_mut().zip(judges.iter_mut()).max_by_key(|(tray, _)| tray.queries.len());
            if let Some((tray, judge)) = fullest {
                tray.hand_in(judge.as_mut(), &mut evaluations, &mut tables, counters)?;
            }
            counters.report(progress);
        }
    }
}

/// Tickets that a host has handed out so far, and whether it has more.
struct Arrivals {
    sent: usize,
    more: bool,
}

impl Arrivals {
    /// The next ticket with its number, if one of the tables is free and the host has one.
    fn next<G: Game, H: Host<G>>(
        &mut self,
        free: usize,
        host: &mut H,
    ) -> Result<Option<(usize, Ticket<G>)>, H::Error> {
        if free == 0 || !self.more {
            return Ok(None);
        }
        let Some(ticket) = host.next()? else {
            self.more = false;
            return Ok(None);
        };
        self.sent += 1;
        Ok(Some((self.sent - 1, ticket)))
    }
}

/// A host who knows all games beforehand and keeps them.
struct Party<G: Game> {
    waiting: std::vec::IntoIter<Ticket<G>>,
    played: Vec<Played>,
}

impl<G: Game> Host<G> for Party<G> {
    type Error = RoomError;

    fn next(&mut self) -> Result<Option<Ticket<G>>, RoomError> {
        Ok(self.waiting.next())
    }

    fn take(&mut self, played: Played) -> Result<(), RoomError> {
        self.played.push(played);
        Ok(())
    }
}

/// Lets every table that waits for nothing go on until it asks something; tables whose game has ended leave.
fn move_on<G: Game>(tables: &mut Vec<Table<G>>, trays: &mut [Tray<G>]) -> Vec<Played> {
    let mut finished = Vec::new();
    for (place, table) in tables.iter_mut().enumerate().filter(|(_, table)| !table.waits()) {
        let next = table.go_on(|judge, search, deadline| {
            search.gather_until(&mut trays[judge].queries, || deadline.is_past())
        });
        match next {
            Next::Waits { judge } => trays[judge].askers.push(place),
            Next::Over => finished.push(place),
        }
    }
    // From the back, so that the places of those that stay do not shift under the trays: a table
    // that leaves is replaced by the last one, whose place in the trays is mended with it.
    let leave = |place: usize| {
        let last = tables.len() - 1;
        let played = tables.swap_remove(place).into_played();
        for asker in trays.iter_mut().flat_map(|tray| &mut tray.askers).filter(|asker| **asker == last) {
            *asker = place;
        }
        played
    };
    finished.into_iter().rev().map(leave).collect()
}

impl<G: Game> Tray<G> {
    /// Has the waiting positions judged as one batch and hands each table its judgement.
    fn hand_in(
        &mut self,
        judge: &mut dyn Evaluator<G>,
        evaluations: &mut Evaluations,
        tables: &mut [Table<G>],
        counters: &Counters,
    ) -> Result<(), RoomError> {
        if self.queries.is_empty() {
            return Ok(());
        }
        let (start, encoded) = (Instant::now(), judge.encoding());
        judge.evaluate(&self.queries, evaluations)?;
        let (all, encoding) = (start.elapsed(), judge.encoding().saturating_sub(encoded));
        counters.spend(Work::Encoding, encoding);
        counters.spend(Work::Judging, all.saturating_sub(encoding));
        counters.count_batch(self.queries.len());
        counters.timed(Work::Searching, || {
            for asker in self.askers.drain(..) {
                tables[asker].hear(evaluations);
            }
        });
        self.queries.clear();
        Ok(())
    }
}
