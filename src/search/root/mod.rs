//! What a search found out about the position it was asked about.

use crate::game::{Game, MoverValue};

/// The result of a search; values are on the mover's side.
#[derive(Debug, Clone, PartialEq)]
pub struct RootReport<G: Game> {
    /// Every legal move, sorted by move.
    pub moves: Vec<RootMove<G>>,
    /// The search's value of the position.
    pub value: MoverValue,
    /// The evaluator's own value of the position.
    pub net_value: MoverValue,
    /// Simulations done.
    pub visits: u32,
}

/// What the search found out about one move.
#[derive(Debug, Clone, PartialEq)]
pub struct RootMove<G: Game> {
    pub mv: G::Move,
    /// The evaluator's prior, before root noise.
    pub prior: f32,
    pub visits: u32,
    /// None if the move was not visited.
    pub q: Option<MoverValue>,
    /// The reveals that were opened below the move, in the game's order of chances; empty if the move
    /// uncovers nothing.
    pub outcomes: Vec<OutcomeValue<G::Seen>>,
}

/// What the search thinks of one thing a move may uncover, as the mover would see it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutcomeValue<S> {
    pub seen: S,
    pub visits: u32,
    pub q: MoverValue,
}
