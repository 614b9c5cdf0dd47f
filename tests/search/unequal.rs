//! Games in which players know different things: the tool that finds their equilibria, and what the search makes of
//! some.

use facedown::game::{Eyes, Game, Seat};
use facedown::search::Visits;

use super::equilibrium::{Node, Tree, Value, solve};
use super::rules;
use super::secrets::{Secretive, positions, searched, written_out};
use super::toy::{Bags, Burnt};

/// Kuhn poker: each player has one of three cards, bets one or not, and whoever is bet against calls or not.
fn kuhn() -> Tree<(u8, &'static str)> {
    let mut tree = Tree::default();
    let mut deals = Vec::new();
    for first in 0..3_u8 {
        for second in (0..3_u8).filter(|&second| second != first) {
            let stake = |stake: f64| if first > second { stake } else { -stake };
            let choice = |tree: &mut Tree<_>, seat, card, story, moves: [Node; 2]| {
                let known = tree.set(seat, (card, story), 2);
                let moves = moves.map(|node| tree.add(node)).to_vec();
                Node::Choice { known, moves }
            };
            let called =
                choice(&mut tree, Seat::Second, second, "bet", [Node::Over(1.0), Node::Over(stake(2.0))]);
            let raised = choice(
                &mut tree,
                Seat::First,
                first,
                "check bet",
                [Node::Over(-1.0), Node::Over(stake(2.0))],
            );
            let checked = choice(&mut tree, Seat::Second, second, "check", [Node::Over(stake(1.0)), raised]);
            let start = choice(&mut tree, Seat::First, first, "", [checked, called]);
            deals.push((1.0 / 6.0, tree.add(start)));
        }
    }
    tree.add(Node::Chance(deals));
    tree
}

#[test]
fn kuhn_poker_is_worth_what_is_known() {
    let value = solve(&kuhn(), 2_000);
    let exact = -1.0 / 18.0;
    assert!(value.low <= exact + 1e-9 && exact - 1e-9 <= value.high, "{value:?}");
    assert!((value.middle() - exact).abs() < 0.001, "{value:?}");
}

#[test]
fn where_nothing_is_hidden_the_equilibrium_is_the_exact_value() {
    for points in [[0, 0], [1, 0]] {
        let game = rules([[2, 1, 1], [1, 2, 1]], points, 3, Burnt::SeenByBoth).start();
        let tree = written_out::<Bags>(&game.view(Eyes::Public), 1_000_000).unwrap();
        let Value { low, high } = solve(&tree, 1_000);
        let exact = f64::from(game.solve().0);
        assert!(low <= exact + 1e-9 && exact - 1e-9 <= high && high - low < 0.01, "{low} {exact} {high}");
    }
}

#[test]
fn the_positions_with_secrets_come_to_equilibrium() {
    let positions = positions(4_000);
    assert!(positions.len() >= 3, "{} positions", positions.len());
    for Secretive { position, root, open, tree } in &positions {
        let value = solve(tree, 400);
        assert!(
            value.low <= value.high + 1e-9 && value.high - value.low < 0.05,
            "{position}, {open}: {value:?}"
        );
        // A search has something to say of it; how near that comes is reported, and held to nothing.
        assert!(searched(root, Visits::literal(200), 1).abs() <= 1.0);
    }
}
