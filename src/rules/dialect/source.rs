//! A text being read, and its rewriting in our own words.
//!
//! No dialect judges positions or plies itself: its texts are rewritten as those that [`JieqiView`] reads,
//! which checks them. Every byte of the rewriting remembers where it came from, so that a complaint points
//! into the text as it was given.

use std::sync::Arc;

use crate::game::{NotationError, View};
use crate::rules::jieqi::{JieqiRules, JieqiView, Move, Reveal};
use crate::rules::pieces::{ByColor, Color, Piece, Role};

/// A word and the byte it starts at.
#[derive(Clone, Copy)]
pub struct Word<'a> {
    pub at: usize,
    pub text: &'a str,
}

/// Some words of a text.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    /// The whole text, which complaints quote.
    pub text: &'a str,
    pub words: &'a [Word<'a>],
}

/// The words of a text, which white space parts.
pub fn split(text: &str) -> Vec<Word<'_>> {
    let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split_ascii_whitespace().map(|word| Word { at: place(word), text: word }).collect()
}

impl<'a> Words<'a> {
    /// The word numbered `index`.
    ///
    /// # Errors
    ///
    /// If there are fewer words; says what was `expected`.
    pub fn get(&self, index: usize, expected: &str) -> Result<Word<'a>, NotationError> {
        let word = self.words.get(index).copied();
        word.ok_or_else(|| self.error(self.end(), "the end of the position", expected))
    }

    /// The byte behind the last word.
    fn end(&self) -> usize {
        self.words.last().map_or(self.text.len(), |last| last.at + last.text.len())
    }

    /// The words before the first `separator`, and those behind it if there is one.
    pub fn parted_at(&self, separator: &str) -> (Words<'a>, Option<Words<'a>>) {
        let with = |words| Words { words, ..*self };
        match self.words.iter().position(|word| word.text == separator) {
            None => (*self, None),
            Some(place) => (with(&self.words[..place]), Some(with(&self.words[place + 1..]))),
        }
    }

    /// The first `count` words, or all if there are fewer.
    pub fn first(&self, count: usize) -> Words<'a> {
        Words { words: &self.words[..count.min(self.words.len())], ..*self }
    }

    /// These words without the first `count`.
    pub fn skip(&self, count: usize) -> Words<'a> {
        Words { words: &self.words[count..], ..*self }
    }

    /// Refuses more than `count` words.
    pub fn at_most(&self, count: usize, what: &str) -> Result<(), NotationError> {
        match self.words.get(count) {
            None => Ok(()),
            Some(word) => Err(self.error(word.at, format!("'{}'", word.text), format!("the end of {what}"))),
        }
    }

    pub fn error(&self, at: usize, found: impl Into<String>, expected: impl Into<String>) -> NotationError {
        NotationError { text: self.text.into(), at, found: found.into(), expected: expected.into() }
    }

    /// A complaint about the letter that stands at byte `at`.
    pub fn letter_error(&self, at: usize, letter: char, expected: impl Into<String>) -> NotationError {
        self.error(at, format!("'{letter}'"), expected)
    }
}

/// A text in our own words that knows where each of its bytes came from.
#[derive(Default)]
pub struct Rewritten {
    text: String,
    origins: Vec<usize>,
    /// The byte of the source behind what was rewritten.
    end: usize,
}

impl Rewritten {
    /// Adds `text`, all of which stands for the byte at `origin`.
    pub fn push(&mut self, text: &str, origin: usize) {
        self.text.push_str(text);
        self.origins.resize(self.text.len(), origin);
        self.end = self.end.max(origin);
    }

    pub fn push_letter(&mut self, letter: char, origin: usize) {
        self.push(letter.encode_utf8(&mut [0; 4]), origin);
    }

    /// Adds `text`, which stands at byte `at` of the source as it is.
    pub fn copy(&mut self, text: &str, at: usize) {
        self.text.push_str(text);
        self.origins.extend(at..at + text.len());
        self.end = self.end.max(at + text.len());
    }

    /// Adds a space and a field that is made for the byte at `origin`.
    pub fn field(&mut self, text: &str, origin: usize) {
        self.push(" ", origin);
        self.push(text, origin);
    }

    /// Adds a word as it stands, with a space before it unless it is the first.
    pub fn word(&mut self, word: Word) {
        if !self.text.is_empty() {
            self.push(" ", word.at);
        }
        self.copy(word.text, word.at);
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Reads this as a view.
    pub fn view(&self, source: &Words, rules: &Arc<JieqiRules>) -> Result<JieqiView, NotationError> {
        JieqiView::parse(&self.text, rules).map_err(|error| self.in_terms_of(source, source.end(), error))
    }

    /// Complains about a board that can stand in no position, where this is a board and nothing else: it
    /// comes before complaints about pools that do not follow from it.
    pub fn check_board(
        &self,
        source: &Words,
        board: Word,
        to_move: Color,
        rules: &Arc<JieqiRules>,
    ) -> Result<(), NotationError> {
        let position = format!("{} {} - 0 1", self.text, to_move.letter());
        match JieqiView::parse(&position, rules) {
            Err(error) if error.at <= self.text.len() => {
                Err(self.in_terms_of(source, board.at + board.text.len(), error))
            }
            _ => Ok(()),
        }
    }

    /// Reads this as a ply played in `view`.
    pub fn ply(&self, source: &Words, view: &JieqiView) -> Result<(Move, Reveal), NotationError> {
        view.parse_seen(&self.text).map_err(|error| self.in_terms_of(source, self.end, error))
    }

    /// The same complaint about the source, which goes on at byte `end` behind what was rewritten.
    fn in_terms_of(&self, source: &Words, end: usize, error: NotationError) -> NotationError {
        let at = self.origins.get(error.at).copied().unwrap_or(end);
        let letter = |text: &str, at| text.get(at..).and_then(|rest: &str| rest.chars().next());
        let found = match (letter(&self.text, error.at), letter(source.text, at)) {
            (Some(ours), Some(theirs)) if error.found == format!("'{ours}'") => format!("'{theirs}'"),
            _ => error.found,
        };
        NotationError { text: source.text.into(), at, found, expected: error.expected }
    }
}

/// How many pieces of each kind a board shows.
pub struct Census {
    /// By [`Role::index`], kings included.
    face_up: ByColor<[u8; 7]>,
    face_down: ByColor<u8>,
}

impl Census {
    /// Counts the pieces of a board in our own letters. Anything else in the text counts for nothing.
    pub fn of(board: &str) -> Self {
        let mut census = Self { face_up: ByColor::default(), face_down: ByColor::default() };
        for letter in board.chars() {
            match (letter, Piece::from_letter(letter)) {
                ('X', _) => add_one(&mut census.face_down[Color::Red]),
                ('x', _) => add_one(&mut census.face_down[Color::Black]),
                (_, Some(Piece { color, role })) => add_one(&mut census.face_up[color][role.index()]),
                _ => {}
            }
        }
        census
    }

    pub fn face_up(&self, color: Color, role: Role) -> u8 {
        self.face_up[color][role.index()]
    }

    pub fn face_down(&self, color: Color) -> u8 {
        self.face_down[color]
    }
}

fn add_one(count: &mut u8) {
    *count = count.saturating_add(1);
}
