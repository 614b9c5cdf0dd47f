//! Q1 to Q6: what players of Banqi say.

mod counter;
mod flips;
mod pieces;

pub use counter::Counter;
pub use flips::{FlipOrMove, RiskyFlips};
pub use pieces::{CannonShots, GeneralAndSoldiers, HorseAndRook};
