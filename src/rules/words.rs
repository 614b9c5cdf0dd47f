//! Reading a text word by word, and saying where it is wrong.

use crate::game::NotationError;

pub type Parsed<T> = Result<T, NotationError>;

/// A text being read, word by word.
pub struct Words<'a> {
    pub text: &'a str,
    at: usize,
}

#[derive(Clone, Copy)]
pub struct Word<'a> {
    /// The byte it starts at.
    pub at: usize,
    pub text: &'a str,
}

impl<'a> Words<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub fn next(&mut self) -> Option<Word<'a>> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.find(|c: char| !c.is_ascii_whitespace())?;
        let rest = &self.text[start..];
        let length = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        self.at = start + length;
        Some(Word { at: start, text: &rest[..length] })
    }

    pub fn field(&mut self, expected: &str) -> Parsed<Word<'a>> {
        self.next().ok_or_else(|| self.error(self.text.len(), "the end of the text", expected))
    }

    pub fn error(&self, at: usize, found: impl Into<String>, expected: impl Into<String>) -> NotationError {
        error(self.text, at, found, expected)
    }
}

pub fn error(text: &str, at: usize, found: impl Into<String>, expected: impl Into<String>) -> NotationError {
    NotationError { text: text.into(), at, found: found.into(), expected: expected.into() }
}

/// The character at byte `at`, as errors show it.
pub fn character(text: &str, at: usize) -> String {
    text[at..].chars().next().map_or_else(|| "the end of the text".into(), |c| format!("'{c}'"))
}

/// What stands at byte `at` of `word` and behind it, as errors show it.
pub fn found_at(word: &str, at: usize) -> String {
    match word.get(at..) {
        Some("") | None => "the end of the move".into(),
        Some(rest) => format!("'{rest}'"),
    }
}
