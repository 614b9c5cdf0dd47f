//! What the machine gives: the bare network against self-play with it, in turns.
//!
//! A machine's speed changes from minute to minute, so the two are never measured one after the other: each
//! worker goes through short slices of self-play and of the bare network by turns, all workers together, then
//! the first alone. What is reported are medians over the rounds, and for ratios the medians of the ratios
//! within a round.

mod clock;
mod paced;

use std::path::Path;
use std::slice;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::LoopConfig;
use crate::eval::{EvalError, Evaluator, Plain};
use crate::game::Game;
use crate::net::{Deployed, Layout, NetEvaluator, Network, Precision};
use crate::progress::Progress;
use crate::record::{Dataset, DatasetInfo, RecordError};
use crate::selfplay::{Selfplay, SelfplayConfig, SelfplayError};
use crate::tables::{Counters, RoomError, Tally};
use crate::units::Count;
use clock::{Clock, Doing, Timekeeper, Who};
use paced::{Ledger, Paced};

/// Games that tell what writing costs.
const WRITTEN_GAMES: u64 = 16;

/// A measurement could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SpeedError {
    #[error("cannot keep the games of the measurement")]
    Record(#[from] RecordError),
    #[error("self-play stopped")]
    Selfplay(#[from] SelfplayError),
    #[error("{slice:?} are too short for a batch of {batch} positions; longer slices are needed")]
    TooShort { slice: Duration, batch: usize },
    #[error("interrupted")]
    Interrupted,
}

/// What to measure.
pub struct SpeedTest<'a, G: Game> {
    pub rules: &'a Arc<G::Profile>,
    pub config: &'a LoopConfig,
    /// The network; one without training, of the shape in the config, if none is given.
    pub checkpoint: Option<&'a Path>,
    /// Each has a slice of self-play and one of the bare network, by all workers and by one.
    pub rounds: u32,
    pub slice: Duration,
    /// A folder for the games, which are of no use afterwards.
    pub folder: &'a Path,
}

/// What the machine gives. Speeds are positions judged in a second, medians over the rounds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Speed {
    pub threads: usize,
    /// Positions in a batch of the bare network, and tables of a worker.
    pub batch: usize,
    pub precision: &'static str,
    pub visits: u64,
    pub raw_positions_per_s: f64,
    pub selfplay_positions_per_s: f64,
    /// Of self-play's speed to the bare network's.
    pub selfplay_ratio: f64,
    /// Positions to a batch in self-play.
    pub mean_batch: f64,
    pub share_of_time: Shares,
    /// None with one thread.
    pub one_thread: Option<OneThread>,
}

/// What all threads gain over one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OneThread {
    pub raw_positions_per_s: f64,
    pub selfplay_positions_per_s: f64,
    pub selfplay_ratio: f64,
    /// All threads' speed over one's.
    pub raw_gain: f64,
    pub selfplay_gain: f64,
    /// Of self-play's gain to the bare network's.
    pub gain_ratio: f64,
}

/// What the workers' time in self-play goes into; adds up to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Shares {
    pub search: f64,
    /// Bringing positions into the form the network takes.
    pub planes: f64,
    pub net: f64,
    /// Bringing games to the disk, as measured on a few games by an evaluator that costs nothing.
    pub writing: f64,
    /// The rest: what no stage accounts for.
    pub waiting: f64,
}

