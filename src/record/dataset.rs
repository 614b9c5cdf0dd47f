//! A folder of shards being written.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::reader::{Shard, parquet_files};
use super::schema::Table;
use super::table_file::TableFile;
use super::writer::{self, Says};
use super::{GameRecord, Reader, RecordError, whole_file};
use crate::game::{Game, Profile, fnv1a};
use crate::text::shown;

/// What the shards of a dataset say of themselves, in each of their files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatasetInfo {
    /// The game's name.
    pub game: String,
    /// At least one. A shard's games are played under one of them; shards take turns, as [`turn_of`] has it.
    pub rules: Vec<WrittenRules>,
    /// The run's settings, as TOML. Leave out what must not show in the files, like the number of threads.
    pub config: String,
}

/// A rule set as files keep it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenRules {
    pub name: String,
    /// All of it, as TOML.
    pub text: String,
}

impl DatasetInfo {
    /// Of games of `G`.
    ///
    /// # Panics
    ///
    /// If there are no rules.
    pub fn new<G: Game>(rules: &[Arc<G::Profile>], config: String) -> Self {
        assert!(!rules.is_empty(), "games are played under some rules");
        let written =
            |rules: &Arc<G::Profile>| WrittenRules { name: rules.name().into(), text: rules.to_toml() };
        Self { game: G::NAME.into(), rules: rules.iter().map(written).collect(), config }
    }

    /// The rules of a shard's games.
    pub(super) fn rules_of(&self, prefix: &str, number: u32) -> &WrittenRules {
        &self.rules[turn_of(prefix, number, self.rules.len())]
    }

    /// What the file of the rules says: the one rule set, or a table for each of several, by their names.
    fn rules_file(&self) -> String {
        if let [rules] = &self.rules[..] {
            return rules.text.clone();
        }
        let table = |rules: &WrittenRules| {
            let table: toml::Table = rules.text.parse().expect("written rules are TOML");
            (rules.name.clone(), toml::Value::Table(table))
        };
        self.rules.iter().map(table).collect::<toml::Table>().to_string()
    }
}

/// Whose turn it is among `count` rule sets in the shard of a number: one after the other, from one that hangs on the
/// prefix, so that generations of few shards do not all begin with the same.
pub fn turn_of(prefix: &str, number: u32, count: usize) -> usize {
    let first = fnv1a(prefix.as_bytes()) % count as u64;
    ((first + u64::from(number)) % count as u64) as usize
}

/// A dataset that grows by whole shards: a folder with `run.toml`, `rules.toml`, `games/` and `plies/`.
///
/// Shards may be written from many threads, and by several processes at once.
#[derive(Debug)]
pub struct Dataset {
    folder: PathBuf,
    info: DatasetInfo,
}

/// What there is of a shard.
#[derive(Debug)]
pub enum Found {
    Nothing,
    Whole,
    /// Its files are there, and one of them is damaged beyond reading: nothing is lost by writing it anew.
    Broken(RecordError),
}

const RUN_FILE: &str = "run.toml";
const RULES_FILE: &str = "rules.toml";

impl Dataset {
    /// Makes the folder, or goes on with one that holds the same run.
    ///
    /// Files that a killed process left unfinished are removed.
    ///
    /// # Errors
    ///
    /// If the folder holds another run, or shards of an unknown one, or cannot be written.
    pub fn create_or_resume(folder: &Path, info: DatasetInfo) -> Result<Self, RecordError> {
        let dataset = Self { folder: folder.into(), info };
        let has_rules = dataset.holds_same(RULES_FILE, &dataset.info.rules_file())?;
        let has_run = dataset.holds_same(RUN_FILE, &dataset.info.config)?;
        for (is_there, missing) in [(has_run, RUN_FILE), (has_rules, RULES_FILE)] {
            if !is_there {
                dataset.refuse_unknown_shards(missing)?;
            }
        }
        for table in Table::ALL {
            let folder = folder.join(table.name());
            fs::create_dir_all(&folder).map_err(io_error("make the folder", &folder))?;
            whole_file::remove_leftovers(&folder).map_err(io_error("clear", &folder))?;
        }
        whole_file::remove_leftovers(folder).map_err(io_error("clear", folder))?;
        dataset.claim(RULES_FILE, &dataset.info.rules_file())?;
        dataset.claim(RUN_FILE, &dataset.info.config)?;
        Ok(dataset)
    }

