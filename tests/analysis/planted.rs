//! Datasets with effects that are known because they were planted, and how often reports cover them.
//!
//! Results are drawn with a mean that is the sum of what was planted: the value of the first flip, the luck
//! of both flips, the price of a controlled square, and one rook more. Audited plies have free flips that are
//! all equally good, so that picking the best of noisy judgements flatters nobody who scores apart.

use std::path::Path;

use facedown::analysis::{
    Calibration, Cell, Exposure, Findings, Luck, Openings, Question, Reveals, Values, analyze,
};
use facedown::game::{Control, PlyKind};
use facedown::record::{Candidate, GameRecord, OnBroken, OutcomeRecord, PlyRecord, Reader};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::data::{candidate, control, game, ply, write};

/// What is planted, in values from -1 to 1.
#[derive(Debug, Clone, Copy)]
pub struct Effects {
    /// What a flip onto a controlled square loses in the eyes of the searches.
    pub price: f64,
    /// What it loses in the result.
    pub result: f64,
    /// What one more rook wins in the result.
    pub rook: f64,
}

pub const SOME: Effects = Effects { price: 0.08, result: 0.125, rook: 0.125 };
pub const NONE: Effects = Effects { price: 0.0, result: 0.0, rook: 0.0 };

/// The chance that a flip turns up a rook, its value if it does, and if it is a pawn instead: no luck on
/// the mean.
const ROOK_ODDS: f32 = 0.25;
const ROOK: f32 = 0.375;
const PAWN: f32 = -0.125;

/// Value of the first flip, either way.
const VALUE: f32 = 0.125;

/// `count` games of eight plies: a flip of each side, then audited moves.
pub fn games(count: u64, effects: Effects, rng: &mut ChaCha8Rng) -> Vec<GameRecord> {
    (1..=count).map(|id| planted_game(id, effects, rng)).collect()
}

fn planted_game(id: u64, effects: Effects, rng: &mut ChaCha8Rng) -> GameRecord {
    let value = if rng.random_bool(0.5) { VALUE } else { -VALUE };
    let rooks = rng.random_range(-1..=1_i8);
    let controlled = [rng.random_bool(0.4), rng.random_bool(0.4)];
    let turned = [rng.random_bool(ROOK_ODDS.into()), rng.random_bool(ROOK_ODDS.into())];
    let flips = [("a3a4", value), ("i6i5", -value)];
    let mut plies: Vec<PlyRecord> = (flips.into_iter().zip(controlled).zip(turned))
        .map(|(((mv, value), controlled), rook)| planted_flip(mv, value, controlled, rook))
        .collect();
    plies[0].view = match rooks {
        -1 => "4k1r2/9/9/9/9/9/9/9/9/4K4 w - 0 1",
        0 => "4k4/9/9/9/9/9/9/9/9/4K4 w - 0 1",
        _ => "4k4/9/9/9/9/9/9/9/9/4K1R2 w - 0 1",
    }
    .into();
    // How deep the price cuts differs from game to game: plies of a game are no independent draws of it.
    let price = effects.price + rng.random_range(-0.04..0.04);
    let mood = rng.random_range(-0.2..0.2);
    for place in 2..8 {
        plies.push(planted_audit(place, mood, price, rng));
    }
    let luck = |rook: bool| f64::from(if rook { ROOK } else { PAWN });
    let sign = |has: bool| f64::from(u8::from(has));
    let mean = f64::from(value) + luck(turned[0])
        - luck(turned[1])
        - effects.result * (sign(controlled[0]) - sign(controlled[1]))
        + effects.rook * f64::from(rooks);
    game(id, if rng.random_bool((1.0 + mean) / 2.0) { 1 } else { -1 }, plies)
}

fn planted_flip(mv: &str, value: f32, controlled: bool, rook: bool) -> PlyRecord {
    let exposed = control(controlled.into(), 0, if controlled { 0.5 } else { 0.0 });
    let mut flip = ply(mv, PlyKind::Flip, exposed);
    let outcome =
        |letter, p, q| OutcomeRecord { reveal: Some(letter), taken: None, p_mover: p, p_referee: p, q, n: 1 };
    flip.facts.revealed = Some(if rook { 'R' } else { 'P' });
    flip.outcomes = vec![outcome('P', 1.0 - ROOK_ODDS, PAWN), outcome('R', ROOK_ODDS, ROOK)];
    PlyRecord { full_search: true, value, net_value: value, next_value: value, ..flip }
}

fn planted_audit(place: u16, mood: f64, price: f64, rng: &mut ChaCha8Rng) -> PlyRecord {
    let mv = if place.is_multiple_of(2) { "e0e1" } else { "e9e8" };
    let mut judged = |mv: &str, value: f64, exposed: Control| Candidate {
        q_again: Some((value + rng.random_range(-0.08..0.08)) as f32),
        ..candidate(mv, PlyKind::Flip, 1, (value + rng.random_range(-0.08..0.08)) as f32, exposed)
    };
    let free = ["a3a4", "c3c4", "e3e4", "g3g4", "b2e2"].map(|mv| judged(mv, mood, control(0, 1, 0.0)));
    let exposed = ["i3i4", "h2e2"].map(|mv| judged(mv, mood - price, control(1, 0, 0.5)));
    let candidates = free.into_iter().chain(exposed).collect();
    let moved = ply(mv, PlyKind::Move, control(0, 0, 0.0));
    PlyRecord { full_search: true, audited: true, candidates, view: plain_view(place), ..moved }
}

