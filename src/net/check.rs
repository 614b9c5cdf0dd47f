//! What is found out of a network and this machine before it plays: in which precision it can be trusted, and
//! whether what it says of a position depends on the positions judged with it.

use std::path::Path;

use super::{Deployed, Layout, NetError, NetEvaluator, Network, Precision, load_network, shipped_network};
use crate::eval::{EvalError, Evaluations, Evaluator, Query};
use crate::game::{Eyes, Game, MoveList, Profile, Status, random_stream};

/// Positions that are judged for it, of random games.
const POSITIONS: usize = 48;

/// How far the two precisions may be apart in the mean: nats between policies, and values.
const MOST_DIVERGENCE: f64 = 1e-3;
const MOST_APART: f64 = 0.01;

/// What was found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Findings {
    /// The faster precision that this machine has instructions for, if it says what 32-bit floats say. How
    /// fast it is in fact is not asked: the answer would change with the machine's other work, and games
    /// with it.
    pub precision: Precision,
    /// Whether a position is judged the same, bit for bit, alone and among others. If not, a run repeats only
    /// with the same batches.
    pub rows_alike: bool,
}

impl<G: Game> NetEvaluator<G> {
    /// Reads the checkpoint at `path` and deploys its network in the precision that was found to do.
    ///
    /// # Errors
    ///
    /// As for [`NetEvaluator::load`], and if the network says what is no number.
    pub fn load_checked(path: &Path) -> Result<(Self, Findings), NetError> {
        let (_, network) = load_network(path, &Layout::of::<G>())?;
        Self::checked(&network, path)
    }

    /// Deploys the network that comes with the program, in the precision that was found to do.
    ///
    /// # Errors
    ///
    /// If there is none for the game, or libtorch fails.
    pub fn shipped() -> Result<(Self, Findings), NetError> {
        let (card, network) = shipped_network(&Layout::of::<G>())?;
        Self::checked(&network, Path::new(&format!("the network shipped for {}", card.game)))
    }

    /// Deploys a network; `path` is named in errors.
    fn checked(network: &Network, path: &Path) -> Result<(Self, Findings), NetError> {
        let queries = sample::<G>();
        let deploy = |precision| Self::new(Deployed::new(network, precision));
        let judge = |evaluator: &mut Self, queries: &[Query<G>]| {
            let mut judged = Evaluations::default();
            evaluator.evaluate(queries, &mut judged).map_err(|error| unusable(path, error)).map(|()| judged)
        };
        let mut evaluator = deploy(Precision::Float32);
        let mut judged = judge(&mut evaluator, &queries)?;
        let mut precision = Precision::Float32;
        if Precision::fastest_here() != precision {
            let mut faster = deploy(Precision::fastest_here());
            let by_faster = judge(&mut faster, &queries)?;
            if agree(&judged, &by_faster) {
                (evaluator, judged, precision) = (faster, by_faster, Precision::fastest_here());
            }
        }
        let mut rows_alike = true;
        for (place, query) in queries.iter().enumerate().step_by(5) {
            let alone = judge(&mut evaluator, std::slice::from_ref(query))?;
            rows_alike &= alone.priors(0) == judged.priors(place) && alone.value(0) == judged.value(place);
        }
        Ok((evaluator, Findings { precision, rows_alike }))
    }
}

fn unusable(path: &Path, error: EvalError) -> NetError {
    NetError::Unusable { path: path.into(), source: error.into() }
}

/// Positions of random games under the game's first rules.
fn sample<G: Game>() -> Vec<Query<G>> {
    let (name, _) = G::Profile::BUILT_IN[0];
    let rules = G::Profile::load(name).expect("a built-in rule set");
    let mut rng = random_stream(0, 0);
    let mut queries = Vec::new();
    let mut room = MoveList::new();
    while queries.len() < POSITIONS {
        let mut game = G::start(&rules);
        while let (Status::ToMove(mover), true) = (game.status(), queries.len() < POSITIONS) {
            let mut moves = MoveList::new();
            game.legal_moves(&mut moves);
            queries.push(Query { view: game.view(Eyes::Of(mover)), moves });
            game.play_at_random(&mut room, &mut rng);
        }
    }
    queries
}

/// Whether two precisions say the same, as far as play can tell.
fn agree(exact: &Evaluations, faster: &Evaluations) -> bool {
    let number = exact.len() as f64;
    let divergence = |place: usize| {
        let pairs = exact.priors(place).iter().zip(faster.priors(place));
        let terms =
            pairs.map(|(&p, &q)| f64::from(p) * (f64::from(p).max(1e-30) / f64::from(q).max(1e-30)).ln());
        terms.sum::<f64>()
    };
    let apart = |place: usize| f64::from((exact.value(place).0 - faster.value(place).0).abs());
    let mean = |of: &dyn Fn(usize) -> f64| (0..exact.len()).map(of).sum::<f64>() / number;
    mean(&divergence) < MOST_DIVERGENCE && mean(&apart) < MOST_APART
}
