//! Optimisers on tensors, with a state that can be saved.

use serde::{Deserialize, Serialize};
use tch::Tensor;

use super::TrainError;
use super::state::find;
use crate::net::NamedTensors;

const BETA_MEAN: f64 = 0.9;
const BETA_SQUARE: f64 = 0.999;
const EPSILON: f64 = 1e-8;
const MOMENTUM: f64 = 0.9;

/// How gradients become steps. In both, weights decay by themselves and not through their gradients (Loshchilov and
/// Hutter, arXiv 1711.05101): by the learning rate times the decay, so that a larger rate decays them faster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Steps as long as the learning rate, whatever the size of the gradients.
    #[default]
    AdamW,
    /// Nesterov's momentum of 0.9; steps as long as the gradients, so that it takes a learning rate of its own
    /// (docs/experiments.md).
    Sgd,
}

impl Method {
    /// What is kept of the past for every parameter, by its name in a checkpoint.
    fn averages(self) -> &'static [&'static str] {
        match self {
            Self::AdamW => &["mean", "square"],
            Self::Sgd => &["velocity"],
        }
    }

    /// What a parameter with this gradient loses in a step; `age` counts steps, this one included.
    fn step(self, averages: &mut [Tensor], gradient: &Tensor, rate: f64, age: f64) -> Tensor {
        match (self, averages) {
            (Self::AdamW, [mean, square]) => {
                let _ = mean.lerp_(gradient, 1.0 - BETA_MEAN);
                let _ = square.lerp_(&gradient.square(), 1.0 - BETA_SQUARE);
                let spread = square.sqrt() / (1.0 - BETA_SQUARE.powf(age)).sqrt() + EPSILON;
                &*mean / spread * (rate / (1.0 - BETA_MEAN.powf(age)))
            }
            (Self::Sgd, [velocity]) => {
                *velocity *= MOMENTUM;
                *velocity += gradient;
                (gradient + &*velocity * MOMENTUM) * rate
            }
            _ => unreachable!("as many averages as the method keeps"),
        }
    }
}

/// One parameter with what is kept of its past gradients.
struct Slot {
    name: String,
    parameter: Tensor,
    averages: Vec<Tensor>,
}

/// The optimiser of a fixed set of parameters.
pub struct Optimizer {
    method: Method,
    slots: Vec<Slot>,
    weight_decay: f64,
    /// Steps taken.
    steps: u64,
}

impl Optimizer {
    /// An optimiser that has not seen a gradient yet. Only weights decay; biases and batch norm's scales,
    /// which have one dimension, do not.
    pub fn new(method: Method, parameters: NamedTensors, weight_decay: f64) -> Self {
        let slot = |(name, parameter): (String, Tensor)| Slot {
            averages: method.averages().iter().map(|_| parameter.zeros_like().detach()).collect(),
            name,
            parameter,
        };
        Self { method, slots: parameters.into_iter().map(slot).collect(), weight_decay, steps: 0 }
    }

    /// Takes up the state another one left.
    ///
    /// # Errors
    ///
    /// If `state` lacks a parameter or holds one of another size or kind, as that of another method does.
    pub fn restore(&mut self, state: &[(String, Tensor)], steps: u64) -> Result<(), TrainError> {
        for Slot { name, parameter, averages } in &mut self.slots {
            for (average, stored) in averages.iter_mut().zip(self.method.averages()) {
                let found = find(state, format!("{name}.{stored}"), parameter)?;
                *average = found.copy().to_device(parameter.device());
            }
        }
        self.steps = steps;
        Ok(())
    }

    /// The state to save, sharing the tensors.
    pub fn state(&self) -> NamedTensors {
        let named = |Slot { name, averages, .. }: &Slot| -> NamedTensors {
            let stored = self.method.averages().iter().map(|stored| format!("{name}.{stored}"));
            stored.zip(averages.iter().map(Tensor::shallow_clone)).collect()
        };
        self.slots.iter().flat_map(named).collect()
    }

