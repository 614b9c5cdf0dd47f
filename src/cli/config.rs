//! Settings: the file, then `--set`, each checked as it is read.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use crate::text::{Spot, in_plain_words, read_file, shown};

/// A setting could not be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("cannot read the config {path}")]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{path}:{line}:{column}: in `{excerpt}`: {message}")]
    Invalid { path: PathBuf, line: usize, column: usize, excerpt: String, message: String },
    #[error("setting `{given}`: expected KEY=VALUE, the key's parts joined by dots, like search.visits=400")]
    NotAnAssignment { given: String },
    #[error("setting `{given}`: `{part}` is not a section")]
    NotASection { given: String, part: String },
    #[error("setting `{section}`: found a list, expected a section with named settings")]
    ListForSection { section: String },
    #[error("setting `{given}`: {message}")]
    Refused { given: String, message: String },
}

/// Where settings come from besides the defaults.
#[derive(Debug, Clone, Copy)]
pub struct Overrides<'a> {
    pub file: Option<&'a Path>,
    /// `KEY=VALUE` texts, applied in order.
    pub assignments: &'a [String],
}

impl Overrides<'_> {
    /// The settings: defaults, then the file, then the assignments.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or any key or value is not one that `T` takes.
    pub fn load<T: DeserializeOwned + Serialize>(&self) -> Result<T, ConfigError> {
        let mut table = match self.file {
            Some(path) => read::<T>(path)?,
            None => Table::new(),
        };
        for given in self.assignments {
            set::<T>(&mut table, given)?;
        }
        let settings: T = Value::Table(table.clone()).try_into().map_err(|error: toml::de::Error| {
            ConfigError::Refused { given: "(defaults)".into(), message: in_plain_words(error.message()) }
        })?;
        let held = Table::try_from(&settings).expect("settings are a table of plain values");
        match listed_section(&table, &held) {
            Some(section) => Err(ConfigError::ListForSection { section }),
            None => Ok(settings),
        }
    }
}

/// A section that is given as a list of values without their names, which serde would take.
fn listed_section(given: &Table, held: &Table) -> Option<String> {
    given.iter().find_map(|(key, value)| match (value, held.get(key)?) {
        (Value::Array(_), Value::Table(_)) => Some(key.clone()),
        (Value::Table(given), Value::Table(held)) => {
            listed_section(given, held).map(|inner| format!("{key}.{inner}"))
        }
        _ => None,
    })
}

/// `base` with some `KEY=VALUE` texts applied to it, in order.
///
/// # Errors
///
/// If one names a key or a value that `T` does not take.
pub fn adjusted<'a, T>(base: &T, assignments: impl IntoIterator<Item = &'a str>) -> Result<T, ConfigError>
where
    T: Clone + Serialize + DeserializeOwned,
{
    let mut table = Table::try_from(base).expect("settings are a table of plain values");
    assignments.into_iter().try_fold(base.clone(), |_, given| set(&mut table, given))
}

/// Applies one assignment. What it leads to is checked at once, so that the message can name it.
fn set<T: DeserializeOwned>(table: &mut Table, given: &str) -> Result<T, ConfigError> {
    assign(table, given)?;
    Value::Table(table.clone()).try_into().map_err(|error: toml::de::Error| ConfigError::Refused {
        given: shown(given),
        message: in_plain_words(error.message()),
    })
}

/// Reads a file both as the settings it stands for, for the sake of exact messages, and as a table.
fn read<T: DeserializeOwned>(path: &Path) -> Result<Table, ConfigError> {
    let text = read_file(path).map_err(|source| ConfigError::Unreadable { path: path.into(), source })?;
    toml::from_str::<T>(&text)
        .and_then(|_| toml::from_str::<Table>(&text))
        .map_err(|error| invalid(path, &text, &error))
}

fn invalid(path: &Path, text: &str, error: &toml::de::Error) -> ConfigError {
    let Spot { line, column, excerpt } = Spot::of(text, error.span().map_or(0, |span| span.start));
    ConfigError::Invalid {
        path: path.into(),
        line,
        column,
        excerpt,
        message: in_plain_words(error.message()),
    }
}

