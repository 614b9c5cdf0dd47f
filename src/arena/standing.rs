//! What the games of a match say of the players: the score as it fell, and the score less the luck.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::rating::{Z95, normal_cdf};
use super::{Conduct, Elo, Score, Verdict};

/// The games of a match, by pairs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Standing {
    score: Score,
    pairs: Vec<PairOfGames>,
    pub end: End,
}

/// Why a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum End {
    #[default]
    AllPlayed,
    /// The sequential test came to a verdict.
    Decided(Verdict),
    /// The user asked to stop.
    Interrupted,
}

/// Two games in which the same pieces turn up; the player has the first seat in the first of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairOfGames {
    /// The first seat's results: 1 won, 0 drawn, -1 lost.
    results: [i8; 2],
    /// The first seat's luck.
    luck: [f64; 2],
    conduct: Conduct,
}

impl PairOfGames {
    /// Of the result and the luck of each game, on its first seat's side.
    pub fn new(first: (i8, f64), second: (i8, f64)) -> Self {
        Self { results: [first.0, second.0], luck: [first.1, second.1], conduct: Conduct::default() }
    }

    /// The same with what is told of the player's restraint.
    pub fn with_conduct(self, conduct: Conduct) -> Self {
        Self { conduct, ..self }
    }

    /// The player's points per game, from 0 to 1.
    fn points(&self) -> f64 {
        0.5 + f64::from(self.results[0] - self.results[1]) / 4.0
    }

    /// What of the points per game was the player's luck.
    fn luck_in_points(&self) -> f64 {
        (self.luck[0] - self.luck[1]) / 4.0
    }
}

/// A mean over pairs with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

impl Mean {
    fn of(values: &[f64]) -> Self {
        let mean = mean(values);
        let half = Z95 * (variance(values) / values.len() as f64).sqrt();
        Self { mean, low: mean - half, high: mean + half }
    }

    fn standard_error(&self) -> f64 {
        (self.high - self.low) / (2.0 * Z95)
    }
}

impl Standing {
    pub fn add(&mut self, pair: PairOfGames) {
        self.score.add_pair([pair.results[0], -pair.results[1]]);
        self.pairs.push(pair);
    }

    /// The score as it fell.
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// The player's points per game less the luck in them; none below two pairs. The interval may reach
    /// beyond 0 and 1.
    pub fn adjusted(&self) -> Option<Mean> {
        self.over_pairs(|pair| pair.points() - pair.luck_in_points())
    }

    /// The player's points per game less the luck in them, pair by pair.
    pub fn points_less_luck(&self) -> Vec<f64> {
        self.each(|pair| pair.points() - pair.luck_in_points())
    }

    /// The player's luck in points per game, whose expectation is zero; none below two pairs.
    pub fn luck(&self) -> Option<Mean> {
        self.over_pairs(PairOfGames::luck_in_points)
    }

    /// How the player's restraint showed; nothing of a player without one.
    pub fn conduct(&self) -> Conduct {
        let mut total = Conduct::default();
        self.pairs.iter().for_each(|pair| total += pair.conduct);
        total
    }

    /// How many times more a pair's points vary than they do less the luck: so many times more games give
    /// the raw score the interval of the adjusted one. None below two pairs, or without any variance.
    pub fn variance_ratio(&self) -> Option<f64> {
        let raw = variance(&self.each(PairOfGames::points));
        let adjusted = variance(&self.each(|pair| pair.points() - pair.luck_in_points()));
        let ratio = raw / adjusted;
        (self.pairs.len() > 1 && ratio.is_finite()).then_some(ratio)
    }

    /// How much the first seat's results in the two games of a pair go together, from -1 to 1, with the
    /// interval by Fisher's transformation: what a pair's games share works for the same seat in both, and
    /// so cancels out of the score. None where there is no telling.
    pub fn kinship(&self) -> Option<Mean> {
        let seat = |game: usize| self.each(|pair| f64::from(pair.results[game]));
        let (first, second) = (seat(0), seat(1));
        let (mean1, mean2) = (mean(&first), mean(&second));
        let products: Vec<f64> = first.iter().zip(&second).map(|(a, b)| (a - mean1) * (b - mean2)).collect();
        let n = products.len() as f64;
        let covariance = products.iter().sum::<f64>() / (n - 1.0);
        let correlation = covariance / (variance(&first) * variance(&second)).sqrt();
        if n < 4.0 || !correlation.is_finite() {
            return None;
        }
        let half = Z95 / (n - 3.0).sqrt();
        let end = |shift: f64| (correlation.atanh() + shift).tanh();
        Some(Mean { mean: correlation, low: end(-half), high: end(half) })
    }

