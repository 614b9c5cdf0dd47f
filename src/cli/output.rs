//! What a command answers, on standard output.

use std::fmt::Display;
use std::io::{self, Write};

/// An answer could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output")]
pub struct OutputError(#[from] io::Error);

/// Prints a line of the answer.
///
/// # Errors
///
/// As for [`print()`].
pub fn print_line(line: impl Display) -> Result<(), OutputError> {
    print(format_args!("{line}\n"))
}

/// Prints a part of the answer, or all of it.
///
/// # Errors
///
/// If it cannot be written. A reader that has seen enough and closed the pipe is an error too, so that the
/// command stops; [`super::Failure::report`] then says nothing.
pub fn print(text: impl Display) -> Result<(), OutputError> {
    let mut out = io::stdout().lock();
    write!(out, "{text}")?;
    Ok(out.flush()?)
}
