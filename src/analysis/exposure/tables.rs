//! The tables of flips.

use std::collections::BTreeMap;

use super::{Exposure, LOST_WITHIN, PHASES};
use crate::analysis::board::Point;
use crate::analysis::rows::Source;
use crate::analysis::stats::ClusteredMean;
use crate::analysis::table::{Columns, Row, Table};

impl Exposure {
    pub(super) fn tables(&self) -> Vec<Table> {
        let mut tables = self.price.tables(self.board);
        tables.extend(self.outcome.tables(self.board));
        tables.extend([
            self.contrast_table(),
            self.candidates_table(),
            self.played_table(),
            self.played_contrast_table(),
        ]);
        if !self.board.flips_in_place() {
            let squares = [
                ("exposure_to", "Cost of flips by the square they land on", &self.to),
                ("exposure_from", "Cost of flips by the square they start from", &self.from),
            ];
            tables.extend(squares.map(|(name, title, costs)| self.square_table(name, title, costs).folded()));
        }
        tables.push(self.identities.table(self.board));
        tables
    }

    fn contrast_table(&self) -> Table {
        let columns = Columns::default()
            .plain("rows", "rows")
            .defined("audited")
            .plain("phase", "phase")
            .defined("phase")
            .plain("positions", "positions")
            .plain("games", "games")
            .estimate("points", "difference", "points", 2, "contrast");
        let cells = Source::ALL.iter().flat_map(|&source| PHASES.iter().map(move |&phase| (source, phase)));
        let rows = cells.filter_map(|(source, phase)| {
            let contrast = self.contrasts.get(&(source, phase))?.estimate()?;
            let row = Row::default().text(source.name()).text(phase);
            Some(row.counts(&contrast).estimate(Some(contrast)))
        });
        Table::new(
            "exposure_contrast",
            "In the same position: the best flip onto a controlled square less the best onto a free one",
            columns,
            rows.collect(),
        )
    }

    fn candidates_table(&self) -> Table {
        let columns = Columns::default()
            .plain("kind", "kind")
            .defined("kind")
            .plain("rows", "rows")
            .defined("audited")
            .plain("attackers", "attackers")
            .defined("attackers")
            .plain("defenders", "defenders")
            .defined("defenders")
            .plain("positions", "positions")
            .plain("flips", "flips")
            .defined("counted")
            .plain("games", "games")
            .estimate("points", "against best other", "points", 2, "cost")
            .real("risk", "risk", "pawns", 2)
            .defined("risk");
        let rows = self.candidates.iter().filter_map(|(&(kind, source, exposed), candidates)| {
            let difference = candidates.difference.estimate()?;
            let row = Row::default().text(kind.name()).text(source.name());
            let row = row.text(exposed.attackers.name()).text(exposed.defenders.name());
            let row = row.count(candidates.positions).counts(&difference).estimate(Some(difference));
            Some(row.real(candidates.risk.estimate()?.value))
        });
        Table::new(
            "exposure",
            "Flips a search looked at, against the best other move in the same position",
            columns,
            rows.collect(),
        )
    }

    fn played_table(&self) -> Table {
        let columns = Columns::default()
            .plain("kind", "kind")
            .defined("kind")
            .plain("attackers", "attackers")
            .defined("attackers")
            .plain("defenders", "defenders")
            .defined("defenders")
            .plain("flips", "flips")
            .plain("games", "games")
            .estimate("change", "change of value", "points", 2, "change")
            .estimate("lost", "lost", "%", 1, "lost")
            .real("risk", "risk", "pawns", 2)
            .defined("risk");
        let rows = self.played.iter().filter_map(|(&(kind, exposed), played)| {
            let change = played.change.estimate()?;
            let row = Row::default().text(kind.name());
            let row = row.text(exposed.attackers.name()).text(exposed.defenders.name()).counts(&change);
            let row =
                row.estimate(Some(change)).estimate(played.lost.estimate().map(|lost| lost.scaled(100.0)));
            Some(row.real(played.risk.estimate()?.value))
        });
        Table::new(
            "exposure_played",
            format!("Flips that were played, and what became of them (lost: within {LOST_WITHIN} plies)"),
            columns,
            rows.collect(),
        )
    }

    fn played_contrast_table(&self) -> Table {
        let columns = Columns::default()
            .plain("contrast", "contrast")
            .plain("flips", "flips")
            .plain("games", "games")
            .estimate("change", "change of value", "points", 2, "change");
        let rows = self.played_contrast.estimate().map(|difference| {
            let row = Row::default().text("controlled less free").counts(&difference);
            row.estimate(Some(difference))
        });
        Table::new(
            "exposure_played_contrast",
            "Played flips onto controlled squares less those onto free ones, in different positions",
            columns,
            rows.into_iter().collect(),
        )
    }

    fn square_table(
        &self,
        name: &'static str,
        title: &str,
        squares: &BTreeMap<Point, ClusteredMean>,
    ) -> Table {
        let columns = Columns::default()
            .plain("square", "square")
            .plain("flips", "flips")
            .defined("counted")
            .plain("games", "games")
            .estimate("points", "against best other", "points", 2, "cost");
        let rows = squares.iter().filter_map(|(&point, cost)| {
            let cost = cost.estimate()?;
            Some(Row::default().text(self.board.name(point)).counts(&cost).estimate(Some(cost)))
        });
        let title = format!("{title}, seen by the mover; mirror images merged, captures left out");
        Table::new(name, title, columns, rows.collect())
    }
}
