//! Players named on the command line, and the evaluators they play with.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::eval::{EvalError, Evaluator, Plain};
use crate::game::Game;
use crate::search::SearchConfig;
use crate::tables::Mind;

/// Who plays: `random`, `uniform`, `material`, `rollout`, or a checkpoint by its path or `net=` and its path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PlayerSpec {
    /// Any legal move, without search.
    Random,
    /// Search with an evaluator that needs no network.
    Plain(Plain),
    /// Search with a network.
    Checkpoint(PathBuf),
}

/// A text was neither the name of a player nor the path of a checkpoint.
#[derive(Debug, thiserror::Error)]
#[error("no player '{0}': expected random, uniform, material, rollout, or the folder of a checkpoint")]
pub struct UnknownPlayer(String);

impl PlayerSpec {
    /// How the player picks a move, its evaluator, if it has one, standing at `judge` among a worker's.
    pub fn mind(&self, judge: usize, config: &SearchConfig, time: Option<Duration>) -> Mind {
        match self {
            Self::Random => Mind::Random,
            Self::Plain(_) | Self::Checkpoint(_) => Mind::Search { judge, config: *config, time },
        }
    }

    /// A new evaluator for one worker. `random` has no use for the one it gets.
    ///
    /// # Errors
    ///
    /// If the checkpoint cannot be used.
    pub fn evaluator<G: Game>(&self) -> Result<Box<dyn Evaluator<G>>, EvalError> {
        match self {
            Self::Random => Ok(Plain::Uniform.evaluator()),
            Self::Plain(plain) => Ok(plain.evaluator()),
            Self::Checkpoint(path) => network(path),
        }
    }
}

#[cfg(feature = "torch")]
fn network<G: Game>(path: &std::path::Path) -> Result<Box<dyn Evaluator<G>>, EvalError> {
    use crate::net::{NetEvaluator, Precision};

    match NetEvaluator::<G>::load(path, Precision::fastest_here()) {
        Ok(evaluator) => Ok(Box::new(evaluator)),
        Err(source) => Err(EvalError::Unusable { source: source.into() }),
    }
}

#[cfg(not(feature = "torch"))]
fn network<G: Game>(path: &std::path::Path) -> Result<Box<dyn Evaluator<G>>, EvalError> {
    let message =
        format!("{}: this build has no networks; build it with the feature `torch`", path.display());
    Err(EvalError::Unusable { source: message.into() })
}

impl FromStr for PlayerSpec {
    type Err = UnknownPlayer;

    fn from_str(text: &str) -> Result<Self, UnknownPlayer> {
        if text == "random" {
            return Ok(Self::Random);
        }
        if let Ok(plain) = text.parse() {
            return Ok(Self::Plain(plain));
        }
        let path = PathBuf::from(text.strip_prefix("net=").unwrap_or(text));
        if path.is_dir() { Ok(Self::Checkpoint(path)) } else { Err(UnknownPlayer(text.into())) }
    }
}

impl TryFrom<String> for PlayerSpec {
    type Error = UnknownPlayer;

    fn try_from(text: String) -> Result<Self, UnknownPlayer> {
        text.parse()
    }
}

impl From<PlayerSpec> for String {
    fn from(player: PlayerSpec) -> String {
        player.to_string()
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Plain(plain) => f.write_str(plain.name()),
            Self::Checkpoint(path) => write!(f, "{}", path.display()),
        }
    }
}
