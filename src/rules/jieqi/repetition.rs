//! The plies that can still be undone by play, how often a position has stood, and who forced it.

use super::Move;
use super::board::Board;
use super::chase::chased;
use super::profile::{ChaseRule, CheckRule, JieqiRules};
use super::runs::Runs;
use super::seat_of;
use super::square::SquareSet;
use crate::game::{EndReason, Outcome};
use crate::rules::hashing::mix;
use crate::rules::pieces::{ByColor, Color};

/// How a side forces its opponent again and again, the harder the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Forcing {
    Nothing,
    /// It chases one piece on every move.
    Chase,
    /// It checks on every move.
    Check,
}

/// How a game ends in which the sides force each other so: the side that forces harder loses, and if both
/// force alike it is drawn. None if neither does.
pub fn verdict(forcing: ByColor<Forcing>) -> Option<Outcome> {
    let (red, black) = (forcing[Color::Red], forcing[Color::Black]);
    let reason = match red.max(black) {
        Forcing::Nothing => return None,
        Forcing::Chase => EndReason::PerpetualChase,
        Forcing::Check => EndReason::PerpetualCheck,
    };
    let winner = match red.cmp(&black) {
        std::cmp::Ordering::Less => Some(Color::Red),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Color::Black),
    };
    Some(Outcome { winner: winner.map(seat_of), reason })
}

/// A ply that neither took nor turned up a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Past {
    mv: Move,
    /// The key of the position it was played in.
    key: u64,
}

/// The plies since the last one that cannot be taken back, oldest first.
///
/// A capture or a reveal makes every earlier position unreachable: face-down pieces never come back. So
/// no position before it can recur, and it starts the history again; only runs outlast it.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct History {
    /// The runs before the first of the plies.
    runs: Runs,
    plies: Vec<Past>,
    hash: u64,
}

impl Clone for History {
    fn clone(&self) -> Self {
        Self { runs: self.runs.clone(), plies: self.plies.clone(), hash: self.hash }
    }

    fn clone_from(&mut self, source: &Self) {
        self.runs.clone_from(&source.runs);
        self.plies.clone_from(&source.plies);
        self.hash = source.hash;
    }
}

impl History {
    /// Adds a ply played in the position that has `key`.
    pub fn push(&mut self, mv: Move, key: u64) {
        self.plies.push(Past { mv, key });
        self.hash = mix(self.hash, key);
    }

    /// Starts again in a position that has these runs.
    pub fn restart(&mut self, runs: &Runs) {
        self.plies.clear();
        self.runs.clone_from(runs);
        self.hash = runs.hash();
    }

    /// The runs before the first of the plies.
    pub fn runs(&self) -> &Runs {
        &self.runs
    }

    pub fn is_empty(&self) -> bool {
        self.plies.is_empty()
    }

    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.plies.iter().map(|past| past.mv)
    }

    /// A hash of all positions in it, in their order, and of the runs before.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// How often the position that has `key` stood before.
    pub fn occurrences(&self, key: u64) -> usize {
        self.earlier(key).count()
    }

    /// How many plies ago the position that has `key` stood, latest first.
    fn earlier(&self, key: u64) -> impl Iterator<Item = usize> + '_ {
        // The side to move alternates, and no piece is back where it was in fewer than four plies.
        let plies = (1..).zip(self.plies.iter().rev()).skip(3).step_by(2);
        plies.filter(move |(_, past)| past.key == key).map(|(ago, _)| ago)
    }

    /// How the game ends if `board`, whose position has `key`, was forced by a side that the rules forbid
    /// to; `mover` made the last ply.
    pub fn judge(&self, rules: &JieqiRules, board: &Board, key: u64, mover: Color) -> Option<Outcome> {
        let occurrence = usize::from(rules.judged_occurrence()?);
        let plies = self.earlier(key).nth(occurrence - 2)?;
        let forcing = Cycle { plies: &self.plies[self.plies.len() - plies..], board, mover }.forcing(rules);
        let judged = match forcing[Color::Red].max(forcing[Color::Black]) {
            Forcing::Nothing => false,
            Forcing::Chase => matches!(rules.chase_rule, Some(ChaseRule::Repetition { .. })),
            Forcing::Check => matches!(rules.check_rule, Some(CheckRule::Repetition { .. })),
        };
        if judged { verdict(forcing) } else { None }
    }
}

/// The plies between two occurrences of a position.
struct Cycle<'a> {
    plies: &'a [Past],
    /// The position at both ends.
    board: &'a Board,
    /// Who made the last of the plies.
    mover: Color,
}

impl Cycle<'_> {
    /// How each side forced the other on every one of its moves.
    fn forcing(&self, rules: &JieqiRules) -> ByColor<Forcing> {
        let mut checks = ByColor::new(true, true);
        self.walk_back(|side, _, after, _| checks[side] &= after.in_check(side.other()));

        let enemies = |side: Color| self.board.pieces(side.other());
        let mut chased_always = ByColor::new(enemies(Color::Red), enemies(Color::Black));
        self.walk_back(|side, before, after, mv| {
            if !checks[side] && !chased_always[side].is_empty() {
                let now = chased(before, after, side, rules);
                let now: SquareSet = now.into_iter().map(|threat| threat.victim).collect();
                chased_always[side] &= now;
            }
            // Before this move its piece, which the other side may chase, stood elsewhere.
            let hunted = &mut chased_always[side.other()];
            if hunted.contains(mv.to) {
                hunted.remove(mv.to);
                hunted.insert(mv.from);
            }
        });

        let forcing = |side| match (checks[side], chased_always[side].is_empty()) {
            (true, _) => Forcing::Check,
            (false, false) => Forcing::Chase,
            (false, true) => Forcing::Nothing,
        };
        ByColor::new(forcing(Color::Red), forcing(Color::Black))
    }

    /// Calls `visit` with the side, the boards before and after, and the move of each ply, the last first.
    fn walk_back(&self, mut visit: impl FnMut(Color, &Board, &Board, Move)) {
        let mut after = self.board.clone();
        let mut side = self.mover;
        for &Past { mv, .. } in self.plies.iter().rev() {
            let mut before = after.clone();
            before.play(mv.to, mv.from, None);
            visit(side, &before, &after, mv);
            after = before;
            side = side.other();
        }
    }
}
