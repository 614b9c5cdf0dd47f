//! One flip forced, and everything else left to the player: what the flip alone does to the result.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::RngExt;

use super::Site;
use crate::analysis::stats::ClusteredMean;
use crate::analysis::{Expected, Finding};
use crate::eval::{EvalError, Evaluator};
use crate::game::{Game, Outcome, Seat, SeatValue, Status, View, fnv1a, random_stream};
use crate::progress::Progress;
use crate::search::{Search, SearchConfig};
use crate::tables::{Counters, Fate, Manners, Mind, Player, Room, RoomError, Start, Ticket};

/// How positions are probed.
pub struct Probe {
    pub name: String,
    /// How the player searches, for both sides.
    pub search: SearchConfig,
    /// Playouts of every move in each of two halves, of which one chooses the best move and the other scores it.
    pub playouts: u32,
    pub seed: u64,
}

/// A probe could not go on.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    #[error(transparent)]
    Room(#[from] RoomError),
    #[error("the evaluator failed")]
    Evaluator(#[from] EvalError),
}

/// What single flips do to the result, in points: one hundredth of a won game, on the mover's side.
#[derive(Debug, Clone, Default)]
pub struct Contrasts {
    /// Each flip onto a controlled square against the best onto a free one.
    controlled: ClusteredMean,
    /// The best flip onto a controlled square against the best onto a free one.
    best_controlled: ClusteredMean,
    /// The best flip onto a free square against the best move that turns nothing up.
    free: ClusteredMean,
}

/// A move's mean result in each half of its playouts, -1 to 1, on the mover's side.
type Halves = [f64; 2];

impl Probe {
    /// Probes every position, on all threads of `pool`; `evaluator` makes one for each.
    ///
    /// In playout number `n` every move of a position meets the same world, the same piece turns up under it
    /// wherever it goes, and the same pieces after it in the same order.
    ///
    /// # Errors
    ///
    /// If an evaluator fails, or the user asks to stop.
    pub fn run<G: Game>(
        &self,
        sites: &[Site<G>],
        pool: &rayon::ThreadPool,
        evaluator: &(dyn Fn() -> Result<Box<dyn Evaluator<G>>, EvalError> + Sync),
        progress: &dyn Progress,
    ) -> Result<Contrasts, ProbeError> {
        let arms: usize = sites.iter().map(Site::arms).sum();
        progress.stage("probe", "playouts", Some(arms as u64 * 2 * u64::from(self.playouts)));
        let (next, counters) = (AtomicUsize::new(0), Counters::start());
        let probed = Mutex::new(vec![None; sites.len()]);
        let work = || -> Result<(), ProbeError> {
            let mut judges = [evaluator()?];
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(site) = sites.get(place) else { return Ok(()) };
                let results = self
                    .probe(site, &mut judges, &counters, progress)
                    .inspect_err(|_| next.store(sites.len(), Ordering::Relaxed))?;
                probed.lock().expect("no worker panics while it holds the lock")[place] = Some(results);
            }
        };
        pool.broadcast(|_| work()).into_iter().collect::<Result<(), _>>()?;
        let probed = probed.into_inner().expect("no worker panics while it holds the lock");
        let mut contrasts = Contrasts::default();
        for (site, results) in sites.iter().zip(probed) {
            contrasts.take(site.game_id, &results.expect("every position was probed"));
        }
        Ok(contrasts)
    }

    fn probe<G: Game>(
        &self,
        site: &Site<G>,
        judges: &mut [Box<dyn Evaluator<G>>; 1],
        counters: &Counters,
        progress: &dyn Progress,
    ) -> Result<Results, ProbeError> {
        let still = self.best_still(site, &mut judges[0])?;
        let arms: Vec<G::Move> = [&site.controlled[..], &site.free, still.as_slice()].concat();
        let playouts = 2 * self.playouts;
        let tickets: Vec<_> = arms
            .iter()
            .flat_map(|&mv| (0..playouts).map(move |playout| self.ticket(site, mv, playout)))
            .collect();
        let mind = Mind::Search { judge: 0, config: self.search, time: None };
        let player = Player { name: self.name.clone(), mind, restraint: None };
        let room = Room {
            players: &[player],
            manners: Manners { end_dead_positions: true, ..Manners::default() },
            slots: tickets.len(),
        };
        let played = room.play(tickets, judges, counters, progress)?;
        let mover = site.mover();
        let result = |outcome: Outcome| f64::from(SeatValue::of(outcome).for_mover(mover).0);
        let results: Vec<f64> = played.iter().map(|played| result(played.outcome)).collect();
        let mut halves = results.chunks_exact(playouts as usize).map(halves);
        let mut take = |count| halves.by_ref().take(count).collect::<Vec<_>>();
        Ok(Results { controlled: take(site.controlled.len()), free: take(site.free.len()), still: take(1) })
    }

    /// The move the player likes best of those that turn nothing up.
    fn best_still<G: Game>(
        &self,
        site: &Site<G>,
        judge: &mut Box<dyn Evaluator<G>>,
    ) -> Result<Option<G::Move>, EvalError> {
        if site.still.is_empty() {
            return Ok(None);
        }
        let mut search = Search::<G>::among(&site.still, site.view.clone(), self.search, self.seed);
        search.run(judge)?;
        Ok(Some(search.choose(0).mv))
    }

    /// The game in which `mv` is played and the player goes on with both sides.
    fn ticket<G: Game>(&self, site: &Site<G>, mv: G::Move, playout: u32) -> Ticket<G> {
        let name = format!("probe of {}/{}/{}/{playout}", self.seed, site.game_id, site.ply);
        let seed = fnv1a(name.as_bytes());
        let mut game = G::sample(&site.view, &mut random_stream(seed, 0));
        let reveal = game.chances(mv).draw(&mut random_stream(seed, 1));
        game.play(mv, reveal);
        let later = random_stream(seed, 2).random();
        Ticket {
            game_id: site.game_id,
            seed,
            seats: [0, 0],
            fate: Fate::Order(later),
            start: Start::Midst(game),
        }
    }
}

