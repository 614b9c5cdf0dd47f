//! Turning pieces up where they stand: what a flip is worth by its square, its neighbours and what is left in
//! the pool, and whether to flip at all.
//!
//! Only games whose face-down pieces are nobody's have such flips. In one position every flip a search looked
//! at is held against the best other move.

use std::collections::BTreeMap;

use super::board::{Board, Point};
use super::figure::{BoardMap, Drawing, Figure, IntervalPlot, IntervalRow, Spot};
use super::placement::Placement;
use super::report::{Headline, Report, Section, Setup};
use super::rows::{Kind, PlyRow, Reads};
use super::scale::{figure, points, spread};
use super::stats::{ClusteredMean, ClusteredShare, Estimate};
use super::table::{Columns, Row, Table};

/// Bounds of the bands of face-down pieces left, each the least of its band.
const BANDS: [u8; 5] = [1, 5, 9, 17, 25];

/// How the mover's part of the pool compares with the opponent's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Balance {
    Fewer,
    Even,
    More,
}

impl Balance {
    /// Even as long as neither has a tenth of the pool more.
    fn of(own: &[u8], enemy: &[u8]) -> Self {
        let sum = |pool: &[u8]| pool.iter().map(|&count| i32::from(count)).sum::<i32>();
        let (own, enemy) = (sum(own), sum(enemy));
        match 10 * (own - enemy) {
            lead if lead > own + enemy => Self::More,
            lead if -lead > own + enemy => Self::Fewer,
            _ => Self::Even,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Fewer => "fewer own",
            Self::Even => "even",
            Self::More => "more own",
        }
    }
}

/// Face-up neighbours of a square, own and enemy, as far as the tables tell counts apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Neighbours {
    own: u8,
    enemy: u8,
}

impl Neighbours {
    const MOST: u8 = 2;

    fn words(count: u8) -> String {
        if count == Self::MOST { format!("{count}+") } else { count.to_string() }
    }
}

/// What is kept of flips in place.
#[derive(Debug, Clone)]
pub struct Flips {
    board: Board,
    /// Points against the best other move.
    all: ClusteredMean,
    squares: BTreeMap<Point, ClusteredMean>,
    neighbours: BTreeMap<Neighbours, ClusteredMean>,
    pools: BTreeMap<(u8, Balance), ClusteredMean>,
    turns: BTreeMap<u8, Turns>,
}

/// Positions in which one could flip or move.
#[derive(Debug, Clone, Default)]
struct Turns {
    /// Whether a flip was played.
    flipped: ClusteredShare,
    /// The best flip less the best move, points.
    lead: ClusteredMean,
}

impl Report for Flips {
    const READS: Reads = Reads { candidates: true, outcomes: false, views: true, tactics: false };
    const ONLY: Option<Board> = Some(Board::Half);

    fn new(setup: &Setup) -> Self {
        Self {
            board: setup.board,
            all: ClusteredMean::default(),
            squares: BTreeMap::new(),
            neighbours: BTreeMap::new(),
            pools: BTreeMap::new(),
            turns: BTreeMap::new(),
        }
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        if ply.source().is_some() {
            self.absorb_flips(ply);
            self.absorb_turn(ply);
        }
    }

    fn merge(&mut self, later: Self) {
        self.all.merge(later.all);
        merge(&mut self.squares, later.squares);
        merge(&mut self.neighbours, later.neighbours);
        merge(&mut self.pools, later.pools);
        for (band, turns) in later.turns {
            let known = self.turns.entry(band).or_default();
            known.flipped.merge(turns.flipped);
            known.lead.merge(turns.lead);
        }
    }

    fn finish(self) -> Vec<Section> {
        vec![Section {
            name: "flips",
            title: "Flips",
            headlines: self.headline().into_iter().collect(),
            figures: vec![self.board_figure(), self.neighbours_figure(), self.turns_figure()],
            tables: vec![
                self.neighbours_table(),
                self.pools_table(),
                self.turns_table(),
                self.squares_table().folded(),
            ],
            notes: notes(),
        }]
    }
}

fn merge<K: Ord>(known: &mut BTreeMap<K, ClusteredMean>, later: BTreeMap<K, ClusteredMean>) {
    for (key, mean) in later {
        known.entry(key).or_default().merge(mean);
    }
}

