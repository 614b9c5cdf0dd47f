//! The `facedown` program: parse, run, print the error chain, exit code; nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    facedown::cli::main()
}
