//! One Parquet file of a dataset: what it says of itself, and its row groups.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::File;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Arc, Once};

use arrow::array::{RecordBatch, RecordBatchReader};
use arrow::compute::concat_batches;
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
#[derive(Debug, Clone)]
pub struct TableFile {
    path: Arc<Path>,
    table: Table,
    bytes: u64,
    metadata: ArrowReaderMetadata,
}

impl TableFile {
    /// Opens a file and reads what it says of itself, not its rows.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no Parquet file of ours, is of another schema version or lacks a column.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let file = File::open(path).map_err(io_error("open", path))?;
        let bytes = file.metadata().map_err(io_error("read", path))?.len();
        let metadata =
            guarded(|| ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()), ParquetError::General)
                .map_err(|source| RecordError::Unreadable { file: path.into(), source })?;
        let mut opened = Self { path: path.into(), table: Table::Games, bytes, metadata };
        opened.check_version()?;
        opened.table = opened.named_table()?;
        opened.check_columns()?;
        for key in [keys::GAME, keys::RULES, keys::RULES_TEXT, keys::CONFIG, keys::SHARD] {
            opened.says(key)?;
        }
        Ok(opened)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn table(&self) -> Table {
        self.table
    }

    pub fn rows(&self) -> u64 {
        self.row_groups().map(|group| group.rows()).sum()
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
        (0..self.metadata.metadata().num_row_groups()).map(|index| RowGroup { file: self, index })
    }

    /// Bytes each column takes in the file, compressed, by full name; those within a list of rows stand
    /// under theirs, as `candidates.prior`, and not under `candidates`.
    pub fn column_bytes(&self) -> BTreeMap<String, u64> {
        let mut sizes = BTreeMap::new();
        for column in self.metadata.metadata().row_groups().iter().flat_map(|group| group.columns()) {
            let name = column.column_path().string().replace(".list.element", "");
            *sizes.entry(name).or_default() += u64::try_from(column.compressed_size()).unwrap_or(0);
        }
        sizes
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

    fn check_columns(&self) -> Result<(), RecordError> {
        let is_here = |name| self.metadata.schema().column_with_name(name).is_some();
        let missing = self.table.columns().iter().find(|column| !column.optional && !is_here(column.name));
        missing.map_or(Ok(()), |column| Err(self.missing_column(column.name)))
    }

    fn missing_column(&self, name: &str) -> RecordError {
        RecordError::MissingColumn { file: self.path.to_path_buf(), column: name.into() }
    }

    fn says(&self, key: &'static str) -> Result<&str, RecordError> {
        let entries = self.metadata.metadata().file_metadata().key_value_metadata();
        entries
            .and_then(|entries| entries.iter().find(|entry| entry.key == key))
            .and_then(|entry| entry.value.as_deref())
            .ok_or_else(|| RecordError::MissingKey { file: self.path.to_path_buf(), key })
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
        u64::try_from(self.file.metadata.metadata().row_group(self.index).num_rows()).unwrap_or(0)
    }

    /// Its first row's place in the file.
    fn first_row(&self) -> u64 {
        let before = &self.file.metadata.metadata().row_groups()[..self.index];
        before.iter().map(|group| u64::try_from(group.num_rows()).unwrap_or(0)).sum()
    }

    /// Reads the columns called `names`, and no others. An optional column that the file was written without
    /// has no values.
    ///
    /// # Errors
    ///
    /// If the file lacks another column or is broken.
    pub fn read(&self, names: &[&str]) -> Result<Columns, RecordError> {
        let TableFile { path, metadata, .. } = self.file;
        let mut places = Vec::with_capacity(names.len());
        let mut absent = Vec::new();
        for name in names {
            let known = self.file.table.columns().iter().find(|column| column.name == *name);
            match (metadata.schema().index_of(name), known) {
                (Ok(place), _) => places.push(place),
                (Err(_), Some(column)) if column.optional => absent.push(column),
                (Err(_), _) => return Err(self.file.missing_column(name)),
            }
        }
        let file = File::open(path).map_err(io_error("open", path))?;
        let batch = guarded(|| self.decode(file, &places), ArrowError::ParquetError)
            .map_err(|source| RecordError::Undecodable { file: path.to_path_buf(), source })?;
        Ok(absent.into_iter().fold(Columns::new(&batch, path.clone(), self.first_row()), Columns::with_empty))
    }

    fn decode(&self, file: File, places: &[usize]) -> Result<RecordBatch, ArrowError> {
        let metadata = self.file.metadata.clone();
        let mask = ProjectionMask::roots(metadata.parquet_schema(), places.iter().copied());
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
            .with_row_groups(vec![self.index])
            .with_projection(mask)
            .with_batch_size(ROW_GROUP_ROWS)
            .build()?;
        let schema = reader.schema();
        let batches = reader.collect::<Result<Vec<_>, _>>()?;
        concat_batches(&schema, &batches)
    }
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
