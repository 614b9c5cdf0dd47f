//! Means and shares with the intervals they deserve.
//!
//! Plies of one game are not independent of each other, so every interval here treats the **game** as
//! the unit that was drawn: sums are kept a game at a time and the spread is taken between games
//! (cluster-robust). Games of one dataset are taken as independent draws of the players that made it.

mod family;
mod regression;
mod share_of_variance;
mod weighted;

pub use family::{holm, p_value};
pub use regression::{Fit, Regression};
pub use share_of_variance::ShareOfVariance;
pub use weighted::{WeightedDifference, Weights};

/// The 97.5 % quantile of the standard normal distribution.
const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

/// The 97.5 % quantiles of Student's t distribution for 1 to 30 degrees of freedom.
#[rustfmt::skip]
const STUDENT_QUANTILES: [f64; 30] = [
    12.706_204_736_2, 4.302_652_729_7, 3.182_446_305_3, 2.776_445_105_2, 2.570_581_835_6,
    2.446_911_851_1, 2.364_624_251_6, 2.306_004_135_2, 2.262_157_162_8, 2.228_138_852_0,
    2.200_985_160_1, 2.178_812_829_7, 2.160_368_656_5, 2.144_786_687_9, 2.131_449_545_6,
    2.119_905_299_2, 2.109_815_577_8, 2.100_922_040_2, 2.093_024_054_4, 2.085_963_447_3,
    2.079_613_844_7, 2.073_873_067_9, 2.068_657_610_4, 2.063_898_561_6, 2.059_538_552_8,
    2.055_529_438_6, 2.051_830_516_5, 2.048_407_141_8, 2.045_229_642_1, 2.042_272_456_3,
];

/// A 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// A figure with what it rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub value: f64,
    /// None where fewer than two games leave the spread unknown.
    pub interval: Option<Interval>,
    /// Single observations.
    pub observations: u64,
    /// Games they come from.
    pub games: u64,
}

impl Estimate {
    /// The same for a figure that cannot lie outside `low` and `high`: the interval ends there.
    pub fn within(self, low: f64, high: f64) -> Self {
        let interval = |i: Interval| Interval { low: i.low.max(low), high: i.high.min(high) };
        Self { interval: self.interval.map(interval), ..self }
    }

    /// The same in units `1 / scale` as large.
    pub fn scaled(self, scale: f64) -> Self {
        let interval = |i: Interval| Interval { low: i.low * scale, high: i.high * scale };
        Self { value: self.value * scale, interval: self.interval.map(interval), ..self }
    }
}

/// Sums over games of `K` per-game totals, and of their products.
///
/// Enough for every ratio of totals, and every difference of such ratios, with a cluster-robust interval:
/// with `u_g` the influence of game `g` on the estimate, linear in the game's totals, the variance is
/// `G/(G-1) * sum(u_g^2)` over `G` games, which is the CR1 estimator for a mean (Cameron and Miller, "A
/// Practitioner's Guide to Cluster-Robust Inference", J. Human Resources 50, 2015, section II), and the
/// interval takes Student's t with `G - 1` degrees of freedom (their section VI).
#[derive(Debug, Clone)]
struct Clusters<const K: usize> {
    games: u64,
    totals: [f64; K],
    products: [[f64; K]; K],
    /// The game whose rows are being read, with its totals so far.
    open: Option<(u64, [f64; K])>,
}

impl<const K: usize> Clusters<K> {
    fn new() -> Self {
        Self { games: 0, totals: [0.0; K], products: [[0.0; K]; K], open: None }
    }

    /// Adds to the totals of `game`. All observations of a game come one after the other.
    fn observe(&mut self, game: u64, observation: [f64; K]) {
        match &mut self.open {
            Some((open, totals)) if *open == game => add(totals, &observation),
            _ => {
                self.close();
                self.open = Some((game, observation));
            }
        }
    }

    /// These sums with the game being read settled too.
    fn closed(&self) -> Self {
        let mut closed = self.clone();
        closed.close();
        closed
    }

    /// Settles the game being read: its products can be taken once its totals are complete.
    fn close(&mut self) {
        let Some((_, game)) = self.open.take() else { return };
        self.games += 1;
        add(&mut self.totals, &game);
        for (row, &total) in self.products.iter_mut().zip(&game) {
            for (product, &other) in row.iter_mut().zip(&game) {
                *product += total * other;
            }
        }
    }

    /// Adds the games of `later`, none of which this has seen.
    fn merge(&mut self, mut later: Self) {
        self.close();
        later.close();
        self.games += later.games;
        add(&mut self.totals, &later.totals);
        for (row, other) in self.products.iter_mut().zip(&later.products) {
            add(row, other);
        }
    }

