//! How a command fails: what is printed, and the exit code.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

use super::tell;
use crate::text::shown_up_to;

/// What a shell reports of a program that SIGPIPE ended: the answer was cut short because its reader wanted
/// no more of it.
const CLOSED_PIPE: u8 = 128 + 13;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// The command line or a config is wrong: exit code 2.
    Usage(Box<dyn Error + Send + Sync>),
    /// What was asked could not be done: exit code 1.
    Failed(Box<dyn Error + Send + Sync>),
    /// The checks a command makes did not all pass, and it has said so itself: exit code 1.
    ChecksFailed,
}

impl Failure {
    pub fn usage(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Usage(error.into())
    }

    pub fn failed(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed(error.into())
    }

    /// Prints the chain of causes on stderr, one line each, and gives the exit code.
    pub fn report(&self) -> ExitCode {
        let (error, code) = match self {
            Self::Usage(error) => (error, 2),
            Self::Failed(error) => (error, 1),
            Self::ChecksFailed => return ExitCode::from(1),
        };
        if is_closed_pipe(error.as_ref()) {
            return ExitCode::from(CLOSED_PIPE);
        }
        tell(format_args!("error: {error}"));
        for cause in causes(error.as_ref()).skip(1) {
            tell(format_args!("  because: {cause}"));
        }
        ExitCode::from(code)
    }
}

/// What goes wrong while working is a failure; usage errors are named as such where they are found.
impl<E: Error + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::failed(error)
    }
}

/// Whether all that went wrong is that the reader of the output had seen enough.
fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let is_its = |error: &io::Error| error.kind() == ErrorKind::BrokenPipe;
    causes(error).any(|error| error.downcast_ref().is_some_and(is_its))
}

/// An error, what it came from, and so on.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// An error and all it came from, on one line.
pub fn with_causes(error: &(dyn Error + 'static)) -> String {
    causes(error).map(|error| shown_up_to(&error.to_string(), 500)).collect::<Vec<_>>().join(": ")
}
