//! Draws by agreement: who may offer one when, and how long an offer stands.

use serde::{Deserialize, Serialize};

use super::Refusal;
use crate::game::Seat;

/// When a rule set lets a player offer a draw. The default is always.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DrawOffers {
    /// Whether only the player to move may offer.
    pub own_turn_only: bool,
    /// Rounds, a move by each side, that must have been played before.
    pub after_round: u32,
}

impl DrawOffers {
    fn permit(&self, by: Seat, to_move: Seat, plies: u32) -> Result<(), Refusal> {
        if self.own_turn_only && by != to_move {
            return Err(Refusal::OfferOutOfTurn);
        }
        let rounds = plies / 2;
        if rounds < self.after_round {
            return Err(Refusal::OfferTooEarly { rounds, needed: self.after_round });
        }
        Ok(())
    }
}

/// The draw offer on the table of one game.
///
/// It stands until it is answered or anybody moves: the other player declines it by moving, and the
/// player who made it takes it back by moving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Offer {
    rule: DrawOffers,
    by: Option<Seat>,
}

impl Offer {
    pub fn none(rule: DrawOffers) -> Self {
        Self { rule, by: None }
    }

    pub fn by(&self) -> Option<Seat> {
        self.by
    }

    pub fn make(&mut self, by: Seat, to_move: Seat, plies: u32) -> Result<(), Refusal> {
        if self.by.is_some() {
            return Err(Refusal::OfferStands);
        }
        self.rule.permit(by, to_move, plies)?;
        self.by = Some(by);
        Ok(())
    }

    /// Takes the offer that `seat` is about to accept or decline off the table.
    pub fn answer(&mut self, seat: Seat) -> Result<(), Refusal> {
        match self.by {
            None => Err(Refusal::NoOffer),
            Some(by) if by == seat => Err(Refusal::OwnOffer),
            Some(_) => {
                self.by = None;
                Ok(())
            }
        }
    }

    pub fn lapse(&mut self) {
        self.by = None;
    }
}
