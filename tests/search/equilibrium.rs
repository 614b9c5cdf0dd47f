//! The value of a game in which players know different things, by counterfactual regret minimisation (Zinkevich et
//! al. 2007) as CFR+ (Tammelin 2014): regrets are kept above zero, players learn in turn, later strategies count more.
//!
//! How near the result is to equilibrium is not taken on trust: what the best replies to it gain bounds the value
//! from both sides.

use std::collections::HashMap;
use std::hash::Hash;

use facedown::game::Seat;

/// A position of a game written out; places are those of [`Tree`]'s nodes.
#[derive(Debug, Clone)]
pub enum Node {
    /// What the end is worth to the first player.
    Over(f64),
    /// What may happen, with its odds.
    Chance(Vec<(f64, usize)>),
    /// Who moves, knowing what: an information set of [`Tree`], and where each move leads.
    Choice { known: usize, moves: Vec<usize> },
}

/// A game written out. Who moves at an information set remembers all that came before.
#[derive(Debug, Clone)]
pub struct Tree<K> {
    nodes: Vec<Node>,
    /// Who moves at each information set, and with how many moves.
    sets: Vec<(Seat, usize)>,
    /// The information sets by what the mover knows.
    known: HashMap<(Seat, K), usize>,
}

impl<K: Eq + Hash> Default for Tree<K> {
    fn default() -> Self {
        Self { nodes: Vec::new(), sets: Vec::new(), known: HashMap::new() }
    }
}

impl<K: Eq + Hash> Tree<K> {
    /// Adds a node whose children were added before; the last one added is the root.
    pub fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// The information set in which `mover` knows `known` and has so many moves.
    pub fn set(&mut self, mover: Seat, known: K, moves: usize) -> usize {
        let next = self.sets.len();
        let set = *self.known.entry((mover, known)).or_insert(next);
        if set == next {
            self.sets.push((mover, moves));
        }
        assert_eq!(self.sets[set], (mover, moves), "whoever knows the same has the same moves");
        set
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }
}

/// What both players can be sure of: the first of at least the one, the second that it is at most the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value {
    pub low: f64,
    pub high: f64,
}

impl Value {
    pub fn middle(self) -> f64 {
        (self.low + self.high) / 2.0
    }
}

/// Solves a game, learning for so many rounds.
pub fn solve<K>(tree: &Tree<K>, rounds: u32) -> Value {
    let empty = || tree.sets.iter().map(|&(_, moves)| vec![0.0; moves]).collect::<Vec<_>>();
    let mut learner = Learner { nodes: &tree.nodes, sets: &tree.sets, regrets: empty(), sums: empty() };
    let root = tree.nodes.len() - 1;
    for round in 1..=rounds {
        for seat in Seat::BOTH {
            let mut gains = empty();
            learner.walk(root, seat, [1.0, 1.0], f64::from(round), &mut gains);
            for (regrets, gains) in learner.regrets.iter_mut().zip(gains) {
                for (regret, gain) in regrets.iter_mut().zip(gains) {
                    *regret = (*regret + gain).max(0.0);
                }
            }
        }
    }
    let strategy: Vec<Vec<f64>> = learner.sums.iter().map(|sums| shares(sums)).collect();
    // Against the second player's strategy the first gains at most what is the most the game can be worth.
    let [high, low] = Seat::BOTH.map(|seat| Reply::to(tree, &strategy, seat).worth(root));
    Value { low, high }
}

/// Parts of one in proportion to what is not below zero; equal ones if all is zero.
fn shares(amounts: &[f64]) -> Vec<f64> {
    let total: f64 = amounts.iter().sum();
    let even = (amounts.len() as f64).recip();
    amounts.iter().map(|&amount| if total > 0.0 { amount / total } else { even }).collect()
}

struct Learner<'a> {
    nodes: &'a [Node],
    sets: &'a [(Seat, usize)],
    /// By information set and move.
    regrets: Vec<Vec<f64>>,
    /// The strategies of all rounds, added up.
    sums: Vec<Vec<f64>>,
}

