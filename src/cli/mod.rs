//! The command line: one file a command, and what they share.

mod analyze;
#[cfg(feature = "torch")]
mod bench;
mod config;
mod contest;
mod convert;
mod dataset;
#[cfg(feature = "torch")]
mod doctor;
mod entrant;
mod experiment;
#[cfg(feature = "torch")]
mod export;
mod failure;
#[cfg(feature = "torch")]
mod generations;
mod inspect;
#[cfg(feature = "torch")]
mod ladder;
#[cfg(feature = "torch")]
mod match_rating;
mod memory;
mod messages;
mod moves;
mod output;
mod perft;
mod play;
mod play_match;
mod players;
mod position;
mod probe;
mod progress;
mod selfplay;
mod solve;
mod spoken;
#[cfg(feature = "torch")]
mod status;
mod table;
#[cfg(feature = "torch")]
mod train;
mod uci;
mod verify;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use config::{ConfigError, Overrides, adjusted};
pub use entrant::Entrant;
pub use failure::Failure;
pub use messages::tell;
pub use output::{OutputError, print, print_line};
pub use players::PlayerSpec;
pub use progress::TerminalProgress;

use crate::eval::Device;
use crate::game::{Game, Profile};
use crate::metrics;
use crate::rules::GameKind;
use crate::selfplay::RuleNames;
use crate::text::shown;

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
    /// The game [default: jieqi]
    #[arg(long, global = true, value_name = "GAME")]
    pub game: Option<GameKind>,
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
    /// Where networks judge and learn: cpu, cuda, or cuda:N for the card of a number [default: cpu]
    #[arg(long, global = true, value_name = "DEVICE")]
    pub device: Option<Device>,
    /// No progress and no messages, errors only
    #[arg(long, global = true)]
    pub quiet: bool,
}

impl Common {
    pub fn game(&self) -> GameKind {
        self.game.unwrap_or_default()
    }

    pub fn device(&self) -> Device {
        self.device.unwrap_or_default()
    }

    /// The settings a command takes from the config file and from `--set`.
    ///
    /// # Errors
    ///
    /// A usage error that names the file and line, or the assignment.
    pub fn settings<T: DeserializeOwned + Serialize>(&self) -> Result<T, Failure> {
        let overrides = Overrides { file: self.config.as_deref(), assignments: &self.overrides };
        overrides.load().map_err(Failure::usage)
    }

    /// Lets `--rules` win over the settings.
    pub fn override_rules(&self, rules: &mut String) {
        if let Some(given) = &self.rules {
            rules.clone_from(given);
        }
    }

    /// As [`Common::override_rules`], where settings may name several.
    pub fn override_rule_names(&self, rules: &mut RuleNames) {
        if let Some(given) = &self.rules {
            *rules = RuleNames::one(given);
        }
    }

    /// The rule sets of those names or paths.
    ///
    /// # Errors
    ///
    /// As [`Common::load_rules`]; if two of them go by the same name.
    pub fn load_rule_sets<G: Game>(&self, names: &RuleNames) -> Result<Vec<Arc<G::Profile>>, Failure> {
        let loaded = names.all().iter().map(|name| self.load_rules::<G>(name));
        let sets = loaded.collect::<Result<Vec<_>, _>>()?;
        let twice = (1..sets.len()).find(|&at| sets[..at].iter().any(|set| set.name() == sets[at].name()));
        match twice {
            Some(at) => {
                let name = shown(sets[at].name());
                Err(Failure::usage(format!("setting `rules`: two rule sets are called {name}")))
            }
            None => Ok(sets),
        }
    }

    /// The rule set of that name or path; the game's first if the name is empty.
    ///
    /// # Errors
    ///
    /// A usage error that says which rule sets there are, or what is wrong with the file.
    pub fn load_rules<G: Game>(&self, name: &str) -> Result<Arc<G::Profile>, Failure> {
        let (default, _) = G::Profile::BUILT_IN[0];
        G::Profile::load(if name.is_empty() { default } else { name }).map_err(Failure::usage)
    }

    /// How many worker threads to use.
    pub fn thread_count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.map_or_else(cores, usize::from)
    }

    /// Makes sure that a dataset of the game `found` is what `--game` asks for, if it was given.
    ///
    /// # Errors
    ///
    /// A usage error if it is not.
    pub fn check_game(&self, found: &str) -> Result<(), Failure> {
        match self.game {
            Some(asked) if asked.to_string() != found => {
                Err(Failure::usage(format!("--game {asked}: the dataset holds games of {found}")))
            }
            _ => Ok(()),
        }
    }

    /// Refuses flags that the command has no use for: whoever gives one expects it to matter.
    fn refuse_useless(&self, command: &Command) -> Result<(), Failure> {
        let uses = command.uses();
        let given = [
            ("--game", self.game.is_some(), uses.rules || uses.threads),
            ("--rules", self.rules.is_some(), uses.rules),
            ("--config", self.config.is_some(), uses.settings),
            ("--set", !self.overrides.is_empty(), uses.settings),
            ("--seed", self.seed.is_some(), uses.settings),
            ("--threads", self.threads.is_some(), uses.threads),
            ("--device", self.device.is_some(), uses.device),
        ];
        match given.iter().find(|(_, given, used)| *given && !used) {
            Some((flag, ..)) => Err(Failure::usage(format!("{flag}: this command has no use for it"))),
            None => Ok(()),
        }
    }

    /// The worker threads. A command makes them once: libtorch keeps a little memory for every thread
    /// that ever used it.
    ///
    /// # Errors
    ///
    /// If the system gives no threads.
    pub fn pool(&self) -> Result<rayon::ThreadPool, ThreadsError> {
        let threads = self.thread_count();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map_err(|source| ThreadsError { threads, source })
    }
}

