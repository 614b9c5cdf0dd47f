//! The course of the losses, as a table and in words.

use std::fmt::Write;

use tch::Tensor;

use super::Batch;
use crate::net::LossFigures;

/// What the tensor of an unfinished line is called in a checkpoint.
const OPEN_LINE: &str = "journal.open_line";

const HEADER: &str = "step,learning_rate,gradient_norm,policy_loss,value_loss,\
    validation_policy_loss,validation_value_loss\n";

/// Means of losses over batches.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mean {
    policy: f64,
    policy_rows: u64,
    value: f64,
    rows: u64,
}

impl Mean {
    pub fn add(&mut self, figures: LossFigures, batch: &Batch) {
        self.policy += figures.policy * batch.policy_rows as f64;
        self.policy_rows += batch.policy_rows;
        self.value += figures.value * batch.rows() as f64;
        self.rows += batch.rows();
    }

    /// The means; 0 where there was nothing.
    pub fn figures(&self) -> LossFigures {
        LossFigures {
            policy: self.policy / self.policy_rows.max(1) as f64,
            value: self.value / self.rows.max(1) as f64,
        }
    }
}

/// The losses of a network's whole training, as CSV: a line for every few steps.
#[derive(Debug)]
pub(super) struct Journal {
    text: String,
    mean: Mean,
    gradient_norms: f64,
    steps: f64,
}

impl Journal {
    /// A journal that goes on behind what was written so far, if anything; `state` may hold an
    /// [`open_line`](Self::open_line).
    pub fn continuing(text: String, state: &[(String, Tensor)]) -> Self {
        let text = if text.is_empty() { HEADER.into() } else { text };
        let open = state.iter().find(|(name, _)| name == OPEN_LINE);
        let figures = open.and_then(|(_, tensor)| Vec::<f64>::try_from(tensor).ok());
        let [policy, policy_rows, value, rows, gradient_norms, steps] =
            figures.and_then(|figures| figures.try_into().ok()).unwrap_or_default();
        let mean = Mean { policy, policy_rows: policy_rows as u64, value, rows: rows as u64 };
        Self { text, mean, gradient_norms, steps }
    }

    /// The sums of the line that is not written yet, to be kept with a checkpoint: training that goes on
    /// there then writes the line it would have written.
    pub fn open_line(&self) -> (String, Tensor) {
        let Mean { policy, policy_rows, value, rows } = self.mean;
        let sums = [policy, policy_rows as f64, value, rows as f64, self.gradient_norms, self.steps];
        (OPEN_LINE.into(), Tensor::from_slice(&sums))
    }

    /// The step up to which the journal tells the course, its open line included; none if it is no journal.
    pub fn reaches(&self) -> Option<u64> {
        let lines = self.text.strip_prefix(HEADER)?;
        let written = match lines.lines().last() {
            Some(line) => line.split(',').next()?.parse().ok()?,
            None => 0_u64,
        };
        written.checked_add(self.steps as u64)
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The mean length of the gradients since the last line.
    pub fn gradient_norm(&self) -> f64 {
        self.gradient_norms / self.steps.max(1.0)
    }

    /// Notes what one step found.
    pub fn note(&mut self, figures: LossFigures, batch: &Batch, gradient_norm: f64) {
        self.mean.add(figures, batch);
        self.gradient_norms += gradient_norm;
        self.steps += 1.0;
    }

    /// Writes a line of means over the steps noted since the last one, and gives these means. `step` counts
    /// the steps taken, `rate` is the last one's.
    pub fn close_line(&mut self, step: u64, rate: f64, validation: Option<LossFigures>) -> LossFigures {
        let LossFigures { policy, value } = self.mean.figures();
        let norm = self.gradient_norm();
        let validation =
            validation.map_or(",".into(), |held_out| format!("{:.5},{:.5}", held_out.policy, held_out.value));
        writeln!(self.text, "{step},{rate:.3e},{norm:.4},{policy:.5},{value:.5},{validation}")
            .expect("a string takes all that is written to it");
        self.mean = Mean::default();
        self.gradient_norms = 0.0;
        self.steps = 0.0;
        LossFigures { policy, value }
    }
}
