//! How near the search comes to exact values as its visits grow: what `docs/error_curve.tsv` holds, and
//! `docs/error_curve_gumbel.svg` and `docs/error_curve_puct.svg` draw.
//!
//!     cargo run --release --example error_curve -- docs
//!
//! Searches every solved position of `tests/data` with the evaluator `uniform`, under five seeds. Run from the
//! folder of the crate, which the tables' rule sets are relative to.

#[expect(dead_code, reason = "shared with the tests, which use all of it")]
#[path = "../tests/search/solved.rs"]
mod solved;

use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;

use facedown::game::Game;
use facedown::search::RootRule;
use rayon::prelude::*;
use solved::{Attempt, Solved};

const VISITS: [u32; 12] = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000];
const SEEDS: u64 = 5;

/// What one game's positions say of one number of visits.
struct Point {
    visits: u32,
    median: f32,
    /// Nine attempts in ten are not farther off.
    ninth: f32,
    most: f32,
    /// The share of attempts that would play one of the best moves.
    right: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("expected the folder to write to")?);
    let mut table = "search\tgame\tvisits\tmedian\tninth\tmost\tright\n".to_owned();
    for (search, rule) in [("gumbel", RootRule::Gumbel), ("puct", RootRule::Puct)] {
        let curves = [("jieqi", curve(&solved::jieqi(), rule)), ("banqi", curve(&solved::banqi(), rule))];
        for (game, points) in &curves {
            for Point { visits, median, ninth, most, right } in points {
                let figures = format!("{median:.6}\t{ninth:.6}\t{most:.6}\t{right:.4}");
                writeln!(table, "{search}\t{game}\t{visits}\t{figures}")?;
            }
        }
        std::fs::write(folder.join(format!("error_curve_{search}.svg")), plot(&curves)?)?;
    }
    std::fs::write(folder.join("error_curve.tsv"), table)?;
    Ok(())
}

fn curve<G: Game>(positions: &[Solved<G>], rule: RootRule) -> Vec<Point> {
    let point = |visits| {
        let tries =
            positions.par_iter().flat_map_iter(|position| (0..SEEDS).map(move |seed| (position, seed)));
        let attempts: Vec<Attempt> =
            tries.map(|(position, seed)| position.search(rule, visits, seed)).collect();
        let mut errors: Vec<f32> = attempts.iter().map(|attempt| attempt.error).collect();
        errors.sort_by(f32::total_cmp);
        let right = attempts.iter().filter(|attempt| attempt.right).count();
        let at = |share: f32| errors[((errors.len() - 1) as f32 * share) as usize];
        Point {
            visits,
            median: at(0.5),
            ninth: at(0.9),
            most: at(1.0),
            right: right as f64 / errors.len() as f64,
        }
    };
    VISITS.into_iter().map(point).collect()
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
/// The part of the picture with the curves: left, top, right, bottom.
const FRAME: [f64; 4] = [70.0, 30.0, 560.0, 370.0];
/// The powers of ten at the ends of the axis of errors. Smaller errors, and none, are drawn at the lower end.
const ERRORS: [f64; 2] = [-4.0, 0.0];
/// What the search is held to after 20,000 visits.
const ASKED: f64 = 0.01;
/// What the curves show, and their dashes.
const LINES: [(&str, &str); 3] = [("median", "7 4"), ("nine in ten", ""), ("all", "1 3")];
const COLORS: [&str; 2] = ["#b3261e", "#1f5fa8"];

fn x(visits: f64) -> f64 {
    let [left, _, right, _] = FRAME;
    left + (right - left) * (visits.log10() - 1.0) / (f64::from(VISITS[VISITS.len() - 1]).log10() - 1.0)
}

fn y(error: f64) -> f64 {
    let ([_, top, _, bottom], [low, high]) = (FRAME, ERRORS);
    bottom - (bottom - top) * (error.log10().max(low) - low) / (high - low)
}

fn plot(curves: &[(&str, Vec<Point>)]) -> Result<String, std::fmt::Error> {
    let [left, top, right, bottom] = FRAME;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<title>Error of the search's value against visits</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let mut line = |x: [f64; 2], y: [f64; 2], style: &str| {
        let ([x1, x2], [y1, y2]) = (x, y);
        writeln!(svg, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>")
    };
    for power in 0..=4 {
        let at = y(10_f64.powi(-power));
        line([left, right], [at, at], "stroke=\"#ddd\"")?;
    }
    line([left, right], [y(ASKED), y(ASKED)], "stroke=\"#666\" stroke-dasharray=\"2 4\"")?;
    let mut text = |x: f64, y: f64, anchor: &str, color: &str, words: &str| {
        writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{color}\">{words}</text>"
        )
    };
    for (power, label) in ["1", "0.1", "0.01", "0.001", "0.0001 or less"].iter().enumerate() {
        let (first, rest) = label.split_once(' ').unwrap_or((label, ""));
        let at = y(10_f64.powi(-(power as i32)));
        text(left - 8.0, at + 4.0, "end", "#333", first)?;
        text(left - 8.0, at + 18.0, "end", "#333", rest)?;
    }
    for visits in [10, 100, 1_000, 10_000] {
        text(x(f64::from(visits)), bottom + 20.0, "middle", "#333", &visits.to_string())?;
    }
    text((left + right) / 2.0, bottom + 40.0, "middle", "#333", "visits")?;
    text(left, top - 12.0, "start", "#333", "distance of the value from the exact one")?;
    for ((game, points), color) in curves.iter().zip(COLORS) {
        for (place, (name, dashes)) in LINES.into_iter().enumerate() {
            let path: Vec<_> = points
                .iter()
                .map(|point| (point.visits, [point.median, point.ninth, point.most][place]))
                .map(|(visits, error)| format!("{:.1},{:.1}", x(f64::from(visits)), y(f64::from(error))))
                .collect();
            writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" \
                 stroke-dasharray=\"{dashes}\"><title>{game}: {name}</title></polyline>",
                path.join(" ")
            )?;
        }
    }
    svg += &legend(curves.iter().map(|&(game, _)| game))?;
    svg += "</svg>\n";
    Ok(svg)
}

fn legend<'a>(games: impl Iterator<Item = &'a str>) -> Result<String, std::fmt::Error> {
    let mut svg = String::new();
    let mut at = FRAME[1] + 10.0;
    for (game, color) in games.zip(COLORS) {
        for (name, dashes) in LINES {
            let (start, end, text) = (FRAME[2] + 14.0, FRAME[2] + 44.0, FRAME[2] + 52.0);
            writeln!(
                svg,
                "<line x1=\"{start}\" y1=\"{at}\" x2=\"{end}\" y2=\"{at}\" stroke=\"{color}\" stroke-width=\"2\" \
                 stroke-dasharray=\"{dashes}\"/>\n<text x=\"{text}\" y=\"{:.1}\" fill=\"#333\">{game}: {name}</text>",
                at + 4.0
            )?;
            at += 22.0;
        }
    }
    Ok(svg)
}
