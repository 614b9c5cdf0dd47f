//! How fast the rules of Jieqi run, on one thread.
//!
//!     cargo bench --bench rules            # everything
//!     cargo bench --bench rules -- perft   # what has "perft" in its name
//!
//! An item is a line that perft counts, or a ply of a random game. Every answer is checked against one that
//! is known, or against another way to it.

use std::cell::RefCell;
use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use facedown::game::{Eyes, Game, MoveList, PerftCount, Profile, Status, View, random_stream};
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView, Move, Reveal};
use rand::RngExt;

const START: &str =
    "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX w R2A2C2P5N2B2r2a2c2p5n2b2 0 1";
const ALL_REVEALED: &str =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w R0A0C0P0N0B0r0a0c0p0n0b0 0 1";

const SEED: u64 = 1;
const RANDOM_GAMES: u64 = 8;

fn main() {
    divan::main();
}

fn rules() -> Arc<JieqiRules> {
    JieqiRules::load("wxf").expect("a built-in rule set")
}

/// Times `count` on the position of `text`, which must come to `expected` lines.
fn lines(bencher: Bencher, text: &str, expected: u64, count: impl Fn(&JieqiView) -> u64) {
    let view = JieqiView::parse(text, &rules()).expect("a position");
    bencher.counter(ItemsCount::new(expected)).bench_local(|| assert_eq!(count(&view), expected));
}

/// The last ply counts its moves without playing them, as perft of other engines does.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn perft_start_depth_4(bencher: Bencher) {
    lines(bencher, START, 538_328_131, |view| view.perft(4, PerftCount::Moves));
}

/// Advisors and elephants may go anywhere.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn perft_all_revealed_depth_5(bencher: Bencher) {
    lines(bencher, ALL_REVEALED, 168_297_599, |view| view.perft(5, PerftCount::Moves));
}

/// Copies the board and plays every outcome of every ply, the last one too.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn play_every_line_start_depth_3(bencher: Bencher) {
    lines(bencher, START, 13_862_869, |view| view.perft_played(3));
}

/// One ply of a random game, about to be played.
struct Ply {
    game: Jieqi,
    /// What the player to move knows.
    view: JieqiView,
    mv: Move,
    reveal: Reveal,
}

/// The plies of some random games, in order.
fn random_plies() -> Vec<Ply> {
    let rules = rules();
    let mut plies = Vec::new();
    let mut moves = MoveList::new();
    for number in 0..RANDOM_GAMES {
        let mut rng = random_stream(SEED, number);
        let mut game = Jieqi::start(&rules);
        while let Status::ToMove(mover) = game.status() {
            game.legal_moves(&mut moves);
            let mv = moves[rng.random_range(0..moves.len())];
            let reveal = game.chances(mv).draw(&mut rng);
            plies.push(Ply { view: game.view(Eyes::Of(mover)), game: game.clone(), mv, reveal });
            game.play(mv, reveal);
        }
    }
    plies
}

/// Times `work` on each ply of random games, after `check` has looked at what it returns.
fn each_ply<T>(bencher: Bencher, work: impl Fn(&Ply) -> T, check: impl Fn(&Ply, T)) {
    let plies = random_plies();
    plies.iter().for_each(|ply| check(ply, work(ply)));
    bencher.counter(ItemsCount::new(plies.len())).bench_local(|| {
        for ply in &plies {
            divan::black_box(work(ply));
        }
    });
}

#[divan::bench]
fn legal_moves(bencher: Bencher) {
    let work = |ply: &Ply| {
        let mut moves = MoveList::new();
        ply.game.legal_moves(&mut moves);
        moves
    };
    each_ply(bencher, work, |ply, moves| {
        assert!(moves.contains(&ply.mv) && moves.is_sorted());
        assert_eq!(moves.len() as u64, ply.view.perft(1, PerftCount::Moves));
    });
}

/// Copies the game, plays, and finds out whether that ended it.
#[divan::bench]
fn play(bencher: Bencher) {
    let work = |ply: &Ply| {
        let mut next = ply.game.clone();
        next.play(ply.mv, ply.reveal);
        next
    };
    each_ply(bencher, work, |ply, next| {
        let seen = ply.game.seen(ply.mv, ply.reveal, ply.view.eyes());
        assert_eq!(next.view(ply.view.eyes()), ply.view.after(ply.mv, seen));
    });
}

#[divan::bench]
fn view(bencher: Bencher) {
    each_ply(bencher, |ply| ply.game.view(ply.view.eyes()), |ply, view| assert_eq!(view, ply.view));
}

#[divan::bench]
fn key(bencher: Bencher) {
    each_ply(bencher, |ply| ply.game.key(ply.view.eyes()), |ply, key| assert_eq!(key, ply.view.key()));
}

/// Draws a world that the mover's view allows.
#[divan::bench]
fn sample(bencher: Bencher) {
    let rng = RefCell::new(random_stream(SEED, RANDOM_GAMES));
    let work = |ply: &Ply| Jieqi::sample(&ply.view, &mut *rng.borrow_mut());
    each_ply(bencher, work, |ply, world| assert_eq!(world.view(ply.view.eyes()), ply.view));
}

#[divan::bench]
fn facts(bencher: Bencher) {
    each_ply(
        bencher,
        |ply| ply.game.facts(ply.mv, ply.reveal),
        |ply, facts| {
            assert_eq!((facts.kind, facts.control), (ply.game.kind(ply.mv), ply.game.control(ply.mv)))
        },
    );
}

#[divan::bench]
fn control(bencher: Bencher) {
    each_ply(
        bencher,
        |ply| ply.game.control(ply.mv),
        |ply, control| assert_eq!(control, ply.game.facts(ply.mv, ply.reveal).control),
    );
}
