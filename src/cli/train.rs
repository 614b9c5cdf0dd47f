//! `facedown train`: fit the network to a dataset.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};

use super::dataset::unusable as unusable_dataset;
use super::{Common, Failure, TerminalProgress, print_line};
use crate::game::{Game, Profile};
use crate::metrics::{Ended, Metrics};
use crate::net::{NetConfig, NetError, Place, stands_at};
use crate::progress::Progress;
use crate::rules::{Task, dispatch};
use crate::train::{Fitted, Keep, MOST_STEPS, Shelf, TrainConfig, TrainError, Trainer, Window};
use crate::units::Count;

/// Fit the network to a dataset
#[derive(Debug, Args)]
pub struct Train {
    /// The dataset to learn from
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Where the checkpoint goes: a folder that is not there yet, or the one of --from
    #[arg(long, value_name = "CKPT")]
    out: PathBuf,
    /// The checkpoint to go on from, with its optimiser's state
    #[arg(long, value_name = "CKPT")]
    from: Option<PathBuf>,
    /// Optimiser steps, whatever train.steps and train.reuse are
    #[arg(long, value_name = "N")]
    steps: Option<Count<MOST_STEPS>>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    /// The shape of a new network; a checkpoint has one already.
    #[serde(skip_serializing_if = "Option::is_none")]
    net: Option<NetConfig>,
    train: TrainConfig,
    /// Which checkpoints are kept besides the newest.
    keep: Keep,
}

/// The command line asked for something that cannot be.
#[derive(Debug, thiserror::Error)]
enum TrainUsage {
    #[error("--out {0} exists; name a folder that is not there yet, or go on from it with --from {0}")]
    OutExists(String),
    #[error("{0} holds checkpoints of another training; move it away")]
    ShelfExists(String),
    #[error("the settings give a network's shape, and {0} has another one; leave [net] out to go on from it")]
    OtherShape(String),
    #[error("--rules {given}: {data} was played under '{found}'")]
    OtherRules { given: String, data: String, found: String },
}

/// The user asked to stop; the checkpoint is written all the same.
#[derive(Debug, thiserror::Error)]
#[error("interrupted after {steps} steps; --from {out} goes on from there")]
struct Interrupted {
    steps: u64,
    out: String,
}

impl Train {
    /// Whether the checkpoint to go on from is the one to write, however the two are spelled.
    fn goes_on_in_place(&self) -> bool {
        self.from.as_deref().is_some_and(|from| spelled_out(from) == spelled_out(&self.out))
    }

    /// # Errors
    ///
    /// If the settings are wrong, or the dataset or a checkpoint cannot be used.
    pub fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut settings: Settings = common.settings()?;
        if let Some(steps) = self.steps {
            (settings.train.steps, settings.train.reuse) = (steps, None);
        }
        settings.train.seed = common.seed.unwrap_or(settings.train.seed);
        settings.train.device = common.device();
        // A checkpoint may stand there though the folder does not: one set aside when the work was cut off.
        if (self.out.exists() || stands_at(&self.out)) && !self.goes_on_in_place() {
            return Err(Failure::usage(TrainUsage::OutExists(self.out.display().to_string())));
        }
        let shelf = Shelf::of(&self.out, settings.keep);
        if shelf.folder().exists() && !self.goes_on_in_place() {
            return Err(Failure::usage(TrainUsage::ShelfExists(shelf.folder().display().to_string())));
        }
        dispatch(common.game(), Run { command: self, common, settings })
    }
}

/// A dataset that is none, or of another game than was asked for, is a slip of whoever typed it.
fn unreadable(error: TrainError) -> Failure {
    match error {
        TrainError::OtherGame { .. } => Failure::usage(error),
        TrainError::Record(error) => unusable_dataset(error),
        error => Failure::failed(error),
    }
}

/// The path from the root on, with links followed where it is there to follow.
fn spelled_out(path: &Path) -> PathBuf {
    let tidied = || std::path::absolute(path).map(|path| path.components().collect());
    fs::canonicalize(path).or_else(|_| tidied()).unwrap_or_else(|_| path.into())
}

