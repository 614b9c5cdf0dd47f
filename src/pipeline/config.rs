//! Settings of a loop.

use serde::{Deserialize, Serialize};

use crate::eval::Plain;
use crate::net::NetConfig;
use crate::search::SearchConfig;
use crate::selfplay::SelfplayConfig;
use crate::train::TrainConfig;
use crate::units::Count;

/// Settings of a loop of self-play and training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LoopConfig {
    /// The rule set, by name or path; the game's first if empty.
    pub rules: String,
    /// Of everything random in the run.
    pub seed: u64,
    /// Generations of self-play, each followed by training. Not part of what a run is: a run may be given
    /// more of them later.
    #[serde(skip_serializing)]
    pub generations: Count<100_000>,
    /// Games of every generation after the first.
    pub games: Count<1_000_000_000>,
    pub first: FirstGeneration,
    pub selfplay: SelfplayConfig,
    pub search: SearchConfig,
    pub net: NetConfig,
    /// Training after each generation; `steps` are those of one generation.
    pub train: TrainConfig,
}

impl Default for LoopConfig {
    fn default() -> Self {
        Self {
            rules: String::new(),
            seed: 1,
            generations: Count::literal(8),
            games: Count::literal(2000),
            first: FirstGeneration::default(),
            selfplay: SelfplayConfig::default(),
            search: SearchConfig::default(),
            net: NetConfig::default(),
            train: TrainConfig::default(),
        }
    }
}

/// The games played before there is a network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FirstGeneration {
    /// Who plays them. `material` gives the first network something to learn that random play does not:
    /// games that are decided, by captures.
    pub player: Plain,
    pub games: Count<1_000_000_000>,
}

impl Default for FirstGeneration {
    fn default() -> Self {
        Self { player: Plain::Material, games: Count::literal(4000) }
    }
}
