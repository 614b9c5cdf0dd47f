//! The card of a checkpoint: what the network is, in a file a person can read.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::config::as_written;
use super::{Layout, NetConfig, NetError, Network, Precision};
use crate::text::{Spot, shown};

/// The version of the folder's format.
const FORMAT: u32 = 2;

/// The version before, whose networks play and whose training cannot be continued.
const OLDER_FORMAT: u32 = 1;

/// More steps than any training takes; a card that claims more is damaged.
const MOST_STEPS: u64 = 1 << 47;

/// What a checkpoint is, kept as `card.toml` beside its tensors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    format: u32,
    /// The version of the program that wrote it.
    pub facedown: String,
    pub game: String,
    /// Numbers that training sets.
    pub parameters: u64,
    /// As [`NetConfig::flops_per_position`] counts them.
    pub flops_per_position: u64,
    #[serde(deserialize_with = "as_written")]
    pub net: NetConfig,
    policy: Policy,
    pub training: Training,
    /// How strong the network is, where that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    input: Input,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    planes: usize,
    rows: usize,
    files: usize,
    plane_names: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Policy {
    entries: usize,
    planes: usize,
    /// [`Layout::policy_fingerprint`], in hexadecimal.
    fingerprint: String,
}

/// What a network has learned from so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// Optimiser steps, those of the networks it was continued from included.
    pub steps: u64,
    /// Positions it was shown, repeats counted, with those of the networks it was continued from.
    pub samples: u64,
    /// What its training computes in; 32-bit floats where a card does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<Precision>,
    /// The seed its weights were drawn with, in hexadecimal.
    pub seed: String,
    /// The names of the rule sets its data was last played under, with commas between them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Games in the data it was last trained on.
    pub games: u64,
    /// Positions in the data it was last trained on.
    pub rows: u64,
    /// The checkpoint it was continued from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The mean over the last steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<LossFigures>,
    /// On games kept out of training.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<LossFigures>,
}

/// How strong a network was found to be, by games against others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// Points above the anchor.
    pub elo: f64,
    /// The 95 % interval's half width.
    pub half_width: f64,
    /// Whose rating is 0.
    pub anchor: String,
    /// How long the network thought, for people.
    pub terms: String,
    /// Games of its own that the rating goes by.
    pub games: u64,
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo, half_width, anchor, terms, games } = self;
        let (low, high) = (elo - half_width, elo + half_width);
        write!(
            f,
            "{elo:+.0} Elo (95 % interval {low:+.0} to {high:+.0}) above {anchor}, {terms}, over {games} games"
        )
    }
}

/// Mean losses over some positions, in nats where nothing else is said.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LossFigures {
    /// Cross-entropy of the policy to the search's visits.
    pub policy: f64,
    /// Cross-entropy of win, draw and loss to how the game went.
    pub value: f64,
    /// Of the plies left, in hundreds: half the square of the error up to 1, and the error less a half from
    /// there on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies_left: Option<f64>,
    /// Square of the error of what the end was worth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settlement: Option<f64>,
    /// Surprise at which pieces were taken unseen, in nats, less that of the exact odds of the pool: below 0
    /// as far as play tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub belief: Option<f64>,
}

impl LossFigures {
    /// What they are called in tables, in the order of [`LossFigures::parts`].
    pub const NAMES: [&str; 5] =
        ["policy_loss", "value_loss", "plies_left_loss", "settlement_loss", "belief_loss"];

    pub fn parts(&self) -> [Option<f64>; 5] {
        [Some(self.policy), Some(self.value), self.plies_left, self.settlement, self.belief]
    }

    /// Figures of such parts; a policy or a value that is missing is 0.
    pub fn of_parts([policy, value, plies_left, settlement, belief]: [Option<f64>; 5]) -> Self {
        let [policy, value] = [policy, value].map(Option::unwrap_or_default);
        Self { policy, value, plies_left, settlement, belief }
    }
}