    /// The variance of an estimate on which a game has the influence `weights . totals`, and the quantile
    /// of Student's t that goes with it; none for fewer than two games.
    fn spread(&self, weights: &[f64; K]) -> Option<(f64, f64)> {
        if self.games < 2 {
            return None;
        }
        let squares: f64 = (self.products.iter().zip(weights))
            .map(|(row, weight)| weight * row.iter().zip(weights).map(|(p, w)| p * w).sum::<f64>())
            .sum();
        let games = self.games as f64;
        // Rounding may leave a variance of nothing a hair below it.
        let variance = (games / (games - 1.0) * squares).max(0.0);
        Some((variance, student_quantile(self.games - 1)))
    }

    /// The interval around `value`, an estimate on which a game has the influence `weights . totals`.
    fn interval(&self, value: f64, weights: &[f64; K]) -> Option<Interval> {
        let (variance, quantile) = self.spread(weights)?;
        let reach = quantile * variance.sqrt();
        Some(Interval { low: value - reach, high: value + reach })
    }
}

fn add<const K: usize>(totals: &mut [f64; K], more: &[f64; K]) {
    for (total, more) in totals.iter_mut().zip(more) {
        *total += more;
    }
}

/// The mean of observations that come in games.
#[derive(Debug, Clone)]
pub struct ClusteredMean {
    /// Totals: the sum, the count.
    clusters: Clusters<2>,
}

impl Default for ClusteredMean {
    fn default() -> Self {
        Self { clusters: Clusters::new() }
    }
}

impl ClusteredMean {
    /// Takes in `value`, seen in `game`. All observations of a game come one after the other.
    pub fn observe(&mut self, game: u64, value: f64) {
        self.clusters.observe(game, [value, 1.0]);
    }

    /// Adds what `later` has seen, in games this has not.
    pub fn merge(&mut self, later: Self) {
        self.clusters.merge(later.clusters);
    }

    /// The mean over observations; none without any.
    pub fn estimate(&self) -> Option<Estimate> {
        let clusters = self.clusters.closed();
        let [sum, count] = clusters.totals;
        if count == 0.0 {
            return None;
        }
        let value = sum / count;
        let interval = clusters.interval(value, &[1.0 / count, -value / count]);
        Some(Estimate { value, interval, observations: count as u64, games: clusters.games })
    }
}

/// The share of observations, which come in games, that have some property.
#[derive(Debug, Clone)]
pub struct ClusteredShare {
    /// Totals: those with the property, all.
    clusters: Clusters<2>,
}

impl Default for ClusteredShare {
    fn default() -> Self {
        Self { clusters: Clusters::new() }
    }
}

impl ClusteredShare {
    /// Takes in whether an observation of `game` has the property. All of a game come one after the other.
    pub fn observe(&mut self, game: u64, has: bool) {
        self.clusters.observe(game, [f64::from(u8::from(has)), 1.0]);
    }

    /// Adds what `later` has seen, in games this has not.
    pub fn merge(&mut self, later: Self) {
        self.clusters.merge(later.clusters);
    }

    /// The share in percent; see [`ClusteredShare::estimate`].
    pub fn percent(&self) -> Option<Estimate> {
        self.estimate().map(|share| share.scaled(100.0))
    }

    /// The share, from 0 to 1; none without an observation.
    ///
    /// The interval is Wilson's at the effective number of observations, which stays within 0 and 1 and
    /// does not shrink to nothing at either end (Franco, Little, Louis and Slud, "Comparative Study of
    /// Confidence Intervals for Proportions in Complex Sample Surveys", J. Surv. Stat. Methodol. 7, 2019).
    /// That number is the one whose binomial variance is the cluster-robust one, at most all observations;
    /// the number of games where all observations are alike; and it is made smaller as Student's t is wider
    /// than the normal distribution (Korn and Graubard, Surv. Methodol. 24, 1998).
    pub fn estimate(&self) -> Option<Estimate> {
        let clusters = self.clusters.closed();
        let [sum, count] = clusters.totals;
        if count == 0.0 {
            return None;
        }
        let value = sum / count;
        let interval = clusters.spread(&[1.0 / count, -value / count]).map(|(variance, quantile)| {
            let effective = match value * (1.0 - value) {
                0.0 => clusters.games as f64,
                binomial => (binomial / variance).min(count),
            };
            wilson(value, 0.0, effective * (NORMAL_QUANTILE / quantile).powi(2))
        });
        Some(Estimate { value, interval, observations: count as u64, games: clusters.games })
    }
}

