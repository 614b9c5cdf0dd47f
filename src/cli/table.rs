//! Text tables: a header line, then rows, with a tab between fields. `-` is an empty field.

use std::path::{Path, PathBuf};

use crate::text::{read_file, shown};

/// A table could not be read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error("cannot read the table {path}")]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// `line` and `column` count from 1, the column in characters.
    #[error("{path}:{line}:{column}: found {found}; expected {expected}")]
    Invalid { path: PathBuf, line: usize, column: usize, found: String, expected: String },
}

/// A table as it stands in a file.
pub struct Table {
    path: PathBuf,
    header: Vec<String>,
    lines: Vec<String>,
}

impl Table {
    /// Reads a table and checks that every row has as many fields as the header.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is empty, names a column twice, or has a row of another length.
    pub fn read(path: &Path) -> Result<Self, TableError> {
        let text = read_file(path).map_err(|source| TableError::Unreadable { path: path.into(), source })?;
        let mut lines = text.lines().map(String::from);
        let header = lines.next().unwrap_or_default().split('\t').map(String::from).collect();
        let table = Self { path: path.into(), header, lines: lines.collect() };
        for (place, name) in table.header.iter().enumerate() {
            if table.header[..place].contains(name) {
                return Err(table.unknown_header(&format!("the column '{name}' once")));
            }
        }
        for row in table.rows() {
            let fields = row.line.split('\t').count();
            if fields != table.header.len() {
                let at = row.line.chars().count() + 1;
                let expected = format!("{} fields, as in the header", table.header.len());
                return Err(table.invalid(row.number, at, format!("{fields} fields"), expected));
            }
        }
        Ok(table)
    }

    pub fn has_column(&self, name: &str) -> bool {
        self.columns().any(|column| column == name)
    }

    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.header.iter().map(String::as_str)
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.lines.iter().enumerate().map(|(place, line)| Row { table: self, number: place + 2, line })
    }

    /// The complaint that the header names no kind of table that is known.
    pub fn unknown_header(&self, expected: &str) -> TableError {
        let found = format!("the columns {}", shown(&self.header.join(", ")));
        self.invalid(1, 1, found, expected.into())
    }

    /// The complaint that there is nothing below the header.
    pub fn without_rows(&self) -> TableError {
        self.invalid(2, 1, "the end of the file".into(), "a row".into())
    }

    fn invalid(&self, line: usize, column: usize, found: String, expected: String) -> TableError {
        TableError::Invalid { path: self.path.clone(), line, column, found, expected }
    }
}

/// One row of a table.
pub struct Row<'a> {
    table: &'a Table,
    /// The line it stands on, counted from 1.
    number: usize,
    line: &'a str,
}

impl<'a> Row<'a> {
    pub fn columns(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.table.columns()
    }

    /// What a message calls the row: its id, or its line where it has none.
    pub fn name(&self) -> String {
        self.optional("id").map_or_else(|| format!("line {}", self.number), shown)
    }

    /// The field of a column, unless the table has no such column or the field is empty.
    pub fn optional(&self, column: &str) -> Option<&'a str> {
        let place = self.table.columns().position(|name| name == column)?;
        self.line.split('\t').nth(place).filter(|&field| field != "-")
    }

    /// The field of a column that this kind of table has.
    ///
    /// # Errors
    ///
    /// If the field is empty.
    pub fn required(&self, column: &str) -> Result<&'a str, TableError> {
        self.optional(column).ok_or_else(|| self.invalid(column, "an empty field", "a value"))
    }

    /// The field of a column as a number; none if it is empty.
    ///
    /// # Errors
    ///
    /// If the field is not a whole number.
    pub fn number(&self, column: &str) -> Result<Option<u64>, TableError> {
        let parsed = self.optional(column).map(|field| {
            field
                .parse()
                .map_err(|_| self.invalid(column, &format!("'{}'", shown(field)), "a whole number, or '-'"))
        });
        parsed.transpose()
    }

    /// A complaint about the field of a column.
    fn invalid(&self, column: &str, found: &str, expected: &str) -> TableError {
        let before = self.table.columns().take_while(|&name| name != column).count();
        let at = self.line.split('\t').take(before).map(|field| field.chars().count() + 1).sum::<usize>() + 1;
        self.table.invalid(self.number, at, format!("{found} in '{column}'"), expected.into())
    }
}
