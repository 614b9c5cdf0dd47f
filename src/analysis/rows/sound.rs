//! What the values of a row may be: a report on others would be wrong without a sign of it.

use std::ops::RangeInclusive;

use super::{CandidateRow, GameRow, OutcomeRow, PlyRow};
use crate::analysis::AnalysisError;
use crate::analysis::story::PHASES;
use crate::record::{Columns, RecordError};
use crate::text::shown;

/// What rounding may add to a share or a value at the end of its range.
const SLACK: f64 = 1e-3;

const VALUES: RangeInclusive<f64> = -1.0..=1.0;
const SHARES: RangeInclusive<f64> = 0.0..=1.0;
/// Losses in pawns: finite, and none is a gain.
const LOSSES: RangeInclusive<f64> = 0.0..=1e6;

/// Where a row stands.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    columns: &'a Columns,
    /// In the file, its first row being 0.
    row: u64,
}

impl<'a> Place<'a> {
    pub fn new(columns: &'a Columns, row: usize) -> Self {
        Self { columns, row: columns.row_in_file(row) }
    }

    /// The complaint about a text in `column`, with what was expected.
    pub fn bad_text(&self, column: &str, found: &str, expected: impl Into<String>) -> AnalysisError {
        self.bad(column, format!("'{}'", shown(found)), expected.into())
    }

    fn bad(&self, column: &str, found: String, expected: String) -> AnalysisError {
        let file = self.columns.file().into();
        RecordError::BadValue { file, column: column.into(), row: self.row, found, expected }.into()
    }

    fn within(
        &self,
        column: &str,
        found: impl Into<f64>,
        range: &RangeInclusive<f64>,
    ) -> Result<(), AnalysisError> {
        let found = found.into();
        if (range.start() - SLACK..=range.end() + SLACK).contains(&found) {
            return Ok(());
        }
        Err(self.bad(column, found.to_string(), format!("{} to {}", range.start(), range.end())))
    }

    pub fn check_game(&self, game: &GameRow<'_>) -> Result<(), AnalysisError> {
        self.within("result", game.result, &VALUES)
    }

    /// Makes sure that a ply stands where it says in its game, which is `plies` long so far, and ends as that
    /// does: `result` is the game's for the first seat.
    pub fn check_order(&self, ply: &PlyRow<'_>, plies: usize, result: i8) -> Result<(), AnalysisError> {
        if usize::from(ply.ply) != plies {
            return Err(self.bad("ply", ply.ply.to_string(), format!("{plies}, the next of its game")));
        }
        let expected = if ply.seat == 0 { result } else { -result };
        if ply.result != expected {
            return Err(self.bad("result", ply.result.to_string(), format!("{expected}, as in games/")));
        }
        Ok(())
    }

    pub fn check_ply(&self, ply: &PlyRow<'_>) -> Result<(), AnalysisError> {
        self.within("seat", ply.seat, &SHARES)?;
        self.within("value", ply.value, &VALUES)?;
        self.within("net_value", ply.net_value, &VALUES)?;
        self.within("next_value", ply.next_value, &VALUES)?;
        self.within("risk", ply.risk, &LOSSES)?;
        self.within("chosen_with", ply.chosen_with.unwrap_or(0.0), &SHARES)?;
        if !PHASES.contains(&ply.phase) {
            return Err(self.bad_text("phase", ply.phase, PHASES.join(", ")));
        }
        ply.candidates.iter().try_for_each(|candidate| self.check_candidate(candidate))?;
        ply.outcomes.iter().try_for_each(|outcome| self.check_outcome(outcome))
    }

    fn check_candidate(&self, candidate: &CandidateRow<'_>) -> Result<(), AnalysisError> {
        self.within("candidates.q", candidate.q, &VALUES)?;
        self.within("candidates.q_again", candidate.q_again.unwrap_or(0.0), &VALUES)?;
        self.within("candidates.risk", candidate.risk, &LOSSES)
    }

    fn check_outcome(&self, outcome: &OutcomeRow<'_>) -> Result<(), AnalysisError> {
        self.within("outcomes.p_mover", outcome.p_mover, &SHARES)?;
        self.within("outcomes.p_referee", outcome.p_referee, &SHARES)?;
        self.within("outcomes.q", outcome.q, &VALUES)
    }
}
