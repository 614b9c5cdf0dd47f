//! Where networks compute, as a user asks for it.

use std::fs;

use crate::program::{run, stderr_of_failure};

#[test]
fn a_device_that_is_not_there_is_refused_before_anything_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let out = out.to_str().expect("UTF-8");
    for arguments in [
        &["selfplay", "--net", "shipped", "--games", "1", "--out", out][..],
        &["loop", "--run", out],
        &["train", "--data", "tests", "--out", out],
        &["match", "--first", "shipped", "--second", "material", "--games", "2"],
        &["play"],
    ] {
        // No machine has so many cards, and one without any refuses the first.
        let told = stderr_of_failure(&[arguments, &["--device", "cuda:127"]].concat(), 2);
        assert!(told.starts_with("error: device cuda:127: "), "{arguments:?}: {told}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn devices_without_a_meaning_are_refused() {
    let told = stderr_of_failure(&["selfplay", "--out", "nowhere", "--device", "gpu"], 2);
    assert!(told.contains("no device 'gpu': expected cpu, cuda, or cuda:"), "{told}");
    let told = stderr_of_failure(&["bench", "--device", "cpu"], 2);
    assert!(told.contains("--device: this command has no use for it"), "{told}");
    assert!(run(&["moves"]).status.success());
}
