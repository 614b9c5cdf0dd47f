//! `facedown probe`: single flips forced in positions of a dataset, and played out.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::contest::named;
use super::dataset::{self, rules_meant};
use super::experiment::show;
use super::{Common, Entrant, Failure, TerminalProgress};
use crate::game::{Game, Profile};
use crate::record::{OnBroken, Reader, Table};
use crate::rules::{Task, dispatch};
use crate::search::{SearchConfig, Visits};
use crate::study::{Probe, ProbeError, SitesError, probed, sites};
use crate::tables::{Mind, RoomError};
use crate::units::Count;

/// Force single flips in positions of games, play each out, and tell what the flip alone does
///
/// Positions are drawn in which there is a flip onto a square that the opponent controls and one onto a free
/// square, one of a game. Every such flip, and the best move that turns nothing up, is played and the player goes
/// on with both sides; in each playout all of them meet the same hidden pieces in the same order.
#[derive(Debug, Args)]
pub struct ProbeArgs {
    /// The dataset: a folder with games/ and plies/ in it
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Who plays the positions out
    #[arg(long, alias = "net", value_name = "PLAYER")]
    player: Option<String>,
    /// How many positions [default: 100]
    #[arg(long, value_name = "N")]
    positions: Option<Count<1_000_000>>,
    /// Playouts of every move, in each of two halves of which one chooses the best and the other scores it
    /// [default: 8]
    #[arg(long, value_name = "K")]
    playouts: Option<Count<10_000>>,
    /// Simulations a move
    #[arg(long, value_name = "V")]
    visits: Option<Visits>,
    /// Print one JSON value
    #[arg(long)]
    json: bool,
}

/// Settings a config file may hold for a probe.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    /// Which games of the dataset; all, if they are by one rule set, where empty.
    rules: String,
    seed: u64,
    player: String,
    positions: Count<1_000_000>,
    playouts: Count<10_000>,
    search: SearchConfig,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rules: String::new(),
            seed: 0,
            player: String::new(),
            positions: Count::literal(100),
            playouts: Count::literal(8),
            search: SearchConfig::default(),
        }
    }
}

impl ProbeArgs {
    /// # Errors
    ///
    /// Usage errors for a wrong player or setting, failures for what is wrong with the dataset or goes wrong in
    /// play.
    pub fn run(self, common: &Common) -> Result<(), Failure> {
        let mut settings: Settings = common.settings()?;
        common.override_rules(&mut settings.rules);
        settings.seed = common.seed.unwrap_or(settings.seed);
        settings.player = self.player.unwrap_or(settings.player);
        settings.positions = self.positions.unwrap_or(settings.positions);
        settings.playouts = self.playouts.unwrap_or(settings.playouts);
        settings.search.visits = self.visits.unwrap_or(settings.search.visits);
        named(&settings.player, "--player")?;
        let reader = dataset::open(&self.data, OnBroken::Fail)?;
        common.check_game(reader.game())?;
        let rules = rules_asked(&settings.rules, &reader, &self.data)?;
        let task = Probing { settings, reader: &reader, rules: &rules, json: self.json, common };
        dispatch(reader.game().parse()?, task)
    }
}

/// The name in the dataset of the rule set that is meant.
fn rules_asked(given: &str, reader: &Reader, data: &Path) -> Result<String, Failure> {
    if !given.is_empty() {
        return rules_meant(given, reader);
    }
    let names: Vec<&str> = reader.rules().into_iter().collect();
    match names[..] {
        [only] => Ok(only.into()),
        _ => {
            let (data, names) = (data.display(), names.join(", "));
            Err(Failure::usage(format!("{data}: games by the rules {names}; --rules says which are meant")))
        }
    }
}

struct Probing<'a> {
    settings: Settings,
    reader: &'a Reader,
    rules: &'a str,
    json: bool,
    common: &'a Common,
}

impl Task for Probing<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Result<(), Failure> {
        let Self { settings, reader, rules: name, json, common } = self;
        let rules = Arc::new(rules_of::<G>(reader, name)?);
        let search = settings.search.without_exploration();
        let entrant = Entrant::read::<G>(&settings.player, &search, common.device())?;
        let Mind::Search { config: search, time: None, .. } = entrant.player(0).mind else {
            let player = &settings.player;
            return Err(Failure::usage(format!("player `{player}`: expected one that searches by visits")));
        };
        let found = sites::<G>(reader, (name, &rules), settings.positions.size(), settings.seed);
        let sites = found.map_err(|error| match error {
            SitesError::Nowhere { .. } => Failure::usage(error),
            error => Failure::failed(error),
        })?;
        let playouts = settings.playouts.get() as u32;
        let probe = Probe { name: settings.player.clone(), search, playouts, seed: settings.seed };
        let progress = TerminalProgress::new(common.quiet);
        let contrasts = probe.run(&sites, &common.pool()?, &|| entrant.evaluator(), &progress);
        drop(progress);
        let contrasts = contrasts.map_err(|error| match error {
            ProbeError::Room(RoomError::Interrupted) => Failure::failed("interrupted; nothing is kept"),
            error => Failure::failed(error),
        })?;
        let how = format!(
            "Probed: {} positions of games by the rules {name}, each move played out {} times by {} at {} visits a \
             move.",
            sites.len(),
            2 * playouts,
            settings.player,
            search.visits
        );
        show(&probed(&contrasts, how), json)
    }
}

/// The rules of that name as the dataset has them.
fn rules_of<G: Game>(reader: &Reader, name: &str) -> Result<G::Profile, Failure> {
    let mut files = reader.shards().iter().map(|shard| shard.file(Table::Plies));
    let file = files.find(|file| file.rules() == name);
    let file =
        file.ok_or_else(|| Failure::usage(format!("the dataset holds no games by the rules {name}")))?;
    Ok(G::Profile::from_toml(file.rules_text(), &file.path().display().to_string())?)
}
