//! A sequential test of which of two rating differences is nearer the truth.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Elo, Score, Standing};
use crate::text::shown;

/// A generalised sequential probability ratio test over pairs of games: is the player better by `elo0` or
/// less, or by `elo1` or more?
///
/// The ratio is that of the best-fitting distributions of the points of a pair whose means are those of the
/// two hypotheses, as in M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation
/// value of a distribution" (2020), which the test frameworks of chess engines use.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// What a test has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The difference is not the larger one.
    Rejected,
    /// The difference is not the smaller one.
    Accepted,
}

/// A text was no sequential test.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{}': {}; expected ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, as in 0,20,0.05,0.05",
    shown(given),
    shown(found)
)]
pub struct SprtError {
    given: String,
    found: String,
}

/// What stands for a count of nothing, so that no outcome is held impossible.
const NEXT_TO_NOTHING: f64 = 1e-3;

/// Points of a pair, a game being worth one half, by the place in the table of pairs.
const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Which score of a match a test goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Counted {
    #[default]
    AsItFell,
    /// With what chance gave and took away taken off.
    LessLuck,
}

/// Pairs of an ordinary spread that a test less the luck is taken to have seen before: a few pairs that happen
/// to lie close together decide nothing.
const PAIRS_BEFORE: f64 = 4.0;

/// How the points of a pair less the luck vary between players who draw now and then.
const ORDINARY_VARIANCE: f64 = 0.1;

impl Sprt {
    /// The verdict on the pairs of a match, if there is one yet.
    pub fn verdict_on(&self, standing: &Standing, counted: Counted) -> Option<Verdict> {
        match counted {
            Counted::AsItFell => self.verdict(standing.score()),
            Counted::LessLuck => self.verdict_at(self.log_ratio_of_points(&standing.points_less_luck())),
        }
    }

    /// The verdict, if there is one yet.
    pub fn verdict(&self, score: &Score) -> Option<Verdict> {
        self.verdict_at(self.log_ratio(score))
    }

    fn verdict_at(&self, ratio: f64) -> Option<Verdict> {
        let (low, high) = self.bounds();
        if ratio <= low {
            Some(Verdict::Rejected)
        } else if ratio >= high {
            Some(Verdict::Accepted)
        } else {
            None
        }
    }

    /// The logarithm of how much likelier the pairs are under `elo1` than under `elo0`.
    pub fn log_ratio(&self, score: &Score) -> f64 {
        if score.pairs() == 0 {
            return 0.0;
        }
        let counts = score.pentanomial.map(|count| (count as f64).max(NEXT_TO_NOTHING));
        let tilted = |elo: f64| Tilt::to_mean(&counts, Elo(elo).score());
        let (under0, under1) = (tilted(self.elo0), tilted(self.elo1));
        let terms = counts.iter().zip(POINTS);
        terms.map(|(count, points)| count * (under0.log_weight(points) - under1.log_weight(points))).sum()
    }

    /// The same for points per game that may be any number, one for each pair, by the normal approximation:
    /// of two hypotheses about a mean, with the variance that was seen.
    pub fn log_ratio_of_points(&self, points: &[f64]) -> f64 {
        let pairs = points.len() as f64;
        if points.is_empty() {
            return 0.0;
        }
        let mean = points.iter().sum::<f64>() / pairs;
        let spread: f64 = points.iter().map(|points| (points - mean).powi(2)).sum();
        let variance = (spread + PAIRS_BEFORE * ORDINARY_VARIANCE) / (pairs - 1.0 + PAIRS_BEFORE);
        let [s0, s1] = [self.elo0, self.elo1].map(|elo| Elo(elo).score());
        pairs * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }

    /// The test goes on while the logarithm of the ratio lies between these (Wald).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }
}

/// The distribution nearest the counts that has a given mean: each share divided by `1 + by * (x - mean)`.
struct Tilt {
    by: f64,
    mean: f64,
}

impl Tilt {
    fn to_mean(counts: &[f64; 5], mean: f64) -> Self {
        let excess = |by: f64| -> f64 {
            counts.iter().zip(POINTS).map(|(n, x)| n * (x - mean) / (1.0 + by * (x - mean))).sum()
        };
        // The excess falls from plus to minus infinity between the poles.
        let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if excess(middle) > 0.0 { low = middle } else { high = middle }
        }
        Self { by: f64::midpoint(low, high), mean }
    }

    fn log_weight(&self, points: f64) -> f64 {
        (1.0 + self.by * (points - self.mean)).ln()
    }
}

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let wrong = |found: String| SprtError { given: text.into(), found };
        let number = |part: &str| {
            let number = part.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| wrong(format!("'{part}' is not a number")))
        };
        let numbers = text.split(',').map(number).collect::<Result<Vec<_>, _>>()?;
        let (elo0, elo1, alpha, beta) = match numbers[..] {
            [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
            [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
            _ => return Err(wrong(format!("{} numbers", numbers.len()))),
        };
        if elo0 >= elo1 || elo0 < -2000.0 || elo1 > 2000.0 {
            return Err(wrong("ELO0 must be below ELO1, both within 2000 points of 0".into()));
        }
        if [alpha, beta].iter().any(|error| !(error > &0.0 && error < &0.5)) {
            return Err(wrong("ALPHA and BETA must lie between 0 and 0.5".into()));
        }
        Ok(Self { elo0, elo1, alpha, beta })
    }
}

