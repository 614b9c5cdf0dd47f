//! The same tables computed by pandas from the same files.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::data::{made_up, write};
use super::{analyzed, by_hand, planted};
use crate::outside;

#[test]
fn pandas_finds_the_same_figures_to_the_last_digit() {
    let planted = planted::games(90, planted::SOME, &mut ChaCha8Rng::seed_from_u64(3));
    for (games, per_shard) in [(by_hand::games(), 7), (made_up(150, 1), 40), (planted, 40)] {
        let folder = tempfile::tempdir().expect("a folder");
        let (data, report) = (folder.path().join("data"), folder.path().join("report"));
        let Some(mut recompute) = outside::python("recompute.py") else { return };
        write(&data, "wxf", &games, per_shard);
        analyzed("all", &data, &["--out", report.to_str().expect("UTF-8")]);
        recompute.arg(&data).arg(&report);
        let said = outside::stdout(recompute);
        assert!(said.ends_with(" figures agree\n"), "{said}");
    }
}
