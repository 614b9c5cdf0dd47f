//! Places in a text, for messages that quote it.

/// The longest excerpt a message quotes, in characters.
const LONGEST: usize = 80;

/// Where something stands in a text, and what its line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// Counted from 1.
    pub line: usize,
    /// Characters from the start of the line, counted from 1.
    pub column: usize,
    /// The line, fit to be shown.
    pub excerpt: String,
}

impl Spot {
    /// The spot of the byte `at`; the end of the text, if it lies behind that.
    pub fn of(text: &str, at: usize) -> Self {
        let at = (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: text[..line_start].matches('\n').count() + 1,
            column: text[line_start..at].chars().count() + 1,
            excerpt: shown(text[line_start..].lines().next().unwrap_or_default().trim()),
        }
    }
}

/// A text from outside in a form that keeps a message on one line: what would move the cursor is escaped,
/// and a long text is cut.
pub fn shown(text: &str) -> String {
    let escaped = |letter: char| match letter.is_control() {
        true => letter.escape_default().to_string(),
        false => letter.to_string(),
    };
    let mut letters = text.chars();
    let mut shown: String = letters.by_ref().take(LONGEST).map(escaped).collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spot_is_counted_in_characters() {
        let spot = |line, column, excerpt: &str| Spot { line, column, excerpt: excerpt.into() };
        for (text, at, expected) in [
            ("a = 1\n  ộp = x\n", 11, spot(2, 4, "ộp = x")),
            ("a = 1\n", 6, spot(2, 1, "")),
            ("a", 99, spot(1, 2, "a")),
            ("", 0, spot(1, 1, "")),
        ] {
            assert_eq!(Spot::of(text, at), expected, "{text:?} at {at}");
        }
    }

    #[test]
    fn what_is_shown_stays_on_one_line() {
        assert_eq!(shown("a\nb\u{1b}[2J\0"), "a\\nb\\u{1b}[2J\\u{0}");
        assert_eq!(shown(&"字".repeat(LONGEST)).chars().count(), LONGEST);
        assert_eq!(shown(&"字".repeat(500)).chars().count(), LONGEST + 1);
    }
}
