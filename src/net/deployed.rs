//! A network in the form that plays.

use serde::{Deserialize, Serialize};
use tch::nn;
use tch::{Kind, TchError, Tensor};

use super::blocks::{Block, Pooling, folded};
use super::moves::MoveScores;
use super::stem::Stem;
use super::{Layout, Network, Output, channels_last};

/// The numbers a deployed network computes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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

    /// The kind of tensors that a tower computes in.
    pub fn kind(self) -> Kind {
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
    fn new(pooling: &Pooling) -> Self {
        Self { channels: pooling.channels, shift: Dense::new(&pooling.shift) }
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
    policy_in_play: MoveScores,
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

impl Deployed {
    pub fn new(network: &Network, precision: Precision) -> Self {
        let kind = precision.kind();
        let _guard = tch::no_grad_guard();
        let Network { layout, tower, policy, value, .. } = network;
        let (weight, bias) = folded(&tower.stem);
        Self {
            layout: layout.clone(),
            precision,
            stem_in_play: Stem::new(&weight, &bias, layout.shape),
            stem: Conv::new((weight, bias), kind),
            blocks: tower.blocks.iter().map(|block| Residual::new(block, kind)).collect(),
            policy_mix: Conv::new(folded(&policy.mix), kind),
            policy_score: Conv::plain(&policy.score),
            policy_in_play: MoveScores::new(&policy.score, layout),
            value_reduce: Conv::new(folded(&value.reduce), kind),
            value_hidden: Dense::new(&value.hidden),
            value_wdl: Dense::new(&value.wdl),
            plies_left: value.plies_left.as_ref().map(Dense::new),
            settlement: value.settlement.as_ref().map(Dense::new),
            belief: value.belief.as_ref().map(Dense::new),
            slots: Tensor::from_slice(&layout.policy_slots()),
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
    /// loss.
    pub(super) fn in_play(&self, planes: &[f32]) -> Result<(Tensor, Tensor), TchError> {
        let _guard = tch::no_grad_guard();
        let shape = self.layout.shape;
        let length = self.stem_in_play.output_len();
        let mut stem = vec![0.0; planes.len() / shape.len() * length];
        for (planes, out) in planes.chunks_exact(shape.len()).zip(stem.chunks_exact_mut(length)) {
            self.stem_in_play.apply(planes, out);
        }
        let stem = Tensor::from_slice(&stem).f_to_kind(self.precision.kind())?;
        let stem = stem.f_view([-1, shape.rows as i64, shape.files as i64, self.stem.bias.size()[0]])?;
        let xs = self.tower(stem.f_permute([0, 3, 1, 2])?)?;
        let policy = self.policy_features(&xs)?.f_permute([0, 2, 3, 1])?;
        Ok((policy, self.value_wdl.forward(&self.hidden(&xs)?)?))
    }

    pub(super) fn move_scores(&self) -> &MoveScores {
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
