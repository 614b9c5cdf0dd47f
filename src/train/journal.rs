//! The course of the losses, as a table and in words.

use std::fmt::Write;

use super::Batch;
use crate::net::LossFigures;

/// Means of losses over batches.
#[derive(Debug, Default)]
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
    gradient_norms: Vec<f64>,
}

impl Journal {
    /// A journal that goes on behind what was written so far, if anything.
    pub fn continuing(text: String) -> Self {
        const HEADER: &str = "step,learning_rate,gradient_norm,policy_loss,value_loss,\
            validation_policy_loss,validation_value_loss\n";
        let text = if text.is_empty() { HEADER.into() } else { text };
        Self { text, mean: Mean::default(), gradient_norms: Vec::new() }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Notes what one step found.
    pub fn note(&mut self, figures: LossFigures, batch: &Batch, gradient_norm: f64) {
        self.mean.add(figures, batch);
        self.gradient_norms.push(gradient_norm);
    }

    /// Writes a line of means over the steps noted since the last one, and gives these means. `step` counts
    /// the steps taken, `rate` is the last one's.
    pub fn close_line(&mut self, step: u64, rate: f64, validation: Option<LossFigures>) -> LossFigures {
        let LossFigures { policy, value } = self.mean.figures();
        let norm = self.gradient_norms.iter().sum::<f64>() / self.gradient_norms.len().max(1) as f64;
        let validation =
            validation.map_or(",".into(), |held_out| format!("{:.5},{:.5}", held_out.policy, held_out.value));
        writeln!(self.text, "{step},{rate:.3e},{norm:.4},{policy:.5},{value:.5},{validation}")
            .expect("a string takes all that is written to it");
        self.mean = Mean::default();
        self.gradient_norms.clear();
        LossFigures { policy, value }
    }
}
