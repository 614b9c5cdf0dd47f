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
pub struct Ready(Tensor);

/// Judges positions with a deployed network, on the calling thread alone.
pub struct NetEvaluator<G: Game> {
    net: Deployed,
    planes: Vec<f32>,
    /// The places, in the flat scores of a batch, of the legal moves of all its positions.
    picks: Vec<i64>,
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
            picks: Vec::new(),
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
        Ready(self.encode(queries))
    }

    /// Runs the bare network over a batch that lies ready, and drops what it says.
    ///
    /// # Errors
    ///
    /// If libtorch fails.
    pub fn judge_ready(&self, ready: &Ready) -> Result<(), EvalError> {
        set_threads(1);
        let batch = ready.0.size()[0] as usize;
        let said = self.net.scores(&ready.0);
        said.map(drop).map_err(|source| EvalError::Network { batch, source: source.into() })
    }

    /// Encodes the queries, with rows of zeros behind them up to the least batch.
    fn encode(&mut self, queries: &[Query<G>]) -> Tensor {
        let shape = G::View::SHAPE;
        let rows = queries.len().max(LEAST_ROWS);
        self.planes.clear();
        self.planes.resize(rows * shape.len(), 0.0);
        for (query, planes) in queries.iter().zip(self.planes.chunks_exact_mut(shape.len())) {
            query.view.planes(planes);
        }
        let size = [rows, shape.planes, shape.rows, shape.files].map(|length| length as i64);
        Tensor::from_slice(&self.planes).view(size)
    }

    /// Fills `logits` with the scores of the legal moves of all queries, one after the other, and `wdl`
    /// with three scores for each query.
    fn run(&mut self, queries: &[Query<G>]) -> Result<(), TchError> {
        let start = Instant::now();
        let planes = self.encode(queries);
        self.encoding += start.elapsed();
        let (policy, wdl) = self.net.scores(&planes)?;
        let width = policy.size()[1];
        self.picks.clear();
        for (row, query) in (0_i64..).zip(queries) {
            let slots = query.moves.iter().map(|&mv| self.net.slot(query.view.index(mv)));
            self.picks.extend(slots.map(|slot| row * width + slot));
        }
        let picked = policy.f_flatten(0, -1)?.f_index_select(0, &Tensor::from_slice(&self.picks))?;
        self.logits.resize(self.picks.len(), 0.0);
        picked.f_copy_data(&mut self.logits, self.picks.len())?;
        let wdl = wdl.f_softmax(-1, Kind::Float)?;
        self.wdl.resize(wdl.numel(), 0.0);
        wdl.f_copy_data(&mut self.wdl, wdl.numel())
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
