//! How lucky the players of a game were.
//!
//! Whenever chance decides something, the game's value changes by what came less what was to be expected.
//! The sum of these changes is the game's luck. Its expectation is zero whatever the values are, as long as
//! each is fixed before the draw and the odds are the referee's; so a result less its luck is worth the same
//! in expectation, and varies less the better the values are (Burch et al., "AIVAT", arXiv 1612.06915).

use std::sync::Arc;

use crate::eval::{EvalError, Evaluations, Evaluator, Query};
use crate::game::{Eyes, Game, MoveList, NotationError, Seat, SeatValue, Status};
use crate::record::GameRecord;

/// The luck of a game could not be told.
#[derive(Debug, thiserror::Error)]
pub enum LuckError {
    #[error("game {game_id}, ply {ply}: cannot be played again")]
    NotPlayable { game_id: u64, ply: u16, source: NotationError },
    #[error("the evaluator that measures luck failed")]
    Evaluator(#[from] EvalError),
}

/// The sum over all draws of `record` of what came less what was to be expected, on the first seat's side;
/// a won game is worth 1, a lost one -1.
///
/// The positions a draw might lead to are judged by `judge` as the player to move there sees them, and,
/// where the players know different things, also as the opponent does; the mean of both counts. A game
/// that a draw ends is worth its result.
///
/// # Errors
///
/// If the record is not of a game by `rules`, or the judge fails.
pub fn luck<G: Game>(
    rules: &Arc<G::Profile>,
    record: &GameRecord,
    judge: &mut dyn Evaluator<G>,
) -> Result<f64, LuckError> {
    let mut queries = Vec::new();
    let draws = draws::<G>(rules, record, &mut queries)?;
    let mut evaluations = Evaluations::default();
    judge.evaluate(&queries, &mut evaluations)?;
    Ok(draws.iter().map(|draw| draw.luck(&queries, &evaluations)).sum())
}

/// One thing that chance decided.
struct Draw {
    outcomes: Vec<Outcome>,
    /// Which of the outcomes came.
    came: usize,
}

/// One thing that chance might have decided on.
struct Outcome {
    probability: f64,
    worth: Worth,
}

/// What the position after an outcome is worth.
enum Worth {
    Known(SeatValue),
    /// The mean of what is said of these queries, at least one.
    Judged(std::ops::Range<usize>),
}

impl Draw {
    fn luck<G: Game>(&self, queries: &[Query<G>], evaluations: &Evaluations) -> f64 {
        let worth = |outcome: &Outcome| outcome.worth.value(queries, evaluations);
        let expected: f64 = self.outcomes.iter().map(|outcome| outcome.probability * worth(outcome)).sum();
        worth(&self.outcomes[self.came]) - expected
    }
}

impl Worth {
    /// Puts what is to be judged of `game` on `queries`.
    fn of<G: Game>(game: &G, queries: &mut Vec<Query<G>>) -> Self {
        let mover = match game.status() {
            Status::Over(outcome) => return Self::Known(SeatValue::of(outcome)),
            Status::ToMove(_) if game.is_dead() => return Self::Known(SeatValue::DRAW),
            Status::ToMove(mover) => mover,
        };
        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        let start = queries.len();
        queries.push(Query { view: game.view(Eyes::Of(mover)), moves: moves.clone() });
        if game.has_secrets() {
            queries.push(Query { view: game.view(Eyes::Of(mover.other())), moves });
        }
        Self::Judged(start..queries.len())
    }

    fn value<G: Game>(&self, queries: &[Query<G>], evaluations: &Evaluations) -> f64 {
        match self {
            Self::Known(value) => f64::from(value.0),
            Self::Judged(asked) => {
                let judged = |query: usize| evaluations.value(query).for_first(mover_of(&queries[query])).0;
                asked.clone().map(|query| f64::from(judged(query))).sum::<f64>() / asked.len() as f64
            }
        }
    }
}

/// Plays the record again and lists its draws.
fn draws<G: Game>(
    rules: &Arc<G::Profile>,
    record: &GameRecord,
    queries: &mut Vec<Query<G>>,
) -> Result<Vec<Draw>, LuckError> {
    let mut game = G::start(rules);
    let mut draws = Vec::new();
    for ply in &record.plies {
        let (mv, reveal) = game
            .parse_ply(&format!("{}{}", ply.mv, ply.reveal))
            .map_err(|source| LuckError::NotPlayable { game_id: record.game_id, ply: ply.ply, source })?;
        let chances = game.chances(mv);
        if chances.len() > 1 {
            let came = chances.iter().position(|(outcome, _)| outcome == reveal);
            let outcomes = chances.probabilities().map(|(outcome, probability)| {
                let mut after = game.clone();
                after.play(mv, outcome);
                Outcome { probability, worth: Worth::of(&after, queries) }
            });
            let outcomes = outcomes.collect();
            draws.push(Draw { outcomes, came: came.expect("a ply is read only if it can happen") });
        }
        game.play(mv, reveal);
    }
    Ok(draws)
}

fn mover_of<G: Game>(query: &Query<G>) -> Seat {
    use crate::game::View;

    match query.view.status() {
        Status::ToMove(mover) => mover,
        Status::Over(_) => unreachable!("queries are about games that go on"),
    }
}
