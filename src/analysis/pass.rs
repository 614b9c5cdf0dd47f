//! One pass over a dataset: shards in parallel, their reports merged in order.

use std::collections::{BTreeMap, HashMap};

use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::AnalysisError;
use super::board::Board;
use super::report::{Report, Section, Setup};
use super::shard::ReadShard;
use crate::record::{OnBroken, Reader, Shard, Table};

/// Shards that are read before their reports are merged, for each thread: enough to keep all threads at
/// work, and so few that memory does not grow with the dataset.
const SHARDS_A_THREAD: usize = 4;

/// What a dataset is asked.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// Keeps to the rule set of that name.
    pub rules: Option<&'a str>,
    pub threads: usize,
    pub on_broken: OnBroken,
    /// Plies the tree of openings is deep.
    pub depth: u16,
    /// Games a branch of that tree must have to be shown.
    pub min_games: u64,
}

/// What a dataset answered.
#[derive(Debug)]
pub struct Answer {
    /// By rule set and players, in the order of their names.
    pub findings: Vec<Findings>,
    /// Why shards were left out; empty unless broken ones were to be skipped.
    pub left_out: Vec<AnalysisError>,
}

/// What the games of one rule set between the same players say.
#[derive(Debug, Clone)]
pub struct Findings {
    /// The game's name.
    pub game: String,
    pub board: Board,
    /// The rule set's name.
    pub rules: String,
    /// Who played both seats, and so whose values these are: `net-a`, or `net-a against net-b`.
    pub players: String,
    pub games: u64,
    pub plies: u64,
    /// Shards of the dataset that could not be read and are not in the figures.
    pub left_out: usize,
    pub sections: Vec<Section>,
}

impl Findings {
    /// The rule set and the players as a part of paths and links: they come from a file, and must not lead
    /// anywhere. The players are left out where `all` have the same.
    pub fn slug(&self, all: &[Findings]) -> String {
        let plain = |name: &str| name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "_");
        match all.iter().all(|other| other.players == self.players) {
            true => plain(&self.rules),
            false => format!("{}_{}", plain(&self.rules), plain(&self.players)),
        }
    }

    /// `wxf, played by net-a`.
    pub fn heading(&self) -> String {
        format!("{}, played by {}", self.rules, self.players)
    }
}

/// Runs the report `R` over a dataset, for each of its rule sets and each pair of players by itself: values
/// of two evaluators are never pooled.
///
/// What is found does not depend on the number of threads.
///
/// # Errors
///
/// If no report knows the game or this one is not about it, the asked rule set is not there, two different ones go by one name, a
/// shard's two tables do not fit together, a game is there twice, or a file cannot be read and broken ones
/// are not to be skipped.
pub fn analyze<R: Report>(reader: &Reader, question: &Question<'_>) -> Result<Answer, AnalysisError> {
    let board = Board::of_game(reader.game())?;
    if let Some(only) = R::ONLY.filter(|&only| only != board) {
        return Err(AnalysisError::OtherGame { expected: only.game(), found: board.game() });
    }
    let setup = Setup { board, depth: question.depth, min_games: question.min_games };
    let by_rules = shards_by_rules(reader)?;
    if let Some(asked) = question.rules
        && !by_rules.contains_key(asked)
    {
        let found = by_rules.into_keys().collect::<Vec<_>>().join(", ");
        return Err(AnalysisError::NoSuchRules { asked: asked.into(), found });
    }
    let threads = question.threads;
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|source| AnalysisError::Threads { threads, source })?;
    let mut answer = Answer { findings: Vec::new(), left_out: Vec::new() };
    let asked = |name: &str| question.rules.is_none_or(|asked| asked == name);
    for (rules, shards) in by_rules.into_iter().filter(|(name, _)| asked(name)) {
        let mut merged = Merged::<R>::default();
        for some in shards.chunks(SHARDS_A_THREAD * threads) {
            let read: Vec<_> =
                pool.install(|| some.par_iter().map(|shard| ReadShard::of(shard, &setup)).collect());
            for read in read {
                match read {
                    Ok(read) => merged.add(read)?,
                    Err(AnalysisError::Record(error))
                        if question.on_broken == OnBroken::Skip && error.is_broken_file() =>
                    {
                        answer.left_out.push(error.into());
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        answer.findings.extend(merged.finish(reader.game(), board, rules));
    }
    let left_out = answer.left_out.len() + reader.skipped().len();
    answer.findings.iter_mut().for_each(|found| found.left_out = left_out);
    Ok(answer)
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

/// The games of one pair of players.
pub struct Part<R> {
    pub games: u64,
    pub plies: u64,
    pub report: R,
}

/// The shards read so far as one.
struct Merged<'a, R> {
    shard_of: HashMap<u64, &'a str>,
    parts: BTreeMap<String, Part<R>>,
}

impl<R> Default for Merged<'_, R> {
    fn default() -> Self {
        Self { shard_of: HashMap::new(), parts: BTreeMap::new() }
    }
}

impl<'a, R: Report> Merged<'a, R> {
    fn add(&mut self, read: ReadShard<'a, R>) -> Result<(), AnalysisError> {
        for game_id in read.games {
            if let Some(first) = self.shard_of.insert(game_id, read.shard) {
                let (first, second) = (first.into(), read.shard.into());
                return Err(AnalysisError::RepeatedGame { game_id, first, second });
            }
        }
        for (players, part) in read.parts {
            match self.parts.get_mut(&players) {
                Some(known) => {
                    known.games += part.games;
                    known.plies += part.plies;
                    known.report.merge(part.report);
                }
                None => {
                    self.parts.insert(players, part);
                }
            }
        }
        Ok(())
    }

    fn finish(self, game: &str, board: Board, rules: &str) -> impl Iterator<Item = Findings> {
        self.parts.into_iter().map(move |(players, part)| Findings {
            game: game.into(),
            board,
            rules: rules.into(),
            players,
            games: part.games,
            plies: part.plies,
            left_out: 0,
            sections: part.report.finish(),
        })
    }
}
