//! `facedown doctor`: what is off with a run.

use std::path::PathBuf;

use clap::Args;

use super::{Failure, print, print_line};
use crate::pipeline::{Examination, StatusError};

/// Tell what is off with a run, and which key to turn
///
/// Looks at the run's figures and at its newest games: stages that starve, batches that are not full, how often
/// positions are learned from, the policy's spread, draws, values against results, memory. Reads files alone.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// The folder of the run
    #[arg(long, value_name = "DIR")]
    run: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl DoctorArgs {
    /// # Errors
    ///
    /// A usage error for a folder without a run, a failure if its files cannot be read.
    pub fn run(self) -> Result<(), Failure> {
        let examination = Examination::of(&self.run).map_err(|error| match error {
            StatusError::NoRun { .. } => Failure::usage(error),
            error => Failure::failed(error),
        })?;
        match self.json {
            true => print_line(serde_json::to_string_pretty(&examination)?)?,
            false => print(told(&examination))?,
        }
        Ok(())
    }
}

fn told(examination: &Examination) -> String {
    let mut lines = Vec::new();
    for finding in &examination.findings {
        lines.push(finding.seen.clone());
        lines.push(format!("    turn: {}", finding.remedy));
    }
    if lines.is_empty() {
        lines.push("nothing is off".into());
    }
    lines.extend(examination.untold.iter().map(|untold| format!("not told: {untold}")));
    lines.join("\n") + "\n"
}
