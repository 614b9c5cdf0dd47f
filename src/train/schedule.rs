//! The learning rate, step by step.

use std::f64::consts::PI;
use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use crate::units::{Positive, Probability};

/// The learning rate as a function of the step alone, counted from the first step the network ever took,
/// so that training that is continued goes on where it stood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Schedule {
    /// The learning rate after the warm-up.
    pub learning_rate: Positive,
    /// Steps over which the rate rises from 0 in a straight line.
    pub warm_up: u64,
    /// Steps over which it then falls along half a cosine; it stays up if not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decay_over: Option<NonZeroU64>,
    /// What it falls to, as a share of the learning rate.
    pub floor: Probability,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            learning_rate: Positive::literal(2e-3),
            warm_up: 100,
            decay_over: None,
            floor: Probability::literal(0.1),
        }
    }
}

impl Schedule {
    /// The rate of a step, the first being 0.
    pub fn rate(&self, step: u64) -> f64 {
        let peak = self.learning_rate.get();
        if step < self.warm_up {
            return peak * (step + 1) as f64 / self.warm_up as f64;
        }
        let Some(span) = self.decay_over else { return peak };
        let way = ((step - self.warm_up) as f64 / span.get() as f64).min(1.0);
        let floor = self.floor.get();
        peak * (floor + (1.0 - floor) * (1.0 + (PI * way).cos()) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_falls_and_stays_at_the_floor() {
        let schedule = Schedule {
            learning_rate: Positive::new(0.1).expect("in range"),
            warm_up: 4,
            decay_over: NonZeroU64::new(10),
            floor: Probability::new(0.2).expect("in range"),
        };
        for (step, rate) in [(0, 0.025), (3, 0.1), (4, 0.1), (9, 0.06), (14, 0.02), (1000, 0.02)] {
            assert!((schedule.rate(step) - rate).abs() < 1e-12, "step {step}: {}", schedule.rate(step));
        }
        let constant = Schedule { decay_over: None, ..schedule };
        assert_eq!(constant.rate(1000), 0.1);
    }
}
