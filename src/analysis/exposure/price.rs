//! The price of a controlled square, within one position and without the flattery of choosing.
//!
//! In an audited position every move was judged by two searches with independent chances. Of the flips onto
//! free squares the best is chosen by one search and scored by the other, both ways round, and the mean of
//! the two is taken; a flip onto a controlled square is held against it. The choice cannot profit from the
//! error of the search that scores it.

use std::collections::BTreeMap;

use super::strata::{By, Stratum};
use crate::analysis::board::{Board, Point};
use crate::analysis::figure::{BoardMap, Drawing, FEW_GAMES, Figure, IntervalPlot, IntervalRow, Spot};
use crate::analysis::judged::{Judged, cross_scored};
use crate::analysis::report::Headline;
use crate::analysis::rows::{Kind, PlyRow};
use crate::analysis::scale::{figure, points, spread};
use crate::analysis::stats::{ClusteredMean, Estimate, holm, p_value};
use crate::analysis::table::{Cell, Columns, Row, Table};

/// Prices of flips onto controlled squares.
#[derive(Debug, Clone, Default)]
pub(super) struct Price {
    strata: BTreeMap<Stratum, Priced>,
    /// The best flip onto a controlled square, chosen in the same way, against the best onto a free one.
    best: ClusteredMean,
}

/// Flips of one stratum.
#[derive(Debug, Clone, Default)]
struct Priced {
    /// Points, against the best flip onto a free square.
    price: ClusteredMean,
    /// Pawns.
    risk: ClusteredMean,
}

impl Price {
    pub(super) fn absorb(&mut self, board: Board, ply: &PlyRow<'_>) {
        if !ply.audited {
            return;
        }
        let flips = ply.candidates().iter().filter(|candidate| candidate.kind == Kind::Flip);
        let judged = flips.filter_map(Judged::of);
        let (controlled, free): (Vec<_>, Vec<_>) = judged.partition(|judged| judged.candidate.attackers > 0);
        let (Some(best_controlled), Some(best_free)) = (cross_scored(&controlled), cross_scored(&free))
        else {
            return;
        };
        self.best.observe(ply.game_id, points(best_free, best_controlled));
        for judged in &controlled {
            let flip = judged.candidate;
            let price = points(best_free, judged.mean());
            for stratum in Stratum::of(board, ply, flip) {
                let priced = self.strata.entry(stratum).or_default();
                priced.price.observe(ply.game_id, price);
                priced.risk.observe(ply.game_id, f64::from(flip.risk));
            }
        }
    }

    pub(super) fn merge(&mut self, later: Self) {
        self.best.merge(later.best);
        for (stratum, priced) in later.strata {
            let known = self.strata.entry(stratum).or_default();
            known.price.merge(priced.price);
            known.risk.merge(priced.risk);
        }
    }

    pub(super) fn headlines(&self) -> Vec<Headline> {
        let headline = |label: &str, estimate: Estimate, of| Headline {
            label: label.into(),
            figure: figure(estimate.value, 1, "points"),
            detail: spread(estimate.interval, 1, "points", estimate.observations, of),
        };
        let all = self.strata.get(&Stratum::ALL).and_then(|all| all.price.estimate());
        let all = all
            .map(|all| headline("a flip onto a controlled square against the best free one", all, "flips"));
        let best = self.best.estimate();
        let best =
            best.map(|best| headline("the best of each kind, chosen and scored apart", best, "positions"));
        all.into_iter().chain(best).collect()
    }

    pub(super) fn tables(&self, board: Board) -> Vec<Table> {
        let columns = Columns::default()
            .plain("by", "by")
            .plain("stratum", "stratum")
            .plain("flips", "flips")
            .plain("games", "games")
            .estimate("points", "price", "points", 2, "price")
            .real("value", "price", "value", 4)
            .defined("points")
            .real("p", "p, Holm", "", 4)
            .defined("holm")
            .estimate("risk", "risk", "pawns", 2, "risk");
        let prices: Vec<Option<Estimate>> =
            self.strata.values().map(|priced| priced.price.estimate()).collect();
        let adjusted = holm(&prices.iter().map(|price| testable(price.as_ref()?)).collect::<Vec<_>>());
        let rows =
            self.strata.iter().zip(prices).zip(adjusted).filter_map(|(((stratum, priced), price), p)| {
                let price = price?;
                let row =
                    Row::default().text(stratum.by.name()).text(stratum.level_name(board)).counts(&price);
                let row = row.estimate(Some(price)).real(price.value / 50.0);
                Some(row.cell(p.map_or(Cell::Missing, Cell::Real)).estimate(priced.risk.estimate()))
            });
        let title = "Flips onto controlled squares against the best onto a free one, chosen and scored apart";
        let best = Columns::default()
            .plain("contrast", "contrast")
            .plain("positions", "positions")
            .plain("games", "games")
            .estimate("points", "difference", "points", 2, "price");
        let best_row = self.best.estimate().map(|best| {
            Row::default().text("best controlled less best free").counts(&best).estimate(Some(best))
        });
        vec![
            Table::new("exposure_price", title, columns, rows.collect()),
            Table::new(
                "exposure_price_best",
                "The best flip onto a controlled square less the best onto a free one, chosen and scored apart",
                best,
                best_row.into_iter().collect(),
            ),
        ]
    }

    /// The price by role, on the board.
    pub(super) fn role_map(&self, board: Board) -> Figure {
        let spots = board.homes().into_iter().filter_map(|point| role_spot(self, board, point));
        Figure {
            title: "The price by the role of the square".into(),
            caption:
                "The same by the role of the square a flip starts from, on all squares of that role, in \
                      points. The mover sits below; faint points rest on few games."
                    .into(),
            drawing: Drawing::Board(BoardMap {
                board,
                spots: spots.collect(),
                arrows: Vec::new(),
                unit: "points",
            }),
        }
    }

    pub(super) fn figure(&self, board: Board) -> Figure {
        let rows = self.strata.iter().filter_map(|(stratum, priced)| {
            let label = match stratum.by {
                By::All => "all".into(),
                by => format!("{}: {}", by.name(), stratum.level_name(board)),
            };
            Some(IntervalRow { label, estimate: priced.price.estimate()? })
        });
        Figure {
            title: "What a controlled square costs, chosen and scored apart".into(),
            caption: "Audited positions, every move judged twice: a flip onto a controlled square against the \
                      flip onto a free one that the other judgement likes best. n counts flips; bars are 95 % \
                      intervals between games, each for itself."
                .into(),
            drawing: Drawing::Intervals(IntervalPlot { rows: rows.collect(), unit: "points", mark: 0.0 }),
        }
    }
}

/// The price of one role on every square it has at the start.
fn role_spot(price: &Price, board: Board, point: Point) -> Option<Spot> {
    let stratum = Stratum::of_role(board.home_role(point)?);
    let estimate = price.strata.get(&stratum)?.price.estimate()?;
    let value = figure(estimate.value, 2, "points");
    let spread = spread(estimate.interval, 2, "points", estimate.observations, "flips");
    let tip = format!("{}: {value} ({spread})", stratum.level_name(board));
    Some(Spot { point, value: estimate.value, games: estimate.games, tip })
}

/// The p-value of an estimate against nothing, if it rests on enough games to be tested.
pub(super) fn testable(estimate: &Estimate) -> Option<f64> {
    (estimate.games >= FEW_GAMES).then(|| p_value(estimate, 0.0)).flatten()
}
