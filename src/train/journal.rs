//! The course of the losses, as a table and in words.

use std::fmt::Write;

use tch::Tensor;

use super::Batch;
use crate::net::LossFigures;

/// What the tensor of an unfinished line is called in a checkpoint.
const OPEN_LINE: &str = "journal.open_line";

/// How many losses there are.
const LOSSES: usize = LossFigures::NAMES.len();

/// Means of losses over batches.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mean {
    sums: [f64; LOSSES],
    /// How many rows each sum is over.
    rows: [f64; LOSSES],
}

impl Mean {
    pub fn add(&mut self, figures: LossFigures, batch: &Batch) {
        for (place, (figure, rows)) in figures.parts().into_iter().zip(batch.rows_by_loss()).enumerate() {
            let Some(figure) = figure else { continue };
            self.sums[place] += figure * rows as f64;
            self.rows[place] += rows as f64;
        }
    }

    /// The means; of a policy or value without rows 0.
    pub fn figures(&self) -> LossFigures {
        let mean = |place: usize| (self.rows[place] > 0.0).then(|| self.sums[place] / self.rows[place]);
        LossFigures::of_parts(std::array::from_fn(mean))
    }
}

/// The first line of the table.
fn header() -> String {
    let columns = |prefix: &'static str| LossFigures::NAMES.map(|name| format!("{prefix}{name}"));
    let losses = [columns(""), columns("validation_")].concat();
    format!("step,learning_rate,gradient_norm,{}\n", losses.join(","))
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
        let text = if text.is_empty() { header() } else { text };
        let open = state.iter().find(|(name, _)| name == OPEN_LINE);
        let figures = open.and_then(|(_, tensor)| Vec::<f64>::try_from(tensor).ok());
        let figures: [f64; 2 * LOSSES + 2] =
            figures.and_then(|figures| figures.try_into().ok()).unwrap_or([0.0; 2 * LOSSES + 2]);
        let mean = Mean {
            sums: std::array::from_fn(|place| figures[place]),
            rows: std::array::from_fn(|place| figures[LOSSES + place]),
        };
        Self { text, mean, gradient_norms: figures[2 * LOSSES], steps: figures[2 * LOSSES + 1] }
    }

    /// The sums of the line that is not written yet, to be kept with a checkpoint: training that goes on
    /// there then writes the line it would have written.
    pub fn open_line(&self) -> (String, Tensor) {
        let Mean { sums, rows } = self.mean;
        let figures = [&sums[..], &rows, &[self.gradient_norms, self.steps]].concat();
        (OPEN_LINE.into(), Tensor::from_slice(&figures))
    }

    /// The step up to which the journal tells the course, its open line included; none if it is no journal.
    pub fn reaches(&self) -> Option<u64> {
        let lines = self.text.strip_prefix(&header())?;
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

    /// Notes what one step found in the parts of its batch.
    pub fn note(&mut self, found: &[(Batch, LossFigures)], gradient_norm: f64) {
        for (part, figures) in found {
            self.mean.add(*figures, part);
        }
        self.gradient_norms += gradient_norm;
        self.steps += 1.0;
    }

    /// Writes a line of means over the steps noted since the last one, and gives these means. `step` counts
    /// the steps taken, `rate` is the last one's.
    pub fn close_line(&mut self, step: u64, rate: f64, validation: Option<LossFigures>) -> LossFigures {
        let mean = self.mean.figures();
        let norm = self.gradient_norm();
        let held_out = validation.map_or([None; LOSSES], |figures| figures.parts());
        let losses = mean.parts().into_iter().chain(held_out);
        let cells: Vec<String> =
            losses.map(|loss| loss.map_or(String::new(), |loss| format!("{loss:.5}"))).collect();
        writeln!(self.text, "{step},{rate:.3e},{norm:.4},{}", cells.join(","))
            .expect("a string takes all that is written to it");
        self.mean = Mean::default();
        self.gradient_norms = 0.0;
        self.steps = 0.0;
        mean
    }
}
