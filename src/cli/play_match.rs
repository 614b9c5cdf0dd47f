//! `facedown match`: pit two players against each other.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::contest::{EvenGames, interrupted, named, open_dataset, pin_weights, play, sequential_test};
use super::{Common, Entrant, Failure, print_line};
use crate::arena::{Counted, End, Judges, Match, PAIRS_PER_SHARD, Pairing, Sprt};
use crate::eval::{EvalError, Plain};
use crate::game::Game;
use crate::rules::{Task, dispatch};
use crate::search::{SearchConfig, Visits};

/// Pit two players against each other, on paired deals
///
/// A player is random, uniform, material, rollout, shipped (the network that comes with the program), or a
/// checkpoint's folder. Settings of its own may follow: those of the search, as in `material,visits=256` and `net=PATH,visits=64,cpuct=1.2`, and the time for a move,
/// as in `material,seconds=0.5`. What is played with limited time does not repeat.
///
/// Besides the score as it fell, it reports the score less the luck: at everything that chance decided, the
/// value of what came less what was to be expected is taken off, by the odds of the whole truth and in the eyes
/// of a judge that is named before the match.
#[derive(Debug, Args)]
pub struct MatchArgs {
    /// The player whose score is counted
    #[arg(long, value_name = "PLAYER")]
    first: Option<String>,
    /// The opponent
    #[arg(long, value_name = "PLAYER")]
    second: Option<String>,
    /// How many games, an even number: the same pieces turn up in both games of a pair, the players changing
    /// seats [default: 200]
    #[arg(long, value_name = "N")]
    games: Option<EvenGames>,
    /// Simulations a move, of players that say nothing else
    #[arg(long, value_name = "V")]
    visits: Option<Visits>,
    /// Stop as soon as a sequential test tells a difference of ELO0 points from one of ELO1
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Who judges luck: uniform (hardly any luck is seen), material, rollout or a checkpoint; by search if
    /// settings follow, as in material,visits=64 [default: material]
    #[arg(long, value_name = "JUDGE")]
    judge: Option<String>,
    /// Keep the games as a dataset; a match that was cut off goes on where it stands
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Settings a config file may hold for a match, and what `run.toml` keeps of one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MatchSettings {
    /// The rule set, by name or path; the game's first if empty.
    rules: String,
    /// Of everything random; the deals of a match also hang on who plays.
    pub seed: u64,
    pub first: String,
    pub second: String,
    games: EvenGames,
    judge: String,
    /// Tells the weights of the players and of the judge from any others, in hexadecimal, empty where there are
    /// none; filled in by a match whose games are kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<String>,
    pairing: Pairing,
    /// Pairs that are kept and lost together.
    pairs_per_shard: NonZeroU32,
    pub sprt: Option<Sprt>,
    /// The search of both players; noise and temperature are off unless a player turns them on.
    pub search: SearchConfig,
}

impl Default for MatchSettings {
    fn default() -> Self {
        Self {
            rules: String::new(),
            seed: 0,
            first: String::new(),
            second: String::new(),
            games: EvenGames::literal(200),
            judge: Plain::Material.name().into(),
            weights: Vec::new(),
            pairing: Pairing::default(),
            pairs_per_shard: const { NonZeroU32::new(PAIRS_PER_SHARD).unwrap() },
            sprt: None,
            search: SearchConfig::default(),
        }
    }
}

impl MatchArgs {
    /// # Errors
    ///
    /// Usage errors for wrong settings and players, failures for what goes wrong in play.
    pub fn run(self, common: &Common) -> Result<(), Failure> {
        let mut settings: MatchSettings = common.settings()?;
        common.override_rules(&mut settings.rules);
        settings.seed = common.seed.unwrap_or(settings.seed);
        settings.first = self.first.unwrap_or(settings.first);
        settings.second = self.second.unwrap_or(settings.second);
        settings.games = self.games.unwrap_or(settings.games);
        settings.judge = self.judge.unwrap_or(settings.judge);
        settings.sprt = self.sprt.or(settings.sprt);
        settings.search.visits = self.visits.unwrap_or(settings.search.visits);
        named(&settings.first, "--first")?;
        named(&settings.second, "--second")?;
        dispatch(common.game(), Contest { settings, out: self.out, common })
    }
}

struct Contest<'a> {
    settings: MatchSettings,
    out: Option<PathBuf>,
    common: &'a Common,
}

impl Task for Contest<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Result<(), Failure> {
        let Self { mut settings, out, common } = self;
        let rules = common.load_rules::<G>(&settings.rules)?;
        let search = settings.search.without_exploration();
        let first = Entrant::read::<G>(&settings.first, &search, common.device())?;
        let second = Entrant::read::<G>(&settings.second, &search, common.device())?;
        let judge = Entrant::read_judge::<G>(&settings.judge, &search, common.device())?;
        let contest = Match::<G> {
            rules: &rules,
            players: [first.player(0), second.player(1)],
            pairs: settings.games.pairs(),
            pairing: settings.pairing,
            mirrored: false,
            pairs_per_shard: settings.pairs_per_shard.get(),
            sprt: settings.sprt,
            counted: Counted::AsItFell,
            seed: settings.seed,
        };
        let kept = out.as_deref();
        pin_weights(&mut settings.weights, &[&first, &second, &judge], kept.is_some())?;
        let dataset = kept.map(|out| open_dataset::<G, _>(out, &rules, &settings)).transpose()?;
        let judges = Judges {
            players: &|| -> Result<_, EvalError> { Ok(vec![first.evaluator()?, second.evaluator()?]) },
            luck: &|| judge.judge(),
        };
        let standing = play(&contest, &judges, dataset.as_ref(), common)?;
        let MatchSettings { first, second, judge, .. } = &settings;
        print_line(format_args!(
            "{first} against {second}, {} visits a move, luck by {judge}",
            search.visits
        ))?;
        print_line(&standing)?;
        if let Some(line) = settings.sprt.and_then(|sprt| sequential_test(&sprt, &standing)) {
            print_line(line)?;
        }
        match standing.end {
            End::Interrupted => Err(interrupted(kept)),
            End::AllPlayed | End::Decided(_) => Ok(()),
        }
    }
}
