//! The planes of a view, seen from the mover's side.

use super::RolePool;
use super::encode::seen_from;
use super::play::DEALT;
use super::profile::{ChaseRule, CheckRule, JieqiRules, OnExceed};
use super::runs::{Run, RunKind};
use super::square::{Square, SquareSet};
use super::view::JieqiView;
use crate::game::View;
use crate::rules::pieces::{Color, Role};

const OWN_FACE_UP: usize = 0;
const ENEMY_FACE_UP: usize = OWN_FACE_UP + 7;
const OWN_FACE_DOWN: usize = ENEMY_FACE_UP + 7;
const ENEMY_FACE_DOWN: usize = OWN_FACE_DOWN + 1;
const OWN_POOL: usize = ENEMY_FACE_DOWN + 1;
const ENEMY_POOL: usize = OWN_POOL + 6;
/// Pieces taken face down without the mover knowing what they were, over the 15 dealt.
const OWN_LOST_UNSEEN: usize = ENEMY_POOL + 6;
const ENEMY_LOST_UNSEEN: usize = OWN_LOST_UNSEEN + 1;
const QUIET_PLIES: usize = ENEMY_LOST_UNSEEN + 1;
const REPEATED_ONCE: usize = QUIET_PLIES + 1;
const REPEATED_TWICE: usize = REPEATED_ONCE + 1;
const IN_CHECK: usize = REPEATED_TWICE + 1;
/// Four planes; see [`Planes::mark_run`].
const OWN_RUNS: usize = IN_CHECK + 1;
const ENEMY_RUNS: usize = OWN_RUNS + 4;
/// What the rules allow, so that one network can tell rule sets apart.
const PLIES_OF_CAP: usize = ENEMY_RUNS + 4;
const RULES: usize = PLIES_OF_CAP + 1;
pub const COUNT: usize = RULES + 6;

/// The limit on plies without a capture that counts as 1; a longer one is as much less.
const SHORT_LIMIT: f32 = 40.0;

/// What each plane means, in order.
pub fn names() -> Vec<String> {
    let sides = |what: &'static str, roles: usize| {
        ["own", "enemy"].into_iter().flat_map(move |side| {
            Role::ALL.into_iter().take(roles).map(move |role| format!("{side} {what} {}", role.letter()))
        })
    };
    let runs = ["own", "enemy"].into_iter().flat_map(|side| {
        let of_side = ["checks in a row by", "checks from here", "chases in a row by", "chases in a row of"];
        of_side.map(|what| format!("{side} {what}"))
    });
    let single = [
        "own taken unseen",
        "enemy taken unseen",
        "plies without capture",
        "stood once before",
        "stood twice before",
        "in check",
    ];
    let rules = [
        "plies of the cap",
        "limit of plies without capture",
        "limit of checks in a row",
        "limit of chases in a row",
        "too long a row loses",
        "occurrence that is judged",
        "occurrence that draws",
    ];
    sides("face-up", 7)
        .chain(["own face-down", "enemy face-down"].map(String::from))
        .chain(sides("unseen", 6))
        .chain(single.map(String::from))
        .chain(runs)
        .chain(rules.map(String::from))
        .collect()
}

/// Writes all planes of `view` to `out`, which has room for exactly them.
pub fn write(view: &JieqiView, out: &mut [f32]) {
    out.fill(0.0);
    let position = view.position();
    let board = position.board();
    let mover = position.to_move();
    let mut planes = Planes { out, mover };

    for (color, face_up, face_down, pool, lost_unseen) in [
        (mover, OWN_FACE_UP, OWN_FACE_DOWN, OWN_POOL, OWN_LOST_UNSEEN),
        (mover.other(), ENEMY_FACE_UP, ENEMY_FACE_DOWN, ENEMY_POOL, ENEMY_LOST_UNSEEN),
    ] {
        let hidden = board.pieces(color) & board.face_down();
        for role in Role::ALL {
            planes.mark(face_up + role.index(), (board.shown_as(role) & board.pieces(color)).without(hidden));
        }
        planes.mark(face_down, hidden);
        planes.fill_pool(pool, lost_unseen, &view.pool(color), hidden.len());
    }
    let repeats = position.repeats();
    planes.fill(REPEATED_ONCE, flag(repeats >= 1));
    planes.fill(REPEATED_TWICE, flag(repeats >= 2));
    planes.fill(IN_CHECK, flag(board.in_check(mover)));

    let rules = view.rules();
    planes.fill(QUIET_PLIES, share(position.quiet_plies(), rules.no_capture_plies));
    planes.fill(PLIES_OF_CAP, share(position.ply(), rules.ply_cap));
    for run in view.runs() {
        planes.mark_run(run, rules);
    }
    for (place, value) in of_rules(rules).into_iter().enumerate() {
        planes.fill(RULES + place, value);
    }
}

