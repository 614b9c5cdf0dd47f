//! A network in the form that plays.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tch::nn;
use tch::{Kind, TchError, Tensor};

use super::blocks::{Block, Pooling, folded};
use super::moves::MoveScores;
use super::stem::Stem;
use super::{Layout, Network, Output, channels_last, place_of};
use crate::eval::Device;

/// The numbers a deployed network computes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// 32-bit floats throughout, which cards may shorten where they multiply.
    Float32,
    /// The tower in bfloat16, which CPUs with the instructions for it compute several times as fast; the
    /// heads' last layers in 32-bit floats.
    Bfloat16,
}

impl Precision {
    /// The fastest this machine has instructions for.
    pub fn fastest_here() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx512bf16") {
            return Self::Bfloat16;
        }
        Self::Float32
    }

    /// The fastest that a device has instructions for; of NVIDIA's cards those since Ampere have them for bfloat16.
    pub fn fastest_on(device: Device) -> Self {
        match device {
            Device::Cpu => Self::fastest_here(),
            Device::Cuda(_) => Self::Bfloat16,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Float32 => "float32",
            Self::Bfloat16 => "bfloat16",
        }
    }

    /// The kind of tensors that a tower computes in.
    pub fn kind(self) -> Kind {
        match self {
            Self::Float32 => Kind::Float,
            Self::Bfloat16 => Kind::BFloat16,
        }
    }
}

/// In which numbers a weight is kept, and where.
#[derive(Debug, Clone, Copy)]
struct Form {
    kind: Kind,
    device: tch::Device,
}

impl Form {
    fn apply(self, weight: &Tensor) -> Tensor {
        weight.to_kind(self.kind).to_device(self.device)
    }

    fn with(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }
}

/// A convolution with batch norm folded in.
#[derive(Debug)]
struct Conv {
    weight: Tensor,
    bias: Tensor,
}

impl Conv {
    fn new((weight, bias): (Tensor, Tensor), form: Form) -> Self {
        Self { weight: channels_last(&form.apply(&weight)), bias: form.apply(&bias) }
    }

    fn plain(conv: &nn::Conv2D, form: Form) -> Self {
        let bias = conv.bs.as_ref().expect("a convolution without batch norm has a bias");
        Self::new((conv.ws.detach().copy(), bias.detach().copy()), form)
    }

    fn forward(&self, xs: &Tensor) -> Result<Tensor, TchError> {
        let padding = self.weight.size()[2] / 2;
        xs.f_conv2d(&self.weight, Some(&self.bias), 1, padding, 1, 1)
    }

    fn rectified(&self, xs: &Tensor) -> Result<Tensor, TchError> {
        rectified(self.forward(xs)?)
    }
}

/// What is above 0, the rest as 0. A bfloat16 is negative if it is as an integer, and integers are compared eight
/// times as fast.
fn rectified(mut xs: Tensor) -> Result<Tensor, TchError> {
    if xs.kind() == Kind::BFloat16 {
        let _ = xs.f_view_dtype(Kind::Int16)?.f_clamp_min_(0)?;
        return Ok(xs);
    }
    xs.f_relu_()
}

/// A dense layer.
#[derive(Debug)]
struct Dense {
    weight: Tensor,
    bias: Tensor,
}

impl Dense {
    fn new(linear: &nn::Linear, device: tch::Device) -> Self {
        let bias = linear.bs.as_ref().expect("a dense layer has a bias");
        let own = |tensor: &Tensor| tensor.detach().copy().to_device(device);
        Self { weight: own(&linear.ws), bias: own(bias) }
    }

    fn forward(&self, xs: &Tensor) -> Result<Tensor, TchError> {
        xs.f_linear(&self.weight, Some(&self.bias))
    }
}

/// A residual block; see [`Block`].
#[derive(Debug)]
struct Residual {
    first: Conv,
    second: Conv,
    pooled: Option<Pooled>,
}

impl Residual {
    fn new(block: &Block, form: Form) -> Self {
        Self {
            first: Conv::new(folded(&block.first), form),
            second: Conv::new(folded(&block.second), form),
            pooled: block.pooled.as_ref().map(|pooling| Pooled::new(pooling, form.device)),
        }
    }

    fn forward(&self, xs: &Tensor) -> Result<Tensor, TchError> {
        let mut inner = self.first.forward(xs)?;
        if let Some(pooled) = &self.pooled {
            let shift = pooled.forward(&inner)?;
            inner = inner.f_add_(&shift)?;
        }
        rectified(self.second.forward(&rectified(inner)?)?.f_add_(xs)?)
    }
}

/// What a block is told of the whole board; see [`Pooling`].
#[derive(Debug)]
struct Pooled {
    channels: i64,
    shift: Dense,
}

impl Pooled {
    fn new(pooling: &Pooling, device: tch::Device) -> Self {
        Self { channels: pooling.channels, shift: Dense::new(&pooling.shift, device) }
    }

