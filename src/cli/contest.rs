//! What the commands that let players meet have in common.

use std::num::NonZeroU32;
use std::path::Path;
use std::slice;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Common, Entrant, Failure, TerminalProgress, tell};
use crate::arena::{End, Judges, Match, Sprt, Standing};
use crate::game::Game;
use crate::record::{Dataset, DatasetInfo, RecordError};

/// A number of games, even and not zero.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct EvenGames(NonZeroU32);

impl EvenGames {
    /// A constant known to be right.
    ///
    /// # Panics
    ///
    /// If it is not; in a constant that is an error of the compiler.
    pub const fn literal(games: u32) -> Self {
        assert!(games.is_multiple_of(2), "an even number of games");
        Self(NonZeroU32::new(games).expect("some games"))
    }

    pub fn pairs(self) -> u32 {
        self.0.get() / 2
    }
}

impl TryFrom<u32> for EvenGames {
    type Error = String;

    fn try_from(games: u32) -> Result<Self, String> {
        let even = NonZeroU32::new(games).filter(|games| games.get().is_multiple_of(2));
        even.map(Self).ok_or_else(|| format!("{games} games: expected an even number above 0"))
    }
}

impl From<EvenGames> for u32 {
    fn from(games: EvenGames) -> u32 {
        games.0.get()
    }
}

impl std::str::FromStr for EvenGames {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse::<u32>().map_err(|_| "expected an even number of games".to_owned())?.try_into()
    }
}

/// Makes sure that a player is named, which `flag` could have done.
///
/// # Errors
///
/// A usage error that says how.
pub fn named(player: &str, flag: &str) -> Result<(), Failure> {
    match player.is_empty() {
        true => Err(Failure::usage(format!("no player named; say who plays by {flag} PLAYER"))),
        false => Ok(()),
    }
}

/// Notes in settings which weights the players and the judge have, so that games that are `kept` never go on
/// with others.
///
/// # Errors
///
/// A usage error if the settings expect others.
pub fn pin_weights(pinned: &mut Vec<String>, entrants: &[&Entrant], kept: bool) -> Result<(), Failure> {
    let mut found = Vec::new();
    for entrant in entrants {
        found.push(entrant.weights().map_err(Failure::usage)?.unwrap_or_default());
    }
    if !pinned.is_empty() && *pinned != found {
        let (found, expected) = (found.join(", "), pinned.join(", "));
        return Err(Failure::usage(format!(
            "the players and the judge have the weights {found}; the settings expect {expected}"
        )));
    }
    if kept {
        *pinned = found;
    }
    Ok(())
}

/// Plays a contest, with its progress on the terminal.
///
/// # Errors
///
/// If a game cannot be played or kept.
pub fn play<G: Game>(
    contest: &Match<'_, G>,
    judges: &Judges<'_, G>,
    dataset: Option<&Dataset>,
    common: &Common,
) -> Result<Standing, Failure> {
    if contest.is_timed() && !common.quiet {
        tell("time is limited: these games will not repeat");
    }
    let progress = TerminalProgress::new(common.quiet);
    Ok(contest.play(&common.pool()?, judges, dataset, &progress)?)
}

/// What a sequential test says of a match; nothing if the match was interrupted.
pub fn sequential_test(sprt: &Sprt, standing: &Standing) -> Option<String> {
    match standing.end {
        End::Decided(verdict) => Some(format!("sequential test {sprt}: {verdict}")),
        End::AllPlayed => {
            let (low, high) = sprt.bounds();
            let ratio = sprt.log_ratio(standing.score());
            Some(format!("sequential test {sprt}: open, {ratio:.2} in {low:.2} to {high:.2}"))
        }
        End::Interrupted => None,
    }
}

/// The failure of a match that was broken off, its games kept in a folder or not.
pub fn interrupted(kept: Option<&Path>) -> Failure {
    Failure::failed(match kept {
        Some(out) => format!(
            "interrupted; {} keeps the shards that were finished, and the same command goes on",
            out.display()
        ),
        None => "interrupted; the games are not kept: --out DIR keeps them".into(),
    })
}

/// The dataset of this very match in the folder.
pub fn open_dataset<G: Game, S: Serialize + DeserializeOwned>(
    out: &Path,
    rules: &Arc<G::Profile>,
    settings: &S,
) -> Result<Dataset, Failure> {
    let info = DatasetInfo::new::<G>(slice::from_ref(rules), toml::to_string(settings)?);
    Dataset::create_or_resume_as::<S>(out, info).map_err(|error| match error {
        RecordError::OtherRun { .. } | RecordError::UnknownRun { .. } => Failure::usage(error),
        error => Failure::failed(error),
    })
}
