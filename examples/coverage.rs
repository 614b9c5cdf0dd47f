//! How often the reports' 95 % intervals cover effects that were planted, as rows of a Markdown table: what
//! `docs/coverage.md` holds.
//!
//!     cargo run --release --example coverage            # 1,000 datasets with effects and 1,000 without
//!     cargo run --release --example coverage -- 200 80  # 200 each, of 80 games

#[expect(dead_code, reason = "shared with the tests, which use all of it")]
#[path = "../tests/analysis/data.rs"]
mod data;
#[path = "../tests/analysis/planted.rs"]
mod planted;

use std::error::Error;

use facedown::cli::print_line;
use facedown::game::random_stream;
use planted::{NONE, PLANTED, SOME, covered};

const SEED: u64 = 1;
const REPLICATIONS: u64 = 1_000;
const GAMES: u64 = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| arguments.next().map_or(Ok(default), |text| text.parse());
    let (replications, games) = (number(REPLICATIONS)?, number(GAMES)?);
    let threads = std::thread::available_parallelism()?.get() as u64;
    let covered_by = |effects, first: u64| {
        let share = |thread: u64| {
            let mut hits = vec![0_u64; PLANTED.len()];
            for replication in (thread..replications).step_by(threads as usize) {
                let folder = tempfile::tempdir()?;
                let mut rng = random_stream(SEED, first + replication);
                let covered = covered(folder.path(), games, effects, &mut rng);
                hits.iter_mut().zip(covered).for_each(|(hits, covered)| *hits += u64::from(covered));
            }
            Ok(hits)
        };
        // Plain threads: each report makes a pool of its own, and pools are not to wait within pools.
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|thread| scope.spawn(move || share(thread))).collect();
            let mut hits = vec![0; PLANTED.len()];
            for worker in workers {
                let found: Result<Vec<u64>, std::io::Error> = worker.join().expect("a worker does not panic");
                hits.iter_mut().zip(found?).for_each(|(hits, more)| *hits += more);
            }
            Ok::<_, std::io::Error>(hits)
        })
    };
    let (some, none) = (covered_by(SOME, 0)?, covered_by(NONE, replications)?);
    print_line("| figure | truth | covered | no effect: truth | covered |")?;
    print_line("| --- | ---: | ---: | ---: | ---: |")?;
    for (place, planted) in PLANTED.iter().enumerate() {
        let share = |hits: u64| 100.0 * hits as f64 / replications as f64;
        // Adding nothing makes a nothing of a negative nothing.
        let [with, without] = [SOME, NONE].map(|effects| (planted.truth)(effects) + 0.0);
        print_line(format!(
            "| {} | {with:.3} | {:.1} % | {without:.3} | {:.1} % |",
            planted.name,
            share(some[place]),
            share(none[place])
        ))?;
    }
    Ok(())
}
