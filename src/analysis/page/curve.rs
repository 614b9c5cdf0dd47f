//! Curves: estimates with their intervals over what they cost.

use super::axis::Axis;
use super::text::{Markup, escaped};
use crate::analysis::figure::{Curve, CurvePlot, CurvePoint};
use crate::analysis::stats::{Estimate, Interval};
use crate::analysis::table::{rounded, typeset};

const WIDTH: f64 = 640.0;
/// The part of the picture with the curves: left, top, right, bottom.
const FRAME: [f64; 4] = [56.0, 34.0, 620.0, 330.0];
/// From one name of a curve to the next, below the picture.
const ROW: f64 = 20.0;
/// The classes of colours that curves take one after the other.
const COLORS: usize = 6;

/// Draws each curve through its points, each on its interval.
pub fn curves(plot: &CurvePlot, label: &str) -> String {
    let [left, top, right, bottom] = FRAME;
    let points = || plot.curves.iter().flat_map(|curve| &curve.points);
    let across = Axis::over(points().map(|point| point.cost).chain([0.0]), [left, right]);
    let up = Axis::over(points().flat_map(|point| reach(&point.estimate)).chain([0.0]), [bottom, top]);
    let height = bottom + 56.0 + ROW * plot.curves.len() as f64;
    let mut svg = Markup::opened(format_args!(
        "<svg class=\"curves\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\" \
         xmlns=\"http://www.w3.org/2000/svg\">",
        escaped(label)
    ));
    for tick in up.ticks() {
        let (y, class) = (up.at(tick), if tick == 0.0 { "mark" } else { "grid" });
        svg.add(format_args!("<path class=\"{class}\" d=\"M{left} {y:.1}H{right}\"/>"));
        let name = typeset(&rounded(tick, up.decimals()));
        svg.add(format_args!(
            "<text class=\"tick up\" x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
            left - 8.0,
            y + 4.0
        ));
    }
    for tick in across.ticks() {
        let (x, name) = (across.at(tick), typeset(&rounded(tick, across.decimals())));
        svg.add(format_args!("<text class=\"tick\" x=\"{x:.1}\" y=\"{}\">{name}</text>", bottom + 18.0));
    }
    let (middle, below) = ((left + right) / 2.0, bottom + 38.0);
    svg.add(format_args!("<text class=\"title\" x=\"8\" y=\"18\">{}</text>", escaped(&plot.title)));
    svg.add(format_args!("<text class=\"tick\" x=\"{middle}\" y=\"{below}\">{}</text>", escaped(plot.unit)));
    for (place, curve) in plot.curves.iter().enumerate() {
        draw(&mut svg, curve, &across, &up, place);
    }
    svg.closed("</svg>")
}

fn draw(svg: &mut Markup, curve: &Curve, across: &Axis, up: &Axis, place: usize) {
    let at = |point: &CurvePoint| (across.at(point.cost), up.at(point.estimate.value));
    svg.add(format_args!("<g class=\"color{}\"><path class=\"line\" d=\"", place % COLORS));
    for (step, point) in curve.points.iter().enumerate() {
        let (x, y) = at(point);
        svg.add(format_args!("{}{x:.1} {y:.1}", if step == 0 { "M" } else { "L" }));
    }
    svg.add(format_args!("\"/>"));
    for point in &curve.points {
        let (x, y) = at(point);
        let [low, high] = reach(&point.estimate).map(|end| up.at(end));
        svg.add(format_args!(
            "<path class=\"reach\" d=\"M{x:.1} {low:.1}V{high:.1}\"/>\
             <circle class=\"mean\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"><title>{}</title></circle>",
            escaped(&point.name)
        ));
    }
    let (left, y) = (FRAME[0], FRAME[3] + 62.0 + ROW * place as f64);
    svg.add(format_args!(
        "<path class=\"line\" d=\"M{left} {:.1}h24\"/><text class=\"name\" x=\"{}\" y=\"{y}\">{}</text></g>",
        y - 5.0,
        left + 32.0,
        escaped(&curve.name)
    ));
}

/// The ends of an estimate's interval; the estimate itself where it has none.
fn reach(estimate: &Estimate) -> [f64; 2] {
    estimate.interval.map_or([estimate.value; 2], |Interval { low, high }| [low, high])
}
