//! A worker's evaluator that does by turns what the clock says.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Shares;
use super::clock::{Clock, Doing, Who};
use crate::eval::{EvalError, Evaluations, Evaluator, Query};
use crate::game::Game;
use crate::net::{NetEvaluator, Ready};
use crate::tables::Tally;

/// What the workers did, slice by slice.
#[derive(Debug, Default)]
pub struct Ledger(Mutex<Books>);

#[derive(Debug, Default)]
struct Books {
    workers: usize,
    entries: Vec<Entry>,
}

/// What one worker did in one slice.
#[derive(Debug, Clone, Copy)]
struct Entry {
    slice: u64,
    doing: Doing,
    time: Duration,
    positions: u64,
    batches: u64,
    /// Of self-play's time: bringing positions into the network's form, and the network.
    encoding: Duration,
    judging: Duration,
}

impl Entry {
    fn new(slice: u64, doing: Doing) -> Self {
        let none = Duration::ZERO;
        Self { slice, doing, time: none, positions: 0, batches: 0, encoding: none, judging: none }
    }
}

impl Ledger {
    fn join(&self) -> usize {
        let mut books = self.books();
        books.workers += 1;
        books.workers - 1
    }

    fn enter(&self, entry: Entry) {
        self.books().entries.push(entry);
    }

    /// Positions per second of all workers together in each slice of a kind; none if a slice has no entry.
    pub fn speeds(&self, clock: &Clock, doing: Doing, who: Who) -> Option<Vec<f64>> {
        let books = self.books();
        let of = |slice: u64| {
            let entries: Vec<_> = books.entries.iter().filter(|entry| entry.slice == slice).collect();
            let speed = entries.iter().map(|entry| entry.positions as f64 / entry.time.as_secs_f64()).sum();
            (!entries.is_empty()).then_some(speed)
        };
        clock.slices_of(doing, who).map(of).collect()
    }

    /// Positions to a batch in self-play.
    pub fn mean_batch(&self) -> f64 {
        let all = self.in_play();
        all.positions as f64 / all.batches.max(1) as f64
    }

    /// What self-play's time went into; `tally` knows of the search.
    pub fn shares(&self, tally: &Tally, writing_per_position: f64) -> Shares {
        let all = self.in_play();
        let writing = writing_per_position * all.positions as f64;
        let total = all.time.as_secs_f64() + writing;
        let [planes, net] = [all.encoding, all.judging].map(|time| time.as_secs_f64() / total);
        let [search, writing] = [tally.spent.searching, writing].map(|time| time / total);
        Shares { search, planes, net, writing, waiting: 1.0 - search - planes - net - writing }
    }

    /// All of self-play.
    fn in_play(&self) -> Entry {
        let books = self.books();
        let played = books.entries.iter().filter(|entry| entry.doing == Doing::Playing);
        played.fold(Entry::new(0, Doing::Playing), |all, entry| Entry {
            time: all.time + entry.time,
            positions: all.positions + entry.positions,
            batches: all.batches + entry.batches,
            encoding: all.encoding + entry.encoding,
            judging: all.judging + entry.judging,
            ..all
        })
    }

    fn books(&self) -> std::sync::MutexGuard<'_, Books> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Judges for self-play in slices of self-play; in between, whoever asks it waits, and meanwhile it runs the
/// network over positions that lie ready, or rests.
pub struct Paced<G: Game> {
    net: NetEvaluator<G>,
    clock: Arc<Clock>,
    ledger: Arc<Ledger>,
    worker: usize,
    /// The largest batch seen, for the bare network.
    ready: Option<(usize, Ready)>,
    /// The slice of self-play that runs, and since when.
    playing: Option<(Entry, Instant)>,
}

impl<G: Game> Paced<G> {
    pub fn new(net: NetEvaluator<G>, clock: Arc<Clock>, ledger: Arc<Ledger>) -> Self {
        let worker = ledger.join();
        Self { net, clock, ledger, worker, ready: None, playing: None }
    }

    /// Comes back when it is time for this worker to play, or all is over.
    fn wait_for_play(&mut self) -> Result<(), EvalError> {
        let running = self.clock.now();
        if self.playing.is_some_and(|(entry, _)| Some(entry.slice) == running) {
            return Ok(());
        }
        if let Some((entry, since)) = self.playing.take() {
            self.ledger.enter(Entry { time: since.elapsed(), ..entry });
        }
        while let Some(slice) = self.clock.now() {
            let (doing, who) = self.clock.doing(slice);
            match doing {
                _ if who == Who::One && self.worker > 0 => std::thread::sleep(self.clock.left_of(slice)),
                Doing::Playing => {
                    self.playing = Some((Entry::new(slice, doing), Instant::now()));
                    return Ok(());
                }
                Doing::Judging => self.judge_until_the_end_of(slice)?,
            }
        }
        Ok(())
    }

    fn judge_until_the_end_of(&self, slice: u64) -> Result<(), EvalError> {
        let Some((batch, ready)) = &self.ready else { return Ok(()) };
        let mut entry = Entry::new(slice, Doing::Judging);
        let start = Instant::now();
        while self.clock.now() == Some(slice) {
            self.net.judge_ready(ready)?;
            entry.positions += *batch as u64;
        }
        self.ledger.enter(Entry { time: start.elapsed(), ..entry });
        Ok(())
    }
}

impl<G: Game> Evaluator<G> for Paced<G> {
    fn batch_hint(&self) -> usize {
        self.net.batch_hint()
    }

    fn evaluate(&mut self, queries: &[Query<G>], out: &mut Evaluations) -> Result<(), EvalError> {
        if self.ready.as_ref().is_none_or(|(batch, _)| *batch < queries.len()) {
            self.ready = Some((queries.len(), self.net.made_ready(queries)));
        }
        self.wait_for_play()?;
        let (start, encoded) = (Instant::now(), self.net.encoding());
        self.net.evaluate(queries, out)?;
        if let Some((entry, _)) = &mut self.playing {
            let encoding = self.net.encoding() - encoded;
            entry.positions += queries.len() as u64;
            entry.batches += 1;
            entry.encoding += encoding;
            entry.judging += start.elapsed() - encoding;
        }
        Ok(())
    }
}