fn plain_view(place: u16) -> String {
    let side = if place.is_multiple_of(2) { 'w' } else { 'b' };
    format!("4k4/9/9/9/9/9/9/9/9/4K4 {side} - 0 1")
}

/// A reported figure whose truth is known.
pub struct Planted {
    pub name: &'static str,
    table: &'static str,
    /// The first cells of its row.
    row: &'static [&'static str],
    key: &'static str,
    pub truth: fn(Effects) -> f64,
}

/// Every figure that is checked.
pub const PLANTED: &[Planted] = &[
    Planted {
        name: "price of a controlled square, within a position",
        table: "exposure_price",
        row: &["all", "all"],
        key: "points",
        truth: |effects| -50.0 * effects.price,
    },
    Planted {
        name: "the same of pawns' squares",
        table: "exposure_price",
        row: &["role of the square", "pawn 兵"],
        key: "points",
        truth: |effects| -50.0 * effects.price,
    },
    Planted {
        name: "best controlled less best free, scored apart",
        table: "exposure_price_best",
        row: &[],
        key: "points",
        truth: |effects| -50.0 * effects.price,
    },
    Planted {
        name: "luck-adjusted difference of results",
        table: "exposure_result",
        row: &["all"],
        key: "points",
        truth: |effects| -50.0 * effects.result,
    },
    Planted {
        name: "share of variance that goes with luck",
        table: "luck",
        row: &["share of the results' variance that goes with the luck"],
        key: "value",
        // Both lucks have the variance 3/64, and results, 1 or -1 with mean 0, the variance 1.
        truth: |_| 100.0 * 6.0 / 64.0,
    },
    Planted {
        name: "result on luck, slope",
        table: "luck",
        row: &["result on luck, slope"],
        key: "value",
        truth: |_| 1.0,
    },
    Planted {
        name: "luck-adjusted score of the first move",
        table: "openings_tree",
        row: &["a3a4"],
        key: "adjusted",
        truth: |_| 50.0,
    },
    Planted {
        name: "Brier score of reveals",
        table: "reveals",
        row: &["owner of the piece"],
        key: "brier",
        truth: |_| 0.375,
    },
    Planted {
        name: "log loss of reveals",
        table: "reveals",
        row: &["owner of the piece"],
        key: "log_loss",
        truth: |_| -(0.25 * 0.25_f64.ln() + 0.75 * 0.75_f64.ln()),
    },
    Planted {
        name: "slope of calibration",
        table: "calibration",
        row: &["search"],
        key: "slope",
        truth: |_| 1.0,
    },
    Planted {
        name: "worth of a rook",
        table: "values",
        row: &["opening", "rook 車"],
        key: "worth",
        truth: |effects| 50.0 * effects.rook,
    },
];

impl Planted {
    /// The figure with the ends of its interval.
    ///
    /// # Panics
    ///
    /// If the report does not have it.
    pub fn read(&self, findings: &[Findings]) -> [f64; 3] {
        let tables = findings.iter().flat_map(|found| &found.sections).flat_map(|section| &section.tables);
        let table = tables.into_iter().find(|table| table.name == self.table).expect(self.table);
        let is_row = |row: &&Vec<Cell>| {
            row.iter().zip(self.row).all(|(cell, text)| *cell == Cell::Text((*text).into()))
        };
        let row = table.rows().iter().find(is_row).expect(self.name);
        let place = table.columns().iter().position(|column| column.key == self.key).expect(self.key);
        [0, 1, 2].map(|at| match row[place + at] {
            Cell::Real(value) => value,
            ref other => panic!("{}: {other:?}", self.name),
        })
    }
}

/// Whether each of [`PLANTED`] lies in its reported interval, in a dataset of `count` games in `folder`.
pub fn covered(folder: &Path, count: u64, effects: Effects, rng: &mut ChaCha8Rng) -> Vec<bool> {
    write(folder, "wxf", &games(count, effects, rng), 500);
    let reader = Reader::open(folder, OnBroken::Fail).expect("a dataset");
    let question = Question { rules: None, threads: 1, on_broken: OnBroken::Fail, depth: 1, min_games: 1 };
    let answer =
        analyze::<(Exposure, (Luck, (Openings, (Reveals, (Calibration, Values)))))>(&reader, &question);
    let findings = answer.expect("figures").findings;
    let is_covered = |planted: &Planted| {
        let [_, low, high] = planted.read(&findings);
        (low..=high).contains(&(planted.truth)(effects))
    };
    PLANTED.iter().map(is_covered).collect()
}