    /// As [`Dataset::create_or_resume`], where settings are an `S`: a folder holds the same run if its `run.toml` means
    /// the same, also one from before a key of the settings was there. It stays as it is, and so do new shards say.
    ///
    /// # Errors
    ///
    /// As [`Dataset::create_or_resume`].
    pub fn create_or_resume_as<S: Serialize + DeserializeOwned>(
        folder: &Path,
        info: DatasetInfo,
    ) -> Result<Self, RecordError> {
        let mut dataset = Self { folder: folder.into(), info };
        // Rules before settings: those of another game say most of what the folder holds.
        dataset.holds_same(RULES_FILE, &dataset.info.rules_file())?;
        let path = folder.join(RUN_FILE);
        if path.exists() && !whole_file::is_empty(&path) {
            let found = fs::read_to_string(&path).map_err(io_error("read", &path))?;
            match written_today::<S>(&found) {
                Some(today) if today == dataset.info.config => dataset.info.config = found,
                Some(today) => {
                    let difference = Difference::between(&today, &dataset.info.config);
                    let line = difference.line_in(&found);
                    return Err(difference.into_error(folder, RUN_FILE, line));
                }
                // Of another kind, which the lines will tell.
                None => {}
            }
        }
        Self::create_or_resume(folder, dataset.info)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What there is of a shard, to judge by what its two files say of themselves at their ends.
    ///
    /// # Errors
    ///
    /// If a file is whole but not of this run, of another schema version, or withheld by the system: it is
    /// then somebody's to keep.
    pub fn shard(&self, prefix: &str, number: u32) -> Result<Found, RecordError> {
        let name = shard_name(prefix, number);
        let [games, plies] = [Table::Games, Table::Plies].map(|table| self.path(table, &name));
        if !(games.exists() && plies.exists()) {
            return Ok(Found::Nothing);
        }
        match Shard::open(&games, &plies) {
            Ok(shard) => self.check_ours(&shard, self.info.rules_of(prefix, number)).map(|()| Found::Whole),
            // Plies that belong to another shard are whole, and may have no second copy.
            Err(error @ RecordError::SwappedShard { .. }) => Err(error),
            Err(error) if error.is_broken_file() && !is_withheld(&error) => Ok(Found::Broken(error)),
            Err(error) => Err(error),
        }
    }

    fn check_ours(&self, shard: &Shard, rules: &WrittenRules) -> Result<(), RecordError> {
        let DatasetInfo { game, config, .. } = &self.info;
        let is_ours = |file: &TableFile| {
            file.game() == game && file.rules_text() == rules.text && file.config() == config
        };
        match Table::ALL.map(|table| shard.file(table)).into_iter().find(|file| !is_ours(file)) {
            Some(file) => Err(RecordError::OtherRunsShard { file: file.path().into() }),
            None => Ok(()),
        }
    }

    /// The games of a finished shard, in the order they were written.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn read_shard(&self, prefix: &str, number: u32) -> Result<Vec<GameRecord>, RecordError> {
        Reader::open_shard(&self.folder, &shard_name(prefix, number))?.records().collect()
    }

