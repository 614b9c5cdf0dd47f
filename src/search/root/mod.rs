//! What a search found out about the position it was asked about.

mod choice;
mod gumbel;
mod noise;
mod puct;

use rand::Rng;

use super::bounds::Stakes;
use super::tree::{Edge, Node};
use super::{RootRule, SearchConfig, improved};
use crate::game::{MoverValue, SeatValue};

pub use choice::Choice;
pub(super) use gumbel::Halving;

/// The result of a search over moves `M` that show `S`; values are on the mover's side.
#[derive(Debug, Clone, PartialEq)]
pub struct RootReport<M, S> {
    /// Every move there was to choose from, sorted by move.
    pub moves: Vec<RootMove<M, S>>,
    /// The search's value of the position.
    pub value: MoverValue,
    /// The evaluator's own value of the position.
    pub net_value: MoverValue,
    /// Simulations done, the sum of the moves' visits.
    pub visits: u32,
    /// Where the move stands among `moves` that the search would play to win.
    pub best: usize,
    /// The play that the search expects, as the player would see it: the moves it likes best, and of what a
    /// move uncovers the likeliest.
    pub line: Vec<LinePly<M, S>>,
    /// The mean of the simulations' lengths, in plies.
    pub depth: f32,
    /// The longest simulation, in plies.
    pub deepest: u32,
}

/// A ply of the play that a search expects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinePly<M, S> {
    pub mv: M,
    /// What the player would see of it.
    pub seen: S,
}

/// What the search found out about one move.
#[derive(Debug, Clone, PartialEq)]
pub struct RootMove<M, S> {
    pub mv: M,
    /// The evaluator's prior, before root noise.
    pub prior: f32,
    /// The move's share of the policy that a network is to learn: of the visits less those that were forced,
    /// or of the improved policy. The shares add up to 1, or to 0 where nothing was visited yet.
    pub target: f32,
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

/// How the root is searched.
#[derive(Debug)]
pub(super) enum Root {
    Puct,
    Gumbel(Halving),
}

impl Root {
    /// A root that is to spend `budget` visits, and the priors that the tree is to hold for its moves.
    pub fn new<R: Rng>(priors: &[f32], budget: u64, config: &SearchConfig, rng: &mut R) -> (Self, Vec<f32>) {
        match config.root {
            RootRule::Puct => (Self::Puct, noise::with_noise(priors, &config.noise, rng)),
            RootRule::Gumbel => {
                (Self::Gumbel(Halving::new(priors, budget, config.gumbel, rng)), priors.to_vec())
            }
        }
    }

    /// The move the next simulation begins with, as a place among `edges`; `salt` orders what is equal.
    pub fn next<M>(&mut self, node: &Node, edges: &[Edge<M>], config: &SearchConfig, salt: u64) -> usize {
        match self {
            Self::Puct => puct::next(node, edges, config, salt),
            Self::Gumbel(halving) => halving.next(node, edges, salt),
        }
    }

    /// Each move's share of the policy target; `led` are the visits that were spent on a move of the search's
    /// own accord.
    pub fn target<M>(
        &self,
        node: &Node,
        edges: &[Edge<M>],
        config: &SearchConfig,
        led: impl Fn(&Edge<M>) -> u32,
    ) -> Vec<f32> {
        let mut target = match self {
            Self::Puct => puct::target(node, edges, config, led),
            Self::Gumbel(_) => improved::policy(node, edges, &config.gumbel).to_vec(),
        };
        for (share, edge) in target.iter_mut().zip(edges) {
            if edge.yields {
                *share = 0.0;
            }
        }
        let total: f32 = target.iter().sum();
        if total > 0.0 {
            target.iter_mut().for_each(|share| *share /= total);
        }
        target
    }

    /// What the root is worth: the mean over its moves by their visits or, as halving looks long at moves that
    /// it does not take, by the improved policy.
    pub fn value<M>(&self, node: &Node, edges: &[Edge<M>], config: &SearchConfig) -> SeatValue {
        match self {
            Self::Puct => node.value(),
            Self::Gumbel(_) => node.bounds.hold(improved::value(node, edges, &config.gumbel)),
        }
    }

    /// Where the move stands that the search would play to win.
    pub fn best<M>(&self, node: &Node, edges: &[Edge<M>], led: impl Fn(&Edge<M>) -> u32) -> usize {
        match self {
            Self::Puct => puct::best(node, edges, led),
            Self::Gumbel(halving) => halving.best(node, edges),
        }
    }

    /// Whether the best move is a draw from the policy by itself, so that no temperature is asked for.
    pub fn draws_by_itself(&self) -> bool {
        matches!(self, Self::Gumbel(halving) if halving.is_noisy())
    }
}
