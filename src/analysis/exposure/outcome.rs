//! What became of played flips: the swing by what turned up and what happened to it, and the result of the
//! game, luck taken out.

use std::collections::BTreeMap;

use super::price::testable;
use crate::analysis::board::Board;
use crate::analysis::rows::Kind;
use crate::analysis::stats::{ClusteredMean, Estimate, Regression, holm};
use crate::analysis::story::{Step, Story};
use crate::analysis::table::{Cell, Columns, Row, Table};

/// What happened next to a piece that was turned up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    TakenAtOnce,
    TakenSoon,
    Stood,
}

/// Plies within which a piece counts as taken soon.
const SOON: u16 = 6;

impl Fate {
    fn of(lost_in: Option<u16>) -> Self {
        match lost_in {
            Some(1) => Self::TakenAtOnce,
            Some(2..=SOON) => Self::TakenSoon,
            _ => Self::Stood,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::TakenAtOnce => "taken by the reply",
            Self::TakenSoon => "taken within 6 plies",
            Self::Stood => "stood",
        }
    }
}

/// What became of flips onto empty squares that a search chose.
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    /// Points by controlled or not, the letter turned up, and its fate.
    swings: BTreeMap<(bool, u8, Fate), ClusteredMean>,
    /// The rest of the result on: one, whether the square is controlled, the value before. By the role of
    /// the square the piece left; 0 for all.
    results: BTreeMap<u8, Regression>,
}

impl Outcome {
    pub(super) fn new() -> Self {
        Self { swings: BTreeMap::new(), results: BTreeMap::new() }
    }

    pub(super) fn absorb(&mut self, board: Board, story: &Story) {
        // The luck of the first seat from each ply on, from the end backwards; none from where one is unknown.
        let mut luck = Some(0.0);
        let mut luck_from = vec![None; story.steps.len()];
        for (place, step) in story.steps.iter().enumerate().rev() {
            let signed = step.luck.map(|luck| if step.seat == 0 { luck } else { -luck });
            luck = luck.zip(signed).map(|(a, b)| a + b);
            luck_from[place] = luck;
        }
        for (step, luck) in story.steps.iter().zip(luck_from) {
            if step.kind == Kind::Flip && step.chosen {
                self.absorb_swing(story.game_id, step);
                if let Some(luck) = luck {
                    let luck = if step.seat == 0 { luck } else { -luck };
                    self.absorb_result(board, story, step, luck);
                }
            }
        }
    }

    fn absorb_swing(&mut self, game: u64, step: &Step) {
        let Some(letter) = step.revealed else { return };
        let cell = (step.attackers > 0, letter, Fate::of(step.lost_in));
        self.swings.entry(cell).or_default().observe(game, 50.0 * step.change());
    }

    fn absorb_result(&mut self, board: Board, story: &Story, step: &Step, luck: f64) {
        let y = 50.0 * (story.result_for(step.seat) - luck);
        let controlled = f64::from(u8::from(step.attackers > 0));
        let x = [1.0, controlled, 50.0 * f64::from(step.value)];
        let role = board.home_role(board.seen_from(step.seat, step.from));
        for role in std::iter::once(0).chain(role) {
            let regression = self.results.entry(role).or_insert_with(|| Regression::new(x.len()));
            regression.observe(story.game_id, &x, y);
        }
    }

    pub(super) fn merge(&mut self, later: Self) {
        for (cell, swing) in later.swings {
            self.swings.entry(cell).or_default().merge(swing);
        }
        for (role, results) in later.results {
            match self.results.get_mut(&role) {
                Some(known) => known.merge(results),
                None => {
                    self.results.insert(role, results);
                }
            }
        }
    }

    /// The luck-adjusted difference that a controlled square makes to the result, in points; by role of the
    /// square left, 0 for all.
    fn differences(&self) -> impl Iterator<Item = (u8, Estimate)> {
        self.results.iter().filter_map(|(&role, results)| Some((role, results.fit(0.0)?.coefficient(1))))
    }

    pub(super) fn tables(&self, board: Board) -> Vec<Table> {
        vec![self.swings_table(board), self.results_table(board)]
    }

    fn swings_table(&self, board: Board) -> Table {
        let columns = Columns::default()
            .plain("square", "square")
            .defined("controlled")
            .plain("revealed", "turned up")
            .plain("fate", "then")
            .plain("flips", "flips")
            .plain("games", "games")
            .estimate("points", "swing", "points", 2, "change");
        let rows = self.swings.iter().filter_map(|(&(controlled, letter, fate), swing)| {
            let swing = swing.estimate()?;
            let row = Row::default().text(if controlled { "controlled" } else { "free" });
            let row = row.text(board.piece_name(&char::from(letter).to_string())).text(fate.name());
            Some(row.counts(&swing).estimate(Some(swing)))
        });
        let title = "Swing of the value by what turned up and what became of it";
        Table::new("exposure_swing", title, columns, rows.collect())
    }

    fn results_table(&self, board: Board) -> Table {
        let columns = Columns::default()
            .plain("role", "role of the square")
            .plain("flips", "flips")
            .plain("games", "games")
            .estimate("points", "difference", "points", 2, "adjusted")
            .real("p", "p, Holm", "", 4)
            .defined("holm");
        let differences: Vec<(u8, Estimate)> = self.differences().collect();
        let adjusted = holm(&differences.iter().map(|(_, found)| testable(found)).collect::<Vec<_>>());
        let rows = differences.iter().zip(adjusted).map(|((role, found), p)| {
            let role = match role {
                0 => "all".into(),
                letter => board.piece_name(&char::from(*letter).to_string()),
            };
            let row = Row::default().text(role).counts(found).estimate(Some(*found));
            row.cell(p.map_or(Cell::Missing, Cell::Real))
        });
        Table::new(
            "exposure_result",
            "What a controlled square did to the result, luck taken out, at equal value before",
            columns,
            rows.collect(),
        )
    }
}
