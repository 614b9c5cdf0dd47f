//! The same tables computed by pandas from the same files.

use std::path::Path;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::data::{made_up, write};
use super::{analyzed, by_hand, planted};
use crate::outside;
use crate::program::stdout;

#[test]
fn pandas_finds_the_same_figures_to_the_last_digit() {
    let planted = planted::games(90, planted::SOME, &mut ChaCha8Rng::seed_from_u64(3));
    for (games, per_shard) in [(by_hand::games(), 7), (made_up(150, 1), 40), (planted, 40)] {
        agrees(|data| write(data, "wxf", &games, per_shard));
    }
}

/// Games of a search, in which face-down pieces are taken that only the taker sees, by face-up pieces and by others.
#[test]
fn pandas_finds_the_same_figures_of_games_with_secrets() {
    agrees(|data| {
        let data = data.to_str().expect("UTF-8");
        let player = ["selfplay", "--quiet", "--net", "material", "--visits", "8", "--games", "60"];
        stdout(&[&player[..], &["--set", "selfplay.audit_share=0.2", "--out", data]].concat());
    });
}

/// Holds the report on the dataset that `write` makes against what pandas finds.
fn agrees(write: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, report) = (folder.path().join("data"), folder.path().join("report"));
    let Some(mut recompute) = outside::python("recompute.py") else { return };
    write(&data);
    analyzed("all", &data, &["--out", report.to_str().expect("UTF-8")]);
    recompute.arg(&data).arg(&report);
    let said = outside::stdout(recompute);
    assert!(said.ends_with(" figures agree\n"), "{said}");
}
