//! What can go wrong with a network and its files.

use std::path::{Path, PathBuf};

use tch::TchError;

use crate::eval::Device;

/// A network could not be read, written or run.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    #[error("{path} is not a checkpoint: expected a folder with a card.toml")]
    NotACheckpoint { path: PathBuf },
    #[error("{path} exists and is not a checkpoint, so it is not replaced")]
    Occupied { path: PathBuf },
    #[error("{path} has no name to write a checkpoint under")]
    Nameless { path: PathBuf },
    #[error("another process is writing the checkpoint {path}")]
    Busy { path: PathBuf },
    #[error("cannot read {path}")]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("cannot write {path}")]
    Unwritable { path: PathBuf, source: std::io::Error },
    #[error("{path}:{line}:{column}: not a card of this program: in `{excerpt}`: {message}")]
    Card { path: PathBuf, line: usize, column: usize, excerpt: String, message: String },
    /// Made for something this build or this command does not do; `what` names the difference.
    #[error("{path} does not fit: {what} is {found} there, expected {expected}")]
    Mismatch { path: PathBuf, what: String, found: String, expected: String },
    #[error(
        "{path} was written by an earlier version (format {found}, expected {expected}): it plays, and its \
         training cannot be continued"
    )]
    PlaysOnly { path: PathBuf, found: u32, expected: u32 },
    #[error("{path}: cannot read its tensors")]
    Tensors { path: PathBuf, source: TchError },
    #[error("{path}: cannot write the tensors")]
    UnwritableTensors { path: PathBuf, source: TchError },
    #[error("{path} has no tensor '{name}'")]
    MissingTensor { path: PathBuf, name: String },
    #[error("no network for {game} comes with the program")]
    NotShipped { game: String },
    #[error("{path} is of no use")]
    Unusable { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error(
        "device {device}: this libtorch computes on CPUs alone; `scripts/setup --cuda` fetches one for graphics cards"
    )]
    CpuOnly { device: Device },
    #[error("device {device}: not there; graphics cards that libtorch finds: {found}")]
    NoDevice { device: Device, found: usize },
    #[error("cannot start a thread for a network")]
    NoThread { source: std::io::Error },
    #[error("libtorch failed while {doing}")]
    Torch { doing: &'static str, source: TchError },
}

impl NetError {
    pub(crate) fn unreadable(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Unreadable { path: path.into(), source }
    }

    pub(super) fn unwritable(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Unwritable { path: path.into(), source }
    }

    pub(super) fn torch(doing: &'static str) -> impl FnOnce(TchError) -> Self {
        move |source| Self::Torch { doing, source }
    }
}
