//! The network: a residual tower with a policy and a value, trained in one form and run in another.
//!
//! [`Network`] is the form that is trained. [`Deployed`] is made from it for play: batch norm folded into
//! the convolutions, pixels laid out channels last, no gradients. [`NetEvaluator`] judges positions with
//! it, and a [`Checkpoint`] is a network on disk with a [`Card`] that says what it is.

mod blocks;
mod card;
mod check;
mod checkpoint;
mod config;
mod deployed;
mod device;
mod error;
mod evaluator;
mod export;
mod moves;
mod place;
mod shared;
mod shipped;
mod stem;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use tch::{Tensor, nn};

pub use card::{Card, LossFigures, Rating, Training};
pub use check::Findings;
pub use checkpoint::{
    Checkpoint, NamedTensors, card_at, card_of, drop_tensors, has_weights, load_network, note_rating,
    stands_at, weights_fingerprint, write_tensors,
};
pub use config::{Head, Layout, NetConfig, Shape};
pub use deployed::{Deployed, Precision};
pub use device::{check_device, place_of};
pub use error::NetError;
pub use evaluator::{NetEvaluator, Ready};
pub use export::{Format, columns as exported_columns, write as export};
pub use place::Place;
pub use shared::Shared;
pub use shipped::{shipped_fingerprint, shipped_network};

use blocks::{PolicyHead, Tower, ValueHead};

pub use crate::eval::Device;

/// The weights behind which there is nothing but a softmax.
const LAST_LAYERS: [&str; 5] = [
    "policy.score.weight",
    "value.wdl.weight",
    "value.plies_left.weight",
    "value.settlement.weight",
    "value.belief.weight",
];

/// A network in the form that is trained.
#[derive(Debug)]
pub struct Network {
    config: NetConfig,
    layout: Layout,
    store: nn::VarStore,
    tower: Tower,
    policy: PolicyHead,
    value: ValueHead,
}

/// What a network says of a batch, before any softmax.
#[derive(Debug)]
pub struct Output {
    /// `[batch, policy entries]`, illegal moves not masked.
    pub policy: Tensor,
    /// `[batch, 3]`: win, draw and loss for the player to move.
    pub wdl: Tensor,
    /// `[batch]`: hundreds of plies to the end of the game.
    pub plies_left: Option<Tensor>,
    /// `[batch]`: what the end is worth to the player to move, from -1 to 1.
    pub settlement: Option<Tensor>,
    /// `[batch, kinds]`: how much likelier than another one, as a logarithm, each of the mover's undrawn
    /// pieces is to be among those the opponent took unseen.
    pub belief: Option<Tensor>,
}

impl Network {
    /// A network on the CPU with random weights that depend on nothing but the arguments.
    pub fn new(config: &NetConfig, layout: &Layout, seed: u64) -> Self {
        let network = Self::blank(config, layout, tch::Device::Cpu);
        network.draw_weights(seed);
        network
    }

    /// A network whose weights are still to come.
    fn blank(config: &NetConfig, layout: &Layout, device: tch::Device) -> Self {
        let store = nn::VarStore::new(device);
        let root = store.root();
        Self {
            tower: Tower::new(&(&root / "tower"), config, layout.shape.planes),
            policy: PolicyHead::new(&(&root / "policy"), config, layout),
            value: ValueHead::new(&(&root / "value"), config, layout),
            config: config.clone(),
            layout: layout.clone(),
            store,
        }
    }

    /// A network on the same weights, which change with this one's. Gradients and batch norm's statistics are its
    /// own, so that another thread may learn with it; no weight may change meanwhile.
    pub fn twin(&self) -> Self {
        let twin = Self::blank(&self.config, &self.layout, self.store.device());
        for ((_, mut shared), (_, own)) in twin.parameters().into_iter().zip(self.parameters()) {
            shared.set_data(&own.detach());
        }
        twin.take_statistics(self);
        twin
    }

    /// Brings the network to another device. Tensors that were handed out come along.
    pub fn move_to(&mut self, device: Device) {
        let device = place_of(device);
        if device != self.store.device() {
            self.store.set_device(device);
            self.policy.move_to(device);
        }
    }

