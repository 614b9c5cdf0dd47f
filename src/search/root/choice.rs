//! From what a search found out to the move that is played.

use rand::{Rng, RngExt};

use super::{RootMove, RootReport};
use crate::units::Temperature;

/// A move chosen from a report.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice<M> {
    pub mv: M,
    /// The probability with which the move was chosen; none where it has no closed form.
    pub probability: Option<f32>,
}

impl<M, S> RootMove<M, S> {
    /// The visits that the search spent on the move of its own accord.
    pub fn led_visits(&self) -> u32 {
        self.visits.saturating_sub(self.audit_visits)
    }
}

impl<M: Copy, S> RootReport<M, S> {
    /// The probability to play each move, in the order of the moves: its share of the target to the power of
    /// 1 / temperature. At temperature 0 it is 1 for [`RootReport::best`]. Visits of an audit do not count.
    /// Only moves are played to which no other is certainly preferable: a sure win before all else, and a sure
    /// loss only where all is lost.
    pub fn policy(&self, temperature: Temperature) -> Vec<f64> {
        let most = self.moves.iter().map(|mv| f64::from(mv.target)).fold(0.0, f64::max);
        if temperature == Temperature::ZERO || most == 0.0 {
            return (0..self.moves.len()).map(|place| f64::from(u8::from(place == self.best))).collect();
        }
        let weight = |mv: &RootMove<M, S>| (f64::from(mv.target) / most).powf(temperature.get().recip());
        let total: f64 = self.moves.iter().map(weight).sum();
        self.moves.iter().map(|mv| weight(mv) / total).collect()
    }

    /// Draws a move from [`RootReport::policy`].
    pub fn choose<R: Rng + ?Sized>(&self, temperature: Temperature, rng: &mut R) -> Choice<M> {
        let policy = self.policy(temperature);
        let mut ticket: f64 = rng.random();
        let drawn = policy.iter().position(|&probability| {
            ticket -= probability;
            ticket < 0.0
        });
        // Rounding may leave a sliver above the last move.
        let place = drawn.unwrap_or(self.best);
        Choice { mv: self.moves[place].mv, probability: Some(policy[place] as f32) }
    }
}
