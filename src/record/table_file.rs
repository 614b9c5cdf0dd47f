//! One Parquet file of a dataset: what it says of itself, and its row groups.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::File;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Arc, Once};

use arrow::array::{RecordBatch, RecordBatchReader};
use arrow::compute::concat_batches;
use arrow::datatypes::Schema;
use arrow::error::ArrowError;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;

use super::dataset::io_error;
use super::schema::{Table, VERSION};
use super::writer::{ROW_GROUP_ROWS, keys};
use super::{Columns, RecordError};

/// A readable file of this build's schema version.
///
/// Of what the file says of itself only the few lines that readers ask for are kept: its row groups say much of every
/// column, which would come to more than the rows being read where there are thousands of files.
#[derive(Debug, Clone)]
pub struct TableFile {
    path: Arc<Path>,
    table: Table,
    bytes: u64,
    /// Of each row group.
    rows: Vec<u64>,
    said: BTreeMap<&'static str, String>,
}

/// What every file has to say of itself.
const KEYS: [&str; 7] =
    [keys::SCHEMA, keys::TABLE, keys::GAME, keys::RULES, keys::RULES_TEXT, keys::CONFIG, keys::SHARD];

impl TableFile {
    /// Opens a file and reads what it says of itself, not its rows.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no Parquet file of ours, is of another schema version or lacks a column.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let file = File::open(path).map_err(io_error("open", path))?;
        let bytes = file.metadata().map_err(io_error("read", path))?.len();
        let metadata = load_metadata(&file, path)?;
        let groups = metadata.metadata().row_groups().iter();
        let rows = groups.map(|group| u64::try_from(group.num_rows()).unwrap_or(0)).collect();
        let mut opened = Self { path: path.into(), table: Table::Games, bytes, rows, said: BTreeMap::new() };
        let entries = metadata.metadata().file_metadata().key_value_metadata();
        for entry in entries.into_iter().flatten() {
            if let (Some(key), Some(value)) = (KEYS.iter().find(|&&key| key == entry.key), &entry.value) {
                opened.said.entry(key).or_insert_with(|| value.clone());
            }
        }
        opened.check_version()?;
        opened.table = opened.named_table()?;
        opened.check_columns(metadata.schema())?;
        KEYS.iter().try_for_each(|key| opened.says(key).map(|_| ()))?;
        Ok(opened)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn table(&self) -> Table {
        self.table
    }

    pub fn rows(&self) -> u64 {
        self.rows.iter().sum()
    }

    /// The size of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The game's name.
    pub fn game(&self) -> &str {
        self.said(keys::GAME)
    }

    /// The rule set's name.
    pub fn rules(&self) -> &str {
        self.said(keys::RULES)
    }

    /// The rule set, as TOML.
    pub fn rules_text(&self) -> &str {
        self.said(keys::RULES_TEXT)
    }

    /// The settings of the run that wrote the file, as TOML.
    pub fn config(&self) -> &str {
        self.said(keys::CONFIG)
    }

    /// The shard's name.
    pub fn shard(&self) -> &str {
        self.said(keys::SHARD)
    }

    /// The pieces that can be read by themselves, in any order and from any thread.
    pub fn row_groups(&self) -> impl Iterator<Item = RowGroup<'_>> {
        (0..self.rows.len()).map(|index| RowGroup { file: self, index })
    }

    /// Bytes each column takes in the file, compressed, by full name; those within a list of rows stand
    /// under theirs, as `candidates.prior`, and not under `candidates`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read any more.
    pub fn column_bytes(&self) -> Result<BTreeMap<String, u64>, RecordError> {
        let (_, metadata) = self.reopen()?;
        let mut sizes = BTreeMap::new();
        for column in metadata.metadata().row_groups().iter().flat_map(|group| group.columns()) {
            let name = column.column_path().string().replace(".list.element", "");
            *sizes.entry(name).or_default() += u64::try_from(column.compressed_size()).unwrap_or(0);
        }
        Ok(sizes)
    }

    /// The file, and all that it says of itself.
    fn reopen(&self) -> Result<(File, ArrowReaderMetadata), RecordError> {
        let file = File::open(&self.path).map_err(io_error("open", &self.path))?;
        let metadata = load_metadata(&file, &self.path)?;
        Ok((file, metadata))
    }

    fn check_version(&self) -> Result<(), RecordError> {
        let found = self.says(keys::SCHEMA)?;
        if found == VERSION.to_string() {
            return Ok(());
        }
        Err(RecordError::SchemaVersion {
            file: self.path.to_path_buf(),
            found: found.into(),
            expected: VERSION,
        })
    }

    fn named_table(&self) -> Result<Table, RecordError> {
        let found = self.says(keys::TABLE)?;
        Table::ALL.into_iter().find(|table| table.name() == found).ok_or_else(|| RecordError::OtherTable {
            file: self.path.to_path_buf(),
            found: found.into(),
            expected: "games or plies",
        })
    }

    fn check_columns(&self, found: &Schema) -> Result<(), RecordError> {
        let is_here = |name| found.column_with_name(name).is_some();
        let missing = self.table.columns().iter().find(|column| !column.optional && !is_here(column.name));
        missing.map_or(Ok(()), |column| Err(self.missing_column(column.name)))
    }

    fn missing_column(&self, name: &str) -> RecordError {
        RecordError::MissingColumn { file: self.path.to_path_buf(), column: name.into() }
    }

    fn says(&self, key: &'static str) -> Result<&str, RecordError> {
        let missing = || RecordError::MissingKey { file: self.path.to_path_buf(), key };
        self.said.get(key).map(String::as_str).ok_or_else(missing)
    }

    fn said(&self, key: &'static str) -> &str {
        self.says(key).expect("opening has checked that the key is there")
    }
}

