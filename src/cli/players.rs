//! Players named on the command line, and the evaluators they play with.

use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::eval::{Device, EvalError, Evaluator, Plain};
use crate::game::Game;
#[cfg(feature = "torch")]
use crate::net::{Findings, NetError, NetEvaluator};
use crate::search::SearchConfig;
use crate::tables::Mind;

/// What the network that comes with the program is called.
const SHIPPED: &str = "shipped";

/// Who plays: `random`, `uniform`, `material`, `rollout`, `shipped`, or a checkpoint by its path or `net=` and
/// its path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PlayerSpec {
    /// Any legal move, without search.
    Random,
    /// Search with an evaluator that needs no network.
    Plain(Plain),
    /// Search with the network that comes with the program.
    Shipped,
    /// Search with a network.
    Checkpoint(PathBuf),
}

/// A text was neither the name of a player nor the path of a checkpoint.
#[derive(Debug, thiserror::Error)]
#[error("no player '{}': expected random, uniform, material, rollout, shipped, or the folder of a checkpoint", crate::text::shown(.0))]
pub struct UnknownPlayer(String);

impl PlayerSpec {
    /// How the player picks a move, its evaluator, if it has one, standing at `judge` among a worker's.
    pub fn mind(&self, judge: usize, config: &SearchConfig, time: Option<Duration>) -> Mind {
        match self {
            Self::Random => Mind::Random,
            Self::Plain(_) | Self::Shipped | Self::Checkpoint(_) => {
                Mind::Search { judge, config: *config, time }
            }
        }
    }

    /// What tells the player's weights from any others; nothing for one without weights.
    ///
    /// # Errors
    ///
    /// If the checkpoint cannot be read.
    pub fn weights(&self) -> Result<Option<String>, EvalError> {
        match self {
            Self::Random | Self::Plain(_) => Ok(None),
            Self::Shipped => Ok(shipped_weights()),
            Self::Checkpoint(path) => weights(path).map(Some),
        }
    }

    /// A new evaluator for one worker, a network on a device that is there. `random` has no use for the one it gets.
    ///
    /// # Errors
    ///
    /// If the checkpoint cannot be used.
    pub fn evaluator<G: Game>(&self, device: Device) -> Result<Box<dyn Evaluator<G>>, EvalError> {
        match self {
            Self::Random => Ok(Plain::Uniform.evaluator()),
            Self::Plain(plain) => Ok(plain.evaluator()),
            Self::Shipped => shipped(device),
            Self::Checkpoint(path) => network(path, device),
        }
    }
}

#[cfg(feature = "torch")]
fn weights(path: &Path) -> Result<String, EvalError> {
    let fingerprint = crate::net::weights_fingerprint(path);
    let fingerprint = fingerprint.map_err(|source| EvalError::Unusable { source: source.into() })?;
    Ok(format!("{fingerprint:016x}"))
}

#[cfg(feature = "torch")]
fn shipped_weights() -> Option<String> {
    Some(format!("{:016x}", crate::net::shipped_fingerprint()))
}

#[cfg(not(feature = "torch"))]
fn shipped_weights() -> Option<String> {
    None
}

#[cfg(not(feature = "torch"))]
fn weights(path: &Path) -> Result<String, EvalError> {
    Err(without_networks(&path.display().to_string()))
}

#[cfg(feature = "torch")]
fn network<G: Game>(path: &Path, device: Device) -> Result<Box<dyn Evaluator<G>>, EvalError> {
    ready(NetEvaluator::<G>::load_checked(path, device), device)
}

#[cfg(feature = "torch")]
fn shipped<G: Game>(device: Device) -> Result<Box<dyn Evaluator<G>>, EvalError> {
    ready(NetEvaluator::<G>::shipped(device), device)
}

#[cfg(feature = "torch")]
fn ready<G: Game>(
    loaded: Result<(NetEvaluator<G>, Findings), NetError>,
    device: Device,
) -> Result<Box<dyn Evaluator<G>>, EvalError> {
    let (evaluator, findings) = loaded.map_err(|source| EvalError::Unusable { source: source.into() })?;
    static TOLD: std::sync::Once = std::sync::Once::new();
    if let Some(warning) = findings.warning(device) {
        TOLD.call_once(|| super::tell(format_args!("warning: {warning}")));
    }
    Ok(Box::new(evaluator))
}

#[cfg(not(feature = "torch"))]
fn network<G: Game>(path: &Path, _: Device) -> Result<Box<dyn Evaluator<G>>, EvalError> {
    Err(without_networks(&path.display().to_string()))
}

#[cfg(not(feature = "torch"))]
fn shipped<G: Game>(_: Device) -> Result<Box<dyn Evaluator<G>>, EvalError> {
    Err(without_networks("shipped"))
}

#[cfg(not(feature = "torch"))]
fn without_networks(player: &str) -> EvalError {
    let message = format!("{player}: this build has no networks; build it with the feature `torch`");
    EvalError::Unusable { source: message.into() }
}

/// Whether a checkpoint stands at `path`, or at least a folder that claims to be one.
fn is_checkpoint(path: &Path) -> bool {
    #[cfg(feature = "torch")]
    if crate::net::stands_at(path) {
        return true;
    }
    path.is_dir()
}

impl FromStr for PlayerSpec {
    type Err = UnknownPlayer;

    fn from_str(text: &str) -> Result<Self, UnknownPlayer> {
        if text == "random" {
            return Ok(Self::Random);
        }
        if text == SHIPPED {
            return Ok(Self::Shipped);
        }
        if let Ok(plain) = text.parse() {
            return Ok(Self::Plain(plain));
        }
        // Spellings of one path are one player.
        let given = Path::new(text.strip_prefix("net=").unwrap_or(text));
        let mut path: PathBuf = given.components().filter(|part| *part != Component::CurDir).collect();
        if path.as_os_str().is_empty() {
            path = given.into();
        }
        if is_checkpoint(&path) { Ok(Self::Checkpoint(path)) } else { Err(UnknownPlayer(text.into())) }
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
            Self::Shipped => f.write_str(SHIPPED),
            Self::Checkpoint(path) => write!(f, "{}", path.display()),
        }
    }
}