    /// Takes up batch norm's statistics of a network of the same shape.
    pub fn take_statistics(&self, other: &Self) {
        tch::no_grad(|| {
            for ((_, mut own), (_, theirs)) in self.statistics().into_iter().zip(other.statistics()) {
                own.copy_(&theirs);
            }
        });
    }

    /// Draws every weight from the uniform distribution that keeps the size of activations through a
    /// rectified layer (He et al., arXiv 1502.01852), but for the last layers and what pooling adds, which
    /// start at 0, so that a new network finds all moves and all results equally likely. The draws do not
    /// come from libtorch, whose generator is shared by all threads.
    fn draw_weights(&self, seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let starts_at_zero = |name: &str| LAST_LAYERS.contains(&name) || name.ends_with(".shift.weight");
        let is_drawn = |name: &str, tensor: &Tensor| tensor.dim() > 1 && !starts_at_zero(name);
        for (_, mut weight) in self.parameters().into_iter().filter(|(name, weight)| is_drawn(name, weight)) {
            let size = weight.size();
            let inputs: i64 = size[1..].iter().product();
            let bound = (6.0 / inputs as f32).sqrt();
            let draws: Vec<f32> = (0..weight.numel()).map(|_| rng.random_range(-bound..bound)).collect();
            tch::no_grad(|| weight.copy_(&Tensor::from_slice(&draws).view(&size[..])));
        }
    }

    pub fn config(&self) -> &NetConfig {
        &self.config
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Judges a batch of encoded views, `[batch, planes, rows, files]`. While training, batch norm uses the
    /// batch's own statistics and takes note of them. The tower computes in the kind of numbers that `planes`
    /// has; what comes out, and the gradients of the weights, are 32-bit floats.
    ///
    /// # Panics
    ///
    /// If `planes` has another shape.
    pub fn forward(&self, planes: &Tensor, train: bool) -> Output {
        let features = self.tower.forward(planes, train);
        let policy = self.policy.forward(&features, train);
        self.value.forward(&features, train, policy)
    }

    /// What training changes by gradients, sorted by name. The tensors are shared, not copied.
    pub fn parameters(&self) -> NamedTensors {
        self.tensors().into_iter().filter(|(_, tensor)| tensor.requires_grad()).collect()
    }

    /// What training takes note of besides: batch norm's means and variances, sorted by name and shared.
    pub fn statistics(&self) -> NamedTensors {
        self.tensors().into_iter().filter(|(_, tensor)| !tensor.requires_grad()).collect()
    }

    /// Everything the network consists of, batch norm's statistics included, sorted by name. The tensors
    /// are shared, not copied.
    pub fn tensors(&self) -> NamedTensors {
        let mut tensors: NamedTensors = self.store.variables().into_iter().collect();
        tensors.sort_by(|(a, _), (b, _)| a.cmp(b));
        tensors
    }

    /// Whether every weight is a finite number.
    pub fn is_finite(&self) -> bool {
        self.tensors().iter().all(|(_, tensor)| tensor.isfinite().all().int64_value(&[]) != 0)
    }

    /// How many numbers training sets.
    pub fn parameter_count(&self) -> u64 {
        self.parameters().iter().map(|(_, tensor)| tensor.numel() as u64).sum()
    }
}

/// The same tensor of shape `[batch, channels, rows, files]`, with a square's channels adjacent in memory:
/// the order in which convolutions run fastest on CPUs, and which their results then keep.
pub fn channels_last(xs: &Tensor) -> Tensor {
    xs.permute([0, 2, 3, 1]).contiguous().permute([0, 3, 1, 2])
}

/// Lets libtorch work on this many threads for what the calling thread asks of it, and leaves what other
/// threads ask of it as it is.
pub fn set_threads(threads: usize) {
    let threads = i32::try_from(threads).unwrap_or(i32::MAX);
    // A thread takes on the number last set anywhere when libtorch first works for it. Asking brings that
    // about now, so that it cannot undo what is set here.
    if tch::get_num_threads() != threads {
        tch::set_num_threads(threads);
    }
}
