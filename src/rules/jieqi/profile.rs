//! Rule sets: what differs between the places where Jieqi is played.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::board::Guards;
use crate::game::{Profile, ProfileError};

/// Who learns what a face-down piece was when it is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TakenFaceDown {
    /// It is put aside face down, and stays in everybody's pool.
    #[serde(rename = "nobody")]
    SeenByNobody,
    /// Its owner's pool keeps it; the taker's does not.
    #[serde(rename = "capturer")]
    SeenByTaker,
    #[serde(rename = "both")]
    SeenByAll,
}

/// One rule set of Jieqi. `configs/rules/jieqi` documents each key.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct JieqiRules {
    pub name: String,
    pub captured_hidden: TakenFaceDown,
    /// Plies without a capture that draw the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_capture_plies: Option<u16>,
    /// Whether a reveal starts the count of [`JieqiRules::no_capture_plies`] again.
    pub reveal_resets_counter: bool,
    /// The occurrence of a position that draws the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neutral_repetition: Option<u8>,
    /// Plies that draw the game whatever happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply_cap: Option<u16>,
    #[serde(rename = "free_advisor_elephant", serialize_with = "guards_as_bool")]
    pub guards: Guards,
}

fn guards_as_bool<S: serde::Serializer>(guards: &Guards, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(*guards == Guards::Free)
}

/// A rule set as written, its numbers still with their places for errors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: Spanned<String>,
    captured_hidden: TakenFaceDown,
    no_capture_plies: Option<Spanned<i64>>,
    reveal_resets_counter: Option<Spanned<bool>>,
    neutral_repetition: Option<Spanned<i64>>,
    ply_cap: Option<Spanned<i64>>,
    #[serde(default = "yes")]
    free_advisor_elephant: bool,
}

fn yes() -> bool {
    true
}

/// A complaint about a rule set, with the byte it is about.
struct Complaint {
    at: usize,
    message: String,
}

impl Written {
    fn checked(self) -> Result<JieqiRules, Complaint> {
        let name = self.name.get_ref();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        {
            return Err(Complaint {
                at: self.name.span().start,
                message: format!("name is '{name}'; expected letters, digits, '-' and '_'"),
            });
        }
        let no_capture_plies = in_range("no_capture_plies", self.no_capture_plies, 1..=9999)?;
        let ply_cap = in_range("ply_cap", self.ply_cap, 1..=9999)?;
        if no_capture_plies.is_none() && ply_cap.is_none() {
            return Err(Complaint {
                at: 0,
                message: "neither no_capture_plies nor ply_cap is set; expected one of them, \
                          or a game might never end"
                    .into(),
            });
        }
        if let Some(resets) = self.reveal_resets_counter.as_ref().filter(|resets| *resets.get_ref())
            && no_capture_plies.is_none()
        {
            return Err(Complaint {
                at: resets.span().start,
                message: "reveal_resets_counter is true without no_capture_plies; \
                          expected a limit for the counter it resets"
                    .into(),
            });
        }
        Ok(JieqiRules {
            captured_hidden: self.captured_hidden,
            no_capture_plies,
            reveal_resets_counter: self.reveal_resets_counter.is_some_and(Spanned::into_inner),
            neutral_repetition: in_range("neutral_repetition", self.neutral_repetition, 2..=9)?,
            ply_cap,
            guards: if self.free_advisor_elephant { Guards::Free } else { Guards::Confined },
            name: self.name.into_inner(),
        })
    }
}

fn in_range<T: TryFrom<i64>>(
    key: &str,
    written: Option<Spanned<i64>>,
    range: RangeInclusive<i64>,
) -> Result<Option<T>, Complaint> {
    let Some(written) = written else { return Ok(None) };
    let value = *written.get_ref();
    let number = range.contains(&value).then(|| T::try_from(value).ok()).flatten();
    number.map(Some).ok_or_else(|| Complaint {
        at: written.span().start,
        message: format!("{key} is {value}; expected {} to {}", range.start(), range.end()),
    })
}

impl Profile for JieqiRules {
    const BUILT_IN: &'static [(&'static str, &'static str)] = &[
        ("wxf", include_str!("../../../configs/rules/jieqi/wxf.toml")),
        ("base", include_str!("../../../configs/rules/jieqi/base.toml")),
    ];

    fn from_toml(text: &str, origin: &str) -> Result<Self, ProfileError> {
        let complaint = match toml::from_str::<Written>(text) {
            Ok(written) => match written.checked() {
                Ok(rules) => return Ok(rules),
                Err(complaint) => complaint,
            },
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                Complaint { at, message: format!("{}{}", key_before(text, at), error.message()) }
            }
        };
        let (line, column) = line_and_column(text, complaint.at);
        Err(ProfileError::Invalid { origin: format!("{origin}:{line}:{column}"), message: complaint.message })
    }

    fn to_toml(&self) -> String {
        toml::to_string(self).expect("a rule set is plain keys and values")
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// The key a value at byte `at` belongs to, as `key: `; empty if `at` is not after a key's `=`.
fn key_before(text: &str, at: usize) -> String {
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    line.split_once('=').map_or_else(String::new, |(key, _)| format!("{}: ", key.trim()))
}

/// Both counted from 1.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, text[line_start..at].chars().count() + 1)
}
