//! From visit counts to a policy and a move: the root of a PUCT search.

use rand::{Rng, RngExt};

use super::{RootMove, RootReport};
use crate::search::bounds::Stakes;
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
    /// The probability to play each move, in the order of the moves: visits to the power of
    /// 1 / temperature. At temperature 0 it is 1 for the most visited move, of those the one with the
    /// best value, and of those the first. Visits of an audit do not count. Only moves are played to which no
    /// other is certainly preferable: a sure win before all else, and a sure loss only where all is lost.
    pub fn policy(&self, temperature: Temperature) -> Vec<f64> {
        let surest = self.surest();
        let in_question = self.moves.iter().filter(|mv| !mv.stakes.yield_to(surest));
        let most = in_question.map(RootMove::led_visits).max().unwrap_or(0);
        if temperature == Temperature::ZERO || most == 0 {
            let best = self.best();
            return (0..self.moves.len()).map(|place| f64::from(u8::from(place == best))).collect();
        }
        let weight = |mv: &RootMove<M, S>| {
            let share = f64::from(mv.led_visits()) / f64::from(most);
            if mv.stakes.yield_to(surest) { 0.0 } else { share.powf(temperature.get().recip()) }
        };
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
        let place = drawn.unwrap_or_else(|| self.best());
        Choice { mv: self.moves[place].mv, probability: Some(policy[place] as f32) }
    }

    /// Where the move stands that the search likes best.
    fn best(&self) -> usize {
        let surest = self.surest();
        let rank = |mv: &RootMove<M, S>| {
            (!mv.stakes.yield_to(surest), mv.led_visits(), mv.q.map_or(f32::NEG_INFINITY, |q| q.0))
        };
        (1..self.moves.len()).fold(0, |best, place| {
            if rank(&self.moves[place]) > rank(&self.moves[best]) { place } else { best }
        })
    }

    fn surest(&self) -> Stakes {
        let stakes = self.moves.iter().map(|mv| mv.stakes);
        Stakes::surest(stakes).expect("a search has a move to choose")
    }
}
