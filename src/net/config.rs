//! How large a network is, and what of a game it is built for.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize};

use crate::game::{self, Encode, Game, MoveIndex, fnv1a};
use crate::units::Count;

/// The shape of a network.
///
/// As a setting, what is not given is as in a named shape: `shape = "small"` if that is not given either.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Given")]
pub struct NetConfig {
    /// Channels of the tower; multiples of 16 run best.
    pub channels: Count<512>,
    /// Residual blocks of the tower, of two 3x3 convolutions each.
    pub blocks: Count<64>,
    /// Whether every second block is told means and maxima over the whole board, as pools and rules are
    /// facts of the whole board.
    pub global_pooling: bool,
    /// Planes the value head makes of the tower, before it takes their means over the board.
    pub value_planes: Count<1024>,
    /// Width of the value head's hidden layer.
    pub value_width: Count<4096>,
    /// What is predicted besides the policy and the value.
    pub heads: BTreeSet<Head>,
}

/// Something a network may predict besides the policy and the value. It is there to make the tower learn
/// more from a game than its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Head {
    /// Plies to the end of the game.
    PliesLeft,
    /// What the end is worth, in money where the rules play for it.
    Settlement,
    /// Which of the mover's own pieces the opponent took unseen. In games without such secrets it is left
    /// out.
    Belief,
}

/// A shape with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    Tiny,
    #[default]
    Small,
    Medium,
    Large,
}

impl Shape {
    pub const ALL: [Self; 4] = [Self::Tiny, Self::Small, Self::Medium, Self::Large];

    /// The numbers it stands for.
    pub fn config(self) -> NetConfig {
        let (channels, blocks, value_planes, value_width) = match self {
            Self::Tiny => (32, 2, 32, 32),
            Self::Small => (32, 4, 32, 64),
            Self::Medium => (64, 6, 32, 64),
            Self::Large => (128, 10, 64, 128),
        };
        NetConfig {
            channels: Count::literal(channels),
            blocks: Count::literal(blocks),
            global_pooling: true,
            value_planes: Count::literal(value_planes),
            value_width: Count::literal(value_width),
            heads: [Head::PliesLeft, Head::Settlement, Head::Belief].into(),
        }
    }
}

/// The settings of a network's shape, any of which may be missing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    shape: Option<Shape>,
    channels: Option<Count<512>>,
    blocks: Option<Count<64>>,
    global_pooling: Option<bool>,
    value_planes: Option<Count<1024>>,
    value_width: Option<Count<4096>>,
    heads: Option<BTreeSet<Head>>,
}

impl From<Given> for NetConfig {
    fn from(given: Given) -> Self {
        let named = given.shape.unwrap_or_default().config();
        Self {
            channels: given.channels.unwrap_or(named.channels),
            blocks: given.blocks.unwrap_or(named.blocks),
            global_pooling: given.global_pooling.unwrap_or(named.global_pooling),
            value_planes: given.value_planes.unwrap_or(named.value_planes),
            value_width: given.value_width.unwrap_or(named.value_width),
            heads: given.heads.unwrap_or(named.heads),
        }
    }
}

impl Default for NetConfig {
    fn default() -> Self {
        Shape::default().config()
    }
}

impl NetConfig {
    /// Whether the network has a head, if it is built for `layout`.
    pub fn has(&self, head: Head, layout: &Layout) -> bool {
        self.heads.contains(&head) && (head != Head::Belief || layout.secret_kinds > 0)
    }

    /// Channels of a block that are pooled over the board; none if the block pools nothing.
    pub(super) fn pooled_channels(&self, block: u64) -> Option<u64> {
        let pools = self.global_pooling && block % 2 == 1;
        pools.then(|| (self.channels.get() / 4).max(1))
    }

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
        let pooled: u64 = (0..self.blocks.get()).filter_map(|block| self.pooled_channels(block)).sum();
        let outputs: u64 = [Head::PliesLeft, Head::Settlement, Head::Belief]
            .into_iter()
            .filter(|&head| self.has(head, layout))
            .map(|head| if head == Head::Belief { layout.secret_kinds as u64 } else { 1 })
            .sum();
        let dense = value_planes * value_width + value_width * (3 + outputs) + 2 * pooled * channels;
        2 * (squares * (stem + tower + policy + value) + dense)
    }
}

/// Reads the shape that a card names. What it leaves out, no network had when it was written.
///
/// # Errors
///
/// If a number is missing or out of range.
pub(super) fn as_written<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NetConfig, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Written {
        channels: Count<512>,
        blocks: Count<64>,
        #[serde(default)]
        global_pooling: bool,
        value_planes: Count<1024>,
        value_width: Count<4096>,
        #[serde(default)]
        heads: BTreeSet<Head>,
    }
    let Written { channels, blocks, global_pooling, value_planes, value_width, heads } =
        Written::deserialize(deserializer)?;
    Ok(NetConfig { channels, blocks, global_pooling, value_planes, value_width, heads })
}

/// What of a game a network is built for: the size of its input, and where moves stand in its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The game's name.
    pub game: String,
    pub shape: game::Shape,
    /// What each input plane means, in order.
    pub plane_names: Vec<String>,
    /// Output planes of the convolutional policy head.
    pub policy_planes: usize,
    /// For each policy entry the cell of the head that scores it, `plane * squares + square`.
    pub policy_cells: Vec<usize>,
    /// Kinds of pieces that may be taken without their owner seeing which; 0 where nothing is secret.
    pub secret_kinds: usize,
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
            secret_kinds: G::View::SECRET_KINDS,
        }
    }

    /// Entries of the policy.
    pub fn policy_len(&self) -> usize {
        self.policy_cells.len()
    }

    /// For each policy entry its place among the head's scores where those of a square lie side by side.
    pub(super) fn policy_slots(&self) -> Vec<i64> {
        let squares = self.shape.squares();
        let slot = |&cell: &usize| (cell % squares * self.policy_planes + cell / squares) as i64;
        self.policy_cells.iter().map(slot).collect()
    }

    /// A number that changes when any move changes its place in the policy.
    pub fn policy_fingerprint(&self) -> u64 {
        let bytes: Vec<u8> = self.policy_cells.iter().flat_map(|&cell| (cell as u64).to_le_bytes()).collect();
        fnv1a(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_setting_leaves_out_is_as_in_its_shape() {
        let read = |text: &str| toml::from_str::<NetConfig>(text).map_err(|error| error.to_string());
        assert_eq!(read(""), Ok(NetConfig::default()));
        for (name, shape) in ["tiny", "small", "medium", "large"].into_iter().zip(Shape::ALL) {
            assert_eq!(read(&format!("shape = \"{name}\"")), Ok(shape.config()));
        }
        let expected =
            NetConfig { channels: Count::literal(48), heads: [Head::Belief].into(), ..Shape::Tiny.config() };
        assert_eq!(read("heads = [\"belief\"]\nchannels = 48\nshape = \"tiny\""), Ok(expected.clone()));
        // What is written of it says all, and reads the same.
        let written = toml::to_string(&expected).expect("plain values");
        assert_eq!(read(&written), Ok(expected));
        for wrong in ["shape = \"huge\"", "heads = [\"luck\"]", "channels = 0", "depth = 3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
