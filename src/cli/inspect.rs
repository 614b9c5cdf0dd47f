//! `facedown inspect`: what a dataset, one of its files, or a checkpoint holds.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::failure::with_causes;
use super::{Failure, print, print_line, tell};
use crate::record::{OnBroken, Reader, RecordError, Table, TableFile, schema};

/// Show what a dataset, one of its files, or a checkpoint holds
#[derive(Debug, Args)]
pub struct Inspect {
    /// A dataset's folder, one Parquet file of it, or a checkpoint
    path: PathBuf,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

impl Inspect {
    /// Prints what is at the path. Shards that cannot be read are named on stderr and make it a failure.
    ///
    /// # Errors
    ///
    /// If nothing there can be read, or some of it cannot.
    pub fn run(&self) -> Result<(), Failure> {
        #[cfg(feature = "torch")]
        if crate::net::stands_at(&self.path) {
            return self.run_on_checkpoint();
        }
        let contents = if self.path.is_dir() { of_dataset(&self.path)? } else { of_file(&self.path)? };
        if self.json {
            print_line(serde_json::to_string_pretty(&contents)?)?;
        } else {
            print(&contents)?;
        }
        if contents.broken.is_empty() {
            return Ok(());
        }
        for line in &contents.broken {
            tell(format_args!("left out: {line}"));
        }
        Err(Failure::ChecksFailed)
    }
}

#[cfg(feature = "torch")]
impl Inspect {
    /// Prints the card of the checkpoint at the path.
    fn run_on_checkpoint(&self) -> Result<(), Failure> {
        let card = crate::net::card_at(&self.path)?;
        match self.json {
            true => print_line(serde_json::to_string_pretty(&card)?)?,
            false => print(format_args!("path = {:?}\n{}", self.path, card.to_toml()))?,
        }
        Ok(())
    }
}

/// What is at a path.
#[derive(Debug, Serialize)]
struct Contents {
    path: PathBuf,
    schema_version: u32,
    game: String,
    rules: Vec<String>,
    shards: usize,
    tables: Vec<TableContents>,
    /// Why shards were left out.
    broken: Vec<String>,
}

#[derive(Debug, Serialize)]
struct TableContents {
    name: &'static str,
    rows: u64,
    bytes: u64,
    columns: Vec<ColumnContents>,
}

#[derive(Debug, Serialize)]
struct ColumnContents {
    name: String,
    #[serde(rename = "type")]
    type_name: String,
    unit: &'static str,
    side: &'static str,
    meaning: &'static str,
    bytes: u64,
}

fn of_dataset(path: &Path) -> Result<Contents, RecordError> {
    let reader = Reader::open(path, OnBroken::Skip)?;
    let files = |table| reader.shards().iter().map(move |shard| shard.file(table)).collect::<Vec<_>>();
    Ok(Contents {
        path: path.into(),
        schema_version: schema::VERSION,
        game: reader.game().into(),
        rules: reader.rules().into_iter().map(String::from).collect(),
        shards: reader.shards().len(),
        tables: Table::ALL
            .into_iter()
            .map(|table| TableContents::of(table, &files(table)))
            .collect::<Result<_, _>>()?,
        broken: reader.skipped().iter().map(|error| with_causes(error)).collect(),
    })
}

fn of_file(path: &Path) -> Result<Contents, RecordError> {
    let file = TableFile::open(path)?;
    Ok(Contents {
        path: path.into(),
        schema_version: schema::VERSION,
        game: file.game().into(),
        rules: vec![file.rules().into()],
        shards: 1,
        tables: vec![TableContents::of(file.table(), &[&file])?],
        broken: Vec::new(),
    })
}

impl TableContents {
    fn of(table: Table, files: &[&TableFile]) -> Result<Self, RecordError> {
        let mut sizes: BTreeMap<String, u64> = BTreeMap::new();
        let in_files = files.iter().map(|file| file.column_bytes()).collect::<Result<Vec<_>, _>>()?;
        for (name, bytes) in in_files.into_iter().flatten() {
            // What a list's columns take, the list takes.
            if let Some((list, _)) = name.split_once('.') {
                *sizes.entry(list.into()).or_default() += bytes;
            }
            *sizes.entry(name).or_default() += bytes;
        }
        let column = |(name, column): (String, &schema::Column)| ColumnContents {
            type_name: column.type_name(),
            unit: column.unit,
            side: column.side.name(),
            meaning: column.meaning,
            bytes: sizes.get(&name).copied().unwrap_or(0),
            name,
        };
        Ok(Self {
            name: table.name(),
            rows: files.iter().map(|file| file.rows()).sum(),
            bytes: files.iter().map(|file| file.bytes()).sum(),
            columns: table.all_columns().into_iter().map(column).collect(),
        })
    }

    /// Of a table without rows, nothing.
    fn bytes_a_row(&self, bytes: u64) -> f64 {
        if self.rows == 0 { 0.0 } else { bytes as f64 / self.rows as f64 }
    }
}

impl fmt::Display for Contents {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "path      {}", self.path.display())?;
        writeln!(out, "schema    version {}", self.schema_version)?;
        writeln!(out, "game      {}", self.game)?;
        writeln!(out, "rules     {}", self.rules.join(", "))?;
        writeln!(out, "shards    {}", self.shards)?;
        for table in &self.tables {
            let each = table.bytes_a_row(table.bytes);
            writeln!(out, "{:<9} {} rows, {} bytes, {each:.1} a row", table.name, table.rows, table.bytes)?;
        }
        for table in &self.tables {
            table.write_columns(out)?;
        }
        Ok(())
    }
}

impl TableContents {
    fn write_columns(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out)?;
        let heads = [self.name, "type", "bytes", "unit", "side", "meaning"].map(String::from);
        let rows = self.columns.iter().map(|column| {
            let bytes = format!("{:.2}", self.bytes_a_row(column.bytes));
            let ColumnContents { name, type_name, unit, side, meaning, .. } = column;
            [name, type_name.as_str(), &bytes, unit, side, meaning].map(String::from)
        });
        let lines: Vec<[String; 6]> = std::iter::once(heads).chain(rows).collect();
        let width = |place: usize| lines.iter().map(|cells| cells[place].chars().count()).max().unwrap_or(0);
        let widths: [usize; 5] = std::array::from_fn(width);
        for [name, type_name, bytes, unit, side, meaning] in &lines {
            let [a, b, c, d, e] = widths;
            writeln!(out, "{name:<a$}  {type_name:<b$}  {bytes:>c$}  {unit:<d$}  {side:<e$}  {meaning}")?;
        }
        Ok(())
    }
}