    fn forward(&self, xs: &Tensor) -> Result<Tensor, TchError> {
        let board = &xs.size()[2..];
        let pooled = xs.f_narrow(1, 0, self.channels)?.f_relu()?;
        let means = pooled.f_mean_dim([2, 3].as_slice(), false, Kind::Float)?;
        // The same as `amax`, which takes five times as long.
        let maxima = pooled.f_max_pool2d(board, board, [0, 0], [1, 1], false)?;
        let maxima = maxima.f_flatten(1, -1)?.f_to_kind(Kind::Float)?;
        let shift = self.shift.forward(&Tensor::f_cat(&[means, maxima], 1)?)?;
        shift.f_unsqueeze(-1)?.f_unsqueeze(-1)?.f_to_kind(xs.kind())
    }
}

/// A network in the form that plays: batch norm folded into the convolutions, pixels channels last, no
/// gradients, its own copy of every weight.
///
/// It says what [`Network::forward`] says outside training, up to rounding.
#[derive(Debug)]
pub struct Deployed {
    layout: Layout,
    precision: Precision,
    stem: Conv,
    stem_in_play: Stem,
    blocks: Vec<Residual>,
    policy_mix: Conv,
    policy_score: Conv,
    policy_in_play: Arc<MoveScores>,
    value_reduce: Conv,
    value_hidden: Dense,
    value_wdl: Dense,
    plies_left: Option<Dense>,
    settlement: Option<Dense>,
    belief: Option<Dense>,
    /// For each policy entry its place among the policy head's scores, which lie channels last. A tensor made within
    /// [`Deployed::forward`] would reach a traced module without its values: tracing sees memory taken and not
    /// what is written there.
    slots: Tensor,
}

/// What play has to know of the positions of a batch.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// What [`MoveScores`] makes scores of moves of: the channels of a position's squares, one square behind the
    /// other, then those of the next position.
    pub features: Vec<f32>,
    /// Three numbers for each position: the chances of win, draw and loss for its mover.
    pub wdl: Vec<f32>,
}

impl Deployed {
    /// On the CPU.
    pub fn new(network: &Network, precision: Precision) -> Self {
        Self::on(network, precision, Device::Cpu)
    }

