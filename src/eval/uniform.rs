//! Knows nothing: the cold start of training, and the player every other one has to beat.

use super::{EvalError, Evaluations, Evaluator, Query, equal_priors};
use crate::game::{Game, MoverValue};

/// Gives every move the same prior and every position the value 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uniform;

impl<G: Game> Evaluator<G> for Uniform {
    fn is_blind(&self) -> bool {
        true
    }

    fn evaluate(&mut self, queries: &[Query<G>], out: &mut Evaluations) -> Result<(), EvalError> {
        out.clear();
        for query in queries {
            out.push(equal_priors(query.moves.len()), MoverValue(0.0));
        }
        Ok(())
    }
}
