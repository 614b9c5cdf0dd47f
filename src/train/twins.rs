//! The gradients of a batch, from parts of it that are learned from side by side.
//!
//! Each part goes through a network of its own on the same weights. Gradients and batch norm's statistics are brought
//! together in the order of the parts, so that what comes out depends on how many parts there are, and neither on how
//! many threads work on them nor on which is done first.

use rayon::prelude::*;
use tch::{Kind, Tensor};

use super::{Batch, LossWeights, Losses, Shares};
use crate::net::{Device, LossFigures, Network, Precision, set_threads};

/// Networks on the weights of one, one for each part of a batch.
pub(super) struct Twins(Vec<Network>);

/// How a batch is learned from.
#[derive(Clone, Copy)]
pub(super) struct Manner<'a> {
    pub weights: &'a LossWeights,
    pub precision: Precision,
    /// Where the network is. Batches are cut and counted on the CPU.
    pub device: Device,
    /// At most so many parts at a time.
    pub threads: usize,
}

/// What a batch says of the weights.
pub(super) struct Lesson {
    /// The parts of the batch and their losses.
    pub parts: Vec<(Batch, LossFigures)>,
    /// Of each parameter of the network, in their order.
    pub gradients: Vec<Tensor>,
}

/// A part of a batch and the network that learns from it.
struct Task<'a> {
    network: &'a mut Network,
    part: Batch,
    shares: Shares,
}

impl Twins {
    /// Twins of `network` for so many parts.
    pub fn of(network: &Network, parts: usize) -> Self {
        Self((0..parts).map(|_| network.twin()).collect())
    }

    /// Takes the gradients of a batch's losses, and brings batch norm's statistics of `network`, whose twins these are,
    /// to the mean of what each part makes of them. Works on the threads of the rayon pool it is called in.
    ///
    /// # Panics
    ///
    /// If libtorch refuses a part; the other parts are done by then.
    pub fn learn(&mut self, network: &Network, batch: &Batch, manner: Manner<'_>) -> Lesson {
        let parts = batch.cut(self.0.len());
        let twins = &mut self.0[..parts.len()];
        let mut tasks: Vec<Task<'_>> = twins
            .iter_mut()
            .zip(parts)
            .map(|(network, part)| Task { network, shares: Shares::of(&part, batch), part })
            .collect();
        tasks.iter().for_each(|task| task.network.take_statistics(network));
        let of_a_thread = tasks.len().div_ceil(manner.threads);
        let figures: Vec<LossFigures> = tasks
            .par_chunks_mut(of_a_thread)
            .flat_map_iter(|tasks| tasks.iter_mut().map(|task| task.learn(manner)))
            .collect();
        let parts: Vec<_> = tasks.into_iter().map(|task| task.part).zip(figures).collect();

        let twins = &self.0[..parts.len()];
        take_mean_statistics(network, twins);
        Lesson { gradients: summed_gradients(twins), parts }
    }
}

impl Task<'_> {
    fn learn(&mut self, manner: Manner<'_>) -> LossFigures {
        set_threads(1);
        for (_, mut parameter) in self.network.parameters() {
            parameter.zero_grad();
        }
        let part = self.part.on(manner.device);
        let planes = part.planes.to_kind(manner.precision.kind());
        let losses = Losses::of(&self.network.forward(&planes, true), &part);
        losses.total(manner.weights, self.shares).backward();
        losses.figures()
    }
}

impl Lesson {
    /// Whether every loss of every part is a finite number.
    pub fn is_finite(&self) -> bool {
        self.parts.iter().all(|(_, figures)| figures.parts().into_iter().flatten().all(f64::is_finite))
    }

    /// The length of the gradient over all parameters together; not finite if any part of it is not.
    pub fn gradient_norm(&self) -> f64 {
        let squares: Vec<Tensor> =
            self.gradients.iter().map(|gradient| gradient.square().sum(Kind::Double)).collect();
        Tensor::stack(&squares, 0).sum(Kind::Double).sqrt().double_value(&[])
    }
}

/// The gradients of networks on the same weights, added up in the order of the networks.
fn summed_gradients(networks: &[Network]) -> Vec<Tensor> {
    let of_each = networks.iter().map(|network| {
        let parameters = network.parameters().into_iter();
        parameters.map(|(_, parameter)| gradient_of(&parameter)).collect::<Vec<_>>()
    });
    let sum = |sums: Vec<Tensor>, more: Vec<Tensor>| {
        sums.into_iter().zip(more).map(|(sum, more)| sum + more).collect()
    };
    of_each.reduce(sum).expect("there is a network")
}

