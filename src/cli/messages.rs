//! What a command says beside its answer, on standard error.

use std::fmt::Display;
use std::io::{self, Write};

/// Says a line. Nobody may be listening any more, or the disk behind a redirection may be full: neither is
/// a reason to end what the command is about.
pub fn tell(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}
