//! The tree in memory: nodes, their moves, and what the moves may uncover, in three arenas.
//!
//! A node is one information set of the player who moves there. While nothing is secret the nodes form
//! a tree: each hangs from one outcome of one move. Below a secret they form a layered graph: the same
//! information set is reached from several nodes of the other player, who tells worlds apart that its
//! owner does not, and is found by the moves played since the root together with its mover's view. Move
//! orders never merge, so a node's history is unique as far as its mover knows, and no line of play can
//! come back to a node it left.
//!
//! A node takes 40 bytes, each of its moves 32 and each outcome kept for a move 24: about a kilobyte for
//! thirty moves of which some were looked at. [`super::SearchConfig::max_nodes`] bounds the nodes.

use std::collections::HashMap;
use std::ops::Range;

use super::bounds::{Bounds, Stakes};
use super::chance::{self, Child, Outcome};
use super::select;
use super::{ChanceRule, SearchConfig};
use crate::game::{Game, Seat, SeatValue};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeId(u32);

impl NodeId {
    /// The first node that a tree adds.
    pub const ROOT: Self = Self(0);
}

/// What the player to move knows at one point of the game, and what the search thinks of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    first_edge: u32,
    edge_count: u8,
    pub mover: Seat,
    /// Whether one player knows here what the other does not.
    pub secret: bool,
    /// The evaluator's own value.
    pub judged: SeatValue,
    /// The sum of the edges' visits.
    pub visits: u32,
    /// The sum of the edges' weights.
    weight: f32,
    /// The sum of weight times value over the edges.
    total: f64,
    /// What is certain of the position's value.
    pub bounds: Bounds,
}

impl Node {
    /// The mean of the evaluator's value and of the edges' values, by weight, within what is certain.
    pub fn value(&self) -> SeatValue {
        let mean = (f64::from(self.judged.0) + self.total) / (f64::from(self.weight) + 1.0);
        self.bounds.hold(SeatValue(mean as f32))
    }

    /// Where the node's edges stand in the arena.
    pub fn edges(&self) -> Range<usize> {
        let first = self.first_edge as usize;
        first..first + usize::from(self.edge_count)
    }
}

/// One legal move of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge<M> {
    pub mv: M,
    pub prior: f32,
    pub visits: u32,
    /// How much the move counts in the node's value: its visits, but no more than the search would have given
    /// it, had it always known what became certain since.
    pub weight: f32,
    q: SeatValue,
    /// What is certain of the move's value, over all that it may uncover.
    pub bounds: Bounds,
    first_outcome: u32,
    outcome_count: u8,
    /// Whether another move is certainly as good, and may be better.
    pub yields: bool,
}

impl<M> Edge<M> {
    /// The move's value; none before its first visit.
    pub fn value(&self) -> Option<SeatValue> {
        (self.visits > 0).then_some(self.q)
    }

    /// Whether there is something to be found out about the move that matters.
    pub fn is_open(&self) -> bool {
        !self.yields && self.bounds.proof().is_none()
    }

    /// What the move adds to the total of its node.
    fn share(&self) -> f64 {
        f64::from(self.weight) * f64::from(self.q.0)
    }

    /// Where the outcomes kept for the move stand in the arena; empty if none are.
    pub fn outcomes(&self) -> Range<usize> {
        let first = self.first_outcome as usize;
        first..first + usize::from(self.outcome_count)
    }
}

/// One move of a simulation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub node: NodeId,
    pub edge: usize,
    /// The outcome the move had, where the edge keeps them.
    pub outcome: Option<usize>,
}

// The memory that the head of this file promises.
const _: () = assert!(
    size_of::<Node>() <= 40
        && size_of::<Edge<[u8; 2]>>() <= 32
        && size_of::<Outcome<[u8; 2], [u8; 2]>>() <= 24
);

#[derive(Debug)]
pub(super) struct Tree<G: Game> {
    nodes: Vec<Node>,
    edges: Vec<Edge<G::Move>>,
    outcomes: Vec<Outcome<G::Reveal, G::Seen>>,
    /// Nodes below a secret, by the moves since the root and their mover's view.
    shared: HashMap<u64, NodeId>,
}

