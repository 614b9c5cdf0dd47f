//! What a worker of a match does with pairs that were played.

use super::desk::Desk;
use super::{Conduct, LuckError, Match, MatchError, PairOfGames, luck};
use crate::eval::Evaluator;
use crate::game::{Game, Seat};
use crate::record::GameRecord;
use crate::tables::{Course, Ticket};

/// Sends the games of a match to a worker's room, and tells the desk what the records say of the player.
pub struct Clerk<'a, G: Game> {
    pub contest: &'a Match<'a, G>,
    pub desk: &'a Desk,
    /// Of luck.
    pub judge: Box<dyn Evaluator<G>>,
}

impl<G: Game> Course<G> for Clerk<'_, G> {
    type Error = MatchError;

    const WANTS_GAMES: bool = true;

    fn ticket(&self, game: u32) -> Ticket<G> {
        self.contest.ticket(game)
    }

    fn take(&mut self, shard: u32, games: &[GameRecord]) -> Result<(), MatchError> {
        let pairs = games.chunks_exact(2).map(|pair| self.told(pair)).collect::<Result<Vec<_>, _>>();
        self.desk.take(shard, pairs.map_err(|source| MatchError::Luck { shard, source })?);
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.desk.is_decided()
    }
}

impl<G: Game> Clerk<'_, G> {
    /// What the records of a pair say.
    fn told(&mut self, pair: &[GameRecord]) -> Result<PairOfGames, LuckError> {
        let rules = self.contest.rules;
        let mut tell = |game: &GameRecord| -> Result<(i8, f64), LuckError> {
            Ok((game.result, luck::<G>(rules, game, self.judge.as_mut())?))
        };
        let told = PairOfGames::new(tell(&pair[0])?, tell(&pair[1])?);
        Ok(told.with_conduct(self.conduct(pair)?))
    }

    /// How the player's restraint showed in the games of a pair, if there is one.
    fn conduct(&self, pair: &[GameRecord]) -> Result<Conduct, LuckError> {
        let mut conduct = Conduct::default();
        if let Some(restraint) = self.contest.players[0].restraint.as_deref() {
            for (game, seat) in pair.iter().zip(Seat::BOTH) {
                conduct += Conduct::of_game::<G>(self.contest.rules, game, seat, restraint)?;
            }
        }
        Ok(conduct)
    }
}
