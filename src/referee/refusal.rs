//! Why a referee lets an act have no effect.

use std::time::Duration;

use crate::game::{Outcome, Seat};

/// An act was against the rules. But for the reading of the clock, the game stands as if it had not been tried.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the game is over by {}: nobody can act any more", .0.reason.name())]
    GameOver(Outcome),
    #[error("the {} player tried to move: it is the other's turn", ordinal(*.0))]
    NotOnTurn(Seat),
    #[error("{mv} is not legal here")]
    IllegalMove { mv: String },
    #[error("{mv} cannot uncover {reveal} here")]
    ImpossibleReveal { mv: String, reveal: String },
    #[error("{mv} takes a piece that nobody sees: the game is for money, so what it was must be known")]
    UnknownPrice { mv: String },
    #[error("the clock shows {found:?} for this turn after {before:?}: expected no less")]
    ClockRanBack { before: Duration, found: Duration },
    #[error("a draw is on offer already: expected an answer to it")]
    OfferStands,
    #[error("a draw may be offered by the player to move only")]
    OfferOutOfTurn,
    #[error("a draw may be offered after {needed} rounds, and {rounds} have been played")]
    OfferTooEarly { rounds: u32, needed: u32 },
    #[error("no draw is on offer")]
    NoOffer,
    #[error("the draw on offer is the player's own: only the other can answer it")]
    OwnOffer,
}

fn ordinal(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "first",
        Seat::Second => "second",
    }
}
