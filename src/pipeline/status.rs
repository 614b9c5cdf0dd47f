//! Where a run stands, read off its files while it goes on or after it ended, however it did.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::{DATA, LOCK};
use crate::analysis::stats::{Estimate, Interval, Score};
use crate::metrics::{self, Ended, Line, MetricsError, Told};
use crate::net::{LossFigures, NetError, card_at};
use crate::record::{OnBroken, Reader, RecordError, Table};
use crate::tables::Surrenders;
use crate::train::{Keep, Shelf};

/// A run could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum StatusError {
    #[error("{}: no run: expected a folder with data/ or {} in it", folder.display(), metrics::FILE)]
    NoRun { folder: PathBuf },
    #[error(transparent)]
    Metrics(#[from] MetricsError),
    #[error(transparent)]
    Network(#[from] NetError),
    #[error("the run's dataset cannot be read")]
    Dataset(#[from] RecordError),
}

/// Where a run stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    pub state: State,
    /// The generation that is worked on, or was last; the first is 0.
    pub generation: Option<u64>,
    /// As many as are asked for.
    pub generations: Option<u64>,
    /// What is being done, or was when the run ended.
    pub stage: Option<Stage>,
    /// Games in the dataset, in finished shards.
    pub games: u64,
    /// Positions of these games.
    pub positions: u64,
    /// Optimiser steps that the newest finished network has taken.
    pub steps: Option<u64>,
    /// Over the last steps.
    pub losses: Option<Losses>,
    /// On games held out.
    pub validation: Option<Losses>,
    /// Of the newest network that was rated.
    pub elo: Option<Elo>,
    /// Judged in self-play, in the last generation that was played.
    pub positions_per_second: Option<f64>,
    pub mean_batch: Option<f64>,
    /// In the last generation that was played, where its players gave games up.
    pub resignation: Option<Resignation>,
    /// Megabytes.
    pub resident_memory: Option<f64>,
    /// Checkpoints that a training keeps besides the newest, the best first.
    pub kept: Vec<Kept>,
    /// Until the run is done, as generations went so far.
    pub seconds_left: Option<f64>,
    /// Since the run was last heard of.
    pub seconds_ago: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Nothing was kept of its course.
    Unknown,
    Running,
    Finished,
    Interrupted,
    /// It ended by itself, with this error.
    Failed(String),
    /// It ended without a word: killed, or the power went.
    BrokenOff,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stage {
    pub name: String,
    pub unit: String,
    pub done: u64,
    pub total: Option<u64>,
    /// Rates and counts, for people.
    pub figures: String,
    pub seconds_left: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Losses {
    pub policy: f64,
    pub value: f64,
}

/// How many games were given up, and how many of them rightly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Resignation {
    /// Games that ended by it.
    pub resigned: u64,
    /// Games that were played on in spite of it.
    pub played_out: u64,
    /// Of these, games that the player who would have given up did not lose.
    pub mistaken: u64,
    /// The share of such games, with its 95 % interval; none where no game was played out.
    pub false_positives: Option<FalsePositives>,
}

/// A share of games with its 95 % interval, after Wilson.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FalsePositives {
    pub share: f64,
    pub low: f64,
    pub high: f64,
}

impl Resignation {
    pub fn of(surrenders: Surrenders) -> Self {
        let Surrenders { resigned, played_out, mistaken } = surrenders;
        let score = Score { wins: mistaken, draws: 0, losses: played_out.saturating_sub(mistaken) };
        let share = score.estimate().and_then(|Estimate { value, interval, .. }| {
            let Interval { low, high } = interval?;
            Some(FalsePositives { share: value, low, high })
        });
        Self { resigned, played_out, mistaken, false_positives: share }
    }
}

impl fmt::Display for Resignation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { resigned, played_out, mistaken, false_positives } = self;
        write!(f, "{resigned} games ended by it; {mistaken} of {played_out} played out were not lost")?;
        match false_positives {
            Some(FalsePositives { share, low, high }) => {
                let [share, low, high] = [share, low, high].map(|share| 100.0 * share);
                write!(f, ": {share:.1} %  (95 % interval {low:.1} to {high:.1} %)")
            }
            None => Ok(()),
        }
    }
}

