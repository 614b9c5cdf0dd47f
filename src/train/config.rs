//! How a network is trained.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::{Extent, LossWeights, Method, Schedule};
use crate::net::{Device, Precision};
use crate::units::{Count, Positive, Probability};

/// The most optimiser steps of one run.
pub const MOST_STEPS: u64 = 1_000_000_000;

/// What training computes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PrecisionChoice {
    /// A new network in the fastest precision that the machine has instructions for, one that has been trained in
    /// the precision that it was trained in.
    #[default]
    Auto,
    Float32,
    Bfloat16,
}

impl PrecisionChoice {
    /// The precision on a device for a network that was trained in `so_far`, if it was trained.
    pub fn resolved(self, so_far: Option<Precision>, device: Device) -> Precision {
        match self {
            Self::Auto => so_far.unwrap_or_else(|| Precision::fastest_on(device)),
            Self::Float32 => Precision::Float32,
            Self::Bfloat16 => Precision::Bfloat16,
        }
    }
}

/// How a network is trained.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainConfig {
    /// Optimiser steps of one run.
    pub steps: Count<MOST_STEPS>,
    /// How often each new position is shown, on average, if steps are to follow from that: positions of one run's
    /// window, or of one generation of a loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reuse: Option<Positive>,
    /// Positions in a step.
    pub batch: Count<65_536>,
    /// Drawn from by the first weights and the order of positions.
    pub seed: u64,
    /// In how many parts a step's positions are learned from, side by side where there are threads. Each part has
    /// batch norm's statistics of its own, of which a mean is kept, so that it changes a little what is learned.
    pub parts: Count<64>,
    /// At most so many parts at a time; as many as there are, and worker threads for them, if not set. What comes
    /// out is the same.
    #[serde(skip_serializing)]
    pub threads: Option<Count<1024>>,
    /// Where the network learns, and in a loop also judges: the machine's and not the training's, so no setting. Only
    /// what CPUs compute repeats bit for bit.
    #[serde(skip)]
    pub device: Device,
    /// What the tower computes in. Weights and their optimiser are 32-bit floats in either case.
    pub precision: PrecisionChoice,
    /// A training that goes on keeps to the one it began with.
    pub optimizer: Method,
    pub schedule: Schedule,
    /// The share of a weight that is taken away in a step at a learning rate of 1.
    pub weight_decay: Probability,
    /// The longest gradient, over all parameters together, that is taken as it is.
    pub gradient_clip: Positive,
    /// The network that plays is a mean of the weights that looks back over about so many steps, and not
    /// over more than a quarter of all; 1 for the weights of the last step.
    pub average_over: Count<MOST_STEPS>,
    pub weights: LossWeights,
    /// How much of the value's target is the search's value instead of how the game ended.
    pub search_value: Probability,
    /// Whether positions are shown as their mirror images at random.
    pub mirror: bool,
    /// Learn also from plies whose search was made to open everything, and from those whose move was drawn
    /// for exploration.
    pub use_experiments: bool,
    /// How much of the dataset is learned from: the newest shards, whole.
    pub window: Extent,
    /// How many passes over the window its oldest positions sit out, the newest none, and those between as
    /// their age is.
    pub recency: Probability,
    /// Positions in memory at once, some 250 bytes each, more where moves are many. A window that is larger is
    /// mixed anew in every pass from row groups of all its shards.
    pub rows_in_memory: Count<1_000_000_000>,
    /// The share of games that is kept out of training to measure losses on.
    pub validation: Probability,
    /// The most positions one measurement uses.
    pub validation_rows: Count<1_000_000>,
    /// Steps between measurements.
    pub validate_every: NonZeroU64,
    /// Steps between checkpoints; one is also written at the end.
    pub save_every: NonZeroU64,
}

impl TrainConfig {
    /// The steps of one run in which so many positions are new.
    pub fn steps_for(&self, new_positions: u64) -> Count<MOST_STEPS> {
        let Some(reuse) = self.reuse else { return self.steps };
        let steps = (reuse.get() * new_positions as f64 / self.batch.get() as f64).round() as u64;
        Count::new(steps.clamp(1, MOST_STEPS)).expect("in range")
    }
}

impl Default for TrainConfig {
    fn default() -> Self {
        Self {
            steps: Count::literal(1000),
            reuse: None,
            batch: Count::literal(256),
            seed: 1,
            parts: Count::literal(2),
            threads: None,
            device: Device::Cpu,
            precision: PrecisionChoice::Auto,
            optimizer: Method::default(),
            schedule: Schedule::default(),
            weight_decay: Probability::literal(0.01),
            gradient_clip: Positive::literal(5.0),
            average_over: Count::literal(500),
            weights: LossWeights::default(),
            search_value: Probability::ZERO,
            mirror: true,
            use_experiments: false,
            window: Extent::default(),
            recency: Probability::ZERO,
            rows_in_memory: Count::literal(1_000_000),
            validation: Probability::literal(0.05),
            validation_rows: Count::literal(2048),
            validate_every: const { NonZeroU64::new(200).unwrap() },
            save_every: const { NonZeroU64::new(1000).unwrap() },
        }
    }
}
