//! A network in the form that plays.

use tch::nn;
use tch::{Kind, TchError, Tensor};

use super::blocks::folded;
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

/// A network in the form that plays: batch norm folded into the convolutions, pixels channels last, no
/// gradients, its own copy of every weight.
///
/// It says what [`Network::forward`] says outside training, up to rounding.
#[derive(Debug)]
pub struct Deployed {
    layout: Layout,
    precision: Precision,
    stem: Conv,
    blocks: Vec<[Conv; 2]>,
    policy_mix: Conv,
    policy_score: Conv,
    value_reduce: Conv,
    value_hidden: Dense,
    value_wdl: Dense,
    /// For each policy entry its place among the policy head's scores, which lie channels last.
    slots: Vec<i64>,
}

impl Deployed {
    pub fn new(network: &Network, precision: Precision) -> Self {
        let kind = precision.kind();
        let _guard = tch::no_grad_guard();
        let Network { layout, tower, policy, value, .. } = network;
        let squares = layout.shape.squares();
        let slot = |&cell: &usize| (cell % squares * layout.policy_planes + cell / squares) as i64;
        Self {
            layout: layout.clone(),
            precision,
            stem: Conv::new(folded(&tower.stem), kind),
            blocks: tower
                .blocks
                .iter()
                .map(|[first, second]| [Conv::new(folded(first), kind), Conv::new(folded(second), kind)])
                .collect(),
            policy_mix: Conv::new(folded(&policy.mix), kind),
            policy_score: Conv::plain(&policy.score),
            value_reduce: Conv::new(folded(&value.reduce), kind),
            value_hidden: Dense::new(&value.hidden),
            value_wdl: Dense::new(&value.wdl),
            slots: layout.policy_cells.iter().map(slot).collect(),
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
        let scores = self.scores(planes)?;
        let policy = scores.policy.f_index_select(1, &Tensor::from_slice(&self.slots))?;
        Ok(Output { policy, wdl: scores.wdl })
    }

    /// Like [`Deployed::forward`] with the policy head's scores as they lie, `[batch, slots]`: an entry's
    /// score is at [`Deployed::slot`]. Cheaper where few entries are wanted.
    pub(super) fn scores(&self, planes: &Tensor) -> Result<Output, TchError> {
        let _guard = tch::no_grad_guard();
        let batch = planes.size()[0];
        let mut xs = self.stem.rectified(&channels_last(&planes.f_to_kind(self.precision.kind())?))?;
        for [first, second] in &self.blocks {
            let mut ys = second.forward(&first.rectified(&xs)?)?;
            xs = ys.f_add_(&xs)?.f_relu_()?;
        }
        let mixed = self.policy_mix.rectified(&xs)?.f_to_kind(Kind::Float)?;
        let policy = self.policy_score.forward(&mixed)?.f_permute([0, 2, 3, 1])?.f_reshape([batch, -1])?;
        let means = self.value_reduce.rectified(&xs)?.f_mean_dim([2, 3].as_slice(), false, Kind::Float)?;
        let wdl = self.value_wdl.forward(&self.value_hidden.forward(&means)?.f_relu_()?)?;
        Ok(Output { policy, wdl })
    }

    /// Where [`Deployed::scores`] has the score of a policy entry.
    pub(super) fn slot(&self, index: MoveIndex) -> i64 {
        self.slots[index.get()]
    }
}
