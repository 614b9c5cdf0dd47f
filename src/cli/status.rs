//! `facedown status`: where a run stands.

use std::path::PathBuf;

use clap::Args;

use super::{Failure, print, print_line};
use crate::pipeline::{Losses, State, Status, StatusError};

/// Tell where a run stands, while it goes on or after it ended
///
/// Reads files alone: it disturbs no run, and works as well after a crash.
#[derive(Debug, Args)]
pub struct StatusArgs {
    /// The folder of the run, or of the figures that `train` keeps
    #[arg(long, value_name = "DIR")]
    run: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl StatusArgs {
    /// # Errors
    ///
    /// A usage error for a folder without a run, a failure if its files cannot be read.
    pub fn run(self) -> Result<(), Failure> {
        let status = Status::of(&self.run).map_err(|error| match error {
            StatusError::NoRun { .. } => Failure::usage(error),
            error => Failure::failed(error),
        })?;
        match self.json {
            true => print_line(serde_json::to_string_pretty(&status)?)?,
            false => print(told(&self.run.display().to_string(), &status))?,
        }
        Ok(())
    }
}

/// The lines that tell of a run.
fn told(run: &str, status: &Status) -> String {
    let mut lines = vec![format!("run        {run}: {}{}", state(&status.state), generation(status))];
    let mut line = |name: &str, text: Option<String>| {
        lines.extend(text.map(|text| format!("{name:<11}{text}")));
    };
    line("stage", stage(status));
    line("data", Some(format!("{} games, {} positions", status.games, status.positions)));
    line("network", status.steps.map(|steps| format!("{steps} steps")));
    line("losses", losses(status));
    line(
        "Elo",
        status.elo.map(|elo| {
            let network = format!("gen-{:03}", elo.generation);
            format!("{network} {:+.0}  (95 % interval {:+.0} to {:+.0})", elo.elo, elo.low, elo.high)
        }),
    );
    line(
        "speed",
        status.positions_per_second.map(|speed| {
            let batch = status.mean_batch.map_or(String::new(), |batch| format!(", mean batch {batch:.1}"));
            format!("{speed:.0} positions/s in self-play{batch}")
        }),
    );
    line("resigned", status.resignation.map(|resignation| resignation.to_string()));
    line("memory", status.resident_memory.map(|megabytes| format!("{megabytes:.0} MB")));
    for kept in &status.kept {
        let held_out = kept.validation.map(|losses| format!("; held-out games: {}", figures(losses)));
        let steps = format!("{}: {} steps", kept.path.display(), kept.steps);
        line("kept", Some(steps + &held_out.unwrap_or_default()));
    }
    line("time left", status.seconds_left.map(about));
    line("heard of", status.seconds_ago.map(|seconds| format!("{} ago", duration(seconds))));
    lines.join("\n") + "\n"
}

fn state(state: &State) -> String {
    match state {
        State::Unknown => "nothing is known of its course".into(),
        State::Running => "running".into(),
        State::Finished => "finished".into(),
        State::Interrupted => "interrupted; --resume goes on".into(),
        State::Failed(error) => format!("failed: {error}"),
        State::BrokenOff => "broken off without a word, or not at work; --resume goes on".into(),
    }
}

fn generation(status: &Status) -> String {
    match (status.generation, status.generations) {
        (Some(generation), Some(all)) => format!(", generation {} of {all}", generation + 1),
        _ => String::new(),
    }
}

fn stage(status: &Status) -> Option<String> {
    let stage = status.stage.as_ref()?;
    let total = stage.total.map(|total| format!(" of {total}")).unwrap_or_default();
    let left = stage.seconds_left.filter(|_| status.state == State::Running);
    let left = left.map(|seconds| format!(", {} left of it", about(seconds))).unwrap_or_default();
    let figures = match stage.figures.as_str() {
        "" => String::new(),
        figures => format!("  ({figures})"),
    };
    Some(format!("{}: {}{total} {}{figures}{left}", stage.name, stage.done, stage.unit))
}

fn losses(status: &Status) -> Option<String> {
    let held_out = status.validation.map(|losses| format!("; held-out games: {}", figures(losses)));
    Some(figures(status.losses?) + &held_out.unwrap_or_default())
}

fn figures(losses: Losses) -> String {
    format!("policy {:.3} value {:.3}", losses.policy, losses.value)
}

fn about(seconds: f64) -> String {
    format!("about {}", duration(seconds))
}

/// A time in the two largest units it has.
fn duration(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60) {
        (0, 0, 0, seconds) => format!("{seconds} s"),
        (0, 0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (0, hours, minutes, _) => format!("{hours} h {minutes} min"),
        (days, hours, _, _) => format!("{days} d {hours} h"),
    }
}
