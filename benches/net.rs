//! How fast a network of the default size judges positions of Jieqi, on one thread, by the size of the batch.
//!
//!     cargo bench --bench net
//!
//! An item is a position. What a network says does not change how long it takes, so this one is untrained.

use divan::Bencher;
use divan::counter::ItemsCount;
use facedown::eval::{Evaluations, Evaluator, Query};
use facedown::game::{Eyes, Game, MoveList, Profile, Status, random_stream};
use facedown::net::{Deployed, Layout, NetConfig, NetEvaluator, Network, Precision};
use facedown::rules::jieqi::{Jieqi, JieqiRules};
use rand::RngExt;

const SEED: u64 = 1;

fn main() {
    divan::main();
}

/// The first `count` positions of random games, as their movers see them.
fn positions(count: usize) -> Vec<Query<Jieqi>> {
    let rules = JieqiRules::load("wxf").expect("a built-in rule set");
    let mut rng = random_stream(SEED, 0);
    let mut queries = Vec::new();
    while queries.len() < count {
        let mut game = Jieqi::start(&rules);
        while let Status::ToMove(mover) = game.status() {
            let mut moves = MoveList::new();
            game.legal_moves(&mut moves);
            let mv = moves[rng.random_range(0..moves.len())];
            queries.push(Query { view: game.view(Eyes::Of(mover)), moves });
            let reveal = game.chances(mv).draw(&mut rng);
            game.play(mv, reveal);
        }
    }
    queries.truncate(count);
    queries
}

#[divan::bench(args = [16, 64, 256])]
fn float32(bencher: Bencher, batch: usize) {
    judge(bencher, batch, Precision::Float32);
}

#[divan::bench(args = [16, 64, 256])]
fn bfloat16(bencher: Bencher, batch: usize) {
    judge(bencher, batch, Precision::Bfloat16);
}

fn judge(bencher: Bencher, batch: usize, precision: Precision) {
    let network = Network::new(&NetConfig::default(), &Layout::of::<Jieqi>(), SEED);
    let mut evaluator = NetEvaluator::<Jieqi>::new(Deployed::new(&network, precision));
    let queries = positions(batch);
    let mut judgements = Evaluations::default();
    bencher.counter(ItemsCount::new(batch)).bench_local(|| {
        evaluator.evaluate(&queries, &mut judgements).expect("finite judgements");
        assert_eq!(judgements.len(), batch);
    });
}
