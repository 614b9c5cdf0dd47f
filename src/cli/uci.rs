//! `facedown uci`: an engine on standard input and output.

use std::io;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::failure::with_causes;
use super::{Common, Failure, PlayerSpec};
use crate::eval::Plain;
use crate::game::Game;
use crate::rules::{Task, dispatch};
use crate::search::{SearchConfig, Visits};
use crate::uci::{SessionError, Setup, serve};

/// Play as an engine, in the manner of UCI, on standard input and output
///
/// Understands uci, isready, ucinewgame, setoption, position startpos|fen … moves …, go nodes N|movetime
/// MS|infinite, stop and quit. A ply is told by what its player saw of it: in Jieqi from and to, then the letter
/// of a piece turned up, then that of a face-down piece taken, where it was seen; in Banqi the move, then `=` and
/// the piece it showed. What is wrong is answered by `info string error` and the session goes on.
#[derive(Debug, Args)]
pub struct UciArgs {
    /// Who judges positions: material, uniform, rollout, shipped, or a checkpoint's folder [default: material]
    #[arg(long, value_name = "PLAYER")]
    net: Option<PlayerSpec>,
    /// Simulations of a `go` without a limit
    #[arg(long, value_name = "V")]
    visits: Option<Visits>,
}

/// Settings a config file may hold for an engine.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    /// The rule set, by name or path; the game's first if empty.
    rules: String,
    seed: u64,
    net: PlayerSpec,
    search: SearchConfig,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rules: String::new(),
            seed: 0,
            net: PlayerSpec::Plain(Plain::Material),
            search: SearchConfig::default(),
        }
    }
}

impl UciArgs {
    /// # Errors
    ///
    /// Usage errors for wrong settings, failures if the evaluator, the input or the output fails.
    pub fn run(self, common: &Common) -> Result<(), Failure> {
        let mut settings: Settings = common.settings()?;
        common.override_rules(&mut settings.rules);
        settings.seed = common.seed.unwrap_or(settings.seed);
        settings.net = self.net.unwrap_or(settings.net);
        settings.search.visits = self.visits.unwrap_or(settings.search.visits);
        dispatch(common.game(), Serve { settings, common })
    }
}

struct Serve<'a> {
    settings: Settings,
    common: &'a Common,
}

impl Task for Serve<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Result<(), Failure> {
        let Self { settings, common } = self;
        let setup = Setup::<G> {
            rules: common.load_rules::<G>(&settings.rules)?,
            player: settings.net.to_string(),
            search: settings.search,
            seed: settings.seed,
            makes: &|name| match name.parse()? {
                PlayerSpec::Random => Err("random does not search".into()),
                // On one line, as the protocol says it.
                player => player.evaluator(common.device()).map_err(|error| with_causes(&error).into()),
            },
        };
        serve(setup, io::stdin().lock(), io::stdout()).map_err(|error| match error {
            SessionError::Player(source) => Failure::usage(source.to_string()),
            error => Failure::failed(error),
        })
    }
}
