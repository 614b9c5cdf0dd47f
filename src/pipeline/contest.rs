//! Matches that a run plays among its networks.

use std::path::{Path, PathBuf};
use std::slice;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::LoopError;
use super::work::Work;
use crate::arena::{Counted, End, Judges, Match, PAIRS_PER_SHARD, Pairing, Sprt, Standing};
use crate::eval::{EvalError, Evaluator, Plain};
use crate::game::Game;
use crate::net::weights_fingerprint;
use crate::record::{Dataset, DatasetInfo, RecordError, whole_file};
use crate::search::SearchConfig;
use crate::tables::{Mind, Player};

/// The folder of the gate's results and games.
pub const GATES: &str = "gates";

/// The folder of ratings, with the games they follow from.
pub const RATINGS: &str = "ratings";

/// A player of a run's own matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contestant {
    /// The network after so many generations.
    Network(u32),
    Plain(Plain),
}

/// How two contestants meet.
#[derive(Debug, Clone)]
pub struct Terms {
    pub games: u64,
    /// On the score less the luck.
    pub sprt: Option<Sprt>,
    /// Of luck.
    pub judge: Plain,
}

/// What a match is, as its dataset keeps it: with other networks or settings it is another match.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    players: [String; 2],
    /// What tells the players' weights from any others.
    weights: [String; 2],
    seed: u64,
    games: u64,
    sprt: Option<Sprt>,
    judge: String,
    pairs_per_shard: u32,
    search: SearchConfig,
}

impl Contestant {
    pub fn name(self) -> String {
        match self {
            Self::Network(generation) => format!("gen-{generation:03}"),
            Self::Plain(plain) => plain.name().into(),
        }
    }
}

impl<G: Game> Work<'_, G> {
    /// Plays a match whose games are kept in `folder`, or what is missing of it.
    pub fn contest(
        &self,
        folder: &Path,
        players: [Contestant; 2],
        terms: &Terms,
    ) -> Result<Standing, LoopError> {
        let config = self.run.config;
        let search = config.search.without_exploration();
        let mut weights = [const { String::new() }; 2];
        for (weights, player) in weights.iter_mut().zip(players) {
            *weights = self.weights(player)?;
        }
        let settings = Settings {
            players: players.map(Contestant::name),
            weights,
            seed: config.seed,
            games: terms.games,
            sprt: terms.sprt,
            judge: terms.judge.name().into(),
            pairs_per_shard: PAIRS_PER_SHARD,
            search,
        };
        let rules = &self.run.rules[0];
        let settings_text = toml::to_string(&settings).expect("settings are plain values");
        let info = DatasetInfo::new::<G>(slice::from_ref(rules), settings_text);
        let dataset = Dataset::create_or_resume_as::<Settings>(folder, info)?;
        let seat = |judge: usize| Player {
            name: players[judge].name(),
            mind: Mind::Search { judge, config: search, time: None },
            restraint: None,
        };
        let contest = Match::<G> {
            rules,
            players: [seat(0), seat(1)],
            pairs: u32::try_from(terms.games.div_ceil(2)).expect("a limit on games that fits"),
            pairing: Pairing::default(),
            mirrored: false,
            pairs_per_shard: PAIRS_PER_SHARD,
            sprt: terms.sprt,
            counted: Counted::LessLuck,
            seed: config.seed,
        };
        let judges = Judges {
            players: &|| players.map(|player| self.evaluator(player)).into_iter().collect(),
            luck: &|| Ok(terms.judge.evaluator()),
        };
        let played = contest.play(self.pool, &judges, Some(&dataset), self.metrics);
        let who = || players.map(Contestant::name).join(" and ");
        let standing = played.map_err(|source| LoopError::Match { who: who(), source: source.into() })?;
        match standing.end {
            End::Interrupted => Err(LoopError::Interrupted),
            _ => Ok(standing),
        }
    }

    /// What judges positions for a contestant.
    pub fn evaluator(&self, player: Contestant) -> Result<Box<dyn Evaluator<G>>, EvalError> {
        match player {
            Contestant::Network(generation) => self.network(generation),
            Contestant::Plain(plain) => Ok(plain.evaluator()),
        }
    }

    fn weights(&self, player: Contestant) -> Result<String, LoopError> {
        match player {
            Contestant::Plain(_) => Ok(String::new()),
            Contestant::Network(generation) => weights_fingerprint(&self.run.checkpoint(generation))
                .map(|fingerprint| format!("{fingerprint:016x}"))
                .map_err(|source| LoopError::Network { generation, source }),
        }
    }
}

/// A result that was written to `path`; none if there is none yet.
pub fn read_result<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, LoopError> {
    if !path.exists() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|source| LoopError::Folder { doing: "read", path: path.into(), source })?;
    let result = toml::from_str(&text).map_err(|source| LoopError::Result { path: path.into(), source })?;
    Ok(Some(result))
}

/// Writes a result to `path`, whole or not at all.
pub fn write_result(path: &Path, result: &impl Serialize) -> Result<(), LoopError> {
    let text = toml::to_string(result).expect("a result is plain values");
    whole_file::write(path, text.as_bytes())
        .map_err(|source| RecordError::Io { doing: "write", path: path.into(), source }.into())
}

/// The folders of results.
const KINDS: [&str; 2] = [GATES, RATINGS];

/// Removes results that a process left unfinished.
pub fn clear_leftovers(run: &Path) -> Result<(), LoopError> {
    let folders = KINDS.map(|kind| run.join(kind)).into_iter().chain([run.to_owned()]);
    for folder in folders.filter(|folder| folder.is_dir()) {
        let cleared = whole_file::remove_leftovers(&folder);
        cleared.map_err(|source| RecordError::Io { doing: "clear", path: folder, source })?;
    }
    Ok(())
}

/// The folder of a match, or the file of a result, among those of one kind.
pub fn place(run: &Path, kind: &str, name: &str) -> PathBuf {
    run.join(kind).join(name)
}
