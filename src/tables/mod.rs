//! Games in play: many tables in one room, their positions judged together.
//!
//! A [`Table`] is one game between two players. A [`Room`] keeps many of them going in lockstep: every
//! table moves on until it needs a judgement, then the evaluator that most of them wait for judges these as one
//! batch. What happens at a table depends on its ticket alone, and the batches on the tickets of the
//! room, so a room's games repeat whatever else the machine does.

mod counters;
mod resign;
mod restraint;
mod room;
mod scribe;
mod shards;
mod table;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use crate::eval::EvalError;
use crate::game::{EndReason, Game, Outcome};
use crate::record::GameRecord;
use crate::search::{SearchConfig, Visits};
use crate::units::Probability;

pub use counters::{Counters, Spent, Tally, Work};
pub use resign::{Resign, Surrender, Surrenders};
pub use restraint::{Leave, Past, Prospect, Restraint, Standpoint};
pub use room::{Host, Room};
pub use shards::{ShardError, Shards};
pub use table::Table;
pub use worker::{Course, Worker};

/// How a player picks a move.
#[derive(Debug, Clone)]
pub enum Mind {
    /// Any legal move, each as likely.
    Random,
    /// By search; `judge` is the place of its evaluator in the room. The search ends after its visits, or
    /// after `time` if that is over first; what is chosen in a given time does not repeat.
    Search { judge: usize, config: SearchConfig, time: Option<Duration> },
}

/// A player with a name.
#[derive(Debug, Clone)]
pub struct Player {
    pub name: String,
    pub mind: Mind,
    /// What the player keeps to besides the rules of the game.
    pub restraint: Option<Arc<dyn Restraint>>,
}

/// What is done at a table besides playing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Manners {
    /// Write every ply down; otherwise only results are kept.
    pub record: bool,
    /// The share of plies at which every reveal of every root move is opened.
    pub audit: Probability,
    /// Plies that are searched cheaply, if any; never those that are audited.
    pub cheap: Option<Cheap>,
    /// The share of plies at which the move is drawn evenly from all legal moves.
    pub explore: Probability,
    /// Call it a draw as soon as neither side can ever win.
    pub end_dead_positions: bool,
    /// When players give up, if they do.
    pub resign: Option<Resign>,
}

/// Plies that are played without being learned from (playout cap randomisation; Wu 2019, arXiv 1902.10565):
/// games come to their ends sooner, and fewer plies of them have a better policy target.
#[derive(Debug, Clone, Copy)]
pub struct Cheap {
    /// How many of the plies.
    pub share: Probability,
    /// The most visits they are searched with, without noise.
    pub visits: Visits,
}

/// One game to be played.
pub struct Ticket<G: Game> {
    pub game_id: u64,
    /// Of everything random at the table.
    pub seed: u64,
    /// The players of the first and the second seat, by their place in the room.
    pub seats: [usize; 2],
    pub fate: Fate<G>,
    pub start: Start<G>,
}

/// Where a game begins.
pub enum Start<G: Game> {
    /// At the start, under these rules.
    Fresh(Arc<G::Profile>),
    /// In its midst, from this position on. Such a game is not recorded.
    Midst(G),
}

/// What decides what a move uncovers.
pub enum Fate<G: Game> {
    /// The odds, from the ticket's seed.
    Odds,
    /// Every face-down piece is fixed, by the square it starts on.
    Deal(G::Deal),
    /// The odds, from this seed and how many times the player's seat has uncovered something before: games
    /// of one seed turn up the same pieces of a colour in the same order, wherever they stand.
    Order(u64),
}

/// A game that was played.
#[derive(Debug, Clone)]
pub struct Played {
    /// The place of the game's ticket among those given to the room.
    pub index: usize,
    pub outcome: Outcome,
    pub plies: u32,
    /// Who gave up, or would have; a game that was played on has another end than a resignation.
    pub surrender: Option<Surrender>,
    /// Where [`Manners::record`] asked for it.
    pub record: Option<GameRecord>,
}

/// A room could not go on.
#[derive(Debug, thiserror::Error)]
pub enum RoomError {
    #[error("an evaluator failed during play")]
    Evaluator(#[from] EvalError),
    /// The user asked to stop; nothing of the games in progress is kept.
    #[error("interrupted")]
    Interrupted,
}

impl RoomError {
    pub fn is_interruption(&self) -> bool {
        matches!(self, Self::Interrupted)
    }
}

/// The early end that [`Manners::end_dead_positions`] makes.
const DEAD: Outcome = Outcome { winner: None, reason: EndReason::DeadPosition };
