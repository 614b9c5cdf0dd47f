//! What can go wrong in a loop.

use std::path::PathBuf;

use crate::arena::MatchError;
use crate::metrics::MetricsError;
use crate::net::NetError;
use crate::record::RecordError;
use crate::selfplay::SelfplayError;
use crate::train::TrainError;

/// A loop could not go on. What is finished stays finished.
#[derive(Debug, thiserror::Error)]
pub enum LoopError {
    #[error("{}: cannot {doing}", path.display())]
    Folder { doing: &'static str, path: PathBuf, source: std::io::Error },
    #[error("{}: another process is working on this run", folder.display())]
    Locked { folder: PathBuf },
    #[error("{}: holds a run already; go on with it by --resume, or choose another folder", folder.display())]
    Exists { folder: PathBuf },
    #[error("the run's dataset is of no use")]
    Dataset(#[from] RecordError),
    #[error("self-play of generation {generation} stopped")]
    Selfplay { generation: u32, source: SelfplayError },
    #[error("training of generation {generation} stopped")]
    Train { generation: u32, source: TrainError },
    #[error("{}: this run has the network after generation {later}, and not this one", missing.display())]
    Gap { missing: PathBuf, later: u32 },
    #[error("{}: is no checkpoint, and stands where the run's next one goes", path.display())]
    Occupied { path: PathBuf },
    #[error("{}: was replaced or trained on by hand: {what} is {found}, in this run {expected}", path.display())]
    Foreign { path: PathBuf, what: &'static str, found: String, expected: String },
    #[error("the network after generation {generation} is of no use")]
    Network { generation: u32, source: NetError },
    #[error("the match of {who} stopped")]
    Match { who: String, source: Box<MatchError> },
    #[error("{}: not a result this program wrote; remove it, and the match is told again", path.display())]
    Result { path: PathBuf, source: toml::de::Error },
    #[error("the network after generation {generation} could not be emptied")]
    Clear { generation: u32, source: NetError },
    #[error(transparent)]
    Metrics(#[from] MetricsError),
    /// The user asked to stop.
    #[error("interrupted; the same command with --resume goes on")]
    Interrupted,
}
