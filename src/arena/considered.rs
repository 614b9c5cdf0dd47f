//! An evaluator that thinks before it speaks.

use crate::eval::{EvalError, Evaluations, Evaluator, Query};
use crate::game::Game;
use crate::search::{Search, SearchConfig};

/// Judges a position by a search with another evaluator: slower, and much better at positions in which
/// something hangs, as after a piece has just turned up.
///
/// Every search starts from the same seed, so that a judgement depends on the position alone.
pub struct Considered<E> {
    pub evaluator: E,
    pub config: SearchConfig,
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Considered<E> {
    fn evaluate(&mut self, queries: &[Query<G>], out: &mut Evaluations) -> Result<(), EvalError> {
        out.clear();
        for query in queries {
            let mut search = Search::<G>::new(query.view.clone(), self.config, 0);
            search.run(&mut self.evaluator)?;
            let report = search.report();
            let visits = report.moves.iter().map(|root| root.visits as f32);
            out.push(visits.map(|visits| visits / report.visits as f32), report.value);
        }
        Ok(())
    }
}
