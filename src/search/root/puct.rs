//! A root searched like any node, by PUCT, with forced playouts if they are asked for; its visits are the policy.

use crate::search::SearchConfig;
use crate::search::select;
use crate::search::tree::{Edge, Node};

/// The move the next simulation begins with, as a place among `edges`: the first whose playouts are forced,
/// else the most promising.
pub(super) fn next<M>(node: &Node, edges: &[Edge<M>], config: &SearchConfig, salt: u64) -> usize {
    let is_forced = |edge: &Edge<M>| {
        edge.visits > 0 && !edge.yields && (edge.visits as f32) < forced(edge, node.visits, config)
    };
    let forced = edges.iter().position(is_forced);
    forced.unwrap_or_else(|| select::most_promising(node, edges, config, salt, true))
}

/// The visits a move is to have out of `visits`, if it has any (Wu 2019, arXiv 1902.10565).
fn forced<M>(edge: &Edge<M>, visits: u32, config: &SearchConfig) -> f32 {
    (config.forced_playouts.get() as f32 * edge.prior * visits as f32).sqrt()
}

/// The visits of each move, `led` by the search, less those that were forced upon it: as many as can be taken
/// away without the move then promising more than the most visited one. A move that this leaves with a single
/// visit has none.
pub(super) fn target<M>(
    node: &Node,
    edges: &[Edge<M>],
    config: &SearchConfig,
    led: impl Fn(&Edge<M>) -> u32,
) -> Vec<f32> {
    let best = &edges[best(node, edges, &led)];
    let most = select::promise_after(node, best, best.visits as f32, config);
    let pruned = |edge: &Edge<M>| {
        let visits = led(edge) as f32;
        let forced = forced(edge, node.visits, config).min(visits).floor();
        let fewest = (1..=forced as u32).rev().find(|&fewer| {
            let left = edge.visits as f32 - fewer as f32;
            select::promise_after(node, edge, left, config) < most
        });
        match fewest {
            Some(fewer) if visits - fewer as f32 <= 1.0 => 0.0,
            Some(fewer) => visits - fewer as f32,
            None => visits,
        }
    };
    edges.iter().map(|edge| if std::ptr::eq(edge, best) { led(edge) as f32 } else { pruned(edge) }).collect()
}

/// The most visited move, of those the one with the best value, and of those the first; but none that yields to
/// another, and none that is worth less by its value than another for sure.
pub(super) fn best<M>(node: &Node, edges: &[Edge<M>], led: impl Fn(&Edge<M>) -> u32) -> usize {
    let sure = node.bounds.for_mover(node.mover).least;
    let rank = |place: usize| {
        let edge = &edges[place];
        let q = edge.value().map_or(f32::NEG_INFINITY, |value| value.for_mover(node.mover).0);
        (!edge.yields, q >= sure.0, led(edge), q)
    };
    (1..edges.len()).fold(0, |best, place| if rank(place) > rank(best) { place } else { best })
}
