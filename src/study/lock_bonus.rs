//! A judge who is paid for locks.

use crate::eval::{EvalError, Evaluations, Evaluator, Query};
use crate::game::{Game, MoverValue, random_stream};

/// Judges like another evaluator and adds a bonus for every face-down piece of the opponent's that is locked,
/// less the same for every own one.
///
/// A piece is locked as in [`Game::locks`]: it has no legal move, or none of low risk, to one who
/// knows what the view holds.
pub struct LockBonus<E> {
    evaluator: E,
    bonus: f64,
    judged: Evaluations,
}

impl<E> LockBonus<E> {
    /// `bonus` is in the value of a game, of which a won one has 1.
    pub fn new(evaluator: E, bonus: f64) -> Self {
        Self { evaluator, bonus, judged: Evaluations::default() }
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for LockBonus<E> {
    fn batch_hint(&self) -> usize {
        self.evaluator.batch_hint()
    }

    fn evaluate(&mut self, queries: &[Query<G>], out: &mut Evaluations) -> Result<(), EvalError> {
        self.evaluator.evaluate(queries, &mut self.judged)?;
        out.clear();
        for (index, query) in queries.iter().enumerate() {
            let MoverValue(value) = self.judged.value(index);
            let paid = f64::from(value) + self.bonus * locks::<G>(query);
            let value = MoverValue(paid.clamp(-1.0, 1.0) as f32);
            out.push(self.judged.priors(index).iter().copied(), value);
        }
        Ok(())
    }
}

/// How many more of the opponent's face-down pieces are locked than of the mover's.
fn locks<G: Game>(query: &Query<G>) -> f64 {
    // In every world the view allows the mover knows the same, and locks go by what the mover knows.
    let world = G::sample(&query.view, &mut random_stream(0, 0));
    world.locks().map_or(0.0, |locks| locks.enemy.len() as f64 - locks.own.len() as f64)
}
