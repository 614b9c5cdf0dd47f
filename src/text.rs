//! Texts from outside: read with care, and quoted so that they cannot spoil a message.

mod lines;

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

pub use lines::{Line, Lines};

/// More than any table or settings file has; what never ends, such as a device, is found out here.
const MOST_BYTES: u64 = 1 << 28;

/// The longest excerpt a message quotes, in characters.
const LONGEST: usize = 80;

/// The folder a path leads into, to be opened: that of a bare name is the current one.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Reads a text file whole, as [`read`] does.
///
/// # Errors
///
/// As for [`read`], and if the file cannot be opened.
pub fn read_file(path: &Path) -> io::Result<String> {
    read(File::open(path)?)
}

/// Reads a text to its end. A byte order mark in front is no part of it.
///
/// # Errors
///
/// If it cannot be read, is longer than 256 MiB, or is not UTF-8; then the error says where.
pub fn read(source: impl Read) -> io::Result<String> {
    let refused = |why: String| io::Error::new(ErrorKind::InvalidData, why);
    let mut bytes = Vec::new();
    source.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(refused(format!("more than {} MiB; expected a text", MOST_BYTES >> 20)));
    }
    if let Some(text) = bytes.strip_prefix(BYTE_ORDER_MARK) {
        bytes = text.to_vec();
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let byte = error.as_bytes()[at];
        let Spot { line, column, .. } = Spot::of(&String::from_utf8_lossy(&error.as_bytes()[..at]), at);
        refused(format!("line {line}, column {column}: the byte 0x{byte:02x} is not UTF-8; expected a text"))
    })
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A message of serde in words that are not Rust's.
pub fn in_plain_words(message: &str) -> String {
    let message =
        message.split_whitespace().collect::<Vec<_>>().join(" ").replace("floating point", "number");
    let Some((found, expected)) = message.rsplit_once(", expected ") else { return message };
    let expected = match expected {
        "i8" | "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number within limits",
        "a nonzero u16" | "a nonzero u32" | "a nonzero u64" | "a nonzero usize" => {
            "a whole number above 0 and within limits"
        }
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        name if name.starts_with("struct ") => "a section with named settings",
        other => other,
    };
    format!("{found}, expected {expected}")
}

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
    shown_up_to(text, LONGEST)
}

/// Like [`shown`], with the first `most` characters.
pub fn shown_up_to(text: &str, most: usize) -> String {
    let escaped = |letter: char| match letter.is_control() || turns(letter) {
        true => letter.escape_default().to_string(),
        false => letter.to_string(),
    };
    let mut letters = text.chars();
    let mut shown: String = letters.by_ref().take(most).map(escaped).collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Whether a character changes the direction of writing or ends a line without being a control character.
fn turns(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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
        assert_eq!(shown("a\u{202e}b\u{2028}c"), "a\\u{202e}b\\u{2028}c");
        assert_eq!(shown(&"字".repeat(500)).chars().count(), LONGEST + 1);
    }

    #[test]
    fn a_mark_in_front_is_dropped_and_a_wrong_byte_is_placed() {
        assert_eq!(read("\u{feff}x = 1\n".as_bytes()).expect("a text"), "x = 1\n");
        for (bytes, place) in [
            (&b"\xef\xbb\xbfab\xff"[..], "line 1, column 3: the byte 0xff"),
            (b"a\n\xc3\xa9\x80", "line 2, column 2: the byte 0x80"),
            (b"\x80", "line 1, column 1: the byte 0x80"),
        ] {
            let error = read(bytes).expect_err("not UTF-8").to_string();
            assert!(error.starts_with(place), "{error}");
        }
    }

    #[test]
    fn what_does_not_end_is_no_text() {
        let error = read(io::repeat(b'a')).expect_err("no end").to_string();
        assert!(error.starts_with("more than 256 MiB"), "{error}");
    }
}
