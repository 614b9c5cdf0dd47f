//! What turning a piece up does to the value, by what it turns out to be and where.

use std::collections::BTreeMap;

use crate::analysis::board::{Board, Point};
use crate::analysis::figure::{BoardMap, Drawing, Figure, Spot};
use crate::analysis::rows::{Kind, PlyRow};
use crate::analysis::scale::points;
use crate::analysis::stats::ClusteredMean;
use crate::analysis::table::{Columns, Row, Table};

/// Played flips by the letter turned up and the square it came up on.
#[derive(Debug, Clone, Default)]
pub(super) struct Identities {
    /// Points: the value after less the value before.
    changes: BTreeMap<u8, BTreeMap<Point, ClusteredMean>>,
}

impl Identities {
    /// Takes in a flip. Of a piece that turns out to be the opponent's nothing is kept.
    pub(super) fn absorb(&mut self, board: Board, ply: &PlyRow<'_>) {
        let letter = ply.revealed.and_then(|letter| letter.bytes().next());
        let (Some(letter), Some(to)) = (letter.filter(u8::is_ascii_uppercase), board.point(ply.to)) else {
            return;
        };
        if ply.kind == Kind::Flip && ply.full_search {
            let point = board.merged(board.seen_from(ply.seat, to));
            let squares = self.changes.entry(letter).or_default();
            squares.entry(point).or_default().observe(ply.game_id, points(ply.value, ply.next_value));
        }
    }

    pub(super) fn merge(&mut self, later: Self) {
        for (letter, squares) in later.changes {
            let known = self.changes.entry(letter).or_default();
            for (point, change) in squares {
                known.entry(point).or_default().merge(change);
            }
        }
    }

    /// Letters in the board's order, with their squares.
    fn in_order(&self, board: Board) -> impl Iterator<Item = (String, &BTreeMap<Point, ClusteredMean>)> {
        board.letters().iter().filter_map(move |&letter| {
            Some((board.piece_name(&char::from(letter).to_string()), self.changes.get(&letter)?))
        })
    }

    /// A board for each piece.
    pub(super) fn figures(&self, board: Board) -> impl Iterator<Item = Figure> {
        self.in_order(board).map(move |(piece, squares)| Figure {
            title: format!("What turning it up does: {piece}"),
            caption: format!(
                "Value after this piece was turned up less the value before, by the square it came up on, in \
                 points; flips onto empty squares. Mirror images share their figure; faint points rest on few \
                 games.{}",
                board.seats()
            ),
            drawing: Drawing::Board(BoardMap {
                board,
                spots: Spot::mirrored(board, squares, "points"),
                arrows: Vec::new(),
                unit: "points",
            }),
        })
    }

    pub(super) fn table(&self, board: Board) -> Table {
        let columns = Columns::default()
            .plain("piece", "piece")
            .plain("square", "square")
            .plain("flips", "flips")
            .plain("games", "games")
            .estimate("points", "change of value", "points", 2, "change");
        let rows = self.in_order(board).flat_map(|(piece, squares)| {
            squares.iter().filter_map(move |(&point, change)| {
                let change = change.estimate()?;
                let row = Row::default().text(piece.clone()).text(board.name(point));
                Some(row.counts(&change).estimate(Some(change)))
            })
        });
        let title = "Change of value by what turned up and where";
        Table::new("exposure_identity", title, columns, rows.collect()).folded()
    }
}
