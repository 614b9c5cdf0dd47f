//! Training: from the rows of a dataset to a checkpoint.
//!
//! A [`Window`] knows where the rows are, a [`Batch`] is some of them as tensors, and a [`Trainer`] takes
//! optimiser steps on one batch after the other. Which rows a step sees follows from the step at which
//! learning from the window began, and the learning rate from the step's number alone, so training that is
//! broken off goes on as if it had not been.

mod average;
mod batch;
mod belief;
mod config;
mod error;
mod extent;
mod journal;
mod loss;
mod optim;
mod order;
mod pace;
mod prefetch;
mod rows;
mod schedule;
mod shelf;
mod state;
mod twins;
mod window;

use std::marker::PhantomData;
use std::path::Path;
use std::time::Instant;

pub use batch::Batch;
pub use belief::{BeliefGain, Secrets};
pub use config::{MOST_STEPS, PrecisionChoice, TrainConfig};
pub use error::TrainError;
pub use extent::Extent;
pub use loss::{LossWeights, Losses, Shares};
pub use optim::{Method, Optimizer};
pub use rows::{Example, Rows, Secret};
pub use schedule::Schedule;
pub use shelf::{Keep, Shelf};
pub use window::Window;

use crate::game::Game;
use crate::net::{
    Card, Checkpoint, Layout, LossFigures, NetConfig, Network, Output, Place, Precision, set_threads,
    write_tensors,
};
use crate::progress::Progress;
use crate::units::Count;
use journal::{Journal, Mean};
use pace::Pace;
use state::Cursor;
use twins::{Manner, Twins};

/// Steps between two lines of the losses' table.
const LINE_EVERY: u64 = 20;

/// A network in training.
pub struct Trainer<G: Game> {
    config: TrainConfig,
    /// What the network's tower computes in while it is trained.
    precision: Precision,
    /// The network that steps are taken on.
    network: Network,
    twins: Twins,
    /// The network that plays, with its card, as of the last step; the rest is brought in when saving.
    checkpoint: Checkpoint,
    optimizer: Optimizer,
    journal: Journal,
    cursor: Cursor,
    /// Where checkpoints are kept besides the newest.
    shelf: Option<Shelf>,
    game: PhantomData<fn() -> G>,
}

/// How a training run ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fitted {
    /// Steps taken in this run.
    pub steps: u64,
    /// Means over the last few steps.
    pub loss: LossFigures,
    /// On games kept out of training, if there are any.
    pub validation: Option<LossFigures>,
    /// What play tells of pieces taken unseen, on games kept out of training.
    pub belief: Option<BeliefGain>,
    /// Stopped early because the user asked to.
    pub interrupted: bool,
}

impl<G: Game> Trainer<G> {
    /// A trainer of a new network.
    pub fn new(net: &NetConfig, config: TrainConfig) -> Self {
        let [network, mean] = [(); 2].map(|()| Network::new(net, &Layout::of::<G>(), config.seed));
        let mut card = Card::new(&network, config.seed);
        let precision = config.precision.resolved(None, config.device);
        card.training.precision = Some(precision);
        let checkpoint = Checkpoint { card, network: mean, training: Vec::new(), losses: String::new() };
        Self::at_the_start(network, checkpoint, precision, config)
    }

    /// A trainer that goes on with training that was broken off, as if it had not been.
    ///
    /// # Errors
    ///
    /// If the checkpoint cannot be read or was made for another game.
    pub fn resume(path: &Path, config: TrainConfig) -> Result<Self, TrainError> {
        let layout = Layout::of::<G>();
        let checkpoint = Checkpoint::load(path, &layout)?;
        let network = Network::new(&checkpoint.card.net, &layout, config.seed);
        state::restore_weights(&network, &checkpoint.training)?;
        let so_far = checkpoint.card.training.precision.unwrap_or(Precision::Float32);
        let precision = config.precision.resolved(Some(so_far), config.device);
        let mut trainer = Self::at_the_start(network, checkpoint, precision, config);

        let Self { checkpoint, optimizer, journal, cursor, .. } = &mut trainer;
        let taken = checkpoint.card.training.steps;
        optimizer.restore(&checkpoint.training, taken)?;
        *cursor = Cursor::find(&checkpoint.training)?;
        if journal.reaches() != Some(taken) {
            return Err(TrainError::Losses {
                path: path.into(),
                found: journal.reaches().map_or("no table".into(), |step| format!("it ends at step {step}")),
                expected: format!("step {taken}"),
            });
        }
        Ok(trainer)
    }

