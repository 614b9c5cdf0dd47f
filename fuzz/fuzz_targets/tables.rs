//! Tables for `facedown verify`, as the command reads them.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

/// Beyond it a count takes long because it is asked to.
const DEEPEST: char = '2';

static TABLE: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("facedown-fuzz-{}.tsv", std::process::id())));

fn asks_for_deep_counts(text: &str) -> bool {
    let header = text.lines().next().unwrap_or_default();
    header.split('\t').any(|column| {
        let depth = column.strip_prefix(['n', 'o']).unwrap_or_default().trim_start_matches(['+', '0']);
        depth.len() > 1 || depth.chars().any(|digit| digit > DEEPEST)
    })
}

fuzz_target!(|text: &str| {
    if !asks_for_deep_counts(text) {
        std::fs::write(&*TABLE, text).expect("the temporary folder takes files");
        let path = TABLE.to_str().expect("its name is plain");
        let _ = facedown::cli::run(["facedown", "verify", path]);
    }
});
