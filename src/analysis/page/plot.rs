//! Plots: estimates with their intervals on one axis, bars, and a matrix of cells.

use super::axis::Axis;
use super::text::{Markup, Tone, escaped};
use crate::analysis::figure::{Bar, FEW_GAMES, IntervalPlot, IntervalRow, Matrix, Scale};
use crate::analysis::stats::{Estimate, Interval};
use crate::analysis::table::{grouped, rounded, typeset};
use crate::analysis::words::Language;

/// The width of a plot in SVG units: narrow enough to be read on a phone.
const WIDTH: f64 = 360.0;

/// What stays free at either side of a plot of intervals.
const MARGIN: f64 = 12.0;

/// Draws each estimate as a point on its interval, zero marked, the figure and n beside it.
pub fn intervals(plot: &IntervalPlot, label: &str) -> String {
    const LINE: f64 = 15.0;
    const BELOW_WORDS: f64 = 27.0;
    const TOP: f64 = 8.0;
    let axis = over(plot, [MARGIN, WIDTH - MARGIN]);
    let labels: Vec<Vec<String>> = plot.rows.iter().map(|row| lines(&row.label)).collect();
    let height = |label: &Vec<String>| LINE * label.len() as f64 + BELOW_WORDS;
    let bottom = TOP + labels.iter().map(height).sum::<f64>();
    let mut svg = open("intervals", bottom + 34.0, label);
    for tick in axis.ticks() {
        let (x, class) = (axis.at(tick), if tick == plot.mark { "mark" } else { "grid" });
        svg.add(format_args!("<path class=\"{class}\" d=\"M{x:.1} {TOP}V{bottom}\"/>"));
        let name = typeset(&rounded(tick, axis.decimals()));
        svg.add(format_args!("<text class=\"tick\" x=\"{x:.1}\" y=\"{}\">{name}</text>", bottom + 14.0));
    }
    let unit = escaped(plot.unit);
    svg.add(format_args!("<text class=\"tick\" x=\"{}\" y=\"{}\">{unit}</text>", WIDTH / 2.0, bottom + 29.0));
    let mut words = TOP;
    for (row, label) in plot.rows.iter().zip(&labels) {
        let Estimate { value, interval, observations, games } = row.estimate;
        let few = if games < FEW_GAMES { " few" } else { "" };
        svg.add(format_args!("<g class=\"row{few}\">"));
        for line in label {
            words += LINE;
            let line = escaped(line);
            svg.add(format_args!("<text class=\"name\" x=\"{MARGIN}\" y=\"{words}\">{line}</text>"));
        }
        let line = words + LINE;
        svg.add(format_args!(
            "<text class=\"figure\" x=\"{}\" y=\"{words}\">{} <tspan class=\"n\">n = {}</tspan></text>",
            WIDTH - MARGIN,
            typeset(&rounded(value, 2)),
            grouped(observations)
        ));
        if let Some(Interval { low, high }) = interval {
            let (low, high) = (axis.at(low), axis.at(high));
            svg.add(format_args!("<path class=\"reach\" d=\"M{low:.1} {line}H{high:.1}\"/>"));
        }
        svg.add(format_args!(
            "<circle class=\"mean\" cx=\"{:.1}\" cy=\"{line}\" r=\"5\"/></g>",
            axis.at(value)
        ));
        words += BELOW_WORDS;
    }
    svg.closed("</svg>")
}

