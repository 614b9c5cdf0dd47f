//! What is found out of a network and this machine before it plays: in which precision it can be trusted, and
//! whether what it says of a position depends on the positions judged with it.

use std::path::Path;

use super::shared::Key;
use super::{
    Deployed, Layout, NetError, NetEvaluator, Network, Precision, Shared, load_network, shipped_fingerprint,
    shipped_network, weights_fingerprint,
};
use crate::eval::{Device, EvalError, Evaluations, Evaluator, Query};
use crate::game::{Eyes, Game, MoveList, Profile, Status, random_stream};

/// Positions that are judged for it, of random games.
const POSITIONS: usize = 48;

/// How far the two precisions may be apart in the mean: nats between policies, and values.
const MOST_DIVERGENCE: f64 = 1e-3;
const MOST_APART: f64 = 0.01;

/// What was found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Findings {
    /// The faster precision that the device has instructions for, if it says what 32-bit floats say. How
    /// fast it is in fact is not asked: the answer would change with the machine's other work, and games
    /// with it.
    pub precision: Precision,
    /// Whether a position is judged the same, bit for bit, alone and among others. If not, a run repeats only
    /// with the same batches. Cards are not asked: their libraries choose by the size of a batch how to compute.
    pub rows_alike: bool,
}

impl Findings {
    /// What a user should know before play.
    pub fn warning(&self, device: Device) -> Option<&'static str> {
        match device {
            Device::Cpu if self.rows_alike => None,
            Device::Cpu => Some(
                "on this machine a network judges a position a little differently among others than alone; games \
                 repeat only with the same number of threads and slots",
            ),
            Device::Cuda(_) => Some(
                "on a graphics card a network judges a position a little differently among others than alone, and who \
                 is judged with whom is a matter of time: games do not repeat",
            ),
        }
    }
}

impl<G: Game> NetEvaluator<G> {
    /// Reads the checkpoint at `path` and deploys its network on a device that was [found](super::check_device) to be
    /// there, in the precision that was found to do. On a graphics card all evaluators of a network share one.
    ///
    /// # Errors
    ///
    /// As for [`NetEvaluator::load`], and if the network says what is no number.
    pub fn load_checked(path: &Path, device: Device) -> Result<(Self, Findings), NetError> {
        let network = || Ok(load_network(path, &Layout::of::<G>())?.1);
        match device {
            Device::Cpu => Self::examined(&network()?, Device::Cpu, path),
            card => Self::checked_on(card, weights_fingerprint(path)?, network, path),
        }
    }

    /// As [`NetEvaluator::load_checked`], the network that comes with the program.
    ///
    /// # Errors
    ///
    /// If there is none for the game, or libtorch fails.
    pub fn shipped(device: Device) -> Result<(Self, Findings), NetError> {
        let network = || Ok(shipped_network(&Layout::of::<G>())?.1);
        let named = format!("the network shipped for {}", G::NAME);
        match device {
            Device::Cpu => Self::examined(&network()?, Device::Cpu, Path::new(&named)),
            card => Self::checked_on(card, shipped_fingerprint(), network, Path::new(&named)),
        }
    }

    /// Shares a network on a graphics card, which is read only if nobody has it there yet.
    fn checked_on(
        card: Device,
        weights: u64,
        network: impl FnOnce() -> Result<Network, NetError>,
        path: &Path,
    ) -> Result<(Self, Findings), NetError> {
        let shared = Shared::find_or_start(Key { device: card, game: G::NAME, weights }, || {
            let network = network()?;
            let (_, findings) = Self::examined(&network, card, path)?;
            Shared::start(&network, findings, card)
        })?;
        let findings = shared.findings();
        Ok((Self::sharing(shared), findings))
    }

    /// Finds out what there is to know of a network on a device, by what it says in 32-bit floats on the CPU, and gives
    /// the evaluator that it was found out with. `path` is named in errors.
    fn examined(network: &Network, device: Device, path: &Path) -> Result<(Self, Findings), NetError> {
        let queries = sample::<G>();
        let deploy = |precision, device| Self::new(Deployed::on(network, precision, device));
        let judge = |evaluator: &mut Self, queries: &[Query<G>]| {
            let mut judged = Evaluations::default();
            evaluator.evaluate(queries, &mut judged).map_err(|error| unusable(path, error)).map(|()| judged)
        };
        let mut evaluator = deploy(Precision::Float32, Device::Cpu);
        let mut judged = judge(&mut evaluator, &queries)?;
        let (mut precision, fastest) = (Precision::Float32, Precision::fastest_on(device));
        if fastest != precision {
            let mut faster = deploy(fastest, device);
            let by_faster = judge(&mut faster, &queries)?;
            if agree(&judged, &by_faster) {
                (evaluator, judged, precision) = (faster, by_faster, fastest);
            }
        }
        if device != Device::Cpu {
            return Ok((evaluator, Findings { precision, rows_alike: false }));
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
