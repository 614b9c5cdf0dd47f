//! The scales figures are shown on, for people who count games: percent and points.

use super::stats::Interval;
use super::table::{grouped, rounded, typeset};

/// A value from -1 to 1 as an expected score in percent: 50 is even, 100 is won.
pub fn percent(value: f32) -> f64 {
    50.0 * (1.0 + f64::from(value))
}

/// The way from one value to another in points: one point is one hundredth of a won game.
pub fn points(from: f32, to: f32) -> f64 {
    50.0 * (f64::from(to) - f64::from(from))
}

/// `−9.5 points`: a figure for reading.
pub fn figure(value: f64, decimals: usize, unit: &str) -> String {
    format!("{}\u{a0}{unit}", typeset(&rounded(value, decimals)))
}

/// `48.1 to 53.9 %, 812 games`, as it stands under a figure.
pub fn spread(interval: Option<Interval>, decimals: usize, unit: &str, count: u64, of: &str) -> String {
    let count = format!("{} {of}", grouped(count));
    match interval {
        Some(Interval { low, high }) => {
            format!("{} to {}, {count}", typeset(&rounded(low, decimals)), figure(high, decimals, unit))
        }
        None => count,
    }
}
