//! Other people's programs, as second opinions on our files.
//!
//! `scripts/test` has them ready. Without them, under a plain `cargo test`, a test that wants one skips itself
//! and says so by name.

use std::path::Path;
use std::process::Command;

/// Python running `tests/python/SCRIPT`, with the packages of `tests/python/requirements.txt`.
pub fn python(script: &str) -> Option<Command> {
    let Some(python) = std::env::var_os("FACEDOWN_PYTHON") else {
        skip("FACEDOWN_PYTHON is not set; scripts/test sets it");
        return None;
    };
    let mut command = Command::new(python);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python").join(script));
    Some(command)
}

/// What a command that has to succeed printed.
pub fn stdout(mut command: Command) -> String {
    let output = command.output().expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{errors}", output.status);
    String::from_utf8(output.stdout).expect("UTF-8 on stdout")
}

/// Says that the running test is skipped, past the harness, which shows only what a failing test printed.
pub fn skip(why: &str) {
    use std::io::Write;
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("a test");
    // A closed stderr is no reason to fail.
    let _ = writeln!(std::io::stderr(), "test {name} ... SKIPPED: {why}");
}

#[test]
fn the_python_packages_are_the_pinned_ones() {
    let Some(versions) = python("versions.py") else { return };
    assert_eq!(stdout(versions), include_str!("python/requirements.txt"));
}
