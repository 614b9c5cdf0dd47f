//! Keeping the tree from one move of a player to the next.
//!
//! Only what was searched without a secret is kept. Below one, a node's values are means over the worlds
//! that the old root allowed; what the opponent did since makes some of them likelier than others and
//! rules some out, and the mean cannot be taken apart again.

use super::chance::Child;
use super::tree::NodeId;
use super::{Progress, Search, SearchConfig};
use crate::game::{Eyes, Game, MoveList, Status, View};

impl<G: Game> Search<G> {
    /// The search from `root`, the position that `plies` led to from the one searched here, oldest first
    /// and each as the player saw it. What is known of it already is kept, its visits among those to be
    /// spent; where something is secret, or the plies left the tree, the search starts anew.
    ///
    /// # Panics
    ///
    /// If the game is over, or a leaf has not been applied.
    pub fn advance(self, plies: &[(G::Move, G::Seen)], root: G::View, seed: u64) -> Self {
        assert!(self.progress != Progress::Waiting, "a search moves on when its leaf is back");
        let kept = self.find(plies).filter(|&(node, _)| self.stands_for(node, &root));
        let mut next = Self::new(root, self.config, seed);
        if let Some((node, trail)) = kept {
            next.tree = self.tree.below(node);
            next.salt = trail;
            next.led = next.tree.node(NodeId::ROOT).visits;
            let priors: Vec<f32> = next.tree.edges(NodeId::ROOT).iter().map(|edge| edge.prior).collect();
            next.begin(&priors, next.tree.node(NodeId::ROOT).judged);
            next.progress = Progress::Ready;
        }
        next
    }

    /// The same search with other settings from here on.
    pub fn with_config(self, config: SearchConfig) -> Self {
        Self { config, ..self }
    }

    /// The node that the plies lead to, with its trail.
    fn find(&self, plies: &[(G::Move, G::Seen)]) -> Option<(NodeId, u64)> {
        let start = (NodeId::ROOT, self.salt);
        plies.iter().try_fold(start, |(node, trail), &(mv, seen)| {
            let edge = self.tree.node(node).edges().find(|&edge| self.tree.edge(edge).mv == mv)?;
            // Where nothing is secret after the ply, both players saw the same of it.
            let outcome = self.tree.outcomes(edge).iter().find(|outcome| outcome.seen == seen)?;
            match outcome.child {
                Child::Node(child) => Some((child, self.extend_trail(trail, node, edge))),
                Child::Over | Child::Apart => None,
            }
        })
    }

    fn stands_for(&self, node: NodeId, root: &G::View) -> bool {
        let mut moves = MoveList::<G::Move>::new();
        root.legal_moves(&mut moves);
        let mover = self.tree.node(node).mover;
        let same_moves = self.tree.edges(node).iter().map(|edge| edge.mv).eq(moves);
        // An audit opens everything anew.
        same_moves
            && root.eyes() == Eyes::Of(mover)
            && root.status() == Status::ToMove(mover)
            && !self.tree.node(node).secret
            && !self.config.audit
    }
}
