//! Plays games of Jieqi by self-play and has every one judged again by the second referee of the tests, ply by ply:
//! rows of a Markdown table, as `docs/soundness.md` holds them.
//!
//!     cargo run --release --example replayed                    # 500 games, `material`, 64 visits
//!     cargo run --release --example replayed -- 500 1 0.3       # players who like nothing but checks, 1 visit,
//!                                                               # three moves in ten drawn at random
//!
//! Stops with an error at the first game that the referee judges otherwise.

#[expect(dead_code, reason = "shared with the tests, which use all of it")]
#[path = "../tests/rules/referee/mod.rs"]
mod referee;
#[path = "../tests/rules/replay.rs"]
mod replay;

use std::error::Error;
use std::num::NonZeroUsize;

use facedown::cli::print_line;
use facedown::eval::Material;
use facedown::game::{EndReason, Profile};
use facedown::rules::jieqi::JieqiRules;
use facedown::search::SearchConfig;
use facedown::selfplay::SelfplayConfig;
use facedown::units::Probability;
use rayon::prelude::*;
use replay::{Checker, Judge, Play, play, replay};

const RULES: [&str; 4] = ["wxf", "tencent", "comu", "sunwin"];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |place: usize, default| arguments.get(place).map_or(default, String::as_str);
    let games = argument(0, "500").parse()?;
    let visits = argument(1, "64").parse()?;
    let (explore, judge): (_, Judge) = match arguments.get(2) {
        Some(share) => (Probability::new(share.parse()?)?, || Box::new(Checker)),
        None => (SelfplayConfig::default().explore_share, || Box::new(Material)),
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    print_line("| rules | games | plies | ended by |")?;
    print_line("| --- | --- | --- | --- |")?;
    for name in RULES {
        let rules = JieqiRules::load(name)?;
        let search = SearchConfig { visits, ..SearchConfig::default() };
        let records = play(&rules, Play { games, search, explore, judge }, &pool);
        pool.install(|| records.par_iter().try_for_each(|record| replay(record, &rules)))?;
        let reasons = EndReason::ALL.map(|reason| {
            (records.iter().filter(|record| record.end_reason == reason).count(), reason.name())
        });
        let mut ends: Vec<_> = reasons.into_iter().filter(|&(games, _)| games > 0).collect();
        ends.sort_by_key(|&(games, _)| std::cmp::Reverse(games));
        let ends: Vec<_> = ends.iter().map(|(games, reason)| format!("{reason} {games}")).collect();
        let plies: usize = records.iter().map(|record| record.plies.len()).sum();
        print_line(format_args!("| {name} | {games} | {plies} | {} |", ends.join(", ")))?;
    }
    Ok(())
}
