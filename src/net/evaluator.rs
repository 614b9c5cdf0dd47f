//! A network as a judge of positions.

use std::error::Error;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::deployed::Said;
use super::moves::MoveScores;
use super::shared::{Seat, Shared};
use super::{Deployed, Layout, NetError, Precision, load_network, set_threads};
use crate::eval::{EvalError, Evaluations, Evaluator, Query};
use crate::game::{Encode, Game, MoverValue, Wdl};

/// Batches are filled up to this many rows: below it, libtorch takes other code paths, whose rounding
/// differs, and what the network says of a position would depend on its company.
const LEAST_ROWS: usize = 16;

/// The batch at which the CPU is busy with arithmetic and not with overhead.
const BATCH_HINT: usize = 256;

/// Positions in the form the network takes.
#[derive(Debug)]
pub struct Ready(Vec<f32>);

/// Who computes for an evaluator.
enum Computer {
    /// The calling thread alone, on a network of its own.
    Own(Box<Deployed>),
    /// The owner of a network that others share.
    Shared(Seat),
}

/// Judges positions with a deployed network.
pub struct NetEvaluator<G: Game> {
    computer: Computer,
    scores: Arc<MoveScores>,
    planes: Vec<f32>,
    said: Said,
    logits: Vec<f32>,
    encoding: Duration,
    game: PhantomData<fn() -> G>,
}

impl Computer {
    /// Fills `said` with what the network says of some positions.
    fn judge(&self, planes: &[f32], said: &mut Said) -> Result<(), Box<dyn Error + Send + Sync>> {
        match self {
            Self::Own(net) => {
                // Asked for each time, as the caller's thread may be another one, or have trained in between.
                set_threads(1);
                Ok(net.say(planes, said)?)
            }
            Self::Shared(seat) => {
                *said = seat.ask(planes)?;
                Ok(())
            }
        }
    }
}

impl<G: Game> NetEvaluator<G> {
    /// An evaluator that computes on the thread that calls it.
    ///
    /// # Panics
    ///
    /// If `net` was built for another layout than `G` has.
    pub fn new(net: Deployed) -> Self {
        assert_eq!(*net.layout(), Layout::of::<G>(), "a network for another game");
        let scores = net.move_scores().clone();
        Self::by(Computer::Own(net.into()), scores)
    }

    /// An evaluator that asks the owner of a network.
    ///
    /// # Panics
    ///
    /// If the network was built for another layout than `G` has.
    pub fn sharing(shared: Arc<Shared>) -> Self {
        assert_eq!(*shared.layout(), Layout::of::<G>(), "a network for another game");
        let scores = shared.move_scores().clone();
        Self::by(Computer::Shared(Seat::at(shared)), scores)
    }

    fn by(computer: Computer, scores: Arc<MoveScores>) -> Self {
        Self {
            computer,
            scores,
            planes: Vec::new(),
            said: Said::default(),
            logits: Vec::new(),
            encoding: Duration::ZERO,
            game: PhantomData,
        }
    }

    /// Reads the checkpoint at `path` and deploys its network on the CPU.
    ///
    /// # Errors
    ///
    /// If there is no whole checkpoint, or it was made for another game or another encoding.
    pub fn load(path: &Path, precision: Precision) -> Result<Self, NetError> {
        let (_, network) = load_network(path, &Layout::of::<G>())?;
        Ok(Self::new(Deployed::new(&network, precision)))
    }

    /// Brings queries into the form the network takes.
    pub fn made_ready(&mut self, queries: &[Query<G>]) -> Ready {
        self.encode(queries);
        Ready(self.planes.clone())
    }

    /// Runs the bare network over a batch that lies ready, and drops what it says.
    ///
    /// # Errors
    ///
    /// If libtorch fails.
    pub fn judge_ready(&self, ready: &Ready) -> Result<(), EvalError> {
        let batch = ready.0.len() / G::View::SHAPE.len();
        let ran = match &self.computer {
            Computer::Own(net) => {
                set_threads(1);
                net.in_play(&ready.0).map(drop).map_err(Into::into)
            }
            Computer::Shared(seat) => seat.ask(&ready.0).map(drop),
        };
        ran.map_err(|source| EvalError::Network { batch, source })
    }

    /// Encodes the queries, with rows of anything behind them up to the least batch.
    fn encode(&mut self, queries: &[Query<G>]) {
        let length = G::View::SHAPE.len();
        self.planes.resize(queries.len().max(LEAST_ROWS) * length, 0.0);
        for (query, planes) in queries.iter().zip(self.planes.chunks_exact_mut(length)) {
            query.view.planes(planes);
        }
    }

    /// Has the network judge the queries, and fills `logits` with the scores of their legal moves, one query's after
    /// the other's.
    fn run(&mut self, queries: &[Query<G>]) -> Result<(), Box<dyn Error + Send + Sync>> {
        let start = Instant::now();
        self.encode(queries);
        self.encoding += start.elapsed();
        self.computer.judge(&self.planes, &mut self.said)?;
        let length = self.said.features.len() / self.rows();
        self.logits.clear();
        for (query, position) in queries.iter().zip(self.said.features.chunks_exact(length)) {
            let moves = query.moves.iter();
            self.logits.extend(moves.map(|&mv| self.scores.score(position, query.view.index(mv))));
        }
        Ok(())
    }

    /// Rows of the batch that is encoded.
    fn rows(&self) -> usize {
        self.planes.len() / G::View::SHAPE.len()
    }
}

impl<G: Game> Evaluator<G> for NetEvaluator<G> {
    fn batch_hint(&self) -> usize {
        BATCH_HINT
    }

    fn encoding(&self) -> Duration {
        self.encoding
    }

    fn evaluate(&mut self, queries: &[Query<G>], out: &mut Evaluations) -> Result<(), EvalError> {
        out.clear();
        if queries.is_empty() {
            return Ok(());
        }
        let batch = queries.len();
        self.run(queries).map_err(|source| EvalError::Network { batch, source })?;
        if !self.logits.iter().chain(&self.said.wdl).all(|score| score.is_finite()) {
            return Err(EvalError::NotFinite { batch });
        }
        let mut logits = &mut self.logits[..];
        for (query, wdl) in queries.iter().zip(self.said.wdl.chunks_exact(3)) {
            let (own, rest) = logits.split_at_mut(query.moves.len());
            logits = rest;
            softmax(own);
            out.push(own.iter().copied(), value(wdl));
        }
        Ok(())
    }
}

fn value(wdl: &[f32]) -> MoverValue {
    Wdl { win: wdl[0], draw: wdl[1], loss: wdl[2] }.value()
}

fn softmax(scores: &mut [f32]) {
    let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut total = 0.0;
    for score in scores.iter_mut() {
        *score = (*score - highest).exp();
        total += *score;
    }
    for score in scores {
        *score /= total;
    }
}
