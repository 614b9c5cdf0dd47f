//! What a search found out about the position it was asked about.

mod noise;
mod puct;

use super::bounds::Stakes;
use crate::game::MoverValue;

pub(super) use noise::with_noise;
pub use puct::Choice;

/// The result of a search over moves `M` that show `S`; values are on the mover's side.
#[derive(Debug, Clone, PartialEq)]
pub struct RootReport<M, S> {
    /// Every legal move, sorted by move.
    pub moves: Vec<RootMove<M, S>>,
    /// The search's value of the position.
    pub value: MoverValue,
    /// The evaluator's own value of the position.
    pub net_value: MoverValue,
    /// Simulations done, the sum of the moves' visits.
    pub visits: u32,
}

/// What the search found out about one move.
#[derive(Debug, Clone, PartialEq)]
pub struct RootMove<M, S> {
    pub mv: M,
    /// The evaluator's prior, before root noise.
    pub prior: f32,
    pub visits: u32,
    /// How many of the visits only opened the move's outcomes for an audit and say nothing about how
    /// much the search liked it.
    pub audit_visits: u32,
    /// None if the move was not visited.
    pub q: Option<MoverValue>,
    /// What is certain of the move's value, whatever the evaluator says.
    pub stakes: Stakes,
    /// The reveals that were opened below the move, in the game's order of chances; empty if the move
    /// uncovers nothing.
    pub outcomes: Vec<OutcomeValue<S>>,
}

/// What the search thinks of one thing a move may uncover, as the mover would see it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutcomeValue<S> {
    pub seen: S,
    pub visits: u32,
    pub q: MoverValue,
}
