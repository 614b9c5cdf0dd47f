//! `facedown ladder`: all checkpoints of runs on one scale, and what each had cost.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::contest::{EvenGames, open_dataset};
use super::{Common, Entrant, Failure, TerminalProgress, print_line};
use crate::analysis::stats::{Estimate, Interval};
use crate::analysis::{
    AnalysisError, Cell, Columns, Curve, CurvePlot, CurvePoint, IntervalPlot, IntervalRow, Row, Table,
    curve_picture, picture,
};
use crate::arena::{Counted, End, Judges, Ladder, Match, Meeting, PAIRS_PER_SHARD, Pairing, Rung};
use crate::eval::{EvalError, Plain};
use crate::game::Game;
use crate::metrics::{self, Told};
use crate::net::{has_weights, note_rating};
use crate::pipeline::rating_of;
use crate::record::whole_file;
use crate::rules::{Task, dispatch};
use crate::search::{SearchConfig, Visits};

/// Rate all checkpoints of a run on one scale
///
/// Every checkpoint meets the one before it and the anchor, whose rating is 0. The ratings are the likeliest under
/// all results together. Prints a table and writes ladder.csv, ladder.svg and curve.svg, Elo against hours of cores
/// spent on self-play and training, into RUN/ladder, where the games are kept too: a ladder that was cut off goes on,
/// and one of a run that has grown plays what is new. Each checkpoint's card tells its rating.
#[derive(Debug, Args)]
pub struct LadderArgs {
    /// The folder of the run; may be repeated, for runs beside one another
    #[arg(long = "run", value_name = "DIR", required = true)]
    runs: Vec<PathBuf>,
    /// Draw the curves of all runs into this SVG file
    #[arg(long, value_name = "FILE")]
    curves: Option<PathBuf>,
    /// Games of every meeting, an even number [default: 100]
    #[arg(long, value_name = "N")]
    games: Option<EvenGames>,
    /// Simulations a move
    #[arg(long, value_name = "V")]
    visits: Option<Visits>,
    /// Whose rating is 0 [default: random]
    #[arg(long, value_enum)]
    anchor: Option<Anchor>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Anchor {
    Random,
    Material,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Material => Plain::Material.name(),
        }
    }
}

/// Settings a config file may hold for a ladder, and what `run.toml` of each meeting keeps.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    /// The rule set, by name or path; the game's first if empty.
    rules: String,
    seed: u64,
    games: EvenGames,
    anchor: Anchor,
    search: SearchConfig,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rules: String::new(),
            seed: 0,
            games: EvenGames::literal(100),
            anchor: Anchor::Random,
            search: SearchConfig::default(),
        }
    }
}

impl LadderArgs {
    /// # Errors
    ///
    /// Usage errors for wrong settings or a folder without checkpoints, failures for what goes wrong in play.
    pub fn run(self, common: &Common) -> Result<(), Failure> {
        let mut settings: Settings = common.settings()?;
        common.override_rules(&mut settings.rules);
        settings.seed = common.seed.unwrap_or(settings.seed);
        settings.games = self.games.unwrap_or(settings.games);
        settings.anchor = self.anchor.unwrap_or(settings.anchor);
        settings.search.visits = self.visits.unwrap_or(settings.search.visits);
        dispatch(common.game(), Climb { settings, args: self, common })
    }
}

/// The folder of a run's networks.
const CHECKPOINTS: &str = "checkpoints";

struct Climb<'a> {
    settings: Settings,
    args: LadderArgs,
    common: &'a Common,
}

/// What a meeting is, as `run.toml` keeps it: with other networks of the same names it is another one.
#[derive(Serialize, Deserialize)]
struct Pinned {
    weights: [String; 2],
    /// Shards of another size would be taken for others.
    pairs_per_shard: u32,
    #[serde(flatten)]
    settings: Settings,
}

fn weights(climber: &Climber) -> Result<String, Failure> {
    Ok(climber.entrant.weights()?.unwrap_or_default())
}

