//! A root that draws some moves and halves them: sequential halving with Gumbel noise (Danihelka et al.,
//! "Policy improvement by planning with Gumbel", ICLR 2022).
//!
//! The moves with the most prior and noise are looked at equally often, then the better half of them, and so
//! on to the last two. The halvings are laid out for the visits there are. A search of many visits, or of
//! none but a limit of time, halves again and again, for as many visits as it has spent before, so that
//! whenever it is stopped most of its visits went to moves of its choice.

use std::cmp::Ordering;

use rand::{Rng, RngExt};

use crate::game::MoverValue;
use crate::search::GumbelConfig;
use crate::search::improved::Sigma;
use crate::search::tree::{Edge, Node, mix};

/// Visits of the first halving, where there are at least twice as many.
const FIRST: u64 = 1024;

/// Which root move the next simulation begins with.
#[derive(Debug)]
pub(in crate::search) struct Halving {
    config: GumbelConfig,
    /// The logarithm of each move's prior, and its noise.
    lots: Vec<f32>,
    /// Visits to be spent in all, and how many were.
    budget: u64,
    spent: u64,
    /// The visits this halving began after and is laid out for.
    begun: u64,
    length: u64,
    /// How many times it halves.
    rounds: u64,
    /// Places of the moves that are left, the best of the last narrowing first.
    considered: Vec<usize>,
    /// Visits of this round that were given out, and those there are.
    turn: usize,
    turns: usize,
}

impl Halving {
    /// Spends `budget` visits on the moves with these priors.
    pub fn new<R: Rng>(priors: &[f32], budget: u64, config: GumbelConfig, rng: &mut R) -> Self {
        let noise = config.noise.get() as f32;
        let mut lot = |&prior: &f32| {
            let luck = if noise > 0.0 { noise * gumbel(rng) } else { 0.0 };
            prior.max(f32::MIN_POSITIVE).ln() + luck
        };
        Self {
            config,
            lots: priors.iter().map(&mut lot).collect(),
            budget,
            spent: 0,
            begun: 0,
            length: 0,
            rounds: 1,
            considered: Vec::with_capacity(priors.len()),
            turn: 0,
            turns: 0,
        }
    }

    /// Whether chance had a part in what is played.
    pub fn is_noisy(&self) -> bool {
        self.config.noise.get() > 0.0
    }

    /// The move to look at next, as a place among `edges`; `salt` orders what is equal.
    pub fn next<M>(&mut self, node: &Node, edges: &[Edge<M>], salt: u64) -> usize {
        if self.turn == self.turns {
            self.next_round(node, edges, salt);
        }
        let place = self.in_turn(node, edges);
        self.turn += 1;
        self.spent += 1;
        place
    }

    /// The best of the moves that are left, unless it is known by now to fall short of one that was left behind.
    pub fn best<M>(&self, node: &Node, edges: &[Edge<M>]) -> usize {
        let left = self.highest(node, edges, self.considered.iter().copied());
        let of_all = self.highest(node, edges, 0..edges.len());
        match (left, of_all) {
            (Some(left), Some(best)) if !falls_short(node, &edges[left], &edges[best]) => left,
            (_, best) => best.unwrap_or(0),
        }
    }

    /// The highest of some moves among those that yield to no other.
    fn highest<M>(
        &self,
        node: &Node,
        edges: &[Edge<M>],
        places: impl Iterator<Item = usize>,
    ) -> Option<usize> {
        let order = self.order(node, edges);
        places
            .filter(|&place| !edges[place].yields)
            .reduce(|best, place| if order(place, best).is_gt() { place } else { best })
    }

    /// Ranks moves by their lots and values; of equal ones that is higher of which more is sure, and then the one
    /// that leaves more to hope for.
    fn order<M>(&self, node: &Node, edges: &[Edge<M>]) -> impl Fn(usize, usize) -> Ordering {
        let sigma = Sigma::at(node, edges, &self.config);
        let score = move |place: usize| self.lots[place] + sigma.of(node, &edges[place]);
        let stakes = move |place: usize| edges[place].bounds.for_mover(node.mover);
        move |one, other| {
            let by_score = score(one).total_cmp(&score(other));
            by_score.then_with(|| stakes(one).partial_cmp(&stakes(other)).unwrap_or(Ordering::Equal))
        }
    }

    /// Lets the better half of the moves through, or begins anew with all moves when the halving is over.
    fn next_round<M>(&mut self, node: &Node, edges: &[Edge<M>], salt: u64) {
        let over = self.spent == self.begun + self.length;
        let keep = if over {
            self.begin();
            self.considered = (0..edges.len()).collect();
            self.config.considered.size().min(self.length as usize)
        } else {
            (self.considered.len() / 2).max(2)
        };
        self.considered = self.sorted(node, edges, salt);
        self.considered.truncate(keep);
        let moves = self.considered.len() as u64;
        if over {
            self.rounds = u64::from(moves.next_power_of_two().ilog2()).max(1);
        }
        let each = (self.length / (self.rounds * moves)).max(1);
        let left = self.begun + self.length - self.spent;
        (self.turn, self.turns) = (0, (each * moves).min(left) as usize);
    }

    /// The moves that are considered, the highest first, and last those that yield to others.
    fn sorted<M>(&self, node: &Node, edges: &[Edge<M>], salt: u64) -> Vec<usize> {
        let order = self.order(node, edges);
        let mut moves = self.considered.clone();
        moves.sort_by(|&one, &other| {
            let equal = || mix(salt, one as u64).cmp(&mix(salt, other as u64));
            let by_hope = edges[one].yields.cmp(&edges[other].yields);
            by_hope.then(order(other, one)).then_with(equal)
        });
        moves
    }

    /// Lays out the next halving: for as many visits as were spent, or for all that are left.
    fn begin(&mut self) {
        let left = self.budget.saturating_sub(self.spent).max(1);
        let wanted = self.spent.max(FIRST);
        self.begun = self.spent;
        self.length = if left < 2 * wanted { left } else { wanted };
    }

    /// The move whose turn it is. One that has come to yield to another, or is known to fall short of it, gives its
    /// place to the best of those that are not looked at, if there is one.
    fn in_turn<M>(&mut self, node: &Node, edges: &[Edge<M>]) -> usize {
        loop {
            let slot = self.turn % self.considered.len();
            let place = self.considered[slot];
            let edge = &edges[place];
            if !edge.yields && may_win(node, edge) {
                return place;
            }
            let outside = (0..edges.len()).filter(|place| !self.considered.contains(place));
            match self.highest(node, edges, outside) {
                Some(next) if edge.yields || falls_short(node, edge, &edges[next]) => {
                    self.considered[slot] = next;
                }
                // Some move yields to no other, so it is among these.
                None if edge.yields => drop(self.considered.remove(slot)),
                _ => return place,
            }
        }
    }
}

/// Whether nothing stands against a win by the move.
fn may_win<M>(node: &Node, edge: &Edge<M>) -> bool {
    edge.bounds.for_mover(node.mover).most >= MoverValue::WIN
}

/// Whether a move is certainly worth less than another is thought to be.
fn falls_short<M>(node: &Node, edge: &Edge<M>, other: &Edge<M>) -> bool {
    let most = edge.bounds.for_mover(node.mover).most;
    other.value().is_some_and(|value| value.for_mover(node.mover) > most)
}

/// A draw from the standard Gumbel distribution.
fn gumbel<R: Rng>(rng: &mut R) -> f32 {
    let exponential = -(1.0 - rng.random::<f64>()).ln();
    // Above 0, so that it has a logarithm.
    -exponential.max(f64::MIN_POSITIVE).ln() as f32
}
