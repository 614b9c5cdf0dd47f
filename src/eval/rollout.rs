//! Plays sampled worlds out at random.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU32;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::{EvalError, Evaluations, Evaluator, Query, equal_priors, material};
use crate::game::{Eyes, Game, MoveList, MoverValue, Seat, SeatValue, Status, View};

/// How positions are played out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RolloutConfig {
    /// Games played from each position, each in a world of its own.
    pub games: NonZeroU32,
    /// Plies after which a game is stopped and its material counted.
    pub plies: u32,
    pub seed: u64,
}

impl Default for RolloutConfig {
    fn default() -> Self {
        Self { games: const { NonZeroU32::new(4).unwrap() }, plies: 60, seed: 0 }
    }
}

/// Gives every move the same prior, and a position the mean result of games played out at random.
///
/// The dice depend on the position and the seed alone, so equal positions get equal values.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rollout {
    config: RolloutConfig,
}

impl Rollout {
    pub fn new(config: RolloutConfig) -> Self {
        Self { config }
    }

    fn value<G: Game>(&self, view: &G::View) -> MoverValue {
        let Status::ToMove(mover) = view.status() else {
            unreachable!("queries are about games that go on");
        };
        let mut hasher = DefaultHasher::new();
        view.hash(&mut hasher);
        self.config.seed.hash(&mut hasher);
        let mut rng = ChaCha8Rng::seed_from_u64(hasher.finish());
        let games = self.config.games.get();
        let sum: f32 = (0..games).map(|_| self.play_out::<G>(view, &mut rng).for_mover(mover).0).sum();
        MoverValue(sum / games as f32)
    }

    fn play_out<G: Game>(&self, view: &G::View, rng: &mut ChaCha8Rng) -> SeatValue {
        let mut game = G::sample(view, rng);
        let mut moves = MoveList::new();
        for _ in 0..self.config.plies {
            if let Status::Over(outcome) = game.status() {
                return SeatValue::of(outcome);
            }
            game.play_at_random(&mut moves, rng);
        }
        match game.status() {
            Status::Over(outcome) => SeatValue::of(outcome),
            Status::ToMove(mover) => count_material(&game, mover),
        }
    }
}

fn count_material<G: Game>(game: &G, mover: Seat) -> SeatValue {
    material::lead(&game.view(Eyes::Of(mover))).for_first(mover)
}

impl<G: Game> Evaluator<G> for Rollout {
    fn evaluate(&mut self, queries: &[Query<G>], out: &mut Evaluations) -> Result<(), EvalError> {
        out.clear();
        for query in queries {
            out.push(equal_priors(query.moves.len()), self.value::<G>(&query.view));
        }
        Ok(())
    }
}