impl<G: Game> Site<G> {
    /// Moves that are played out here.
    fn arms(&self) -> usize {
        self.controlled.len() + self.free.len() + usize::from(!self.still.is_empty())
    }

    fn mover(&self) -> Seat {
        match self.view.status() {
            Status::ToMove(mover) => mover,
            Status::Over(_) => unreachable!("a position with moves goes on"),
        }
    }
}

/// What came of the moves of one position.
#[derive(Debug, Clone)]
struct Results {
    controlled: Vec<Halves>,
    free: Vec<Halves>,
    /// Of the best move that turns nothing up; none if there is none.
    still: Vec<Halves>,
}

/// The means of the two halves of some playouts.
fn halves(results: &[f64]) -> Halves {
    let (first, second) = results.split_at(results.len() / 2);
    [first, second].map(|half| half.iter().sum::<f64>() / half.len() as f64)
}

/// The best of some moves by the half `chooser`; none without a move.
fn best(moves: &[Halves], chooser: usize) -> Option<&Halves> {
    moves.iter().reduce(|best, one| if one[chooser] > best[chooser] { one } else { best })
}

impl Contrasts {
    fn take(&mut self, game_id: u64, results: &Results) {
        let Results { controlled, free, still } = results;
        // Both ways round: the choice cannot profit from the luck of what scores it.
        let crossed = |ours: &dyn Fn(usize) -> Option<f64>, theirs: &[Halves]| -> Option<f64> {
            let one_way = |chooser: usize| Some(ours(chooser)? - best(theirs, chooser)?[1 - chooser]);
            Some(50.0 * (one_way(0)? + one_way(1)?) / 2.0)
        };
        for each in controlled {
            if let Some(points) = crossed(&|chooser| Some(each[1 - chooser]), free) {
                self.controlled.observe(game_id, points);
            }
        }
        let best_of = |moves: &[Halves], chooser| Some(best(moves, chooser)?[1 - chooser]);
        if let Some(points) = crossed(&|chooser| best_of(controlled, chooser), free) {
            self.best_controlled.observe(game_id, points);
        }
        if let Some(points) = crossed(&|chooser| best_of(free, chooser), still) {
            self.free.observe(game_id, points);
        }
    }

    /// The contrasts as figures about T1; the first is what it stands or falls with.
    pub fn findings(&self) -> Vec<Finding> {
        vec![
            Finding::tested(
                "flip onto a controlled square against the best onto a free one",
                "points",
                self.controlled.estimate(),
                Expected::Below,
            ),
            Finding::told(
                "best flip onto a controlled square against the best onto a free one",
                "points",
                self.best_controlled.estimate(),
            ),
            Finding::told(
                "best flip onto a free square against the best move that turns nothing up",
                "points",
                self.free.estimate(),
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_half_chooses_and_the_other_scores() {
        let mut contrasts = Contrasts::default();
        // The first half likes the first free move, which the second scores 0; the second likes the second,
        // which the first scores 0.25: 0.125 on average.
        let results = Results {
            controlled: vec![[0.0, 0.0], [-0.5, 0.0]],
            free: vec![[0.5, 0.0], [0.25, 0.125]],
            still: Vec::new(),
        };
        contrasts.take(1, &results);
        let value = |mean: &ClusteredMean| mean.estimate().map(|estimate| estimate.value);
        // Against 0.125: 0 and -0.25, so -0.25 on average; the best controlled is 0 either way.
        assert_eq!(value(&contrasts.controlled), Some(-12.5));
        assert_eq!(value(&contrasts.best_controlled), Some(-6.25));
        assert_eq!(value(&contrasts.free), None);
    }
}
