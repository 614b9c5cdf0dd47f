//! One simulation: down the tree in one world, to a position nobody has judged or to the end of the game.

use super::chance::{self, Child, Outcome};
use super::tree::{NodeId, Step, mix};
use super::{ChanceRule, Objective, Search, select};
use crate::game::{Eyes, Game, MoveList, Outcome as GameOutcome, Seat, SeatValue, Status, View};

/// Where a simulation stands after a move.
enum Arrival {
    Node(NodeId),
    Unjudged(NodeId),
    Over(SeatValue),
}

impl<G: Game> Search<G> {
    /// Goes down the tree once. Returns the node that was added, if one was; else the game ended, and the
    /// simulation is settled.
    pub(super) fn simulate(&mut self) -> Option<NodeId> {
        self.path.clear();
        let mut trail = self.salt;
        let mut arrival = Arrival::Node(NodeId::ROOT);
        match self.to_audit.pop() {
            Some((edge, outcome)) => {
                trail = self.extend_trail(trail, NodeId::ROOT, edge);
                arrival = self.audit(edge, outcome, trail);
            }
            None => {
                self.led += 1;
                self.enter_world();
            }
        }
        loop {
            match arrival {
                Arrival::Node(node) => {
                    let place = self.select(node, trail);
                    let edge = self.tree.node(node).edges().start + place;
                    trail = self.extend_trail(trail, node, edge);
                    arrival = self.follow(node, edge, trail);
                }
                Arrival::Unjudged(node) => {
                    self.depth.note(self.path.len());
                    return Some(node);
                }
                Arrival::Over(result) => {
                    self.depth.note(self.path.len());
                    self.tree.back_up(&self.path, result, true, &self.config);
                    return None;
                }
            }
        }
    }

    /// The move to follow at a node, as a place among its moves.
    fn select(&mut self, node: NodeId, trail: u64) -> usize {
        let (standing, edges) = (self.tree.node(node), self.tree.edges(node));
        match node {
            NodeId::ROOT => self.root.next(standing, edges, &self.config, trail),
            _ => select::below_root(standing, edges, &self.config, trail),
        }
    }

    /// Puts the simulation into a world the root view allows.
    fn enter_world(&mut self) {
        if self.tree.node(NodeId::ROOT).secret {
            self.scratch.resample(&self.view, &mut self.streams.worlds);
        } else {
            self.scratch.clone_from(&self.world);
        }
    }

    /// The moves played since the root, as a number. Legal moves are common knowledge, so the place of a
    /// move among them is the same in every node that the moves before it lead to.
    pub(super) fn extend_trail(&self, trail: u64, node: NodeId, edge: usize) -> u64 {
        mix(trail, (edge - self.tree.node(node).edges().start) as u64)
    }

    /// Plays a root move with one outcome as given, in a world that allows it.
    fn audit(&mut self, edge: usize, outcome: usize, trail: u64) -> Arrival {
        let mv = self.tree.edge(edge).mv;
        let after = self.view.after(mv, self.tree.outcome(outcome).seen);
        self.scratch = G::sample(&after, &mut self.streams.worlds);
        self.arrive(Step { node: NodeId::ROOT, edge, outcome: Some(outcome) }, false, trail)
    }

    /// Plays a move of the tree and goes where it leads.
    fn follow(&mut self, node: NodeId, edge: usize, trail: u64) -> Arrival {
        if self.tree.edge(edge).visits == 0 && self.tree.edge(edge).outcomes().is_empty() {
            self.keep_outcomes(node, edge);
        }
        let mv = self.tree.edge(edge).mv;
        let (outcome, reveal) =
            if self.tree.node(node).secret { self.draw_from_world(edge) } else { self.draw_outcome(edge) };
        self.scratch.play(mv, reveal);
        self.arrive(Step { node, edge, outcome }, reveal == G::Reveal::default(), trail)
    }

    fn draw_outcome(&mut self, edge: usize) -> (Option<usize>, G::Reveal) {
        let (outcomes, rng) = (self.tree.outcomes(edge), &mut self.streams.reveals);
        let known = |outcome: &Outcome<G::Reveal, G::Seen>| self.tree.bounds_of(outcome).proof().is_some();
        let drawn = match self.config.chance {
            ChanceRule::Sampled if outcomes.len() > 1 => chance::by_odds(outcomes, rng),
            _ => chance::by_quota(outcomes, known, rng),
        };
        let outcome = self.tree.edge(edge).outcomes().start + drawn;
        (Some(outcome), self.tree.outcome(outcome).reveal)
    }

