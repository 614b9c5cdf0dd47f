//! How long games of uniformly random moves last and how they end, as rows of a Markdown table: what
//! `docs/baselines.md` holds.
//!
//!     cargo run --release --example baselines                             # every built-in rule set
//!     cargo run --release --example baselines -- 10000 jieqi wxf my.toml  # these, 10,000 games each
//!
//! Game number n draws the same random numbers under every rule set, so that two rule sets part only where
//! they differ.

use std::error::Error;
use std::ops::Add;
use std::sync::Arc;

use facedown::cli::print_line;
use facedown::game::{EndReason, Game, MoveList, Outcome, Profile, Seat, Status, random_stream};
use facedown::rules::{GameKind, Task, dispatch};
use rand::RngExt;
use rayon::prelude::*;

const SEED: u64 = 1;
const GAMES: u64 = 10_000;

/// Rule sets that nobody plays by: their random games end only after thousands of plies.
const NOT_PLAYED: [&str; 1] = ["base"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let games = arguments.next().map_or(Ok(GAMES), |games| games.parse())?;
    let kinds = match arguments.next() {
        Some(name) => vec![name.parse()?],
        None => GameKind::ALL.to_vec(),
    };
    let rule_sets: Vec<String> = arguments.collect();
    print_line(
        "| game | rules | games | plies (sd, standard error) | legal moves | pieces turned up | first won | \
         second won | drawn | games ended by |",
    )?;
    print_line("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")?;
    for kind in kinds {
        dispatch(kind, Rows { games, rule_sets: &rule_sets })?;
    }
    Ok(())
}

/// Prints a row for each of `rule_sets`, or if there are none, for each that is built in.
struct Rows<'a> {
    games: u64,
    rule_sets: &'a [String],
}

impl Task for Rows<'_> {
    type Out = Result<(), Box<dyn Error>>;

    fn run<G: Game>(self) -> Self::Out {
        let built_in = G::Profile::BUILT_IN.iter().map(|&(name, _)| name);
        let names: Vec<_> = match self.rule_sets {
            [] => built_in.filter(|name| !NOT_PLAYED.contains(name)).collect(),
            chosen => chosen.iter().map(String::as_str).collect(),
        };
        for name in names {
            let rules = G::Profile::load(name)?;
            let games = (0..self.games).into_par_iter().map(|number| random_game::<G>(&rules, number));
            let tally = games.reduce(Tally::default, Tally::add);
            print_line(format_args!("| {} | {} | {} |", G::NAME, rules.name(), tally.cells()))?;
        }
        Ok(())
    }
}

/// Counts over games; whole numbers, so that their order does not matter.
#[derive(Default)]
struct Tally {
    games: u64,
    plies: u64,
    plies_squared: u64,
    legal_moves: u64,
    turned_up: u64,
    first_won: u64,
    second_won: u64,
    drawn: u64,
    /// By place in [`EndReason::ALL`].
    ended_by: [u64; EndReason::ALL.len()],
}

/// Plays game `number` with every legal move equally likely.
fn random_game<G: Game>(rules: &Arc<G::Profile>, number: u64) -> Tally {
    let mut rng = random_stream(SEED, number);
    let mut game = G::start(rules);
    let mut moves = MoveList::new();
    let mut tally = Tally { games: 1, ..Tally::default() };
    let outcome = loop {
        match game.status() {
            Status::Over(outcome) => break outcome,
            Status::ToMove(_) => game.legal_moves(&mut moves),
        }
        let mv = moves[rng.random_range(0..moves.len())];
        tally.plies += 1;
        tally.legal_moves += moves.len() as u64;
        tally.turned_up += u64::from(game.kind(mv).is_flip());
        let reveal = game.chances(mv).draw(&mut rng);
        game.play(mv, reveal);
    };
    tally.plies_squared = tally.plies * tally.plies;
    tally.count_end(outcome);
    tally
}

impl Tally {
    fn count_end(&mut self, outcome: Outcome) {
        *match outcome.winner {
            Some(Seat::First) => &mut self.first_won,
            Some(Seat::Second) => &mut self.second_won,
            None => &mut self.drawn,
        } += 1;
        for (count, reason) in self.ended_by.iter_mut().zip(EndReason::ALL) {
            *count += u64::from(reason == outcome.reason);
        }
    }

    fn cells(&self) -> String {
        let games = self.games as f64;
        let mean = self.plies as f64 / games;
        let deviation = ((self.plies_squared as f64 - games * mean * mean) / (games - 1.0)).sqrt();
        let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / games);
        let mut reasons: Vec<_> = self.ended_by.into_iter().zip(EndReason::ALL).collect();
        reasons.retain(|&(count, _)| count > 0);
        reasons.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
        let reasons: Vec<_> =
            reasons.iter().map(|(count, reason)| format!("{} {count}", reason.name())).collect();
        format!(
            "{} | {mean:.1} ({deviation:.0}, {:.1}) | {:.1} | {:.1} | {} | {} | {} | {}",
            self.games,
            deviation / games.sqrt(),
            self.legal_moves as f64 / self.plies as f64,
            self.turned_up as f64 / games,
            share(self.first_won),
            share(self.second_won),
            share(self.drawn),
            reasons.join(", "),
        )
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        let mut ended_by = self.ended_by;
        for (count, more) in ended_by.iter_mut().zip(other.ended_by) {
            *count += more;
        }
        Tally {
            games: self.games + other.games,
            plies: self.plies + other.plies,
            plies_squared: self.plies_squared + other.plies_squared,
            legal_moves: self.legal_moves + other.legal_moves,
            turned_up: self.turned_up + other.turned_up,
            first_won: self.first_won + other.first_won,
            second_won: self.second_won + other.second_won,
            drawn: self.drawn + other.drawn,
            ended_by,
        }
    }
}
