//! How large a network is, and what of a game it is built for.

use serde::{Deserialize, Serialize};

use crate::game::{Encode, Game, MoveIndex, Shape, fnv1a};
use crate::units::Count;

/// The shape of a network.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetConfig {
    /// Channels of the tower; multiples of 16 run best.
    pub channels: Count<512>,
    /// Residual blocks of the tower, of two 3x3 convolutions each.
    pub blocks: Count<64>,
    /// Planes the value head makes of the tower, before it takes their means over the board.
    pub value_planes: Count<1024>,
    /// Width of the value head's hidden layer.
    pub value_width: Count<4096>,
}

impl Default for NetConfig {
    fn default() -> Self {
        Self {
            channels: Count::literal(32),
            blocks: Count::literal(4),
            value_planes: Count::literal(32),
            value_width: Count::literal(64),
        }
    }
}

impl NetConfig {
    /// Floating-point operations for one position, a multiplication and an addition counted as two; only
    /// convolutions and dense layers are counted.
    pub fn flops_per_position(&self, layout: &Layout) -> u64 {
        let channels = self.channels.get();
        let value_planes = self.value_planes.get();
        let value_width = self.value_width.get();
        let squares = layout.shape.squares() as u64;
        let stem = 9 * layout.shape.planes as u64 * channels;
        let tower = self.blocks.get() * 2 * 9 * channels * channels;
        let policy = channels * channels + channels * layout.policy_planes as u64;
        let value = channels * value_planes;
        let dense = value_planes * value_width + value_width * 3;
        2 * (squares * (stem + tower + policy + value) + dense)
    }
}

/// What of a game a network is built for: the size of its input, and where moves stand in its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The game's name.
    pub game: String,
    pub shape: Shape,
    /// What each input plane means, in order.
    pub plane_names: Vec<String>,
    /// Output planes of the convolutional policy head.
    pub policy_planes: usize,
    /// For each policy entry the cell of the head that scores it, `plane * squares + square`.
    pub policy_cells: Vec<usize>,
}

impl Layout {
    pub fn of<G: Game>() -> Self {
        let entries = u16::try_from(G::View::POLICY_LEN).expect("a policy entry is a u16");
        Self {
            game: G::NAME.into(),
            shape: G::View::SHAPE,
            plane_names: G::View::plane_names(),
            policy_planes: G::View::POLICY_PLANES,
            policy_cells: (0..entries).map(|entry| G::View::policy_cell(MoveIndex(entry))).collect(),
        }
    }

    /// Entries of the policy.
    pub fn policy_len(&self) -> usize {
        self.policy_cells.len()
    }

    /// A number that changes when any move changes its place in the policy.
    pub fn policy_fingerprint(&self) -> u64 {
        let bytes: Vec<u8> = self.policy_cells.iter().flat_map(|&cell| (cell as u64).to_le_bytes()).collect();
        fnv1a(&bytes)
    }
}
