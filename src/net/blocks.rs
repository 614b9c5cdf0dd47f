//! The parts of a network in the form that is trained: batch norm after every convolution of the tower.
//!
//! Convolutions compute in the kind of numbers they are given; weights are 32-bit floats at all times, and so are
//! the sums over a batch that batch norm takes.

use tch::nn;
use tch::{Device, Kind, Tensor};

use super::{Head, Layout, NetConfig, Output};

/// Added to a variance before its root is taken.
pub(super) const NORM_EPSILON: f64 = 1e-5;

/// A convolution without bias, then batch norm.
#[derive(Debug)]
pub(super) struct NormedConv {
    pub conv: nn::Conv2D,
    pub norm: nn::BatchNorm,
}

impl NormedConv {
    fn new(path: &nn::Path, inputs: i64, outputs: i64, kernel: i64) -> Self {
        let conv = nn::ConvConfig { padding: kernel / 2, bias: false, ..Default::default() };
        let norm =
            nn::BatchNormConfig { eps: NORM_EPSILON, ws_init: nn::Init::Const(1.0), ..Default::default() };
        Self {
            conv: nn::conv2d(path / "conv", inputs, outputs, kernel, conv),
            norm: nn::batch_norm2d(path / "norm", outputs, norm),
        }
    }

    fn forward(&self, xs: &Tensor, train: bool) -> Tensor {
        let weight = self.conv.ws.to_kind(xs.kind());
        let padding = weight.size()[2] / 2;
        xs.conv2d(&weight, None::<&Tensor>, 1, padding, 1, 1).apply_t(&self.norm, train)
    }
}

/// Two convolutions around which the input is led past.
#[derive(Debug)]
pub(super) struct Block {
    pub first: NormedConv,
    pub second: NormedConv,
    pub pooled: Option<Pooling>,
}

impl Block {
    fn new(path: &nn::Path, channels: i64, pooled: Option<u64>) -> Self {
        let [first, second] = [0, 1].map(|half| NormedConv::new(&(path / half), channels, channels, 3));
        let pooled = pooled.map(|pooled| Pooling::new(&(path / "pooling"), pooled as i64, channels));
        Self { first, second, pooled }
    }

    fn forward(&self, xs: &Tensor, train: bool) -> Tensor {
        let inner = self.first.forward(xs, train);
        let inner = match &self.pooled {
            Some(pooling) => &inner + pooling.forward(&inner),
            None => inner,
        };
        (self.second.forward(&inner.relu(), train) + xs).relu()
    }
}

/// Tells all squares what some channels say anywhere on the board: their means and maxima, through a dense
/// layer, are added to every channel (Wu, arXiv 1902.10565).
#[derive(Debug)]
pub(super) struct Pooling {
    /// How many channels, the first ones.
    pub channels: i64,
    pub shift: nn::Linear,
}

impl Pooling {
    fn new(path: &nn::Path, pooled: i64, channels: i64) -> Self {
        Self { channels: pooled, shift: nn::linear(path / "shift", 2 * pooled, channels, dense()) }
    }

    /// `[batch, channels, 1, 1]`, to be added.
    fn forward(&self, xs: &Tensor) -> Tensor {
        let pooled = xs.narrow(1, 0, self.channels).to_kind(Kind::Float);
        let shift = means_and_maxima(&pooled).apply(&self.shift);
        shift.unsqueeze(-1).unsqueeze(-1).to_kind(xs.kind())
    }
}

/// Over the board, of what the rectified channels say: `[batch, 2 * channels]`.
fn means_and_maxima(xs: &Tensor) -> Tensor {
    let board = [2, 3].as_slice();
    let xs = xs.relu();
    Tensor::cat(&[xs.mean_dim(board, false, Kind::Float), xs.amax(board, false)], 1)
}

/// A dense layer whose weights [`super::Network::new`] draws.
fn dense() -> nn::LinearConfig {
    let zero = nn::Init::Const(0.0);
    nn::LinearConfig { ws_init: zero, bs_init: Some(zero), bias: true }
}

/// The first convolution and the residual blocks after it.
#[derive(Debug)]
pub(super) struct Tower {
    pub stem: NormedConv,
    pub blocks: Vec<Block>,
}

impl Tower {
    pub fn new(path: &nn::Path, config: &NetConfig, planes: usize) -> Self {
        let channels = config.channels.size() as i64;
        let block =
            |index| Block::new(&(path / format!("block{index}")), channels, config.pooled_channels(index));
        Self {
            stem: NormedConv::new(&(path / "stem"), planes as i64, channels, 3),
            blocks: (0..config.blocks.get()).map(block).collect(),
        }
    }

