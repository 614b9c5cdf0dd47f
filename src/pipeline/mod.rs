//! The loop: self-play, train, and again with the network that came out.
//!
//! A run is a folder: `data/` is one dataset with the shards of all generations, `checkpoints/gen-NNN` the
//! network after generation `NNN`. Where a run stands is read off these files, each of which is whole or
//! absent, so a run goes on after anything that may have stopped it.

mod config;
mod contest;
mod doctor;
mod error;
mod gate;
mod keep;
mod rating;
mod speed;
mod status;
mod work;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};
use std::time::Duration;

pub use config::{FirstGeneration, GateConfig, KeepConfig, KeptShards, LoopConfig, RatingConfig};
pub use doctor::{Ailment, Examination, Finding};
pub use error::LoopError;
pub use rating::rating_of;
pub use speed::{OneThread, Shares, Speed, SpeedError, SpeedTest};
pub use status::{Elo, FalsePositives, Kept, Losses, Resignation, Stage, State, Status, StatusError};

use crate::game::Game;
use crate::metrics::{Ended, Metrics};
use crate::net::{Layout, card_at, card_of, stands_at};
use crate::progress::Progress;
use crate::record::{Dataset, DatasetInfo, OnBroken, Reader, Table};
use work::Work;

/// The file that is locked while a run is worked on.
const LOCK: &str = "lock";

const LOCK_TRIES: u32 = 10;
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

/// The folder of a run's dataset.
const DATA: &str = "data";

/// A run: its folder and what it is to do.
pub struct Run<'a, G: Game> {
    pub folder: &'a Path,
    /// At least one.
    pub rules: Vec<Arc<G::Profile>>,
    pub config: &'a LoopConfig,
}

/// Where a run's results stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Results {
    pub dataset: PathBuf,
    pub checkpoint: PathBuf,
}

impl<G: Game> Run<'_, G> {
    /// Works until the configured number of generations is done; `resume` allows a folder with a run in it.
    ///
    /// # Errors
    ///
    /// If the folder is in use or holds another run, anything in a generation fails, or the user interrupts.
    pub fn work(
        &self,
        resume: bool,
        pool: &rayon::ThreadPool,
        progress: &dyn Progress,
    ) -> Result<Results, LoopError> {
        let data = self.folder.join(DATA);
        if !resume && data.exists() {
            return Err(LoopError::Exists { folder: self.folder.into() });
        }
        fs::create_dir_all(self.folder).map_err(self.folder_error("make the folder"))?;
        let _lock = self.lock()?;
        let config = toml::to_string(self.config).expect("settings are plain values");
        let dataset =
            Dataset::create_or_resume_as::<LoopConfig>(&data, DatasetInfo::new::<G>(&self.rules, config))?;
        let checkpoints = self.folder.join("checkpoints");
        fs::create_dir_all(&checkpoints).map_err(self.folder_error("make the checkpoints' folder in"))?;
        let finished = self.finished()?;
        self.check_newest(finished)?;
        let metrics = Metrics::open(self.folder, progress)?;
        let work = Work { run: self, dataset: &dataset, pool, metrics: &metrics, warned: Once::new() };
        let worked = work.go_on_from(finished).and_then(|()| work.champion(self.generations()));
        metrics.end(match &worked {
            Ok(_) => Ended::Finished,
            Err(LoopError::Interrupted) => Ended::Interrupted,
            Err(error) => Ended::Failed(error.to_string()),
        });
        let checkpoint = self.checkpoint(worked?);
        Ok(Results { dataset: data, checkpoint })
    }

    /// How many generations are finished.
    ///
    /// # Errors
    ///
    /// If a network is missing though a later one is there, or something else stands where one belongs.
    fn finished(&self) -> Result<u32, LoopError> {
        let all = 1..=self.generations();
        let next = all.clone().find(|&generation| !stands_at(&self.checkpoint(generation)));
        let Some(next) = next else { return Ok(*all.end()) };
        let path = self.checkpoint(next);
        if path.exists() {
            return Err(LoopError::Occupied { path });
        }
        match (next..=*all.end()).find(|&generation| stands_at(&self.checkpoint(generation))) {
            Some(later) => Err(LoopError::Gap { missing: path, later }),
            None => Ok(next - 1),
        }
    }

    /// Makes sure, before anything is played with it, that the newest network is the one this run made.
    fn check_newest(&self, generation: u32) -> Result<(), LoopError> {
        if generation == 0 {
            return Ok(());
        }
        let path = self.checkpoint(generation);
        let card =
            card_of(&path, &Layout::of::<G>()).map_err(|source| LoopError::Network { generation, source })?;
        let foreign = |what, found, expected| Err(LoopError::Foreign { path, what, found, expected });
        let steps = self.steps_of(generation - 1)?.end;
        if card.net != self.config.net {
            return foreign("its shape", format!("{:?}", card.net), format!("{:?}", self.config.net));
        }
        if card.training.steps != steps {
            return foreign("its number of steps", card.training.steps.to_string(), steps.to_string());
        }
        Ok(())
    }

    /// As many as are asked for.
    fn generations(&self) -> u32 {
        self.config.generations.size() as u32
    }

    /// The steps that a generation's training takes, all of whose games are there: from the number on the card of the
    /// network before on.
    fn steps_of(&self, generation: u32) -> Result<Range<u64>, LoopError> {
        let start = match generation {
            0 => 0,
            finished => {
                let card = card_at(&self.checkpoint(finished));
                card.map_err(|source| LoopError::Network { generation, source })?.training.steps
            }
        };
        let train = &self.config.train;
        // What a generation holds is not counted where it does not matter.
        let new = if train.reuse.is_some() { self.positions_of(generation)? } else { 0 };
        Ok(start..start + train.steps_for(new).get())
    }

    /// Positions that a generation's games have.
    fn positions_of(&self, generation: u32) -> Result<u64, LoopError> {
        let reader = Reader::open(&self.folder.join(DATA), OnBroken::Fail)?;
        let prefix = work::prefix(generation);
        let its = reader.shards().iter().filter(|shard| shard.name().starts_with(&prefix));
        Ok(its.map(|shard| shard.file(Table::Plies).rows()).sum())
    }

    /// The network that a number of finished generations led to.
    fn checkpoint(&self, generations: u32) -> PathBuf {
        self.folder.join("checkpoints").join(format!("gen-{generations:03}"))
    }

    /// Keeps other processes out of the folder for as long as the file is open.
    fn lock(&self) -> Result<File, LoopError> {
        // Opened and not created anew: should the user keep a file of that name, it stays as it is.
        let opened = OpenOptions::new().create(true).append(true).open(self.folder.join(LOCK));
        let file = opened.map_err(self.folder_error("make the lock in"))?;
        let mut tries = 0;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                // Who only looks whether anybody is at work holds the lock for a moment.
                Err(TryLockError::WouldBlock) if tries < LOCK_TRIES => tries += 1,
                Err(TryLockError::WouldBlock) => {
                    return Err(LoopError::Locked { folder: self.folder.into() });
                }
                Err(TryLockError::Error(source)) => return Err(self.folder_error("lock")(source)),
            }
            std::thread::sleep(BETWEEN_TRIES);
        }
    }

    fn folder_error(&self, doing: &'static str) -> impl FnOnce(std::io::Error) -> LoopError {
        let path = self.folder.to_owned();
        move |source| LoopError::Folder { doing, path, source }
    }
}
