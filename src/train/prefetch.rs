//! Batches made ready ahead of the steps that take them: one thread reads rows, another encodes them, so that
//! training waits for neither.

use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::order::Order;
use super::{Batch, Rows, TrainConfig, TrainError, Window};
use crate::game::{Encode, Game, Symmetry, random_stream};
use crate::net::set_threads;

/// Batches that may lie ready.
const AHEAD: usize = 2;

/// The batches of some steps, in order, from a place of the order of rows on; after an error there are no
/// more. The threads end when the receiver is dropped.
pub(super) fn batches<'scope, G: Game>(
    scope: &'scope Scope<'scope, '_>,
    window: &'scope Window<G>,
    config: &'scope TrainConfig,
    order: Order,
    place: u64,
    steps: Range<u64>,
) -> Receiver<Result<Batch, TrainError>> {
    // Nothing lies ready between the two but what the reader holds in its hands: the next block.
    let (blocks_out, blocks) = sync_channel(0);
    scope.spawn(move || read(window, &order, place, &blocks_out));
    let (sender, receiver) = sync_channel(AHEAD);
    scope.spawn(move || {
        set_threads(1);
        let mut feed = Feed { blocks, current: None };
        for step in steps {
            let batch = encode(window, config, &mut feed, step);
            let is_last = batch.is_err();
            if sender.send(batch).is_err() || is_last {
                return;
            }
        }
    });
    receiver
}

/// Rows of a block, and those of them that are still to be shown, the next one last.
struct Mixed<G: Game> {
    rows: Arc<Rows<G>>,
    to_show: Vec<u32>,
}

/// Hands out the blocks of the order. One that has the same rows as the block before is not read again.
fn read<G: Game>(
    window: &Window<G>,
    order: &Order,
    place: u64,
    blocks: &SyncSender<Result<Mixed<G>, TrainError>>,
) {
    let mut held: Option<(Vec<usize>, Arc<Rows<G>>)> = None;
    for (block, skipped) in order.blocks_from(place) {
        let same = held.take().filter(|(groups, _)| *groups == block.groups);
        let rows = match same {
            Some((_, rows)) => Ok(rows),
            None => window.read(&block.groups).map(Arc::new),
        };
        let mixed = rows.map(|rows| {
            held = Some((block.groups.clone(), rows.clone()));
            let mut to_show = order.mixed(&block).split_off(skipped as usize);
            to_show.reverse();
            Mixed { rows, to_show }
        });
        let is_last = mixed.is_err();
        if blocks.send(mixed).is_err() || is_last {
            return;
        }
    }
}

/// The rows of the order, one after the other.
struct Feed<G: Game> {
    blocks: Receiver<Result<Mixed<G>, TrainError>>,
    current: Option<Mixed<G>>,
}

impl<G: Game> Feed<G> {
    fn next(&mut self) -> Result<(Arc<Rows<G>>, usize), TrainError> {
        loop {
            if let Some(mixed) = &mut self.current
                && let Some(row) = mixed.to_show.pop()
            {
                return Ok((mixed.rows.clone(), row as usize));
            }
            // Let go of it before the next one is there.
            self.current = None;
            self.current = Some(self.blocks.recv().expect("blocks come until one cannot be read")?);
        }
    }
}

fn encode<G: Game>(
    window: &Window<G>,
    config: &TrainConfig,
    feed: &mut Feed<G>,
    step: u64,
) -> Result<Batch, TrainError> {
    // A seed of its own, so that mirrors and order are drawn apart.
    let mut rng = random_stream(!config.seed, step);
    let shown = (0..config.batch.get()).map(|_| feed.next()).collect::<Result<Vec<_>, _>>()?;
    let examples: Vec<_> = shown
        .iter()
        .map(|(rows, row)| (rows.example(*row), draw_symmetry(G::View::SYMMETRIES, config, &mut rng)))
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