/// Sets one dotted key; a value that is not TOML is taken as a string, so that names need no quotes.
fn assign(table: &mut Table, given: &str) -> Result<(), ConfigError> {
    let not_an_assignment = || ConfigError::NotAnAssignment { given: shown(given) };
    let (key, text) = given.split_once('=').ok_or_else(not_an_assignment)?;
    let mut parts: Vec<&str> = key.split('.').map(str::trim).collect();
    if parts.iter().any(|part| part.is_empty()) {
        return Err(not_an_assignment());
    }
    let last = parts.pop().ok_or_else(not_an_assignment)?;
    let mut section = table;
    for part in parts {
        section = section
            .entry(part)
            .or_insert_with(|| Value::Table(Table::new()))
            .as_table_mut()
            .ok_or_else(|| ConfigError::NotASection { given: shown(given), part: part.into() })?;
    }
    let value = toml::from_str::<Table>(&format!("value = {text}"))
        .ok()
        .filter(|line| line.len() == 1)
        .and_then(|mut line| line.remove("value"));
    let value = match value {
        Some(value) => value,
        None if is_all_digits(text) => {
            let message = format!("expected a whole number up to {}, without zeros in front", i64::MAX);
            return Err(ConfigError::Refused { given: shown(given), message });
        }
        None => Value::String(text.trim().into()),
    };
    section.insert(last.into(), value);
    Ok(())
}

/// Whether a text was meant as a whole number.
fn is_all_digits(text: &str) -> bool {
    let digits = text.trim().trim_start_matches(['+', '-']);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
    #[serde(deny_unknown_fields, default)]
    struct Settings {
        name: String,
        search: Search,
    }

    #[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
    #[serde(deny_unknown_fields, default)]
    struct Search {
        visits: u32,
    }

    fn load(assignments: &[&str]) -> Result<Settings, ConfigError> {
        let assignments: Vec<String> = assignments.iter().map(|&text| text.into()).collect();
        Overrides { file: None, assignments: &assignments }.load()
    }

    #[test]
    fn later_assignments_win_and_names_need_no_quotes() {
        let settings = load(&["search.visits=3", "name=wxf", "search.visits=400"]).expect("valid");
        assert_eq!(settings, Settings { name: "wxf".into(), search: Search { visits: 400 } });
    }

    #[test]
    fn a_wrong_assignment_is_named() {
        for wrong in [
            "search.visits=1\nname=\"b\"",
            "search.visits=-1",
            "search.depth=3",
            "search",
            "name.x=1",
            ".=1",
            "search.visits=",
        ] {
            let message = load(&["name=a", wrong]).expect_err(wrong).to_string();
            assert!(message.contains(&format!("`{}`", shown(wrong))), "{message}");
        }
    }

    #[test]
    fn messages_know_no_types_of_rust() {
        for (given, expected) in [
            ("search=5", "integer `5`, expected a section with named settings"),
            ("search.visits=many", "string \"many\", expected a whole number within limits"),
            ("search.visits=1.5", "number `1.5`, expected a whole number within limits"),
            ("search.visits=18446744073709551615", "expected a whole number up to 9223372036854775807"),
            ("search.visits=-99999999999999999999", "expected a whole number up to 9223372036854775807"),
        ] {
            let message = load(&[given]).expect_err(given).to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn a_list_is_no_section() {
        let error = load(&["search=[1]"]).expect_err("a list").to_string();
        assert!(error.contains("`search`: found a list"), "{error}");
    }

    #[test]
    fn a_wrong_file_is_named_with_line_and_column() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.toml");
        std::fs::write(&path, "name = \"x\"\n[search]\nvisits = \"many\"\n").expect("written");
        let error = Overrides { file: Some(&path), assignments: &[] }.load::<Settings>().expect_err("wrong");
        assert!(error.to_string().contains("a.toml:3:10: in `visits = \"many\"`"), "{error}");
    }
}
