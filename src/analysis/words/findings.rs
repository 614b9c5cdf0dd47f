//! Findings in another language: every word for a reader, and no figure.

use super::Language;
use crate::analysis::figure::{
    Arrow, Bar, BoardMap, Drawing, Figure, IntervalPlot, IntervalRow, Matrix, Spot,
};
use crate::analysis::pass::Findings;
use crate::analysis::report::{Headline, Section};
use crate::analysis::table::Table;

impl Findings {
    /// The same findings as a reader of `language` sees them. Files for programs are written from the
    /// English ones.
    pub fn told_in(&self, language: Language) -> Self {
        let sections = self.sections.iter().map(|section| language.section(section)).collect();
        Self { sections, ..self.clone() }
    }
}

impl Language {
    fn section(self, section: &Section) -> Section {
        Section {
            name: section.name,
            title: self.word(section.title),
            headlines: section.headlines.iter().map(|headline| self.headline(headline)).collect(),
            figures: section.figures.iter().map(|figure| self.figure(figure)).collect(),
            tables: section.tables.iter().map(|table| self.table(table)).collect(),
            notes: section.notes.iter().map(|note| self.say(note)).collect(),
        }
    }

    fn headline(self, Headline { label, figure, detail }: &Headline) -> Headline {
        Headline { label: self.say(label), figure: self.spaced(figure), detail: self.spaced(detail) }
    }

    fn figure(self, figure: &Figure) -> Figure {
        Figure {
            title: self.say(&figure.title),
            caption: self.say(&figure.caption),
            drawing: self.drawing(&figure.drawing),
        }
    }

    fn drawing(self, drawing: &Drawing) -> Drawing {
        match drawing {
            Drawing::Board(map) => Drawing::Board(self.map(map)),
            Drawing::Intervals(plot) => Drawing::Intervals(self.plot(plot)),
            Drawing::Bars(bars) => {
                let bar = |Bar { label, count }: &Bar| Bar { label: self.say(label), count: *count };
                Drawing::Bars(bars.iter().map(bar).collect())
            }
            Drawing::Matrix(matrix) => Drawing::Matrix(self.matrix(matrix)),
            // The viewer says its words itself, beside what the record holds.
            Drawing::Games(games) => Drawing::Games(games.clone()),
        }
    }

    fn map(self, map: &BoardMap) -> BoardMap {
        let spot = |spot: &Spot| Spot { tip: self.spaced(&spot.tip), ..spot.clone() };
        let arrow = |arrow: &Arrow| Arrow { tip: self.spaced(&arrow.tip), ..arrow.clone() };
        BoardMap {
            board: map.board,
            spots: map.spots.iter().map(spot).collect(),
            arrows: map.arrows.iter().map(arrow).collect(),
            unit: self.word(map.unit),
        }
    }

    fn plot(self, plot: &IntervalPlot) -> IntervalPlot {
        let row = |IntervalRow { label, estimate }: &IntervalRow| IntervalRow {
            label: self.say(label),
            estimate: *estimate,
        };
        IntervalPlot {
            rows: plot.rows.iter().map(row).collect(),
            unit: self.word(plot.unit),
            mark: plot.mark,
        }
    }

    fn matrix(self, matrix: &Matrix) -> Matrix {
        let words = |names: &[&'static str]| names.iter().map(|&name| self.word(name)).collect();
        Matrix {
            row_title: self.word(matrix.row_title),
            row_names: words(&matrix.row_names),
            column_title: self.word(matrix.column_title),
            column_names: words(&matrix.column_names),
            cells: matrix.cells.clone(),
            unit: self.word(matrix.unit),
        }
    }

    fn table(self, table: &Table) -> Table {
        table.clone().reworded(|word| self.word(word), |text| self.say(text))
    }

    /// Figures are set with spaces that do not break, which no phrase has.
    fn spaced(self, text: &str) -> String {
        self.say(&text.replace('\u{a0}', " "))
    }
}
