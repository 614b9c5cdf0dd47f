//! `facedown loop`: self-play, train, repeat.

use std::path::PathBuf;

use clap::Args;

use super::{Common, Failure, TerminalProgress, print_line};
use crate::game::Game;
use crate::pipeline::{LoopConfig, LoopError, Run};
use crate::record::RecordError;
use crate::rules::{Task, dispatch};
use crate::units::Count;

/// Play, train, and play again with the network that came out
#[derive(Debug, Args)]
pub struct LoopArgs {
    /// The folder of the run
    #[arg(long, value_name = "DIR")]
    run: PathBuf,
    /// How many generations of self-play and training
    #[arg(long, value_name = "N")]
    generations: Option<Count<100_000>>,
    /// Go on with the run in the folder, if there is one
    #[arg(long)]
    resume: bool,
}

impl LoopArgs {
    /// # Errors
    ///
    /// Usage errors for wrong settings or a folder of another run, failures for what goes wrong in the run.
    pub fn run(self, common: &Common) -> Result<(), Failure> {
        let mut config: LoopConfig = common.settings()?;
        common.override_rule_names(&mut config.rules);
        config.seed = common.seed.unwrap_or(config.seed);
        config.train.device = common.device();
        config.generations = self.generations.unwrap_or(config.generations);
        dispatch(common.game(), Work { config, arguments: self, common })
    }
}

struct Work<'a> {
    config: LoopConfig,
    arguments: LoopArgs,
    common: &'a Common,
}

impl Task for Work<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Result<(), Failure> {
        let Self { config, arguments, common } = self;
        let run = Run::<G> {
            folder: &arguments.run,
            rules: common.load_rule_sets::<G>(&config.rules)?,
            config: &config,
        };
        let progress = TerminalProgress::new(common.quiet);
        let results =
            run.work(arguments.resume, &common.pool()?, &progress).map_err(|error| match error {
                LoopError::Exists { .. }
                | LoopError::Locked { .. }
                | LoopError::Result { .. }
                | LoopError::Gap { .. }
                | LoopError::Occupied { .. }
                | LoopError::Foreign { .. }
                | LoopError::Dataset(RecordError::OtherRun { .. } | RecordError::UnknownRun { .. }) => {
                    Failure::usage(error)
                }
                error => Failure::failed(error),
            })?;
        drop(progress);
        print_line(format_args!("dataset     {}", results.dataset.display()))?;
        print_line(format_args!("checkpoint  {}", results.checkpoint.display()))?;
        Ok(())
    }
}
