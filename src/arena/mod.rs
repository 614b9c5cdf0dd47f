//! Matches between two players, on paired deals.

mod rating;

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::eval::{EvalError, Evaluator};
use crate::game::{Game, Seat, random_stream};
use crate::progress::Progress;
use crate::tables::{Counters, Manners, Played, Player, Room, RoomError, Ticket};

pub use rating::{Elo, Score};

/// Pairs that one worker plays at a time; their games share their batches.
const PAIRS_IN_A_ROOM: u64 = 64;

/// Two players and how often they meet.
pub struct Match<'a, G: Game> {
    pub rules: &'a std::sync::Arc<G::Profile>,
    /// The player whose score is counted, and the opponent.
    pub players: [Player; 2],
    /// Both games of a pair are played on one deal, the players changing seats.
    pub pairs: u64,
    pub seed: u64,
}

impl<G: Game> Match<'_, G> {
    /// Plays the match on all threads of `pool`; `judges` makes a worker's evaluators, in the order in
    /// which the players' minds name them. The result does not depend on the number of threads.
    ///
    /// # Errors
    ///
    /// If an evaluator fails, or the user interrupts the match.
    pub fn play(
        &self,
        pool: &rayon::ThreadPool,
        judges: &(dyn Fn() -> Result<Vec<Box<dyn Evaluator<G>>>, EvalError> + Sync),
        progress: &dyn Progress,
    ) -> Result<Score, RoomError> {
        progress.stage("match", "games", Some(2 * self.pairs));
        let next_room = AtomicU64::new(0);
        let counters = Counters::start();
        let score = Mutex::new(Score::new());
        let results = pool.broadcast(|_| -> Result<(), RoomError> {
            let mut judges = judges()?;
            loop {
                let start = next_room.fetch_add(1, Ordering::Relaxed) * PAIRS_IN_A_ROOM;
                if start >= self.pairs {
                    return Ok(());
                }
                let pairs = start..self.pairs.min(start + PAIRS_IN_A_ROOM);
                let played = self.play_room(pairs, &mut judges, &counters, progress)?;
                let mut score = score.lock().unwrap_or_else(PoisonError::into_inner);
                for pair in played.chunks_exact(2) {
                    score.add_pair([result_for(Seat::First, &pair[0]), result_for(Seat::Second, &pair[1])]);
                }
            }
        });
        results.into_iter().collect::<Result<(), _>>()?;
        Ok(score.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn play_room(
        &self,
        pairs: std::ops::Range<u64>,
        judges: &mut [Box<dyn Evaluator<G>>],
        counters: &Counters,
        progress: &dyn Progress,
    ) -> Result<Vec<Played>, RoomError> {
        let tickets: Vec<_> = pairs.flat_map(|pair| self.tickets(pair)).collect();
        let slots = tickets.len();
        let manners = Manners { end_dead_positions: true, ..Manners::default() };
        Room { rules: self.rules, players: &self.players, manners, slots }
            .play(tickets, judges, counters, progress)
    }

    /// The two games of a pair: one deal, the seats changed.
    fn tickets(&self, pair: u64) -> [Ticket<G>; 2] {
        let deal = G::deal(self.rules, &mut random_stream(self.seed, pair));
        [[0, 1], [1, 0]].map(|seats| {
            let game = 2 * pair + seats[0] as u64;
            Ticket { game_id: game, seed: self.seed ^ game.rotate_left(32), seats, deal: Some(deal.clone()) }
        })
    }
}

/// The result of a game for the player who sat there: 1, 0 or -1.
fn result_for(seat: Seat, played: &Played) -> i8 {
    played.outcome.winner.map_or(0, |winner| if winner == seat { 1 } else { -1 })
}
