//! `facedown match`: pit two players against each other.

use std::num::{NonZeroU32, NonZeroU64};

use clap::Args;
use serde::{Deserialize, Serialize};

use super::{Common, Failure, PlayerSpec, TerminalProgress, adjusted, print_line};
use crate::arena::Match;
use crate::eval::EvalError;
use crate::game::Game;
use crate::rules::{Task, dispatch};
use crate::search::SearchConfig;
use crate::tables::Player;

/// Pit two players against each other, on paired deals
#[derive(Debug, Args)]
pub struct MatchArgs {
    /// The player whose score is counted: random, uniform, material, rollout, or a checkpoint's folder;
    /// search settings of its own may follow, as in material,visits=64,cpuct=2
    #[arg(long, value_name = "PLAYER")]
    first: String,
    /// The opponent, in the same form
    #[arg(long, value_name = "PLAYER")]
    second: String,
    /// How many games, an even number: both games of a pair use one deal, the players changing seats
    #[arg(long, value_name = "N", default_value = "200", value_parser = even)]
    games: NonZeroU64,
    /// Simulations a move
    #[arg(long, value_name = "V")]
    visits: Option<NonZeroU32>,
}

/// Settings a config file may hold for a match.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    /// The rule set, by name or path; the game's first if empty.
    rules: String,
    seed: u64,
    /// The search of both players; noise and temperature are off unless a player turns them on.
    search: SearchConfig,
}

fn even(text: &str) -> Result<NonZeroU64, String> {
    let games: NonZeroU64 = text.parse().map_err(|_| "expected an even number of games".to_owned())?;
    if games.get().is_multiple_of(2) { Ok(games) } else { Err("expected an even number of games".into()) }
}

impl MatchArgs {
    /// # Errors
    ///
    /// Usage errors for wrong settings and players, failures for what goes wrong in play.
    pub fn run(self, common: &Common) -> Result<(), Failure> {
        let mut settings: Settings = common.settings()?;
        common.override_rules(&mut settings.rules);
        settings.seed = common.seed.unwrap_or(settings.seed);
        settings.search.visits = self.visits.unwrap_or(settings.search.visits);
        dispatch(common.game(), Contest { settings, arguments: self, common })
    }
}

struct Contest<'a> {
    settings: Settings,
    arguments: MatchArgs,
    common: &'a Common,
}

impl Task for Contest<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Result<(), Failure> {
        let Self { settings, arguments, common } = self;
        let rules = common.load_rules::<G>(&settings.rules)?;
        let search = settings.search.without_exploration();
        let first = Entrant::read::<G>(&arguments.first, &search)?;
        let second = Entrant::read::<G>(&arguments.second, &search)?;
        let contest = Match::<G> {
            rules: &rules,
            players: [first.player(0), second.player(1)],
            pairs: arguments.games.get() / 2,
            seed: settings.seed,
        };
        let judges = || -> Result<_, EvalError> { Ok(vec![first.who.evaluator()?, second.who.evaluator()?]) };
        let progress = TerminalProgress::new(common.quiet);
        let score = contest.play(&common.pool()?, &judges, &progress)?;
        drop(progress);
        print_line(format_args!(
            "{} against {}, {} visits a move",
            arguments.first, arguments.second, search.visits
        ))?;
        print_line(score)?;
        Ok(())
    }
}

/// A player as named on the command line, with the search it plays by.
struct Entrant {
    name: String,
    who: PlayerSpec,
    search: SearchConfig,
}

impl Entrant {
    /// Reads `PLAYER` or `PLAYER,KEY=VALUE,…`, the settings changing `search`, and makes sure that the
    /// player can play.
    fn read<G: Game>(text: &str, search: &SearchConfig) -> Result<Self, Failure> {
        let mut parts = text.split(',');
        let who: PlayerSpec = parts.next().unwrap_or_default().parse().map_err(Failure::usage)?;
        let search = adjusted(search, parts).map_err(Failure::usage)?;
        who.evaluator::<G>().map_err(Failure::usage)?;
        Ok(Self { name: text.to_owned(), who, search })
    }

    fn player(&self, judge: usize) -> Player {
        Player { name: self.name.clone(), mind: self.who.mind(judge, &self.search) }
    }
}
