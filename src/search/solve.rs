//! The exact value of a small position, by expectiminimax over every line of play.
//!
//! Lines end by the rules alone. The game carries its history along, so a repetition is judged exactly as
//! the rule set says, and positions share a value only if their histories agree as well.

use std::collections::HashMap;

use super::Objective;
use crate::game::{Eyes, Game, MoveList, MoverValue, Seat, SeatValue, Status, View};

/// Plies of the longest line that is followed.
const LONGEST_LINE: u32 = 1_000;

/// What a position and its moves are worth under best play, on the side of the player to move.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution<M> {
    pub value: MoverValue,
    /// Every legal move, sorted.
    pub moves: Vec<(M, MoverValue)>,
    /// Positions looked at.
    pub nodes: u64,
}

/// A position has no exact value that could be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    #[error("the game is over: there is no move to choose")]
    Over,
    #[error(
        "one player knows of a piece taken face down what the other does not: such a position has no value \
         by expectiminimax"
    )]
    Secret,
    #[error(
        "play may lead to a piece taken face down that its taker alone sees: expectiminimax needs players \
         who always know the same"
    )]
    SecretBelow,
    #[error("{nodes} positions did not exhaust the lines of play")]
    Budget { nodes: u64 },
    #[error("a line of play is longer than {LONGEST_LINE} plies: no counter of the rule set ends it soon")]
    LongLine,
}

/// Solves `root`, looking at no more than `budget` positions.
///
/// # Errors
///
/// If the game is over, if its players do not always know the same, or if the position is too large.
pub fn solve<G: Game>(
    root: &G::View,
    objective: Objective,
    budget: u64,
) -> Result<Solution<G::Move>, SolveError> {
    let Status::ToMove(mover) = root.status() else { return Err(SolveError::Over) };
    // Takes nothing from the stream where nothing is open, and elsewhere is refused.
    let game = G::sample(root, &mut crate::game::random_stream(0, 0));
    if game.has_secrets() {
        return Err(SolveError::Secret);
    }
    let mut solver = Solver { objective, budget, nodes: 0, known: HashMap::new() };
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    let moves = moves
        .into_iter()
        .map(|mv| Ok((mv, solver.worth_of_move(&game, mv, 0)?)))
        .collect::<Result<Vec<_>, SolveError>>()?;
    let best = moves.iter().map(|&(_, value)| for_mover(value, mover)).fold(f64::NEG_INFINITY, f64::max);
    // Added to zero, a value has no negative zero.
    let shown = |value: f64| MoverValue(value as f32 + 0.0);
    Ok(Solution {
        value: shown(best),
        moves: moves.into_iter().map(|(mv, value)| (mv, shown(for_mover(value, mover)))).collect(),
        nodes: solver.nodes,
    })
}

struct Solver {
    objective: Objective,
    budget: u64,
    nodes: u64,
    /// Values on the first seat's side, by the key of what everybody knows, history included.
    known: HashMap<u64, f64>,
}

impl Solver {
    /// The value of a position for the first seat, `plies` below the root.
    fn worth<G: Game>(&mut self, game: &G, plies: u32) -> Result<f64, SolveError> {
        let mover = match game.status() {
            Status::ToMove(mover) => mover,
            Status::Over(outcome) => {
                let worth = match self.objective {
                    Objective::Result => SeatValue::of(outcome),
                    Objective::Settlement => game.settlement(outcome),
                };
                return Ok(f64::from(worth.0));
            }
        };
        if game.has_secrets() {
            return Err(SolveError::SecretBelow);
        }
        let key = game.key(Eyes::Public);
        if let Some(&value) = self.known.get(&key) {
            return Ok(value);
        }
        if self.nodes >= self.budget {
            return Err(SolveError::Budget { nodes: self.budget });
        }
        if plies >= LONGEST_LINE {
            return Err(SolveError::LongLine);
        }
        self.nodes += 1;
        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        let mut best = f64::NEG_INFINITY;
        for mv in moves {
            best = best.max(for_mover(self.worth_of_move(game, mv, plies)?, mover));
            // Nothing is worth more than a win.
            if best >= 1.0 {
                break;
            }
        }
        let value = for_mover(best, mover);
        self.known.insert(key, value);
        Ok(value)
    }

    fn worth_of_move<G: Game>(&mut self, game: &G, mv: G::Move, plies: u32) -> Result<f64, SolveError> {
        let mut expectation = 0.0;
        for (reveal, odds) in game.chances(mv).probabilities() {
            let mut next = game.clone();
            next.play(mv, reveal);
            expectation += odds * self.worth(&next, plies + 1)?;
        }
        Ok(expectation)
    }
}

/// A value on the first seat's side on `mover`'s, and the other way round.
fn for_mover(value: f64, mover: Seat) -> f64 {
    match mover {
        Seat::First => value,
        Seat::Second => -value,
    }
}
