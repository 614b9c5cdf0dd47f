//! What a game is played for: prices of pieces, and who pays whom at the end.
//!
//! The rules are Sunwin's, in its own article on the game. Where the article is garbled the reading is the
//! one under which its parts add up: 1 for the win, at most 4 for pieces and 5 for the mate make its 10.

use serde::{Deserialize, Serialize};

use super::Stakes;
use crate::game::{BySeat, EndReason, Outcome, Seat, SeatValue};

/// What a rule set pays for a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Money {
    /// For winning, however the game was won on the board.
    pub stake: Stakes,
    /// On top of it for a mate or a stalemate.
    pub mate: Stakes,
    /// Kept from the payment for a mate or a stalemate.
    #[serde(default)]
    pub fee: Stakes,
    /// For a resignation or a fallen flag, whatever was taken before.
    pub resignation: Stakes,
    pub limits: Limits,
    pub pieces: Prices,
}

/// The least and the most a winner is paid. No draw costs more than the most either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "[Stakes; 2]", into = "[Stakes; 2]")]
pub struct Limits {
    least: Stakes,
    most: Stakes,
}

/// Two amounts do not bound a payment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("[{least}, {most}] are no limits: expected the least, not below 0, then the most, above 0")]
pub struct NotLimits {
    least: Stakes,
    most: Stakes,
}

impl Limits {
    /// # Errors
    ///
    /// If `least` is negative or above `most`, or `most` is nothing.
    pub fn new(least: Stakes, most: Stakes) -> Result<Self, NotLimits> {
        if Stakes::ZERO <= least && least <= most && Stakes::ZERO < most {
            Ok(Self { least, most })
        } else {
            Err(NotLimits { least, most })
        }
    }

    pub fn least(self) -> Stakes {
        self.least
    }

    pub fn most(self) -> Stakes {
        self.most
    }
}

impl TryFrom<[Stakes; 2]> for Limits {
    type Error = NotLimits;

    fn try_from([least, most]: [Stakes; 2]) -> Result<Self, NotLimits> {
        Self::new(least, most)
    }
}

impl From<Limits> for [Stakes; 2] {
    fn from(limits: Limits) -> Self {
        [limits.least, limits.most]
    }
}

/// What a taken piece is worth, by its upper-case letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    #[serde(rename = "R")]
    pub chariot: Stakes,
    #[serde(rename = "C")]
    pub cannon: Stakes,
    #[serde(rename = "N")]
    pub horse: Stakes,
    #[serde(rename = "A")]
    pub advisor: Stakes,
    #[serde(rename = "B")]
    pub elephant: Stakes,
    #[serde(rename = "P")]
    pub soldier: Stakes,
}

impl Prices {
    /// The price of the piece with this upper-case letter; a king has none.
    pub fn of(&self, letter: char) -> Stakes {
        match letter {
            'R' => self.chariot,
            'C' => self.cannon,
            'N' => self.horse,
            'A' => self.advisor,
            'B' => self.elephant,
            'P' => self.soldier,
            _ => Stakes::ZERO,
        }
    }
}

/// The worth of what each player has taken, face-down pieces by what they truly were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Takings(BySeat<Stakes>);

impl Takings {
    /// Adds a piece of this price to what `taker` has taken.
    pub fn add(&mut self, taker: Seat, price: Stakes) {
        self.0[taker] += price;
    }

    /// What `seat` has taken less what it has lost.
    pub fn lead(&self, seat: Seat) -> Stakes {
        self.0[seat] - self.0[seat.other()]
    }
}

/// What the end of a game moves from one player to the other. Nothing is lost on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Settlement {
    /// Below zero the first seat pays.
    to_first: Stakes,
    most: Stakes,
}

impl Settlement {
    /// What `seat` receives; below zero it pays.
    pub fn to(&self, seat: Seat) -> Stakes {
        match seat {
            Seat::First => self.to_first,
            Seat::Second => -self.to_first,
        }
    }

    /// The payment as a share of the most that can be paid, from -1 to 1, on the first seat's side: what a
    /// player for money aims at in place of the result.
    ///
    /// The limits are in the payment already, so an expectation over what is unknown is one over these
    /// values; the value of an expected lead would be another number.
    pub fn value(&self) -> SeatValue {
        SeatValue(self.to_first.hundredths() as f32 / self.most.hundredths() as f32)
    }
}

impl Money {
    /// Whether a player with `bankroll` may sit down: able to pay the most that a game can cost.
    pub fn admits(&self, bankroll: Stakes) -> bool {
        bankroll >= self.limits.most
    }

    /// Who pays what for a game that ended like this.
    ///
    /// A winner who has lost more than taken is paid as if both were equal. In a draw the lead in pieces
    /// changes hands, and nothing else.
    pub fn settle(&self, outcome: Outcome, takings: &Takings) -> Settlement {
        let most = self.limits.most;
        let Some(winner) = outcome.winner else {
            return Settlement { to_first: takings.lead(Seat::First).clamp(-most, most), most };
        };
        let on_board = self.stake + takings.lead(winner).max(Stakes::ZERO);
        let prize = match outcome.reason {
            EndReason::Resignation | EndReason::Flag => self.resignation,
            EndReason::Checkmate | EndReason::Stalemate => on_board + self.mate - self.fee,
            // The loser broke a rule: the article is silent, and no mate was forced.
            _ => on_board,
        };
        let prize = prize.clamp(self.limits.least, most);
        let to_first = match winner {
            Seat::First => prize,
            Seat::Second => -prize,
        };
        Settlement { to_first, most }
    }
}