/// A player on the ladder.
struct Climber {
    name: String,
    entrant: Entrant,
}

impl Task for Climb<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Result<(), Failure> {
        let anchor = self.settings.anchor.name();
        let terms = format!("{} visits a move", self.settings.search.visits);
        let title = format!("Elo above {anchor}, {terms}");
        let mut curves = Vec::new();
        for run in &self.args.runs {
            let steps = self.climb::<G>(run)?;
            for Step { name, rung, .. } in &steps[1..] {
                note_rating(&run.join(CHECKPOINTS).join(name), rating_of(rung, anchor, &terms))?;
            }
            let table = table(&steps);
            let folder = run.join("ladder");
            let curve = curve(run, &steps);
            write(&folder.join("ladder.csv"), &table.to_csv())?;
            write(&folder.join("ladder.svg"), &picture(&plot(&steps), &title))?;
            if !curve.points.is_empty() {
                write(&folder.join("curve.svg"), &drawn(vec![curve.clone()], &title))?;
                curves.push(curve);
            }
            print_line(table.to_text().trim_end())?;
        }
        match &self.args.curves {
            Some(path) if curves.is_empty() => Err(Failure::failed(format!(
                "{}: not drawn: no run tells what its networks cost, as runs of earlier versions do not",
                path.display()
            ))),
            Some(path) => write(path, &drawn(curves, &title)),
            None => Ok(()),
        }
    }
}

/// A player with its rating.
struct Step {
    name: String,
    rung: Rung,
    /// Hours of cores that its run had learned for by then, where the run tells.
    core_hours: Option<f64>,
}

impl Climb<'_> {
    /// Rates the checkpoints of a run, the anchor first.
    fn climb<G: Game>(&self, run: &Path) -> Result<Vec<Step>, Failure> {
        let search = self.settings.search.without_exploration();
        let device = self.common.device();
        let anchor = self.settings.anchor.name();
        let mut climbers =
            vec![Climber { name: anchor.into(), entrant: Entrant::read::<G>(anchor, &search, device)? }];
        for path in checkpoints(run)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let entrant = Entrant::read::<G>(&path.to_string_lossy(), &search, device)?.named(&name);
            climbers.push(Climber { name, entrant });
        }
        let meetings = self.play_all::<G>(&climbers, &run.join("ladder"))?;
        let costs = costs(run)?;
        let rungs = Ladder::fit(climbers.len(), &meetings).rungs;
        let step = |(Climber { name, .. }, rung)| {
            let core_hours = costs.get(&name).copied();
            Step { name, rung, core_hours }
        };
        Ok(climbers.into_iter().zip(rungs).map(step).collect())
    }

    /// Plays what has not been played yet: every checkpoint against the one before it and the anchor.
    fn play_all<G: Game>(&self, climbers: &[Climber], folder: &Path) -> Result<Vec<Meeting>, Failure> {
        let rules = self.common.load_rules::<G>(&self.settings.rules)?;
        let pool = self.common.pool()?;
        let progress = TerminalProgress::new(self.common.quiet);
        let mut meetings = Vec::new();
        for player in 1..climbers.len() {
            let opponents = if player == 1 { vec![0] } else { vec![player - 1, 0] };
            for opponent in opponents {
                let [one, other] = [&climbers[player], &climbers[opponent]];
                let dataset = open_dataset::<G, _>(
                    &folder.join(format!("{}-{}", one.name, other.name)),
                    &rules,
                    &Pinned {
                        weights: [weights(one)?, weights(other)?],
                        pairs_per_shard: PAIRS_PER_SHARD,
                        settings: self.settings.clone(),
                    },
                )?;
                let contest = Match::<G> {
                    rules: &rules,
                    players: [one.entrant.player(0), other.entrant.player(1)],
                    pairs: self.settings.games.pairs(),
                    pairing: Pairing::default(),
                    mirrored: false,
                    pairs_per_shard: PAIRS_PER_SHARD,
                    sprt: None,
                    counted: Counted::AsItFell,
                    seed: self.settings.seed,
                };
                let judges = Judges {
                    players: &|| -> Result<_, EvalError> {
                        Ok(vec![one.entrant.evaluator()?, other.entrant.evaluator()?])
                    },
                    luck: &|| Ok(Plain::Uniform.evaluator()),
                };
                let standing = contest.play(&pool, &judges, Some(&dataset), &progress)?;
                if standing.end == End::Interrupted {
                    return Err(Failure::failed("interrupted; the same command goes on"));
                }
                meetings.push(Meeting { players: [player, opponent], score: standing.score().clone() });
            }
        }
        Ok(meetings)
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let unwritable = |source| AnalysisError::Unwritable { path: path.into(), source };
    Ok(whole_file::write(path, text.as_bytes()).map_err(unwritable)?)
}

