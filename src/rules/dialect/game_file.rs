//! JieqiBox's game files: JSON with what is known of a game and an entry for every ply.
//!
//! Every entry states the position it led to. Files of the program's first versions do not say in a ply what
//! it uncovered, and files of games that were typed in have every uncovered piece again as an adjustment
//! behind its ply, so a ply and the adjustments behind it are read together, and held against the position
//! that the last of them states.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::jieqibox::JieqiBox;
use super::source::{Words, split};
use super::{Dialect, DialectError, Line, Snapshot, pikafish};
use crate::game::{NotationError, Seat, Status, View};
use crate::rules::jieqi::{Cell, JieqiRules, JieqiView, Move, Reveal};
use crate::rules::pieces::{Color, Piece, Role};

/// A game file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct GameFile {
    pub metadata: Metadata,
    pub moves: Vec<Entry>,
}

/// What is known of the game as a whole.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
    /// The name of the player of Red.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
    /// `1-0`, `0-1`, or `*` for a game that goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The position before the first entry; the start of the game if missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_fen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flip_mode: Option<FlipMode>,
    /// The position shown when the file was saved, which need not be the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_fen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening_comment: Option<String>,
}

/// Who says what a face-down piece turns out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FlipMode {
    /// The program draws; what is taken face down leaves the pool.
    Random,
    /// The user does; what is taken face down stays in the pool.
    Free,
}

/// One step of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    #[serde(rename = "type")]
    pub kind: EntryKind,
    /// The ply, such as `b2b9Rn`, or how the position was adjusted, such as `R-`.
    pub data: String,
    /// The position after the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// `!!`, `!`, `!?`, `?!`, `?` or `??`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotation: Option<String>,
    /// Centipawns as the engine gave them before the ply; a mate in n is 30000 - n.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine_score: Option<f64>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine_time: Option<f64>,
}

/// Whether a step is a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    Move,
    /// The user changed the pools or the board by hand.
    Adjust,
}

impl GameFile {
    /// Reads the JSON. The texts inside are read by [`GameFile::line`].
    ///
    /// # Errors
    ///
    /// [`DialectError::Json`], with line and column.
    pub fn read(text: &str) -> Result<Self, DialectError> {
        Ok(serde_json::from_str(text)?)
    }

    /// The JSON, indented as JieqiBox does it.
    pub fn write(&self) -> String {
        serde_json::to_string_pretty(self).expect("a game file is texts and numbers")
    }

    /// The file of a game, with nothing in it that the moves do not tell.
    pub fn of(line: &Line) -> Self {
        let fen = |position: &Snapshot| {
            JieqiBox::New.write_position(position).expect("every position has a text in this order")
        };
        let steps: Vec<_> = line.steps().collect();
        let after = steps.iter().skip(1).map(|(position, ..)| position).chain([line.end()]);
        let moves = steps.iter().zip(after).map(|((before, mv, seen), after)| Entry {
            kind: EntryKind::Move,
            data: before.view().seen_text(*mv, *seen),
            fen: Some(fen(after)),
            comment: None,
            annotation: None,
            engine_score: None,
            engine_time: None,
        });
        let stays_in_pool = |&(ref before, mv, seen): &(Snapshot, Move, Reveal)| {
            takes_face_down(before.view(), mv) && seen.taken.is_none()
        };
        let metadata = Metadata {
            result: Some(result(line.end().view().status()).into()),
            initial_fen: Some(fen(line.start())),
            flip_mode: Some(if steps.iter().any(stays_in_pool) { FlipMode::Free } else { FlipMode::Random }),
            current_fen: Some(fen(line.end())),
            ..Metadata::default()
        };
        Self { metadata, moves: moves.collect() }
    }

    /// The game as a line of plies.
    ///
    /// # Errors
    ///
    /// If a text in the file is not what it should be, an entry does not lead to the position it states, or
    /// the position was changed by hand between plies.
    pub fn line(&self, rules: &Arc<JieqiRules>) -> Result<Line, DialectError> {
        let plies = |entry: &Entry| entry.kind == EntryKind::Move;
        let before_plies = self.moves.iter().position(plies).unwrap_or(self.moves.len());
        let start = match before_plies.checked_sub(1) {
            Some(last) => Some(self.stated(last, rules)?.ok_or_else(|| no_position(last))?),
            None => self.initial(rules)?,
        };
        let mut line = Line::new(start.unwrap_or_else(|| pikafish::start(rules)));
        let mut next = before_plies;
        while next < self.moves.len() {
            let adjusted = self.moves[next + 1..].iter().take_while(|entry| !plies(entry)).count();
            self.play(next, next + adjusted, &mut line, rules)?;
            next += 1 + adjusted;
        }
        Ok(line)
    }

