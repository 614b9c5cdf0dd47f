//! Who judges a view: priors for its moves and a value for the player to move.

mod device;
mod material;
mod plain;
mod rollout;
mod uniform;

use std::time::Duration;

use crate::game::{Game, MoveList, MoverValue};

pub use device::{Device, UnknownDevice};
pub use material::Material;
pub use plain::{Plain, UnknownEvaluator};
pub use rollout::{Rollout, RolloutConfig};
pub use uniform::Uniform;

/// A position to judge: its mover's view, and the moves the judge gives priors to.
pub struct Query<G: Game> {
    /// As the player to move sees it, or only what both players know of it; the game is not over.
    pub view: G::View,
    /// The legal moves, or those of them that are to be chosen from, sorted.
    pub moves: MoveList<G::Move>,
}

/// An evaluator could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// There is no evaluator to be had: a checkpoint cannot be read, or was made for something else.
    #[error("cannot make the evaluator")]
    Unusable { source: Box<dyn std::error::Error + Send + Sync> },
    /// The network's library refused; `source` is its message.
    #[error("the network failed on a batch of {batch} positions")]
    Network { batch: usize, source: Box<dyn std::error::Error + Send + Sync> },
    #[error(
        "the network gave a value or a prior that is not a finite number, in a batch of {batch} positions"
    )]
    NotFinite { batch: usize },
}

/// Judgements of a batch of queries, in flat buffers that are reused from batch to batch.
#[derive(Debug, Default)]
pub struct Evaluations {
    priors: Vec<f32>,
    ends: Vec<usize>,
    values: Vec<MoverValue>,
}

impl Evaluations {
    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Forgets the last batch and keeps its memory.
    pub fn clear(&mut self) {
        self.priors.clear();
        self.ends.clear();
        self.values.clear();
    }

    /// Adds the judgement of the next query: a prior for each of its moves, in their order, adding up
    /// to 1, and the value for its mover.
    pub fn push(&mut self, priors: impl IntoIterator<Item = f32>, value: MoverValue) {
        self.priors.extend(priors);
        self.ends.push(self.priors.len());
        self.values.push(value);
    }

    /// The priors of query `index`, one per move.
    pub fn priors(&self, index: usize) -> &[f32] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.priors[start..self.ends[index]]
    }

    /// The value of query `index`, for its mover.
    pub fn value(&self, index: usize) -> MoverValue {
        self.values[index]
    }
}

/// Judges positions, in batches. What it says of a query depends on nothing but that query; on a graphics card, but for
/// rounding.
pub trait Evaluator<G: Game>: Send {
    /// The batch size at which it works best.
    fn batch_hint(&self) -> usize {
        1
    }

    /// Whether it judges every position alike, with equal priors and the value 0, so that a search need not
    /// show it any.
    fn is_blind(&self) -> bool {
        false
    }

    /// How long it has spent so far, of the time it was asked to judge, on bringing positions into the form
    /// it judges them in.
    fn encoding(&self) -> Duration {
        Duration::ZERO
    }

    /// Clears `out` and pushes one judgement per query, in order.
    ///
    /// # Errors
    ///
    /// If the evaluator's machinery fails; `out` is then of no use.
    fn evaluate(&mut self, queries: &[Query<G>], out: &mut Evaluations) -> Result<(), EvalError>;
}

impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for Box<E> {
    fn batch_hint(&self) -> usize {
        (**self).batch_hint()
    }

    fn is_blind(&self) -> bool {
        (**self).is_blind()
    }

    fn encoding(&self) -> Duration {
        (**self).encoding()
    }

    fn evaluate(&mut self, queries: &[Query<G>], out: &mut Evaluations) -> Result<(), EvalError> {
        (**self).evaluate(queries, out)
    }
}

/// The same prior for each of `moves` moves.
fn equal_priors(moves: usize) -> impl Iterator<Item = f32> {
    std::iter::repeat_n((moves as f32).recip(), moves)
}
