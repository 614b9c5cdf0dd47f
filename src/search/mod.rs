//! Information-set Monte Carlo tree search: no game, no tensor.
//!
//! The search starts from a [`View`] and never learns more than that view holds. A node is what the
//! player who moves there knows, so the root player's nodes never split on what only the opponent saw,
//! and the opponent's do. Each simulation first samples a world that the root view allows; where the
//! view leaves nothing open, that is always the same one.
//!
//! - **Nothing secret**: reveals are taken by quota and a move is worth the expectation over them, so
//!   the nodes form a tree with chance, and its values tend to those of the game under the policies
//!   that the visits describe. Ends of the game bound values from both sides, and the bounds travel up
//!   through choice and chance, so that a value becomes exact where the play that matters is seen to its end.
//! - **Below a secret**: the sampled world draws the reveals, and each move keeps the mean of the results
//!   that came through it. Nodes are shared there by moves from several nodes of the other player, and a
//!   move's value is never read off such a node, which mixes worlds that the move's owner tells apart.
//!
//! The root may be searched otherwise than the nodes below it: by PUCT with noise and forced playouts, or by
//! halving moves drawn with Gumbel noise; both leave a policy for a network to learn.
//!
//! A search has one position out at a time. Batches come from many games side by side, so nothing is done here
//! (no virtual loss) to send several simulations of one search down different ways at once.
//!
//! What that approximates: a player's own pool is taken at its prior, though the opponent's later moves
//! leak a little of what it took unseen; the modelled opponent's flips fall by the root's odds; and, as
//! in every search over information sets, no equilibrium is promised.

mod bounds;
mod chance;
mod config;
mod improved;
mod keep;
mod line;
mod root;
mod select;
mod simulate;
mod solve;
mod tree;

use rand::rngs::ChaCha8Rng;

use crate::eval::{EvalError, Evaluations, Evaluator, Query};
use crate::game::{Eyes, Game, MAX_MOVES, MoveList, Seat, SeatValue, Status, View, random_stream};
use root::Root;
use tree::{Edge, NodeId, Step, Tree, mix};

pub use bounds::Stakes;
pub use config::{
    ChanceRule, GumbelConfig, InnerRule, Objective, OpponentEyes, RootNoise, RootRule, SearchConfig,
    TemperatureSchedule, Unopened, Visits,
};
pub use root::{Choice, LinePly, OutcomeValue, RootMove, RootReport};
pub use solve::{Solution, SolveError, solve};

/// A search is done after so many simulations in a row that reached no new position. Where play is proven, or
/// every line is known to its end, a search with no bound but the clock would never come back otherwise.
const IDLE: u32 = 100_000;

/// A search from one position.
///
/// The caller evaluates, so that positions of many searches share a batch:
///
/// ```ignore
/// while let Some(leaf) = search.gather(&mut queries) {
///     evaluator.evaluate(&queries, &mut evaluations)?;
///     search.apply(leaf, &evaluations);
///     queries.clear();
/// }
/// ```
///
/// With many searches, gather one leaf from each into the same `queries`, evaluate once, and hand each
/// search its leaf back; [`Search::run`] is the loop above for one.
#[derive(Debug)]
pub struct Search<G: Game> {
    view: G::View,
    config: SearchConfig,
    mover: Seat,
    /// The world of a root that leaves nothing open; a sample of no meaning at one that does.
    world: G,
    /// The game of the simulation under way.
    scratch: G,
    tree: Tree<G>,
    path: Vec<Step>,
    progress: Progress,
    root: Root,
    /// The evaluator's priors for the root's moves; the tree holds them with noise.
    root_priors: Vec<f32>,
    /// Outcomes of root moves still to be opened by the audit, the next one last.
    to_audit: Vec<(usize, usize)>,
    audited: bool,
    led: u32,
    depth: Depth,
    /// Simulations since the last that reached a new position.
    idle: u32,
    salt: u64,
    streams: Streams,
}

/// A position of a search that waits for its judgement.
#[derive(Debug)]
#[must_use = "the search goes on only when the leaf comes back through `apply`"]
pub struct Leaf {
    node: NodeId,
    query: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// The root waits to be judged.
    New,
    Ready,
    /// A leaf is with the caller.
    Waiting,
}

/// How far the simulations went.
#[derive(Debug, Default)]
struct Depth {
    simulations: u32,
    plies: u64,
    deepest: u32,
}

impl Depth {
    fn note(&mut self, plies: usize) {
        self.simulations += 1;
        self.plies += plies as u64;
        self.deepest = self.deepest.max(plies as u32);
    }

    fn mean(&self) -> f32 {
        self.plies as f32 / self.simulations.max(1) as f32
    }
}

/// Independent sources of chance, so that more draws from one leave the others alone.
#[derive(Debug)]
struct Streams {
    /// Which world a simulation is in.
    worlds: ChaCha8Rng,
    /// What a simulation's moves uncover.
    reveals: ChaCha8Rng,
    /// Noise at the root: on the priors, or that of Gumbel.
    noise: ChaCha8Rng,
    /// Which move is played in the end.
    choice: ChaCha8Rng,
}

