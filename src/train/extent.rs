//! How much of a growing dataset is learned from.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use crate::units::Probability;

/// The size of the window of newest shards, as it grows with the dataset: by a power law, as in KataGo (Wu,
/// arXiv 1902.10565, appendix on training), whose numbers are the default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Extent {
    /// Positions up to which everything is learned from.
    pub least: NonZeroU64,
    /// How fast the window grows from there, as a share of how fast the dataset does; 0 for not at all.
    pub growth: Probability,
    /// The power by which growth slows down; at 1 it does not.
    pub power: Probability,
}

impl Default for Extent {
    fn default() -> Self {
        Self {
            least: const { NonZeroU64::new(250_000).unwrap() },
            growth: Probability::literal(0.4),
            power: Probability::literal(0.75),
        }
    }
}

impl Extent {
    /// How many positions of a dataset of `total` the window asks for.
    pub fn rows(&self, total: u64) -> u64 {
        let (least, power) = (self.least.get(), self.power.get());
        if total <= least {
            return total;
        }
        let ratio = total as f64 / least as f64;
        let grown = if power > 0.0 { (ratio.powf(power) - 1.0) / power } else { ratio.ln() };
        (least as f64 * (1.0 + self.growth.get() * grown)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_grows_slower_and_slower() {
        let extent = Extent::default();
        // By hand: 250,000 * (1 + 0.4 * (4^0.75 - 1) / 0.75) for a million.
        for (total, rows) in
            [(1000, 1000), (250_000, 250_000), (1_000_000, 493_790), (100_000_000, 12_042_362)]
        {
            let found = extent.rows(total);
            assert!(found.abs_diff(rows) <= rows / 10_000, "{total}: {found}");
        }
        let all = Extent { growth: Probability::ONE, power: Probability::ONE, ..extent.clone() };
        assert_eq!(all.rows(7_000_000), 7_000_000);
        let fixed = Extent { growth: Probability::ZERO, ..extent };
        assert_eq!(fixed.rows(7_000_000), 250_000);
    }
}
