//! The evaluators that need no network, by name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Evaluator, Material, Rollout, RolloutConfig, Uniform};
use crate::game::Game;

/// An evaluator that needs no network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Plain {
    /// Equal priors, value zero.
    Uniform,
    /// Equal priors, value by material.
    Material,
    /// Equal priors, value by random playouts.
    Rollout,
}

impl Plain {
    pub const ALL: [Plain; 3] = [Plain::Uniform, Plain::Material, Plain::Rollout];

    pub fn name(self) -> &'static str {
        match self {
            Plain::Uniform => "uniform",
            Plain::Material => "material",
            Plain::Rollout => "rollout",
        }
    }

    pub fn evaluator<G: Game>(self) -> Box<dyn Evaluator<G>> {
        match self {
            Plain::Uniform => Box::new(Uniform),
            Plain::Material => Box::new(Material),
            Plain::Rollout => Box::new(Rollout::new(RolloutConfig::default())),
        }
    }
}

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name was not that of an evaluator without a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no evaluator '{}': expected uniform, material or rollout", crate::text::shown(.0))]
pub struct UnknownEvaluator(String);

impl FromStr for Plain {
    type Err = UnknownEvaluator;

    fn from_str(text: &str) -> Result<Self, UnknownEvaluator> {
        Self::ALL.into_iter().find(|plain| plain.name() == text).ok_or_else(|| UnknownEvaluator(text.into()))
    }
}
