//! AdamW (Loshchilov and Hutter, arXiv 1711.05101) on tensors, with a state that can be saved.

use tch::Tensor;

use super::TrainError;
use super::state::find;
use crate::net::NamedTensors;

const BETA_MEAN: f64 = 0.9;
const BETA_SQUARE: f64 = 0.999;
const EPSILON: f64 = 1e-8;

/// One parameter with the running averages of its gradient and of its gradient's square.
struct Moments {
    name: String,
    parameter: Tensor,
    mean: Tensor,
    square: Tensor,
}

/// The optimiser of a fixed set of parameters.
pub struct AdamW {
    moments: Vec<Moments>,
    weight_decay: f64,
    /// Steps taken.
    steps: u64,
}

impl AdamW {
    /// An optimiser that has not seen a gradient yet. Only weights decay; biases and batch norm's scales,
    /// which have one dimension, do not.
    pub fn new(parameters: NamedTensors, weight_decay: f64) -> Self {
        let moments = parameters
            .into_iter()
            .map(|(name, parameter)| Moments {
                name,
                mean: parameter.zeros_like().detach(),
                square: parameter.zeros_like().detach(),
                parameter,
            })
            .collect();
        Self { moments, weight_decay, steps: 0 }
    }

    /// Takes up the state another one left.
    ///
    /// # Errors
    ///
    /// If `state` lacks a parameter or holds one of another size or kind.
    pub fn restore(&mut self, state: &[(String, Tensor)], steps: u64) -> Result<(), TrainError> {
        for moments in &mut self.moments {
            moments.mean = find(state, format!("{}.mean", moments.name), &moments.parameter)?.copy();
            moments.square = find(state, format!("{}.square", moments.name), &moments.parameter)?.copy();
        }
        self.steps = steps;
        Ok(())
    }

    /// The state to save, sharing the tensors.
    pub fn state(&self) -> NamedTensors {
        let named = |Moments { name, mean, square, .. }: &Moments| {
            [
                (format!("{name}.mean"), mean.shallow_clone()),
                (format!("{name}.square"), square.shallow_clone()),
            ]
        };
        self.moments.iter().flat_map(named).collect()
    }

    /// Moves every parameter against its gradient times `scale`; gradients are in the order of the parameters.
    pub fn step(&mut self, gradients: &[Tensor], rate: f64, scale: f64) {
        self.steps += 1;
        let age = self.steps as f64;
        let mean_correction = 1.0 - BETA_MEAN.powf(age);
        let square_correction = (1.0 - BETA_SQUARE.powf(age)).sqrt();
        tch::no_grad(|| {
            for (moments, gradient) in self.moments.iter_mut().zip(gradients) {
                let gradient = gradient * scale;
                let Moments { parameter, mean, square, .. } = moments;
                let _ = mean.lerp_(&gradient, 1.0 - BETA_MEAN);
                let _ = square.lerp_(&gradient.square(), 1.0 - BETA_SQUARE);
                if parameter.dim() > 1 {
                    *parameter *= 1.0 - rate * self.weight_decay;
                }
                let spread = square.sqrt() / square_correction + EPSILON;
                *parameter -= &*mean / spread * (rate / mean_correction);
            }
        });
    }
}