impl<G: Game> Tree<G> {
    pub fn new() -> Self {
        Self { nodes: Vec::new(), edges: Vec::new(), outcomes: Vec::new(), shared: HashMap::new() }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    pub fn edge(&self, edge: usize) -> &Edge<G::Move> {
        &self.edges[edge]
    }

    pub fn edges(&self, node: NodeId) -> &[Edge<G::Move>] {
        &self.edges[self.node(node).edges()]
    }

    pub fn outcome(&self, outcome: usize) -> &Outcome<G::Reveal, G::Seen> {
        &self.outcomes[outcome]
    }

    pub fn outcomes(&self, edge: usize) -> &[Outcome<G::Reveal, G::Seen>] {
        &self.outcomes[self.edges[edge].outcomes()]
    }

    /// Adds a node that no evaluator has judged yet.
    pub fn add(&mut self, mover: Seat, secret: bool, moves: &[G::Move]) -> NodeId {
        let id = NodeId(index(self.nodes.len()));
        self.nodes.push(Node {
            first_edge: index(self.edges.len()),
            edge_count: count(moves.len()),
            mover,
            secret,
            judged: SeatValue::DRAW,
            visits: 0,
            weight: 0.0,
            total: 0.0,
            bounds: Bounds::OPEN,
        });
        self.edges.extend(moves.iter().map(|&mv| Edge {
            mv,
            prior: 0.0,
            visits: 0,
            weight: 0.0,
            q: SeatValue::DRAW,
            bounds: Bounds::OPEN,
            first_outcome: 0,
            outcome_count: 0,
            yields: false,
        }));
        id
    }

    /// The part of the tree below `root`, without the nodes below a secret: those are looked at anew.
    pub fn below(&self, root: NodeId) -> Self {
        let mut kept = Self::new();
        let mut order = vec![root];
        let mut place = 0;
        while let Some(&node) = order.get(place) {
            let node = self.node(node);
            kept.nodes.push(Node { first_edge: index(kept.edges.len()), ..*node });
            for edge in &self.edges[node.edges()] {
                kept.edges.push(Edge { first_outcome: index(kept.outcomes.len()), ..*edge });
                for &outcome in &self.outcomes[edge.outcomes()] {
                    let child = match outcome.child {
                        Child::Node(child) => {
                            order.push(child);
                            Child::Node(NodeId(index(order.len() - 1)))
                        }
                        child => child,
                    };
                    kept.outcomes.push(Outcome { child, ..outcome });
                }
            }
            place += 1;
        }
        kept
    }

    /// Takes in the evaluator's value of a node and the priors the search is to use there.
    pub fn judge(&mut self, node: NodeId, value: SeatValue, priors: impl IntoIterator<Item = f32>) {
        self.nodes[node.0 as usize].judged = value;
        let edges = self.node(node).edges();
        for (edge, prior) in self.edges[edges].iter_mut().zip(priors) {
            edge.prior = prior;
        }
    }

    /// Has an edge keep its outcomes from now on.
    pub fn keep_outcomes(
        &mut self,
        edge: usize,
        outcomes: impl IntoIterator<Item = Outcome<G::Reveal, G::Seen>>,
    ) {
        let first = self.outcomes.len();
        self.outcomes.extend(outcomes);
        self.edges[edge].first_outcome = index(first);
        self.edges[edge].outcome_count = count(self.outcomes.len() - first);
    }

    /// Hangs what follows an outcome below it; only where nothing is secret on either side of it.
    pub fn hang(&mut self, outcome: usize, child: Child) {
        self.outcomes[outcome].child = child;
    }

    /// The node below a secret that stands under `key`.
    pub fn shared(&self, key: u64) -> Option<NodeId> {
        self.shared.get(&key).copied()
    }

    pub fn share(&mut self, key: u64, node: NodeId) {
        self.shared.insert(key, node);
    }

    /// Notes that a move ends the game, in every world its mover thinks possible, with this result.
    pub fn settle(&mut self, edge: usize, result: SeatValue) {
        self.edges[edge].bounds = Bounds::exactly(result);
    }

    /// Takes the result of one simulation up the path it came down; `ended` if it came from the end of the
    /// game and not from a judgement.
    ///
    /// An edge that keeps outcomes is worth their expectation, an unopened one counting as the
    /// config says; an edge that keeps none, or whose outcomes are drawn at random, is worth the mean of the
    /// results that came through it. An audit takes outcomes without regard to their odds, so that there the
    /// expectation holds always. A move that was worth less than what is sure of its node would not be played:
    /// then what is sure goes up in the place of the result.
    pub fn back_up(&mut self, path: &[Step], result: SeatValue, ended: bool, config: &SearchConfig) {
        let (mut result, mut news) = (result, ended);
        for step in path.iter().rev() {
            if let Some(outcome) = step.outcome {
                let settled = match self.outcomes[outcome].child {
                    Child::Node(child) => Some(self.node(child).value()),
                    Child::Over | Child::Apart => None,
                };
                self.outcomes[outcome].visit(settled, result);
            }
            let parent = self.node(step.node).value();
            let kept = self.edges[step.edge].outcomes();
            let edge = &mut self.edges[step.edge];
            // Before this result: whether a move would be played must not hang on what it happened to bring.
            let expected = edge.value();
            let (weight, share) = (edge.weight, edge.share());
            edge.visits += 1;
            if !edge.yields {
                edge.weight += 1.0;
            }
            let audited = config.audit && step.node == NodeId::ROOT;
            edge.q = if kept.is_empty() || (config.chance == ChanceRule::Sampled && !audited) {
                chance::mean(edge.q, edge.visits, result)
            } else {
                chance::expectation(&self.outcomes[kept], config.unopened, parent)
            };
            edge.q = edge.bounds.hold(edge.q);
            let node = &mut self.nodes[step.node.0 as usize];
            node.visits += 1;
            node.weight += edge.weight - weight;
            node.total += edge.share() - share;
            news = news && self.tighten(step, config);
            let sure = self.node(step.node).bounds;
            if let Some(expected) = expected.filter(|&expected| sure.hold(expected) != expected) {
                result = sure.hold(expected);
            }
        }
    }

    /// What is certain of what follows an outcome.
    pub fn bounds_of(&self, outcome: &Outcome<G::Reveal, G::Seen>) -> Bounds {
        match outcome.child {
            Child::Node(node) => self.node(node).bounds,
            Child::Over if outcome.visits > 0 => Bounds::exactly(outcome.value),
            Child::Over | Child::Apart => Bounds::OPEN,
        }
    }

    /// Brings what is certain of a move and of its node up to what is certain below it; whether the node
    /// learned anything.
    fn tighten(&mut self, step: &Step, config: &SearchConfig) -> bool {
        if !self.edges[step.edge].outcomes().is_empty() {
            let outcomes = self.outcomes(step.edge).iter();
            let bounds = Bounds::of_chance(outcomes.map(|outcome| (outcome.odds, self.bounds_of(outcome))));
            let edge = &mut self.edges[step.edge];
            edge.bounds = bounds;
            edge.q = bounds.hold(edge.q);
        }
        let node = &mut self.nodes[step.node.0 as usize];
        let edges = &mut self.edges[node.edges()];
        let known = node.bounds;
        node.bounds = Bounds::of_choice(edges.iter().map(|edge| edge.bounds), node.mover);
        let surest = Stakes::surest(edges.iter().map(|edge| edge.bounds.for_mover(node.mover)));
        for edge in edges.iter_mut() {
            edge.yields = surest.is_some_and(|surest| edge.bounds.for_mover(node.mover).yield_to(surest));
        }
        select::weigh(node, edges, config);
        node.weight = edges.iter().map(|edge| edge.weight).sum();
        node.total = edges.iter().map(Edge::share).sum();
        node.bounds != known
    }
}

/// A place in an arena.
fn index(place: usize) -> u32 {
    u32::try_from(place).expect("a search ends long before four thousand million entries")
}

/// A number of moves or of outcomes.
fn count(items: usize) -> u8 {
    u8::try_from(items).expect("a position has at most MAX_MOVES moves, a move at most MAX_OUTCOMES outcomes")
}

/// Mixes a number into a hash (the finaliser of SplitMix64).
pub(super) fn mix(hash: u64, item: u64) -> u64 {
    let mut z = hash.rotate_left(23) ^ item.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
