//! Which move a simulation follows: PUCT with first-play urgency, or the improved policy.

use super::tree::{Edge, Node, mix};
use super::{InnerRule, SearchConfig, improved};

/// More than any promise of a move comes to.
const HOPELESS: f32 = 1e9;

/// The move to follow at a node below the root, as a place among `edges`.
pub(super) fn below_root<M>(node: &Node, edges: &[Edge<M>], config: &SearchConfig, salt: u64) -> usize {
    match config.inner {
        InnerRule::Puct => most_promising(node, edges, config, salt),
        InnerRule::Improved => improved::furthest_behind(node, edges, &config.gumbel),
    }
}

/// The move with the best `Q + cpuct * prior * sqrt(N) / (1 + n)`, as a place among `edges`
/// (Silver et al., 2017); an unvisited move has for `Q` the node's value less the urgency's reduction.
///
/// A move whose value is known is not explored: it promises that value. One that yields to another comes last.
///
/// `salt` breaks ties: with equal priors, the low squares of the board must not be looked at first.
pub(super) fn most_promising<M>(node: &Node, edges: &[Edge<M>], config: &SearchConfig, salt: u64) -> usize {
    let explored: f32 = edges.iter().filter(|edge| edge.visits > 0).map(|edge| edge.prior).sum();
    let unvisited = node.value().for_mover(node.mover).0 - config.fpu.get() as f32 * explored.max(0.0).sqrt();
    let reach = reach(node, config);
    let tie = |place: usize| mix(salt, place as u64);

    let mut best = (0, f32::NEG_INFINITY);
    for (place, edge) in edges.iter().enumerate() {
        let q = edge.value().map_or(unvisited, |value| value.for_mover(node.mover).0);
        let promise = promise(edge, q, reach);
        if promise > best.1 || (promise == best.1 && tie(place) > tie(best.0)) {
            best = (place, promise);
        }
    }
    best.0
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
            Some(q) if q < best && edge.bounds.proof().is_none() && !edge.yields => {
                visits.min((reach * edge.prior / (best - q) - 1.0).max(0.0))
            }
            Some(q) if q < best || edge.yields => 0.0,
            _ => visits,
        };
    }
}
