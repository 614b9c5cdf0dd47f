//! Whether values keep their word: the search's and the evaluator's, against results.

use std::collections::BTreeMap;

use super::figure::{Drawing, Figure, IntervalPlot, IntervalRow};
use super::report::{Report, Section, Setup};
use super::rows::{PlyRow, Reads};
use super::scale::percent;
use super::stats::{ClusteredMean, Estimate, Regression};
use super::table::{Columns, Row, Table};

/// Bins that values are sorted into.
const BINS: usize = 10;

/// Whose value it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Judge {
    Search,
    Evaluator,
}

impl Judge {
    fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Evaluator => "evaluator",
        }
    }
}

/// Values of full searches against the results of their games.
#[derive(Debug, Clone, Default)]
pub struct Calibration {
    bins: BTreeMap<(Judge, usize), Bin>,
    judges: BTreeMap<Judge, Judged>,
}

#[derive(Debug, Clone, Default)]
struct Bin {
    /// Percent.
    predicted: ClusteredMean,
    /// Percent.
    scored: ClusteredMean,
}

#[derive(Debug, Clone)]
struct Judged {
    /// The result on one and the value.
    line: Regression,
    /// The squared distance of expected score and score, from 0 to 1.
    brier: ClusteredMean,
}

impl Default for Judged {
    fn default() -> Self {
        Self { line: Regression::new(2), brier: ClusteredMean::default() }
    }
}

impl Report for Calibration {
    const READS: Reads = Reads { candidates: false, outcomes: false, views: false, tactics: false };

    fn new(_setup: &Setup) -> Self {
        Self::default()
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        if !ply.full_search {
            return;
        }
        for (judge, value) in [(Judge::Search, ply.value), (Judge::Evaluator, ply.net_value)] {
            let (predicted, scored) = (percent(value), percent(f32::from(ply.result)));
            let place = ((predicted / 100.0 * BINS as f64) as usize).min(BINS - 1);
            let bin = self.bins.entry((judge, place)).or_default();
            bin.predicted.observe(ply.game_id, predicted);
            bin.scored.observe(ply.game_id, scored);
            let judged = self.judges.entry(judge).or_default();
            judged.line.observe(ply.game_id, &[1.0, f64::from(value)], f64::from(ply.result));
            judged.brier.observe(ply.game_id, ((predicted - scored) / 100.0).powi(2));
        }
    }

    fn merge(&mut self, later: Self) {
        for (place, bin) in later.bins {
            let known = self.bins.entry(place).or_default();
            known.predicted.merge(bin.predicted);
            known.scored.merge(bin.scored);
        }
        for (judge, judged) in later.judges {
            let known = self.judges.entry(judge).or_default();
            known.line.merge(judged.line);
            known.brier.merge(judged.brier);
        }
    }

    fn finish(self) -> Vec<Section> {
        vec![Section {
            name: "calibration",
            title: "Do values keep their word?",
            headlines: Vec::new(),
            figures: vec![self.figure(Judge::Search), self.figure(Judge::Evaluator)],
            tables: vec![self.judges_table(), self.bins_table()],
            notes: vec![
                "Plies with a full search. A slope of 1 is calibrated; below 1, values are too bold, above, too \
                 timid. Results come from the same players' play: another opponent is another truth."
                    .into(),
            ],
        }]
    }
}

impl Calibration {
    fn figure(&self, judge: Judge) -> Figure {
        let bins = self.bins.iter().filter(|((of, _), _)| *of == judge);
        let rows = bins.filter_map(|(_, bin)| {
            let label = format!("expected {:.0} %", bin.predicted.estimate()?.value);
            Some(IntervalRow { label, estimate: bin.scored.estimate()?.within(0.0, 100.0) })
        });
        Figure {
            title: format!("What the {} expected, and what came", judge.name()),
            caption: "Score in percent by the value before the ply. n counts plies; bars are 95 % intervals \
                      between games."
                .into(),
            drawing: Drawing::Intervals(IntervalPlot { rows: rows.collect(), unit: "%", mark: 50.0 }),
        }
    }

    fn judges_table(&self) -> Table {
        let columns = Columns::default()
            .plain("judge", "judge")
            .plain("plies", "plies")
            .plain("games", "games")
            .estimate("slope", "slope", "", 3, "")
            .estimate("brier", "Brier score", "", 4, "brier");
        let rows = self.judges.iter().filter_map(|(judge, judged)| {
            let slope = judged.line.fit(0.0)?.coefficient(1);
            let row = Row::default().text(judge.name()).counts(&slope).estimate(Some(slope));
            Some(row.estimate(judged.brier.estimate()))
        });
        Table::new("calibration", "Values against results", columns, rows.collect())
    }

    fn bins_table(&self) -> Table {
        let columns = Columns::default()
            .plain("judge", "judge")
            .plain("plies", "plies")
            .plain("games", "games")
            .real("expected", "expected", "%", 2)
            .estimate("score", "score", "%", 2, "score");
        let rows = self.bins.iter().filter_map(|(&(judge, _), bin)| {
            let (expected, score): (Estimate, Estimate) = (bin.predicted.estimate()?, bin.scored.estimate()?);
            let row = Row::default().text(judge.name()).counts(&score).real(expected.value);
            Some(row.estimate(Some(score.within(0.0, 100.0))))
        });
        Table::new("calibration_bins", "Expected and actual score", columns, rows.collect())
    }
}
