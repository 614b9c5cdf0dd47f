//! The floors of docs/architecture.md, held against the `use` lines of the source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Modules that any other may import.
const FOR_ALL: [&str; 3] = ["units", "text", "progress"];

/// Who may name a crate.
const CRATES: [(&str, &[&str]); 6] = [
    ("tch", &["net", "train"]),
    ("arrow", &["record", "analysis"]),
    ("parquet", &["record", "analysis"]),
    ("clap", &["cli"]),
    ("indicatif", &["cli"]),
    ("rayon", &["selfplay", "arena", "train", "analysis", "pipeline", "study", "cli"]),
];

#[test]
fn modules_import_only_what_their_floor_allows() {
    let floors = floors();
    let mut breaches = Vec::new();
    for (module, path, text) in sources() {
        let Some(allowed) = floors.get(&module) else {
            breaches.push(format!("{}: no row for `{module}` in docs/architecture.md", path.display()));
            continue;
        };
        for imported in names_after(&text, "crate::") {
            let free = imported == module || FOR_ALL.contains(&imported.as_str());
            if !free && !allowed.contains(&"everything".to_owned()) && !allowed.contains(&imported) {
                breaches.push(format!("{}: `{module}` imports `{imported}`", path.display()));
            }
        }
    }
    assert!(breaches.is_empty(), "{breaches:#?}");
}

#[test]
fn crates_are_named_only_where_they_belong() {
    let mut breaches = Vec::new();
    for (module, path, text) in sources() {
        for (name, homes) in CRATES {
            let named = code_lines(&text).any(|line| {
                line.match_indices(&format!("{name}::")).any(|(at, _)| {
                    !line[..at].ends_with(|before: char| before.is_alphanumeric() || "_:".contains(before))
                })
            });
            if named && !homes.contains(&module.as_str()) {
                breaches.push(format!("{}: names `{name}`", path.display()));
            }
        }
    }
    assert!(breaches.is_empty(), "{breaches:#?}");
}

/// The table's rows: module, and what it may import.
fn floors() -> BTreeMap<String, Vec<String>> {
    let page = read(Path::new("docs/architecture.md"));
    let (_, after) = page.split_once("| floor | module | may import |").expect("the page has the table");
    let rows = after.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let module = cells[2].trim_matches('`').to_owned();
        let allowed = cells[3].split_whitespace().map(|name| name.trim_matches('`').to_owned()).collect();
        (module, allowed)
    })
    .collect()
}

/// Every source file below `src`, with the top module it belongs to.
fn sources() -> Vec<(String, PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the source") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let module =
                    path.components().nth(1).expect("a path below src").as_os_str().to_string_lossy();
                let module = module.trim_end_matches(".rs").to_owned();
                if module != "lib" && module != "main" {
                    let text = read(&path);
                    found.push((module, path, text));
                }
            }
        }
    }
    assert!(found.len() > 20, "the source was found");
    found
}

/// The first path segment after every `prefix` in code.
fn names_after(text: &str, prefix: &str) -> Vec<String> {
    let mut names: Vec<String> = code_lines(text)
        .flat_map(|line| line.match_indices(prefix).map(move |(at, _)| &line[at + prefix.len()..]))
        .flat_map(|rest| match rest.strip_prefix('{') {
            Some(group) => group.split(',').map(first_segment).collect::<Vec<_>>(),
            None => vec![first_segment(rest)],
        })
        .filter(|name| !name.is_empty())
        .collect();
    names.sort();
    names.dedup();
    names
}

fn first_segment(path: &str) -> String {
    path.trim().chars().take_while(|&c| c.is_alphanumeric() || c == '_').collect()
}

fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
