//! How much of the spread of one figure another goes with.

use super::{Clusters, Estimate, Interval};

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
    /// The interval is that of the correlation by the delta method, on Fisher's scale `atanh`, on which its
    /// spread hardly hangs on where it lies, and then squared.
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
        let by_covariance = 1.0 / (result_variance * luck_variance).sqrt();
        let correlation = covariance * by_covariance;
        // The slopes of the correlation in the variances, then in the sums they are made of.
        let by_result = -correlation / (2.0 * result_variance);
        let by_luck = -correlation / (2.0 * luck_variance);
        let a = -by_covariance * l - 2.0 * by_result * r;
        let c = -by_covariance * r - 2.0 * by_luck * l;
        let [a, b, c, d, e] = [a, by_result, c, by_luck, by_covariance].map(|slope| slope / games);
        // The weight of the count makes the influences of all games add up to nothing.
        let sum = a * result + b * result_squares + c * luck + d * luck_squares + e * products;
        let interval = clusters.interval(correlation, &[-sum / games, a, b, c, d, e]);
        Some(Estimate {
            value: correlation * correlation,
            interval: interval.map(|interval| squared(correlation, interval)),
            observations: clusters.games,
            games: clusters.games,
        })
    }
}

/// The interval of a squared correlation from that of the correlation itself.
fn squared(correlation: f64, interval: Interval) -> Interval {
    let reach = (interval.high - interval.low) / 2.0 / (1.0 - correlation * correlation).max(1e-12);
    let [low, high] = [-reach, reach].map(|reach| (correlation.atanh() + reach).tanh());
    let far = low.abs().max(high.abs());
    let near = if low * high <= 0.0 { 0.0 } else { low.abs().min(high.abs()) };
    Interval { low: near * near, high: far * far }
}