    /// On a device that was found to be there.
    pub(super) fn on(network: &Network, precision: Precision, device: Device) -> Self {
        let form = Form { kind: precision.kind(), device: place_of(device) };
        let device = form.device;
        let _guard = tch::no_grad_guard();
        let Network { layout, tower, policy, value, .. } = network;
        let (weight, bias) = folded(&tower.stem);
        Self {
            layout: layout.clone(),
            precision,
            stem_in_play: Stem::new(&weight, &bias, layout.shape),
            stem: Conv::new((weight, bias), form),
            blocks: tower.blocks.iter().map(|block| Residual::new(block, form)).collect(),
            policy_mix: Conv::new(folded(&policy.mix), form),
            policy_score: Conv::plain(&policy.score, form.with(Kind::Float)),
            policy_in_play: Arc::new(MoveScores::new(&policy.score, layout)),
            value_reduce: Conv::new(folded(&value.reduce), form),
            value_hidden: Dense::new(&value.hidden, device),
            value_wdl: Dense::new(&value.wdl, device),
            plies_left: value.plies_left.as_ref().map(|layer| Dense::new(layer, device)),
            settlement: value.settlement.as_ref().map(|layer| Dense::new(layer, device)),
            belief: value.belief.as_ref().map(|layer| Dense::new(layer, device)),
            slots: Tensor::from_slice(&layout.policy_slots()).to_device(device),
        }
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// Judges a batch of encoded views, `[batch, planes, rows, files]`.
    ///
    /// # Errors
    ///
    /// If libtorch fails; of a batch of the right shape, for want of memory.
    pub fn forward(&self, planes: &Tensor) -> Result<Output, TchError> {
        let _guard = tch::no_grad_guard();
        let xs = self.stem.forward(&channels_last(&planes.f_to_kind(self.precision.kind())?))?;
        let xs = self.tower(xs)?;
        let hidden = self.hidden(&xs)?;
        let apply = |layer: &Option<Dense>| layer.as_ref().map(|layer| layer.forward(&hidden)).transpose();
        let single = |layer| apply(layer)?.map(|output: Tensor| output.f_squeeze_dim(-1)).transpose();
        let policy = self.policy_score.forward(&self.policy_features(&xs)?)?;
        Ok(Output {
            policy: policy.f_permute([0, 2, 3, 1])?.f_flatten(1, -1)?.f_index_select(1, &self.slots)?,
            wdl: self.value_wdl.forward(&hidden)?,
            plies_left: single(&self.plies_left)?,
            settlement: single(&self.settlement)?.map(|output| output.f_tanh()).transpose()?,
            belief: apply(&self.belief)?,
        })
    }

    /// What play needs of [`Deployed::forward`], for the planes of some positions, one behind the other:
    /// `[batch, rows, files, channels]`, of which [`Deployed::move_scores`] makes a policy; then win, draw and
    /// loss, as scores.
    pub(super) fn in_play(&self, planes: &[f32]) -> Result<(Tensor, Tensor), TchError> {
        let _guard = tch::no_grad_guard();
        let stem = match self.slots.device() {
            tch::Device::Cpu => self.stem_by_board(planes)?,
            card => self.stem_on(card, planes)?,
        };
        let xs = self.tower(stem)?;
        let policy = self.policy_features(&xs)?.f_permute([0, 2, 3, 1])?;
        Ok((policy, self.value_wdl.forward(&self.hidden(&xs)?)?))
    }

    /// Fills `said` with what play needs to know of some positions.
    pub(super) fn say(&self, planes: &[f32], said: &mut Said) -> Result<(), TchError> {
        let (features, wdl) = self.in_play(planes)?;
        copy_out(&features, &mut said.features)?;
        copy_out(&wdl.f_softmax(-1, Kind::Float)?, &mut said.wdl)
    }

    /// The first convolution, by what stands on the board.
    fn stem_by_board(&self, planes: &[f32]) -> Result<Tensor, TchError> {
        let shape = self.layout.shape;
        let length = self.stem_in_play.output_len();
        let mut stem = vec![0.0; planes.len() / shape.len() * length];
        for (planes, out) in planes.chunks_exact(shape.len()).zip(stem.chunks_exact_mut(length)) {
            self.stem_in_play.apply(planes, out);
        }
        let stem = Tensor::from_slice(&stem).f_to_kind(self.precision.kind())?;
        let stem = stem.f_view([-1, shape.rows as i64, shape.files as i64, self.stem.bias.size()[0]])?;
        stem.f_permute([0, 3, 1, 2])
    }

    /// The first convolution on a card.
    fn stem_on(&self, card: tch::Device, planes: &[f32]) -> Result<Tensor, TchError> {
        let shape = self.layout.shape;
        let size = [-1, shape.planes as i64, shape.rows as i64, shape.files as i64];
        let planes = Tensor::f_from_slice(planes)?.f_view(size)?.f_to_device(card)?;
        let planes = planes.f_to_kind(self.precision.kind())?;
        self.stem.forward(&planes.f_permute([0, 2, 3, 1])?.f_contiguous()?.f_permute([0, 3, 1, 2])?)
    }

    pub(super) fn move_scores(&self) -> &Arc<MoveScores> {
        &self.policy_in_play
    }

    /// The tower behind its first convolution.
    fn tower(&self, stem: Tensor) -> Result<Tensor, TchError> {
        self.blocks.iter().try_fold(rectified(stem)?, |xs, block| block.forward(&xs))
    }

    fn policy_features(&self, xs: &Tensor) -> Result<Tensor, TchError> {
        self.policy_mix.rectified(xs)?.f_to_kind(Kind::Float)
    }

    fn hidden(&self, xs: &Tensor) -> Result<Tensor, TchError> {
        let means = self.value_reduce.rectified(xs)?.f_mean_dim([2, 3].as_slice(), false, Kind::Float)?;
        self.value_hidden.forward(&means)?.f_relu_()
    }
}

fn copy_out(tensor: &Tensor, numbers: &mut Vec<f32>) -> Result<(), TchError> {
    numbers.resize(tensor.numel(), 0.0);
    tensor.f_contiguous()?.f_copy_data(numbers, tensor.numel())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Shape;
    use crate::net::NetConfig;

    #[test]
    fn the_first_convolution_of_a_card_is_that_of_the_cpu() {
        let shape = Shape { planes: 3, rows: 4, files: 5 };
        let layout = Layout {
            game: "a little board".into(),
            shape,
            plane_names: ["one", "two", "three"].map(Into::into).into(),
            policy_planes: 1,
            policy_cells: (0..20).collect(),
            secret_kinds: 0,
        };
        let network = Network::new(&NetConfig::default(), &layout, 1);
        let planes: Vec<f32> = (0..16 * shape.len()).map(|place| (place as f32).sin()).collect();
        for (precision, apart) in [(Precision::Float32, 1e-5), (Precision::Bfloat16, 0.05)] {
            let net = Deployed::new(&network, precision);
            let [by_board, as_on_a_card] =
                [net.stem_by_board(&planes), net.stem_on(tch::Device::Cpu, &planes)]
                    .map(|stem| stem.expect("it runs"));
            assert!(by_board.abs().max().double_value(&[]) > 0.5);
            assert!(by_board.allclose(&as_on_a_card, 0.0, apart, false), "{precision:?}");
        }
    }
}
