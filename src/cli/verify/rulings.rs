//! Lines of play in which checks and chases recur, and how the rules end them.

use std::fmt;
use std::sync::Arc;

use crate::cli::table::{Row, TableError};
use crate::game::{Game, MoveList, NotationError, Outcome, Seat, Status, View};

/// What the rules say of a line of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling<'a> {
    Nothing,
    /// It ends here, by a verdict or before a move that may not be played; the first ply is 1.
    At {
        ply: u64,
        what: &'a str,
    },
}

impl fmt::Display for Ruling<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ruling::Nothing => f.write_str("none"),
            Ruling::At { ply, what } => write!(f, "{what} at ply {ply}"),
        }
    }
}

impl<'a> Ruling<'a> {
    /// What a row about a repetition expects: its verdict with the last move.
    pub fn of_repetition(row: &Row<'a>) -> Result<Self, TableError> {
        let plies = row.required("moves")?.split(' ').count();
        Ok(Ruling::At { ply: plies as u64, what: row.required("verdict")? })
    }

    /// What a row about checks or chases in a row expects.
    pub fn of_series(row: &Row<'a>) -> Result<Self, TableError> {
        let what = row.required("result")?;
        Ok(row.number("ply")?.map_or(Ruling::Nothing, |ply| Ruling::At { ply, what }))
    }
}

/// What `rules` say of `moves` from `fen`. A move that `plain` rules allow, which forbid nothing, and
/// `rules` do not is forbidden.
pub fn ruling<G: Game>(
    fen: &str,
    moves: &str,
    rules: &Arc<G::Profile>,
    plain: &Arc<G::Profile>,
) -> Result<Ruling<'static>, NotationError> {
    let mut view = G::View::parse(fen, rules)?;
    let mut allowed = G::View::parse(fen, plain)?;
    for (ply, text) in (1..).zip(moves.split(' ')) {
        let (mv, seen) = allowed.parse_seen(text)?;
        let mut playable = MoveList::new();
        view.legal_moves(&mut playable);
        if !playable.contains(&mv) {
            return Ok(Ruling::At { ply, what: "forbidden" });
        }
        view = view.after(mv, seen);
        allowed = allowed.after(mv, seen);
        if let Status::Over(outcome) = view.status() {
            return Ok(Ruling::At { ply, what: end_name(outcome) });
        }
    }
    Ok(Ruling::Nothing)
}

/// How tables write the end of a game. The first player has the red pieces in them.
fn end_name(outcome: Outcome) -> &'static str {
    match outcome.winner {
        None => "draw",
        Some(Seat::First) => "black-loses",
        Some(Seat::Second) => "red-loses",
    }
}