/// A checkpoint that is kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Kept {
    pub path: PathBuf,
    /// Optimiser steps it has taken.
    pub steps: u64,
    /// On games held out, as last measured.
    pub validation: Option<Losses>,
}

/// A rating with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Elo {
    /// Of the network after so many generations.
    pub generation: u64,
    pub elo: f64,
    pub low: f64,
    pub high: f64,
}

impl Status {
    /// Looks at the run in `folder`.
    ///
    /// # Errors
    ///
    /// If there is no run, or its files cannot be read.
    pub fn of(folder: &Path) -> Result<Self, StatusError> {
        let lines = metrics::read(folder)?;
        let data = folder.join(DATA);
        if lines.is_empty() && !data.is_dir() {
            return Err(StatusError::NoRun { folder: folder.into() });
        }
        let (games, positions) = count(&data)?;
        let course = Course::of(&lines);
        let is_running = is_locked(&folder.join(LOCK));
        let stage = course.stage(&lines);
        let selfplay = course.last("selfplay");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
        Ok(Self {
            state: course.state(is_running),
            generation: course.generation,
            generations: course.last("run").number("generations"),
            seconds_left: stage.as_ref().and_then(|stage| course.seconds_left(stage)).filter(|_| is_running),
            stage,
            games,
            positions,
            steps: course.last("trained").number("steps"),
            losses: course.last("training").losses(),
            validation: course.last("validation").losses(),
            elo: course.last("rating").elo(),
            positions_per_second: selfplay.figure("positions_per_second"),
            mean_batch: selfplay.figure("mean_batch"),
            resignation: selfplay.resignation(),
            resident_memory: course.memory,
            kept: kept(folder)?,
            seconds_ago: lines.last().map(|line| (now - line.time).max(0.0)),
        })
    }
}

/// What is kept beside the figures of a training, which are in `NAME.metrics` where its checkpoint is `NAME`.
fn kept(folder: &Path) -> Result<Vec<Kept>, StatusError> {
    let of_training = folder.extension().is_some_and(|extension| extension == "metrics");
    let shelf = Shelf::of(&folder.with_extension(""), Keep::default());
    let paths = if of_training { shelf.kept()? } else { Vec::new() };
    let looked_at = paths.into_iter().map(|path| {
        let training = card_at(&path)?.training;
        let losses = |figures: LossFigures| Losses { policy: figures.policy, value: figures.value };
        Ok(Kept { path, steps: training.steps, validation: training.validation.map(losses) })
    });
    looked_at.collect()
}

/// Games and positions in finished shards.
fn count(data: &Path) -> Result<(u64, u64), StatusError> {
    if !data.is_dir() {
        return Ok((0, 0));
    }
    match Reader::open(data, OnBroken::Skip) {
        Ok(reader) => Ok((reader.rows(Table::Games), reader.rows(Table::Plies))),
        // A run that has only just begun.
        Err(RecordError::Empty { .. } | RecordError::NotADataset { .. }) => Ok((0, 0)),
        Err(error) => Err(error.into()),
    }
}

/// Whether a process works on the run.
fn is_locked(lock: &Path) -> bool {
    let held = File::open(lock).map(|file| file.try_lock_shared());
    matches!(held, Ok(Err(TryLockError::WouldBlock)))
}

/// What the lines say all together.
#[derive(Default)]
pub struct Course {
    /// The last figures of each series.
    last: BTreeMap<String, Series>,
    generation: Option<u64>,
    memory: Option<f64>,
    ended: Option<Ended>,
    /// Where among the lines the last stage begins.
    stage_at: Option<usize>,
}

/// The last figures of a series.
#[derive(Debug, Clone, Default)]
pub struct Series {
    at: u64,
    figures: BTreeMap<String, f64>,
}

