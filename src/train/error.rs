//! What can go wrong while training.

use std::path::PathBuf;

use crate::game::{NotationError, ProfileError};
use crate::net::NetError;
use crate::record::RecordError;

/// Training could not go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    #[error(transparent)]
    Net(#[from] NetError),
    #[error("cannot read the dataset")]
    Record(#[from] RecordError),
    #[error("cannot read the rules a dataset was played under")]
    Rules(#[from] ProfileError),
    #[error("{folder} holds games of {found}; expected {expected}")]
    OtherGame { folder: PathBuf, found: String, expected: &'static str },
    #[error("{file} was played under other rules than newer shards, and both are called '{name}'")]
    RulesOfOneName { file: PathBuf, name: String },
    #[error("nothing to learn from: {games} games, {held_out} positions of them held out for validation")]
    NoRows { games: usize, held_out: u64 },
    /// A row's position does not stand under the dataset's own rules.
    #[error("{}: {source}", file.display())]
    Row { file: PathBuf, source: Box<TrainError> },
    #[error("{}: game {game_id:#018x} is also in {}; a game is learned from once", file.display(), other.display())]
    Repeated { file: PathBuf, other: PathBuf, game_id: u64 },
    #[error("a row of game {game_id:#018x} has {found} in the column '{column}'; expected {expected}")]
    Value { game_id: u64, column: &'static str, found: String, expected: &'static str },
    #[error("{}: the course of the losses does not fit the card: {found}; expected {expected}", path.display())]
    Losses { path: PathBuf, found: String, expected: String },
    #[error("a row of game {game_id:#018x} has no move to choose: the game is over in {view}")]
    Over { game_id: u64, view: String },
    #[error("a row of game {game_id:#018x} is not a position under its rules")]
    View { game_id: u64, source: NotationError },
    #[error("a row of game {game_id:#018x} names the move '{given}'")]
    Move { game_id: u64, given: String, source: NotationError },
    #[error("a row of game {game_id:#018x} gives a share to {mv}, which is not legal in {view}")]
    IllegalMove { game_id: u64, mv: String, view: String },
    #[error(
        "the {what} of step {step} is not a finite number; the last checkpoint stands, the batch is in {}",
        batch.display()
    )]
    NotFinite { step: u64, what: &'static str, batch: PathBuf },
    #[error("a weight after step {step} is not a finite number; no checkpoint is written of it")]
    WeightNotFinite { step: u64 },
    #[error("the checkpoint's state of training does not fit: no '{name}' of the network's size and kind")]
    State { name: String },
}

impl TrainError {
    /// The game of the row that is at fault; none if it is no row, or the row is placed already.
    pub(super) fn game_id(&self) -> Option<u64> {
        match *self {
            Self::Value { game_id, .. }
            | Self::Over { game_id, .. }
            | Self::View { game_id, .. }
            | Self::Move { game_id, .. }
            | Self::IllegalMove { game_id, .. } => Some(game_id),
            _ => None,
        }
    }
}
