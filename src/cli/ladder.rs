//! `facedown ladder`: all checkpoints of a run on one scale.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::contest::{EvenGames, open_dataset};
use super::{Common, Entrant, Failure, TerminalProgress, print_line};
use crate::analysis::stats::{Estimate, Interval};
use crate::analysis::{AnalysisError, Columns, IntervalPlot, IntervalRow, Row, Table, picture};
use crate::arena::{Counted, End, Judges, Ladder, Match, Meeting, Pairing, Rung};
use crate::eval::{EvalError, Plain};
use crate::game::Game;
use crate::net::has_weights;
use crate::record::whole_file;
use crate::rules::{Task, dispatch};
use crate::search::{SearchConfig, Visits};

/// Rate all checkpoints of a run on one scale
///
/// Every checkpoint meets the one before it and the anchor, whose rating is 0. The ratings are the likeliest under
/// all results together. Prints a table and writes ladder.csv and ladder.svg into RUN/ladder, where the games are
/// kept too: a ladder that was cut off goes on, and one of a run that has grown plays what is new.
#[derive(Debug, Args)]
pub struct LadderArgs {
    /// The folder of the run
    #[arg(long, value_name = "DIR")]
    run: PathBuf,
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
        dispatch(common.game(), Climb { settings, run: self.run, common })
    }
}

struct Climb<'a> {
    settings: Settings,
    run: PathBuf,
    common: &'a Common,
}

/// What a meeting is, as `run.toml` keeps it: with other networks of the same names it is another one.
#[derive(Serialize)]
struct Pinned<'a> {
    weights: [String; 2],
    #[serde(flatten)]
    settings: &'a Settings,
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
        let search = self.settings.search.without_exploration();
        let anchor = self.settings.anchor.name();
        let mut climbers =
            vec![Climber { name: anchor.into(), entrant: Entrant::read::<G>(anchor, &search)? }];
        for path in checkpoints(&self.run)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let entrant = Entrant::read::<G>(&path.to_string_lossy(), &search)?.named(&name);
            climbers.push(Climber { name, entrant });
        }
        let folder = self.run.join("ladder");
        let meetings = self.play_all::<G>(&climbers, &folder)?;
        let ladder = Ladder::fit(climbers.len(), &meetings);
        let rows: Vec<_> = climbers.iter().map(|climber| climber.name.as_str()).zip(&ladder.rungs).collect();
        let table = table(&rows);
        let title = format!("Elo above {anchor}, {} visits a move", search.visits);
        write(&folder.join("ladder.csv"), &table.to_csv())?;
        write(&folder.join("ladder.svg"), &picture(&plot(&rows), &title))?;
        print_line(table.to_text().trim_end())?;
        Ok(())
    }
}

impl Climb<'_> {
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
                let dataset = open_dataset::<G>(
                    &folder.join(format!("{}-{}", one.name, other.name)),
                    &rules,
                    &Pinned { weights: [weights(one)?, weights(other)?], settings: &self.settings },
                )?;
                let contest = Match::<G> {
                    rules: &rules,
                    players: [one.entrant.player(0), other.entrant.player(1)],
                    pairs: self.settings.games.pairs(),
                    pairing: Pairing::default(),
                    mirrored: false,
                    pairs_per_shard: 32,
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
    let folder = run.join("checkpoints");
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

fn table(rows: &[(&str, &Rung)]) -> Table {
    let columns = Columns::default()
        .plain("player", "player")
        .plain("games", "games")
        .estimate("elo", "Elo", "", 0, "");
    let row = |(name, rung): &(&str, &Rung)| {
        Row::default().text(*name).count(rung.games).estimate(Some(estimate(rung)))
    };
    Table::new("ladder", "Ratings", columns, rows.iter().map(row).collect())
}

fn plot(rows: &[(&str, &Rung)]) -> IntervalPlot {
    let row = |(name, rung): &(&str, &Rung)| IntervalRow { label: (*name).into(), estimate: estimate(rung) };
    IntervalPlot { rows: rows.iter().map(row).collect(), unit: "Elo", mark: 0.0 }
}

fn estimate(rung: &Rung) -> Estimate {
    let interval = Interval { low: rung.elo - rung.half_width, high: rung.elo + rung.half_width };
    Estimate { value: rung.elo, interval: Some(interval), observations: rung.games, games: rung.games }
}