    pub fn forward(&self, planes: &Tensor, train: bool) -> Tensor {
        let stem = self.stem.forward(planes, train).relu();
        self.blocks.iter().fold(stem, |xs, block| block.forward(&xs, train))
    }
}

/// One score for each square a move starts from and each way to leave it, gathered to the policy.
#[derive(Debug)]
pub(super) struct PolicyHead {
    pub mix: NormedConv,
    pub score: nn::Conv2D,
    /// For each policy entry its place among the scores, which lie square by square.
    slots: Tensor,
}

impl PolicyHead {
    pub fn new(path: &nn::Path, config: &NetConfig, layout: &Layout) -> Self {
        let channels = config.channels.size() as i64;
        Self {
            mix: NormedConv::new(&(path / "mix"), channels, channels, 1),
            score: nn::conv2d(
                path / "score",
                channels,
                layout.policy_planes as i64,
                1,
                nn::ConvConfig { ws_init: nn::Init::Const(0.0), ..Default::default() },
            ),
            slots: Tensor::from_slice(&layout.policy_slots()).to_device(path.device()),
        }
    }

    /// Brings along what is no weight.
    pub fn move_to(&mut self, device: Device) {
        self.slots = self.slots.to_device(device);
    }

    pub fn forward(&self, xs: &Tensor, train: bool) -> Tensor {
        let mixed = self.mix.forward(xs, train).relu().to_kind(Kind::Float);
        // What the 1x1 convolution does, in less time.
        let weight = self.score.ws.flatten(1, -1);
        let scores = mixed.permute([0, 2, 3, 1]).linear(&weight, self.score.bs.as_ref());
        scores.flatten(1, -1).index_select(1, &self.slots)
    }
}

/// Win, draw and loss for the player to move, and what else a network predicts of the game as a whole, from
/// means over the board: what stands where is for the tower to find out. A dense layer over all squares was
/// seen to learn games by heart.
#[derive(Debug)]
pub(super) struct ValueHead {
    pub reduce: NormedConv,
    pub hidden: nn::Linear,
    pub wdl: nn::Linear,
    pub plies_left: Option<nn::Linear>,
    pub settlement: Option<nn::Linear>,
    pub belief: Option<nn::Linear>,
}

impl ValueHead {
    pub fn new(path: &nn::Path, config: &NetConfig, layout: &Layout) -> Self {
        let planes = config.value_planes.size() as i64;
        let width = config.value_width.size() as i64;
        let output = |head, name: &str, outputs| {
            config.has(head, layout).then(|| nn::linear(path / name, width, outputs, dense()))
        };
        Self {
            reduce: NormedConv::new(&(path / "reduce"), config.channels.size() as i64, planes, 1),
            hidden: nn::linear(path / "hidden", planes, width, dense()),
            wdl: nn::linear(path / "wdl", width, 3, dense()),
            plies_left: output(Head::PliesLeft, "plies_left", 1),
            settlement: output(Head::Settlement, "settlement", 1),
            belief: output(Head::Belief, "belief", layout.secret_kinds as i64),
        }
    }

    /// All of an [`Output`] but the policy.
    pub fn forward(&self, xs: &Tensor, train: bool, policy: Tensor) -> Output {
        let means = self.reduce.forward(xs, train).relu().mean_dim([2, 3].as_slice(), false, Kind::Float);
        let hidden = means.apply(&self.hidden).relu();
        let apply = |layer: &Option<nn::Linear>| layer.as_ref().map(|layer| hidden.apply(layer));
        Output {
            policy,
            wdl: hidden.apply(&self.wdl),
            plies_left: apply(&self.plies_left).map(|plies| plies.squeeze_dim(-1)),
            settlement: apply(&self.settlement).map(|settlement| settlement.squeeze_dim(-1).tanh()),
            belief: apply(&self.belief),
        }
    }
}

/// A weight and a bias that do what a convolution and its batch norm do together once training is over:
/// `y = (conv(x) - mean) / sqrt(variance + epsilon) * scale + shift`.
pub(super) fn folded(layer: &NormedConv) -> (Tensor, Tensor) {
    let norm = &layer.norm;
    let root = (&norm.running_var.to_kind(Kind::Double) + NORM_EPSILON).sqrt();
    let scale = norm.ws.as_ref().map_or_else(|| root.reciprocal(), |scale| scale / &root);
    let shift = &norm.running_mean * &scale;
    let bias = norm.bs.as_ref().map_or_else(|| -&shift, |bias| bias - &shift);
    let weight = &layer.conv.ws * scale.view([-1, 1, 1, 1]);
    (weight.to_kind(Kind::Float), bias.to_kind(Kind::Float))
}