impl<G: Game> SpeedTest<'_, G> {
    /// Plays and judges by turns for as long as the rounds take, and tells how fast.
    ///
    /// # Errors
    ///
    /// If the network or the disk fails, a slice is too short for a batch, or the user interrupts.
    pub fn run(&self, pool: &rayon::ThreadPool, progress: &dyn Progress) -> Result<Speed, SpeedError> {
        let threads = pool.current_num_threads();
        let written = self.write_games(pool, progress)?;
        let writing_per_position = written.spent.writing / written.positions.max(1) as f64;

        let batch = self.config.selfplay.slots.size();
        let clock = Arc::new(Clock::new(threads, self.rounds, self.slice));
        let ledger = Arc::new(Ledger::default());
        let timekeeper = Timekeeper { clock: &clock, outer: progress };
        let judge = || -> Result<Box<dyn Evaluator<G>>, EvalError> {
            Ok(Box::new(Paced::new(self.evaluator()?, clock.clone(), ledger.clone())))
        };
        // No shard is ever finished: what writing costs is known.
        let endless =
            SelfplayConfig { games_per_shard: Count::literal(100_000), ..self.config.selfplay.clone() };
        let counters = Counters::start();
        progress.stage("bench", "slices", Some(clock.slices()));
        clock.start();
        let played = self.selfplay(&endless, u32::MAX, "bench").play(
            &self.dataset("played")?,
            pool,
            &judge,
            &counters,
            &timekeeper,
        );
        match played {
            Err(SelfplayError::Room(RoomError::Interrupted)) if !progress.interrupted() => {}
            Err(SelfplayError::Room(RoomError::Interrupted)) => return Err(SpeedError::Interrupted),
            Err(error) => return Err(error.into()),
            Ok(_) => {}
        }
        let slow = |speed: f64| if speed > 0.0 { 1.0 / (1.0 / speed + writing_per_position) } else { 0.0 };
        let rounds = |doing, who| -> Result<Vec<f64>, SpeedError> {
            let speeds = ledger.speeds(&clock, doing, who);
            let too_short = SpeedError::TooShort { slice: self.slice, batch };
            speeds.filter(|speeds| speeds.iter().all(|&speed| speed > 0.0)).ok_or(too_short)
        };
        let played = |who: Who| -> Result<Vec<f64>, SpeedError> {
            let workers = if who == Who::All { threads as f64 } else { 1.0 };
            Ok(rounds(Doing::Playing, who)?.iter().map(|speed| workers * slow(speed / workers)).collect())
        };
        let (raw, selfplay) = (rounds(Doing::Judging, Who::All)?, played(Who::All)?);
        let one_thread = if threads > 1 {
            let (raw_one, selfplay_one) = (rounds(Doing::Judging, Who::One)?, played(Who::One)?);
            let raw_gain = median(ratios(&raw, &raw_one));
            let selfplay_gain = median(ratios(&selfplay, &selfplay_one));
            Some(OneThread {
                selfplay_ratio: median(ratios(&selfplay_one, &raw_one)),
                raw_positions_per_s: median(raw_one),
                selfplay_positions_per_s: median(selfplay_one),
                raw_gain,
                selfplay_gain,
                gain_ratio: selfplay_gain / raw_gain,
            })
        } else {
            None
        };
        Ok(Speed {
            threads,
            batch,
            precision: Precision::fastest_here().name(),
            visits: self.config.search.visits.get(),
            selfplay_ratio: median(ratios(&selfplay, &raw)),
            raw_positions_per_s: median(raw),
            selfplay_positions_per_s: median(selfplay),
            mean_batch: ledger.mean_batch(),
            share_of_time: ledger.shares(&counters.tally(), writing_per_position),
            one_thread,
        })
    }

    /// A worker's network.
    fn evaluator(&self) -> Result<NetEvaluator<G>, EvalError> {
        let precision = Precision::fastest_here();
        match self.checkpoint {
            Some(checkpoint) => NetEvaluator::load(checkpoint, precision)
                .map_err(|source| EvalError::Unusable { source: source.into() }),
            None => {
                let network = Network::new(&self.config.net, &Layout::of::<G>(), self.config.seed);
                Ok(NetEvaluator::new(Deployed::new(&network, precision)))
            }
        }
    }

    /// Plays a few games by an evaluator that costs nothing, and writes them.
    fn write_games(&self, pool: &rayon::ThreadPool, progress: &dyn Progress) -> Result<Tally, SpeedError> {
        let config =
            SelfplayConfig { games_per_shard: Count::literal(WRITTEN_GAMES), ..self.config.selfplay.clone() };
        let judge = || Ok(Plain::Uniform.evaluator());
        let counters = Counters::start();
        let games = self.selfplay(&config, WRITTEN_GAMES as u32, "uniform");
        Ok(games.play(&self.dataset("written")?, pool, &judge, &counters, progress)?.tally)
    }

    fn selfplay<'a>(&'a self, config: &'a SelfplayConfig, games: u32, player: &str) -> Selfplay<'a, G> {
        Selfplay {
            rules: slice::from_ref(self.rules),
            config,
            search: &self.config.search,
            player: player.into(),
            prefix: String::new(),
            games,
            seed: self.config.seed,
        }
    }

    fn dataset(&self, name: &str) -> Result<Dataset, RecordError> {
        let info = DatasetInfo::new::<G>(slice::from_ref(self.rules), String::new());
        Dataset::create_or_resume(&self.folder.join(name), info)
    }
}

fn ratios(above: &[f64], below: &[f64]) -> Vec<f64> {
    above.iter().zip(below).map(|(above, below)| above / below).collect()
}

/// The middle value, or the mean of the two in the middle.
///
/// # Panics
///
/// If there is none.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}