/// Where the course of a training is kept: beside its checkpoint, which is written anew now and then.
fn metrics_folder(place: &Place) -> PathBuf {
    let mut name = place.path().file_name().unwrap_or_default().to_owned();
    name.push(".metrics");
    place.path().with_file_name(name)
}

/// A path given for a checkpoint cannot be used as one, or the disk refuses.
fn unusable(error: NetError) -> Failure {
    match error {
        NetError::Unwritable { .. } => Failure::failed(error),
        error => Failure::usage(error),
    }
}

struct Run<'a> {
    command: &'a Train,
    common: &'a Common,
    settings: Settings,
}

impl Task for Run<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Self::Out {
        let Train { out, .. } = self.command;
        let progress = TerminalProgress::new(self.common.quiet);
        let place = Place::claim(out).map_err(unusable)?;
        let mut trainer = self.trainer::<G>()?;
        trainer.keep_on(Shelf::of(place.path(), self.settings.keep));
        let card = trainer.card();
        progress.say(&format!("network: {}, {} steps so far", card.size(), card.training.steps));
        let fitted = self.fit(&mut trainer, &place, &progress)?;
        if let Some(belief) = fitted.belief {
            progress.say(&format!("belief: {belief}"));
        }
        drop(progress);
        if fitted.interrupted {
            return Err(Failure::failed(Interrupted { steps: fitted.steps, out: out.display().to_string() }));
        }
        print_line(out.display())?;
        Ok(())
    }
}

impl Run<'_> {
    fn fit<G: Game>(
        &self,
        trainer: &mut Trainer<G>,
        place: &Place,
        progress: &dyn Progress,
    ) -> Result<Fitted, Failure> {
        progress.stage("reading", "positions", None);
        let window = Window::<G>::load(&self.command.data, &self.settings.train).map_err(unreadable)?;
        self.check_rules(&window)?;
        let steps = self.settings.train.steps_for(window.positions());
        trainer.set_steps(steps);
        progress.say(&format!(
            "data: {} games, {} positions to learn from, {} held out; each is shown {:.2} times",
            window.games(),
            window.positions(),
            window.held_out(),
            steps.get() as f64 * self.settings.train.batch.get() as f64 / window.positions().max(1) as f64,
        ));
        let metrics = Metrics::open(&metrics_folder(place), progress)?;
        let pool = self.common.pool()?;
        let fitted = pool.install(|| trainer.fit(&window, place, &metrics));
        metrics.end(match &fitted {
            Ok(Fitted { interrupted: false, .. }) => Ended::Finished,
            Ok(_) => Ended::Interrupted,
            Err(error) => Ended::Failed(error.to_string()),
        });
        Ok(fitted?)
    }

    fn trainer<G: Game>(&self) -> Result<Trainer<G>, Failure> {
        let Settings { net, train, .. } = &self.settings;
        let Some(from) = &self.command.from else {
            return Ok(Trainer::new(&net.clone().unwrap_or_default(), train.clone()));
        };
        let trainer = match self.command.goes_on_in_place() {
            true => Trainer::resume(from, train.clone()),
            false => Trainer::descend(from, train.clone()),
        };
        let trainer = trainer.map_err(Failure::usage)?;
        if net.as_ref().is_some_and(|net| *net != trainer.card().net) {
            return Err(Failure::usage(TrainUsage::OtherShape(from.display().to_string())));
        }
        Ok(trainer)
    }

    /// The dataset says itself under which rules it was played; a name given must be theirs.
    fn check_rules<G: Game>(&self, window: &Window<G>) -> Result<(), Failure> {
        let Some(given) = &self.common.rules else { return Ok(()) };
        let rules = G::Profile::load(given).map_err(Failure::usage)?;
        if window.rules().iter().all(|found| found.fingerprint() == rules.fingerprint()) {
            return Ok(());
        }
        Err(Failure::usage(TrainUsage::OtherRules {
            given: given.clone(),
            data: self.command.data.display().to_string(),
            found: window.rule_names().join(", "),
        }))
    }
}
