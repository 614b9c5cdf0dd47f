//! Checks and chases in a row, for the rule sets that count them.
//!
//! A capture ends every run, so all pieces a run is about are on the board, and the square a piece stands
//! on names it. Runs are kept only where a rule asks for them.

use super::Move;
use super::board::Board;
use super::chase::chased;
use super::profile::{ChaseRule, CheckRule, JieqiRules, OnExceed};
use super::repetition::Forcing;
use super::square::{Square, SquareSet};
use crate::game::SquareName;
use crate::rules::hashing::mix;
use crate::rules::pieces::Color;

/// What the moves of a run have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RunKind {
    /// They check the king on the run's square.
    Check,
    /// They check from the run's square, with one piece that need not stand there now.
    CheckFrom,
    /// They chase the piece on the run's square.
    Chase,
}

impl RunKind {
    pub const ALL: [RunKind; 3] = [RunKind::Check, RunKind::CheckFrom, RunKind::Chase];
}

/// Moves of one kind that a side made one after another. Its text is what a view's text has of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    pub side: Color,
    pub kind: RunKind,
    pub(super) square: Square,
    /// Where the pieces now stand that checked or chased in it; never empty.
    pub(super) pieces: SquareSet,
    /// At least 1. For [`RunKind::CheckFrom`] the checks from that square in an unbroken row of checks.
    pub length: u8,
}

impl Run {
    /// The square that [`Run::kind`] is about.
    pub fn square(&self) -> SquareName {
        self.square.name()
    }

    /// Where the pieces now stand that checked or chased in it.
    pub fn pieces(&self) -> impl Iterator<Item = SquareName> {
        self.pieces.into_iter().map(Square::name)
    }

    /// What tells runs apart, and their order.
    pub(super) fn id(&self) -> (Color, RunKind, Square, Option<Square>) {
        (self.side, self.kind, self.square, self.pieces.first())
    }

    /// The length that is still allowed, and what a longer run means.
    fn limit(&self, rules: &JieqiRules) -> (u8, OnExceed) {
        let pieces = self.pieces.len();
        match (self.kind, rules.check_rule, rules.chase_rule) {
            (RunKind::Check, Some(CheckRule::Consecutive { limits, on_exceed, .. }), _)
            | (RunKind::Chase, _, Some(ChaseRule::Consecutive { limits, on_exceed, .. })) => {
                (limits.with_pieces(pieces), on_exceed)
            }
            (RunKind::CheckFrom, Some(CheckRule::SameSquare { times }), _) => (times - 1, OnExceed::Forbid),
            _ => unreachable!("a run is kept only where a rule bounds it"),
        }
    }

    /// The length that is still allowed; at least 1.
    pub(super) fn allowed(&self, rules: &JieqiRules) -> u8 {
        self.limit(rules).0
    }

    /// Whether the rules keep such a run, and the pieces it is about stand on `board`.
    pub(super) fn fits(&self, rules: &JieqiRules, board: &Board) -> bool {
        let enemy = self.side.other();
        let one_piece = self.pieces.has_one();
        let kept = match (self.kind, rules.check_rule) {
            (RunKind::Check, Some(CheckRule::Consecutive { per_piece, .. })) => !per_piece || one_piece,
            (RunKind::CheckFrom, Some(CheckRule::SameSquare { .. })) => one_piece,
            (RunKind::Chase, _) => rules.counts_chases(),
            _ => false,
        };
        let square = match self.kind {
            RunKind::Check => board.king(enemy) == self.square,
            RunKind::CheckFrom => true,
            RunKind::Chase => board.pieces(enemy).contains(self.square) && board.king(enemy) != self.square,
        };
        let own = self.pieces.without(board.pieces(self.side)).is_empty();
        kept && square && own && !self.pieces.is_empty() && self.length > 0
    }

    fn forcing(&self) -> Forcing {
        match self.kind {
            RunKind::Check | RunKind::CheckFrom => Forcing::Check,
            RunKind::Chase => Forcing::Chase,
        }
    }

    /// The same run after `ply`, before it is known whether `ply` continues it.
    fn carried(mut self, ply: &Ply) -> Run {
        let relocate = |set: &mut SquareSet| {
            if set.contains(ply.mv.from) {
                set.remove(ply.mv.from);
                set.insert(ply.mv.to);
            }
        };
        if self.side == ply.side {
            relocate(&mut self.pieces);
        } else if self.kind != RunKind::CheckFrom && self.square == ply.mv.from {
            self.square = ply.mv.to;
        }
        self
    }

    /// The run with one more move, made with `pieces`.
    fn with(mut self, pieces: SquareSet) -> Run {
        self.pieces |= pieces;
        self.length = self.length.saturating_add(1);
        self
    }
}

/// A ply as runs see it.
pub struct Ply<'a> {
    pub side: Color,
    pub mv: Move,
    pub capture: bool,
    pub before: &'a Board,
    pub after: &'a Board,
}

