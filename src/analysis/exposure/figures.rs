//! The pictures of flips.

use std::collections::BTreeMap;

use super::cells::{Exposed, Few};
use super::{ANY_PHASE, Exposure, PHASES};
use crate::analysis::board::Point;
use crate::analysis::figure::{BoardMap, Drawing, Figure, IntervalPlot, IntervalRow, Matrix, Spot};
use crate::analysis::report::Headline;
use crate::analysis::rows::{Kind, Source};
use crate::analysis::scale::{figure, spread};
use crate::analysis::stats::{ClusteredMean, Estimate};

impl Exposure {
    pub(super) fn headlines(&self) -> Vec<Headline> {
        let contrast = self.contrast(self.main_source(), ANY_PHASE).map(|contrast| Headline {
            label: "best flip onto a controlled square against best flip onto a free one".into(),
            figure: figure(contrast.value, 1, "points"),
            detail: spread(contrast.interval, 1, "points", contrast.observations, "positions"),
        });
        self.price.headlines().into_iter().chain(contrast).collect()
    }

    pub(super) fn figures(&self) -> Vec<Figure> {
        let mut figures = vec![
            self.price.figure(self.board),
            self.price.role_map(self.board),
            self.contrast_figure(),
            self.matrix_figure(),
            self.candidates_figure(),
        ];
        // Where a flip starts and ends on one square, the report on flips has that board.
        if !self.board.flips_in_place() {
            figures.push(self.heat_map("What a flip costs by where it lands", "land on", &self.to));
            figures.push(self.heat_map("What a flip costs by where it starts", "start from", &self.from));
        }
        figures.push(self.played_figure());
        figures.extend(self.identities.figures(self.board));
        figures
    }

    /// Audited rows where there are any: they do not look at what the search likes alone.
    fn main_source(&self) -> Source {
        let audited = self.candidates.keys().any(|&(_, source, _)| source == Source::Audited);
        if audited { Source::Audited } else { Source::Searched }
    }

    fn contrast(&self, source: Source, phase: &'static str) -> Option<Estimate> {
        self.contrasts.get(&(source, phase))?.estimate()
    }

    fn contrast_figure(&self) -> Figure {
        let cells = Source::ALL.iter().flat_map(|&source| PHASES.iter().map(move |&phase| (source, phase)));
        let rows = cells.filter_map(|(source, phase)| {
            let phase_name = if phase == ANY_PHASE { "any phase" } else { phase };
            let label = format!("{}, {phase_name}", source.name());
            Some(IntervalRow { label, estimate: self.contrast(source, phase)? })
        });
        Figure {
            title: "The price of a controlled square".into(),
            caption: "In one and the same position: value of the best flip onto a controlled square less \
                      that of the best flip onto a free one. Left of zero, the controlled square is the \
                      worse choice. n counts positions; bars are 95 % intervals between games."
                .into(),
            drawing: Drawing::Intervals(IntervalPlot { rows: rows.collect(), unit: "points", mark: 0.0 }),
        }
    }

    /// Flips onto empty squares by attackers and defenders, from the better source.
    fn cost(&self, exposed: Exposed) -> Option<Estimate> {
        self.candidates.get(&(Kind::Flip, self.main_source(), exposed))?.difference.estimate()
    }

    fn matrix_figure(&self) -> Figure {
        let row = |&attackers: &Few| {
            Few::ALL.iter().map(|&defenders| self.cost(Exposed { attackers, defenders })).collect()
        };
        Figure {
            title: "Attackers against defenders".into(),
            caption: format!(
                "What flips onto an empty square are worth against the best other move in the same position, \
                 by who bears on the square ({} rows). n counts flips.",
                self.main_source().name()
            ),
            drawing: Drawing::Matrix(Matrix {
                row_title: "attackers",
                row_names: Few::ALL.map(Few::name).into(),
                column_title: "defenders",
                column_names: Few::ALL.map(Few::name).into(),
                cells: Few::ALL.iter().map(row).collect(),
                unit: "points",
            }),
        }
    }

    fn candidates_figure(&self) -> Figure {
        let rows = Exposed::all().filter_map(|exposed| {
            Some(IntervalRow { label: exposed.words(), estimate: self.cost(exposed)? })
        });
        Figure {
            title: "The same with intervals".into(),
            caption: format!(
                "Flips onto empty squares against the best other move in the same position ({} rows). n \
                 counts flips; bars are 95 % intervals between games.",
                self.main_source().name()
            ),
            drawing: Drawing::Intervals(IntervalPlot { rows: rows.collect(), unit: "points", mark: 0.0 }),
        }
    }

    fn played_figure(&self) -> Figure {
        let rows = Exposed::all().filter_map(|exposed| {
            let played = self.played.get(&(Kind::Flip, exposed))?;
            Some(IntervalRow { label: exposed.words(), estimate: played.change.estimate()? })
        });
        Figure {
            title: "What became of played flips".into(),
            caption:
                "Value after the piece was turned up less the value before, for flips onto empty squares. n \
                      counts flips; bars are 95 % intervals between games."
                    .into(),
            drawing: Drawing::Intervals(IntervalPlot { rows: rows.collect(), unit: "points", mark: 0.0 }),
        }
    }

    fn heat_map(&self, title: &str, verb: &str, squares: &BTreeMap<Point, ClusteredMean>) -> Figure {
        Figure {
            title: title.into(),
            caption: format!(
                "Flips onto empty squares that {verb} each point, against the best other move in the same \
                 position, in points; all plies with a full search. Mirror images share their figure; faint \
                 points rest on few games.{}",
                self.board.seats()
            ),
            drawing: Drawing::Board(BoardMap {
                board: self.board,
                spots: Spot::mirrored(self.board, squares, "points"),
                arrows: Vec::new(),
                unit: "points",
            }),
        }
    }
}
