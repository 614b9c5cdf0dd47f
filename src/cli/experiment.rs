//! `facedown experiment`: a player who keeps to what players say, against itself.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::contest::{EvenGames, interrupted, named, open_dataset, pin_weights, play, sequential_test};
use super::{Common, Entrant, Failure, print, print_line};
use crate::analysis::{Section, section_to_json};
use crate::arena::{Counted, End, Judges, Match, PAIRS_PER_SHARD, Pairing, Sprt, Standing};
use crate::eval::{EvalError, Evaluator, Plain};
use crate::game::Game;
use crate::rules::{GameKind, Task, dispatch};
use crate::search::{SearchConfig, Visits};
use crate::study::{self, Behaviour, Dose, LockBonus, Trial};
use crate::tables::{Mind, Player};

/// Try what players say: a player that keeps to a claim against the same player unbound
///
/// In both games of a pair the same pieces turn up, the players change seats, and everything random is shared, so
/// that they differ only from where the claim makes a difference on. Reports the score with and without the luck,
/// how often the claim forbade a move, and a verdict.
#[derive(Debug, Args)]
pub struct ExperimentArgs {
    /// The claim, and which way it is tried: T1, T1-safest, T4-front, T4-back, T5, T8, T9 (Jieqi), Q1 (Banqi)
    #[arg(value_name = "CLAIM")]
    claim: Option<Trial>,
    /// Who plays on both sides
    #[arg(long, alias = "net", value_name = "PLAYER")]
    player: Option<String>,
    /// How many games, an even number [default: 1000]
    #[arg(long, value_name = "N")]
    games: Option<EvenGames>,
    /// Simulations a move
    #[arg(long, value_name = "V")]
    visits: Option<Visits>,
    /// Stop as soon as a sequential test tells a difference of ELO0 points from one of ELO1
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Who judges luck, as in `facedown match` [default: material]
    #[arg(long, value_name = "JUDGE")]
    judge: Option<String>,
    /// Keep the games as a dataset; an experiment that was cut off goes on where it stands
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON value
    #[arg(long)]
    json: bool,
}

/// Settings a config file may hold for an experiment, and what `run.toml` keeps of one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    /// The claim; none if empty.
    claim: String,
    rules: String,
    seed: u64,
    player: String,
    games: EvenGames,
    judge: String,
    /// As in a match.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    weights: Vec<String>,
    pairs_per_shard: NonZeroU32,
    sprt: Option<Sprt>,
    dose: Dose,
    /// The search of both players; noise and temperature are off unless the player turns them on.
    search: SearchConfig,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            claim: String::new(),
            rules: String::new(),
            seed: 0,
            player: String::new(),
            games: EvenGames::literal(1000),
            judge: Plain::Material.name().into(),
            weights: Vec::new(),
            pairs_per_shard: const { NonZeroU32::new(PAIRS_PER_SHARD).unwrap() },
            sprt: None,
            dose: Dose::default(),
            search: SearchConfig::default(),
        }
    }
}

impl ExperimentArgs {
    /// # Errors
    ///
    /// Usage errors for a wrong claim, player or setting, failures for what goes wrong in play.
    pub fn run(self, common: &Common) -> Result<(), Failure> {
        let mut settings: Settings = common.settings()?;
        common.override_rules(&mut settings.rules);
        settings.claim = self.claim.map_or(settings.claim, |claim| claim.name().into());
        settings.seed = common.seed.unwrap_or(settings.seed);
        settings.player = self.player.unwrap_or(settings.player);
        settings.games = self.games.unwrap_or(settings.games);
        settings.judge = self.judge.unwrap_or(settings.judge);
        settings.sprt = self.sprt.or(settings.sprt);
        settings.search.visits = self.visits.unwrap_or(settings.search.visits);
        if settings.claim.is_empty() {
            return Err(Failure::usage("no claim named; say what to try, like T1"));
        }
        named(&settings.player, "--player")?;
        let trial: Trial = settings.claim.parse().map_err(Failure::usage)?;
        let game: GameKind = trial.board().game().parse()?;
        match common.game {
            Some(asked) if asked != game => {
                Err(Failure::usage(format!("--game {asked}: {trial} is about {game}")))
            }
            _ => dispatch(game, Experiment { trial, settings, out: self.out, json: self.json, common }),
        }
    }
}

