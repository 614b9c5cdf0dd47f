//! A rule set as somebody wrote it in TOML, and what can be wrong with it.

use std::ops::RangeInclusive;

use serde::de::DeserializeOwned;
use toml::Spanned;

use crate::game::ProfileError;
use crate::text::{Spot, in_plain_words};

/// Reads a rule set written as `W`, which `check` makes rules of; `origin` names the text in errors.
pub fn read<W: DeserializeOwned, R>(
    text: &str,
    origin: &str,
    check: impl FnOnce(W) -> Checked<R>,
) -> Result<R, ProfileError> {
    let complaint = match toml::from_str::<W>(text) {
        Ok(written) => match check(written) {
            Ok(rules) => return Ok(rules),
            Err(complaint) => complaint,
        },
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            Complaint { at, message: with_key(text, at, &in_plain_words(error.message())) }
        }
    };
    let Spot { line, column, .. } = Spot::of(text, complaint.at);
    Err(ProfileError::Invalid { origin: format!("{origin}:{line}:{column}"), message: complaint.message })
}

/// A message of the TOML reader about byte `at`, with the key in front that is written there, or whose value
/// is, unless the message names it.
fn with_key(text: &str, at: usize, message: &str) -> String {
    let before = text[..at].rsplit('\n').next().unwrap_or_default();
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    let (word, rest) = text[at..].split_at(text[at..].find(|c| !is_bare(c)).unwrap_or(text.len() - at));
    let key = match before.rsplit_once('=') {
        Some((key, _)) if !rest.trim_start().starts_with('=') => {
            key.trim_end().rsplit(|c| !is_bare(c)).next().unwrap_or_default()
        }
        _ => word,
    };
    if key.is_empty() || message.contains(key) { message.into() } else { format!("{key}: {message}") }
}

/// A complaint about a rule set, with the byte it is about.
pub struct Complaint {
    pub at: usize,
    pub message: String,
}

impl Complaint {
    pub fn about<T>(written: &Spanned<T>, message: String) -> Self {
        Complaint { at: written.span().start, message }
    }
}

pub type Checked<T> = Result<T, Complaint>;

/// The name a rule set gives itself, which goes into file names and tables.
pub fn name(written: Spanned<String>) -> Checked<String> {
    let name = written.get_ref();
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) {
        let message = format!("name is '{name}'; expected letters, digits, '-' and '_'");
        return Err(Complaint::about(&written, message));
    }
    Ok(written.into_inner())
}

/// The plies of the longest game that a position's text can still count.
const LONGEST_GAME: i64 = 19_998;

/// Refuses a limit of plies without progress under which a game could outlast what texts and tables count.
/// A game makes progress `times` at most.
pub fn bounds_the_game(key: &str, limit: i64, times: i64, at: usize) -> Checked<()> {
    let most = LONGEST_GAME / (times + 1);
    if limit <= most {
        return Ok(());
    }
    let message = format!(
        "{key} is {limit}; expected at most {most}, or a game could outlast the {LONGEST_GAME} plies \
         that positions and records can count"
    );
    Err(Complaint { at, message })
}

/// The number behind `key`, where there is one; it must lie in `range`.
pub fn optional<T: TryFrom<i64>>(
    key: &str,
    written: Option<Spanned<i64>>,
    range: RangeInclusive<i64>,
) -> Checked<Option<T>> {
    written.map(|written| required(key, &written, range)).transpose()
}

/// The number behind `key`, which must lie in `range`.
pub fn required<T: TryFrom<i64>>(
    key: &str,
    written: &Spanned<i64>,
    range: RangeInclusive<i64>,
) -> Checked<T> {
    let value = *written.get_ref();
    let number = range.contains(&value).then(|| T::try_from(value).ok()).flatten();
    number.ok_or_else(|| {
        let message = format!("{key} is {value}; expected {} to {}", range.start(), range.end());
        Complaint::about(written, message)
    })
}
