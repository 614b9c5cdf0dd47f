//! The outcomes of a move that uncovers something, with their odds.

use arrayvec::ArrayVec;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};

/// The most outcomes one move can have: six identities turned up times six taken.
pub const MAX_OUTCOMES: usize = 36;

/// One of the independent sources of chance that a seed stands for: drawing more from one leaves the others
/// as they are.
pub fn random_stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    rng
}

/// What a move may uncover, each outcome with a positive whole weight.
///
/// A move that uncovers nothing has the one outcome `R::default()`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chances<R> {
    outcomes: ArrayVec<(R, u32), MAX_OUTCOMES>,
    total: u32,
}

impl<R: Copy + PartialEq + Default> Chances<R> {
    /// The outcome of a move that uncovers nothing.
    pub fn certain() -> Self {
        Self::weighted([(R::default(), 1)])
    }

    /// Collects outcomes in the order given, leaving out those of weight zero.
    ///
    /// # Panics
    ///
    /// If no weight is positive, or there are more than [`MAX_OUTCOMES`] outcomes.
    pub fn weighted(outcomes: impl IntoIterator<Item = (R, u32)>) -> Self {
        let outcomes: ArrayVec<_, MAX_OUTCOMES> =
            outcomes.into_iter().filter(|&(_, weight)| weight > 0).collect();
        let total = outcomes.iter().map(|&(_, weight)| weight).sum();
        assert!(total > 0, "a move has at least one outcome");
        Self { outcomes, total }
    }

    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    /// Always false: a move has at least one outcome.
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// The outcomes with their weights, in the game's fixed order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (R, u32)> + '_ {
        self.outcomes.iter().copied()
    }

    /// The outcomes with their probabilities, which add up to 1.
    pub fn probabilities(&self) -> impl ExactSizeIterator<Item = (R, f64)> + '_ {
        let total = f64::from(self.total);
        self.iter().map(move |(reveal, weight)| (reveal, f64::from(weight) / total))
    }

    /// The probability of `reveal`, 0 if it cannot happen.
    pub fn probability(&self, reveal: R) -> f64 {
        self.probabilities().find(|&(outcome, _)| outcome == reveal).map_or(0.0, |(_, p)| p)
    }

    pub fn total_weight(&self) -> u32 {
        self.total
    }

    /// Draws one outcome according to the weights. A certain outcome takes nothing from `rng`.
    pub fn draw<G: Rng + ?Sized>(&self, rng: &mut G) -> R {
        if let [(only, _)] = self.outcomes[..] {
            return only;
        }
        let mut ticket = rng.random_range(0..self.total);
        for &(reveal, weight) in &self.outcomes {
            if ticket < weight {
                return reveal;
            }
            ticket -= weight;
        }
        unreachable!("a ticket is below the total of the weights")
    }
}
