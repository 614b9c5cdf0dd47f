//! What a command answers, on standard output.

use std::fmt::Display;
use std::io::{self, Write};

/// Prints a line of the answer.
///
/// # Errors
///
/// If it cannot be written. A reader that has seen enough and closed the pipe is an error too, so that the
/// command stops; [`super::Failure::report`] then says nothing.
pub fn print_line(line: impl Display) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}
