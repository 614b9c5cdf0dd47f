//! Play between people: clocks, offers, who moves first, and money.

mod clocks;
mod money;
mod series;
mod settings;
mod table;

use std::time::Duration;

use facedown::game::{EndReason, Game, Outcome, Profile, Seat, Status, View};
use facedown::referee::{Clocks, LiveRules, Referee, Refusal};
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

/// Both sides can shuffle to and fro here for as long as they like.
const SHUFFLING: &str = "3k5/9/9/9/9/9/9/9/9/R3K4 w - 0 1";

/// `b1b9` mates.
const BEFORE_MATE: &str = "3k5/R8/9/9/9/9/9/9/1R7/4K4 w - 0 1";

const AT_ONCE: Duration = Duration::ZERO;

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn at_start(rules: &str) -> Jieqi {
    Jieqi::start(&JieqiRules::load(rules).unwrap())
}

/// The game from a position, under rules that end only by mate and stalemate.
fn at(position: &str) -> Jieqi {
    let rules = JieqiRules::load("base").unwrap();
    Jieqi::sample(&JieqiView::parse(position, &rules).unwrap(), &mut ChaCha8Rng::seed_from_u64(0))
}

fn referee(game: Jieqi, rules: &LiveRules, clocks: Option<Clocks>) -> Referee<Jieqi> {
    Referee::new(game, rules, clocks)
}

/// Plays a ply such as `b2b9Rn` for the player to move.
fn play(table: &mut Referee<Jieqi>, ply: &str, spent: Duration) -> Result<Status, Refusal> {
    let Status::ToMove(seat) = table.status() else { panic!("the game is over before {ply}") };
    let (mv, reveal) = table.truth().parse_ply(ply).unwrap();
    table.play(seat, mv, reveal, spent)
}

/// A round of [`SHUFFLING`] in which both players take this long for their moves.
fn shuffle(table: &mut Referee<Jieqi>, spent: Duration) {
    let there = ["a0a1", "d9d8"];
    let back = ["a1a0", "d8d9"];
    let round = if table.truth().parse_ply(there[0]).is_ok() { there } else { back };
    for ply in round {
        assert!(matches!(play(table, ply, spent), Ok(Status::ToMove(_))), "{ply} after {spent:?}");
    }
}

fn won(winner: Seat, reason: EndReason) -> Outcome {
    Outcome { winner: Some(winner), reason }
}

fn drawn(reason: EndReason) -> Outcome {
    Outcome { winner: None, reason }
}
