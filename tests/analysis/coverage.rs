//! Reports find what was planted, and nothing where nothing was.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::planted::{NONE, PLANTED, SOME, covered};

/// Datasets each; the full number is run by `examples/coverage.rs`.
const REPLICATIONS: usize = 60;

#[test]
fn reported_intervals_cover_what_was_planted() {
    for (seed, effects) in [(1, SOME), (2, NONE)] {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut hits = vec![0; PLANTED.len()];
        for _ in 0..REPLICATIONS {
            let folder = tempfile::tempdir().expect("a folder");
            let covered = covered(folder.path(), 60, effects, &mut rng);
            hits.iter_mut().zip(covered).for_each(|(hits, covered)| *hits += usize::from(covered));
        }
        for (planted, hits) in PLANTED.iter().zip(hits) {
            // Of 60 draws at 95 %, fewer than 50 come once in 5,000.
            assert!(hits >= 50, "{}: {hits} of {REPLICATIONS} under {effects:?}", planted.name);
        }
    }
}
