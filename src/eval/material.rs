//! Counts pieces.

use super::{EvalError, Evaluations, Evaluator, Query, equal_priors};
use crate::game::{Game, MoverValue, View};

/// A lead of this many pawns is worth tanh(1), about 0.76.
const LEAD: f32 = 10.0;

/// Gives every move the same prior, and a position the value of its material.
#[derive(Debug, Clone, Copy, Default)]
pub struct Material;

impl<G: Game> Evaluator<G> for Material {
    fn evaluate(&mut self, queries: &[Query<G>], out: &mut Evaluations) -> Result<(), EvalError> {
        out.clear();
        for query in queries {
            out.push(equal_priors(query.moves.len()), lead(&query.view));
        }
        Ok(())
    }
}

/// The material lead of the player to move as a value: its hyperbolic tangent, so that 0 stays 0 and no
/// lead reaches a won game.
pub(super) fn lead<V: View>(view: &V) -> MoverValue {
    MoverValue((view.heuristic() / LEAD).tanh())
}
