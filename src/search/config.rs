//! How a search spends its visits and how a move is drawn from them.

use serde::{Deserialize, Serialize};

use crate::units::{Count, Positive, Probability, Strength, Temperature};

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
    /// How the root spends the visits, what it plays, and what a network is to learn from it.
    pub root: RootRule,
    /// Which move a simulation follows below the root.
    pub inner: InnerRule,
    /// Weight of the prior against the value when a move is selected (PUCT).
    pub cpuct: Positive,
    /// First-play urgency: an unvisited move is taken to be worth its node's value less this times the
    /// square root of the prior already visited there.
    pub fpu: Probability,
    /// How reveals are taken and what they make a move worth.
    pub chance: ChanceRule,
    /// What a reveal that was not looked at yet counts as in the value of its move; for `quota` alone.
    pub unopened: Unopened,
    /// What the evaluator is shown of a position in which the opponent is to move.
    pub opponent_eyes: OpponentEyes,
    /// What the end of a game is worth.
    pub objective: Objective,
    /// Positions that the tree may hold; a search that fills it is done. In Jieqi one takes about a
    /// kilobyte.
    pub max_nodes: Count<16_777_216>,
    /// Starts the search of a player's next move from what the last one found out about it.
    pub keep_tree: bool,
    /// For a root by PUCT.
    pub noise: RootNoise,
    /// Forced playouts (Wu 2019, arXiv 1902.10565), for a root by PUCT: a move that was looked at once gets at
    /// least the square root of this times its prior times all visits; what it got beyond its merits is taken
    /// out of the policy target again. 0 turns it off; KataGo has 2.
    pub forced_playouts: Strength,
    /// For a root by Gumbel, and below the root for `improved`.
    pub gumbel: GumbelConfig,
    /// For a root by PUCT, and for one by Gumbel without noise.
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
            root: RootRule::default(),
            inner: InnerRule::default(),
            cpuct: Positive::literal(1.5),
            fpu: Probability::literal(0.2),
            chance: ChanceRule::default(),
            unopened: Unopened::default(),
            opponent_eyes: OpponentEyes::default(),
            objective: Objective::default(),
            max_nodes: Count::literal(1 << 20),
            keep_tree: false,
            noise: RootNoise::default(),
            forced_playouts: Strength::OFF,
            gumbel: GumbelConfig::default(),
            temperature: TemperatureSchedule::default(),
            audit: false,
        }
    }
}

impl SearchConfig {
    /// The same search looking only at what it likes: no noise at the root, no forced playouts.
    pub fn without_noise(self) -> Self {
        Self {
            noise: RootNoise { share: Probability::ZERO, ..self.noise },
            forced_playouts: Strength::OFF,
            gumbel: GumbelConfig { noise: Strength::OFF, ..self.gumbel },
            ..self
        }
    }

    /// The same search for a player who wants to win: without noise, the best move at every ply.
    pub fn without_exploration(self) -> Self {
        Self {
            temperature: TemperatureSchedule {
                opening: Temperature::ZERO,
                later: Temperature::ZERO,
                ..self.temperature
            },
            ..self.without_noise()
        }
    }
}

/// How the root spends the visits, what it plays, and what a network is to learn from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RootRule {
    /// As below the root, with noise on the priors; visits are the policy.
    Puct,
    /// Some moves are drawn with Gumbel noise and halved again and again until the best is left; the policy
    /// is the prior improved by the values found (Danihelka et al., ICLR 2022).
    #[default]
    Gumbel,
}

/// Which move a simulation follows below the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InnerRule {
    /// The one with the best value and prior, the prior counting less the more often it was looked at.
    Puct,
    /// The one whose visits are furthest behind the prior improved by the values found.
    #[default]
    Improved,
}

/// How reveals are taken where nothing is secret, and what they make a move worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChanceRule {
    /// Each as often as its odds say; a move is worth the expectation over them.
    #[default]
    Quota,
    /// At random; a move is worth the mean of the results that came through it.
    Sampled,
}

/// What the evaluator is shown of a position in which the opponent is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpponentEyes {
    /// What the opponent knows in the world of the simulation.
    Own,
    /// What both players know: it is the same in all worlds and so says with one look what `Own` says on average.
    #[default]
    Public,
}

/// A root that draws moves with Gumbel noise and halves them (Danihelka et al., ICLR 2022).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GumbelConfig {
    /// Moves that are looked at to begin with; all of them if there are fewer.
    pub considered: Count<128>,
    /// Of the noise that draws them; 0 takes the moves of the greatest prior, 1 draws by the prior.
    pub noise: Strength,
    /// Adds to the visits of the most visited move where values are weighed against priors.
    pub visit_offset: Strength,
    /// Weight of the values against the priors, for each of those visits.
    pub value_scale: Positive,
}

impl Default for GumbelConfig {
    /// The constants of the paper, but for the moves considered: it has 16, which takes priors that tell moves
    /// apart.
    fn default() -> Self {
        Self {
            considered: Count::literal(32),
            noise: Strength::ONE,
            visit_offset: Strength::new(50.0).expect("in range"),
            value_scale: Positive::ONE,
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