    /// Writes a shard's two files, whole or not at all, the one that makes it count last.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn write_shard(&self, prefix: &str, number: u32, games: &[GameRecord]) -> Result<(), RecordError> {
        let shard = shard_name(prefix, number);
        let plies_path = self.path(Table::Plies, &shard);
        let games_path = self.path(Table::Games, &shard);
        let DatasetInfo { game, config, .. } = &self.info;
        let says = Says { shard: &shard, game, rules: self.info.rules_of(prefix, number), config };
        let plies_file = writer::plies_file(&plies_path, says, games)?;
        let games_file = writer::games_file(&games_path, says, games)?;
        // Readers go by games/: a shard whose plies alone were written is not there yet.
        self.write(&plies_path, &plies_file)?;
        self.write(&games_path, &games_file)
    }

    /// Removes the shard called `name`, the file that makes it count first.
    ///
    /// # Errors
    ///
    /// If the disk refuses.
    pub fn remove_shard(&self, name: &str) -> Result<(), RecordError> {
        for table in [Table::Games, Table::Plies] {
            let path = self.path(table, name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(io_error("remove", &path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn path(&self, table: Table, shard: &str) -> PathBuf {
        self.folder.join(table.name()).join(format!("{shard}.parquet"))
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
        whole_file::write(path, bytes).map_err(io_error("write", path))
    }

    /// Writes the file `name`, unless another process was quicker; what stands there must then be the same.
    fn claim(&self, name: &'static str, text: &str) -> Result<(), RecordError> {
        let path = self.folder.join(name);
        if !path.exists() || whole_file::is_empty(&path) {
            whole_file::write_new(&path, text.as_bytes()).map_err(io_error("write", &path))?;
        }
        self.holds_same(name, text).map(|_| ())
    }

    /// Whether the folder has the file `name`, which must say what this run says.
    fn holds_same(&self, name: &'static str, expected: &str) -> Result<bool, RecordError> {
        let path = self.folder.join(name);
        if !path.exists() || (whole_file::is_empty(&path) && !expected.is_empty()) {
            return Ok(false);
        }
        let found = fs::read_to_string(&path).map_err(io_error("read", &path))?;
        if found == expected {
            return Ok(true);
        }
        let difference = Difference::between(&found, expected);
        let line = Some(difference.same_lines + 1);
        Err(difference.into_error(&self.folder, name, line))
    }

    fn refuse_unknown_shards(&self, missing: &'static str) -> Result<(), RecordError> {
        for table in Table::ALL {
            let folder = self.folder.join(table.name());
            if folder.exists() && !parquet_files(&folder)?.is_empty() {
                return Err(RecordError::UnknownRun { folder: self.folder.clone(), missing });
            }
        }
        Ok(())
    }
}

/// Settings as this build writes them; none if they are no settings of an `S`.
fn written_today<S: Serialize + DeserializeOwned>(settings: &str) -> Option<String> {
    toml::to_string(&toml::from_str::<S>(settings).ok()?).ok()
}

/// The first lines in which two texts differ.
struct Difference {
    /// Lines before them.
    same_lines: usize,
    found: String,
    expected: String,
}

impl Difference {
    fn between(found: &str, expected: &str) -> Self {
        let same_lines = found.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count();
        let line_of = |text: &str| text.lines().nth(same_lines).unwrap_or("nothing").to_owned();
        Self { same_lines, found: line_of(found), expected: line_of(expected) }
    }

    /// The number of the line in a text that lacks some lines of the one compared; none if it lacks this one.
    fn line_in(&self, text: &str) -> Option<usize> {
        let lines: Vec<&str> = text.lines().take(self.same_lines + 1).collect();
        lines.iter().rposition(|line| *line == self.found).map(|before| before + 1)
    }

    fn into_error(self, folder: &Path, name: &'static str, line: Option<usize>) -> RecordError {
        RecordError::OtherRun {
            folder: folder.into(),
            place: line.map_or(format!("by default {name}"), |line| format!("{name}, line {line}")),
            found: shown(&self.found),
            expected: shown(&self.expected),
        }
    }
}

/// Whether the system failed to read what may well be there.
fn is_withheld(error: &RecordError) -> bool {
    let mut causes = std::iter::successors(error.source(), |cause| (*cause).source());
    causes.any(|cause| match cause.downcast_ref::<io::Error>() {
        Some(cause) => cause.kind() != io::ErrorKind::UnexpectedEof,
        None => false,
    })
}

/// The name a shard's files have: `00012`, or with a prefix `g003-00012`.
pub fn shard_name(prefix: &str, number: u32) -> String {
    format!("{prefix}{number:05}")
}

pub(super) fn io_error(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> RecordError {
    move |source| RecordError::Io { doing, path: path.into(), source }
}