    /// A trainer of `network`, whose optimiser has seen nothing yet.
    fn at_the_start(
        mut network: Network,
        mut checkpoint: Checkpoint,
        precision: Precision,
        config: TrainConfig,
    ) -> Self {
        network.move_to(config.device);
        checkpoint.network.move_to(config.device);
        Self {
            twins: Twins::of(&network, config.parts.size()),
            optimizer: Optimizer::new(config.optimizer, network.parameters(), config.weight_decay.get()),
            journal: Journal::continuing(checkpoint.losses.clone(), &checkpoint.training),
            cursor: Cursor::default(),
            shelf: None,
            game: PhantomData,
            config,
            precision,
            network,
            checkpoint,
        }
    }

    /// A trainer of a network that begins as the one at `path`, which its card will name as its parent.
    ///
    /// # Errors
    ///
    /// As for [`Trainer::resume`].
    pub fn descend(path: &Path, config: TrainConfig) -> Result<Self, TrainError> {
        let mut trainer = Self::resume(path, config)?;
        trainer.checkpoint.card.training.parent =
            path.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(trainer)
    }

    /// What the network is and what it has learned from.
    pub fn card(&self) -> &Card {
        &self.checkpoint.card
    }

    /// The network that steps are taken on; the one that plays is a mean over the last of them.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Changes how many steps the next [`Trainer::fit`] takes, for training that was broken off.
    pub fn set_steps(&mut self, steps: Count<MOST_STEPS>) {
        self.config.steps = steps;
    }

    /// Keeps checkpoints on a shelf from here on, besides the newest.
    pub fn keep_on(&mut self, shelf: Shelf) {
        self.shelf = Some(shelf);
    }

    /// Writes the network as it stands to its place, whole or not at all.
    ///
    /// # Errors
    ///
    /// If a weight is not a finite number, or as for [`Checkpoint::save`].
    pub fn save(&mut self, place: &Place) -> Result<(), TrainError> {
        self.complete_checkpoint()?;
        Ok(self.checkpoint.save(place)?)
    }

    /// Keeps the network as it stands, if it was measured better than all before and the best is kept.
    fn shelve_if_best(&mut self) -> Result<(), TrainError> {
        let Some(shelf) = self.shelf.clone() else { return Ok(()) };
        self.complete_checkpoint()?;
        Ok(shelf.put_best(&self.checkpoint, &self.config.weights)?)
    }

    /// Brings the checkpoint up to the last step.
    fn complete_checkpoint(&mut self) -> Result<(), TrainError> {
        if ![&self.network, &self.checkpoint.network].into_iter().all(Network::is_finite) {
            return Err(TrainError::WeightNotFinite { step: self.checkpoint.card.training.steps });
        }
        self.checkpoint.training = self.optimizer.state();
        self.checkpoint.training.extend(state::weights(&self.network));
        self.checkpoint.training.extend([self.journal.open_line(), self.cursor.state()]);
        self.checkpoint.losses = self.journal.text().into();
        Ok(())
    }

