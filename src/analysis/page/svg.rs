//! Boards as SVG: the lines of a real board, figures on its points, arrows between them.

use super::text::{Markup, Tone, escaped};
use crate::analysis::board::{Board, Point};
use crate::analysis::figure::{Arrow, BoardMap, FEW_GAMES, Scale, Spot};
use crate::analysis::table::{rounded, typeset};

/// Between two points, in SVG units.
const STEP: f64 = 44.0;
/// From the edge of the picture to the outermost points.
const MARGIN: f64 = 34.0;
/// Of a piece.
const RADIUS: f64 = 19.0;
/// Of the number at the end of an arrow.
const BADGE: f64 = 12.0;

/// Draws the board with what `map` puts on it; `label` names it for those who do not see it.
pub fn board(map: &BoardMap, label: &str) -> String {
    let canvas = Canvas::of(map.board);
    let mut svg = canvas.open(label);
    canvas.lines(&mut svg);
    canvas.coordinates(&mut svg);
    canvas.pieces(&mut svg, &map.spots);
    let values: Vec<(f64, u64)> = map.spots.iter().map(|spot| (spot.value, spot.games)).collect();
    if let Some(scale) = Scale::of(&values) {
        for spot in &map.spots {
            canvas.spot(&mut svg, spot, &scale);
        }
    }
    map.arrows.iter().for_each(|arrow| canvas.arrow(&mut svg, arrow));
    // Badges lie above all arrows, the best one's above the others'.
    map.arrows.iter().rev().for_each(|arrow| canvas.badge(&mut svg, arrow));
    svg.closed("</svg>")
}

/// The bare board, with places for men and for the trace of a move that a script puts there.
pub fn stage(board: Board, label: &str) -> String {
    let canvas = Canvas::of(board);
    let mut svg = canvas.open(label);
    canvas.lines(&mut svg);
    canvas.coordinates(&mut svg);
    svg.closed("<g class=\"men\"></g><g class=\"trace\"></g></svg>")
}

/// The way from point to point, from the left and lower edges to the first point, and the height.
pub fn measures(board: Board) -> (f64, f64, f64) {
    (STEP, MARGIN, Canvas::of(board).height)
}

struct Canvas {
    board: Board,
    width: f64,
    height: f64,
}

impl Canvas {
    fn of(board: Board) -> Self {
        let (files, ranks) = board.size();
        let side = |points: u8| 2.0 * MARGIN + STEP * f64::from(points - 1);
        Self { board, width: side(files), height: side(ranks) }
    }

    fn open(&self, label: &str) -> Markup {
        let Self { width, height, .. } = self;
        Markup::opened(format_args!(
            "<svg class=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\" \
             xmlns=\"http://www.w3.org/2000/svg\"><rect class=\"wood\" width=\"{width}\" height=\"{height}\" \
             rx=\"10\"/>",
            escaped(label)
        ))
    }

    /// Where a point lies, rank 0 below.
    fn at(&self, point: Point) -> (f64, f64) {
        let x = MARGIN + STEP * f64::from(point.file);
        (x, self.height - MARGIN - STEP * f64::from(point.rank))
    }

    fn line(&self, svg: &mut Markup, from: Point, to: Point) {
        let ((x1, y1), (x2, y2)) = (self.at(from), self.at(to));
        svg.add(format_args!("M{x1} {y1}L{x2} {y2}"));
    }

    /// The grid, broken at the river, the palaces, and the marks where soldiers and cannons stand.
    fn lines(&self, svg: &mut Markup) {
        let point = |file, rank| Point { file, rank };
        let (files, ranks) = self.board.size();
        svg.add(format_args!("<path class=\"lines\" d=\""));
        match self.board {
            Board::Xiangqi => {
                (0..ranks).for_each(|rank| self.line(svg, point(0, rank), point(files - 1, rank)));
                for file in 0..files {
                    let crosses = file == 0 || file == files - 1;
                    let spans: &[(u8, u8)] = if crosses { &[(0, 9)] } else { &[(0, 4), (5, 9)] };
                    spans.iter().for_each(|&(low, high)| self.line(svg, point(file, low), point(file, high)));
                }
                for (low, high) in [(0, 2), (7, 9)] {
                    self.line(svg, point(3, low), point(5, high));
                    self.line(svg, point(3, high), point(5, low));
                }
                let soldiers =
                    [3, 6].into_iter().flat_map(|rank| (0..files).step_by(2).map(move |f| point(f, rank)));
                let cannons = [2, 7].into_iter().flat_map(|rank| [1, 7].map(|file| point(file, rank)));
                soldiers.chain(cannons).for_each(|point| self.mark(svg, point));
            }
            Board::Half => self.squares(svg),
        }
        svg.add(format_args!("\"/>"));
        match self.board {
            Board::Xiangqi => {
                let y = self.height / 2.0;
                for (x, name) in [(0.3, "楚 河"), (0.7, "漢 界")] {
                    let x = self.width * x;
                    svg.add(format_args!("<text class=\"river\" x=\"{x}\" y=\"{y}\">{name}</text>"));
                }
            }
            Board::Half => {}
        }
    }

