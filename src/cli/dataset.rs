//! A dataset that the command line names.

use std::path::Path;

use super::Failure;
use crate::game::{Game, Profile};
use crate::record::{OnBroken, Reader, RecordError, Table};
use crate::rules::{Task, dispatch};
use crate::text::shown;

/// Opens the dataset at `path`.
///
/// # Errors
///
/// A usage error if there is none, a failure if it cannot be read.
pub fn open(path: &Path, on_broken: OnBroken) -> Result<Reader, Failure> {
    Reader::open(path, on_broken).map_err(unusable)
}

/// What is wrong with a dataset: a path to something else is a slip of whoever typed it.
pub fn unusable(error: RecordError) -> Failure {
    match error {
        RecordError::NotADataset { .. } => Failure::usage(error),
        error => Failure::failed(error),
    }
}

/// The name in the dataset of the rule set that `--rules` gives: that name, or a file of the same rules.
pub fn rules_meant(given: &str, reader: &Reader) -> Result<String, Failure> {
    if reader.rules().contains(given) {
        return Ok(given.into());
    }
    dispatch(reader.game().parse()?, RulesMeant { given, reader })
}

struct RulesMeant<'a> {
    given: &'a str,
    reader: &'a Reader,
}

impl Task for RulesMeant<'_> {
    type Out = Result<String, Failure>;

    fn run<G: Game>(self) -> Result<String, Failure> {
        let Self { given, reader } = self;
        let rules = G::Profile::load(given).map_err(Failure::usage)?;
        let theirs = reader.shards().iter().map(|shard| shard.file(Table::Plies));
        let differs = |text: &str| text != rules.to_toml();
        match theirs.filter(|file| file.rules() == rules.name()).find(|file| differs(file.rules_text())) {
            Some(file) => {
                let (given, name, file) = (shown(given), rules.name(), file.path().display());
                Err(Failure::usage(format!("--rules {given}: {file} has other rules of the name '{name}'")))
            }
            None => Ok(rules.name().into()),
        }
    }
}
