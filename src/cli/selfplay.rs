//! `facedown selfplay`: play games, write Parquet.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::{Common, Failure, PlayerSpec, TerminalProgress, print_line, tell};
use crate::eval::Plain;
use crate::game::Game;
use crate::record::{Dataset, DatasetInfo, RecordError};
use crate::rules::{Task, dispatch};
use crate::search::{SearchConfig, Visits};
use crate::selfplay::{RuleNames, Selfplay, SelfplayConfig, SelfplayError};
use crate::tables::Counters;

/// Play games of a player against itself and write them as Parquet
#[derive(Debug, Args)]
pub struct SelfplayArgs {
    /// How many games
    #[arg(long, value_name = "N")]
    games: Option<NonZeroU32>,
    /// The folder of the dataset; a run that was cut off goes on where it stands
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Who plays: uniform, material, rollout, shipped, or a checkpoint's folder
    #[arg(long, value_name = "PLAYER")]
    net: Option<PlayerSpec>,
    /// Simulations a move
    #[arg(long, value_name = "V")]
    visits: Option<Visits>,
}

/// What a run of self-play is, as `run.toml` keeps it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    rules: RuleNames,
    seed: u64,
    games: NonZeroU32,
    net: PlayerSpec,
    /// Tells the weights of `net` from any others, in hexadecimal; filled in by the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<String>,
    selfplay: SelfplayConfig,
    search: SearchConfig,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rules: RuleNames::default(),
            seed: 1,
            games: NonZeroU32::new(1000).expect("not zero"),
            net: PlayerSpec::Plain(Plain::Uniform),
            weights: None,
            selfplay: SelfplayConfig::default(),
            search: SearchConfig::default(),
        }
    }
}

impl Settings {
    /// Notes which weights the player has, so that a run never goes on with others.
    fn pin_weights(&mut self) -> Result<(), Failure> {
        let found = self.net.weights().map_err(Failure::usage)?;
        if self.weights.is_some() && self.weights != found {
            let (net, found) = (self.net.to_string(), found.unwrap_or_else(|| "none".into()));
            let expected = self.weights.clone().unwrap_or_default();
            return Err(Failure::usage(OtherWeights { net, found, expected }));
        }
        self.weights = found;
        Ok(())
    }
}

/// The settings name weights that the player does not have.
#[derive(Debug, thiserror::Error)]
#[error("{net} has the weights {found}; the settings expect {expected}")]
struct OtherWeights {
    net: String,
    found: String,
    expected: String,
}

impl SelfplayArgs {
    /// # Errors
    ///
    /// Usage errors for wrong settings or a folder of another run, failures for what goes wrong in play.
    pub fn run(self, common: &Common) -> Result<(), Failure> {
        let mut settings: Settings = common.settings()?;
        common.override_rule_names(&mut settings.rules);
        settings.seed = common.seed.unwrap_or(settings.seed);
        settings.games = self.games.unwrap_or(settings.games);
        settings.net = self.net.unwrap_or(settings.net);
        settings.search.visits = self.visits.unwrap_or(settings.search.visits);
        if settings.net == PlayerSpec::Random {
            return Err(Failure::usage(
                "--net random: self-play records searches, and random does not search",
            ));
        }
        dispatch(common.game(), Generate { settings, out: self.out, common })
    }
}

struct Generate<'a> {
    settings: Settings,
    out: PathBuf,
    common: &'a Common,
}

impl Task for Generate<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Result<(), Failure> {
        let Self { mut settings, out, common } = self;
        let rules = common.load_rule_sets::<G>(&settings.rules)?;
        // An evaluator that cannot be made is found out before a folder is.
        settings.net.evaluator::<G>(common.device()).map_err(Failure::usage)?;
        settings.pin_weights()?;
        let info = DatasetInfo::new::<G>(&rules, toml::to_string(&settings)?);
        let dataset = Dataset::create_or_resume_as::<Settings>(&out, info).map_err(|error| match error {
            RecordError::OtherRun { .. } | RecordError::UnknownRun { .. } => Failure::usage(error),
            error => Failure::failed(error),
        })?;
        let selfplay = Selfplay::<G> {
            rules: &rules,
            config: &settings.selfplay,
            search: &settings.search,
            player: settings.net.to_string(),
            prefix: String::new(),
            games: settings.games.get(),
            seed: settings.seed,
        };
        let progress = TerminalProgress::new(common.quiet);
        let judge = || settings.net.evaluator(common.device());
        let counters = Counters::start();
        let totals =
            selfplay.play(&dataset, &common.pool()?, &judge, &counters, &progress).map_err(|error| {
                match error {
                    SelfplayError::Room(error) if error.is_interruption() => Failure::failed(format!(
                        "interrupted; {} keeps the shards that were finished, and the same command goes on",
                        out.display()
                    )),
                    error => error.into(),
                }
            })?;
        drop(progress);
        if !common.quiet {
            let kept = match totals.shards_kept {
                0 => String::new(),
                kept => format!(" ({kept} shards were there)"),
            };
            let tally = totals.tally;
            tell(format_args!("{} games, {} plies{kept}; {tally}", tally.games, tally.plies));
        }
        print_line(out.display())?;
        Ok(())
    }
}