    fn draw_from_world(&mut self, edge: usize) -> (Option<usize>, G::Reveal) {
        let mv = self.tree.edge(edge).mv;
        let reveal = self.scratch.chances(mv).draw(&mut self.streams.reveals);
        let kept = self.tree.edge(edge).outcomes();
        if kept.is_empty() {
            return (None, reveal);
        }
        let seen = self.scratch.seen(mv, reveal, self.view.eyes());
        (kept.into_iter().find(|&outcome| self.tree.outcome(outcome).seen == seen), reveal)
    }

    /// Lists what a move may uncover, where its value is to be the expectation over that: at the root,
    /// whose odds are the root player's own, and wherever nothing is secret.
    pub(super) fn keep_outcomes(&mut self, node: NodeId, edge: usize) {
        let mv = self.tree.edge(edge).mv;
        if !self.tree.node(node).secret {
            let eyes =
                if node == NodeId::ROOT { self.view.eyes() } else { Eyes::Of(self.tree.node(node).mover) };
            let chances = self.scratch.chances(mv);
            let scratch = &self.scratch;
            let outcomes = chances
                .probabilities()
                .map(|(reveal, odds)| Outcome::unopened(scratch.seen(mv, reveal, eyes), reveal, odds));
            self.tree.keep_outcomes(edge, outcomes);
        } else if node == NodeId::ROOT {
            let chances = self.view.chances(mv);
            let outcomes = chances
                .probabilities()
                .map(|(seen, odds)| Outcome::unopened(seen, G::Reveal::default(), odds));
            self.tree.keep_outcomes(edge, outcomes);
        }
    }

    /// Finds or adds the node where the simulation's game now stands; `reveal_free` if the move uncovered
    /// nothing.
    fn arrive(&mut self, step: Step, reveal_free: bool, trail: u64) -> Arrival {
        self.path.push(step);
        // Without a secret before the move, its outcome alone decides what follows.
        let decided = if self.tree.node(step.node).secret { None } else { step.outcome };
        match decided.map(|outcome| self.tree.outcome(outcome)) {
            Some(&Outcome { child: Child::Node(node), .. }) => return self.at(node),
            Some(Outcome { child: Child::Over, value, .. }) => return Arrival::Over(*value),
            _ => {}
        }
        let mover = match self.scratch.status() {
            Status::ToMove(mover) => mover,
            Status::Over(outcome) => {
                let result = self.worth(outcome);
                match decided {
                    Some(decided) => self.tree.hang(decided, Child::Over),
                    // Who has won is the same in all worlds; what the win pays may not be.
                    None if reveal_free && self.config.objective == Objective::Result => {
                        self.tree.settle(step.edge, result);
                    }
                    None => {}
                }
                return Arrival::Over(result);
            }
        };
        let secret = self.scratch.has_secrets();
        match decided {
            Some(outcome) if !secret => {
                let node = self.add_node(mover, secret);
                self.tree.hang(outcome, Child::Node(node));
                Arrival::Unjudged(node)
            }
            _ => {
                let key = mix(trail, self.scratch.key(Eyes::Of(mover)));
                if let Some(node) = self.tree.shared(key) {
                    return self.at(node);
                }
                let node = self.add_node(mover, secret);
                self.tree.share(key, node);
                Arrival::Unjudged(node)
            }
        }
    }

    /// A node that stands already: the simulation ends there if its value is known.
    fn at(&self, node: NodeId) -> Arrival {
        match self.tree.node(node).bounds.proof() {
            Some(proof) => Arrival::Over(proof),
            None => Arrival::Node(node),
        }
    }

    /// What the end of the simulation's game is worth.
    fn worth(&self, outcome: GameOutcome) -> SeatValue {
        match self.config.objective {
            Objective::Result => SeatValue::of(outcome),
            Objective::Settlement => self.scratch.settlement(outcome),
        }
    }

    fn add_node(&mut self, mover: Seat, secret: bool) -> NodeId {
        let mut moves = MoveList::new();
        self.scratch.legal_moves(&mut moves);
        self.tree.add(mover, secret, &moves)
    }
}
