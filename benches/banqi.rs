//! How fast the rules of Banqi run, on one thread.
//!
//!     cargo bench --bench banqi
//!
//! An item is a line that perft counts, or a ply of a random game. Every answer is checked against one that is
//! known.

use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use facedown::game::{Eyes, Game, MoveList, PerftCount, Profile, Status, View, random_stream};
use facedown::rules::banqi::{Banqi, BanqiRules};
use rand::RngExt;

const SEED: u64 = 1;

/// So many random games take a few tens of milliseconds.
const GAMES: u64 = 2_000;

fn main() {
    divan::main();
}

fn rules() -> Arc<BanqiRules> {
    BanqiRules::load("joypip").expect("a built-in rule set")
}

/// Plays games to their end by `step`; returns their plies.
fn games(mut step: impl FnMut(&mut Banqi)) -> u64 {
    let rules = rules();
    let mut plies = 0;
    for _ in 0..GAMES {
        let mut game = Banqi::start(&rules);
        while let Status::ToMove(_) = game.status() {
            step(&mut game);
            plies += 1;
        }
    }
    plies
}

fn unlisted() -> u64 {
    let (mut rng, mut room) = (random_stream(SEED, 0), MoveList::new());
    games(|game| game.play_at_random(&mut room, &mut rng))
}

fn listed() -> u64 {
    let (mut rng, mut moves) = (random_stream(SEED, 0), MoveList::new());
    games(|game| {
        game.legal_moves(&mut moves);
        let mv = moves[rng.random_range(0..moves.len())];
        let reveal = game.chances(mv).draw(&mut rng);
        game.play(mv, reveal);
    })
}

fn time(bencher: Bencher, play: fn() -> u64) {
    let plies = play();
    bencher.counter(ItemsCount::new(plies)).bench_local(|| assert_eq!(play(), plies));
}

/// Uniformly random games, from the start to the end, moves drawn without listing them.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn random_games(bencher: Bencher) {
    time(bencher, unlisted);
}

/// The same with all moves listed at every ply, as a search lists them.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn random_games_listing_moves(bencher: Bencher) {
    time(bencher, listed);
}

/// Walks views and plays every outcome but those of the last ply.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn perft_start_depth_3(bencher: Bencher) {
    let start = Banqi::start(&rules()).view(Eyes::Public);
    let count = || start.perft(3, PerftCount::Outcomes);
    bencher.counter(ItemsCount::new(78_989_568_u64)).bench_local(|| assert_eq!(count(), 78_989_568));
}
