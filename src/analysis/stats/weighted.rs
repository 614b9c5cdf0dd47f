//! Differences of weighted means, with what tells whether the weights can be borne.

use super::{Arm, Clusters, Estimate};

/// The weighted mean of the exposed observations less that of the free ones, from the same games.
///
/// With weights of one over the probability an observation was drawn with, the means are those of Hájek (in
/// Godambe and Sprott, "Foundations of Statistical Inference", 1971): they stand for all that might have been
/// drawn.
#[derive(Debug, Clone)]
pub struct WeightedDifference {
    /// Totals: weighted sum and weight of the exposed, weighted sum and weight of the free.
    clusters: Clusters<4>,
    exposed: Weights,
    free: Weights,
}

/// The weights of some observations.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Weights {
    pub observations: u64,
    total: f64,
    squares: f64,
    largest: f64,
}

impl Weights {
    fn add(&mut self, weight: f64) {
        self.observations += 1;
        self.total += weight;
        self.squares += weight * weight;
        self.largest = self.largest.max(weight);
    }

    fn merge(&mut self, later: Self) {
        self.observations += later.observations;
        self.total += later.total;
        self.squares += later.squares;
        self.largest = self.largest.max(later.largest);
    }

    /// How many observations of one weight would tell as much (Kish, "Survey Sampling", 1965).
    pub fn effective(&self) -> f64 {
        if self.squares > 0.0 { self.total * self.total / self.squares } else { 0.0 }
    }

    /// The share of the whole weight that the heaviest observation has.
    pub fn largest_share(&self) -> f64 {
        if self.total > 0.0 { self.largest / self.total } else { 0.0 }
    }
}

impl Default for WeightedDifference {
    fn default() -> Self {
        Self { clusters: Clusters::new(), exposed: Weights::default(), free: Weights::default() }
    }
}

impl WeightedDifference {
    /// Takes in `value`, seen in `game`, with a weight above 0. All observations of a game come one after the
    /// other.
    pub fn observe(&mut self, game: u64, arm: Arm, value: f64, weight: f64) {
        let product = weight * value;
        let (weights, totals) = match arm {
            Arm::Exposed => (&mut self.exposed, [product, weight, 0.0, 0.0]),
            Arm::Free => (&mut self.free, [0.0, 0.0, product, weight]),
        };
        weights.add(weight);
        self.clusters.observe(game, totals);
    }

    /// Adds what `later` has seen, in games this has not.
    pub fn merge(&mut self, later: Self) {
        self.clusters.merge(later.clusters);
        self.exposed.merge(later.exposed);
        self.free.merge(later.free);
    }

    /// The weights of the exposed observations and of the free ones.
    pub fn weights(&self) -> [Weights; 2] {
        [self.exposed, self.free]
    }

    /// The difference of the weighted means; none unless both groups have an observation.
    pub fn estimate(&self) -> Option<Estimate> {
        let clusters = self.clusters.closed();
        let [exposed_sum, exposed, free_sum, free] = clusters.totals;
        if exposed == 0.0 || free == 0.0 {
            return None;
        }
        let (exposed_mean, free_mean) = (exposed_sum / exposed, free_sum / free);
        let value = exposed_mean - free_mean;
        let weights = [1.0 / exposed, -exposed_mean / exposed, -1.0 / free, free_mean / free];
        let observations = self.exposed.observations + self.free.observations;
        let interval = clusters.interval(value, &weights);
        Some(Estimate { value, interval, observations, games: clusters.games })
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn weights_tell_how_much_they_leave() {
        let mut difference = WeightedDifference::default();
        for (game, weight) in [(1, 1.0), (2, 1.0), (3, 2.0)] {
            difference.observe(game, Arm::Exposed, 3.0, weight);
        }
        difference.observe(4, Arm::Free, 1.0, 5.0);
        let [exposed, free] = difference.weights();
        assert_eq!(
            (exposed.observations, exposed.effective(), exposed.largest_share()),
            (3, 16.0 / 6.0, 0.5)
        );
        assert_eq!((free.observations, free.effective(), free.largest_share()), (1, 1.0, 1.0));
        assert_eq!(difference.estimate().map(|estimate| estimate.value), Some(2.0));
    }

    /// Exposed moves lose, and most where there are many moves, of which each is the less likely to be drawn.
    #[test]
    fn weights_undo_what_the_draw_prefers_and_the_interval_covers_the_truth() {
        let (mut covered, mut fooled, replications) = (0, 0, 200);
        for replication in 0..replications {
            let mut rng = ChaCha8Rng::seed_from_u64(replication);
            let (mut weighted, mut plain) = (WeightedDifference::default(), WeightedDifference::default());
            for game in 0..400 {
                let (moves, exposed, base) = if rng.random_bool(0.5) { (2, 1, 20.0) } else { (20, 10, 0.0) };
                // A third kind of move, so that the two arms do not share one weight.
                let drawn = rng.random_range(0..moves + 4);
                if drawn >= moves {
                    continue;
                }
                let arm = if drawn < exposed { Arm::Exposed } else { Arm::Free };
                let effect = if arm == Arm::Exposed { -4.0 } else { 0.0 };
                let bonus = if arm == Arm::Free && moves == 20 { 30.0 } else { 0.0 };
                let value = base + effect + bonus + 10.0 * (rng.random::<f64>() - 0.5);
                weighted.observe(game, arm, value, f64::from(moves + 4));
                plain.observe(game, arm, value, 1.0);
            }
            // Of all the moves there might have been: one in 11 of either arm where there are few.
            let truth = (16.0 + 10.0 * -4.0) / 11.0 - (20.0 + 10.0 * 30.0) / 11.0;
            let holds = |difference: &WeightedDifference| {
                let interval = difference.estimate().and_then(|estimate| estimate.interval).expect("games");
                interval.low <= truth && truth <= interval.high
            };
            covered += u64::from(holds(&weighted));
            fooled += u64::from(!holds(&plain));
        }
        // Of 200 draws at 95 %, fewer than 179 come once in 2,000.
        assert!(covered >= 179, "{covered} of {replications}");
        assert!(fooled > covered / 2, "{fooled}: without weights another question is answered");
    }
}
