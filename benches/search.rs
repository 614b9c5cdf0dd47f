//! How fast the search runs by itself, on one thread: the evaluator knows nothing and looks at nothing.
//!
//!     cargo bench --bench search
//!
//! Each sample searches every mid-game position once, 1,000 visits each, and prints simulations a second.

use divan::Bencher;
use divan::counter::ItemsCount;
use facedown::eval::Uniform;
use facedown::game::{Eyes, Game, MoveList, Profile, Status, random_stream};
use facedown::rules::banqi::Banqi;
use facedown::rules::jieqi::Jieqi;
use facedown::search::{Search, SearchConfig, Visits};
use rand::RngExt;

const VISITS: u64 = 1_000;
const POSITIONS: u64 = 16;
/// Plies of random play before a position is taken.
const MID_GAME: usize = 40;

fn main() {
    divan::main();
}

/// The first mid-game positions of random games that get so far, under the game's default rules.
fn positions<G: Game>() -> Vec<G::View> {
    (0..).filter_map(mid_game::<G>).take(POSITIONS as usize).collect()
}

fn mid_game<G: Game>(number: u64) -> Option<G::View> {
    let (default, _) = G::Profile::BUILT_IN[0];
    let rules = G::Profile::load(default).expect("a built-in rule set");
    let mut rng = random_stream(1, number);
    let mut game = G::start(&rules);
    let mut moves = MoveList::new();
    for _ in 0..MID_GAME {
        game.legal_moves(&mut moves);
        let mv = *moves.get(rng.random_range(0..moves.len().max(1)))?;
        let reveal = game.chances(mv).draw(&mut rng);
        game.play(mv, reveal);
    }
    match game.status() {
        Status::ToMove(mover) => Some(game.view(Eyes::Of(mover))),
        Status::Over(_) => None,
    }
}

#[divan::bench(types = [Jieqi, Banqi], sample_size = 1)]
fn simulations<G: Game>(bencher: Bencher) {
    let config =
        SearchConfig { visits: Visits::literal(VISITS), ..SearchConfig::default().without_exploration() };
    let positions = positions::<G>();
    let simulations: u64 = positions.iter().map(|view| simulate::<G>(view, config)).sum();
    assert_eq!(simulations, POSITIONS * VISITS);
    bencher
        .counter(ItemsCount::new(simulations))
        .bench_local(|| positions.iter().map(|view| simulate::<G>(view, config)).sum::<u64>());
}

fn simulate<G: Game>(view: &G::View, config: SearchConfig) -> u64 {
    let mut search = Search::<G>::new(view.clone(), config, 1);
    search.run(&mut Uniform).expect("this evaluator never fails");
    u64::from(search.visits())
}
