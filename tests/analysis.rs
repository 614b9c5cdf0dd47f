//! Reports: every figure of a small dataset by hand, of a larger one by pandas, and the page in a browser.

mod banqi;
mod browser;
mod by_hand;
mod claims;
mod coverage;
mod data;
mod exact;
mod intervals;
mod markup;
mod nets;
mod planted;
mod recompute;
mod refusals;
mod samples;
mod words;

use std::path::Path;
use std::process::{Command, Output};

/// Runs `facedown analyze` on a dataset.
fn analyze(report: &str, data: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_facedown"));
    command.args(["analyze", report, "--quiet", "--data"]).arg(data).args(more);
    command.output().expect("the program starts")
}

/// What `facedown analyze` printed; it has to succeed.
fn analyzed(report: &str, data: &Path, more: &[&str]) -> String {
    let output = analyze(report, data, more);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{errors}", output.status);
    String::from_utf8(output.stdout).expect("UTF-8 on stdout")
}
