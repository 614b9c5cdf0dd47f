//! A dataset being read: its shards, their columns, and whole games again.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::{slice, vec};

use super::dataset::io_error;
use super::decode::{self, GameRow};
use super::schema::Table;
use super::table_file::{RowGroup, TableFile};
use super::{Columns, GameRecord, PlyRecord, RecordError};

/// What to do about a file that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnBroken {
    /// Give up.
    Fail,
    /// Leave out what cannot be read and remember why.
    Skip,
}

/// The finished shards of one folder, all of one game and of this build's schema version.
#[derive(Debug)]
pub struct Reader {
    shards: Vec<Shard>,
    skipped: Vec<RecordError>,
    on_broken: OnBroken,
}

/// The two files of one shard.
#[derive(Debug)]
pub struct Shard {
    games: TableFile,
    plies: TableFile,
}

impl Reader {
    /// Opens the shards under `folder`, in the order of their names, reading only what the files say of
    /// themselves. Unfinished files are left alone.
    ///
    /// # Errors
    ///
    /// If this is no dataset, it has no finished shard, a file is of another schema version, the shards
    /// are of more than one game, or a file is broken and those are not to be skipped.
    pub fn open(folder: &Path, on_broken: OnBroken) -> Result<Self, RecordError> {
        let games_folder = folder.join(Table::Games.name());
        let plies_folder = folder.join(Table::Plies.name());
        if !games_folder.is_dir() || !plies_folder.is_dir() {
            return Err(RecordError::NotADataset { path: folder.into() });
        }
        let mut reader = Self { shards: Vec::new(), skipped: Vec::new(), on_broken };
        for games in parquet_files(&games_folder)? {
            let plies = plies_folder.join(games.file_name().expect("a listed file has a name"));
            match Shard::open(&games, &plies) {
                Ok(shard) => reader.shards.push(shard),
                Err(error) if on_broken == OnBroken::Skip && error.is_broken_file() => {
                    reader.skipped.push(error)
                }
                Err(error) => return Err(error),
            }
        }
        let Some(first) = reader.shards.first() else {
            return Err(RecordError::Empty { folder: folder.into() });
        };
        reader.shards.iter().try_for_each(|shard| shard.check_same_game(first))?;
        Ok(reader)
    }

    /// Opens one finished shard under `folder` by its name.
    ///
    /// # Errors
    ///
    /// If it is not there, is of another schema version, or is broken.
    pub(super) fn open_shard(folder: &Path, name: &str) -> Result<Self, RecordError> {
        let [games, plies] =
            Table::ALL.map(|table| folder.join(table.name()).join(format!("{name}.parquet")));
        let shard = Shard::open(&games, &plies)?;
        Ok(Self { shards: vec![shard], skipped: Vec::new(), on_broken: OnBroken::Fail })
    }

    /// The game all shards are of.
    pub fn game(&self) -> &str {
        self.shards[0].games.game()
    }

    /// The names of the rule sets the shards were played by.
    pub fn rules(&self) -> BTreeSet<&str> {
        self.shards.iter().map(|shard| shard.games.rules()).collect()
    }

    /// At least one.
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }

    /// Why shards were left out on opening.
    pub fn skipped(&self) -> &[RecordError] {
        &self.skipped
    }

    /// Rows of a table in all shards.
    pub fn rows(&self, table: Table) -> u64 {
        self.shards.iter().map(|shard| shard.file(table).rows()).sum()
    }

    /// The row groups of a table: the pieces that can be read by themselves, in any order and from any
    /// thread.
    pub fn row_groups(&self, table: Table) -> Vec<RowGroup<'_>> {
        self.shards.iter().flat_map(|shard| shard.file(table).row_groups()).collect()
    }

    /// The columns called `names` of a table, one row group at a time, in the order of the shards.
    pub fn batches<'a>(&'a self, table: Table, names: &'a [&'a str]) -> Batches<'a> {
        let groups = self.row_groups(table).into_iter();
        Batches { groups, names, on_broken: self.on_broken, skipped: Vec::new() }
    }

    /// All games with their plies, in the order of the shards.
    pub fn records(&self) -> Records<'_> {
        Records { shards: self.shards.iter(), shard: None, on_broken: self.on_broken, skipped: Vec::new() }
    }
}

impl Shard {
    pub(super) fn open(games: &Path, plies: &Path) -> Result<Self, RecordError> {
        if !plies.exists() {
            return Err(RecordError::HalfShard { file: games.into(), missing: plies.into() });
        }
        let shard = Self { games: open_as(Table::Games, games)?, plies: open_as(Table::Plies, plies)? };
        let [of_games, of_plies] = [&shard.games, &shard.plies].map(|file| file.shard().to_owned());
        if of_games != of_plies {
            let (file, expected) = (plies.into(), of_games);
            return Err(RecordError::SwappedShard { file, found: of_plies, expected });
        }
        Ok(shard)
    }

    /// The shard's name, as in its files' names.
    pub fn name(&self) -> &str {
        self.games.shard()
    }

    pub fn file(&self, table: Table) -> &TableFile {
        match table {
            Table::Games => &self.games,
            Table::Plies => &self.plies,
        }
    }

