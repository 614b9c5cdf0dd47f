//! Simulations take no memory from the system one by one: what a search asks for grows with its arenas alone.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use facedown::eval::Uniform;
use facedown::game::{Eyes, Game, MoveList, Profile, Status, random_stream};
use facedown::rules::banqi::Banqi;
use facedown::rules::jieqi::Jieqi;
use facedown::search::Search;

use super::visits;

/// The system's allocator, which counts for each thread how often it is asked and how much it has given out.
struct Counting;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
    static GIVEN: Cell<i64> = const { Cell::new(0) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn note(times: u64, bytes: i64) {
    // A thread that is ending has no counters any more.
    let _ = ASKED.try_with(|asked| asked.set(asked.get() + times));
    let _ = GIVEN.try_with(|given| given.set(given.get() + bytes));
}

// SAFETY: everything is left to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(1, layout.size() as i64);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        note(0, -(layout.size() as i64));
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(1, size as i64 - layout.size() as i64);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// A position after some random plies under the game's default rules.
fn mid_game<G: Game>(seed: u64) -> Option<G::View> {
    let (default, _) = G::Profile::BUILT_IN[0];
    let mut game = G::start(&G::Profile::load(default).unwrap());
    let (mut moves, mut rng) = (MoveList::new(), random_stream(seed, 0));
    for _ in 0..40 {
        match game.status() {
            Status::ToMove(_) => game.play_at_random(&mut moves, &mut rng),
            Status::Over(_) => return None,
        }
    }
    match game.status() {
        Status::ToMove(mover) => Some(game.view(Eyes::Of(mover))),
        Status::Over(_) => None,
    }
}

/// How often a search of so many visits asks for memory, and how many bytes it then holds.
fn asked_and_held<G: Game>(view: &G::View, budget: u32) -> (u64, i64) {
    let before = (ASKED.get(), GIVEN.get());
    let mut search = Search::<G>::new(view.clone(), visits(budget), 1);
    search.run(&mut Uniform).unwrap();
    assert_eq!(search.visits(), budget);
    (ASKED.get() - before.0, GIVEN.get() - before.1)
}

fn grows_with_the_arenas_alone<G: Game>() {
    let positions: Vec<G::View> = (0..12).filter_map(mid_game::<G>).collect();
    assert!(positions.len() >= 8, "{} positions", positions.len());
    for view in &positions {
        let [(warm, _), (long, bytes)] = [1_000, 8_000].map(|budget| asked_and_held::<G>(view, budget));
        // Three arenas and a table of shared nodes, each of which doubles three times or four.
        assert!(long - warm <= 16, "{} times in 7,000 simulations of {view}", long - warm);
        // At most one position a simulation, its moves and what those may uncover; arenas are half empty at worst.
        assert!(bytes < 8_000 * 2 * 2_048, "{} bytes a position", bytes / 8_000);
    }
}

#[test]
fn a_search_asks_for_memory_only_to_grow_its_arenas() {
    grows_with_the_arenas_alone::<Jieqi>();
    grows_with_the_arenas_alone::<Banqi>();
}