struct Experiment<'a> {
    trial: Trial,
    settings: Settings,
    out: Option<PathBuf>,
    json: bool,
    common: &'a Common,
}

impl Task for Experiment<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Result<(), Failure> {
        let Self { trial, mut settings, out, json, common } = self;
        let rules = common.load_rules::<G>(&settings.rules)?;
        let search = settings.search.without_exploration();
        let entrant = Entrant::read::<G>(&settings.player, &search, common.device())?;
        let judge = Entrant::read_judge::<G>(&settings.judge, &search, common.device())?;
        let free = entrant.player(1);
        let behaviour = trial.behaviour(&settings.dose);
        let bound = bound(entrant.player(0), trial, &behaviour)?;
        let contest = Match::<G> {
            rules: &rules,
            players: [bound, free],
            pairs: settings.games.pairs(),
            pairing: Pairing::Squares,
            mirrored: true,
            pairs_per_shard: settings.pairs_per_shard.get(),
            sprt: settings.sprt,
            counted: Counted::AsItFell,
            seed: settings.seed,
        };
        let kept = out.as_deref();
        pin_weights(&mut settings.weights, &[&entrant, &judge], kept.is_some())?;
        let dataset = kept.map(|out| open_dataset::<G, _>(out, &rules, &settings)).transpose()?;
        let bound_evaluator = || -> Result<Box<dyn Evaluator<G>>, EvalError> {
            let evaluator = entrant.evaluator()?;
            Ok(match behaviour {
                Behaviour::PaysForLocks(bonus) => Box::new(LockBonus::new(evaluator, bonus)),
                Behaviour::Forbids(_) => evaluator,
            })
        };
        let judges = Judges {
            players: &|| -> Result<_, EvalError> { Ok(vec![bound_evaluator()?, entrant.evaluator()?]) },
            luck: &|| judge.judge(),
        };
        let standing = play(&contest, &judges, dataset.as_ref(), common)?;
        if standing.end == End::Interrupted {
            return Err(interrupted(kept));
        }
        let section = told(trial, &settings, &standing);
        show(&section, json)
    }
}

/// Prints what came of an experiment.
pub fn show(section: &Section, json: bool) -> Result<(), Failure> {
    if json {
        return Ok(print_line(format_args!("{:#}", section_to_json(section)))?);
    }
    section.tables.iter().try_for_each(|table| print(table.to_text()))?;
    print_line("")?;
    Ok(section.notes.iter().try_for_each(|note| print_line(format_args!("- {note}")))?)
}

/// The player that keeps to the claim.
fn bound(player: Player, trial: Trial, behaviour: &Behaviour) -> Result<Player, Failure> {
    let restraint = match behaviour {
        Behaviour::Forbids(restraint) => Some(restraint.clone()),
        Behaviour::PaysForLocks(_) if matches!(player.mind, Mind::Random) => {
            let name = &player.name;
            return Err(Failure::usage(format!(
                "player `{name}`: values nothing, and {trial} is about values"
            )));
        }
        Behaviour::PaysForLocks(_) => None,
    };
    Ok(Player { name: format!("{} keeping to {trial}", player.name), restraint, ..player })
}

/// What came of it, in words and figures.
fn told(trial: Trial, settings: &Settings, standing: &Standing) -> Section {
    let player = format!("{} at {} visits a move", settings.player, settings.search.visits);
    let mut section = study::section(trial, &settings.dose, &player, standing);
    section.notes.push(format!("Luck is judged by {}.", settings.judge));
    if let Some(line) = settings.sprt.and_then(|sprt| sequential_test(&sprt, standing)) {
        section.notes.push(format!(
            "A {line}. Where it ends the games early the score lies further from one half than the truth, and \
             the intervals promise too much: the test's own verdict is what holds."
        ));
    }
    section
}
