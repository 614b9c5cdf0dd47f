//! Figures as data: what is drawn, before anything is drawn.

use std::collections::BTreeMap;

use super::board::{Board, Point};
use super::samples::{Games, SampleGame};
use super::scale::{figure, spread};
use super::stats::{ClusteredMean, Estimate};

/// A figure resting on fewer games is drawn faint and printed grey.
pub const FEW_GAMES: u64 = 30;

/// A picture with its words.
#[derive(Debug, Clone)]
pub struct Figure {
    pub title: String,
    pub caption: String,
    pub drawing: Drawing,
}

#[derive(Debug, Clone)]
pub enum Drawing {
    Board(BoardMap),
    Intervals(IntervalPlot),
    Bars(Vec<Bar>),
    Matrix(Matrix),
    Games(Games),
}

impl Drawing {
    /// The games it shows.
    pub fn games(&self) -> &[SampleGame] {
        match self {
            Drawing::Games(games) => &games.games,
            _ => &[],
        }
    }

    /// The scale its colours are on, and its unit; none where colours say nothing.
    pub fn scale(&self) -> Option<(Scale, &'static str)> {
        let (values, unit): (Vec<_>, _) = match self {
            Drawing::Board(map) => {
                (map.spots.iter().map(|spot| (spot.value, spot.games)).collect(), map.unit)
            }
            Drawing::Matrix(matrix) => {
                let cells = matrix.cells.iter().flatten().flatten();
                (cells.map(|cell| (cell.value, cell.games)).collect(), matrix.unit)
            }
            Drawing::Intervals(_) | Drawing::Bars(_) | Drawing::Games(_) => return None,
        };
        Some((Scale::of(&values)?, unit))
    }
}

/// A board with figures on its points, or arrows between them.
#[derive(Debug, Clone)]
pub struct BoardMap {
    pub board: Board,
    pub spots: Vec<Spot>,
    pub arrows: Vec<Arrow>,
    /// `%` or `points`.
    pub unit: &'static str,
}

/// A figure on a point of the board.
#[derive(Debug, Clone)]
pub struct Spot {
    pub point: Point,
    pub value: f64,
    pub games: u64,
    /// The figure in full.
    pub tip: String,
}

/// A move on the board, numbered.
#[derive(Debug, Clone)]
pub struct Arrow {
    pub from: Point,
    pub to: Point,
    pub rank: usize,
    pub tip: String,
}

/// Estimates under one another, on one axis.
#[derive(Debug, Clone)]
pub struct IntervalPlot {
    pub rows: Vec<IntervalRow>,
    pub unit: &'static str,
    /// The value that means no difference; the axis shows it.
    pub mark: f64,
}

#[derive(Debug, Clone)]
pub struct IntervalRow {
    pub label: String,
    pub estimate: Estimate,
}

/// Estimates over what they cost, with a line through those of one course.
#[derive(Debug, Clone)]
pub struct CurvePlot {
    /// What the estimates are.
    pub title: String,
    pub curves: Vec<Curve>,
    /// Of the costs.
    pub unit: &'static str,
}

#[derive(Debug, Clone)]
pub struct Curve {
    pub name: String,
    /// In the order of their costs.
    pub points: Vec<CurvePoint>,
}

#[derive(Debug, Clone)]
pub struct CurvePoint {
    pub name: String,
    pub cost: f64,
    pub estimate: Estimate,
}

/// A count with its name.
#[derive(Debug, Clone)]
pub struct Bar {
    pub label: String,
    pub count: u64,
}

/// Figures by two properties.
#[derive(Debug, Clone)]
pub struct Matrix {
    pub row_title: &'static str,
    pub row_names: Vec<&'static str>,
    pub column_title: &'static str,
    pub column_names: Vec<&'static str>,
    /// By row, then column.
    pub cells: Vec<Vec<Option<Estimate>>>,
    pub unit: &'static str,
}

impl Spot {
    /// The spots of `squares` and of their mirror images.
    pub fn mirrored(board: Board, squares: &BTreeMap<Point, ClusteredMean>, unit: &str) -> Vec<Self> {
        let mut spots = Vec::with_capacity(2 * squares.len());
        for (&point, mean) in squares {
            let Some(estimate) = mean.estimate() else { continue };
            for point in board.images(point) {
                let value = figure(estimate.value, 2, unit);
                let spread = spread(estimate.interval, 2, unit, estimate.games, "games");
                let tip = format!("{}: {value} ({spread})", board.name(point));
                spots.push(Spot { point, value: estimate.value, games: estimate.games, tip });
            }
        }
        spots
    }
}

/// Where values stand among their kin: from -1, far below the middle one, to 1, far above it.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    pub low: f64,
    pub middle: f64,
    pub high: f64,
}

impl Scale {
    /// The scale of `values`, each with the games behind it: the middle is their mean weighted by games,
    /// the ends are as far from it as the farthest value that rests on enough games. None without a value.
    pub fn of(values: &[(f64, u64)]) -> Option<Self> {
        let games: u64 = values.iter().map(|&(_, games)| games).sum();
        if games == 0 {
            return None;
        }
        let middle = values.iter().map(|&(value, n)| value * n as f64).sum::<f64>() / games as f64;
        let reach = |least: u64| {
            let enough = values.iter().filter(|&&(_, games)| games >= least);
            enough.map(|&(value, _)| (value - middle).abs()).fold(0.0, f64::max)
        };
        let reach = Some(reach(FEW_GAMES)).filter(|&reach| reach > 0.0).unwrap_or_else(|| reach(0));
        Some(Self { low: middle - reach, middle, high: middle + reach })
    }

    pub fn place(&self, value: f64) -> f64 {
        let reach = self.high - self.middle;
        if reach > 0.0 { ((value - self.middle) / reach).clamp(-1.0, 1.0) } else { 0.0 }
    }
}
