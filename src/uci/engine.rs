//! The searching half of the session, on a thread of its own.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Instant;

use super::command::Limit;
use super::info::Info;
use super::{SessionError, Voice};
use crate::eval::{Evaluations, Evaluator};
use crate::game::{Game, Status, View};
use crate::search::{Search, SearchConfig, Visits};

/// The most simulations of one search, whatever the limit: their positions are kept in memory.
pub const MOST_VISITS: Visits = Visits::literal(2_000_000);

/// What the session has for the engine to do.
pub enum Job<G: Game> {
    /// Judge positions by this from now on.
    Use(Box<dyn Evaluator<G>>),
    /// Search, and say the best move.
    Search {
        view: G::View,
        limit: Limit,
        config: SearchConfig,
        seed: u64,
        /// Set when the search is to stop.
        stop: Arc<AtomicBool>,
        /// To be set once it is over.
        over: Arc<AtomicBool>,
    },
}

/// Searches one position after another.
pub struct Engine<'a, G: Game, W> {
    pub evaluator: Box<dyn Evaluator<G>>,
    pub voice: &'a Voice<W>,
}

impl<G: Game, W: Write> Engine<'_, G, W> {
    /// Works until no more jobs can come.
    pub fn work(mut self, queue: Receiver<Job<G>>) -> Result<(), SessionError> {
        for job in queue {
            match job {
                Job::Use(evaluator) => self.evaluator = evaluator,
                Job::Search { view, limit, config, seed, stop, over } => {
                    let best = match view.status() {
                        Status::ToMove(_) => self.search(view, limit, config, seed, &stop)?,
                        Status::Over(_) => "(none)".to_owned(),
                    };
                    // Before the answer, so that whoever has read it may ask again.
                    over.store(true, Ordering::SeqCst);
                    self.voice.say(format_args!("bestmove {best}"))?;
                }
            }
        }
        Ok(())
    }

    /// Searches until the limit is reached or a stop is asked for, but for one simulation at least.
    fn search(
        &mut self,
        view: G::View,
        limit: Limit,
        config: SearchConfig,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<String, SessionError> {
        let started = Instant::now();
        let visits = match limit {
            Limit::Usual => config.visits,
            Limit::Nodes(nodes) => nodes,
            Limit::Time(_) | Limit::Infinite => MOST_VISITS,
        };
        let enough = || {
            let over_time = matches!(limit, Limit::Time(time) if started.elapsed() >= time);
            over_time || stop.load(Ordering::SeqCst)
        };
        let mut search = Search::<G>::new(view.clone(), SearchConfig { visits, ..config }, seed);
        let (mut queries, mut evaluations) = (Vec::with_capacity(1), Evaluations::default());
        let mut next_info = 1;
        while let Some(leaf) = search.gather_until(&mut queries, enough) {
            self.evaluator.evaluate(&queries, &mut evaluations)?;
            search.apply(leaf, &evaluations);
            queries.clear();
            if search.visits() >= next_info {
                self.tell(&view, &search, started)?;
                next_info = 2 * search.visits();
            }
            if search.visits() > 0 && enough() {
                break;
            }
        }
        self.tell(&view, &search, started)?;
        Ok(search.choose(0).mv.to_string())
    }

    fn tell(&self, view: &G::View, search: &Search<G>, started: Instant) -> io::Result<()> {
        self.voice.say(Info { view, report: &search.report(), elapsed: started.elapsed() })
    }
}