    fn check_same_game(&self, first: &Shard) -> Result<(), RecordError> {
        let expected = first.games.game();
        let other = [&self.games, &self.plies].into_iter().find(|file| file.game() != expected);
        other.map_or(Ok(()), |file| {
            Err(RecordError::MixedGames {
                file: file.path().into(),
                found: file.game().into(),
                first: first.games.path().into(),
                expected: expected.into(),
            })
        })
    }
}

fn open_as(table: Table, path: &Path) -> Result<TableFile, RecordError> {
    let file = TableFile::open(path)?;
    if file.table() == table {
        return Ok(file);
    }
    Err(RecordError::OtherTable {
        file: path.into(),
        found: file.table().name().into(),
        expected: table.name(),
    })
}

/// The files in `folder` whose name says they are finished, in the order of the numbers in their names.
pub(super) fn parquet_files(folder: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(io_error("list", folder))? {
        let path = entry.map_err(io_error("list", folder))?.path();
        if path.extension().is_some_and(|extension| extension == "parquet") {
            files.push(path);
        }
    }
    files.sort_by_cached_key(|path| (by_numbers(path), path.clone()));
    Ok(files)
}

/// A name in which numbers compare as numbers: `9` before `10`, however many digits names have.
fn by_numbers(path: &Path) -> Vec<(usize, String)> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_digit = |letter: char| letter.is_ascii_digit();
    let parts = name.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    let texts = parts.map(|part| String::from_utf8_lossy(part).into_owned());
    texts
        .map(|part| match part.starts_with(is_digit) {
            true => {
                let number = part.trim_start_matches('0');
                (number.len(), number.to_owned())
            }
            false => (usize::MAX, part),
        })
        .collect()
}

/// The chosen columns of a table, one row group at a time.
#[derive(Debug)]
pub struct Batches<'a> {
    groups: vec::IntoIter<RowGroup<'a>>,
    names: &'a [&'a str],
    on_broken: OnBroken,
    skipped: Vec<RecordError>,
}

impl Batches<'_> {
    /// Why row groups were left out so far.
    pub fn skipped(&self) -> &[RecordError] {
        &self.skipped
    }
}

impl Iterator for Batches<'_> {
    type Item = Result<Columns, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.groups.next()?.read(self.names) {
                Err(error) if self.on_broken == OnBroken::Skip && error.is_broken_file() => {
                    self.skipped.push(error)
                }
                read => return Some(read),
            }
        }
    }
}

/// Whole games, one after another.
#[derive(Debug)]
pub struct Records<'a> {
    shards: slice::Iter<'a, Shard>,
    shard: Option<ShardRecords<'a>>,
    on_broken: OnBroken,
    skipped: Vec<RecordError>,
}

impl Records<'_> {
    /// Why shards, or the rest of one, were left out so far.
    pub fn skipped(&self) -> &[RecordError] {
        &self.skipped
    }

    fn next_or_error(&mut self) -> Result<Option<GameRecord>, RecordError> {
        loop {
            if let Some(shard) = &mut self.shard
                && let Some(game) = shard.next()?
            {
                return Ok(Some(game));
            }
            let Some(shard) = self.shards.next() else { return Ok(None) };
            self.shard = Some(ShardRecords::open(shard)?);
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.next_or_error() {
                Ok(game) => return game.map(Ok),
                Err(error) => {
                    self.shard = None;
                    if self.on_broken == OnBroken::Fail || !error.is_broken_file() {
                        return Some(Err(error));
                    }
                    self.skipped.push(error);
                }
            }
        }
    }
}

/// The games of one shard; its plies are read a row group at a time, as the games need them.
#[derive(Debug)]
struct ShardRecords<'a> {
    shard: &'a Shard,
    games: vec::IntoIter<GameRow>,
    groups: vec::IntoIter<RowGroup<'a>>,
    plies: VecDeque<(u64, PlyRecord)>,
}

impl<'a> ShardRecords<'a> {
    fn open(shard: &'a Shard) -> Result<Self, RecordError> {
        let mut games = Vec::new();
        for group in shard.games.row_groups() {
            games.extend(decode::games(&group.read(&column_names(Table::Games))?)?);
        }
        let groups = shard.plies.row_groups().collect::<Vec<_>>().into_iter();
        Ok(Self { shard, games: games.into_iter(), groups, plies: VecDeque::new() })
    }

    fn next(&mut self) -> Result<Option<GameRecord>, RecordError> {
        let Some(GameRow { mut game, plies }) = self.games.next() else { return Ok(None) };
        for _ in 0..plies {
            let ply = self.next_ply(game.game_id)?;
            game.plies.push(ply);
        }
        Ok(Some(game))
    }

    fn next_ply(&mut self, of_game: u64) -> Result<PlyRecord, RecordError> {
        while self.plies.is_empty()
            && let Some(group) = self.groups.next()
        {
            self.plies.extend(decode::plies(&group.read(&column_names(Table::Plies))?)?);
        }
        match self.plies.pop_front() {
            Some((game_id, ply)) if game_id == of_game => Ok(ply),
            other => Err(RecordError::MissingPlies {
                file: self.shard.plies.path().into(),
                game_id: of_game,
                found: other.map_or("the end of the file".into(), |(game_id, _)| format!("game {game_id}")),
            }),
        }
    }
}

fn column_names(table: Table) -> Vec<&'static str> {
    table.columns().iter().map(|column| column.name).collect()
}
