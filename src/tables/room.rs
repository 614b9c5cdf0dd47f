//! Many tables in lockstep.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::table::{Next, Table};
use super::{Manners, Played, Player, RoomError, Ticket};
use crate::eval::{Evaluations, Evaluator, Query};
use crate::game::Game;
use crate::progress::Progress;

/// Where games are played, `slots` at a time.
pub struct Room<'a, G: Game> {
    pub rules: &'a Arc<G::Profile>,
    pub players: &'a [Player],
    pub manners: Manners,
    /// Tables in play at the same time; a table whose game ends takes the next ticket.
    pub slots: usize,
}

/// Positions that wait for one evaluator, and the tables that asked.
struct Tray<G: Game> {
    queries: Vec<Query<G>>,
    askers: Vec<usize>,
}

impl<G: Game> Room<'_, G> {
    /// Plays one game per ticket and returns them in the tickets' order.
    ///
    /// # Errors
    ///
    /// If an evaluator fails, or the user asks to stop.
    ///
    /// # Panics
    ///
    /// If there are no slots, or a ticket or a mind names a player or an evaluator that is not there.
    pub fn play(
        &self,
        tickets: Vec<Ticket<G>>,
        judges: &mut [Box<dyn Evaluator<G>>],
        counters: &Counters,
        progress: &dyn Progress,
    ) -> Result<Vec<Played>, RoomError> {
        assert!(self.slots > 0, "a room has at least one table");
        let mut waiting = tickets.into_iter().enumerate();
        let mut tables: Vec<Table<G>> = Vec::with_capacity(self.slots);
        let mut played = Vec::new();
        let mut trays: Vec<_> =
            judges.iter().map(|_| Tray { queries: Vec::new(), askers: Vec::new() }).collect();
        let mut evaluations = Evaluations::default();
        loop {
            let free = self.slots - tables.len();
            tables.extend(waiting.by_ref().take(free).map(|(index, ticket)| self.seat(index, ticket)));
            if tables.is_empty() {
                break;
            }
            if progress.interrupted() {
                return Err(RoomError::Interrupted);
            }
            self.move_on(&mut tables, &mut trays, &mut played, counters);
            for (tray, judge) in trays.iter_mut().zip(judges.iter_mut()) {
                tray.hand_in(judge.as_mut(), &mut evaluations, &mut tables, counters)?;
            }
            counters.report(progress);
        }
        played.sort_by_key(|played| played.index);
        Ok(played)
    }

    fn seat(&self, index: usize, ticket: Ticket<G>) -> Table<'_, G> {
        Table::new(self.rules, self.players, self.manners, index, ticket)
    }

    /// Lets every table go on until it asks something; tables whose game has ended leave.
    fn move_on(
        &self,
        tables: &mut Vec<Table<G>>,
        trays: &mut [Tray<G>],
        played: &mut Vec<Played>,
        counters: &Counters,
    ) {
        let mut finished = Vec::new();
        for (place, table) in tables.iter_mut().enumerate() {
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
        for place in finished.into_iter().rev() {
            let last = tables.len() - 1;
            let game = tables.swap_remove(place).into_played();
            counters.count_game(game.plies);
            played.push(game);
            for asker in trays.iter_mut().flat_map(|tray| &mut tray.askers).filter(|asker| **asker == last) {
                *asker = place;
            }
        }
    }
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
        judge.evaluate(&self.queries, evaluations)?;
        counters.count_batch(self.queries.len());
        for asker in self.askers.drain(..) {
            tables[asker].hear(evaluations);
        }
        self.queries.clear();
        Ok(())
    }
}

/// What was done, counted across workers while they work.
#[derive(Debug)]
pub struct Counters {
    /// Games that were found done; they count towards progress alone.
    skipped: AtomicU64,
    games: AtomicU64,
    plies: AtomicU64,
    positions: AtomicU64,
    batches: AtomicU64,
    started: Instant,
}

/// What was done, all told.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    pub games: u64,
    pub plies: u64,
    /// Positions that evaluators judged.
    pub positions: u64,
    /// Batches they were judged in.
    pub batches: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl Counters {
    /// Starts counting, and the clock.
    pub fn start() -> Self {
        Self {
            skipped: AtomicU64::new(0),
            games: AtomicU64::new(0),
            plies: AtomicU64::new(0),
            positions: AtomicU64::new(0),
            batches: AtomicU64::new(0),
            started: Instant::now(),
        }
    }

    pub fn tally(&self) -> Tally {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Tally {
            games: read(&self.games),
            plies: read(&self.plies),
            positions: read(&self.positions),
            batches: read(&self.batches),
            seconds: self.started.elapsed().as_secs_f64(),
        }
    }

    /// Some games need not be played: they were found done.
    pub fn skip(&self, games: u64) {
        self.skipped.fetch_add(games, Ordering::Relaxed);
    }

    fn count_game(&self, plies: u32) {
        self.games.fetch_add(1, Ordering::Relaxed);
        self.plies.fetch_add(u64::from(plies), Ordering::Relaxed);
    }

    fn count_batch(&self, positions: usize) {
        self.positions.fetch_add(positions as u64, Ordering::Relaxed);
        self.batches.fetch_add(1, Ordering::Relaxed);
    }

    fn report(&self, progress: &dyn Progress) {
        let tally = self.tally();
        progress.update(self.skipped.load(Ordering::Relaxed) + tally.games, &tally.to_string());
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let per_second = |count: u64| count as f64 / self.seconds.max(1e-9);
        write!(
            f,
            "{:.0} plies/s  {:.0} positions/s  mean batch {:.0}",
            per_second(self.plies),
            per_second(self.positions),
            self.positions as f64 / self.batches.max(1) as f64,
        )
    }
}