/// 0 where nothing of what was learned had to do with the parameter.
fn gradient_of(parameter: &Tensor) -> Tensor {
    let gradient = parameter.grad();
    if gradient.defined() { gradient } else { parameter.zeros_like() }
}

/// Brings batch norm's statistics of `network` to the mean of those of `others`, added up in their order.
fn take_mean_statistics(network: &Network, others: &[Network]) {
    let of_others: Vec<_> = others.iter().map(Network::statistics).collect();
    tch::no_grad(|| {
        for (place, (_, mut statistic)) in network.statistics().into_iter().enumerate() {
            let sum = of_others.iter().map(|others| others[place].1.shallow_clone()).reduce(|a, b| a + b);
            statistic.copy_(&(sum.expect("there is another one") / others.len() as f64));
        }
    });
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::game::Shape;
    use crate::net::{Layout, NetConfig};
    use crate::units::Count;

    /// A network for a board of two squares with one plane, and three moves.
    fn network() -> Network {
        let layout = Layout {
            game: "two squares".into(),
            shape: Shape { planes: 1, rows: 2, files: 1 },
            plane_names: vec!["something".into()],
            policy_planes: 2,
            policy_cells: vec![0, 1, 3],
            secret_kinds: 0,
        };
        let config =
            NetConfig { channels: Count::literal(4), blocks: Count::literal(1), ..NetConfig::default() };
        Network::new(&config, &layout, 1)
    }

    /// So many positions, each with so many planes.
    fn batch(rows: i64, planes: i64) -> Batch {
        let full = |value: f64| Tensor::full([rows], value, (Kind::Float, tch::Device::Cpu));
        let moves = Tensor::from_slice(&[0_i64, 1, 2]).repeat([rows, 1]);
        let numbers = Tensor::arange(rows * planes * 2, (Kind::Float, tch::Device::Cpu)).sin();
        Batch {
            games: Tensor::zeros([rows], (Kind::Int64, tch::Device::Cpu)),
            planes: numbers.view([rows, planes, 2, 1]),
            filler: moves.gt(2),
            target: moves.eq(1).to_kind(Kind::Float),
            shared: moves.eq(1),
            legal: moves,
            rest: full(0.0),
            has_policy: full(1.0),
            wdl: Tensor::from_slice(&[1.0_f32, 0.0, 0.0]).repeat([rows, 1]),
            plies_left: full(30.0),
            settlement: full(0.0),
            has_settlement: full(0.0),
            secrets: None,
        }
    }

    fn manner(weights: &LossWeights) -> Manner<'_> {
        Manner { weights, precision: Precision::Float32, device: Device::Cpu, threads: 2 }
    }

    #[test]
    fn parts_are_brought_together_in_their_order() {
        let (network, weights) = (network(), LossWeights::default());
        let batch = batch(7, 1);
        let by_hand: Vec<Network> = batch
            .cut(3)
            .iter()
            .map(|part| {
                let alone = super::tests::network();
                let losses = Losses::of(&alone.forward(&part.planes, true), part);
                losses.total(&weights, Shares::of(part, &batch)).backward();
                alone
            })
            .collect();
        let lesson = Twins::of(&network, 3).learn(&network, &batch, manner(&weights));
        assert_eq!(lesson.parts.iter().map(|(part, _)| part.rows()).collect::<Vec<_>>(), [2, 2, 3]);
        for (place, gradient) in lesson.gradients.iter().enumerate() {
            let [a, b, c] = [0, 1, 2].map(|part| gradient_of(&by_hand[part].parameters()[place].1));
            assert!(gradient.equal(&(a + b + c)));
        }
        let mut changed = false;
        let statistics = super::tests::network().statistics();
        for (place, ((_, mean), (_, before))) in network.statistics().iter().zip(statistics).enumerate() {
            let [a, b, c] = [0, 1, 2].map(|part| by_hand[part].statistics()[place].1.shallow_clone());
            assert!(mean.equal(&((a + b + c) / 3.0)));
            changed |= !mean.equal(&before);
        }
        assert!(changed);
    }

    #[test]
    fn a_part_that_panics_is_waited_for_by_nobody() {
        let (network, weights) = (network(), LossWeights::default());
        let mut twins = Twins::of(&network, 2);
        let mut learn = |planes| twins.learn(&network, &batch(4, planes), manner(&weights)).is_finite();
        let refused = catch_unwind(AssertUnwindSafe(|| learn(5)));
        assert!(refused.is_err());
        assert!(learn(1));
    }
}
