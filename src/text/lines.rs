//! Lines from outside, however long and whatever is in them.

use std::io::{self, BufRead, Read};

/// More bytes than any sensible line has: a game of many thousand plies.
const LONGEST: u64 = 1 << 18;

/// The lines of an input, of which no more than a sensible one is held in memory.
pub struct Lines<R> {
    input: R,
}

/// A line of the input, without its end.
pub enum Line {
    Text(String),
    /// It was no line of text, for this reason.
    Unreadable(&'static str),
}

impl<R> Lines<R> {
    pub fn new(input: R) -> Self {
        Self { input }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<io::Result<Line>> {
        self.read().transpose()
    }
}

impl<R: BufRead> Lines<R> {
    fn read(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        self.input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        if bytes.len() as u64 == LONGEST && bytes.last() != Some(&b'\n') {
            self.input.skip_until(b'\n')?;
            return Ok(Some(Line::Unreadable("a line of more than 262144 bytes")));
        }
        let line = String::from_utf8(bytes);
        Ok(Some(line.map_or(Line::Unreadable("a line that is not UTF-8"), Line::Text)))
    }
}
