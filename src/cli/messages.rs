//! What a command says beside its answer, on standard error.

use std::fmt::Display;
use std::io::{self, Write};

use crate::text::shown_up_to;

/// More than any message needs, in characters.
const LONGEST: usize = 2000;

/// Says a line, which stays one whatever it quotes. Nobody may be listening any more, or the disk behind a redirection may be full: neither is
/// a reason to end what the command is about.
pub fn tell(line: impl Display) {
    let _ = writeln!(io::stderr(), "{}", shown_up_to(&line.to_string(), LONGEST));
}