impl Flips {
    fn absorb_flips(&mut self, ply: &PlyRow<'_>) {
        let flips = ply.counted_candidates().filter(|candidate| candidate.kind == Kind::Flip);
        for flip in flips {
            let others = ply.counted_candidates().filter(|other| other.mv != flip.mv).map(|other| other.q);
            let (Some(best_other), Some((at, _))) = (others.reduce(f32::max), self.board.points(flip.mv))
            else {
                continue;
            };
            let gain = points(best_other, flip.q);
            self.all.observe(ply.game_id, gain);
            self.squares.entry(self.board.merged(at)).or_default().observe(ply.game_id, gain);
            let pool = (band(ply.face_down_left), Balance::of(ply.pool_own, ply.pool_enemy));
            self.pools.entry(pool).or_default().observe(ply.game_id, gain);
            if let Some(neighbours) = neighbours(self.board, ply.view, at) {
                self.neighbours.entry(neighbours).or_default().observe(ply.game_id, gain);
            }
        }
    }

    fn absorb_turn(&mut self, ply: &PlyRow<'_>) {
        let best = |flip: bool| {
            let candidates = ply.counted_candidates().filter(|c| (c.kind == Kind::Flip) == flip);
            candidates.map(|candidate| candidate.q).reduce(f32::max)
        };
        if let (Some(flip), Some(mv)) = (best(true), best(false)) {
            let turns = self.turns.entry(band(ply.face_down_left)).or_default();
            turns.lead.observe(ply.game_id, points(mv, flip));
            if !ply.explored {
                turns.flipped.observe(ply.game_id, ply.kind == Kind::Flip);
            }
        }
    }

    fn headline(&self) -> Option<Headline> {
        let all = self.all.estimate()?;
        Some(Headline {
            label: "a flip against the best other move".into(),
            figure: figure(all.value, 1, "points"),
            detail: spread(all.interval, 1, "points", all.observations, "flips"),
        })
    }

    fn squares_table(&self) -> Table {
        let columns = cost_columns(Columns::default().plain("square", "square"));
        let rows = self.squares.iter().filter_map(|(&point, cost)| {
            Some(cost_row(Row::default().text(self.board.name(point)), cost.estimate()?))
        });
        Table::new("flips_squares", "Flips by square, mirror images merged", columns, rows.collect())
    }

    fn neighbours_table(&self) -> Table {
        let columns = cost_columns(
            Columns::default().plain("own", "own beside it").plain("enemy", "enemies beside it"),
        );
        let rows = self.neighbours.iter().filter_map(|(beside, cost)| {
            let row =
                Row::default().text(Neighbours::words(beside.own)).text(Neighbours::words(beside.enemy));
            Some(cost_row(row, cost.estimate()?))
        });
        Table::new("flips_neighbours", "Flips by the face-up pieces beside them", columns, rows.collect())
    }

    fn pools_table(&self) -> Table {
        let columns =
            cost_columns(Columns::default().plain("left", "face down").plain("balance", "of these"));
        let rows = self.pools.iter().filter_map(|(&(left, balance), cost)| {
            Some(cost_row(Row::default().text(band_name(left)).text(balance.name()), cost.estimate()?))
        });
        Table::new("flips_pool", "Flips by what is left in the pool", columns, rows.collect())
    }

    fn turns_table(&self) -> Table {
        let columns = Columns::default()
            .plain("left", "face down")
            .plain("positions", "positions")
            .plain("games", "games")
            .estimate("flipped", "flip played", "%", 1, "")
            .estimate("points", "best flip less best move", "points", 2, "points");
        let rows = self.turns.iter().filter_map(|(&left, turns)| {
            let lead = turns.lead.estimate()?;
            let flipped = turns.flipped.percent();
            Some(Row::default().text(band_name(left)).counts(&lead).estimate(flipped).estimate(Some(lead)))
        });
        Table::new("flips_turns", "Flip or move, where there is a choice", columns, rows.collect())
    }

    fn board_figure(&self) -> Figure {
        Figure {
            title: "What a flip costs by its square".into(),
            caption: format!(
                "Every flip that a full search looked at, against the best other move in the same position, in \
                 points. Mirror images share their figure; faint ones rest on few games.{}",
                self.board.seats()
            ),
            drawing: Drawing::Board(BoardMap {
                board: self.board,
                spots: Spot::mirrored(self.board, &self.squares, "points"),
                arrows: Vec::new(),
                unit: "points",
            }),
        }
    }