fn flag(set: bool) -> f32 {
    if set { 1.0 } else { 0.0 }
}

/// How much of a limit is used up; nothing of none.
fn share(used: u16, limit: Option<u16>) -> f32 {
    limit.map_or(0.0, |limit| f32::from(used) / f32::from(limit))
}

/// What a rule set allows, from 0 for everything to 1 for the least: limits are inverted.
fn of_rules(rules: &JieqiRules) -> [f32; COUNT - RULES] {
    let inverse = |limit: Option<u8>| limit.map_or(0.0, |limit| 1.0 / f32::from(limit));
    let (checks, checks_lose) = match rules.check_rule {
        Some(CheckRule::Consecutive { limits, on_exceed, .. }) => {
            (Some(limits.with_pieces(1)), on_exceed == OnExceed::Lose)
        }
        Some(CheckRule::SameSquare { times }) => (Some(times - 1), false),
        Some(CheckRule::Repetition { .. }) | None => (None, false),
    };
    let (chases, chases_lose) = match rules.chase_rule {
        Some(ChaseRule::Consecutive { limits, on_exceed, .. }) => {
            (Some(limits.with_pieces(1)), on_exceed == OnExceed::Lose)
        }
        Some(ChaseRule::Repetition { .. }) | None => (None, false),
    };
    [
        rules.no_capture_plies.map_or(0.0, |limit| (SHORT_LIMIT / f32::from(limit)).min(1.0)),
        inverse(checks),
        inverse(chases),
        flag(checks_lose || chases_lose),
        inverse(rules.judged_occurrence()),
        inverse(rules.neutral_repetition),
    ]
}

/// Planes being written.
struct Planes<'a> {
    out: &'a mut [f32],
    mover: Color,
}

impl Planes<'_> {
    fn mark(&mut self, plane: usize, squares: SquareSet) {
        self.raise(plane, squares, 1.0);
    }

    /// Writes `value` where nothing larger stands.
    fn raise(&mut self, plane: usize, squares: SquareSet, value: f32) {
        for square in squares {
            let cell = &mut self.out[plane * Square::COUNT + seen_from(self.mover, square)];
            *cell = cell.max(value);
        }
    }

    fn fill(&mut self, plane: usize, value: f32) {
        self.out[plane * Square::COUNT..][..Square::COUNT].fill(value);
    }

    fn fill_pool(&mut self, first: usize, lost_unseen: usize, pool: &RolePool, face_down: u32) {
        for (kind, (&left, &dealt)) in pool.counts().iter().zip(DEALT.counts()).enumerate() {
            self.fill(first + kind, f32::from(left) / f32::from(dealt));
        }
        self.fill(lost_unseen, (pool.total() - face_down) as f32 / DEALT.total() as f32);
    }

    /// Marks what a run is about with its length over what is allowed: the pieces that checked, and the
    /// squares they may not check from for ever; the pieces that chased, and what they chased.
    fn mark_run(&mut self, run: &Run, rules: &JieqiRules) {
        let first = if run.side == self.mover { OWN_RUNS } else { ENEMY_RUNS };
        // A flip may go beyond a limit that it was not bound to break.
        let used = (f32::from(run.length) / f32::from(run.allowed(rules))).min(1.0);
        let square = SquareSet::of(run.square);
        match run.kind {
            RunKind::Check => self.raise(first, run.pieces, used),
            RunKind::CheckFrom => {
                self.raise(first, run.pieces, used);
                self.raise(first + 1, square, used);
            }
            RunKind::Chase => {
                self.raise(first + 2, run.pieces, used);
                self.raise(first + 3, square, used);
            }
        }
    }
}
