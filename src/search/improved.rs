//! The prior, improved by the values that the search has found: the policy that a Gumbel root plays and
//! teaches, and that the rule `improved` follows below it (Danihelka et al., "Policy improvement by planning
//! with Gumbel", ICLR 2022).
//!
//! A move weighs its prior times the exponential of `sigma(q) = (offset + N) * scale * q`, where `N` are the
//! visits of the most visited move and `q` is the chance to win that the move's value stands for, from 0 to 1.
//! A move not visited yet has for its value the mixed one: the node's own, with the visited moves' by prior
//! and visits.

use arrayvec::ArrayVec;

use super::GumbelConfig;
use super::select;
use super::tree::{Edge, Node};
use crate::game::{MAX_MOVES, MoverValue, SeatValue};

/// What turns a value into a weight at one node.
pub(super) struct Sigma {
    scale: f32,
    /// The value of a move not visited yet, for the node's mover.
    mixed: f32,
}

impl Sigma {
    pub fn at<M>(node: &Node, edges: &[Edge<M>], config: &GumbelConfig) -> Self {
        let most = edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
        let scale = (config.visit_offset.get() + f64::from(most)) * config.value_scale.get();
        Self { scale: scale as f32, mixed: mixed(node, edges) }
    }

    pub fn of<M>(&self, node: &Node, edge: &Edge<M>) -> f32 {
        let value = edge.value().map_or(self.mixed, |value| value.for_mover(node.mover).0);
        self.scale * 0.5 * (1.0 + value)
    }
}

/// The mean of the evaluator's value of the node and of its moves' values, weighed by prior among the
/// visited moves, which count as many times as they were visited together.
fn mixed<M>(node: &Node, edges: &[Edge<M>]) -> f32 {
    let judged = node.judged.for_mover(node.mover).0;
    let (mut visits, mut prior, mut value) = (0, 0.0, 0.0);
    for edge in edges {
        if let Some(q) = edge.value() {
            let weight = edge.prior.max(f32::MIN_POSITIVE);
            visits += edge.visits;
            prior += weight;
            value += weight * q.for_mover(node.mover).0;
        }
    }
    if visits == 0 { judged } else { (judged + visits as f32 * value / prior) / (1 + visits) as f32 }
}

/// What a node is worth under the improved policy.
pub(super) fn value<M>(node: &Node, edges: &[Edge<M>], config: &GumbelConfig) -> SeatValue {
    let mixed = MoverValue(mixed(node, edges)).for_first(node.mover);
    let worth = |edge: &Edge<M>| edge.value().unwrap_or(mixed).0;
    let shares = policy(node, edges, config);
    SeatValue(shares.iter().zip(edges).map(|(share, edge)| share * worth(edge)).sum())
}

/// The improved policy of a node over its moves: shares that add up to 1.
pub(super) fn policy<M>(node: &Node, edges: &[Edge<M>], config: &GumbelConfig) -> ArrayVec<f32, MAX_MOVES> {
    let sigma = Sigma::at(node, edges, config);
    let mut shares: ArrayVec<f32, MAX_MOVES> = edges.iter().map(|edge| sigma.of(node, edge)).collect();
    let most = shares.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut total = 0.0;
    for (share, edge) in shares.iter_mut().zip(edges) {
        *share = edge.prior.max(f32::MIN_POSITIVE) * (*share - most).exp();
        total += *share;
    }
    shares.iter_mut().for_each(|share| *share /= total);
    shares
}

/// The move whose share of the visits is furthest behind what it is due, as a place among `edges`; none that yields
/// to another.
///
/// A move is due its share of the improved policy, but out of `N` visits no less than its prior times the square
/// root of `N`: the policy comes to take no notice at all of a move that was worth little when it was last looked
/// at, and a first look may be wrong.
pub(super) fn furthest_behind<M>(node: &Node, edges: &[Edge<M>], config: &GumbelConfig) -> usize {
    let policy = policy(node, edges, config);
    let visits = (1 + node.visits) as f32;
    let least = visits.sqrt().recip();
    select::past_the_known(node, edges, false, |among| {
        let mut best: Option<(usize, f32)> = None;
        for (place, (edge, &share)) in edges.iter().zip(&policy).enumerate() {
            let behind = share.max(least * edge.prior) - edge.visits as f32 / visits;
            if !edge.yields && among.admits(node, edge) && best.is_none_or(|(_, most)| behind > most) {
                best = Some((place, behind));
            }
        }
        best.map(|(place, _)| place)
    })
}