/// Which of two groups an observation belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arm {
    Exposed,
    Free,
}

/// The mean of the exposed observations less that of the free ones, both from the same games.
#[derive(Debug, Clone)]
pub struct ClusteredDifference {
    /// Totals: sum and count of the exposed, sum and count of the free.
    clusters: Clusters<4>,
}

impl Default for ClusteredDifference {
    fn default() -> Self {
        Self { clusters: Clusters::new() }
    }
}

impl ClusteredDifference {
    /// Takes in `value`, seen in `game`. All observations of a game come one after the other.
    pub fn observe(&mut self, game: u64, arm: Arm, value: f64) {
        let observation = match arm {
            Arm::Exposed => [value, 1.0, 0.0, 0.0],
            Arm::Free => [0.0, 0.0, value, 1.0],
        };
        self.clusters.observe(game, observation);
    }

    /// Adds what `later` has seen, in games this has not.
    pub fn merge(&mut self, later: Self) {
        self.clusters.merge(later.clusters);
    }

    /// The difference of the means; none unless both groups have an observation.
    pub fn estimate(&self) -> Option<Estimate> {
        let clusters = self.clusters.closed();
        let [exposed_sum, exposed, free_sum, free] = clusters.totals;
        if exposed == 0.0 || free == 0.0 {
            return None;
        }
        let (exposed_mean, free_mean) = (exposed_sum / exposed, free_sum / free);
        let value = exposed_mean - free_mean;
        let weights = [1.0 / exposed, -exposed_mean / exposed, -1.0 / free, free_mean / free];
        let interval = clusters.interval(value, &weights);
        Some(Estimate { value, interval, observations: (exposed + free) as u64, games: clusters.games })
    }
}

/// Results of whole games from one side: wins, draws and losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Score {
    /// Counts one game; `result` is 1, 0 or -1 for the side whose score this is.
    pub fn count(&mut self, result: i8) {
        match result.signum() {
            1 => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    pub fn merge(&mut self, later: Self) {
        self.wins += later.wins;
        self.draws += later.draws;
        self.losses += later.losses;
    }

    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The mean score, from 0 to 1, a draw counting one half; none without a game.
    ///
    /// The interval is Wilson's (J. Am. Stat. Assoc. 22, 1927) with the variance of a game of three
    /// results in place of that of two: the set of means `m` with `n (score - m)^2 <= z^2 (m (1 - m) -
    /// d / 4)`. The share of draws `d` is shrunk to `draws / (n + z^2)`, so that a handful of draws does
    /// not pass for certainty. Without draws it is Wilson's interval itself.
    pub fn estimate(self) -> Option<Estimate> {
        let games = self.games();
        if games == 0 {
            return None;
        }
        let n = games as f64;
        let value = (self.wins as f64 + 0.5 * self.draws as f64) / n;
        let drawn = self.draws as f64 / (n + NORMAL_QUANTILE.powi(2));
        Some(Estimate { value, interval: Some(wilson(value, drawn, n)), observations: games, games })
    }
}

/// The means `m` with `n (mean - m)^2 <= z^2 (m (1 - m) - drawn / 4)`: those that `mean`, found over `n`
/// games of which a share `drawn` was neither lost nor won, does not contradict.
fn wilson(mean: f64, drawn: f64, n: f64) -> Interval {
    let z2 = NORMAL_QUANTILE.powi(2);
    let middle = (n * mean + z2 / 2.0) / (n + z2);
    let variance = n * (mean * (1.0 - mean) - drawn / 4.0) + z2 * (1.0 - drawn) / 4.0;
    let reach = NORMAL_QUANTILE * variance.max(0.0).sqrt() / (n + z2);
    Interval { low: middle - reach, high: middle + reach }
}

/// The 97.5 % quantile of Student's t: from the table, and past it by the expansion about the normal
/// quantile (Abramowitz and Stegun 26.7.5), whose error there is below 3e-8.
fn student_quantile(degrees: u64) -> f64 {
    if let Some(index) = degrees.checked_sub(1)
        && let Some(&quantile) = usize::try_from(index).ok().and_then(|index| STUDENT_QUANTILES.get(index))
    {
        return quantile;
    }
    let (v, z) = (degrees as f64, NORMAL_QUANTILE);
    let z2 = z * z;
    let first = z * (z2 + 1.0) / 4.0;
    let second = z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let third = z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    let fourth = z * ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92160.0;
    z + (first + (second + (third + fourth / v) / v) / v) / v
}
