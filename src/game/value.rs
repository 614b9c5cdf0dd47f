//! Values and whose side they are on. Every conversion between sides happens in this file.

use serde::{Deserialize, Serialize};

use super::{Outcome, Seat};

/// The expected result for the player to move, from -1 (loses) to 1 (wins).
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
pub struct MoverValue(pub f32);

/// The expected result for the first seat, from -1 (loses) to 1 (wins).
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
pub struct SeatValue(pub f32);

impl MoverValue {
    pub const WIN: Self = Self(1.0);
    pub const LOSS: Self = Self(-1.0);

    /// The same value on the first seat's side, `mover` being the player this value is for.
    pub fn for_first(self, mover: Seat) -> SeatValue {
        SeatValue(sign(mover) * self.0)
    }

    /// The same value for the other player.
    pub fn flipped(self) -> MoverValue {
        MoverValue(-self.0)
    }
}

impl SeatValue {
    pub const DRAW: Self = Self(0.0);

    /// The same value on `mover`'s side.
    pub fn for_mover(self, mover: Seat) -> MoverValue {
        MoverValue(sign(mover) * self.0)
    }

    /// What a finished game is worth.
    pub fn of(outcome: Outcome) -> Self {
        outcome.winner.map_or(Self::DRAW, |winner| MoverValue(1.0).for_first(winner))
    }
}

fn sign(seat: Seat) -> f32 {
    match seat {
        Seat::First => 1.0,
        Seat::Second => -1.0,
    }
}

/// Probabilities that the player to move wins, draws and loses; they add up to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wdl {
    pub win: f32,
    pub draw: f32,
    pub loss: f32,
}

impl Wdl {
    pub fn value(self) -> MoverValue {
        MoverValue(self.win - self.loss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_changes_sides_and_back() {
        for seat in Seat::BOTH {
            let mine = MoverValue(0.25);
            assert_eq!(mine.for_first(seat).for_mover(seat), mine);
            assert_eq!(mine.for_first(seat).for_mover(seat.other()), mine.flipped());
        }
    }
}
