//! A network as a judge of positions.

use std::marker::PhantomData;
use std::path::Path;
use std::time::{Duration, Instant};

use tch::{Kind, TchError, Tensor};

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

/// Judges positions with a deployed network, on the calling thread alone.
pub struct NetEvaluator<G: Game> {
    net: Deployed,
    planes: Vec<f32>,
    /// What the scores of moves are made of, for all positions of a batch.
    features: Vec<f32>,
    logits: Vec<f32>,
    wdl: Vec<f32>,
    encoding: Duration,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> NetEvaluator<G> {
    /// # Panics
    ///
    /// If `net` was built for another layout than `G` has.
    pub fn new(net: Deployed) -> Self {
        assert_eq!(*net.layout(), Layout::of::<G>(), "a network for another game");
        Self {
            net,
            planes: Vec::new(),
            features: Vec::new(),
            logits: Vec::new(),
            wdl: Vec::new(),
            encoding: Duration::ZERO,
            game: PhantomData,
        }
    }

    /// Reads the checkpoint at `path` and deploys its network.
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
        set_threads(1);
        let batch = ready.0.len() / G::View::SHAPE.len();
        let said = self.net.in_play(&ready.0);
        said.map(drop).map_err(|source| EvalError::Network { batch, source: source.into() })
    }

    /// Encodes the queries, with rows of anything behind them up to the least batch.
    fn encode(&mut self, queries: &[Query<G>]) {
        let length = G::View::SHAPE.len();
        self.planes.resize(queries.len().max(LEAST_ROWS) * length, 0.0);
        for (query, planes) in queries.iter().zip(self.planes.chunks_exact_mut(length)) {
            query.view.planes(planes);
        }
    }

    /// Fills `logits` with the scores of the legal moves of all queries, one after the other, and `wdl`
    /// with three scores for each query.
    fn run(&mut self, queries: &[Query<G>]) -> Result<(), TchError> {
        let start = Instant::now();
        self.encode(queries);
        self.encoding += start.elapsed();
        let (features, wdl) = self.net.in_play(&self.planes)?;
        copy_out(&features, &mut self.features)?;
        copy_out(&wdl.f_softmax(-1, Kind::Float)?, &mut self.wdl)?;
        let scores = self.net.move_scores();
        let length = self.features.len() / self.rows();
        self.logits.clear();
        for (query, position) in queries.iter().zip(self.features.chunks_exact(length)) {
            let moves = query.moves.iter();
            self.logits.extend(moves.map(|&mv| scores.score(position, query.view.index(mv))));
        }
        Ok(())
    }

    /// Rows of the batch that is encoded.
    fn rows(&self) -> usize {
        self.planes.len() / G::View::SHAPE.len()
    }
}

fn copy_out(tensor: &Tensor, numbers: &mut Vec<f32>) -> Result<(), TchError> {
    numbers.resize(tensor.numel(), 0.0);
    tensor.f_contiguous()?.f_copy_data(numbers, tensor.numel())
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
        // Asked for each time, as the caller's thread may be another one, or have trained in between.
        set_threads(1);
        self.run(queries).map_err(|source| EvalError::Network { batch, source: source.into() })?;
        if !self.logits.iter().chain(&self.wdl).all(|score| score.is_finite()) {
            return Err(EvalError::NotFinite { batch });
        }
        let mut logits = &mut self.logits[..];
        for (query, wdl) in queries.iter().zip(self.wdl.chunks_exact(3)) {
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
