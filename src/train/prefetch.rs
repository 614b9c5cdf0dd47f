//! Batches encoded ahead of the steps that take them, so that training does not wait for encoding.

use std::ops::Range;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Scope;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::window::Order;
use super::{Batch, TrainConfig, TrainError, Window};
use crate::game::{Encode, Game, Symmetry, random_stream};
use crate::net::set_threads;

/// Batches that may lie ready.
const AHEAD: usize = 2;

/// The batches of some steps, in order; after an error there are no more. The thread that encodes them
/// ends when the receiver is dropped.
pub(super) fn batches<'scope, G: Game>(
    scope: &'scope Scope<'scope, '_>,
    window: &'scope Window<G>,
    config: &'scope TrainConfig,
    steps: Range<u64>,
) -> Receiver<Result<Batch, TrainError>> {
    let (sender, receiver) = sync_channel(AHEAD);
    scope.spawn(move || {
        set_threads(1);
        let mut order = Order::new(window.training(), config.seed);
        for step in steps {
            let batch = encode(window, config, &mut order, step);
            let is_last = batch.is_err();
            if sender.send(batch).is_err() || is_last {
                return;
            }
        }
    });
    receiver
}

fn encode<G: Game>(
    window: &Window<G>,
    config: &TrainConfig,
    order: &mut Order,
    step: u64,
) -> Result<Batch, TrainError> {
    let size = config.batch.get();
    // A seed of its own, so that mirrors and order are drawn apart.
    let mut rng = random_stream(!config.seed, step);
    let examples: Vec<_> = (step * size..(step + 1) * size)
        .map(|place| (window.example(order.row(place)), draw_symmetry(G::View::SYMMETRIES, config, &mut rng)))
        .collect();
    Batch::encode::<G>(&examples, window.rules(), config.search_value)
}

/// One of the board's symmetries or none, each as likely as the other.
fn draw_symmetry(symmetries: &[Symmetry], config: &TrainConfig, rng: &mut ChaCha8Rng) -> Option<Symmetry> {
    if !config.mirror {
        return None;
    }
    symmetries.get(rng.random_range(0..=symmetries.len())).copied()
}
