//! What training makes small.

use tch::{Kind, Tensor};

use super::Batch;
use crate::net::{LossFigures, Output};

/// The losses of a batch, as tensors that gradients can be taken of.
pub struct Losses {
    /// Cross-entropy of the policy over legal moves to the search's visits, mean over the rows that have a
    /// policy target.
    pub policy: Tensor,
    /// Cross-entropy of win, draw and loss to how the game went, mean over all rows.
    pub value: Tensor,
}

impl Losses {
    pub fn of(output: &Output, batch: &Batch) -> Self {
        // A finite floor and not minus infinity, which times a target of 0 would not be a number.
        let legal = output.policy.gather(1, &batch.legal, false).masked_fill(&batch.filler, -1e9);
        let per_row =
            -(legal.log_softmax(-1, Kind::Float) * &batch.visits).sum_dim_intlist(-1, false, Kind::Float);
        let rows = batch.has_policy.sum(Kind::Float).clamp_min(1.0);
        let policy = (per_row * &batch.has_policy).sum(Kind::Float) / rows;
        let value = -(output.wdl.log_softmax(-1, Kind::Float) * &batch.wdl)
            .sum_dim_intlist(-1, false, Kind::Float)
            .mean(Kind::Float);
        Self { policy, value }
    }

    /// Their weighted sum.
    pub fn total(&self, policy_weight: f64) -> Tensor {
        &self.policy * policy_weight + &self.value
    }

    pub fn figures(&self) -> LossFigures {
        LossFigures { policy: self.policy.double_value(&[]), value: self.value.double_value(&[]) }
    }
}
