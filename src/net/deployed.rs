//! A network in the form that plays.

use tch::nn;
use tch::{Kind, TchError, Tensor};

use super::blocks::{Block, Pooling, folded};
use super::{Layout, Network, Output, channels_last};
use crate::game::MoveIndex;

/// The numbers a deployed network computes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// 32-bit floats throughout.
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

    pub fn name(self) -> &'static str {
        match self {
            Self::Float32 => "float32",
            Self::Bfloat16 => "bfloat16",
        }
    }

    fn kind(self) -> Kind {
        match self {
            Self::Float32 => Kind::Float,
            Self::Bfloat16 => Kind::BFloat16,
        }
    }
}

/// A convolution with batch norm folded in.
#[derive(Debug)]
struct Conv {
    weight: Tensor,
    bias: Tensor,
}

impl Conv {
    fn new((weight, bias): (Tensor, Tensor), kind: Kind) -> Self {
        Self { weight: channels_last(&weight.to_kind(kind)), bias: bias.to_kind(kind) }
    }

    fn plain(conv: &nn::Conv2D) -> Self {
        let bias = conv.bs.as_ref().expect("a convolution without batch norm has a bias");
        Self::new((conv.ws.detach(), bias.detach()), Kind::Float)
    }

    fn forward(&self, xs: &Tensor) -> Result<Tensor, TchError> {
        let padding = self.weight.size()[2] / 2;
        xs.f_conv2d(&self.weight, Some(&self.bias), 1, padding, 1, 1)
    }

    fn rectified(&self, xs: &Tensor) -> Result<Tensor, TchError> {
        self.forward(xs)?.f_relu_()
    }
}

/// A dense layer.
#[derive(Debug)]
struct Dense {
    weight: Tensor,
    bias: Tensor,
}

impl Dense {
    fn new(linear: &nn::Linear) -> Self {
        let bias = linear.bs.as_ref().expect("a dense layer has a bias");
        Self { weight: linear.ws.detach().copy(), bias: bias.detach().copy() }
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
    fn new(block: &Block, kind: Kind) -> Self {
        Self {
            first: Conv::new(folded(&block.first), kind),
            second: Conv::new(folded(&block.second), kind),
            pooled: block.pooled.as_ref().map(Pooled::new),
        }
    }

    fn forward(&self, xs: &Tensor) -> Result<Tensor, TchError> {
        let mut inner = self.first.forward(xs)?;
        if let Some(pooled) = &self.pooled {
            let shift = pooled.forward(&inner)?;
            inner = inner.f_add_(&shift)?;
        }
        self.second.forward(&inner.f_relu_()?)?.f_add_(xs)?.f_relu_()
    }
}

/// What a block is told of the whole board; see [`Pooling`].
#[derive(Debug)]
struct Pooled {
    channels: i64,
    shift: Dense,
}

impl Pooled {
    fn new(pooling: &Pooling) -> Self {
        Self { channels: pooling.channels, shift: Dense::new(&pooling.shift) }
    }

    fn forward(&self, xs: &Tensor) -> Result<Tensor, TchError> {
        let board = [2, 3].as_slice();
        let pooled = xs.f_narrow(1, 0, self.channels)?.f_relu()?;
        let means = pooled.f_mean_dim(board, false, Kind::Float)?;
        let maxima = pooled.f_amax(board, false)?.f_to_kind(Kind::Float)?;
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
    blocks: Vec<Residual>,
    policy_mix: Conv,
    policy_score: Conv,
    value_reduce: Conv,
    value_hidden: Dense,
    value_wdl: Dense,
    plies_left: Option<Dense>,
    settlement: Option<Dense>,
    belief: Option<Dense>,
    /// For each policy entry its place among the policy head's scores, which lie channels last.
    slots: Vec<i64>,
    /// The same as a tensor. One made within [`Deployed::forward`] would reach a traced module without its values:
    /// tracing sees memory taken and not what is written there.
    slot_index: Tensor,
}

impl Deployed {
    pub fn new(network: &Network, precision: Precision) -> Self {
        let kind = precision.kind();
        let _guard = tch::no_grad_guard();
        let Network { layout, tower, policy, value, .. } = network;
        let squares = layout.shape.squares();
        let slot = |&cell: &usize| (cell % squares * layout.policy_planes + cell / squares) as i64;
        let slots: Vec<i64> = layout.policy_cells.iter().map(slot).collect();
        Self {
            layout: layout.clone(),
            precision,
            stem: Conv::new(folded(&tower.stem), kind),
            blocks: tower.blocks.iter().map(|block| Residual::new(block, kind)).collect(),
            policy_mix: Conv::new(folded(&policy.mix), kind),
            policy_score: Conv::plain(&policy.score),
            value_reduce: Conv::new(folded(&value.reduce), kind),
            value_hidden: Dense::new(&value.hidden),
            value_wdl: Dense::new(&value.wdl),
            plies_left: value.plies_left.as_ref().map(Dense::new),
            settlement: value.settlement.as_ref().map(Dense::new),
            belief: value.belief.as_ref().map(Dense::new),
            slot_index: Tensor::from_slice(&slots),
            slots,
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
        let xs = self.tower(planes)?;
        let hidden = self.hidden(&xs)?;
        let apply = |layer: &Option<Dense>| layer.as_ref().map(|layer| layer.forward(&hidden)).transpose();
        let single = |layer| apply(layer)?.map(|output: Tensor| output.f_squeeze_dim(-1)).transpose();
        Ok(Output {
            policy: self.policy(&xs)?.f_index_select(1, &self.slot_index)?,
            wdl: self.value_wdl.forward(&hidden)?,
            plies_left: single(&self.plies_left)?,
            settlement: single(&self.settlement)?.map(|output| output.f_tanh()).transpose()?,
            belief: apply(&self.belief)?,
        })
    }

    /// What play needs of [`Deployed::forward`]: the policy head's scores as they lie, `[batch, slots]`, of
    /// which an entry's is at [`Deployed::slot`]; then win, draw and loss.
    pub(super) fn scores(&self, planes: &Tensor) -> Result<(Tensor, Tensor), TchError> {
        let _guard = tch::no_grad_guard();
        let xs = self.tower(planes)?;
        Ok((self.policy(&xs)?, self.value_wdl.forward(&self.hidden(&xs)?)?))
    }

    fn tower(&self, planes: &Tensor) -> Result<Tensor, TchError> {
        let stem = self.stem.rectified(&channels_last(&planes.f_to_kind(self.precision.kind())?))?;
        self.blocks.iter().try_fold(stem, |xs, block| block.forward(&xs))
    }

    fn policy(&self, xs: &Tensor) -> Result<Tensor, TchError> {
        let mixed = self.policy_mix.rectified(xs)?.f_to_kind(Kind::Float)?;
        self.policy_score.forward(&mixed)?.f_permute([0, 2, 3, 1])?.f_flatten(1, -1)
    }

    fn hidden(&self, xs: &Tensor) -> Result<Tensor, TchError> {
        let means = self.value_reduce.rectified(xs)?.f_mean_dim([2, 3].as_slice(), false, Kind::Float)?;
        self.value_hidden.forward(&means)?.f_relu_()
    }

    /// Where [`Deployed::scores`] has the score of a policy entry.
    pub(super) fn slot(&self, index: MoveIndex) -> i64 {
        self.slots[index.get()]
    }
}