impl Course {
    pub fn of(lines: &[Line]) -> Self {
        let mut course = Self::default();
        for (place, line) in lines.iter().enumerate() {
            match &line.told {
                Told::Stage { generation, .. } => {
                    course.generation = generation.or(course.generation);
                    course.stage_at = Some(place);
                    course.ended = None;
                }
                Told::Progress { memory, .. } => course.memory = memory.or(course.memory),
                Told::Figures { series, at, figures } => {
                    let figures = Series { at: *at, figures: figures.clone() };
                    course.last.insert(series.clone(), figures);
                }
                Told::End { how } => course.ended = Some(how.clone()),
            }
        }
        course
    }

    pub fn last(&self, series: &str) -> Series {
        self.last.get(series).cloned().unwrap_or_default()
    }

    fn state(&self, is_running: bool) -> State {
        match &self.ended {
            _ if is_running => State::Running,
            Some(Ended::Finished) => State::Finished,
            Some(Ended::Interrupted) => State::Interrupted,
            Some(Ended::Failed(error)) => State::Failed(error.clone()),
            None if self.stage_at.is_some() => State::BrokenOff,
            None => State::Unknown,
        }
    }

    /// The last stage, and how far it has come.
    fn stage(&self, lines: &[Line]) -> Option<Stage> {
        let begin = self.stage_at?;
        let Told::Stage { stage, unit, total, .. } = &lines[begin].told else { return None };
        let progress: Vec<(f64, u64, &str)> = lines[begin..]
            .iter()
            .filter_map(|line| match &line.told {
                Told::Progress { done, figures, .. } => Some((line.time, *done, figures.as_str())),
                _ => None,
            })
            .collect();
        let (done, figures) = progress.last().map_or((0, ""), |&(_, done, figures)| (done, figures));
        Some(Stage {
            name: stage.clone(),
            unit: unit.clone(),
            done,
            total: *total,
            figures: figures.into(),
            seconds_left: total.and_then(|total| seconds_to(total, &progress)),
        })
    }

    /// The time until the run is done, if the last whole generation tells.
    fn seconds_left(&self, stage: &Stage) -> Option<f64> {
        let whole = self.last("generation");
        let later: f64 = match stage.name.as_str() {
            name if name.starts_with("self-play") => whole.sum(&["training", "gate", "rating"]),
            "reading" | "training" => whole.sum(&["gate", "rating"]),
            _ => 0.0,
        };
        let generations = self.last("run").number("generations")?;
        let more = generations.saturating_sub(self.generation? + 1) as f64;
        let all = whole.sum(&["selfplay", "training", "gate", "rating"]);
        (all > 0.0 || more == 0.0).then_some(stage.seconds_left? + later + more * all)
    }
}

/// The time from the last progress to all of it, at the pace since the first.
fn seconds_to(total: u64, progress: &[(f64, u64, &str)]) -> Option<f64> {
    let (&(start, begun, _), &(now, done, _)) = (progress.first()?, progress.last()?);
    let pace = done.checked_sub(begun)? as f64 / (now - start);
    (pace > 0.0 && pace.is_finite()).then(|| total.saturating_sub(done) as f64 / pace)
}

impl Series {
    /// The step or the generation they are about.
    pub fn at(&self) -> u64 {
        self.at
    }

    pub fn figure(&self, name: &str) -> Option<f64> {
        self.figures.get(name).copied()
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.figure(name).map(|number| number as u64)
    }

    /// Of the seconds that stages took.
    fn sum(&self, stages: &[&str]) -> f64 {
        stages.iter().filter_map(|stage| self.figure(&format!("{stage}_seconds"))).sum()
    }

    fn losses(&self) -> Option<Losses> {
        Some(Losses { policy: self.figure("policy_loss")?, value: self.figure("value_loss")? })
    }

    /// Where players may give up.
    pub fn resignation(&self) -> Option<Resignation> {
        let [resigned, played_out, mistaken] =
            ["resigned", "played_out", "mistaken"].map(|name| self.number(name));
        let (resigned, played_out, mistaken) = (resigned?, played_out?, mistaken?);
        Some(Resignation::of(Surrenders { resigned, played_out, mistaken }))
    }

    fn elo(&self) -> Option<Elo> {
        let [elo, low, high] = ["elo", "low", "high"].map(|name| self.figure(name));
        Some(Elo { generation: self.at, elo: elo?, low: low?, high: high? })
    }
}
