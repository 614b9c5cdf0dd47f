//! Settings of self-play.

use serde::{Deserialize, Serialize};

use crate::search::Visits;
use crate::units::{Count, Probability};

/// How games are cut into shards and what is done at the tables besides playing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfplayConfig {
    /// Games in one shard, the unit of work and of storage. Larger shards keep batches full for longer,
    /// smaller ones lose less when a run is cut off.
    pub games_per_shard: Count<100_000>,
    /// Games of a shard in play at the same time; also the largest batch an evaluator is given.
    pub slots: Count<16_384>,
    /// The share of plies at which every reveal of every root move is opened, so that flips can be
    /// compared without regard to what the search liked.
    pub audit_share: Probability,
    /// The share of plies at which the move is drawn evenly from all legal moves.
    pub explore_share: Probability,
    /// The share of plies that are searched with `cheap_visits` and without noise, played, and not learned from
    /// but for how the game ended: playout cap randomisation (Wu 2019, arXiv 1902.10565).
    pub cheap_share: Probability,
    pub cheap_visits: Visits,
    /// Whether a game ends as a draw once neither side can ever win.
    pub end_dead_positions: bool,
    /// When players give games up; they play all of them to the end if not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignConfig>,
}

/// When players give games up, and how it is seen whether they are right to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ResignConfig {
    /// A position is hopeless to its player where the search's value is below minus this.
    pub hopeless: Probability,
    /// A player gives up when so many of its own plies in a row were hopeless.
    pub plies: Count<10_000>,
    /// The share of games, drawn by their seeds, that are played out in spite of it.
    pub played_out: Probability,
    /// The share of these that may end other than lost; `doctor` says where more do. Not part of what a run is.
    #[serde(skip_serializing)]
    pub most_mistaken: Probability,
}

impl Default for ResignConfig {
    fn default() -> Self {
        Self {
            hopeless: Probability::literal(0.9),
            plies: Count::literal(3),
            played_out: Probability::literal(0.1),
            most_mistaken: Probability::literal(0.05),
        }
    }
}

impl Default for SelfplayConfig {
    fn default() -> Self {
        Self {
            games_per_shard: Count::literal(256),
            slots: Count::literal(128),
            audit_share: Probability::new(0.02).expect("a probability"),
            explore_share: Probability::new(0.01).expect("a probability"),
            cheap_share: Probability::ZERO,
            cheap_visits: Visits::literal(16),
            end_dead_positions: true,
            resign: None,
        }
    }
}