    /// Takes the configured number of steps on the rows of `window` and writes checkpoints to `out`: now and
    /// then, at the end, and when interrupted. The parts of a step are computed on the threads of the rayon pool it
    /// is called in.
    ///
    /// # Errors
    ///
    /// If the window is empty or does not fit its rules, a loss is not finite, or the disk refuses.
    pub fn fit(
        &mut self,
        window: &Window<G>,
        out: &Place,
        progress: &dyn Progress,
    ) -> Result<Fitted, TrainError> {
        let order = window.order(&self.config)?;
        set_threads(1);
        let training = &mut self.checkpoint.card.training;
        let so_far = training.precision.replace(self.precision).unwrap_or(Precision::Float32);
        if so_far != self.precision {
            let (so_far, now) = (so_far.name(), self.precision.name());
            progress.say(&format!("trained in {so_far} so far, from here on in {now}"));
        }
        training.rules = Some(window.rule_names().join(", "));
        training.games = window.games() as u64;
        training.rows = window.positions();

        let config = self.config.clone();
        let start = training.steps;
        let end = start + config.steps.get();
        self.cursor.move_to(window.fingerprint(&config), start);
        let place = (start - self.cursor.began) * config.batch.get();
        progress.stage("training", "steps", Some(config.steps.get()));
        let started = Instant::now();
        let mut pace = Pace::default();
        std::thread::scope(|scope| {
            let batches = prefetch::batches(scope, window, &config, order, place, start..end);
            loop {
                let batch = pace.waiting(|| batches.recv()).expect("every step has a batch or an error");
                let batch = batch.map_err(|error| window.located(error))?;
                pace.stepping(|| self.step(&batch, out))?;
                let step = self.checkpoint.card.training.steps;
                let interrupted = progress.interrupted() && step < end;
                self.take_stock(window, step == end, &mut pace, progress)?;
                let shown = (step - start) as f64 * config.batch.get() as f64;
                let speed = shown / started.elapsed().as_secs_f64();
                let loss = describe(self.checkpoint.card.training.loss);
                progress.update(step - start, &format!("{loss}, {speed:.0} positions/s"));
                let ends = step == end || interrupted;
                if ends || step.is_multiple_of(config.save_every.get()) {
                    self.save(out)?;
                    if let Some(shelf) = &self.shelf {
                        shelf.put(&self.checkpoint)?;
                    }
                }
                if ends {
                    let belief = self.belief_gain(window)?;
                    let training = &self.checkpoint.card.training;
                    return Ok(Fitted {
                        steps: step - start,
                        loss: training.loss.unwrap_or_default(),
                        validation: training.validation,
                        belief,
                        interrupted,
                    });
                }
            }
        })
    }

    /// After a step, writes a line of the losses' table and measures on games held out, where it is time.
    fn take_stock(
        &mut self,
        window: &Window<G>,
        is_last: bool,
        pace: &mut Pace,
        progress: &dyn Progress,
    ) -> Result<(), TrainError> {
        let step = self.checkpoint.card.training.steps;
        if is_last || step.is_multiple_of(self.config.validate_every.get()) {
            let validation = self.validate(window)?;
            self.checkpoint.card.training.validation = validation;
            self.close_line(validation, pace, progress);
            let loss = describe(self.checkpoint.card.training.loss);
            progress.say(&format!("step {step}: {loss}; held-out games: {}", describe(validation)));
            self.shelve_if_best()?;
        } else if step.is_multiple_of(LINE_EVERY) {
            self.close_line(None, pace, progress);
        }
        Ok(())
    }

    /// One optimiser step on one batch; a batch that cannot be learned from is kept beside `out`.
    fn step(&mut self, batch: &Batch, out: &Place) -> Result<(), TrainError> {
        let step = self.checkpoint.card.training.steps;
        let manner = Manner {
            weights: &self.config.weights,
            precision: self.precision,
            device: self.config.device,
            threads: self.config.threads.map_or(usize::MAX, Count::size),
        };
        let lesson = self.twins.learn(&self.network, batch, manner);
        let norm = lesson.gradient_norm();
        if !lesson.is_finite() {
            return Err(stopped_at(step, "loss", batch, out));
        }
        if !norm.is_finite() {
            return Err(stopped_at(step, "gradient", batch, out));
        }
        let scale = (self.config.gradient_clip.get() / norm).min(1.0);
        self.optimizer.step(&lesson.gradients, self.config.schedule.rate(step), scale);
        self.journal.note(&lesson.parts, norm);
        // What was rated is another network from here on.
        self.checkpoint.card.rating = None;
        let training = &mut self.checkpoint.card.training;
        training.steps += 1;
        training.samples += batch.rows();
        average::follow(&self.checkpoint.network, &self.network, step + 1, self.config.average_over.get());
        Ok(())
    }

