//! How a search spends its visits and how a move is drawn from them.

use serde::{Deserialize, Serialize};

use crate::units::{Count, Positive, Probability, Temperature};

/// A number of simulations.
pub type Visits = Count<1_000_000_000>;

/// Settings of one search. The defaults are for self-play; a player who wants to win takes
/// [`SearchConfig::without_exploration`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchConfig {
    /// Simulations below the root.
    pub visits: Visits,
    /// Simulations where only one move is legal: enough for a value, as there is nothing to choose.
    pub lone_move_visits: Visits,
    /// Weight of the prior against the value when a move is selected (PUCT).
    pub cpuct: Positive,
    /// First-play urgency: an unvisited move is taken to be worth its node's value less this times the
    /// square root of the prior already visited there.
    pub fpu: Probability,
    /// What a reveal that was not looked at yet counts as in the value of its move.
    pub unopened: Unopened,
    /// What the end of a game is worth.
    pub objective: Objective,
    /// Positions that the tree may hold; a search that fills it is done. In Jieqi one takes about a
    /// kilobyte.
    pub max_nodes: Count<16_777_216>,
    /// Starts the search of a player's next move from what the last one found out about it.
    pub keep_tree: bool,
    pub noise: RootNoise,
    pub temperature: TemperatureSchedule,
    /// Opens every outcome of every root move once before the visits are spent, so that moves can be
    /// compared which the search would not have liked.
    pub audit: bool,
}

impl Default for SearchConfig {
    fn default() -> Self {
        Self {
            visits: Visits::literal(64),
            lone_move_visits: Visits::literal(4),
            cpuct: Positive::literal(1.5),
            fpu: Probability::literal(0.2),
            unopened: Unopened::default(),
            objective: Objective::default(),
            max_nodes: Count::literal(1 << 20),
            keep_tree: false,
            noise: RootNoise::default(),
            temperature: TemperatureSchedule::default(),
            audit: false,
        }
    }
}

impl SearchConfig {
    /// The same search for a player who wants to win: no root noise, the best move at every ply.
    pub fn without_exploration(self) -> Self {
        Self {
            noise: RootNoise { share: Probability::ZERO, ..self.noise },
            temperature: TemperatureSchedule {
                opening: Temperature::ZERO,
                later: Temperature::ZERO,
                ..self.temperature
            },
            ..self
        }
    }
}

/// What a reveal that was not looked at yet counts as in the value of its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unopened {
    /// The value of the position the move is played in.
    Parent,
    /// The mean of the move's reveals that were looked at, by their odds.
    #[default]
    Siblings,
}

/// What the end of a game is worth to a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Objective {
    /// 1 for a win, 0 for a draw, -1 for a loss.
    #[default]
    Result,
    /// [`crate::game::Game::settlement`]: the money, where the rules have it, and else the result.
    Settlement,
}

/// Noise mixed into the root's priors, so that self-play also looks at moves the network dislikes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RootNoise {
    /// The noise's share of the mixed prior; 0 turns it off.
    pub share: Probability,
    /// Sum of the Dirichlet distribution's parameters, spread evenly over the legal moves: positions
    /// with many moves get few high peaks each, those with few moves a flatter noise.
    pub concentration: Positive,
}

impl Default for RootNoise {
    /// A quarter of noise as in AlphaZero; the concentration is KataGo's (arXiv 1902.10565).
    fn default() -> Self {
        Self { share: Probability::literal(0.25), concentration: Positive::literal(10.83) }
    }
}

/// How freely moves are drawn from visit counts, by how far the game has come.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TemperatureSchedule {
    /// For the first plies of a game.
    pub opening: Temperature,
    /// How many plies those are, both players' counted.
    pub opening_plies: u32,
    /// For every ply after them.
    pub later: Temperature,
}

impl Default for TemperatureSchedule {
    fn default() -> Self {
        Self { opening: Temperature::ONE, opening_plies: 30, later: Temperature::ZERO }
    }
}

impl TemperatureSchedule {
    /// The temperature for a ply, the game's first being 0.
    pub fn at(&self, ply: u32) -> Temperature {
        if ply < self.opening_plies { self.opening } else { self.later }
    }
}
