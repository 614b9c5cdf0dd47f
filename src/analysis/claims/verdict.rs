//! What a claim comes to: figures, and whether they bear it out.

use crate::analysis::figure::{Drawing, FEW_GAMES, Figure, IntervalPlot, IntervalRow};
use crate::analysis::report::Section;
use crate::analysis::stats::Estimate;
use crate::analysis::table::{Cell, Columns, Row, Table};

/// A claim of players, in words.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    /// `T1`; also the section's name.
    pub id: &'static str,
    /// Names the claim's table.
    pub table: &'static str,
    /// The claim as a player says it.
    pub claim: &'static str,
    /// Who says it.
    pub source: &'static str,
    /// What is measured.
    pub definition: &'static str,
    /// What would settle it beyond doubt.
    pub settle: &'static str,
}

/// Which way a figure lies if the claim is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Above,
    Below,
}

/// A figure about a claim.
#[derive(Debug, Clone)]
pub struct Finding {
    pub name: String,
    pub unit: &'static str,
    pub estimate: Option<Estimate>,
    /// The side of which value the claim expects it on; none if it only describes.
    pub test: Option<(Expected, f64)>,
}

impl Finding {
    /// A figure that only describes.
    pub fn told(name: impl Into<String>, unit: &'static str, estimate: Option<Estimate>) -> Self {
        Self { name: name.into(), unit, estimate, test: None }
    }

    /// A figure that the claim expects above or below nothing.
    pub fn tested(
        name: impl Into<String>,
        unit: &'static str,
        estimate: Option<Estimate>,
        expected: Expected,
    ) -> Self {
        Self { name: name.into(), unit, estimate, test: Some((expected, 0.0)) }
    }

    /// Whether the figure bears the claim out; none if it only describes.
    fn verdict(&self) -> Option<Verdict> {
        let (expected, null) = self.test?;
        let known = self.estimate.filter(|estimate| estimate.games >= FEW_GAMES);
        let Some(interval) = known.and_then(|estimate| estimate.interval) else {
            return Some(Verdict::TooLittleData);
        };
        Some(match (expected, interval.low > null, interval.high < null) {
            (Expected::Above, true, _) | (Expected::Below, _, true) => Verdict::Supported,
            (Expected::Above, _, true) | (Expected::Below, true, _) => Verdict::Contradicted,
            _ => Verdict::TooLittleData,
        })
    }
}

/// What the figures say of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Every tested figure lies on the expected side, interval and all.
    Supported,
    /// A tested figure lies on the other side, interval and all.
    Contradicted,
    /// Neither.
    TooLittleData,
}

impl Verdict {
    pub fn of(findings: &[Finding]) -> Self {
        let verdicts: Vec<Self> = findings.iter().filter_map(Finding::verdict).collect();
        if verdicts.contains(&Self::Contradicted) {
            Self::Contradicted
        } else if verdicts.is_empty() || verdicts.contains(&Self::TooLittleData) {
            Self::TooLittleData
        } else {
            Self::Supported
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Contradicted => "contradicted",
            Self::TooLittleData => "too little data",
        }
    }
}

/// The section on one claim.
pub fn section(words: &Words, findings: &[Finding]) -> Section {
    let columns = Columns::default()
        .plain("figure", "figure")
        .plain("unit", "unit")
        .plain("expected", "the claim expects")
        .plain("observations", "n")
        .plain("games", "games")
        .estimate("value", "figure", "", 2, "")
        .plain("verdict", "verdict");
    let rows = findings.iter().filter_map(|finding| {
        let estimate = finding.estimate?;
        let expected = finding.test.map(|(expected, null)| match expected {
            Expected::Above => format!("above {null}"),
            Expected::Below => format!("below {null}"),
        });
        let text = |text: Option<String>| text.map_or(Cell::Missing, Cell::Text);
        let row =
            Row::default().text(&finding.name).text(finding.unit).cell(text(expected)).counts(&estimate);
        Some(row.estimate(finding.estimate).cell(text(finding.verdict().map(|v| v.name().into()))))
    });
    let tested = findings.iter().filter(|finding| finding.test.is_some());
    let plotted = tested.filter_map(|finding| {
        let label = format!("{} ({})", finding.name, finding.unit);
        Some(IntervalRow { label, estimate: finding.estimate? })
    });
    let verdict = Verdict::of(findings);
    Section {
        name: words.id,
        title: words.claim,
        headlines: Vec::new(),
        figures: vec![Figure {
            title: format!("{}: {}", words.id, verdict.name()),
            caption: format!("{} Bars are 95 % intervals between games.", words.definition),
            drawing: Drawing::Intervals(IntervalPlot { rows: plotted.collect(), unit: "", mark: 0.0 }),
        }],
        tables: vec![Table::new(
            words.table,
            format!("{}: {}", words.id, words.claim),
            columns,
            rows.collect(),
        )],
        notes: vec![
            format!("Verdict: {}.", verdict.name()),
            format!("Source: {}.", words.source),
            format!("Measured: {}", words.definition),
            format!("What would settle it: {}", words.settle),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::stats::Interval;

    fn finding(low: f64, high: f64, games: u64) -> Finding {
        let interval = Some(Interval { low, high });
        let estimate = Estimate { value: (low + high) / 2.0, interval, observations: games, games };
        Finding::tested("a figure", "points", Some(estimate), Expected::Above)
    }

    #[test]
    fn a_verdict_needs_an_interval_on_one_side_and_enough_games() {
        let (yes, no) = (finding(0.5, 1.5, 100), finding(-1.5, -0.5, 100));
        let (open, few) = (finding(-0.5, 1.5, 100), finding(0.5, 1.5, FEW_GAMES - 1));
        for (findings, expected) in [
            (vec![yes.clone()], Verdict::Supported),
            (vec![no.clone()], Verdict::Contradicted),
            (vec![open.clone()], Verdict::TooLittleData),
            (vec![few], Verdict::TooLittleData),
            (vec![yes.clone(), open], Verdict::TooLittleData),
            (vec![yes, no], Verdict::Contradicted),
            (vec![Finding::told("a figure", "points", None)], Verdict::TooLittleData),
        ] {
            assert_eq!(Verdict::of(&findings), expected, "{findings:?}");
        }
    }
}
