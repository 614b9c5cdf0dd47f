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
use rayon::prelude::*;

const SEED: u64 = 1;
const REPLICATIONS: u64 = 1_000;
const GAMES: u64 = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| arguments.next().map_or(Ok(default), |text| text.parse());
    let (replications, games) = (number(REPLICATIONS)?, number(GAMES)?);
    let covered_by = |effects, first: u64| -> Result<Vec<u64>, std::io::Error> {
        let hits = (0..replications).into_par_iter().map(|replication| {
            let folder = tempfile::tempdir()?;
            let mut rng = random_stream(SEED, first + replication);
            Ok(covered(folder.path(), games, effects, &mut rng).into_iter().map(u64::from).collect())
        });
        hits.try_reduce(
            || vec![0; PLANTED.len()],
            |a: Vec<u64>, b: Vec<u64>| Ok(a.into_iter().zip(b).map(|(a, b)| a + b).collect()),
        )
    };
    let (some, none) = (covered_by(SOME, 0)?, covered_by(NONE, replications)?);
    print_line("| figure | truth | covered | no effect: truth | covered |")?;
    print_line("| --- | ---: | ---: | ---: | ---: |")?;
    for (place, planted) in PLANTED.iter().enumerate() {
        let share = |hits: u64| 100.0 * hits as f64 / replications as f64;
        let [with, without] = [SOME, NONE].map(planted.truth);
        print_line(format!(
            "| {} | {with:.3} | {:.1} % | {without:.3} | {:.1} % |",
            planted.name,
            share(some[place]),
            share(none[place])
        ))?;
    }
    Ok(())
}
