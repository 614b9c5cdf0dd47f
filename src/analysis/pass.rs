//! One pass over a dataset: shards in parallel, their reports merged in order.

use std::collections::{BTreeMap, HashSet};

use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::AnalysisError;
use super::board::Board;
use super::report::{Report, Section};
use super::rows::{GAME_COLUMNS, PLY_COLUMNS, each_game, each_ply};
use crate::record::{Reader, Shard, Table};

/// What the games of one rule set say.
#[derive(Debug, Clone)]
pub struct Findings {
    /// The game's name.
    pub game: String,
    pub board: Board,
    /// The rule set's name.
    pub rules: String,
    pub games: u64,
    pub plies: u64,
    pub sections: Vec<Section>,
}

impl Findings {
    /// The rule set's name as a part of paths and links: it comes from a file, and must not lead anywhere.
    pub fn slug(&self) -> String {
        self.rules.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "_")
    }
}

/// Runs the report `R` over a dataset, for each of its rule sets by itself, in the order of their names.
///
/// `rules` keeps to the rule set of that name. What is found does not depend on `threads`.
///
/// # Errors
///
/// If no report knows the game, the asked rule set is not there, two different ones go by one name, a
/// shard's two tables do not fit together, a game is there twice, or a file cannot be read.
pub fn analyze<R: Report>(
    reader: &Reader,
    rules: Option<&str>,
    threads: usize,
) -> Result<Vec<Findings>, AnalysisError> {
    let board = Board::of_game(reader.game())?;
    let by_rules = shards_by_rules(reader)?;
    if let Some(asked) = rules
        && !by_rules.contains_key(asked)
    {
        let found = by_rules.into_keys().collect::<Vec<_>>().join(", ");
        return Err(AnalysisError::NoSuchRules { asked: asked.into(), found });
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|source| AnalysisError::Threads { threads, source })?;
    (by_rules.into_iter())
        .filter(|(name, _)| rules.is_none_or(|asked| asked == *name))
        .map(|(name, shards)| {
            let read = pool.install(|| shards.par_iter().map(|shard| ReadShard::of(shard, board)).collect());
            let rules = Findings {
                game: reader.game().into(),
                board,
                rules: name.into(),
                games: shards.iter().map(|shard| shard.file(Table::Games).rows()).sum(),
                plies: shards.iter().map(|shard| shard.file(Table::Plies).rows()).sum(),
                sections: merged::<R>(read, board)?.finish(),
            };
            Ok(rules)
        })
        .collect()
}

/// The shards of each rule set, by its name. The same name must stand for the same rules.
fn shards_by_rules(reader: &Reader) -> Result<BTreeMap<&str, Vec<&Shard>>, AnalysisError> {
    let mut by_rules: BTreeMap<&str, Vec<&Shard>> = BTreeMap::new();
    for shard in reader.shards() {
        let file = shard.file(Table::Plies);
        let known = by_rules.entry(file.rules()).or_default();
        if let Some(first) = known.first().map(|shard| shard.file(Table::Plies))
            && first.rules_text() != file.rules_text()
        {
            return Err(AnalysisError::RulesDiffer {
                rules: file.rules().into(),
                file: file.path().into(),
                first: first.path().into(),
            });
        }
        known.push(shard);
    }
    Ok(by_rules)
}

/// What one shard gave.
struct ReadShard<'a, R> {
    shard: &'a str,
    games: Vec<u64>,
    report: R,
}

impl<'a, R: Report> ReadShard<'a, R> {
    fn of(shard: &'a Shard, board: Board) -> Result<Self, AnalysisError> {
        let mut report = R::new(board);
        report.absorb_bytes(Table::ALL.iter().map(|&table| shard.file(table).bytes()).sum());
        let (mut games, mut expected) = (Vec::new(), 0);
        for group in shard.file(Table::Games).row_groups() {
            each_game(&group.read(GAME_COLUMNS)?, |game| {
                games.push(game.game_id);
                expected += u64::from(game.plies);
                report.absorb_game(game);
            })?;
        }
        let file = shard.file(Table::Plies);
        if file.rows() != expected {
            return Err(AnalysisError::PlyCount {
                file: file.path().into(),
                shard: shard.name().into(),
                found: file.rows(),
                expected,
            });
        }
        let mut together = Together::default();
        for group in file.row_groups() {
            each_ply(&group.read(PLY_COLUMNS)?, |ply| {
                together.see(ply.game_id);
                report.absorb_ply(ply);
            })?;
        }
        match together.scattered {
            Some(game_id) => Err(AnalysisError::ScatteredGame { file: file.path().into(), game_id }),
            None => Ok(Self { shard: shard.name(), games, report }),
        }
    }
}

/// Watches that the plies of each game come one after the other, which the intervals rely on.
#[derive(Default)]
struct Together {
    seen: HashSet<u64>,
    current: Option<u64>,
    scattered: Option<u64>,
}

impl Together {
    fn see(&mut self, game_id: u64) {
        if self.current != Some(game_id) {
            self.current = Some(game_id);
            if !self.seen.insert(game_id) {
                self.scattered.get_or_insert(game_id);
            }
        }
    }
}

/// The shards' reports as one, merged in order; of several errors the first.
fn merged<R: Report>(
    read: Vec<Result<ReadShard<'_, R>, AnalysisError>>,
    board: Board,
) -> Result<R, AnalysisError> {
    let mut shard_of = BTreeMap::new();
    let mut report = R::new(board);
    for read in read {
        let read = read?;
        for game_id in read.games {
            if let Some(first) = shard_of.insert(game_id, read.shard) {
                let (first, second) = (first.into(), read.shard.into());
                return Err(AnalysisError::RepeatedGame { game_id, first, second });
            }
        }
        report.merge(read.report);
    }
    Ok(report)
}
