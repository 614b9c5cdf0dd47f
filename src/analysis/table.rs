//! One table of figures, and its four written forms.
//!
//! A figure is rounded once, by its column, and every form shows those digits: the terminal, Markdown,
//! CSV, JSON and the page can be compared to the last digit.

use serde_json::{Value, json};

use super::definitions;
use super::stats::{Estimate, Score};

/// Figures of one kind, in rows and named columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The file's name without its ending, `openings`.
    pub name: &'static str,
    pub title: String,
    /// Whether the page shows it only when asked to: it is there to look things up.
    pub folded: bool,
    /// Whether it is written as Parquet too, for programs to read.
    pub parquet: bool,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// What a column holds and how its figures are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The name in CSV and JSON.
    pub key: String,
    /// The heading for a reader.
    pub title: &'static str,
    /// `%`, `points`, `pawns`; empty if the heading says it.
    pub unit: &'static str,
    /// Digits after the point of real figures.
    pub decimals: usize,
    /// The [`super::Term`] that says what the figure is; empty if the heading does.
    pub term: &'static str,
}

/// The columns of a table, put together one after the other.
#[derive(Debug, Clone, Default)]
pub struct Columns(Vec<Column>);

impl Columns {
    /// A column of words or counts.
    pub fn plain(self, key: &str, title: &'static str) -> Self {
        self.real(key, title, "", 0)
    }

    /// A column of real figures.
    pub fn real(mut self, key: &str, title: &'static str, unit: &'static str, decimals: usize) -> Self {
        self.0.push(Column { key: key.into(), title, unit, decimals, term: "" });
        self
    }

    /// Gives the last column the term that defines it, or none if `term` is empty.
    ///
    /// # Panics
    ///
    /// If there is no such term.
    pub fn defined(mut self, term: &'static str) -> Self {
        assert!(term.is_empty() || definitions::term(term).is_some(), "no term '{term}'");
        if let Some(column) = self.0.last_mut() {
            column.term = term;
        }
        self
    }

    /// Three columns: a figure, defined by `term`, and the ends of its interval.
    pub fn estimate(
        self,
        key: &str,
        title: &'static str,
        unit: &'static str,
        decimals: usize,
        term: &'static str,
    ) -> Self {
        self.real(key, title, unit, decimals)
            .defined(term)
            .real(&format!("{key}_low"), "95 % low", "", decimals)
            .defined("interval")
            .real(&format!("{key}_high"), "95 % high", "", decimals)
            .defined("interval")
    }

    /// Seven columns: games, wins, draws, losses, and the score with the ends of its interval.
    pub fn score(self) -> Self {
        self.plain("games", "games")
            .plain("wins", "wins")
            .plain("draws", "draws")
            .plain("losses", "losses")
            .estimate("score", "score", "%", 1, "score")
    }
}

/// A row of a table, put together one cell after the other.
#[derive(Debug, Clone, Default)]
pub struct Row(Vec<Cell>);

impl Row {
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.0.push(Cell::Text(text.into()));
        self
    }

    pub fn count(mut self, count: u64) -> Self {
        self.0.push(Cell::Count(count));
        self
    }

    pub fn real(mut self, value: f64) -> Self {
        self.0.push(Cell::Real(value));
        self
    }

    pub fn cell(mut self, cell: Cell) -> Self {
        self.0.push(cell);
        self
    }

    /// The cells of [`Columns::estimate`].
    pub fn estimate(mut self, estimate: Option<Estimate>) -> Self {
        let real = |value: Option<f64>| value.map_or(Cell::Missing, Cell::Real);
        let interval = estimate.and_then(|estimate| estimate.interval);
        self.0.push(real(estimate.map(|estimate| estimate.value)));
        self.0.push(real(interval.map(|interval| interval.low)));
        self.0.push(real(interval.map(|interval| interval.high)));
        self
    }

    /// The observations an estimate rests on and the games they come from.
    pub fn counts(self, estimate: &Estimate) -> Self {
        self.count(estimate.observations).count(estimate.games)
    }

    /// The cells of [`Columns::score`].
    pub fn score(self, score: Score) -> Self {
        self.count(score.games())
            .count(score.wins)
            .count(score.draws)
            .count(score.losses)
            .estimate(score.estimate().map(|score| score.scaled(100.0)))
    }
}

/// One figure or word.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Text(String),
    Count(u64),
    Real(f64),
    /// There is no such figure; an empty field in CSV, null in JSON.
    Missing,
}

impl Cell {
    /// The figure with the digits of its column, as CSV has it; none if missing.
    pub fn shown(&self, column: &Column) -> Option<String> {
        match self {
            Cell::Text(text) => Some(text.clone()),
            Cell::Count(count) => Some(count.to_string()),
            Cell::Real(value) => Some(rounded(*value, column.decimals)),
            Cell::Missing => None,
        }
    }

    /// The figure for reading: counts in groups of three digits, a dash where nothing is.
    pub fn read(&self, column: &Column) -> String {
        match self {
            Cell::Count(count) => grouped(*count),
            _ => self.shown(column).unwrap_or_else(|| "–".into()),
        }
    }