impl Learner<'_> {
    /// What a node is worth to `seat` under the strategies of the regrets. `reach` are the odds with which `seat`
    /// plays towards the node, and with which chance and the other player let it.
    fn walk(&mut self, node: usize, seat: Seat, reach: [f64; 2], weight: f64, gains: &mut [Vec<f64>]) -> f64 {
        let [own, others] = reach;
        match &self.nodes[node] {
            Node::Over(worth) => {
                if seat == Seat::First {
                    *worth
                } else {
                    -*worth
                }
            }
            Node::Chance(outcomes) => outcomes
                .iter()
                .map(|&(odds, next)| odds * self.walk(next, seat, [own, others * odds], weight, gains))
                .sum(),
            Node::Choice { known, moves } => {
                let (known, mine) = (*known, self.sets[*known].0 == seat);
                let strategy = shares(&self.regrets[known]);
                let mut worths = Vec::with_capacity(moves.len());
                for (&next, share) in moves.iter().zip(&strategy) {
                    let reach = if mine { [own * share, others] } else { [own, others * share] };
                    worths.push(self.walk(next, seat, reach, weight, gains));
                }
                let worth: f64 = worths.iter().zip(&strategy).map(|(worth, share)| worth * share).sum();
                if mine {
                    for (place, share) in strategy.iter().enumerate() {
                        gains[known][place] += others * (worths[place] - worth);
                        self.sums[known][place] += weight * own * share;
                    }
                }
                worth
            }
        }
    }
}

/// The best reply of one player to a strategy of the other's.
struct Reply<'a> {
    nodes: &'a [Node],
    sets: &'a [(Seat, usize)],
    strategy: &'a [Vec<f64>],
    seat: Seat,
    /// The odds with which chance and the other player let each node be reached.
    reach: Vec<f64>,
    /// The nodes of each information set.
    members: Vec<Vec<usize>>,
    /// What each node is worth to the first player, once that is known.
    worth: Vec<Option<f64>>,
    /// The move to reply with in each information set, once that is known.
    choice: Vec<Option<usize>>,
}

impl<'a> Reply<'a> {
    fn to<K>(tree: &'a Tree<K>, strategy: &'a [Vec<f64>], seat: Seat) -> Self {
        let (nodes, sets) = (&tree.nodes[..], &tree.sets[..]);
        let mut reach = vec![0.0; nodes.len()];
        let mut members = vec![Vec::new(); sets.len()];
        // Children stand before their parents.
        reach[nodes.len() - 1] = 1.0;
        for (place, node) in nodes.iter().enumerate().rev() {
            let here = reach[place];
            match node {
                Node::Over(_) => {}
                Node::Chance(outcomes) => outcomes.iter().for_each(|&(odds, next)| reach[next] = here * odds),
                Node::Choice { known, moves } => {
                    members[*known].push(place);
                    for (&next, share) in moves.iter().zip(&strategy[*known]) {
                        reach[next] = if sets[*known].0 == seat { here } else { here * share };
                    }
                }
            }
        }
        let (worth, choice) = (vec![None; nodes.len()], vec![None; sets.len()]);
        Self { nodes, sets, strategy, seat, reach, members, worth, choice }
    }

    /// What a node is worth to the first player if the second plays the strategy and the first replies, or the
    /// other way round.
    fn worth(&mut self, node: usize) -> f64 {
        if let Some(worth) = self.worth[node] {
            return worth;
        }
        let worth = match &self.nodes[node] {
            Node::Over(worth) => *worth,
            Node::Chance(outcomes) => outcomes.iter().map(|&(odds, next)| odds * self.worth(next)).sum(),
            Node::Choice { known, moves } if self.sets[*known].0 == self.seat => {
                let choice = self.choose(*known, moves.len());
                self.worth(moves[choice])
            }
            Node::Choice { known, moves } => {
                let strategy = &self.strategy[*known];
                moves.iter().zip(strategy).map(|(&next, share)| share * self.worth(next)).sum()
            }
        };
        self.worth[node] = Some(worth);
        worth
    }

    /// The best move in an information set, over all positions that it may be.
    fn choose(&mut self, known: usize, moves: usize) -> usize {
        if let Some(choice) = self.choice[known] {
            return choice;
        }
        let sign = if self.seat == Seat::First { 1.0 } else { -1.0 };
        let mut best = (0, f64::NEG_INFINITY);
        for place in 0..moves {
            let mut gain = 0.0;
            for member in self.members[known].clone() {
                let Node::Choice { moves, .. } = &self.nodes[member] else { unreachable!("a choice") };
                gain += sign * self.reach[member] * self.worth(moves[place]);
            }
            if gain > best.1 {
                best = (place, gain);
            }
        }
        self.choice[known] = Some(best.0);
        best.0
    }
}