/// Some ten thousand rows that are read together.
#[derive(Debug, Clone, Copy)]
pub struct RowGroup<'a> {
    file: &'a TableFile,
    index: usize,
}

impl<'a> RowGroup<'a> {
    pub fn file(&self) -> &'a TableFile {
        self.file
    }

    pub fn rows(&self) -> u64 {
        self.file.rows[self.index]
    }

    /// Its first row's place in the file.
    fn first_row(&self) -> u64 {
        self.file.rows[..self.index].iter().sum()
    }

    /// Reads the columns called `names`, and no others; `candidates.q` is the column of that name within the lists of
    /// `candidates`. An optional column that the file was written without has no values.
    ///
    /// # Errors
    ///
    /// If the file lacks another column or is broken.
    pub fn read(&self, names: &[&str]) -> Result<Columns, RecordError> {
        let path = &self.file.path;
        let (file, metadata) = self.file.reopen()?;
        let mut absent = Vec::new();
        for name in names.iter().map(|name| outermost(name)) {
            let known = self.file.table.columns().iter().find(|column| column.name == name);
            match (metadata.schema().index_of(name), known) {
                (Ok(_), _) => {}
                (Err(_), Some(column)) if column.optional => absent.push(column),
                (Err(_), _) => return Err(self.file.missing_column(name)),
            }
        }
        let batch = guarded(|| self.decode(file, metadata, names), ArrowError::ParquetError)
            .map_err(|source| RecordError::Undecodable { file: path.to_path_buf(), source })?;
        Ok(absent.into_iter().fold(Columns::new(&batch, path.clone(), self.first_row()), Columns::with_empty))
    }

    fn decode(
        &self,
        file: File,
        metadata: ArrowReaderMetadata,
        names: &[&str],
    ) -> Result<RecordBatch, ArrowError> {
        let stored = metadata.parquet_schema();
        let leaves = stored.columns().iter().map(|leaf| leaf.path().parts());
        let is_asked = |parts: &[String]| match parts {
            [only] => names.contains(&only.as_str()),
            [outer, .., inner] => names.iter().any(|name| {
                outermost(name) == outer && (name == outer || name.ends_with(&format!(".{inner}")))
            }),
            [] => false,
        };
        let asked = leaves.enumerate().filter_map(|(place, parts)| is_asked(parts).then_some(place));
        let mask = ProjectionMask::leaves(stored, asked);
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata.clone())
            .with_row_groups(vec![self.index])
            .with_projection(mask)
            .with_batch_size(ROW_GROUP_ROWS)
            .build()?;
        let schema = reader.schema();
        let batches = reader.collect::<Result<Vec<_>, _>>()?;
        concat_batches(&schema, &batches)
    }
}

/// The column of the table that a column stands in, or itself.
fn outermost(name: &str) -> &str {
    name.split_once('.').map_or(name, |(outer, _)| outer)
}

/// What the file at `path` says of itself.
fn load_metadata(file: &File, path: &Path) -> Result<ArrowReaderMetadata, RecordError> {
    guarded(|| ArrowReaderMetadata::load(file, ArrowReaderOptions::new()), ParquetError::General)
        .map_err(|source| RecordError::Unreadable { file: path.into(), source })
}

/// Makes an error of a panic: the Parquet library asserts a few things that garbled bytes can break.
fn guarded<T, E>(read: impl FnOnce() -> Result<T, E>, error: fn(String) -> E) -> Result<T, E> {
    keep_guarded_panics_quiet();
    let outer = GUARDED.replace(true);
    // What `read` borrows is the file and its metadata, and neither is changed by reading.
    let result = panic::catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(outer);
    result.unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or(panic.downcast_ref::<&str>().copied()).unwrap_or("an unknown assertion");
        Err(error(format!("the bytes break an assertion of the Parquet library: {message}")))
    })
}

thread_local! {
    /// Whether this thread is inside [`guarded`].
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// From now on a panic that [`guarded`] makes an error of is not reported on stderr as well.
fn keep_guarded_panics_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                report(info);
            }
        }));
    });
}
