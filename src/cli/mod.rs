//! The command line: one file a command, and what they share.

mod analyze;
mod config;
mod failure;
mod inspect;
mod progress;
#[cfg(feature = "torch")]
mod train;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

pub use config::{ConfigError, Overrides};
pub use failure::Failure;
pub use progress::TerminalProgress;

use crate::rules::GameKind;

/// Self-play training and analysis for xiangqi's face-down games.
#[derive(Debug, Parser)]
#[command(name = "facedown", version, about, propagate_version = true, max_term_width = 110)]
struct CommandLine {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

/// What every command takes.
#[derive(Debug, Clone, Args)]
pub struct Common {
    /// The game
    #[arg(long, global = true, default_value_t, value_name = "GAME")]
    pub game: GameKind,
    /// The rule set: a built-in name or the path of a TOML file [default: the game's first]
    #[arg(long, global = true, value_name = "RULES")]
    pub rules: Option<String>,
    /// A TOML file with settings
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// One setting, over the file's: `--set search.visits=400`; may be repeated
    #[arg(long = "set", global = true, value_name = "KEY=VALUE")]
    pub overrides: Vec<String>,
    /// The seed of everything random
    #[arg(long, global = true, value_name = "N")]
    pub seed: Option<u64>,
    /// Worker threads [default: one a core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// No progress and no messages, errors only
    #[arg(long, global = true)]
    pub quiet: bool,
}

impl Common {
    /// How many worker threads to use.
    pub fn thread_count(&self) -> usize {
        self.threads.map_or_else(
            || std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get),
            usize::from,
        )
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    Analyze(analyze::Analyze),
    Inspect(inspect::Inspect),
    #[cfg(feature = "torch")]
    Train(train::Train),
}

/// Runs the program on the process's arguments.
pub fn main() -> ExitCode {
    let line = CommandLine::parse();
    match run(line) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(line: CommandLine) -> Result<(), Failure> {
    let CommandLine { common, command } = line;
    match command {
        Command::Analyze(analyze) => analyze.run(&common),
        Command::Inspect(inspect) => inspect.run(),
        #[cfg(feature = "torch")]
        Command::Train(train) => train.run(&common),
    }
}