    /// The mean losses on a sample of the rows held out, in the form that plays.
    fn validate(&self, window: &Window<G>) -> Result<Option<LossFigures>, TrainError> {
        let mut mean = Mean::default();
        self.judge_held_out(window, |batch, output| mean.add(Losses::of(output, batch).figures(), batch))?;
        Ok((!window.validation().is_empty()).then(|| mean.figures()))
    }

    /// How much the network sees, in the play of games held out, of what was taken unseen; none if it has no
    /// belief or nothing was.
    fn belief_gain(&self, window: &Window<G>) -> Result<Option<BeliefGain>, TrainError> {
        let mut gains = Vec::new();
        self.judge_held_out(window, |batch, output| {
            let Some((scores, secrets)) = output.belief.as_ref().zip(batch.secrets.as_ref()) else { return };
            let surprises = secrets.surprise_over_pool(scores);
            let games = batch.games.index_select(0, &secrets.rows);
            let each = 0..secrets.rows.size()[0];
            gains.extend(each.map(|row| (games.int64_value(&[row]) as u64, -surprises.double_value(&[row]))));
        })?;
        Ok(BeliefGain::of(gains))
    }

    /// Shows the network that plays a sample of the rows held out.
    fn judge_held_out(
        &self,
        window: &Window<G>,
        mut see: impl FnMut(&Batch, &Output),
    ) -> Result<(), TrainError> {
        let sample: Vec<_> = window.validation().examples().map(|example| (example, None)).collect();
        for chunk in sample.chunks(self.config.batch.size()) {
            let batch = Batch::encode::<G>(chunk, window.rules(), self.config.search_value)
                .map_err(|error| window.located(error))?
                .on(self.config.device);
            see(&batch, &tch::no_grad(|| self.checkpoint.network.forward(&batch.planes, false)));
        }
        Ok(())
    }

    /// Ends a line of the losses' table, tells of it, and brings its means into the card.
    fn close_line(&mut self, validation: Option<LossFigures>, pace: &mut Pace, progress: &dyn Progress) {
        let training = &mut self.checkpoint.card.training;
        let rate = self.config.schedule.rate(training.steps - 1);
        let norm = self.journal.gradient_norm();
        let loss = self.journal.close_line(training.steps, rate, validation);
        training.loss = Some(loss);
        let waiting = std::mem::take(pace).waiting_share();
        let rates = [("learning_rate", rate), ("gradient_norm", norm), ("share_waiting", waiting)];
        progress.measured("training", training.steps, &[&rates[..], &named(loss)].concat());
        if let Some(validation) = validation {
            progress.measured("validation", training.steps, &named(validation));
        }
    }
}

/// Writes the batch of a step that gave no number to a file beside the checkpoint, and says so.
fn stopped_at(step: u64, what: &'static str, batch: &Batch, out: &Place) -> TrainError {
    let mut name = out.path().file_name().unwrap_or_default().to_owned();
    name.push(format!(".step-{step}.safetensors"));
    let path = out.path().with_file_name(name);
    match write_tensors(&batch.tensors(), &path) {
        Ok(()) => TrainError::NotFinite { step, what, batch: path },
        Err(error) => error.into(),
    }
}

fn named(figures: LossFigures) -> Vec<(&'static str, f64)> {
    let told = LossFigures::NAMES.into_iter().zip(figures.parts());
    told.filter_map(|(name, figure)| Some((name, figure?))).collect()
}

fn describe(figures: Option<LossFigures>) -> String {
    let Some(figures) = figures else { return "none yet".into() };
    let in_words = |name: &str| name.trim_end_matches("_loss").replace('_', " ");
    let words = named(figures).into_iter().map(|(name, figure)| format!("{} {figure:.3}", in_words(name)));
    words.collect::<Vec<_>>().join(" ")
}
