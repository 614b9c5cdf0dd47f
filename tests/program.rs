//! Running the built program, and comparing the folders it writes.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The program with these arguments, ready to run.
pub fn facedown(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_facedown"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs the program to its end.
pub fn run(arguments: &[&str]) -> Output {
    facedown(arguments).output().expect("the program starts")
}

/// Runs the program, which has to succeed, and returns its standard output.
pub fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {}\n{errors}", output.status);
    String::from_utf8(output.stdout).expect("UTF-8 on stdout")
}

/// Runs the program, which has to fail with `code`, and returns its standard error.
pub fn stderr_of_failure(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{errors}");
    assert!(!errors.contains("panicked"), "{errors}");
    errors
}

/// Every file below `folder` by its path there, with its bytes.
pub fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name =
                    path.strip_prefix(folder).expect("below the folder").to_string_lossy().into_owned();
                found.insert(name, std::fs::read(&path).expect("a file"));
            }
        }
    }
    found
}
