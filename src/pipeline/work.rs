//! A run being worked on: what is done in each generation.

use std::fs;
use std::ops::Range;
use std::sync::Once;
use std::time::Instant;

use super::contest::{self, Contestant};
use super::{LoopError, Run};
use crate::eval::{EvalError, Evaluator};
use crate::game::Game;
use crate::metrics::{self, Metrics};
use crate::net::{NetEvaluator, Place};
use crate::progress::Progress;
use crate::record::Dataset;
use crate::selfplay::{Selfplay, SelfplayError, Totals};
use crate::tables::{Counters, Spent};
use crate::train::{BeliefGain, TrainError, Trainer, Window};
use crate::units::Count;

/// A run with all that working on it takes.
pub struct Work<'a, G: Game> {
    pub run: &'a Run<'a, G>,
    pub dataset: &'a Dataset,
    pub pool: &'a rayon::ThreadPool,
    pub metrics: &'a Metrics<'a>,
    /// Of what was found out about its networks: the same holds of all.
    pub warned: Once,
}

impl<G: Game> Work<'_, G> {
    /// Goes from so many finished generations to as many as are asked for.
    pub fn go_on_from(&self, finished: u32) -> Result<(), LoopError> {
        let config = self.run.config;
        self.metrics.measured(
            "run",
            finished.into(),
            &[
                ("generations", config.generations.get() as f64),
                ("threads", self.pool.current_num_threads() as f64),
                ("slots", config.selfplay.slots.get() as f64),
                ("train_batch", config.train.batch.get() as f64),
            ],
        );
        contest::clear_leftovers(self.run.folder)?;
        self.finish_clearing()?;
        // What a generation that is finished lacks of its matches, because they were cut off or are new.
        for generation in 1..=finished {
            self.metrics.begin_generation(generation - 1);
            self.pass_gate(generation)?;
            self.rate(generation)?;
        }
        self.note_ratings(finished)?;
        for generation in finished..self.run.generations() {
            self.metrics.begin_generation(generation);
            let next = generation + 1;
            let seconds = [
                ("selfplay_seconds", self.timed(|| self.play(generation))?),
                ("training_seconds", self.timed(|| self.train(generation))?),
                ("gate_seconds", self.timed(|| self.pass_gate(next))?),
                ("rating_seconds", self.timed(|| self.rate(next))?),
            ];
            self.metrics.measured("generation", generation.into(), &seconds);
            self.note_ratings(next)?;
            self.clear(next)?;
        }
        Ok(())
    }

    /// How many seconds a stage took; what memory it no longer needs goes back.
    fn timed(&self, act: impl FnOnce() -> Result<(), LoopError>) -> Result<f64, LoopError> {
        let start = Instant::now();
        act()?;
        metrics::give_back_freed();
        Ok(start.elapsed().as_secs_f64())
    }

    /// What the network after a number of generations judges with.
    pub fn network(&self, generations: u32) -> Result<Box<dyn Evaluator<G>>, EvalError> {
        let device = self.run.config.train.device;
        let loaded = NetEvaluator::load_checked(&self.run.checkpoint(generations), device);
        let (evaluator, findings) = loaded.map_err(|source| EvalError::Unusable { source: source.into() })?;
        if let Some(warning) = findings.warning(device) {
            self.warned.call_once(|| self.metrics.say(&format!("warning: {warning}")));
        }
        Ok(Box::new(evaluator))
    }

    fn play(&self, generation: u32) -> Result<(), LoopError> {
        let config = self.run.config;
        let (player, games) = match self.champion(generation)? {
            0 => (Contestant::Plain(config.first.player), config.first.games),
            champion => (Contestant::Network(champion), config.games),
        };
        let judge = || self.evaluator(player);
        let selfplay = Selfplay {
            rules: &self.run.rules,
            config: &config.selfplay,
            search: &config.search,
            player: player.name(),
            prefix: prefix(generation),
            games: games.size() as u32,
            seed: config.seed,
        };
        let played = selfplay.play(self.dataset, self.pool, &judge, &Counters::start(), self.metrics);
        let totals = played.map_err(|source| match source {
            SelfplayError::Room(error) if error.is_interruption() => LoopError::Interrupted,
            source => LoopError::Selfplay { generation, source },
        })?;
        self.metrics.say(&format!("generation {generation}: {}", totals.tally));
        self.tell_selfplay(generation, &totals);
        Ok(())
    }

    fn tell_selfplay(&self, generation: u32, totals: &Totals) {
        let tally = &totals.tally;
        let Spent { searching, encoding, judging, writing, waiting } = tally.spent;
        let whole = (searching + encoding + judging + writing + waiting).max(1e-9);
        let mut figures = vec![
            ("games", tally.games as f64),
            ("plies", tally.plies as f64),
            ("positions", tally.positions as f64),
            ("seconds", tally.seconds),
            ("positions_per_second", tally.positions_per_second()),
            ("mean_batch", tally.mean_batch()),
            ("batch_fill", tally.mean_batch() / self.run.config.selfplay.slots.get() as f64),
            ("share_search", searching / whole),
            ("share_planes", encoding / whole),
            ("share_net", judging / whole),
            ("share_writing", writing / whole),
            ("share_waiting", waiting / whole),
            ("shards_kept", totals.shards_kept.into()),
            ("shards_played", totals.shards_played.into()),
        ];
        if let Some(resign) = &self.run.config.selfplay.resign {
            figures.extend([
                ("resigned", tally.surrenders.resigned as f64),
                ("played_out", tally.surrenders.played_out as f64),
                ("mistaken", tally.surrenders.mistaken as f64),
                ("most_mistaken", resign.most_mistaken.get()),
            ]);
        }
        self.metrics.measured("selfplay", generation.into(), &figures);
    }

    /// Trains from where the last generation's training ended, or broke off.
    fn train(&self, generation: u32) -> Result<(), LoopError> {
        let Run { folder, config, .. } = self.run;
        let stopped = |source: TrainError| LoopError::Train { generation, source };
        let unfinished = folder.join("checkpoints").join("in-training");
        let place = Place::claim(&unfinished).map_err(|error| stopped(error.into()))?;
        let steps = self.run.steps_of(generation)?;
        let mut trainer = match Trainer::<G>::resume(&unfinished, config.train.clone()) {
            Ok(trainer) if (steps.start..=steps.end).contains(&trainer.card().training.steps) => trainer,
            _ => self.start_training(generation)?,
        };
        // Nothing is left if the work ended between the last step and the renaming below.
        if let Ok(left) = Count::new(steps.end - trainer.card().training.steps) {
            trainer.set_steps(left);
            self.metrics.stage("reading", "positions", None);
            let gone = self.cleared()?.positions;
            let window = Window::of_a_rest(self.dataset.folder(), &config.train, gone).map_err(stopped)?;
            let fitted = self.pool.install(|| trainer.fit(&window, &place, self.metrics)).map_err(stopped)?;
            if fitted.interrupted {
                return Err(LoopError::Interrupted);
            }
            if let Some(belief) = fitted.belief {
                self.tell_belief(generation, &belief);
            }
        }
        self.tell_training(generation, steps, &trainer)?;
        drop(place);
        let finished = self.run.checkpoint(generation + 1);
        fs::rename(&unfinished, &finished).map_err(self.run.folder_error("name the checkpoint in"))
    }

    /// A trainer at the first step of a generation.
    fn start_training(&self, generation: u32) -> Result<Trainer<G>, LoopError> {
        let config = self.run.config;
        if generation == 0 {
            let trainer = Trainer::new(&config.net, config.train.clone());
            self.metrics.say(&format!("network: {}", trainer.card().size()));
            return Ok(trainer);
        }
        Trainer::descend(&self.run.checkpoint(generation), config.train.clone())
            .map_err(|source| LoopError::Train { generation, source })
    }

    fn tell_belief(&self, generation: u32, belief: &BeliefGain) {
        self.metrics.say(&format!("generation {generation}: {belief}"));
        let mut figures = vec![("positions", belief.positions as f64), ("gain", belief.gain)];
        figures.extend(belief.margin.map(|margin| ("margin", margin)));
        self.metrics.measured("belief", generation.into(), &figures);
    }

    fn tell_training(
        &self,
        generation: u32,
        steps: Range<u64>,
        trainer: &Trainer<G>,
    ) -> Result<(), LoopError> {
        let config = &self.run.config.train;
        let training = &trainer.card().training;
        let shown = ((steps.end - steps.start) * config.batch.get()) as f64;
        let new = self.run.positions_of(generation)? as f64;
        self.metrics.measured(
            "trained",
            generation.into(),
            &[
                ("steps", training.steps as f64),
                ("samples", training.samples as f64),
                ("window_games", training.games as f64),
                ("window_positions", training.rows as f64),
                ("new_positions", new),
                // How often a position is shown, all told, if generations stay as they are.
                ("reuse", shown / new),
            ],
        );
        Ok(())
    }
}

/// What the names of a generation's shards begin with.
pub fn prefix(generation: u32) -> String {
    format!("g{generation:03}-")
}
