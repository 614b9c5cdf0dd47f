//! Settings of a loop.

use serde::{Deserialize, Serialize};

use crate::arena::Sprt;
use crate::eval::Plain;
use crate::net::NetConfig;
use crate::search::SearchConfig;
use crate::selfplay::{RuleNames, SelfplayConfig};
use crate::train::TrainConfig;
use crate::units::Count;

/// Settings of a loop of self-play and training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LoopConfig {
    /// Of several, matches are played under the first.
    pub rules: RuleNames,
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
    /// Training after each generation; `steps` are those of one generation, and `reuse` is of its new positions.
    pub train: TrainConfig,
    /// Lets a network play the next generation only if it is found better; the newest plays if not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateConfig>,
    /// Rates the network of every generation; not part of what a run is.
    #[serde(skip_serializing)]
    pub rating: Option<RatingConfig>,
    /// What is cleared away; not part of what a run is.
    #[serde(skip_serializing)]
    pub keep: KeepConfig,
}

/// A match of every new network against the best so far. Training goes on from the newest network either way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateConfig {
    /// The test, on the score less the luck, that ends the match.
    pub sprt: Sprt,
    /// At most so many games, rounded up to whole pairs; if they leave the test open, the network plays that
    /// made at least half the points.
    pub games: Count<1_000_000>,
    /// Who judges luck.
    pub judge: Plain,
}

impl Default for GateConfig {
    fn default() -> Self {
        Self { sprt: "0,20".parse().expect("a test"), games: Count::literal(400), judge: Plain::Material }
    }
}

/// Matches of every new network against the one before and against an anchor, whose rating is 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RatingConfig {
    /// Games of each match, rounded up to whole pairs.
    pub games: Count<1_000_000>,
    pub anchor: Plain,
}

impl Default for RatingConfig {
    fn default() -> Self {
        Self { games: Count::literal(100), anchor: Plain::Material }
    }
}

/// What of a run is cleared away as it goes on: nothing, unless asked for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KeepConfig {
    /// So many of the newest networks keep their weights, and the best besides. The others keep their card and
    /// the course of their losses.
    pub checkpoints: Option<Count<100_000>>,
    pub shards: KeptShards,
}

/// Which games are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeptShards {
    #[default]
    All,
    /// Those in the window that `train.window` learns from.
    Window,
}

impl Default for LoopConfig {
    fn default() -> Self {
        Self {
            rules: RuleNames::default(),
            seed: 1,
            generations: Count::literal(8),
            games: Count::literal(2000),
            first: FirstGeneration::default(),
            selfplay: SelfplayConfig::default(),
            search: SearchConfig::default(),
            net: NetConfig::default(),
            train: TrainConfig::default(),
            gate: None,
            rating: None,
            keep: KeepConfig::default(),
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
