//! `facedown play`: a game against the program, at the terminal.

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::{Common, Failure, PlayerSpec, tell};
use crate::game::{Game, Seat};
use crate::play::{Setup, sit};
use crate::rules::{Task, dispatch};
use crate::search::{SearchConfig, Visits};

/// Play a game against the program, on standard input and output
///
/// You are shown what your own eyes see, and the program plays by what its own eyes see. A move is said by its two
/// squares, as in b2e2, a flip in Banqi by its square; `moves`, `hint`, `board`, `help`, `resign` and `quit` are the
/// other words.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// Who plays against you: shipped, material, uniform, rollout, or a checkpoint's folder [default: shipped]
    #[arg(long, value_name = "PLAYER")]
    net: Option<PlayerSpec>,
    /// Simulations a move
    #[arg(long, value_name = "V")]
    visits: Option<Visits>,
    /// Where you sit; the first seat moves first
    #[arg(long, value_name = "SEAT", default_value = "first")]
    seat: SeatName,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SeatName {
    First,
    Second,
}

impl From<SeatName> for Seat {
    fn from(name: SeatName) -> Self {
        match name {
            SeatName::First => Seat::First,
            SeatName::Second => Seat::Second,
        }
    }
}

/// Settings a config file may hold for a game.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    /// The rule set, by name or path; the game's first if empty.
    rules: String,
    net: PlayerSpec,
    search: SearchConfig,
}

impl Default for Settings {
    fn default() -> Self {
        Self { rules: String::new(), net: PlayerSpec::Shipped, search: SearchConfig::default() }
    }
}

impl PlayArgs {
    /// # Errors
    ///
    /// Usage errors for wrong settings, failures if the evaluator, the input or the output fails.
    pub fn run(self, common: &Common) -> Result<(), Failure> {
        let mut settings: Settings = common.settings()?;
        common.override_rules(&mut settings.rules);
        settings.net = self.net.unwrap_or(settings.net);
        settings.search.visits = self.visits.unwrap_or(settings.search.visits);
        let person = self.seat.into();
        let seed = common.seed.unwrap_or_else(another_seed);
        if !common.quiet {
            tell(format_args!(
                "against {}, {} visits a move, seed {seed}",
                settings.net, settings.search.visits
            ));
        }
        dispatch(common.game(), Play { settings, person, seed, common })
    }
}

/// A seed that no game before had, so that every game is another one.
fn another_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as u64
}

struct Play<'a> {
    settings: Settings,
    person: Seat,
    seed: u64,
    common: &'a Common,
}

impl Task for Play<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Result<(), Failure> {
        let Self { settings, person, seed, common } = self;
        if settings.net == PlayerSpec::Random {
            return Err(Failure::usage("--net random: it does not search; expected one that does"));
        }
        let setup = Setup::<G> {
            rules: common.load_rules::<G>(&settings.rules)?,
            person,
            evaluator: settings.net.evaluator(common.device()).map_err(Failure::usage)?,
            search: settings.search,
            seed,
        };
        Ok(sit(setup, io::stdin().lock(), io::stdout())?)
    }
}
