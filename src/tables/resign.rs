//! Giving up games that are lost.

use rand::RngExt;

use crate::game::{BySeat, MoverValue, Seat, random_stream};
use crate::units::Probability;

/// When a player gives up: by its own searches alone, which see no more than the player does.
#[derive(Debug, Clone, Copy)]
pub struct Resign {
    /// A search's value below minus this is hopeless.
    pub hopeless: Probability,
    /// So many of the player's plies in a row have to be.
    pub plies: u32,
    /// The share of games that are played on in spite of it, to see how they end.
    pub played_out: Probability,
}

/// Who gives a game up, or would but for its being played out, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surrender {
    pub seat: Seat,
    /// The number of the ply that was not played for it.
    pub ply: u32,
}

/// How many games were given up, and how those went that were played out in spite of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Surrenders {
    /// Games that ended by it.
    pub resigned: u64,
    /// Games that were played on.
    pub played_out: u64,
    /// Of these, games that the player who would have given up did not lose.
    pub mistaken: u64,
}

/// How both players of a game bear up.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    resign: Resign,
    /// Whether the game is played out whatever its players think.
    is_tested: bool,
    /// Hopeless plies in a row.
    hopeless: BySeat<u32>,
    /// The first of the game.
    pub surrender: Option<Surrender>,
}

/// The stream of a game's seed that says whether it is played out.
const STREAM: u64 = 6;

impl Patience {
    pub fn new(resign: Resign, seed: u64) -> Self {
        let is_tested = random_stream(seed, STREAM).random_bool(resign.played_out.get());
        Self { resign, is_tested, hopeless: BySeat::default(), surrender: None }
    }

    /// Hears what the player in `seat` thinks of the game before its `ply`; says whether the player gives up now.
    pub fn hear(&mut self, seat: Seat, value: MoverValue, ply: u32) -> bool {
        let is_hopeless = f64::from(value.0) < -self.resign.hopeless.get();
        self.hopeless[seat] = if is_hopeless { self.hopeless[seat] + 1 } else { 0 };
        let gives_up = self.surrender.is_none() && self.hopeless[seat] >= self.resign.plies;
        if gives_up {
            self.surrender = Some(Surrender { seat, ply });
        }
        gives_up && !self.is_tested
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patience(played_out: f64) -> Patience {
        let share = |share| Probability::new(share).expect("a share");
        Patience::new(Resign { hopeless: share(0.9), plies: 2, played_out: share(played_out) }, 1)
    }

    #[test]
    fn only_hopeless_plies_of_one_player_in_a_row_count() {
        let mut patience = patience(0.0);
        let heard = [
            (Seat::First, -0.95, false),
            (Seat::Second, -0.95, false),
            (Seat::First, -0.9, false),
            (Seat::Second, 0.95, false),
            (Seat::First, -0.91, false),
            (Seat::Second, -0.95, false),
            (Seat::First, -1.0, true),
        ];
        for (ply, (seat, value, expected)) in (0..).zip(heard) {
            assert_eq!(patience.hear(seat, MoverValue(value), ply), expected, "ply {ply}");
        }
        assert_eq!(patience.surrender, Some(Surrender { seat: Seat::First, ply: 6 }));
    }

    #[test]
    fn a_game_that_is_played_out_notes_the_first_surrender_and_goes_on() {
        let mut patience = patience(1.0);
        for ply in 0..8 {
            let seat = Seat::BOTH[ply as usize % 2];
            assert!(!patience.hear(seat, MoverValue(-0.99), ply));
        }
        assert_eq!(patience.surrender, Some(Surrender { seat: Seat::First, ply: 2 }));
    }
}
