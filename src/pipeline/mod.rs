//! The loop: self-play, train, and again with the network that came out.
//!
//! A run is a folder: `data/` is one dataset with the shards of all generations, `checkpoints/gen-NNN` the
//! network after generation `NNN`. Where a run stands is read off these files, each of which is whole or
//! absent, so a run goes on after anything that may have stopped it.

mod config;
mod speed;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use config::{FirstGeneration, LoopConfig};
pub use speed::{OneThread, Shares, Speed, SpeedError, SpeedTest};

use crate::eval::{EvalError, Evaluator};
use crate::game::{Game, Profile};
use crate::net::{Layout, NetError, NetEvaluator, Place, Precision, card_of, stands_at};
use crate::progress::Progress;
use crate::record::{Dataset, DatasetInfo, RecordError};
use crate::selfplay::{Selfplay, SelfplayError};
use crate::tables::Counters;
use crate::train::{TrainError, Trainer, Window};
use crate::units::Count;

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
    /// The user asked to stop.
    #[error("interrupted; the same command with --resume goes on")]
    Interrupted,
}

/// A run: its folder and what it is to do.
pub struct Run<'a, G: Game> {
    pub folder: &'a Path,
    pub rules: Arc<G::Profile>,
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
        let data = self.folder.join("data");
        if !resume && data.exists() {
            return Err(LoopError::Exists { folder: self.folder.into() });
        }
        fs::create_dir_all(self.folder).map_err(self.folder_error("make the folder"))?;
        let _lock = self.lock()?;
        let config = toml::to_string(self.config).expect("settings are plain values");
        let dataset = Dataset::create_or_resume(
            &data,
            DatasetInfo {
                game: G::NAME.into(),
                rules: self.rules.name().into(),
                rules_text: self.rules.to_toml(),
                config,
            },
        )?;
        let checkpoints = self.folder.join("checkpoints");
        fs::create_dir_all(&checkpoints).map_err(self.folder_error("make the checkpoints' folder in"))?;
        let finished = self.finished()?;
        self.check_newest(finished)?;
        for generation in finished..self.config.generations.size() as u32 {
            self.play(generation, &dataset, pool, progress)?;
            self.train(generation, &dataset, progress)?;
        }
        let checkpoint = self.checkpoint(self.config.generations.size() as u32);
        Ok(Results { dataset: data, checkpoint })
    }

    /// How many generations are finished.
    ///
    /// # Errors
    ///
    /// If a network is missing though a later one is there, or something else stands where one belongs.
    fn finished(&self) -> Result<u32, LoopError> {
        let all = 1..=self.config.generations.size() as u32;
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
        let steps = self.first_step(generation);
        if card.net != self.config.net {
            return foreign("its shape", format!("{:?}", card.net), format!("{:?}", self.config.net));
        }
        if card.training.steps != steps {
            return foreign("its number of steps", card.training.steps.to_string(), steps.to_string());
        }
        Ok(())
    }

    /// How many steps the network has taken when a generation's training begins.
    fn first_step(&self, generation: u32) -> u64 {
        self.config.train.steps.get() * u64::from(generation)
    }

    /// The network that a number of finished generations led to.
    fn checkpoint(&self, generations: u32) -> PathBuf {
        self.folder.join("checkpoints").join(format!("gen-{generations:03}"))
    }

    fn play(
        &self,
        generation: u32,
        dataset: &Dataset,
        pool: &rayon::ThreadPool,
        progress: &dyn Progress,
    ) -> Result<(), LoopError> {
        let checkpoint = self.checkpoint(generation);
        let first = &self.config.first;
        let (player, games) = match generation {
            0 => (first.player.name().to_owned(), first.games),
            _ => (format!("gen-{generation:03}"), self.config.games),
        };
        let judge = || -> Result<Box<dyn Evaluator<G>>, EvalError> {
            if generation == 0 {
                return Ok(first.player.evaluator());
            }
            let evaluator = NetEvaluator::load(&checkpoint, Precision::fastest_here());
            Ok(Box::new(evaluator.map_err(|source| EvalError::Unusable { source: source.into() })?))
        };
        let selfplay = Selfplay {
            rules: &self.rules,
            config: &self.config.selfplay,
            search: &self.config.search,
            player,
            prefix: format!("g{generation:03}-"),
            games: games.size() as u32,
            seed: self.config.seed,
        };
        let totals = selfplay.play(dataset, pool, &judge, &Counters::start(), progress).map_err(
            |source| match source {
                SelfplayError::Room(error) if error.is_interruption() => LoopError::Interrupted,
                source => LoopError::Selfplay { generation, source },
            },
        )?;
        progress.say(&format!("generation {generation}: {}", totals.tally));
        Ok(())
    }

    /// Trains from where the last generation's training ended, or broke off.
    fn train(&self, generation: u32, dataset: &Dataset, progress: &dyn Progress) -> Result<(), LoopError> {
        let stopped = |source: TrainError| LoopError::Train { generation, source };
        let unfinished = self.folder.join("checkpoints").join("in-training");
        let place = Place::claim(&unfinished).map_err(|error| stopped(error.into()))?;
        let (start, end) = (self.first_step(generation), self.first_step(generation + 1));
        let mut trainer = match Trainer::<G>::resume(&unfinished, self.config.train.clone()) {
            Ok(trainer) if (start..=end).contains(&trainer.card().training.steps) => trainer,
            _ => self.start_training(generation)?,
        };
        // Nothing is left if the work ended between the last step and the renaming below.
        if let Ok(left) = Count::new(end - trainer.card().training.steps) {
            trainer.set_steps(left);
            progress.stage("reading", "positions", None);
            let window = Window::load(dataset.folder(), &self.config.train).map_err(stopped)?;
            let fitted = trainer.fit(&window, &place, progress).map_err(stopped)?;
            if fitted.interrupted {
                return Err(LoopError::Interrupted);
            }
        }
        drop(place);
        let finished = self.checkpoint(generation + 1);
        fs::rename(&unfinished, &finished).map_err(self.folder_error("name the checkpoint in"))
    }

    /// A trainer at the first step of a generation.
    fn start_training(&self, generation: u32) -> Result<Trainer<G>, LoopError> {
        let config = self.config.train.clone();
        if generation == 0 {
            return Ok(Trainer::new(&self.config.net, config));
        }
        Trainer::descend(&self.checkpoint(generation), config)
            .map_err(|source| LoopError::Train { generation, source })
    }

    /// Keeps other processes out of the folder for as long as the file is open.
    fn lock(&self) -> Result<File, LoopError> {
        // Opened and not created anew: should the user keep a file of that name, it stays as it is.
        let opened = OpenOptions::new().create(true).append(true).open(self.folder.join("lock"));
        let file = opened.map_err(self.folder_error("make the lock in"))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(LoopError::Locked { folder: self.folder.into() }),
            Err(TryLockError::Error(source)) => Err(self.folder_error("lock")(source)),
        }
    }

    fn folder_error(&self, doing: &'static str) -> impl FnOnce(std::io::Error) -> LoopError {
        let path = self.folder.to_owned();
        move |source| LoopError::Folder { doing, path, source }
    }
}