impl Streams {
    fn new(seed: u64) -> Self {
        let stream = |number| random_stream(seed, number);
        Self { worlds: stream(1), reveals: stream(2), noise: stream(3), choice: stream(4) }
    }
}

impl<G: Game> Search<G> {
    /// A search from what one player knows. Equal views, configs and seeds give equal reports.
    ///
    /// # Panics
    ///
    /// If the game is over.
    pub fn new(root: G::View, config: SearchConfig, seed: u64) -> Self {
        let mut moves = MoveList::new();
        root.legal_moves(&mut moves);
        Self::among(&moves, root, config, seed)
    }

    /// A search that chooses among some of the legal moves, sorted, as if there were no others at its root.
    /// Below the root every legal move counts, the player's own later ones too.
    ///
    /// # Panics
    ///
    /// If the game is over, or there is no move to choose.
    pub fn among(moves: &[G::Move], root: G::View, config: SearchConfig, seed: u64) -> Self {
        let Status::ToMove(mover) = root.status() else {
            panic!("a search starts where there is a move to choose");
        };
        assert!(!moves.is_empty(), "a search starts where there is a move to choose");
        let mut streams = Streams::new(seed);
        let world = G::sample(&root, &mut streams.worlds);
        let mut tree = Tree::new();
        tree.add(mover, world.has_secrets(), moves);
        Self {
            view: root,
            config,
            mover,
            scratch: world.clone(),
            world,
            tree,
            path: Vec::new(),
            progress: Progress::New,
            root: Root::Puct,
            root_priors: Vec::new(),
            to_audit: Vec::new(),
            audited: false,
            led: 0,
            depth: Depth::default(),
            idle: 0,
            salt: mix(seed, 0),
            streams,
        }
    }

    /// Simulates until a position has to be judged, and adds it to `queries`; `None` once the search is
    /// done. Simulations that end with the game are settled on the way.
    ///
    /// # Panics
    ///
    /// If the last leaf has not been applied.
    pub fn gather(&mut self, queries: &mut Vec<Query<G>>) -> Option<Leaf> {
        self.gather_until(queries, || false)
    }

    /// Like [`Search::gather`], but gives up with `None` as soon as there is `enough`, which is asked after
    /// every simulation that ended with the game: where all lines do, none needs a judgement for long.
    ///
    /// # Panics
    ///
    /// If the last leaf has not been applied.
    pub fn gather_until(
        &mut self,
        queries: &mut Vec<Query<G>>,
        enough: impl FnMut() -> bool,
    ) -> Option<Leaf> {
        assert!(self.progress != Progress::Waiting, "a search has one leaf out at a time");
        let node = self.next_unjudged(enough)?;
        let view = match node {
            NodeId::ROOT => self.view.clone(),
            _ => self.scratch.view(self.judging_eyes(self.tree.node(node).mover)),
        };
        queries.push(Query { view, moves: self.tree.edges(node).iter().map(|edge| edge.mv).collect() });
        self.progress = Progress::Waiting;
        Some(Leaf { node, query: queries.len() - 1 })
    }

    /// Through whose eyes the evaluator is shown a position in which `mover` moves.
    fn judging_eyes(&self, mover: Seat) -> Eyes {
        match self.config.opponent_eyes {
            OpponentEyes::Public if mover != self.mover => Eyes::Public,
            _ => Eyes::Of(mover),
        }
    }

    /// Takes in the judgement of a leaf; `evaluations` are those of the queries it was gathered into.
    pub fn apply(&mut self, leaf: Leaf, evaluations: &Evaluations) {
        let mover = self.tree.node(leaf.node).mover;
        let value = evaluations.value(leaf.query).for_first(mover);
        self.take_in(leaf.node, value, evaluations.priors(leaf.query));
    }

    fn take_in(&mut self, node: NodeId, value: SeatValue, priors: &[f32]) {
        if node == NodeId::ROOT {
            self.begin(priors, value);
        } else {
            self.tree.judge(node, value, priors.iter().copied());
            self.tree.back_up(&self.path, value, false, &self.config);
        }
        self.progress = Progress::Ready;
    }

    /// Searches to the end with an evaluator of one's own.
    ///
    /// # Errors
    ///
    /// If the evaluator fails.
    pub fn run<E: Evaluator<G> + ?Sized>(&mut self, evaluator: &mut E) -> Result<(), EvalError> {
        if evaluator.is_blind() {
            self.run_blind();
            return Ok(());
        }
        let mut queries = Vec::with_capacity(1);
        let mut evaluations = Evaluations::default();
        while let Some(leaf) = self.gather(&mut queries) {
            evaluator.evaluate(&queries, &mut evaluations)?;
            self.apply(leaf, &evaluations);
            queries.clear();
        }
        Ok(())
    }

