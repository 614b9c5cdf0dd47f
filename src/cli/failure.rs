//! How a command fails: what is printed, and the exit code.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

use super::tell;

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
        let mut cause = error.source();
        while let Some(error) = cause {
            tell(format_args!("  because: {error}"));
            cause = error.source();
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
    let mut cause = Some(error);
    while let Some(error) = cause {
        if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe) {
            return true;
        }
        cause = error.source();
    }
    false
}