    /// Plays the ply of entry `place`, which with the adjustments behind it led to what entry `settled`
    /// states.
    fn play(
        &self,
        place: usize,
        settled: usize,
        line: &mut Line,
        rules: &Arc<JieqiRules>,
    ) -> Result<(), DialectError> {
        let stated = self.stated(settled, rules)?;
        if stated.is_none() && settled > place {
            return Err(no_position(settled));
        }
        let before = line.end().view();
        let data = self.moves[place].data.as_str();
        let mut text = data.to_owned();
        if let Some(stated) = &stated
            && let Ok(mv) = data.parse::<Move>()
        {
            text += &uncovered(before, mv, stated.view());
        }
        let in_data = |mut error: NotationError| {
            // Letters that were taken from the position stated are not in the text.
            error.at = error.at.min(data.len());
            error.text = data.into();
            DialectError::InFile { place: format!("moves[{place}].data"), source: error }
        };
        let (mv, seen) = before.parse_seen(&text).map_err(in_data)?;
        line.play(mv, seen);
        match stated {
            Some(stated) => check(line.end().view(), stated.view(), settled),
            None => Ok(()),
        }
    }

    fn initial(&self, rules: &Arc<JieqiRules>) -> Result<Option<Snapshot>, DialectError> {
        let text = self.metadata.initial_fen.as_deref();
        text.map(|text| read_position(text, rules, || "metadata.initialFen".into())).transpose()
    }

    /// The position entry `place` states, if it states one.
    fn stated(&self, place: usize, rules: &Arc<JieqiRules>) -> Result<Option<Snapshot>, DialectError> {
        let text = self.moves[place].fen.as_deref();
        text.map(|text| read_position(text, rules, || format!("moves[{place}].fen"))).transpose()
    }
}

fn read_position(
    text: &str,
    rules: &Arc<JieqiRules>,
    place: impl FnOnce() -> String,
) -> Result<Snapshot, DialectError> {
    let words = split(text);
    let words = Words { text, words: &words };
    let position = JieqiBox::New.read_position(&words, rules);
    position.map_err(|source| DialectError::InFile { place: place(), source })
}

fn no_position(place: usize) -> DialectError {
    DialectError::File {
        place: format!("moves[{place}]"),
        found: "an adjustment without 'fen'".into(),
        expected: "the position it leads to".into(),
    }
}

fn takes_face_down(view: &JieqiView, mv: Move) -> bool {
    matches!(view.position().board().cell(mv.to), Cell::FaceDown(_))
}

/// The letters that `mv` has to have if it led to `after`; none where `after` does not show it.
fn uncovered(before: &JieqiView, mv: Move, after: &JieqiView) -> String {
    let board = before.position().board();
    let mut letters = String::new();
    if let (Cell::FaceDown(mover), Cell::FaceUp(piece)) =
        (board.cell(mv.from), after.position().board().cell(mv.to))
        && piece.color == mover
    {
        letters.push(piece.letter());
    }
    if let Cell::FaceDown(color) = board.cell(mv.to) {
        let left = |view: &JieqiView, role: Role| view.pool(color).count(role.index());
        let kinds = Role::ALL.into_iter().filter(|&role| role != Role::King);
        let gone: Vec<_> = kinds.filter(|&role| left(after, role) < left(before, role)).collect();
        if let [role] = gone[..] {
            letters.push(Piece { color, role }.letter());
        }
    }
    letters
}

/// Holds a position reached by plies against the one that entry `place` states. Counters do not matter:
/// versions of the program count differently.
fn check(reached: &JieqiView, stated: &JieqiView, place: usize) -> Result<(), DialectError> {
    let differs = |what: &str, found: String, expected: String| {
        Err(DialectError::File {
            place: format!("moves[{place}].fen"),
            found: format!("{what} {found}"),
            expected: format!("{expected}, to which the moves lead"),
        })
    };
    let (here, there) = (reached.position(), stated.position());
    if here.board() != there.board() {
        return differs("the board", there.board().to_string(), here.board().to_string());
    }
    if here.to_move() != there.to_move() {
        return differs("the side to move", there.to_move().letter().into(), here.to_move().letter().into());
    }
    for color in Color::BOTH {
        if reached.pool(color) != stated.pool(color) {
            let pool = |view: &JieqiView| -> String {
                let kinds = Role::ALL.into_iter().zip(*view.pool(color).counts());
                kinds.map(|(role, count)| format!("{}{count}", Piece { color, role }.letter())).collect()
            };
            return differs("the pool", pool(stated), pool(reached));
        }
    }
    Ok(())
}

fn result(status: Status) -> &'static str {
    match status {
        Status::ToMove(_) => "*",
        Status::Over(outcome) => match outcome.winner {
            Some(Seat::First) => "1-0",
            Some(Seat::Second) => "0-1",
            None => "1/2-1/2",
        },
    }
}
