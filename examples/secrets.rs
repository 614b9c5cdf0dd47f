//! What the search makes of small positions of Jieqi in which the taker alone sees what it takes face down, beside
//! what they are worth in equilibrium: rows of a Markdown table, as `docs/soundness.md` holds them.
//!
//!     cargo run --release --example secrets
//!
//! Run from the folder of the crate, which the rule set is relative to.

#[path = "../tests/search/equilibrium.rs"]
mod equilibrium;
#[path = "../tests/search/secrets.rs"]
mod secrets;
#[expect(dead_code, reason = "shared with the tests, which use all of it")]
#[path = "../tests/search/solved.rs"]
mod solved;

use std::error::Error;

use equilibrium::solve;
use facedown::cli::print_line;
use facedown::game::{Seat, Status, View};
use facedown::search::Visits;
use secrets::{Secretive, positions, searched};

const NODES: usize = 150_000;
/// Nodes looked at in all rounds of learning together.
const WORK: usize = 60_000_000;
const VISITS: [u64; 2] = [1_000, 20_000];

fn main() -> Result<(), Box<dyn Error>> {
    print_line("| position | nodes | both see it | equilibrium | 1,000 visits | 20,000 visits | gap |")?;
    print_line("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")?;
    for Secretive { position, root, open, tree } in positions(NODES) {
        let rounds = (WORK / tree.len()).clamp(100, 5_000) as u32;
        let value = solve(&tree, rounds);
        let Status::ToMove(mover) = root.status() else { unreachable!("a move to choose") };
        let sign = if mover == Seat::First { 1.0 } else { -1.0 };
        let mut found = [0.0; 2];
        for (found, visits) in found.iter_mut().zip(VISITS) {
            *found = sign * searched(&root, Visits::new(visits)?, 1);
        }
        let (exact, unsure) = (sign * value.middle(), (value.high - value.low) / 2.0);
        print_line(format_args!(
            "| `{position}` | {} | {open:.3} | {exact:.3} ± {unsure:.3} | {:.3} | {:.3} | {:+.3} |",
            tree.len(),
            found[0] + 0.0,
            found[1] + 0.0,
            found[1] - exact
        ))?;
    }
    Ok(())
}
