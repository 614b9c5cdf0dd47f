//! What can go wrong between records and files.

use std::path::PathBuf;

use arrow::error::ArrowError;
use parquet::errors::ParquetError;

/// Why records could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("cannot {doing} {}", path.display())]
    Io {
        /// `read`, `write`, `list`: what was tried.
        doing: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{}: not a readable Parquet file", file.display())]
    Unreadable { file: PathBuf, source: ParquetError },
    #[error("{}: rows that cannot be decoded", file.display())]
    Undecodable { file: PathBuf, source: ArrowError },
    #[error("{}: cannot encode the rows", file.display())]
    Unwritable { file: PathBuf, source: ParquetError },
    #[error("{}: not a dataset; expected a folder with games/ and plies/ in it, or one of their files", path.display())]
    NotADataset { path: PathBuf },
    #[error("{}: a dataset without one finished shard", folder.display())]
    Empty { folder: PathBuf },
    #[error("{}: Parquet, but not written by facedown: its metadata has no '{key}'", file.display())]
    MissingKey { file: PathBuf, key: &'static str },
    #[error("{}: schema version {found}; this build reads version {expected}", file.display())]
    SchemaVersion { file: PathBuf, found: String, expected: u32 },
    #[error("{}: holds the table '{found}' where '{expected}' is expected", file.display())]
    OtherTable { file: PathBuf, found: String, expected: &'static str },
    #[error("{}: games of {found}, but {} holds {expected}; a dataset has one game", file.display(), first.display())]
    MixedGames { file: PathBuf, found: String, first: PathBuf, expected: String },
    #[error("{}: {} is missing; a shard is a file in games/ and one in plies/", file.display(), missing.display())]
    HalfShard { file: PathBuf, missing: PathBuf },
    #[error("{}: holds the plies of shard '{found}', beside the games of shard '{expected}'", file.display())]
    SwappedShard { file: PathBuf, found: String, expected: String },
    #[error("{}: a shard of another run than the folder's; move it away, with its other file", file.display())]
    OtherRunsShard { file: PathBuf },
    #[error("{}: fewer plies of game {game_id} than games/ says; found {found}", file.display())]
    MissingPlies { file: PathBuf, game_id: u64, found: String },
    #[error("{}: no column '{column}'", file.display())]
    MissingColumn { file: PathBuf, column: String },
    #[error("{}: column '{column}' is {found}; expected {expected}", file.display())]
    WrongType { file: PathBuf, column: String, found: String, expected: String },
    #[error("{}: column '{column}' has {nulls} empty values; expected none", file.display())]
    UnexpectedNull { file: PathBuf, column: String, nulls: usize },
    #[error("{}: column '{column}', row {row}: {found}; expected {expected}", file.display())]
    BadValue { file: PathBuf, column: String, row: u64, found: String, expected: String },
    #[error("{}: holds another run: {place} says '{found}', this run has '{expected}'", folder.display())]
    OtherRun { folder: PathBuf, place: String, found: String, expected: String },
    #[error("{}: holds shards, but no {missing} to tell of which run", folder.display())]
    UnknownRun { folder: PathBuf, missing: &'static str },
}

impl RecordError {
    /// Whether it is one file's fault, so that the others can still be read.
    pub fn is_broken_file(&self) -> bool {
        matches!(
            self,
            Self::Unreadable { .. }
                | Self::Undecodable { .. }
                | Self::HalfShard { .. }
                | Self::SwappedShard { .. }
                | Self::MissingPlies { .. }
                | Self::MissingColumn { .. }
                | Self::WrongType { .. }
                | Self::UnexpectedNull { .. }
                | Self::BadValue { .. }
        )
    }
}
