//! The planes of a view, with the mover's pieces as its own. Before the first flip nobody has any, and the two
//! halves of the pool are equal, so that the planes say no more than the players know.

use super::capture::{DEALT, RANKED, of_color};
use super::square::{Square, SquareSet};
use super::view::BanqiView;
use crate::game::View;

const OWN: usize = 0;
const ENEMY: usize = OWN + 7;
const FACE_DOWN: usize = ENEMY + 7;
const OWN_POOL: usize = FACE_DOWN + 1;
const ENEMY_POOL: usize = OWN_POOL + 7;
const NO_COLORS_YET: usize = ENEMY_POOL + 7;
const QUIET_PLIES: usize = NO_COLORS_YET + 1;
const QUIET_LEFT: usize = QUIET_PLIES + 1;
const REPEATED_ONCE: usize = QUIET_LEFT + 1;
const REPEATED_TWICE: usize = REPEATED_ONCE + 1;
const LIMIT: usize = REPEATED_TWICE + 1;
const REPETITION: usize = LIMIT + 1;
pub const COUNT: usize = REPETITION + 1;

/// The limit of plies without a flip or a capture that counts as 1; a longer one is as much less.
const SHORT_LIMIT: f32 = 30.0;

/// What each plane means, in order.
pub fn names() -> Vec<String> {
    let sides = |what: &'static str| {
        ["own", "enemy"].into_iter().flat_map(move |side| {
            RANKED.into_iter().map(move |role| format!("{side} {what} {}", role.letter()))
        })
    };
    let single = [
        "colours not handed out",
        "plies without flip or capture",
        "few of them left",
        "stood once before",
        "stood twice before",
        "limit of plies without flip or capture",
        "occurrence that draws",
    ];
    sides("face-up")
        .chain([String::from("face-down")])
        .chain(sides("unseen"))
        .chain(single.map(String::from))
        .collect()
}

/// Writes all planes of `view` to `out`, which has room for exactly them.
pub fn write(view: &BanqiView, out: &mut [f32]) {
    out.fill(0.0);
    let position = view.position();
    let (board, rules) = (position.board(), view.rules());
    let side = position.side();
    let mut planes = Planes(out);

    for (color, face_up, pool) in [(side, OWN, OWN_POOL), (side.other(), ENEMY, ENEMY_POOL)] {
        for (rank, &pieces) in board.by_rank(color).iter().enumerate() {
            planes.mark(face_up + rank, pieces);
        }
        for (rank, (&left, dealt)) in of_color(position.pool(), color).iter().zip(DEALT).enumerate() {
            planes.fill(pool + rank, f32::from(left) / f32::from(dealt));
        }
    }
    planes.mark(FACE_DOWN, board.face_down());
    planes.fill(NO_COLORS_YET, flag(position.first().is_none()));

    let (quiet, limit) = (f32::from(position.quiet_plies()), f32::from(rules.no_progress_plies));
    planes.fill(QUIET_PLIES, (quiet / limit).min(1.0));
    planes.fill(QUIET_LEFT, 1.0 / (limit - quiet).max(1.0));
    let repeats = position.repeats();
    planes.fill(REPEATED_ONCE, flag(repeats >= 1));
    planes.fill(REPEATED_TWICE, flag(repeats >= 2));
    planes.fill(LIMIT, (SHORT_LIMIT / limit).min(1.0));
    planes.fill(REPETITION, rules.repetition.map_or(0.0, |folds| 1.0 / f32::from(folds)));
}

fn flag(set: bool) -> f32 {
    if set { 1.0 } else { 0.0 }
}

/// Planes being written.
struct Planes<'a>(&'a mut [f32]);

impl Planes<'_> {
    fn mark(&mut self, plane: usize, squares: SquareSet) {
        for square in squares {
            self.0[plane * Square::COUNT + square.in_rows()] = 1.0;
        }
    }

    fn fill(&mut self, plane: usize, value: f32) {
        self.0[plane * Square::COUNT..][..Square::COUNT].fill(value);
    }
}
