//! Which move a simulation follows: PUCT with first-play urgency.

use super::SearchConfig;
use super::tree::{Edge, Node, mix};
use crate::game::MoverValue;

/// More than any promise of a move comes to.
const PROVEN_LOSS: f32 = 1e9;

/// The move with the best `Q + cpuct * prior * sqrt(N) / (1 + n)`, as a place among `edges`
/// (Silver et al., 2017); an unvisited move has for `Q` the node's value less the urgency's reduction.
///
/// `salt` breaks ties: with equal priors, the low squares of the board must not be looked at first.
pub(super) fn most_promising<M>(node: &Node, edges: &[Edge<M>], config: &SearchConfig, salt: u64) -> usize {
    let explored: f32 = edges.iter().filter(|edge| edge.visits > 0).map(|edge| edge.prior).sum();
    let unvisited = node.value().for_mover(node.mover).0 - config.fpu.get() as f32 * explored.max(0.0).sqrt();
    let reach = config.cpuct.get() as f32 * (node.visits.max(1) as f32).sqrt();
    let promise = |edge: &Edge<M>| {
        let q = edge.value().map_or(unvisited, |value| value.for_mover(node.mover).0);
        q + reach * edge.prior / (1 + edge.visits) as f32
    };
    let tie = |place: usize| mix(salt, place as u64);

    let mut best = (0, f32::NEG_INFINITY);
    for (place, edge) in edges.iter().enumerate() {
        // What is proven needs no looking at: a win before all else, a loss last.
        let promise = match edge.proof.map(|proof| proof.for_mover(node.mover)) {
            Some(MoverValue::WIN) => return place,
            Some(_) => promise(edge) - PROVEN_LOSS,
            None => promise(edge),
        };
        if promise > best.1 || (promise == best.1 && tie(place) > tie(best.0)) {
            best = (place, promise);
        }
    }
    best.0
}