impl TryFrom<String> for Sprt {
    type Error = SprtError;

    fn try_from(text: String) -> Result<Self, SprtError> {
        text.parse()
    }
}

impl From<Sprt> for String {
    fn from(sprt: Sprt) -> String {
        sprt.to_string()
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rejected => "the smaller difference accepted",
            Self::Accepted => "the larger difference accepted",
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::game::random_stream;

    fn score(pentanomial: [u64; 5]) -> Score {
        Score { pentanomial, ..Score::new() }
    }

    #[test]
    fn with_wins_and_losses_alone_the_ratio_is_the_binomial_one() {
        let sprt: Sprt = "0,100".parse().expect("a test");
        let (p0, p1) = (0.5_f64, Elo(100.0).score());
        let exact = 60.0 * (p1 / p0).ln() + 40.0 * ((1.0 - p1) / (1.0 - p0)).ln();
        let ratio = sprt.log_ratio(&score([40, 0, 0, 0, 60]));
        assert!((ratio - exact).abs() < 0.02, "{ratio} against {exact}");
    }

    #[test]
    fn the_ratio_favours_the_hypothesis_that_holds() {
        let sprt: Sprt = "-20,20".parse().expect("a test");
        assert!(sprt.log_ratio(&score([10, 20, 40, 20, 10])).abs() < 1e-9);
        assert!(sprt.log_ratio(&score([5, 15, 40, 25, 15])) > 0.0);
        assert_eq!(sprt.log_ratio(&score([0; 5])), 0.0);
    }

    #[test]
    fn errors_stay_near_their_bounds() {
        let sprt: Sprt = "0,60".parse().expect("a test");
        let wrong_in = |truth: f64, wrong: Verdict| {
            (0..400)
                .filter(|&run| {
                    let mut rng = random_stream(11, run);
                    let mut score = Score::new();
                    loop {
                        let mut game = || if rng.random_bool(Elo(truth).score()) { 1 } else { -1 };
                        score.add_pair([game(), game()]);
                        if let Some(verdict) = sprt.verdict(&score) {
                            return verdict == wrong;
                        }
                    }
                })
                .count()
        };
        // 400 runs at 5 %: 20 are expected, 35 are three and a half deviations more.
        assert!(wrong_in(0.0, Verdict::Accepted) <= 35);
        assert!(wrong_in(60.0, Verdict::Rejected) <= 35);
    }

    #[test]
    fn less_the_luck_errors_stay_near_their_bounds_too() {
        let sprt: Sprt = "0,60".parse().expect("a test");
        let wrong_in = |truth: f64, wrong: Verdict| {
            (0..400)
                .filter(|&run| {
                    let mut rng = random_stream(12, run);
                    let mut points = Vec::new();
                    loop {
                        // A game less its luck: the points, and noise that luck's judge leaves.
                        let mut game = || {
                            let won = f64::from(u8::from(rng.random_bool(Elo(truth).score())));
                            won + rng.random_range(-0.2..0.2)
                        };
                        points.push(f64::midpoint(game(), game()));
                        if let Some(verdict) = sprt.verdict_at(sprt.log_ratio_of_points(&points)) {
                            return verdict == wrong;
                        }
                    }
                })
                .count()
        };
        // As above.
        assert!(wrong_in(0.0, Verdict::Accepted) <= 35);
        assert!(wrong_in(60.0, Verdict::Rejected) <= 35);
    }

    #[test]
    fn a_wrong_test_is_refused() {
        for (wrong, said) in [
            ("", "'' is not a number"),
            ("5", "1 numbers"),
            ("5,x", "'x' is not a number"),
            ("5,5", "below ELO1"),
            ("0,NaN", "'NaN' is not a number"),
            ("0,5,0,0.1", "between 0 and 0.5"),
            ("0,5,0.1", "3 numbers"),
        ] {
            let error = wrong.parse::<Sprt>().expect_err(wrong).to_string();
            assert!(error.contains(said), "{error}");
        }
        assert_eq!("0,5.5".parse::<Sprt>().expect("a test").to_string(), "0,5.5,0.05,0.05");
    }
}