/// A label in lines that fit a plot, the last of which leaves room for a figure and its n. It is cut after spaces, and
/// anywhere in Chinese.
fn lines(label: &str) -> Vec<String> {
    const FIGURE: f64 = 125.0;
    const WHOLE: f64 = WIDTH - 2.0 * MARGIN;
    let mut lines = vec![String::new()];
    for word in label.split_inclusive(|letter| letter == ' ' || is_wide(letter)) {
        let line = lines.last_mut().expect("there is a first line");
        if line.is_empty() || width(line) + width(word.trim_end()) <= WHOLE {
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    if lines.last().is_some_and(|last| width(last) > WHOLE - FIGURE) {
        lines.push(String::new());
    }
    lines
}

/// About how wide a text is in the page's letters of 13 units.
fn width(text: &str) -> f64 {
    text.chars().map(|letter| if is_wide(letter) { 13.0 } else { 6.8 }).sum()
}

/// Whether a letter is as wide as it is high: Chinese, and its punctuation.
fn is_wide(letter: char) -> bool {
    letter >= '\u{2e80}'
}

/// Draws counts as bars, each with its share.
pub fn bars(bars: &[Bar], label: &str) -> String {
    const ROW: f64 = 34.0;
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1);
    let all = bars.iter().map(|bar| bar.count).sum::<u64>().max(1);
    let mut svg = open("bars", ROW * bars.len() as f64 + 6.0, label);
    for (place, bar) in bars.iter().enumerate() {
        let y = ROW * place as f64;
        let width = (WIDTH - 4.0) * bar.count as f64 / most as f64;
        let share = 100.0 * bar.count as f64 / all as f64;
        let (words, top) = (y + 14.0, y + 20.0);
        svg.add(format_args!("<text class=\"name\" x=\"2\" y=\"{words}\">{}</text>", escaped(&bar.label)));
        svg.add(format_args!(
            "<text class=\"figure\" x=\"{}\" y=\"{words}\">{} <tspan class=\"n\">{} %</tspan></text>",
            WIDTH - 2.0,
            grouped(bar.count),
            rounded(share, 1)
        ));
        svg.add(format_args!(
            "<rect class=\"bar\" x=\"2\" y=\"{top}\" width=\"{width:.1}\" height=\"7\" rx=\"3.5\"/>"
        ));
    }
    svg.closed("</svg>")
}

/// Draws cells coloured by their figure.
pub fn matrix(matrix: &Matrix, label: &str) -> String {
    const LEFT: f64 = 62.0;
    const TOP: f64 = 44.0;
    const ROW: f64 = 74.0;
    let column_width = (WIDTH - LEFT) / matrix.column_names.len() as f64;
    let values: Vec<(f64, u64)> =
        matrix.cells.iter().flatten().flatten().map(|cell| (cell.value, cell.games)).collect();
    let scale = Scale::of(&values);
    let mut svg = open("matrix", TOP + ROW * matrix.row_names.len() as f64, label);
    let middle = LEFT + (WIDTH - LEFT) / 2.0;
    svg.add(format_args!("<text class=\"side\" x=\"{middle}\" y=\"14\">{}</text>", matrix.column_title));
    let (x, y) = (14.0, TOP + ROW * matrix.row_names.len() as f64 / 2.0);
    svg.add(format_args!(
        "<text class=\"side\" transform=\"translate({x} {y}) rotate(-90)\">{}</text>",
        matrix.row_title
    ));
    for (column, name) in matrix.column_names.iter().enumerate() {
        let x = LEFT + column_width * (column as f64 + 0.5);
        svg.add(format_args!("<text class=\"name\" x=\"{x:.1}\" y=\"34\">{name}</text>"));
    }
    for (row, name) in matrix.row_names.iter().enumerate() {
        let top = TOP + ROW * row as f64;
        svg.add(format_args!("<text class=\"name\" x=\"42\" y=\"{}\">{name}</text>", top + ROW / 2.0));
        for (column, cell) in matrix.cells[row].iter().enumerate() {
            let left = LEFT + column_width * column as f64;
            let (Some(cell), Some(scale)) = (cell, &scale) else { continue };
            let few = if cell.games < FEW_GAMES { " few" } else { "" };
            svg.add(format_args!(
                "<g class=\"cell{few}\"><rect {} x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
                     rx=\"8\"/><text class=\"value\" x=\"{:.1}\" y=\"{:.1}\">{}</text><text class=\"n\" \
                     x=\"{:.1}\" y=\"{:.1}\">n = {}</text></g>",
                Tone::of(scale.place(cell.value)),
                left + 2.0,
                top + 2.0,
                column_width - 4.0,
                ROW - 4.0,
                left + column_width / 2.0,
                top + ROW / 2.0 - 9.0,
                typeset(&rounded(cell.value, 2)),
                left + column_width / 2.0,
                top + ROW / 2.0 + 14.0,
                grouped(cell.observations),
            ));
        }
    }
    svg.closed("</svg>")
}

/// The colours of a scale, with the figures at their ends and in the middle.
pub fn legend(scale: Scale, unit: &str, language: Language) -> String {
    let [low, middle, high] = [scale.low, scale.middle, scale.high].map(|value| typeset(&rounded(value, 1)));
    let mean = language.word("mean");
    format!(
        "<div class=\"legend\"><i></i><span>{low}</span>\
         <span>{mean} {middle} {unit}</span><span>{high}</span></div>"
    )
}

/// The axis over all estimates with their intervals, and the mark.
fn over(plot: &IntervalPlot, ends: [f64; 2]) -> Axis {
    let reach = |row: &IntervalRow| match row.estimate {
        Estimate { interval: Some(Interval { low, high }), games, .. } if games >= FEW_GAMES => [low, high],
        Estimate { value, .. } => [value; 2],
    };
    Axis::over(plot.rows.iter().flat_map(reach).chain([plot.mark]), ends)
}

fn open(class: &str, height: f64, label: &str) -> Markup {
    let label = escaped(label);
    Markup::opened(format_args!(
        "<svg class=\"{class}\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{label}\" \
         xmlns=\"http://www.w3.org/2000/svg\">"
    ))
}