    /// Moves every parameter against its gradient times `scale`; gradients are in the order of the parameters.
    pub fn step(&mut self, gradients: &[Tensor], rate: f64, scale: f64) {
        self.steps += 1;
        tch::no_grad(|| {
            for (Slot { parameter, averages, .. }, gradient) in self.slots.iter_mut().zip(gradients) {
                let step = self.method.step(averages, &(gradient * scale), rate, self.steps as f64);
                if parameter.dim() > 1 {
                    *parameter *= 1.0 - rate * self.weight_decay;
                }
                *parameter -= step;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use tch::nn::{self, OptimizerConfig};
    use tch::{Device, Kind};

    use super::*;

    /// The weights of a little regression after some steps, each by what `step` does with the weights and the loss.
    fn regression(mut step: impl FnMut(&Tensor, Tensor), weight: &Tensor) -> Tensor {
        let inputs = Tensor::arange(12, (Kind::Float, Device::Cpu)).view([4, 3]).sin();
        let truth = Tensor::from_slice(&[1.0f32, -2.0, 0.5, 3.0]).view([4, 1]);
        for _ in 0..20 {
            step(weight, inputs.matmul(weight).mse_loss(&truth, tch::Reduction::Mean));
        }
        weight.detach().copy()
    }

    fn weight(store: &nn::VarStore) -> Tensor {
        store.root().var("weight", &[3, 1], nn::Init::Const(0.3))
    }

    /// Where libtorch's own optimiser, which cannot save its state, leads.
    fn by_libtorch(method: Method, rate: f64, decay: f64) -> Tensor {
        let store = nn::VarStore::new(Device::Cpu);
        let weight = weight(&store);
        let built = match method {
            Method::AdamW => nn::AdamW { wd: decay, ..Default::default() }.build(&store, rate),
            Method::Sgd => {
                nn::Sgd { momentum: 0.9, dampening: 0.0, wd: decay, nesterov: true }.build(&store, rate)
            }
        };
        let mut optimizer = built.expect("settings that libtorch knows");
        regression(|_, loss| optimizer.backward_step(&loss), &weight)
    }

    #[test]
    fn it_goes_where_libtorchs_optimisers_go() {
        // Weights that decay by themselves are not what libtorch's SGD has.
        for (method, rate, decay) in [(Method::AdamW, 0.05, 0.1), (Method::Sgd, 0.1, 0.0)] {
            let store = nn::VarStore::new(Device::Cpu);
            let weight = weight(&store);
            let named = |weight: &Tensor| vec![("weight".to_owned(), weight.shallow_clone())];
            let mut optimizer = Optimizer::new(method, named(&weight), decay);
            let step = |weight: &Tensor, loss: Tensor| {
                let gradients = Tensor::run_backward(&[loss], &[weight], false, false);
                optimizer.step(&gradients, rate, 1.0);
                // As if broken off after every step and taken up again.
                let (state, steps) = (optimizer.state(), optimizer.steps);
                optimizer = Optimizer::new(method, named(weight), decay);
                optimizer.restore(&state, steps).expect("its own state");
            };
            let found = regression(step, &weight);
            let expected = by_libtorch(method, rate, decay);
            assert!(found.allclose(&expected, 1e-5, 1e-6, false), "{method:?}: {found} against {expected}");
        }
    }

    #[test]
    fn the_state_of_another_method_is_refused() {
        let parameters = || vec![("weight".to_owned(), Tensor::zeros([2, 2], (Kind::Float, Device::Cpu)))];
        let state = Optimizer::new(Method::AdamW, parameters(), 0.0).state();
        let refused = Optimizer::new(Method::Sgd, parameters(), 0.0).restore(&state, 1);
        let error = refused.expect_err("AdamW keeps no velocity").to_string();
        assert!(error.contains("weight.velocity"), "{error}");
    }
}
