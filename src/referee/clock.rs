//! Time as a rule: what a move of so many seconds costs, and when a flag falls.
//!
//! Nothing here reads the time. Whoever runs a game measures how long a player has thought, and says so.

use std::num::NonZeroU32;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::{BySeat, Seat};

/// A clock that a rule set offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockRule {
    /// Seconds a player has for the whole game; if absent, what the players agree on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<NonZeroU32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_move: Option<PerMove>,
}

/// A limit on the time of one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerMove {
    pub seconds: NonZeroU32,
    /// How many times faster the budget runs beyond the limit; if absent, thinking beyond it loses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overrun_factor: Option<NonZeroU32>,
    /// Another limit for a player's first moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
}

/// The limit on each of a player's first moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    pub moves: NonZeroU32,
    pub seconds: NonZeroU32,
}

/// Time for a whole game that two players agreed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Budget {
    pub total: Duration,
    /// Given back after each move.
    pub increment: Duration,
}

/// Two players cannot have the clock they asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClockError {
    #[error("a budget was asked for, but the rules fix {seconds} s: expected none")]
    Fixed { seconds: NonZeroU32 },
    #[error("no budget was agreed on, but overrunning a move's limit is charged to one: expected a budget")]
    NothingToCharge,
    #[error("the budget asked for is 0 s: expected more")]
    Empty,
}

impl ClockRule {
    /// The clocks of one game, `agreed` being what the rule leaves to the players. With neither a budget
    /// nor a limit per move, no flag ever falls.
    ///
    /// # Errors
    ///
    /// If `agreed` is empty or not for the players to choose, or an overrun would be charged to nothing.
    pub fn wind_up(&self, agreed: Option<Budget>) -> Result<Clocks, ClockError> {
        if let (Some(seconds), Some(_)) = (self.budget, agreed) {
            return Err(ClockError::Fixed { seconds });
        }
        let budget = self
            .budget
            .map_or(agreed, |total| Some(Budget { total: in_seconds(total), increment: Duration::ZERO }));
        if budget.is_some_and(|budget| budget.total.is_zero()) {
            return Err(ClockError::Empty);
        }
        if budget.is_none() && self.per_move.is_some_and(|limit| limit.overrun_factor.is_some()) {
            return Err(ClockError::NothingToCharge);
        }
        let own = Own { left: budget.map(|budget| budget.total), moves: 0 };
        Ok(Clocks {
            increment: budget.map_or(Duration::ZERO, |budget| budget.increment),
            per_move: self.per_move,
            own: BySeat::new(own, own),
        })
    }
}

impl PerMove {
    fn limit(&self, moves_made: u32) -> Duration {
        let opening = self.opening.filter(|opening| moves_made < opening.moves.get());
        in_seconds(opening.map_or(self.seconds, |opening| opening.seconds))
    }
}

fn in_seconds(seconds: NonZeroU32) -> Duration {
    Duration::from_secs(seconds.get().into())
}

/// The clocks of both players of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    increment: Duration,
    per_move: Option<PerMove>,
    own: BySeat<Own>,
}

/// One player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Own {
    /// None without a budget.
    left: Option<Duration>,
    moves: u32,
}

impl Clocks {
    /// What is left of the budget of `seat` at its turn's start; none without a budget.
    pub fn left(&self, seat: Seat) -> Option<Duration> {
        self.own[seat].left
    }

    /// What thinking for `spent` takes from the budget of `seat`: `min(t, L) + m * max(0, t - L)` for a
    /// limit of L with an overrun factor of m, and just t otherwise.
    pub fn charge(&self, seat: Seat, spent: Duration) -> Duration {
        let Some(per_move) = self.per_move else { return spent };
        let limit = per_move.limit(self.own[seat].moves);
        let factor = per_move.overrun_factor.map_or(1, NonZeroU32::get);
        spent.min(limit).saturating_add(spent.saturating_sub(limit).saturating_mul(factor))
    }

    /// Whether the flag of `seat` falls when it has thought about its move for `spent`.
    ///
    /// A limit per move may be used in full; a budget that is used in full is empty, and has fallen.
    pub fn has_fallen(&self, seat: Seat, spent: Duration) -> bool {
        let Own { left, moves } = self.own[seat];
        let too_slow =
            self.per_move.is_some_and(|limit| limit.overrun_factor.is_none() && spent > limit.limit(moves));
        too_slow || left.is_some_and(|left| self.charge(seat, spent) >= left)
    }

    /// Charges `seat` for a move it made in `spent`, before its flag fell.
    pub(super) fn press(&mut self, seat: Seat, spent: Duration) {
        let charge = self.charge(seat, spent);
        let own = &mut self.own[seat];
        own.left = own.left.map(|left| left.saturating_sub(charge).saturating_add(self.increment));
        own.moves = own.moves.saturating_add(1);
    }
}