    fn neighbours_figure(&self) -> Figure {
        let rows = self.neighbours.iter().filter_map(|(beside, cost)| {
            let label =
                format!("{} own, {} enemy", Neighbours::words(beside.own), Neighbours::words(beside.enemy));
            Some(IntervalRow { label, estimate: cost.estimate()? })
        });
        Figure {
            title: "What a flip costs by the pieces beside it".into(),
            caption:
                "Flips against the best other move, by face-up neighbours. n counts flips; bars are 95 % \
                      intervals between games."
                    .into(),
            drawing: Drawing::Intervals(IntervalPlot { rows: rows.collect(), unit: "points", mark: 0.0 }),
        }
    }

    fn turns_figure(&self) -> Figure {
        let rows = self.turns.iter().filter_map(|(&left, turns)| {
            let label = format!("{} face down", band_name(left));
            Some(IntervalRow { label, estimate: turns.lead.estimate()? })
        });
        Figure {
            title: "Flip or move?".into(),
            caption: "The best flip less the best move in one position, by pieces left face down. n counts \
                      positions; bars are 95 % intervals between games."
                .into(),
            drawing: Drawing::Intervals(IntervalPlot { rows: rows.collect(), unit: "points", mark: 0.0 }),
        }
    }
}

fn cost_columns(columns: Columns) -> Columns {
    let columns = columns.plain("flips", "flips").defined("counted").plain("games", "games");
    columns.estimate("points", "against best other", "points", 2, "cost")
}

fn cost_row(row: Row, cost: Estimate) -> Row {
    row.counts(&cost).estimate(Some(cost))
}

/// The band that so many face-down pieces belong to, by its place in [`BANDS`].
fn band(left: u8) -> u8 {
    BANDS.iter().rposition(|&least| least <= left).unwrap_or(0) as u8
}

fn band_name(band: u8) -> String {
    let place = usize::from(band);
    let most = BANDS.get(place + 1).map_or(32, |next| next - 1);
    format!("{} to {most}", BANDS[place])
}

/// The face-up neighbours of `at`; none if the view is no position.
fn neighbours(board: Board, view: &str, at: Point) -> Option<Neighbours> {
    let placement = Placement::read(board, view)?;
    let beside = |of: fn(&Placement, Point) -> Option<u8>| {
        let count = placement.beside(at).filter(|&point| of(&placement, point).is_some()).count();
        (count as u8).min(Neighbours::MOST)
    };
    Some(Neighbours { own: beside(Placement::own), enemy: beside(Placement::enemy) })
}

fn notes() -> Vec<String> {
    vec![
        "Every value is the search's, and so conditional on the evaluator behind it. A search visits what looks \
         good: flips that look bad are missing or judged from few looks, but in audited rows."
            .into(),
        "The best of several noisy values is on average too high, so a flip looks worse against the best other \
         move than it is; compare rows with each other, and the more moves there were, the less."
            .into(),
        "What turns up may be the opponent's, and the opponent moves next: a flip may cost even where none of \
         the own pieces is in danger."
            .into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_counted_for_the_mover_and_not_beyond_two() {
        let at = |file, rank| Point { file, rank };
        let of = |view, point| {
            let found = neighbours(Board::Half, view, point).expect("a position");
            (found.own, found.enemy)
        };
        let view = "8/1N?n4/1?R5/1P6 b P1n1 3";
        assert_eq!(of(view, at(2, 2)), (1, 2));
        assert_eq!(of(view, at(1, 1)), (0, 2));
        assert_eq!(of(view, at(7, 3)), (0, 0));
        let view = "8/1N?n4/1?R5/1P6 w P1n1 3";
        assert_eq!(of(view, at(2, 2)), (2, 1));
    }

    #[test]
    fn bands_cover_every_number_of_face_down_pieces() {
        let names: Vec<_> = [1, 4, 5, 16, 17, 24, 25, 32].map(|left| band_name(band(left))).into();
        let expected =
            ["1 to 4", "1 to 4", "5 to 8", "9 to 16", "17 to 24", "17 to 24", "25 to 32", "25 to 32"];
        assert_eq!(names, expected);
    }

    #[test]
    fn a_pool_is_even_within_a_tenth() {
        assert_eq!(Balance::of(&[5, 6], &[10]), Balance::Even);
        assert_eq!(Balance::of(&[6, 7], &[10]), Balance::More);
        assert_eq!(Balance::of(&[], &[1]), Balance::Fewer);
    }
}
