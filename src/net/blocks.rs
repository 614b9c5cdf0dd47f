//! The parts of a network in the form that is trained: batch norm after every convolution of the tower.

use tch::nn;
use tch::{Kind, Tensor};

use super::{Layout, NetConfig};

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
        xs.apply(&self.conv).apply_t(&self.norm, train)
    }
}

/// The first convolution and the residual blocks after it.
#[derive(Debug)]
pub(super) struct Tower {
    pub stem: NormedConv,
    pub blocks: Vec<[NormedConv; 2]>,
}

impl Tower {
    pub fn new(path: &nn::Path, config: &NetConfig, planes: usize) -> Self {
        let channels = config.channels.size() as i64;
        let block = |index| {
            let path = path / format!("block{index}");
            [0, 1].map(|half| NormedConv::new(&(&path / half), channels, channels, 3))
        };
        Self {
            stem: NormedConv::new(&(path / "stem"), planes as i64, channels, 3),
            blocks: (0..config.blocks.get()).map(block).collect(),
        }
    }

    pub fn forward(&self, planes: &Tensor, train: bool) -> Tensor {
        let stem = self.stem.forward(planes, train).relu();
        self.blocks.iter().fold(stem, |xs, [first, second]| {
            let inner = first.forward(&xs, train).relu();
            (second.forward(&inner, train) + xs).relu()
        })
    }
}

/// One score for each square a move starts from and each way to leave it, gathered to the policy.
#[derive(Debug)]
pub(super) struct PolicyHead {
    pub mix: NormedConv,
    pub score: nn::Conv2D,
    /// The cell of each policy entry.
    cells: Tensor,
}

impl PolicyHead {
    pub fn new(path: &nn::Path, config: &NetConfig, layout: &Layout) -> Self {
        let channels = config.channels.size() as i64;
        let cells: Vec<i64> = layout.policy_cells.iter().map(|&cell| cell as i64).collect();
        Self {
            mix: NormedConv::new(&(path / "mix"), channels, channels, 1),
            score: nn::conv2d(
                path / "score",
                channels,
                layout.policy_planes as i64,
                1,
                nn::ConvConfig { ws_init: nn::Init::Const(0.0), ..Default::default() },
            ),
            cells: Tensor::from_slice(&cells),
        }
    }

    pub fn forward(&self, xs: &Tensor, train: bool) -> Tensor {
        let scores = self.mix.forward(xs, train).relu().apply(&self.score);
        scores.flatten(1, -1).index_select(1, &self.cells)
    }
}

/// Win, draw and loss for the player to move, from means over the board: what stands where is for the tower
/// to find out. A dense layer over all squares was seen to learn games by heart.
#[derive(Debug)]
pub(super) struct ValueHead {
    pub reduce: NormedConv,
    pub hidden: nn::Linear,
    pub wdl: nn::Linear,
}

impl ValueHead {
    pub fn new(path: &nn::Path, config: &NetConfig) -> Self {
        let planes = config.value_planes.size() as i64;
        let width = config.value_width.size() as i64;
        let zero = nn::Init::Const(0.0);
        let dense = nn::LinearConfig { ws_init: zero, bs_init: Some(zero), bias: true };
        Self {
            reduce: NormedConv::new(&(path / "reduce"), config.channels.size() as i64, planes, 1),
            hidden: nn::linear(path / "hidden", planes, width, dense),
            wdl: nn::linear(path / "wdl", width, 3, dense),
        }
    }

    pub fn forward(&self, xs: &Tensor, train: bool) -> Tensor {
        let means = self.reduce.forward(xs, train).relu().mean_dim([2, 3].as_slice(), false, Kind::Float);
        means.apply(&self.hidden).relu().apply(&self.wdl)
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