impl Ply<'_> {
    /// A run that this ply is the first move of, not yet counted.
    fn first(&self, kind: RunKind, square: Square, pieces: SquareSet) -> Run {
        Run { side: self.side, kind, square, pieces, length: 0 }
    }
}

/// All runs of both sides, sorted by [`Run::id`]; none at all is the common case, and cheap to copy.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Runs(Option<Box<[Run]>>);

impl Runs {
    pub fn iter(&self) -> impl Iterator<Item = &Run> {
        self.0.iter().flatten()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn hash(&self) -> u64 {
        self.iter().fold(0, |hash, run| {
            let (side, kind) = (run.side as u64, run.kind as u64);
            let square = run.square.index() as u64;
            let words = [side << 24 | kind << 16 | square << 8 | u64::from(run.length)];
            let pieces = [run.pieces.0 as u64, (run.pieces.0 >> 64) as u64];
            words.into_iter().chain(pieces).fold(hash, mix)
        })
    }

    /// The runs after `ply`.
    pub fn after(&self, rules: &JieqiRules, ply: &Ply) -> Runs {
        let carried: Vec<_> =
            if ply.capture { Vec::new() } else { self.iter().map(|run| run.carried(ply)).collect() };
        let (own, mut runs): (Vec<_>, Vec<_>) = carried.into_iter().partition(|run| run.side == ply.side);
        runs.extend(checks_after(rules, ply, &own));
        runs.extend(chases_after(rules, ply, &own));
        Runs::sorted(runs)
    }

    /// The hardest way in which a run of `side` is longer than allowed; `consequence` narrows it down to
    /// the rules that have it.
    pub fn broken(&self, rules: &JieqiRules, side: Color, consequence: OnExceed) -> Option<Forcing> {
        let broken = |run: &&Run| {
            let (limit, on_exceed) = run.limit(rules);
            run.side == side && run.length > limit && on_exceed == consequence
        };
        self.iter().filter(broken).map(Run::forcing).max()
    }

    /// The hardest way in which a run of `side` is as long as allowed, or longer.
    pub fn at_limit(&self, rules: &JieqiRules, side: Color) -> Forcing {
        let at_limit = |run: &&Run| run.side == side && run.length >= run.allowed(rules);
        self.iter().filter(at_limit).map(Run::forcing).max().unwrap_or(Forcing::Nothing)
    }

    /// The runs with left and right exchanged.
    pub fn mirrored(&self) -> Runs {
        let mirrored = |run: &Run| Run {
            square: run.square.mirrored(),
            pieces: run.pieces.into_iter().map(Square::mirrored).collect(),
            ..*run
        };
        Runs::sorted(self.iter().map(mirrored).collect())
    }

    /// Runs in any order.
    pub fn sorted(mut runs: Vec<Run>) -> Runs {
        runs.sort_unstable_by_key(Run::id);
        Runs((!runs.is_empty()).then(|| runs.into_boxed_slice()))
    }
}

/// The run among `own` that `fresh` goes on with, if `same` holds for it too, or else `fresh` itself; with
/// one more move.
fn extended(own: &[Run], fresh: Run, same: impl Fn(&Run) -> bool) -> Run {
    let goes_on = |run: &&Run| run.kind == fresh.kind && run.square == fresh.square && same(run);
    own.iter().find(goes_on).copied().unwrap_or(fresh).with(fresh.pieces)
}

/// The runs of checks of the side that made `ply`, which had those of `own` before.
fn checks_after(rules: &JieqiRules, ply: &Ply, own: &[Run]) -> Vec<Run> {
    if !rules.counts_checks() {
        return Vec::new();
    }
    let king = ply.after.king(ply.side.other());
    let checkers = ply.after.checkers(ply.side.other());
    if checkers.is_empty() {
        return Vec::new();
    }
    let by_one = |kind, square, piece| {
        let pieces = SquareSet::of(piece);
        extended(own, ply.first(kind, square, pieces), |run| run.pieces == pieces)
    };
    match rules.check_rule {
        Some(CheckRule::Consecutive { per_piece: true, .. }) => {
            checkers.into_iter().map(|piece| by_one(RunKind::Check, king, piece)).collect()
        }
        Some(CheckRule::SameSquare { .. }) => {
            let now: Vec<_> =
                checkers.into_iter().map(|piece| by_one(RunKind::CheckFrom, piece, piece)).collect();
            let earlier = own.iter().filter(|run| {
                run.kind == RunKind::CheckFrom && now.iter().all(|newer| newer.id() != run.id())
            });
            earlier.copied().chain(now.iter().copied()).collect()
        }
        _ => vec![extended(own, ply.first(RunKind::Check, king, checkers), |_| true)],
    }
}

/// The runs of chases of the side that made `ply`, which had those of `own` before.
fn chases_after(rules: &JieqiRules, ply: &Ply, own: &[Run]) -> Vec<Run> {
    if !rules.counts_chases() {
        return Vec::new();
    }
    chased(ply.before, ply.after, ply.side, rules)
        .into_iter()
        .map(|threat| extended(own, ply.first(RunKind::Chase, threat.victim, threat.chasers), |_| true))
        .collect()
}
