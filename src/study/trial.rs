//! The experiments there are: a claim, and what a player does who believes it.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::restraints::{FreeSquares, KeepHome, LeastRisk, RankFirst, RiskAtMost};
use crate::analysis::{Board, Expected, Words, claim};
use crate::tables::Restraint;
use crate::units::{Count, Probability, Strength};

/// A claim made into conduct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Trial {
    /// T1: no flip onto a controlled square.
    FreeSquares,
    /// T1: of all flips only the safest.
    SafestFlip,
    /// T4: the front row first.
    FrontRowFirst,
    /// T4: the back row first, against the claim.
    BackRowFirst,
    /// T5: a bonus for locked enemy pieces.
    LockBonus,
    /// T8: the pieces on the rooks' squares stay.
    KeepRooks,
    /// T9: the pieces on the cannons' squares stay.
    KeepCannons,
    /// Q1: no flip beside an enemy piece that could take what comes up.
    NoRiskyFlip,
}

/// A text was not the name of an experiment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no experiment '{}': expected T1, T1-safest, T4-front, T4-back, T5, T8, T9 or Q1", crate::text::shown(.0))]
pub struct UnknownTrial(String);

/// How strictly a claim is kept.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Dose {
    /// For T4: how many of a player's flips are the first ones.
    pub first_flips: Count<15>,
    /// For T5: what a locked piece adds to the value of a position, of which a won game has 1.
    pub lock_bonus: Probability,
    /// For Q1: the most a flip may risk, in soldiers.
    pub most_risk: Strength,
}

impl Default for Dose {
    fn default() -> Self {
        Self {
            first_flips: Count::literal(5),
            lock_bonus: Probability::literal(0.05),
            most_risk: Strength::OFF,
        }
    }
}

/// What the player does that keeps to a claim.
#[derive(Debug, Clone)]
pub enum Behaviour {
    /// It forbids itself some moves.
    Forbids(Arc<dyn Restraint>),
    /// It values a position this much more for every piece of the opponent's that is locked.
    PaysForLocks(f64),
}

impl Trial {
    pub const ALL: [Trial; 8] = [
        Trial::FreeSquares,
        Trial::SafestFlip,
        Trial::FrontRowFirst,
        Trial::BackRowFirst,
        Trial::LockBonus,
        Trial::KeepRooks,
        Trial::KeepCannons,
        Trial::NoRiskyFlip,
    ];

    /// The name on the command line: the claim's, and which way it is tried where there are several.
    pub fn name(self) -> &'static str {
        match self {
            Self::FreeSquares => "T1",
            Self::SafestFlip => "T1-safest",
            Self::FrontRowFirst => "T4-front",
            Self::BackRowFirst => "T4-back",
            Self::LockBonus => "T5",
            Self::KeepRooks => "T8",
            Self::KeepCannons => "T9",
            Self::NoRiskyFlip => "Q1",
        }
    }

    /// The claim in words.
    pub fn words(self) -> Words {
        let (id, _) = self.name().split_once('-').unwrap_or((self.name(), ""));
        *claim(id).expect("the reports know every claim that is tried here")
    }

    /// The board of the game the claim is about.
    pub fn board(self) -> Board {
        match self {
            Self::NoRiskyFlip => Board::Half,
            _ => Board::Xiangqi,
        }
    }

    /// On which side of one half the score of the player who does this lies, if the claim is true.
    pub fn expected(self) -> Expected {
        match self {
            Self::BackRowFirst => Expected::Below,
            _ => Expected::Above,
        }
    }

    pub fn behaviour(self, dose: &Dose) -> Behaviour {
        let board = self.board();
        let rank_first = |rank| RankFirst { board, rank, flips: dose.first_flips.get() as u32 };
        let restraint: Arc<dyn Restraint> = match self {
            Self::LockBonus => return Behaviour::PaysForLocks(dose.lock_bonus.get()),
            Self::FreeSquares => Arc::new(FreeSquares),
            Self::SafestFlip => Arc::new(LeastRisk),
            Self::FrontRowFirst => Arc::new(rank_first(3)),
            Self::BackRowFirst => Arc::new(rank_first(0)),
            Self::KeepRooks => Arc::new(KeepHome { board, role: b'R', but_to_attack: false }),
            Self::KeepCannons => Arc::new(KeepHome { board, role: b'C', but_to_attack: true }),
            Self::NoRiskyFlip => Arc::new(RiskAtMost { most: dose.most_risk.get() }),
        };
        Behaviour::Forbids(restraint)
    }

    /// What the player does, in words, and what `dose` makes of it.
    pub fn conduct(self, dose: &Dose) -> String {
        let first = dose.first_flips.get();
        match self {
            Self::FreeSquares => {
                "never turns a piece up on an empty square where an enemy piece could take it".into()
            }
            Self::SafestFlip => "turns a piece up only where it risks least of all flips there are".into(),
            Self::FrontRowFirst => format!(
                "turns up pieces of the front row, as long as any can be, until it has turned up {first}"
            ),
            Self::BackRowFirst => format!(
                "turns up pieces of the back row, as long as any can be, until it has turned up {first}"
            ),
            Self::LockBonus => format!(
                "values a position {} more, a won game being 1, for every locked piece of the opponent's, and as \
                 much less for every own one",
                dose.lock_bonus.get()
            ),
            Self::KeepRooks => {
                "turns up no piece on a rook's square before the endgame, unless it is in check".into()
            }
            Self::KeepCannons => {
                "turns up no piece on a cannon's square before the endgame, unless it is in check, takes, or goes \
                 beyond the river"
                    .into()
            }
            Self::NoRiskyFlip => {
                format!("turns no piece up where the expected loss is above {} soldiers", dose.most_risk.get())
            }
        }
    }
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Trial {
    type Err = UnknownTrial;

    fn from_str(text: &str) -> Result<Self, UnknownTrial> {
        let known = Self::ALL.into_iter().find(|trial| trial.name().eq_ignore_ascii_case(text));
        known.ok_or_else(|| UnknownTrial(text.into()))
    }
}

impl TryFrom<String> for Trial {
    type Error = UnknownTrial;

    fn try_from(text: String) -> Result<Self, UnknownTrial> {
        text.parse()
    }
}

impl From<Trial> for String {
    fn from(trial: Trial) -> String {
        trial.name().into()
    }
}