    fn json(&self, column: &Column) -> Value {
        match self {
            Cell::Text(text) => json!(text),
            Cell::Count(count) => json!(count),
            Cell::Real(value) => {
                rounded(*value, column.decimals).parse::<f64>().map_or(Value::Null, |value| json!(value))
            }
            Cell::Missing => Value::Null,
        }
    }
}

/// `value` with `decimals` digits after the point, never a negative nothing.
pub fn rounded(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.into(),
        _ => text,
    }
}

/// A figure with a true minus sign before it, as wide as a digit.
pub fn typeset(figure: &str) -> String {
    match figure.strip_prefix('-') {
        Some(digits) if digits.starts_with(|c: char| c.is_ascii_digit()) => format!("−{digits}"),
        _ => figure.to_owned(),
    }
}

/// `12345` as `12,345`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Table {
    /// # Panics
    ///
    /// If a row is not as long as there are columns.
    pub fn new(name: &'static str, title: impl Into<String>, columns: Columns, rows: Vec<Row>) -> Self {
        let Columns(columns) = columns;
        let rows: Vec<Vec<Cell>> = rows.into_iter().map(|Row(cells)| cells).collect();
        assert!(rows.iter().all(|row| row.len() == columns.len()), "{name}: a row of another length");
        Self { name, title: title.into(), folded: false, parquet: false, columns, rows }
    }

    /// The same table, folded away on the page.
    pub fn folded(self) -> Self {
        Self { folded: true, ..self }
    }

    /// The same table, written as Parquet too.
    pub fn with_parquet(self) -> Self {
        Self { parquet: true, ..self }
    }

    /// The same table in other words: `word` says headings and units, `say` the title and the cells' texts.
    pub fn reworded(self, word: impl Fn(&'static str) -> &'static str, say: impl Fn(&str) -> String) -> Self {
        let column = |column: Column| Column { title: word(column.title), unit: word(column.unit), ..column };
        let cell = |cell: Cell| match cell {
            Cell::Text(text) => Cell::Text(say(&text)),
            figure => figure,
        };
        Self {
            title: say(&self.title),
            columns: self.columns.into_iter().map(column).collect(),
            rows: self.rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect(),
            ..self
        }
    }

    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The rows, each with a cell a column.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The table for a terminal, columns aligned, words to the left and figures to the right.
    pub fn to_text(&self) -> String {
        let cells = self.read_cells();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|at| cells.iter().map(|row| row[at].chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = format!("{}\n", self.title);
        for row in &cells {
            let line: Vec<String> = (row.iter().zip(&widths).enumerate())
                .map(|(at, (cell, &width))| match self.is_numeric(at) {
                    true => format!("{cell:>width$}"),
                    false => format!("{cell:<width$}"),
                })
                .collect();
            text.push_str(line.join("  ").trim_end());
            text.push('\n');
        }
        text
    }

    /// The table in Markdown, with its title as a paragraph before it.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("**{}**\n\n", self.title);
        for (index, row) in self.read_cells().iter().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
            if index == 0 {
                let rules: Vec<&str> = (0..self.columns.len())
                    .map(|at| if self.is_numeric(at) { "---:" } else { "---" })
                    .collect();
                text.push_str(&format!("| {} |\n", rules.join(" | ")));
            }
        }
        text
    }

    /// The table as CSV (RFC 4180, but lines end in a newline alone), keys in the first line.
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        let keys = self.columns.iter().map(|column| csv_field(&column.key)).collect::<Vec<_>>().join(",");
        text.push_str(&keys);
        text.push('\n');
        for row in &self.rows {
            let fields: Vec<String> = (row.iter().zip(&self.columns))
                .map(|(cell, column)| csv_field(&cell.shown(column).unwrap_or_default()))
                .collect();
            text.push_str(&fields.join(","));
            text.push('\n');
        }
        text
    }

    /// The table as JSON: name, title, columns, and rows as arrays in their order.
    pub fn to_json(&self) -> Value {
        let columns: Vec<Value> = (self.columns.iter())
            .map(|c| json!({"key": c.key, "title": c.title, "unit": c.unit, "decimals": c.decimals}))
            .collect();
        let rows: Vec<Vec<Value>> = (self.rows.iter())
            .map(|row| row.iter().zip(&self.columns).map(|(cell, column)| cell.json(column)).collect())
            .collect();
        json!({"name": self.name, "title": self.title, "columns": columns, "rows": rows})
    }

    /// Whether the column at `at` holds figures, which are set to the right.
    pub fn is_numeric(&self, at: usize) -> bool {
        !self.rows.iter().any(|row| matches!(row[at], Cell::Text(_)))
    }

    /// Headings with their units, then the rows, as a reader sees them.
    fn read_cells(&self) -> Vec<Vec<String>> {
        let headings = self.columns.iter().map(|column| match column.unit {
            "" => column.title.to_owned(),
            unit => format!("{} ({unit})", column.title),
        });
        let rows = self.rows.iter().map(|row| {
            row.iter().zip(&self.columns).map(|(cell, column)| cell.read(column)).collect::<Vec<_>>()
        });
        std::iter::once(headings.collect()).chain(rows).collect()
    }
}

fn csv_field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
