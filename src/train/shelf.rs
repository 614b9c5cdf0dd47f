//! Checkpoints that are kept besides the newest: the last few, and the best.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::LossWeights;
use crate::net::{Card, Checkpoint, NetError, Place, card_at, stands_at};

/// Which checkpoints of a training are kept besides the newest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Keep {
    /// So many of the last, each under its number of steps; 0 for none.
    pub last: u32,
    /// The one that was measured best on games held out, as the weighted sum of its losses.
    pub best: bool,
}

impl Default for Keep {
    fn default() -> Self {
        Self { last: 3, best: true }
    }
}

/// A folder of checkpoints beside the one that training writes: `NAME.kept` has `best` and, say, `step-0000000600`. Each is
/// whole or absent at every moment.
#[derive(Debug, Clone)]
pub struct Shelf {
    folder: PathBuf,
    keep: Keep,
}

const BEST: &str = "best";
const OF_STEP: &str = "step-";

impl Shelf {
    /// The shelf of the checkpoint at `path`.
    pub fn of(path: &Path, keep: Keep) -> Self {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".kept");
        Self { folder: path.with_file_name(name), keep }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is kept: the best first, then the others by their steps.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn kept(&self) -> Result<Vec<PathBuf>, NetError> {
        let best = self.folder.join(BEST);
        let best = stands_at(&best).then_some(best);
        Ok(best.into_iter().chain(self.by_steps()?).collect())
    }

    /// Keeps a checkpoint as one of the last, and no more of those than are asked for.
    pub(super) fn put(&self, checkpoint: &Checkpoint) -> Result<(), NetError> {
        Place::tidy(&self.folder)?;
        let most = self.keep.last as usize;
        if most > 0 {
            // So that names are in the order of steps.
            let name = format!("{OF_STEP}{:010}", checkpoint.card.training.steps);
            checkpoint.save(&Place::claim(&self.folder.join(name))?)?;
        }
        let by_steps = self.by_steps()?;
        let too_many = by_steps.len().saturating_sub(most);
        by_steps[..too_many].iter().try_for_each(|path| Place::claim(path)?.vacate())
    }

    /// Keeps a checkpoint as the best, where that is asked for and none was measured as good.
    pub(super) fn put_best(&self, checkpoint: &Checkpoint, weights: &LossWeights) -> Result<(), NetError> {
        let loss = |card: &Card| card.training.validation.map(|figures| weights.sum(figures));
        let Some(found) = loss(&checkpoint.card).filter(|_| self.keep.best) else { return Ok(()) };
        let place = Place::claim(&self.folder.join(BEST))?;
        let so_far = if stands_at(place.path()) { loss(&card_at(place.path())?) } else { None };
        if so_far.is_none_or(|so_far| found < so_far) {
            checkpoint.save(&place)?;
        }
        Ok(())
    }

    /// The last checkpoints that are there, by their steps.
    fn by_steps(&self) -> Result<Vec<PathBuf>, NetError> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(NetError::unreadable(&self.folder))?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry.map_err(NetError::unreadable(&self.folder))?;
            if entry.file_name().to_string_lossy().starts_with(OF_STEP) {
                found.push(entry.path());
            }
        }
        found.sort_unstable();
        Ok(found)
    }
}
