//! How a restraint showed in games, told from their records.

use std::ops::AddAssign;
use std::sync::Arc;

use super::LuckError;
use crate::game::{Game, Seat, Status};
use crate::record::GameRecord;
use crate::tables::{Leave, Past, Restraint};

/// How often a restraint bound the player who keeps to it, and how often the opponent did what it forbids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Conduct {
    /// The restrained player's plies.
    pub plies: u64,
    /// Of these, those at which some move was forbidden and another was left.
    pub bound: u64,
    /// The opponent's plies.
    pub free_plies: u64,
    /// Of these, those at which a move was played that the restraint would have forbidden.
    pub breaches: u64,
}

impl AddAssign for Conduct {
    fn add_assign(&mut self, more: Self) {
        self.plies += more.plies;
        self.bound += more.bound;
        self.free_plies += more.free_plies;
        self.breaches += more.breaches;
    }
}

impl Conduct {
    /// Plays `record` again, in which the player at `seat` kept to `restraint`.
    ///
    /// # Errors
    ///
    /// If the record is not of a game by `rules`.
    pub(super) fn of_game<G: Game>(
        rules: &Arc<G::Profile>,
        record: &GameRecord,
        seat: Seat,
        restraint: &dyn Restraint,
    ) -> Result<Self, LuckError> {
        let mut game = G::start(rules);
        let mut past = Past::default();
        let mut conduct = Self::default();
        for ply in &record.plies {
            let (mv, reveal) = game
                .parse_ply(&format!("{}{}", ply.mv, ply.reveal))
                .map_err(|source| LuckError::NotPlayable { game_id: record.game_id, ply: ply.ply, source })?;
            let Status::ToMove(mover) = game.status() else {
                unreachable!("a ply is read only while the game goes on")
            };
            let Leave { moves, is_short } = past.leave(&game, mover, restraint);
            if mover == seat {
                conduct.plies += 1;
                conduct.bound += u64::from(is_short);
            } else {
                conduct.free_plies += 1;
                conduct.breaches += u64::from(!moves.contains(&mv));
            }
            past.note(mover, game.kind(mv));
            game.play(mv, reveal);
        }
        Ok(conduct)
    }
}
