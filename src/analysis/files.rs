//! A report as files: each table as CSV and as JSON, some as Parquet, and the page beside them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::page::Audience;
use super::pass::Findings;
use super::{AnalysisError, Section, Table, page, parquet};
use crate::record::whole_file;

/// Writes the tables and the page into `folder`, which is made if it is not there, and gives the paths,
/// the page's last. The page speaks to `audience`; the tables' files are data and stay English.
///
/// The tables of one rule set and pair of players lie beside the page, those of several each in a folder
/// named after theirs.
///
/// # Errors
///
/// If a folder cannot be made or a file not written.
pub fn write_files(
    findings: &[Findings],
    folder: &Path,
    audience: &Audience<'_>,
) -> Result<Vec<PathBuf>, AnalysisError> {
    let mut paths = Vec::new();
    for found in findings {
        let folder = folder.join(tables_folder(findings, found));
        fs::create_dir_all(&folder)
            .map_err(|source| AnalysisError::Unwritable { path: folder.clone(), source })?;
        for table in found.sections.iter().flat_map(|section| &section.tables) {
            let path = folder.join(table.name);
            paths.push(written(path.with_extension("csv"), table.to_csv())?);
            paths.push(written(path.with_extension("json"), format!("{:#}\n", table.to_json()))?);
            if table.parquet {
                paths.push(written(path.with_extension("parquet"), parquet::bytes(table))?);
            }
        }
    }
    paths.push(written(folder.join("index.html"), page(findings, audience))?);
    Ok(paths)
}

/// Where the tables of `found` lie, seen from the page: empty, or a folder's name and a slash.
pub fn tables_folder(findings: &[Findings], found: &Findings) -> String {
    match findings {
        [_] => String::new(),
        _ => found.slug(findings) + "/",
    }
}

/// Everything found as one JSON value: a list with an entry for each rule set and pair of players.
pub fn to_json(findings: &[Findings]) -> Value {
    let entry = |found: &Findings| {
        let sections: Vec<Value> = found.sections.iter().map(section_to_json).collect();
        json!({
            "game": found.game,
            "rules": found.rules,
            "players": found.players,
            "shards_left_out": found.left_out,
            "games": found.games,
            "plies": found.plies,
            "sections": sections,
        })
    };
    findings.iter().map(entry).collect()
}

/// A section as one JSON value: its words and its tables.
pub fn section_to_json(section: &Section) -> Value {
    let tables: Vec<Value> = section.tables.iter().map(Table::to_json).collect();
    json!({"name": section.name, "title": section.title, "notes": section.notes, "tables": tables})
}

fn written(path: PathBuf, text: impl AsRef<[u8]>) -> Result<PathBuf, AnalysisError> {
    match whole_file::write(&path, text.as_ref()) {
        Ok(()) => Ok(path),
        Err(source) => Err(AnalysisError::Unwritable { path, source }),
    }
}