/// The system gave no threads.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {threads} worker threads; --threads asks for fewer")]
pub struct ThreadsError {
    threads: usize,
    source: rayon::ThreadPoolBuildError,
}

#[derive(Debug, Subcommand)]
enum Command {
    Selfplay(selfplay::SelfplayArgs),
    #[cfg(feature = "torch")]
    Train(train::Train),
    #[cfg(feature = "torch")]
    Loop(generations::LoopArgs),
    Match(play_match::MatchArgs),
    Experiment(experiment::ExperimentArgs),
    Probe(probe::ProbeArgs),
    #[cfg(feature = "torch")]
    Ladder(ladder::LadderArgs),
    #[cfg(feature = "torch")]
    Bench(bench::BenchArgs),
    #[cfg(feature = "torch")]
    Status(status::StatusArgs),
    #[cfg(feature = "torch")]
    Doctor(doctor::DoctorArgs),
    #[cfg(feature = "torch")]
    Export(export::ExportArgs),
    Play(play::PlayArgs),
    Uci(uci::UciArgs),
    Analyze(analyze::Analyze),
    Inspect(inspect::Inspect),
    Perft(perft::Perft),
    Solve(solve::Solve),
    Moves(moves::Moves),
    Verify(verify::Verify),
    Convert(convert::Convert),
}

/// Runs the program on the process's arguments.
pub fn main() -> ExitCode {
    metrics::keep_freed();
    let line = CommandLine::parse();
    match memory::watched(|| line.run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Runs one command inside this process; the first argument is the program's name.
///
/// # Errors
///
/// If the arguments are no command, or the command fails.
pub fn run<T: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = T>) -> Result<(), Failure> {
    let line = CommandLine::try_parse_from(arguments).map_err(Failure::usage)?;
    line.run()
}

/// Makes sure that a device is there before anything is done with it.
#[cfg(feature = "torch")]
fn check_device(device: Device) -> Result<(), Failure> {
    crate::net::check_device(device).map_err(Failure::usage)
}

#[cfg(not(feature = "torch"))]
fn check_device(device: Device) -> Result<(), Failure> {
    match device {
        Device::Cpu => Ok(()),
        card => Err(Failure::usage(format!("--device {card}: this build has no networks"))),
    }
}

/// Which of the flags that all commands take mean something to one.
struct Uses {
    rules: bool,
    /// A config, single settings, and the seed among them.
    settings: bool,
    threads: bool,
    /// A network that judges or learns.
    device: bool,
}

impl CommandLine {
    fn run(self) -> Result<(), Failure> {
        self.common.refuse_useless(&self.command)?;
        check_device(self.common.device())?;
        self.command.run(&self.common)
    }
}

impl Command {
    fn uses(&self) -> Uses {
        let (rules, settings, threads, device) = match self {
            Self::Selfplay(_) | Self::Match(_) | Self::Experiment(_) | Self::Probe(_) | Self::Uci(_) => {
                (true, true, true, true)
            }
            #[cfg(feature = "torch")]
            Self::Train(_) | Self::Loop(_) | Self::Ladder(_) => (true, true, true, true),
            // What it measures is the CPU.
            #[cfg(feature = "torch")]
            Self::Bench(_) => (true, true, true, false),
            Self::Play(_) => (true, true, false, true),
            Self::Analyze(_) => (true, false, true, false),
            Self::Perft(_) | Self::Solve(_) | Self::Moves(_) | Self::Verify(_) | Self::Convert(_) => {
                (true, false, false, false)
            }
            #[cfg(feature = "torch")]
            Self::Status(_) | Self::Export(_) | Self::Doctor(_) => (false, false, false, false),
            Self::Inspect(_) => (false, false, false, false),
        };
        Uses { rules, settings, threads, device }
    }

    fn run(self, common: &Common) -> Result<(), Failure> {
        match self {
            Self::Selfplay(arguments) => arguments.run(common),
            #[cfg(feature = "torch")]
            Self::Train(arguments) => arguments.run(common),
            #[cfg(feature = "torch")]
            Self::Loop(arguments) => arguments.run(common),
            Self::Match(arguments) => arguments.run(common),
            Self::Experiment(arguments) => arguments.run(common),
            Self::Probe(arguments) => arguments.run(common),
            #[cfg(feature = "torch")]
            Self::Ladder(arguments) => arguments.run(common),
            #[cfg(feature = "torch")]
            Self::Bench(arguments) => arguments.run(common),
            #[cfg(feature = "torch")]
            Self::Status(arguments) => arguments.run(),
            #[cfg(feature = "torch")]
            Self::Doctor(arguments) => arguments.run(),
            #[cfg(feature = "torch")]
            Self::Export(arguments) => arguments.run(),
            Self::Play(arguments) => arguments.run(common),
            Self::Uci(arguments) => arguments.run(common),
            Self::Analyze(arguments) => arguments.run(common),
            Self::Inspect(arguments) => arguments.run(),
            Self::Perft(arguments) => arguments.run(common),
            Self::Solve(arguments) => arguments.run(common),
            Self::Moves(arguments) => arguments.run(common),
            Self::Verify(arguments) => arguments.run(common),
            Self::Convert(arguments) => arguments.run(common),
        }
    }
}
