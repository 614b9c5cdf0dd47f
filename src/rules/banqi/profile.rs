//! Rule sets: what differs between the places where Banqi is played.

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::game::{Profile, ProfileError};
use crate::referee::LiveRules;
use crate::rules::written::{self, Checked, Complaint, optional, required};

/// One rule set of Banqi. `configs/rules/banqi` documents each key.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct BanqiRules {
    pub name: String,
    /// Plies without a flip or a capture that draw the game.
    pub no_progress_plies: u16,
    /// The occurrence of a position that draws the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repetition: Option<u8>,
    /// Whether a side that has no piece left has lost, though others are still face down.
    pub capture_all_wins: bool,
    /// Whether a ply that both wins and draws draws.
    pub draw_before_win: bool,
    /// Whether a cannon may take what lies face down, whoever's it is.
    pub cannon_takes_face_down: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub live: LiveRules,
}

fn is_default(live: &LiveRules) -> bool {
    *live == LiveRules::default()
}

/// How often a game makes progress at most: 32 flips, and 31 captures that leave one piece.
const PROGRESS: i64 = 32 + 31;

/// A rule set as written, its numbers still with their places for errors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: Spanned<String>,
    no_progress_plies: Spanned<i64>,
    repetition: Option<Spanned<i64>>,
    #[serde(default = "yes")]
    capture_all_wins: bool,
    #[serde(default)]
    draw_before_win: bool,
    #[serde(default)]
    cannon_takes_face_down: bool,
    live: Option<Spanned<LiveRules>>,
}

fn yes() -> bool {
    true
}

impl Written {
    fn checked(self) -> Checked<BanqiRules> {
        if let Some(live) = self.live.as_ref().filter(|live| live.get_ref().money.is_some()) {
            let message = "live.money is set; expected none, as nobody plays Banqi for pieces";
            return Err(Complaint::about(live, message.into()));
        }
        let no_progress_plies = required("no_progress_plies", &self.no_progress_plies, 1..=9999)?;
        let limit_at = self.no_progress_plies.span().start;
        written::bounds_the_game("no_progress_plies", i64::from(no_progress_plies), PROGRESS, limit_at)?;
        Ok(BanqiRules {
            name: written::name(self.name)?,
            no_progress_plies,
            repetition: optional("repetition", self.repetition, 2..=9)?,
            capture_all_wins: self.capture_all_wins,
            draw_before_win: self.draw_before_win,
            cannon_takes_face_down: self.cannon_takes_face_down,
            live: self.live.map_or_else(LiveRules::default, Spanned::into_inner),
        })
    }
}

impl Profile for BanqiRules {
    const BUILT_IN: &'static [(&'static str, &'static str)] = &[
        ("joypip", include_str!("../../../configs/rules/banqi/joypip.toml")),
        ("joypip-30", include_str!("../../../configs/rules/banqi/joypip-30.toml")),
        ("joypip-100", include_str!("../../../configs/rules/banqi/joypip-100.toml")),
        ("tcga", include_str!("../../../configs/rules/banqi/tcga.toml")),
        ("openspiel", include_str!("../../../configs/rules/banqi/openspiel.toml")),
    ];

    const OF_TABLES: &'static str = "openspiel";

    fn from_toml(text: &str, origin: &str) -> Result<Self, ProfileError> {
        written::read(text, origin, Written::checked)
    }

    fn to_toml(&self) -> String {
        toml::to_string(self).expect("a rule set is plain keys and values")
    }

    fn with_draw_limit(&self, plies: u16) -> Self {
        BanqiRules { no_progress_plies: plies, ..self.clone() }
    }

    fn name(&self) -> &str {
        &self.name
    }
}
