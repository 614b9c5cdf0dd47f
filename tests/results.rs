//! What `docs/results` tells players stands in the tables beside it, to the last digit.

use std::fs;
use std::path::Path;

use crate::program::contents;

/// The figures of a text that have an interval, as a row of CSV writes them: `-1.58,-1.63,-1.52` for
/// `−1.58 (−1.63 to −1.52)`.
fn estimates(text: &str) -> Vec<String> {
    let plain = text.replace('−', "-");
    let is_number = |word: &&str| word.parse::<f64>().is_ok();
    let ends = |inside: &str| {
        let (low, high) = inside.split_once(" to ")?;
        (is_number(&low) && is_number(&high)).then(|| format!("{low},{high}"))
    };
    let parts = plain.match_indices('(').filter_map(|(at, _)| {
        let ends = ends(plain[at + 1..].split_once(')')?.0)?;
        let value =
            plain[..at].trim_end().trim_end_matches('%').split_whitespace().last().filter(is_number)?;
        Some(format!("{value},{ends}"))
    });
    parts.collect()
}

#[test]
fn the_page_for_players_says_what_the_tables_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/results");
    let files = contents(&folder);
    let tables: Vec<&str> = files
        .iter()
        .filter(|(name, _)| name.ends_with(".csv"))
        .map(|(_, bytes)| std::str::from_utf8(bytes).expect("UTF-8"))
        .collect();
    let page = fs::read_to_string(folder.join("README.md")).expect("the page");
    let told = estimates(&page);
    assert!(told.len() > 60, "{} figures", told.len());
    let unknown: Vec<&String> =
        told.iter().filter(|figure| !tables.iter().any(|table| table.contains(*figure))).collect();
    assert!(unknown.is_empty(), "in no table: {unknown:?}");

    // Small enough to be kept with the program.
    let bytes: usize = files.values().map(Vec::len).sum();
    assert!(bytes <= 5_000_000, "{bytes} bytes");
}

#[test]
fn a_figure_with_its_interval_is_found_in_a_text() {
    let text = "costs −1.58 (−1.63 to −1.52) points, or 53.2 % (52.1 to 54.4); not (a to b), nor 7 (x)";
    assert_eq!(estimates(text), ["-1.58,-1.63,-1.52", "53.2,52.1,54.4"]);
}