impl Card {
    /// The card of a network that has learned nothing yet.
    pub fn new(network: &Network, seed: u64) -> Self {
        let layout = network.layout();
        Self {
            format: FORMAT,
            facedown: env!("CARGO_PKG_VERSION").into(),
            game: layout.game.clone(),
            parameters: network.parameter_count(),
            flops_per_position: network.config().flops_per_position(layout),
            net: network.config().clone(),
            policy: Policy::of(layout),
            training: Training { seed: format!("{seed:#x}"), ..Training::default() },
            rating: None,
            input: Input::of(layout),
        }
    }

    /// Reads the card at `path`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not a card of this program's format.
    pub(super) fn read(path: &Path) -> Result<Self, NetError> {
        Self::parse(&std::fs::read_to_string(path).map_err(NetError::unreadable(path))?, path)
    }

    /// Reads the text of a card; `path` is named in errors.
    ///
    /// # Errors
    ///
    /// If it is not a card of this program's format.
    pub(super) fn parse(text: &str, path: &Path) -> Result<Self, NetError> {
        toml::from_str(text).map_err(|error| {
            let Spot { line, column, excerpt } = Spot::of(text, error.span().map_or(0, |span| span.start));
            NetError::Card { path: path.into(), line, column, excerpt, message: shown(error.message()) }
        })
    }

    /// How large the network is, in words.
    pub fn size(&self) -> String {
        let millions = self.flops_per_position as f64 / 1e6;
        format!("{} parameters, {millions:.1} million operations a position", self.parameters)
    }

    /// The text of `card.toml`.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a card holds nothing that TOML cannot say")
    }

    /// Refuses a network made for another game, or for another encoding of it.
    ///
    /// # Errors
    ///
    /// [`NetError::Mismatch`] with the first difference; `path` is named in it.
    pub(super) fn check(&self, layout: &Layout, path: &Path) -> Result<(), NetError> {
        let mismatch = |what: &str, found: String, expected: String| NetError::Mismatch {
            path: path.into(),
            what: what.into(),
            found,
            expected,
        };
        let (input, policy) = (Input::of(layout), Policy::of(layout));
        if ![OLDER_FORMAT, FORMAT].contains(&self.format) {
            return Err(mismatch("the format", self.format.to_string(), FORMAT.to_string()));
        }
        if self.training.steps > MOST_STEPS {
            let most = format!("at most {MOST_STEPS}");
            return Err(mismatch("the number of steps", self.training.steps.to_string(), most));
        }
        if self.game != layout.game {
            return Err(mismatch("the game", self.game.clone(), layout.game.clone()));
        }
        if self.input.size() != input.size() {
            return Err(mismatch("the input's size", self.input.size(), input.size()));
        }
        let planes = self.input.plane_names.iter().zip(&input.plane_names);
        if let Some((plane, (found, expected))) = planes.enumerate().find(|(_, (a, b))| a != b) {
            let what = format!("the meaning of plane {plane}");
            return Err(mismatch(&what, format!("'{found}'"), format!("'{expected}'")));
        }
        if self.policy != policy {
            return Err(mismatch("the policy", self.policy.describe(), policy.describe()));
        }
        Ok(())
    }
}

impl Card {
    /// Refuses a network whose training cannot be continued.
    ///
    /// # Errors
    ///
    /// [`NetError::PlaysOnly`]; `path` is named in it.
    pub(super) fn check_trainable(&self, path: &Path) -> Result<(), NetError> {
        match self.format {
            FORMAT => Ok(()),
            found => Err(NetError::PlaysOnly { path: path.into(), found, expected: FORMAT }),
        }
    }
}

impl Input {
    fn of(layout: &Layout) -> Self {
        Self {
            planes: layout.shape.planes,
            rows: layout.shape.rows,
            files: layout.shape.files,
            plane_names: layout.plane_names.clone(),
        }
    }

    fn size(&self) -> String {
        let Self { planes, rows, files, plane_names } = self;
        format!("{planes}x{rows}x{files} with {} names", plane_names.len())
    }
}

impl Policy {
    fn of(layout: &Layout) -> Self {
        Self {
            entries: layout.policy_len(),
            planes: layout.policy_planes,
            fingerprint: format!("{:016x}", layout.policy_fingerprint()),
        }
    }

    fn describe(&self) -> String {
        format!("{} entries on {} planes in order {}", self.entries, self.planes, self.fingerprint)
    }
}
