//! Small games in which players know different things: written out, brought to equilibrium, and searched.

use facedown::eval::Uniform;
use facedown::game::{Eyes, Game, MoveList, Profile, Seat, SeatValue, Status, View, random_stream};
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView};
use facedown::search::{Objective, Search, SearchConfig, SolveError, Visits};

use super::equilibrium::{Node, Tree};
use super::solved::{Solved, jieqi};

/// All that a player saw since the start.
type Story<G> = Vec<(<G as Game>::Move, <G as Game>::Seen)>;

/// A position in which nothing is secret yet and something soon may be.
pub struct Secretive {
    pub position: &'static str,
    pub root: JieqiView,
    /// What it is worth to the player to move if both players see what is taken face down.
    pub open: f32,
    pub tree: Tree<Story<Jieqi>>,
}

/// Those of the solved positions in which a piece may be taken face down, if now the taker alone sees it; as far
/// as they can be written out with so many nodes.
pub fn positions(nodes: usize) -> Vec<Secretive> {
    let rules = JieqiRules::load("tests/data/short_secrets.toml").expect("rules that can be read");
    let secretive = |row: Solved<Jieqi>| {
        let root = JieqiView::parse(row.position, &rules).expect("a position of these rules");
        let refused = facedown::search::solve::<Jieqi>(&root, Objective::Result, 1_000_000).err();
        let tree = written_out::<Jieqi>(&root, nodes).filter(|_| refused == Some(SolveError::SecretBelow))?;
        Some(Secretive { position: row.position, root, open: row.value, tree })
    };
    jieqi().into_iter().filter_map(secretive).collect()
}

/// The game from `root` on, written out, if it has no more than so many nodes; `root` hides nothing yet.
pub fn written_out<G: Game>(root: &G::View, nodes: usize) -> Option<Tree<Story<G>>> {
    let mut tree = Tree::default();
    let game = G::sample(root, &mut random_stream(0, 0));
    assert!(!game.has_secrets(), "both players know the same at the start");
    write(&mut tree, &game, &[Vec::new(), Vec::new()], nodes)?;
    Some(tree)
}

/// Adds the game from here on, in which the players saw these stories.
fn write<G: Game>(
    tree: &mut Tree<Story<G>>,
    game: &G,
    stories: &[Story<G>; 2],
    nodes: usize,
) -> Option<usize> {
    if tree.len() >= nodes {
        return None;
    }
    let mover = match game.status() {
        Status::ToMove(mover) => mover,
        Status::Over(outcome) => return Some(tree.add(Node::Over(f64::from(SeatValue::of(outcome).0)))),
    };
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    let known = tree.set(mover, stories[mover as usize].clone(), moves.len());
    let mut places = Vec::new();
    for &mv in &moves {
        let mut outcomes = Vec::new();
        for (reveal, odds) in game.chances(mv).probabilities() {
            let mut stories = stories.clone();
            for seat in Seat::BOTH {
                stories[seat as usize].push((mv, game.seen(mv, reveal, Eyes::Of(seat))));
            }
            let mut next = game.clone();
            next.play(mv, reveal);
            outcomes.push((odds, write(tree, &next, &stories, nodes)?));
        }
        places.push(match outcomes[..] {
            [(_, only)] => only,
            _ => tree.add(Node::Chance(outcomes)),
        });
    }
    Some(tree.add(Node::Choice { known, moves: places }))
}

/// What a search makes of a position, for the first player.
pub fn searched(root: &JieqiView, visits: Visits, seed: u64) -> f64 {
    let Status::ToMove(mover) = root.status() else { panic!("a move to choose") };
    let view = Jieqi::sample(root, &mut random_stream(0, 0)).view(Eyes::Of(mover));
    let config = SearchConfig { visits, ..SearchConfig::default().without_exploration() };
    let mut search = Search::<Jieqi>::new(view, config, seed);
    search.run(&mut Uniform).expect("this evaluator never fails");
    f64::from(search.report().value.for_first(mover).0)
}
