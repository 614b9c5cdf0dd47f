//! The play that a search expects.

use super::chance::{Child, Outcome};
use super::tree::{Edge, NodeId, mix};
use super::{LinePly, Search};
use crate::game::{Eyes, Game, Status, View, random_stream};

/// Plies of the longest line that is told.
const LONGEST: usize = 64;

impl<G: Game> Search<G> {
    /// The play that the search expects after the root move that stands at `best`, told as the root's player
    /// would see it: at each position the most visited move, and of what it uncovers the most visited or, where
    /// visits are not kept apart, the likeliest. What the player cannot know is as in one world that the
    /// player's view allows.
    pub(super) fn line(&self, best: usize) -> Vec<LinePly<G::Move, G::Seen>> {
        let mut line = Vec::new();
        let mut game = match self.tree.node(NodeId::ROOT).secret {
            true => G::sample(&self.view, &mut random_stream(self.salt, 0)),
            false => self.world.clone(),
        };
        let mut trail = self.salt;
        let mut next = Some((NodeId::ROOT, best));
        while let Some((node, place)) = next.filter(|_| line.len() < LONGEST) {
            let edge = self.tree.node(node).edges().start + place;
            let mv = self.tree.edge(edge).mv;
            let outcome = self.likeliest_outcome(edge);
            let reveal = match outcome {
                Some(outcome) if !self.tree.node(node).secret => outcome.reveal,
                _ => self.likeliest_reveal(&game, mv, outcome.map(|outcome| outcome.seen)),
            };
            line.push(LinePly { mv, seen: game.seen(mv, reveal, self.view.eyes()) });
            game.play(mv, reveal);
            trail = self.extend_trail(trail, node, edge);
            let child = match outcome.map(|outcome| outcome.child) {
                Some(Child::Node(child)) => Some(child),
                _ => self.shared_node(&game, trail),
            };
            next = child.and_then(|child| Some((child, self.most_visited(child)?)));
        }
        line
    }

    fn likeliest_outcome(&self, edge: usize) -> Option<&Outcome<G::Reveal, G::Seen>> {
        let visited = self.tree.outcomes(edge).iter().filter(|outcome| outcome.visits > 0);
        visited.reduce(
            |best, outcome| {
                if (outcome.visits, outcome.odds) > (best.visits, best.odds) { outcome } else { best }
            },
        )
    }

    /// What a move most likely uncovers in a world, of what looks like `seen` to the root's player if anything
    /// there does.
    fn likeliest_reveal(&self, game: &G, mv: G::Move, seen: Option<G::Seen>) -> G::Reveal {
        let looks_right = |reveal| Some(game.seen(mv, reveal, self.view.eyes())) == seen;
        let chances = game.chances(mv);
        let ranked = chances.iter().map(|(reveal, weight)| ((looks_right(reveal), weight), reveal));
        let likeliest = ranked.reduce(|best, other| if other.0 > best.0 { other } else { best });
        likeliest.expect("a move has an outcome").1
    }

    /// The node below a secret where a game stands that came there by `trail`.
    fn shared_node(&self, game: &G, trail: u64) -> Option<NodeId> {
        match game.status() {
            Status::ToMove(mover) => self.tree.shared(mix(trail, game.key(Eyes::Of(mover)))),
            Status::Over(_) => None,
        }
    }

    /// The most visited move of a node below the root, if any was, as a place among its moves.
    fn most_visited(&self, node: NodeId) -> Option<usize> {
        let edges = self.tree.edges(node);
        let rank = |place: &usize| {
            let edge: &Edge<G::Move> = &edges[*place];
            (!edge.yields, edge.visits, std::cmp::Reverse(*place))
        };
        (0..edges.len()).max_by_key(rank).filter(|&place| edges[place].visits > 0)
    }
}
