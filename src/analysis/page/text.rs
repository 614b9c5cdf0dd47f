//! Text on its way into HTML.

use std::fmt::{self, Write};

/// HTML or SVG being written.
#[derive(Debug, Default)]
pub struct Markup(String);

impl Markup {
    /// Begins with `text`.
    pub fn opened(text: fmt::Arguments<'_>) -> Self {
        let mut markup = Self::default();
        markup.add(text);
        markup
    }

    pub fn add(&mut self, text: fmt::Arguments<'_>) {
        self.0.write_fmt(text).expect("a string takes all that is written to it");
    }

    /// All that was written, ended with `text`.
    pub fn closed(mut self, text: &str) -> String {
        self.0.push_str(text);
        self.0
    }
}

/// `text` with the characters that HTML and SVG give a meaning replaced.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(character),
        }
    }
    safe
}

/// The colour of a figure, as attributes: how far it stands from the middle, and on which side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tone {
    side: &'static str,
    /// From 0 to 100.
    strength: f64,
}

impl Tone {
    /// `place` is from -1, bad for the mover, to 1, good.
    pub fn of(place: f64) -> Self {
        Self { side: if place < 0.0 { "bad" } else { "good" }, strength: place.abs().min(1.0) * 100.0 }
    }
}

impl fmt::Display for Tone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "class=\"tone {}\" style=\"--strength:{:.0}%\"", self.side, self.strength)
    }
}
