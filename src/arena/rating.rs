//! From scores of pairs of games to a rating difference with its interval.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The two-sided 95 % point of the normal distribution.
pub(super) const Z95: f64 = 1.959_964;

/// The score of one player against another over pairs of games, both games of a pair on one deal.
///
/// The games of a pair share their deal, so pairs are the independent units: the interval is that of a
/// mean over pairs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Pairs by the points the player made in them: 0, 0.5, 1, 1.5, 2.
    pub pentanomial: [u64; 5],
    /// Games won, drawn and lost by the player.
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Score {
    pub fn new() -> Self {
        Self { pentanomial: [0; 5], wins: 0, draws: 0, losses: 0 }
    }

    /// Adds a pair by the player's results in its games: 1 won, 0 drawn, -1 lost.
    pub fn add_pair(&mut self, results: [i8; 2]) {
        for result in results {
            match result.signum() {
                1 => self.wins += 1,
                0 => self.draws += 1,
                _ => self.losses += 1,
            }
        }
        let half_points: i8 = results.iter().map(|result| result.signum() + 1).sum();
        self.pentanomial[usize::try_from(half_points).expect("each game adds 0, 1 or 2")] += 1;
    }

    pub fn pairs(&self) -> u64 {
        self.pentanomial.iter().sum()
    }

    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// Points per game, from 0 to 1; one half without games.
    pub fn mean(&self) -> f64 {
        if self.pairs() == 0 {
            return 0.5;
        }
        self.points().map(|(points, count)| points * count).sum::<f64>() / self.pairs() as f64
    }

    /// The standard error of the mean; infinite below two pairs.
    ///
    /// Half a pair is added to each cell of the table for the variance alone, so that a clean sweep
    /// still has an interval of positive width.
    pub fn standard_error(&self) -> f64 {
        if self.pairs() < 2 {
            return f64::INFINITY;
        }
        let smoothed = || self.points().map(|(points, count)| (points, count + 0.5));
        let total: f64 = smoothed().map(|(_, count)| count).sum();
        let mean = smoothed().map(|(points, count)| points * count).sum::<f64>() / total;
        let variance =
            smoothed().map(|(points, count)| (points - mean).powi(2) * count).sum::<f64>() / (total - 1.0);
        (variance / self.pairs() as f64).sqrt()
    }

    /// The 95 % interval of the mean.
    pub fn interval(&self) -> (f64, f64) {
        let half = Z95 * self.standard_error();
        ((self.mean() - half).max(0.0), (self.mean() + half).min(1.0))
    }

    /// The probability that the player is the stronger one (normal approximation, flat prior).
    pub fn likelihood_of_superiority(&self) -> f64 {
        if self.pairs() < 2 {
            return 0.5;
        }
        normal_cdf((self.mean() - 0.5) / self.standard_error())
    }

    /// Points per game and number of pairs, by kind of pair.
    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.pentanomial
            .into_iter()
            .enumerate()
            .map(|(half_points, count)| (half_points as f64 / 4.0, count as f64))
    }
}

impl Default for Score {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.interval();
        writeln!(
            f,
            "score {:.1} %  (95 % interval {:.1} to {:.1} %)  over {} games in {} pairs",
            100.0 * self.mean(),
            100.0 * low,
            100.0 * high,
            self.games(),
            self.pairs(),
        )?;
        writeln!(f, "won {}  drawn {}  lost {}", self.wins, self.draws, self.losses)?;
        let [lost, half, even, more, won] = self.pentanomial;
        writeln!(f, "pairs by points 0 / 0.5 / 1 / 1.5 / 2: {lost} / {half} / {even} / {more} / {won}")?;
        write!(
            f,
            "Elo {}  (95 % interval {} to {})  likelihood of superiority {:.1} %",
            Elo::of(self.mean()),
            Elo::of(low),
            Elo::of(high),
            100.0 * self.likelihood_of_superiority(),
        )
    }
}

/// A rating difference on the logistic scale: 400 points are odds of ten to one.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Elo(pub f64);

impl Elo {
    /// The difference that predicts `score`; infinite from 1 upwards and from 0 downwards.
    pub fn of(score: f64) -> Self {
        let score = score.clamp(0.0, 1.0);
        Self(400.0 * (score / (1.0 - score)).log10())
    }

    /// The score that the difference predicts, from 0 to 1.
    pub fn score(self) -> f64 {
        1.0 / (1.0 + 10_f64.powf(-self.0 / 400.0))
    }
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_finite() { write!(f, "{:+.0}", self.0) } else { write!(f, "{:+}", self.0) }
    }
}

/// The normal distribution function, by the formula 7.1.26 of Abramowitz and Stegun for the error
/// function (error below 1.5e-7).
pub(super) fn normal_cdf(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * (x.abs() / std::f64::consts::SQRT_2));
    let poly = t
        * (0.254_829_592
            + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let upper_tail = 0.5 * poly * (-x * x / 2.0).exp();
    if x >= 0.0 { 1.0 - upper_tail } else { upper_tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(pairs: &[[i8; 2]]) -> Score {
        let mut score = Score::new();
        pairs.iter().for_each(|&pair| score.add_pair(pair));
        score
    }

    #[test]
    fn pairs_are_counted_by_points() {
        let score = score(&[[1, 1], [1, -1], [0, 0], [-1, 0], [1, 0]]);
        assert_eq!(score.pentanomial, [0, 1, 2, 1, 1]);
        assert_eq!((score.wins, score.draws, score.losses), (4, 4, 2));
        assert!((score.mean() - 0.6).abs() < 1e-12);
    }

    #[test]
    fn the_interval_is_that_of_a_mean_over_pairs() {
        let mut even = Score::new();
        for _ in 0..200 {
            even.add_pair([1, 1]);
            even.add_pair([-1, -1]);
        }
        // Pairs score 0 or 1 with equal odds: the deviation of a pair is one half, all but the smoothing.
        assert!((even.standard_error() - 0.5 / 400_f64.sqrt()).abs() < 2e-4);
        let mut shared = Score::new();
        (0..400).for_each(|_| shared.add_pair([1, -1]));
        assert!(shared.standard_error() < even.standard_error() / 5.0);
    }

    #[test]
    fn a_clean_sweep_keeps_an_interval() {
        let (low, high) = score(&[[1, 1]; 20]).interval();
        assert!(low < 1.0 && high == 1.0);
    }

    #[test]
    fn elo_is_logistic() {
        assert!((Elo::of(10.0 / 11.0).0 - 400.0).abs() < 1e-9);
        assert_eq!(Elo::of(0.5).to_string(), "+0");
    }

    #[test]
    fn the_normal_distribution_has_its_known_points() {
        for (x, p) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.959_964, 0.025)] {
            assert!((normal_cdf(x) - p).abs() < 1e-6, "{x}");
        }
    }
}