    /// Searches to the end without showing anybody a position: priors are equal and values 0.
    fn run_blind(&mut self) {
        while let Some(node) = self.next_unjudged(|| false) {
            let moves = self.tree.edges(node).len();
            self.take_in(node, SeatValue::DRAW, &[(moves as f32).recip(); MAX_MOVES][..moves]);
        }
    }

    /// Whether the visits are spent, the tree is full, or there is nothing left to look at.
    pub fn is_done(&self) -> bool {
        let spent = u64::from(self.led) >= self.budget()
            || self.idle >= IDLE
            || self.tree.len() >= self.config.max_nodes.size();
        self.progress == Progress::Ready && self.to_audit.is_empty() && spent
    }

    /// Simulations that the search leads of its own accord.
    fn budget(&self) -> u64 {
        match self.tree.edges(NodeId::ROOT) {
            [_] => self.config.visits.min(self.config.lone_move_visits).get(),
            _ => self.config.visits.get(),
        }
    }

    pub fn config(&self) -> &SearchConfig {
        &self.config
    }

    /// Simulations done so far, those of an audit included.
    pub fn visits(&self) -> u32 {
        self.tree.node(NodeId::ROOT).visits
    }

    /// What the search has found out so far.
    ///
    /// # Panics
    ///
    /// If the root has not been judged: until the first leaf is applied there is nothing to tell.
    pub fn report(&self) -> RootReport<G::Move, G::Seen> {
        assert!(!self.root_priors.is_empty(), "a report follows the root's judgement");
        let (root, edges) = (self.tree.node(NodeId::ROOT), self.tree.edges(NodeId::ROOT));
        let led = |edge: &Edge<G::Move>| edge.visits.saturating_sub(self.audit_visits(edge));
        let target = self.root.target(root, edges, &self.config, led);
        let moves = root.edges().zip(&self.root_priors).zip(target);
        let best = self.root.best(root, edges, led);
        RootReport {
            moves: moves.map(|((edge, &prior), target)| self.report_move(edge, prior, target)).collect(),
            value: self.root.value(root, edges, &self.config).for_mover(self.mover),
            net_value: root.judged.for_mover(self.mover),
            visits: root.visits,
            best,
            line: self.line(best),
            depth: self.depth.mean(),
            deepest: self.depth.deepest,
        }
    }

    /// How many of a root move's visits only opened its outcomes for the audit.
    fn audit_visits(&self, edge: &Edge<G::Move>) -> u32 {
        if self.audited { edge.outcomes().len() as u32 } else { 0 }
    }

    /// Chooses the move to play at a ply of the game, its first being 0, by the config's temperature; after a
    /// search with Gumbel noise, the move that it left, which is a draw from the improved policy.
    ///
    /// # Panics
    ///
    /// Like [`Search::report`].
    pub fn choose(&mut self, ply: u32) -> Choice<G::Move> {
        let report = self.report();
        if self.root.draws_by_itself() {
            return Choice { mv: report.moves[report.best].mv, probability: None };
        }
        let temperature = self.config.temperature.at(ply);
        report.choose(temperature, &mut self.streams.choice)
    }

    fn next_unjudged(&mut self, mut enough: impl FnMut() -> bool) -> Option<NodeId> {
        if self.progress == Progress::New {
            return Some(NodeId::ROOT);
        }
        while !self.is_done() {
            self.idle += 1;
            if let Some(node) = self.simulate() {
                self.idle = 0;
                return Some(node);
            }
            if enough() {
                break;
            }
        }
        None
    }

    fn report_move(&self, edge: usize, prior: f32, target: f32) -> RootMove<G::Move, G::Seen> {
        let outcomes = self.tree.outcomes(edge);
        let opened =
            outcomes.iter().filter(|outcome| outcome.visits > 0 && outcome.seen != G::Seen::default());
        let edge = self.tree.edge(edge);
        RootMove {
            mv: edge.mv,
            prior,
            target,
            visits: edge.visits,
            audit_visits: self.audit_visits(edge),
            q: edge.value().map(|value| value.for_mover(self.mover)),
            stakes: edge.bounds.for_mover(self.mover),
            outcomes: opened
                .map(|outcome| OutcomeValue {
                    seen: outcome.seen,
                    visits: outcome.visits,
                    q: outcome.value.for_mover(self.mover),
                })
                .collect(),
        }
    }

    /// Takes in the root's judgement, decides how it is searched, and lays out the audit.
    fn begin(&mut self, priors: &[f32], value: SeatValue) {
        self.root_priors = priors.to_vec();
        let budget = self.budget().saturating_sub(u64::from(self.led));
        let (root, priors) = Root::new(priors, budget, &self.config, &mut self.streams.noise);
        self.root = root;
        self.tree.judge(NodeId::ROOT, value, priors);
        if self.config.audit {
            self.scratch.clone_from(&self.world);
            for edge in self.tree.node(NodeId::ROOT).edges() {
                self.keep_outcomes(NodeId::ROOT, edge);
                self.to_audit.extend(self.tree.edge(edge).outcomes().map(|outcome| (edge, outcome)));
            }
            self.to_audit.reverse();
            self.audited = true;
        }
    }
}
