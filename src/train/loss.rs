//! What training makes small.

use serde::{Deserialize, Serialize};
use tch::{Kind, Reduction, Tensor};

use super::Batch;
use crate::net::{LossFigures, Output};
use crate::units::Positive;

/// Plies are counted in hundreds, so that their errors are of the size of the others.
const PLIES: f64 = 100.0;

/// What each loss counts beside the value's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LossWeights {
    pub policy: Positive,
    pub plies_left: Positive,
    pub settlement: Positive,
    pub belief: Positive,
}

impl Default for LossWeights {
    fn default() -> Self {
        Self {
            policy: Positive::ONE,
            plies_left: Positive::literal(0.1),
            settlement: Positive::literal(0.2),
            belief: Positive::literal(0.1),
        }
    }
}

impl LossWeights {
    /// What training makes small, of losses that were measured.
    pub fn sum(&self, figures: LossFigures) -> f64 {
        let LossFigures { policy, value, plies_left, settlement, belief } = figures;
        let extra = [(plies_left, self.plies_left), (settlement, self.settlement), (belief, self.belief)];
        let told = extra.into_iter().filter_map(|(loss, weight)| Some(loss? * weight.get()));
        policy * self.policy.get() + value + told.sum::<f64>()
    }
}

/// The losses of a batch, as tensors that gradients can be taken of. Of a head that the network has not, or
/// for which no row has a target, there is none.
pub struct Losses {
    /// Cross-entropy of the policy over legal moves to the policy target, mean over the rows that have one. Moves
    /// that have no share of their own count as one, so that the network keeps its own proportions among them:
    /// where a search did not look it improves nothing.
    pub policy: Tensor,
    /// Cross-entropy of win, draw and loss to how the game went, mean over all rows.
    pub value: Tensor,
    /// Huber's loss of hundreds of plies, mean over all rows.
    pub plies_left: Option<Tensor>,
    /// Squared error, mean over the rows that know what the end was worth.
    pub settlement: Option<Tensor>,
    /// Surprise over that of the pool, mean over the rows with a secret.
    pub belief: Option<Tensor>,
}

impl Losses {
    pub fn of(output: &Output, batch: &Batch) -> Self {
        // A finite floor and not minus infinity, which times a target of 0 would not be a number.
        let legal = output.policy.gather(1, &batch.legal, false).masked_fill(&batch.filler, -1e9);
        let logs = legal.log_softmax(-1, Kind::Float);
        let elsewhere = logs.masked_fill(&batch.shared, -1e9).logsumexp(-1, false);
        let per_row =
            -((logs * &batch.target).sum_dim_intlist(-1, false, Kind::Float) + elsewhere * &batch.rest);
        let value = -(output.wdl.log_softmax(-1, Kind::Float) * &batch.wdl)
            .sum_dim_intlist(-1, false, Kind::Float)
            .mean(Kind::Float);
        let plies = &batch.plies_left / PLIES;
        let off = |settlement: &Tensor| (settlement - &batch.settlement).square();
        let settlement = output.settlement.as_ref().filter(|_| batch.settled_rows() > 0);
        let belief = output.belief.as_ref().zip(batch.secrets.as_ref());
        Self {
            policy: mean_where(&per_row, &batch.has_policy),
            value,
            plies_left: output.plies_left.as_ref().map(|left| left.huber_loss(&plies, Reduction::Mean, 1.0)),
            settlement: settlement.map(|settlement| mean_where(&off(settlement), &batch.has_settlement)),
            belief: belief.map(|(scores, secrets)| secrets.surprise_over_pool(scores).mean(Kind::Float)),
        }
    }

    /// Their weighted sum, each also as much as `shares` says, in the order of [`LossFigures::parts`].
    pub fn total(&self, weights: &LossWeights, shares: Shares) -> Tensor {
        let Self { policy, value, plies_left, settlement, belief } = self;
        let Shares([of_policy, of_value, of_plies, of_settlement, of_belief]) = shares;
        let extra = [
            (plies_left, weights.plies_left, of_plies),
            (settlement, weights.settlement, of_settlement),
            (belief, weights.belief, of_belief),
        ];
        let told =
            extra.into_iter().filter_map(|(loss, weight, share)| Some((loss.as_ref()?, weight, share)));
        told.fold(
            policy * (weights.policy.get() * of_policy) + value * of_value,
            |total, (loss, weight, share)| total + loss * (weight.get() * share),
        )
    }

    pub fn figures(&self) -> LossFigures {
        let number = |loss: &Tensor| loss.double_value(&[]);
        LossFigures {
            policy: number(&self.policy),
            value: number(&self.value),
            plies_left: self.plies_left.as_ref().map(number),
            settlement: self.settlement.as_ref().map(number),
            belief: self.belief.as_ref().map(number),
        }
    }
}

/// Of the rows that each loss of a batch is a mean over, the share that a part of the batch has. Losses of parts that
/// are weighed by them add up to the batch's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares([f64; LossFigures::NAMES.len()]);

impl Shares {
    /// Those of a batch that is not cut.
    pub const ALL: Self = Self([1.0; LossFigures::NAMES.len()]);

    /// Those of `part` in `whole`.
    pub fn of(part: &Batch, whole: &Batch) -> Self {
        let (part, whole) = (part.rows_by_loss(), whole.rows_by_loss());
        Self(std::array::from_fn(|loss| part[loss] as f64 / whole[loss].max(1) as f64))
    }
}

/// The mean over the rows that `counted` has 1 for, and not 0; 0 of none.
fn mean_where(per_row: &Tensor, counted: &Tensor) -> Tensor {
    (per_row * counted).sum(Kind::Float) / counted.sum(Kind::Float).clamp_min(1.0)
}