/// The finished checkpoints of a run, oldest first.
fn checkpoints(run: &Path) -> Result<Vec<PathBuf>, Failure> {
    let folder = run.join(CHECKPOINTS);
    let nothing = || Failure::usage(format!("{}: no finished checkpoint in it", folder.display()));
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).map_err(|_| nothing())? {
        let entry = entry?;
        // A run may have cleared the weights of old networks away.
        if entry.file_name().to_string_lossy().starts_with("gen-") && has_weights(&entry.path()) {
            found.push(entry.path());
        }
    }
    found.sort();
    if found.is_empty() { Err(nothing()) } else { Ok(found) }
}

/// For each checkpoint by its name, the hours of cores that the run had learned for when it was done.
fn costs(run: &Path) -> Result<BTreeMap<String, f64>, Failure> {
    let lines = metrics::read(run).map_err(|error| Failure::failed(error.to_string()))?;
    let seconds = metrics::learning_seconds(&lines);
    let done = lines.iter().zip(seconds).filter_map(|(line, seconds)| match &line.told {
        Told::Figures { series, at, .. } if series == "trained" => {
            Some((format!("gen-{:03}", at + 1), seconds? / 3600.0))
        }
        _ => None,
    });
    Ok(done.collect())
}

fn table(steps: &[Step]) -> Table {
    let columns = Columns::default()
        .plain("player", "player")
        .plain("games", "games")
        .estimate("elo", "Elo", "", 0, "")
        .real("core_hours", "core hours", "", 3);
    let row = |step: &Step| {
        let row = Row::default().text(&*step.name).count(step.rung.games);
        row.estimate(Some(estimate(&step.rung))).cell(step.core_hours.map_or(Cell::Missing, Cell::Real))
    };
    Table::new("ladder", "Ratings", columns, steps.iter().map(row).collect())
}

fn plot(steps: &[Step]) -> IntervalPlot {
    let row = |step: &Step| IntervalRow { label: step.name.clone(), estimate: estimate(&step.rung) };
    IntervalPlot { rows: steps.iter().map(row).collect(), unit: "Elo", mark: 0.0 }
}

fn curve(run: &Path, steps: &[Step]) -> Curve {
    let point = |step: &Step| {
        Some(CurvePoint { name: step.name.clone(), cost: step.core_hours?, estimate: estimate(&step.rung) })
    };
    let name = run.canonicalize().unwrap_or_else(|_| run.into());
    let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Curve { name, points: steps.iter().filter_map(point).collect() }
}

fn drawn(curves: Vec<Curve>, title: &str) -> String {
    let plot = CurvePlot { title: title.into(), curves, unit: "hours of cores, in self-play and training" };
    curve_picture(&plot, title)
}

fn estimate(rung: &Rung) -> Estimate {
    let interval = Interval { low: rung.elo - rung.half_width, high: rung.elo + rung.half_width };
    Estimate { value: rung.elo, interval: Some(interval), observations: rung.games, games: rung.games }
}
