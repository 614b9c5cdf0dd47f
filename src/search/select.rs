//! Which move a simulation follows: PUCT with first-play urgency, or the improved policy.

use super::tree::{Edge, Node, mix};
use super::{InnerRule, SearchConfig, improved};

/// More than any promise of a move comes to.
const HOPELESS: f32 = 1e9;

/// Which moves of a node are asked about.
#[derive(Debug, Clone, Copy)]
pub(super) enum Among {
    All,
    /// Those about which something is to be found out.
    Open,
    /// Of these, those that may be worth more than they are thought to be.
    Hopeful,
}

impl Among {
    #[inline]
    pub fn admits<M>(self, node: &Node, edge: &Edge<M>) -> bool {
        let hopeful = |edge: &Edge<M>| {
            let most = edge.bounds.for_mover(node.mover).most;
            edge.value().is_none_or(|value| value.for_mover(node.mover) < most)
        };
        match self {
            Self::All => true,
            Self::Open => edge.is_open(),
            Self::Hopeful => edge.is_open() && hopeful(edge),
        }
    }
}

/// The move to follow at a node below the root, as a place among `edges`.
pub(super) fn below_root<M>(node: &Node, edges: &[Edge<M>], config: &SearchConfig, salt: u64) -> usize {
    match config.inner {
        InnerRule::Puct => most_promising(node, edges, config, salt, false),
        InnerRule::Improved => improved::furthest_behind(node, edges, &config.gumbel),
    }
}

/// The move that `best_of` likes best, unless a visit is better spent on another.
///
/// Where bounds are reached, visits go where something is to be found out. A move whose value is known needs no looking
/// at; at the root, where visits also say which move is liked, it takes every other visit that it earns. So does, at
/// any node, a move that cannot be worth more than it is thought to be, while another can.
pub(super) fn past_the_known<M>(
    node: &Node,
    edges: &[Edge<M>],
    at_root: bool,
    best_of: impl Fn(Among) -> Option<usize>,
) -> usize {
    let best = best_of(Among::All).expect("a node has moves");
    let worth_a_visit = at_root || edges[best].is_open();
    if Among::Hopeful.admits(node, &edges[best]) || worth_a_visit && node.visits.is_multiple_of(2) {
        return best;
    }
    best_of(Among::Hopeful).or_else(|| best_of(Among::Open)).unwrap_or(best)
}

/// The move with the best `Q + cpuct * prior * sqrt(N) / (1 + n)`, as a place among `edges`
/// (Silver et al., 2017); an unvisited move has for `Q` the node's value less the urgency's reduction. A move
/// whose value is known promises that value, and one that yields to another comes last.
///
/// `salt` breaks ties: with equal priors, the low squares of the board must not be looked at first.
pub(super) fn most_promising<M>(
    node: &Node,
    edges: &[Edge<M>],
    config: &SearchConfig,
    salt: u64,
    at_root: bool,
) -> usize {
    let explored: f32 = edges.iter().filter(|edge| edge.visits > 0).map(|edge| edge.prior).sum();
    let unvisited = node.value().for_mover(node.mover).0 - config.fpu.get() as f32 * explored.max(0.0).sqrt();
    let reach = reach(node, config);
    let tie = |place: usize| mix(salt, place as u64);
    past_the_known(node, edges, at_root, |among| {
        let mut best: Option<(usize, f32)> = None;
        for (place, edge) in edges.iter().enumerate().filter(|(_, edge)| among.admits(node, edge)) {
            let q = edge.value().map_or(unvisited, |value| value.for_mover(node.mover).0);
            let promise = promise(edge, q, reach);
            match best {
                Some((other, most)) if promise < most || promise == most && tie(place) < tie(other) => {}
                _ => best = Some((place, promise)),
            }
        }
        best.map(|(place, _)| place)
    })
}

/// How far the search goes out of its way at a node.
fn reach(node: &Node, config: &SearchConfig) -> f32 {
    config.cpuct.get() as f32 * (node.visits.max(1) as f32).sqrt()
}

/// What a visited move of a node would promise if it had `visits`, its value unchanged.
pub(super) fn promise_after<M>(node: &Node, edge: &Edge<M>, visits: f32, config: &SearchConfig) -> f32 {
    let q = edge.value().map_or(f32::NEG_INFINITY, |value| value.for_mover(node.mover).0);
    q + reach(node, config) * edge.prior / (1.0 + visits)
}

fn promise<M>(edge: &Edge<M>, q: f32, reach: f32) -> f32 {
    match edge.bounds.proof() {
        _ if edge.yields => q - HOPELESS,
        Some(_) => q,
        None => q + reach * edge.prior / (1 + edge.visits) as f32,
    }
}

/// Sets what each move counts in its node's value: the visits at which it would promise as much as the best one,
/// if it has not fewer.
///
/// Where something became certain, a move may be worth much less than it was while it was visited.
pub(super) fn weigh<M>(node: &Node, edges: &mut [Edge<M>], config: &SearchConfig) {
    let reach = reach(node, config);
    let q = |edge: &Edge<M>| edge.value().map(|value| value.for_mover(node.mover).0);
    let promises = edges.iter().filter_map(|edge| Some(promise(edge, q(edge)?, reach)));
    let best = promises.fold(f32::NEG_INFINITY, f32::max);
    for edge in edges {
        let visits = edge.visits as f32;
        edge.weight = match q(edge) {
            Some(q) if q < best && edge.is_open() => {
                visits.min((reach * edge.prior / (best - q) - 1.0).max(0.0))
            }
            Some(q) if q < best || edge.yields => 0.0,
            _ => visits,
        };
    }
}
