//! Moves as players say them: Pháo 2 bình 5, 炮二平五.
//!
//! A move names the piece, the file it leaves, its direction, and the file it reaches or, straight ahead or
//! back, the number of steps. Files count from the mover's right. A face-down piece is named by how it moves,
//! with a word that says so, and what it turned out to be follows.

mod chinese;
mod vietnamese;

use std::fmt;
use std::str::FromStr;

use crate::rules::jieqi::{Cell, JieqiView, Move, Reveal, Square};
use crate::rules::pieces::{Color, Role};

pub use chinese::chinese;
pub use vietnamese::vietnamese;

use super::Line;

/// A language that moves are said in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    Vietnamese,
    Chinese,
}

impl Language {
    pub const ALL: [Language; 2] = [Language::Vietnamese, Language::Chinese];

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Language::Vietnamese => "vietnamese",
            Language::Chinese => "chinese",
        }
    }

    /// The move `mv`, played in `view`, of which `seen` was seen.
    ///
    /// # Panics
    ///
    /// If no piece stands where the move starts.
    pub fn say(self, view: &JieqiView, mv: Move, seen: Reveal) -> String {
        match self {
            Language::Vietnamese => vietnamese(view, mv, seen),
            Language::Chinese => chinese(view, mv, seen),
        }
    }

    /// The plies of a game, a line for each move of both players, numbered as the position counts.
    pub fn tell(self, line: &Line) -> String {
        let mut text = String::new();
        for (place, (before, mv, seen)) in line.steps().enumerate() {
            let view = before.view();
            let position = view.position();
            let number = position.ply() / 2 + 1;
            match (position.to_move(), place) {
                (Color::Red, 0) => text += &format!("{number}. "),
                (Color::Red, _) => text += &format!("\n{number}. "),
                (Color::Black, 0) => text += &format!("{number}. … | "),
                (Color::Black, _) => text += " | ",
            }
            text += &self.say(view, mv, seen);
        }
        text
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name was not that of a language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown language '{}': expected vietnamese or chinese", crate::text::shown(.0))]
pub struct UnknownLanguage(String);

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(text: &str) -> Result<Self, UnknownLanguage> {
        Self::ALL
            .into_iter()
            .find(|language| language.name() == text)
            .ok_or_else(|| UnknownLanguage(text.into()))
    }
}

/// What every language says of a move.
struct Spoken {
    color: Color,
    /// The role the piece moves as.
    shown: Role,
    face_down: bool,
    piece: Which,
    heading: Heading,
    /// The file reached, or the steps taken straight ahead or back.
    number: u8,
    opened: Option<Role>,
    /// What was taken face down, if it was seen.
    taken: Option<Role>,
}

/// Which of the mover's pieces of a role is meant.
enum Which {
    /// The one on this file.
    OnFile(u8),
    /// One of several that are face up on one file.
    InRow {
        /// 0 for the foremost.
        place: usize,
        of: usize,
        /// Said only where another file holds several of them too.
        file: Option<u8>,
    },
}

#[derive(Clone, Copy)]
enum Heading {
    Ahead,
    Across,
    Back,
}

impl Spoken {
    fn new(view: &JieqiView, mv: Move, seen: Reveal) -> Self {
        let cell = view.position().board().cell(mv.from);
        let (Some(color), Some(shown)) = (cell.color(), cell.shown(mv.from)) else {
            panic!("no piece stands on {}, where the move {mv} starts", mv.from);
        };
        let (from, to) = (mv.from.rank_from(color), mv.to.rank_from(color));
        let heading = match to.cmp(&from) {
            std::cmp::Ordering::Greater => Heading::Ahead,
            std::cmp::Ordering::Equal => Heading::Across,
            std::cmp::Ordering::Less => Heading::Back,
        };
        let straight = mv.from.file() == mv.to.file();
        Self {
            color,
            shown,
            face_down: matches!(cell, Cell::FaceDown(_)),
            piece: Which::new(view, mv.from, color),
            heading,
            number: if straight { from.abs_diff(to) } else { file_from(color, mv.to) },
            opened: seen.opened,
            taken: seen.taken,
        }
    }
}

impl Which {
    fn new(view: &JieqiView, from: Square, color: Color) -> Self {
        let board = view.position().board();
        let piece = board.cell(from);
        if matches!(piece, Cell::FaceDown(_)) {
            // Two face-down pieces that move alike never share a file.
            return Which::OnFile(file_from(color, from));
        }
        let on_file = |file: u8| {
            let row = Square::all().filter(move |at| at.file() == file);
            row.filter(move |&at| board.cell(at) == piece)
        };
        let of = on_file(from.file()).count();
        if of == 1 {
            return Which::OnFile(file_from(color, from));
        }
        let in_front = |at: &Square| at.rank_from(color) > from.rank_from(color);
        let elsewhere = (0..9).any(|file| file != from.file() && on_file(file).count() > 1);
        Which::InRow {
            place: on_file(from.file()).filter(in_front).count(),
            of,
            file: elsewhere.then(|| file_from(color, from)),
        }
    }
}

/// The file of a square, 1 to 9, as `color` counts from its right.
fn file_from(color: Color, at: Square) -> u8 {
    match color {
        Color::Red => 9 - at.file(),
        Color::Black => 1 + at.file(),
    }
}
