//! Why a report could not be made.

use std::path::PathBuf;

use crate::record::RecordError;

/// What stands in the way of a report.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    #[error("cannot read the dataset")]
    Record(#[from] RecordError),
    #[error("no report knows the game '{found}'; expected jieqi or banqi")]
    UnknownGame { found: String },
    #[error("this report is about {expected} alone, and these are games of {found}")]
    OtherGame { expected: &'static str, found: &'static str },
    #[error("no games under the rules '{asked}'; the dataset has {found}")]
    NoSuchRules { asked: String, found: String },
    #[error("{} and {} both call their rules '{rules}', but the rules differ", file.display(), first.display())]
    RulesDiffer { rules: String, file: PathBuf, first: PathBuf },
    #[error("{}: plies of game {game_id}, which the games of shard {shard} do not have", file.display())]
    StrayPlies { file: PathBuf, shard: String, game_id: u64 },
    #[error("{}: {found} plies of game {game_id}; it has {expected}", file.display())]
    GameLength { file: PathBuf, game_id: u64, found: usize, expected: u16 },
    #[error("{}: {found} plies; the games of shard {shard} have {expected}", file.display())]
    PlyCount { file: PathBuf, shard: String, found: u64, expected: u64 },
    #[error("{}: the plies of game {game_id} do not stand together", file.display())]
    ScatteredGame { file: PathBuf, game_id: u64 },
    #[error("game {game_id} is there twice, in shard {first} and in shard {second}")]
    RepeatedGame { game_id: u64, first: String, second: String },
    #[error("cannot write {}", path.display())]
    Unwritable { path: PathBuf, source: std::io::Error },
    #[error("cannot start {threads} threads")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
}
