//! How much of the spread of one figure another goes with.

use super::{Clusters, Estimate};

/// Sums for the share of the variance of games' results that goes with their luck.
#[derive(Debug, Clone)]
pub struct ShareOfVariance {
    /// Totals: one, result, its square, luck, its square, their product.
    clusters: Clusters<6>,
}

impl Default for ShareOfVariance {
    fn default() -> Self {
        Self { clusters: Clusters::new() }
    }
}

impl ShareOfVariance {
    /// Takes in a game with its result and its luck.
    pub fn observe(&mut self, game: u64, result: f64, luck: f64) {
        self.clusters.observe(game, [1.0, result, result * result, luck, luck * luck, result * luck]);
    }

    pub fn merge(&mut self, later: Self) {
        self.clusters.merge(later.clusters);
    }

    /// The squared correlation, from 0 to 1; none where all results or all luck are alike.
    ///
    /// The interval is by the delta method, and is kept within 0 and 1.
    pub fn estimate(&self) -> Option<Estimate> {
        let clusters = self.clusters.closed();
        let [games, result, result_squares, luck, luck_squares, products] = clusters.totals;
        let (r, l) = (result / games, luck / games);
        let result_variance = result_squares / games - r * r;
        let luck_variance = luck_squares / games - l * l;
        let covariance = products / games - r * l;
        if result_variance.is_nan() || result_variance <= 1e-12 || luck_variance <= 1e-12 {
            return None;
        }
        let value = covariance * covariance / (result_variance * luck_variance);
        // The slopes of the share in covariance and variances, then in the sums they are made of.
        let by_covariance = 2.0 * covariance / (result_variance * luck_variance);
        let (by_result, by_luck) = (-value / result_variance, -value / luck_variance);
        let a = -by_covariance * l - 2.0 * by_result * r;
        let c = -by_covariance * r - 2.0 * by_luck * l;
        let [a, b, c, d, e] = [a, by_result, c, by_luck, by_covariance].map(|slope| slope / games);
        // The weight of the count makes the influences of all games add up to nothing.
        let sum = a * result + b * result_squares + c * luck + d * luck_squares + e * products;
        let interval = clusters.interval(value, &[-sum / games, a, b, c, d, e]);
        let estimate = Estimate { value, interval, observations: clusters.games, games: clusters.games };
        Some(estimate.within(0.0, 1.0))
    }
}
