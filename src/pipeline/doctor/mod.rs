//! What is off with a run, in plain words, and which key to turn.
//!
//! A diagnosis holds a figure of the run against a limit beyond which runs were seen to learn little or to
//! waste the machine. Figures that a run does not have yet are named, not guessed.

mod machine;
mod play;
mod sample;

use std::path::Path;

use serde::Serialize;

use super::DATA;
use super::status::{Course, StatusError};
use crate::metrics;
use sample::Sample;

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Examination {
    pub findings: Vec<Finding>,
    /// What could not be told, and why.
    pub untold: Vec<String>,
}

/// One thing that is off.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    pub ailment: Ailment,
    /// What was seen.
    pub seen: String,
    /// What to do about it, keys of the config by their names.
    pub remedy: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ailment {
    /// One stage takes the time that others need.
    StarvedStage,
    /// The network judges batches that are far from full.
    BatchFill,
    /// Positions are learned from too often, or thrown away.
    Reuse,
    /// The network does worse on games it has not seen.
    Overfitting,
    /// The policy has settled on one move.
    PolicyCollapse,
    /// Hardly a game is decided.
    DrawRate,
    /// Players give up games that they would not lose.
    Resignation,
    /// Values that say more, or less, than comes true.
    Calibration,
    /// Memory grows from hour to hour.
    Memory,
}

impl Examination {
    /// Examines the run in `folder`.
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
        let course = Course::of(&lines);
        let mut examination = Self { findings: Vec::new(), untold: Vec::new() };
        examination.take(machine::starved_stage(&course));
        examination.take(machine::batch_fill(&course));
        examination.take(machine::reuse(&course));
        examination.take(machine::overfitting(&course));
        examination.take(machine::memory(&lines));
        examination.take(play::resignation(&course));
        match Sample::of(&data)? {
            Some(sample) => {
                examination.take(play::policy_collapse(&sample));
                examination.take(play::draw_rate(&sample));
                examination.take(play::calibration(&sample));
            }
            None => examination.untold.push("draws, policy and values: no game is finished".into()),
        }
        Ok(examination)
    }

    fn take(&mut self, diagnosis: Diagnosis) {
        match diagnosis {
            Ok(finding) => self.findings.extend(finding),
            Err(untold) => self.untold.push(untold),
        }
    }
}

/// A finding, if there is anything; or what could not be told.
type Diagnosis = Result<Option<Finding>, String>;

/// A finding, if there is one.
fn found(ailment: Ailment, seen: String, remedy: &str) -> Diagnosis {
    Ok(Some(Finding { ailment, seen, remedy: remedy.into() }))
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}
