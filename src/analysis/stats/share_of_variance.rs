//! How much of the spread of one figure another explains.

use super::{Clusters, Estimate};

/// Sums for the share of the variance of a game's result that goes away when its luck is taken off.
#[derive(Debug, Clone)]
pub struct ShareOfVariance {
    /// Totals: one, result, its square, remainder, its square.
    clusters: Clusters<5>,
}

impl Default for ShareOfVariance {
    fn default() -> Self {
        Self { clusters: Clusters::new() }
    }
}

impl ShareOfVariance {
    /// Takes in a game with its result and the part of it that was luck.
    pub fn observe(&mut self, game: u64, result: f64, luck: f64) {
        let rest = result - luck;
        self.clusters.observe(game, [1.0, result, result * result, rest, rest * rest]);
    }

    pub fn merge(&mut self, later: Self) {
        self.clusters.merge(later.clusters);
    }

    /// One less the variance of the remainder over that of the result: below 1, and below 0 where taking the
    /// luck off adds spread. None where all results are alike. The interval is by the delta method.
    pub fn estimate(&self) -> Option<Estimate> {
        let clusters = self.clusters.closed();
        let [games, result, result_squares, rest, rest_squares] = clusters.totals;
        let (result_mean, rest_mean) = (result / games, rest / games);
        let result_variance = result_squares / games - result_mean.powi(2);
        let rest_variance = rest_squares / games - rest_mean.powi(2);
        if result_variance.is_nan() || result_variance <= 1e-12 {
            return None;
        }
        let ratio = rest_variance / result_variance;
        let scale = 1.0 / (games * result_variance);
        let [a, b, c, d] = [-2.0 * ratio * result_mean, ratio, 2.0 * rest_mean, -1.0].map(|w| w * scale);
        // The weight of the count makes the influences of all games add up to nothing.
        let sum = a * result + b * result_squares + c * rest + d * rest_squares;
        let weights = [-sum / games, a, b, c, d];
        let value = 1.0 - ratio;
        let interval = clusters.interval(value, &weights);
        Some(Estimate { value, interval, observations: clusters.games, games: clusters.games })
    }
}