    /// The lines around squares whose middles are the points.
    fn squares(&self, svg: &mut Markup) {
        let (files, ranks) = self.board.size();
        let edge = MARGIN - STEP / 2.0;
        let (right, below) = (self.width - edge, self.height - edge);
        (0..=files).map(|file| edge + STEP * f64::from(file)).for_each(|x| {
            svg.add(format_args!("M{x} {edge}V{below}"));
        });
        (0..=ranks).map(|rank| edge + STEP * f64::from(rank)).for_each(|y| {
            svg.add(format_args!("M{edge} {y}H{right}"));
        });
    }

    /// Four small corners around a point.
    fn mark(&self, svg: &mut Markup, point: Point) {
        let (x, y) = self.at(point);
        for side in [-1.0, 1.0] {
            let outside = if side < 0.0 { point.file == 0 } else { point.file + 1 == self.board.size().0 };
            if outside {
                continue;
            }
            let (near, far) = (x + side * 4.0, x + side * 10.0);
            for (near_y, far_y) in [(y - 4.0, y - 10.0), (y + 4.0, y + 10.0)] {
                svg.add(format_args!("M{far} {near_y}H{near}V{far_y}"));
            }
        }
    }

    fn coordinates(&self, svg: &mut Markup) {
        let (files, ranks) = self.board.size();
        for file in 0..files {
            let (x, y) = self.at(Point { file, rank: 0 });
            let (y, name) = (y + MARGIN - 8.0, char::from(b'a' + file));
            svg.add(format_args!("<text class=\"coordinate\" x=\"{x}\" y=\"{y}\">{name}</text>"));
        }
        for rank in 0..ranks {
            let (x, y) = self.at(Point { file: 0, rank });
            let x = x - MARGIN + 8.0;
            let digit = char::from(self.board.first_rank() + rank);
            svg.add(format_args!("<text class=\"coordinate\" x=\"{x}\" y=\"{y}\">{digit}</text>"));
        }
    }

    /// The pieces of the start, faint, where no figure stands.
    fn pieces(&self, svg: &mut Markup, spots: &[Spot]) {
        let free = |point: &Point| spots.iter().all(|spot| spot.point != *point);
        let own = self.board.homes();
        let enemy: Vec<Point> = own.iter().map(|&home| self.board.seen_from(1, home)).collect();
        let sides = match self.board {
            Board::Xiangqi => vec![("own", own), ("enemy", enemy)],
            Board::Half => vec![("nobody", own)],
        };
        for (side, homes) in sides {
            for (x, y) in homes.into_iter().filter(free).map(|point| self.at(point)) {
                svg.add(format_args!("<circle class=\"lid {side}\" cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\"/>"));
            }
        }
        match self.board {
            Board::Xiangqi => {
                for (side, name, rank) in [("own", "帥", 0), ("enemy", "將", 9)] {
                    let point = Point { file: 4, rank };
                    if free(&point) {
                        self.king(svg, side, name, point);
                    }
                }
            }
            Board::Half => {}
        }
    }

    fn king(&self, svg: &mut Markup, side: &str, name: &str, point: Point) {
        let (x, y) = self.at(point);
        svg.add(format_args!(
            "<circle class=\"king {side}\" cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\"/>\
             <text class=\"king {side}\" x=\"{x}\" y=\"{y}\">{name}</text>"
        ));
    }

    fn spot(&self, svg: &mut Markup, spot: &Spot, scale: &Scale) {
        let (x, y) = self.at(spot.point);
        let tone = Tone::of(scale.place(spot.value));
        let few = if spot.games < FEW_GAMES { " few" } else { "" };
        svg.add(format_args!(
            "<g class=\"spot{few}\"><title>{}</title><circle class=\"under\" cx=\"{x}\" cy=\"{y}\" \
             r=\"{RADIUS}\"/><circle {tone} cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\"/>\
             <text x=\"{x}\" y=\"{y}\">{}</text></g>",
            escaped(&spot.tip),
            typeset(&rounded(spot.value, 1)),
        ));
    }

    /// An arrow that stays where it is has a badge alone.
    fn arrow(&self, svg: &mut Markup, arrow: &Arrow) {
        if arrow.from == arrow.to {
            return;
        }
        let ((x1, y1), (x2, y2)) = (self.at(arrow.from), self.at(arrow.to));
        let length = (x2 - x1).hypot(y2 - y1);
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        // From the piece's edge to the badge's, with a head as long as it is wide.
        let (sx, sy) = (x1 + dx * RADIUS, y1 + dy * RADIUS);
        let (tx, ty) = (x2 - dx * BADGE, y2 - dy * BADGE);
        let (hx, hy) = (tx - dx * 11.0, ty - dy * 11.0);
        let (wx, wy) = (-dy * 6.5, dx * 6.5);
        svg.add(format_args!(
            "<path class=\"shaft\" d=\"M{sx:.1} {sy:.1}L{hx:.1} {hy:.1}\"/><path class=\"head\" d=\"M{tx:.1} \
             {ty:.1}L{:.1} {:.1}L{:.1} {:.1}Z\"/>",
            hx + wx,
            hy + wy,
            hx - wx,
            hy - wy,
        ));
    }

    fn badge(&self, svg: &mut Markup, arrow: &Arrow) {
        let ((x, y), rank) = (self.at(arrow.to), arrow.rank);
        svg.add(format_args!(
            "<g><title>{}</title><circle class=\"badge\" cx=\"{x}\" cy=\"{y}\" r=\"{BADGE}\"/><text class=\"badge\" \
             x=\"{x}\" y=\"{y}\">{rank}</text></g>",
            escaped(&arrow.tip),
        ));
    }
}