    fn over_pairs(&self, value: impl Fn(&PairOfGames) -> f64) -> Option<Mean> {
        (self.pairs.len() > 1).then(|| Mean::of(&self.each(value)))
    }

    fn each(&self, value: impl Fn(&PairOfGames) -> f64) -> Vec<f64> {
        self.pairs.iter().map(value).collect()
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The variance of what the values are a sample of.
fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.score)?;
        let (Some(adjusted), Some(luck)) = (self.adjusted(), self.luck()) else { return Ok(()) };
        let percent = |share: f64| 100.0 * share;
        write!(
            f,
            "\nless luck: score {:.1} %  (95 % interval {:.1} to {:.1} %)  Elo {}  (95 % interval {} to {})  \
             likelihood of superiority {:.1} %",
            percent(adjusted.mean),
            percent(adjusted.low),
            percent(adjusted.high),
            Elo::of(adjusted.mean),
            Elo::of(adjusted.low),
            Elo::of(adjusted.high),
            percent(normal_cdf((adjusted.mean - 0.5) / adjusted.standard_error().max(f64::MIN_POSITIVE))),
        )?;
        write!(
            f,
            "\nluck {:+.1} %  (95 % interval {:+.1} to {:+.1} %)",
            percent(luck.mean),
            percent(luck.low),
            percent(luck.high)
        )?;
        if let Some(ratio) = self.variance_ratio() {
            write!(f, "  variance with luck / without {ratio:.2}")?;
        }
        if let Some(kinship) = self.kinship() {
            write!(
                f,
                "\ncorrelation of a seat's results in a pair {:+.2}  (95 % interval {:+.2} to {:+.2})",
                kinship.mean, kinship.low, kinship.high
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four pairs, computed by hand.
    fn standing() -> Standing {
        let mut standing = Standing::default();
        standing.add(PairOfGames::new((1, 0.5), (-1, -0.5)));
        standing.add(PairOfGames::new((1, 1.0), (1, 0.6)));
        standing.add(PairOfGames::new((0, 0.0), (-1, -0.2)));
        standing.add(PairOfGames::new((-1, -0.4), (-1, -0.4)));
        standing
    }

    #[test]
    fn luck_is_taken_from_the_points_of_its_seat() {
        let standing = standing();
        // Points 1, 0.5, 0.75, 0.5; luck 0.25, 0.1, 0.05, 0.
        assert_eq!(standing.score().mean(), 0.6875);
        assert!((standing.luck().expect("pairs").mean - 0.1).abs() < 1e-12);
        let adjusted = standing.adjusted().expect("pairs");
        assert!((adjusted.mean - 0.5875).abs() < 1e-12);
        // Less luck: 0.75, 0.4, 0.7, 0.5.
        let variance = 0.081_875 / 3.0;
        assert!((adjusted.high - adjusted.mean - Z95 * f64::sqrt(variance / 4.0)).abs() < 1e-9);
        let raw = (0.3125_f64.powi(2) + 2.0 * 0.1875_f64.powi(2) + 0.0625_f64.powi(2)) / 3.0;
        assert!((standing.variance_ratio().expect("pairs") - raw / variance).abs() < 1e-9);
    }

    #[test]
    fn a_shared_deal_shows_in_the_seats_results() {
        let mut standing = Standing::default();
        for result in [1, 1, -1, 0, -1, 1] {
            standing.add(PairOfGames::new((result, 0.0), (result, 0.0)));
        }
        assert!((standing.kinship().expect("results differ").mean - 1.0).abs() < 1e-12);
        assert_eq!(standing.variance_ratio(), None);
    }

    #[test]
    fn nothing_is_told_from_one_pair() {
        let mut standing = Standing::default();
        standing.add(PairOfGames::new((1, 0.5), (0, 0.0)));
        assert_eq!((standing.adjusted(), standing.variance_ratio(), standing.kinship()), (None, None, None));
    }
}
