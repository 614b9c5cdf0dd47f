//! What a move may uncover: which outcome a simulation takes, and what the outcomes make the move worth.
//!
//! Where nothing is secret, outcomes are taken by quota, so that after `N` visits each has had close to
//! `p * N`, and the move is worth the expectation over them; or, if that is asked for, they are drawn by their
//! odds and the move is worth the mean of what came of it. Below a secret the sampled world draws.

use rand::{Rng, RngExt};

use super::Unopened;
use super::tree::NodeId;
use crate::game::SeatValue;

/// What follows an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Child {
    /// Not reached yet, or below a secret: there the next node depends on the world as well, and the
    /// outcome is worth the mean of the results that came through it.
    Apart,
    /// The game is over.
    Over,
    /// This node and no other.
    Node(NodeId),
}

/// One thing that a move may uncover.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcome<R, S> {
    /// What the owner of the move sees of it.
    pub seen: S,
    /// What to play for it. At a root with a secret the sampled world decides that, and this says nothing.
    pub reveal: R,
    /// The probability its owner gives it.
    pub odds: f32,
    pub visits: u32,
    pub value: SeatValue,
    pub child: Child,
}

impl<R, S> Outcome<R, S> {
    pub fn unopened(seen: S, reveal: R, odds: f64) -> Self {
        Self { seen, reveal, odds: odds as f32, visits: 0, value: SeatValue::DRAW, child: Child::Apart }
    }

    /// Counts a visit that ended with `result`; `settled` is the value of the one node below, if any.
    pub fn visit(&mut self, settled: Option<SeatValue>, result: SeatValue) {
        self.visits += 1;
        self.value = settled.unwrap_or_else(|| mean(self.value, self.visits, result));
    }
}

/// The mean of `visits` results, the last being `result` and the mean of those before it `before`.
pub(super) fn mean(before: SeatValue, visits: u32, result: SeatValue) -> SeatValue {
    SeatValue(before.0 + (result.0 - before.0) / visits as f32)
}

/// The value of a move over its outcomes, of which at least one is open; what those not opened yet count
/// as is `unopened`, `parent` being the value of the position the move is played in.
pub(super) fn expectation<R, S>(
    outcomes: &[Outcome<R, S>],
    unopened: Unopened,
    parent: SeatValue,
) -> SeatValue {
    let opened = outcomes.iter().filter(|outcome| outcome.visits > 0);
    let (sum, odds) = opened
        .fold((0.0, 0.0), |(sum, odds), outcome| (sum + outcome.odds * outcome.value.0, odds + outcome.odds));
    match unopened {
        Unopened::Parent => SeatValue(sum + (1.0 - odds).max(0.0) * parent.0),
        Unopened::Siblings => SeatValue(sum / odds),
    }
}

/// The outcome to visit next: the first by its odds, each later one the furthest behind its share. What is
/// `known` needs no visit while there is another.
pub(super) fn by_quota<R, S, G: Rng>(
    outcomes: &[Outcome<R, S>],
    known: impl Fn(&Outcome<R, S>) -> bool,
    rng: &mut G,
) -> usize {
    let drawn = match outcomes {
        [_] => return 0,
        _ if outcomes.iter().all(|outcome| outcome.visits == 0) => return by_odds(outcomes, rng),
        _ => furthest_behind(outcomes.iter().enumerate()),
    };
    match drawn {
        Some(place) if !known(&outcomes[place]) => place,
        _ => furthest_behind(outcomes.iter().enumerate().filter(|&(_, outcome)| !known(outcome)))
            .or(drawn)
            .expect("a move has an outcome"),
    }
}

/// An outcome drawn by its odds.
pub(super) fn by_odds<R, S, G: Rng>(outcomes: &[Outcome<R, S>], rng: &mut G) -> usize {
    let mut ticket: f32 = rng.random();
    let drawn = outcomes.iter().position(|outcome| {
        ticket -= outcome.odds;
        ticket < 0.0
    });
    // Rounding may leave a sliver above the last outcome.
    drawn.unwrap_or(outcomes.len() - 1)
}

/// The place of the outcome that most lacks visits, of those given as pairs of place and outcome.
fn furthest_behind<'a, R: 'a, S: 'a>(
    outcomes: impl Iterator<Item = (usize, &'a Outcome<R, S>)> + Clone,
) -> Option<usize> {
    let (odds, visits) = outcomes
        .clone()
        .fold((0.0, 0), |(odds, visits), (_, outcome)| (odds + outcome.odds, visits + outcome.visits));
    let due = |outcome: &Outcome<R, S>| outcome.odds / odds * (visits + 1) as f32 - outcome.visits as f32;
    let (furthest, _) = outcomes
        .map(|(place, outcome)| (place, due(outcome)))
        .reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    Some(furthest)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::ChaCha8Rng;

    use super::*;

    fn outcomes(weights: &[u32]) -> Vec<Outcome<(), ()>> {
        let total = f64::from(weights.iter().sum::<u32>());
        weights.iter().map(|&weight| Outcome::unopened((), (), f64::from(weight) / total)).collect()
    }

    #[test]
    fn visits_by_quota_stay_within_one_of_each_share() {
        let pools: [&[u32]; 6] = [&[5, 2, 2, 2, 2, 2], &[1, 1], &[1, 14], &[5, 1], &[3, 2, 2, 1, 1], &[1; 7]];
        for pool in pools {
            for seed in 0..20 {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                let mut outcomes = outcomes(pool);
                for visits in 1..=300 {
                    let drawn = by_quota(&outcomes, |_| false, &mut rng);
                    outcomes[drawn].visit(None, SeatValue::DRAW);
                    for outcome in &outcomes {
                        let behind = outcome.odds * visits as f32 - outcome.visits as f32;
                        assert!(behind.abs() <= 1.0 + 1e-4, "{pool:?} after {visits}: {behind}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_known_is_passed_over() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut outcomes = outcomes(&[1, 2, 3]);
        for _ in 0..600 {
            let drawn = by_quota(&outcomes, |outcome| outcome.odds > 0.4 && outcome.visits == 10, &mut rng);
            outcomes[drawn].visit(None, SeatValue::DRAW);
        }
        let visits = [0, 1, 2].map(|place| outcomes[place].visits);
        assert_eq!(visits[2], 10);
        assert!(visits[1].abs_diff(2 * visits[0]) <= 3, "{visits:?}");
    }

    #[test]
    fn an_unopened_outcome_borrows() {
        let parent = SeatValue(0.5);
        let mut outcomes = outcomes(&[1, 3]);
        outcomes[0].visit(None, SeatValue(-1.0));
        assert_eq!(expectation(&outcomes, Unopened::Parent, parent), SeatValue(0.125));
        assert_eq!(expectation(&outcomes, Unopened::Siblings, parent), SeatValue(-1.0));
        outcomes[1].visit(Some(SeatValue(1.0)), SeatValue(0.0));
        for unopened in [Unopened::Parent, Unopened::Siblings] {
            assert_eq!(expectation(&outcomes, unopened, parent), SeatValue(0.5));
        }
    }
}
