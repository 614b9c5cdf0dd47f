//! Who moves first, game after game between the same two players.

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::game::{Outcome, Seat};

/// How a rule set settles who moves first. Whoever does has the first seat, which in Jieqi is Red.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstMover {
    /// Red moves first and the rules do not say who is Red: the players take turns.
    #[default]
    Red,
    /// The players take turns.
    InTurn,
    /// Drawn for every game.
    Random,
    /// Drawn for the first game; after that the loser of the last game, and after a draw the player who
    /// did not move first in it.
    RandomThenLoser,
}

/// One of two players that meet more than once, whatever seats they have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Player {
    One,
    Two,
}

impl Player {
    pub fn other(self) -> Player {
        match self {
            Player::One => Player::Two,
            Player::Two => Player::One,
        }
    }
}

/// A series of games, standing before the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Series {
    rule: FirstMover,
    first: Player,
}

impl Series {
    /// Takes from `rng` only if the rule draws for the first game.
    pub fn start<R: Rng + ?Sized>(rule: FirstMover, rng: &mut R) -> Self {
        let first = match rule {
            FirstMover::Red | FirstMover::InTurn => Player::One,
            FirstMover::Random | FirstMover::RandomThenLoser => drawn(rng),
        };
        Self { rule, first }
    }

    /// Who has this seat in the next game.
    pub fn player_at(&self, seat: Seat) -> Player {
        match seat {
            Seat::First => self.first,
            Seat::Second => self.first.other(),
        }
    }

    /// Goes on to the game after one that ended like this. Takes from `rng` only if the rule draws for every
    /// game.
    pub fn advance<R: Rng + ?Sized>(&mut self, outcome: Outcome, rng: &mut R) {
        self.first = match (self.rule, outcome.winner) {
            (FirstMover::Random, _) => drawn(rng),
            (FirstMover::RandomThenLoser, Some(winner)) => self.player_at(winner.other()),
            (FirstMover::RandomThenLoser, None) | (FirstMover::Red | FirstMover::InTurn, _) => {
                self.first.other()
            }
        };
    }
}

fn drawn<R: Rng + ?Sized>(rng: &mut R) -> Player {
    if rng.random() { Player::One } else { Player::Two }
}
