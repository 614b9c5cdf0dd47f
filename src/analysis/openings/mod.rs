//! First moves: how often, how they score, what the search thinks of them, what the turned-up piece does.
//!
//! A move and its mirror image are one row. The board heat maps are made of the same figures, by the
//! square a first flip starts from and the one it lands on.

mod tree;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::analysis::board::{Board, Point};
use crate::analysis::figure::{Arrow, BoardMap, Drawing, FEW_GAMES, Figure, IntervalPlot, IntervalRow, Spot};
use crate::analysis::report::{Headline, Report, Section, Setup};
use crate::analysis::rows::{MIN_VISITS, PlyRow, Reads};
use crate::analysis::scale::{figure, percent, spread};
use crate::analysis::stats::{ClusteredMean, Estimate, Score};
use crate::analysis::story::Story;
use crate::analysis::table::{Cell, Columns, Row, Table, grouped};
use tree::Tree;

/// Best first moves that the board of arrows shows.
const ARROWS: usize = 5;

/// First moves that a plot shows.
const PLOTTED: usize = 10;

/// What is kept of first plies.
#[derive(Debug, Clone)]
pub struct Openings {
    board: Board,
    tree: Tree,
    games: u64,
    moves: BTreeMap<(Point, Point), FirstMove>,
    from: BTreeMap<Point, ClusteredMean>,
    to: BTreeMap<Point, ClusteredMean>,
}

/// One first move with its mirror image.
#[derive(Debug, Clone, Default)]
struct FirstMove {
    score: Score,
    /// The search's value of the move before the piece is known, percent, one observation a search.
    value: ClusteredMean,
    /// By the letter turned up.
    reveals: BTreeMap<String, Reveal>,
}

/// The games in which a first move turned up one kind of piece.
#[derive(Debug, Clone, Default)]
struct Reveal {
    score: Score,
    /// The search's value once the piece is known, percent.
    value: ClusteredMean,
}

impl Reveal {
    fn merge(&mut self, later: Self) {
        self.score.merge(later.score);
        self.value.merge(later.value);
    }
}

impl Report for Openings {
    const READS: Reads = Reads { candidates: true, outcomes: true, views: false, tactics: false };

    fn new(setup: &Setup) -> Self {
        Self {
            board: setup.board,
            tree: Tree::new(setup),
            games: 0,
            moves: BTreeMap::new(),
            from: BTreeMap::new(),
            to: BTreeMap::new(),
        }
    }

    fn absorb_story(&mut self, story: &Story) {
        self.tree.absorb(story);
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        self.tree.look(ply);
        if ply.ply != 0 {
            return;
        }
        self.games += 1;
        if let Some(points) = self.board.points(ply.mv) {
            let played = self.moves.entry(self.board.merged_move(points)).or_default();
            played.score.count(ply.result);
            if let Some(letter) = ply.revealed {
                let reveal = played.reveals.entry(letter.to_uppercase()).or_default();
                reveal.score.count(ply.result);
                reveal.value.observe(ply.game_id, percent(ply.next_value));
            }
        }
        self.absorb_search(ply);
    }

    fn merge(&mut self, later: Self) {
        self.tree.merge(later.tree);
        self.games += later.games;
        for (points, first) in later.moves {
            let known = self.moves.entry(points).or_default();
            known.score.merge(first.score);
            known.value.merge(first.value);
            for (letter, reveal) in first.reveals {
                known.reveals.entry(letter).or_default().merge(reveal);
            }
        }
        for (squares, later) in [(&mut self.from, later.from), (&mut self.to, later.to)] {
            for (point, value) in later {
                squares.entry(point).or_default().merge(value);
            }
        }
    }

    fn finish(self) -> Vec<Section> {
        let mut figures = vec![
            self.arrows_figure(),
            self.heat_map("Which piece to turn first", "start from", &self.from),
            self.letters_figure(),
            self.values_figure(),
            self.scores_figure(),
        ];
        let mut tables = vec![
            self.moves_table(),
            self.letters_table(),
            self.tree.table(),
            self.reveals_table().folded(),
            self.square_table(
                "openings_from",
                "Value of first flips by the square they start from",
                &self.from,
            )
            .folded(),
        ];
        // Where a flip starts and ends on one square, the two say the same.
        if !self.board.flips_in_place() {
            figures.insert(2, self.heat_map("Where to turn it", "land on", &self.to));
            tables.push(
                self.square_table("openings_to", "Value of first flips by the square they land on", &self.to)
                    .folded(),
            );
        }
        vec![Section {
            name: "openings",
            title: "First moves",
            headlines: self.headlines(),
            figures,
            tables,
            notes: notes(),
        }]
    }
}

impl Openings {
    /// Takes in what the first search of a game thought of each move it looked at.
    fn absorb_search(&mut self, ply: &PlyRow<'_>) {
        for candidate in ply.counted_candidates() {
            let Some((from, to)) = self.board.points(candidate.mv) else { continue };
            let value = percent(candidate.q);
            let merged = self.board.merged_move((from, to));
            self.moves.entry(merged).or_default().value.observe(ply.game_id, value);
            if candidate.kind.is_flip() {
                self.from.entry(self.board.merged(from)).or_default().observe(ply.game_id, value);
                self.to.entry(self.board.merged(to)).or_default().observe(ply.game_id, value);
            }
        }
    }

    fn move_name(&self, mv: (Point, Point)) -> String {
        self.board.move_name(mv)
    }

    /// The moves whose value rests on enough games, or all if none does, best first; of equal ones the
    /// first by name.
    fn by_value(&self) -> Vec<((Point, Point), Estimate)> {
        let valued = |(&points, first): (&_, &FirstMove)| Some((points, in_percent(first.value.estimate()?)));
        let mut moves: Vec<_> = self.moves.iter().filter_map(valued).collect();
        // A move that searches seldom look at is looked at when it happens to look good.
        if moves.iter().any(|(_, value)| value.games >= FEW_GAMES) {
            moves.retain(|(_, value)| value.games >= FEW_GAMES);
        }
        moves.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
        moves
    }

    fn headlines(&self) -> Vec<Headline> {
        let best = self.by_value().first().map(|&(points, value)| Headline {
            label: format!("value of {}, the first move the search likes best", self.move_name(points)),
            figure: figure(value.value, 1, "%"),
            detail: spread(value.interval, 1, "%", value.games, "games"),
        });
        best.into_iter().collect()
    }

    fn moves_table(&self) -> Table {
        let columns = Columns::default()
            .plain("move", "move")
            .plain("mirror", "mirror")
            .score()
            .plain("searches", "searches")
            .defined("counted")
            .estimate("value", "value", "%", 2, "value");
        let rows = self.moves.iter().map(|(&mv, first)| {
            let images = self.board.images_of_move(mv).into_iter().filter(|&image| image != mv);
            let names: Vec<String> = images.map(|image| self.move_name(image)).collect();
            let mirror = if names.is_empty() { Cell::Missing } else { Cell::Text(names.join(" ")) };
            let value = first.value.estimate().map(in_percent);
            let row = Row::default().text(self.move_name(mv)).cell(mirror).score(first.score);
            row.count(value.map_or(0, |value| value.observations)).estimate(value)
        });
        Table::new("openings", "First moves, mirror images merged", columns, rows.collect())
    }

    /// First flips by the letter they turned up, whatever the move.
    fn letters(&self) -> BTreeMap<&str, Reveal> {
        let mut letters: BTreeMap<&str, Reveal> = BTreeMap::new();
        for (letter, reveal) in self.moves.values().flat_map(|first| &first.reveals) {
            letters.entry(letter).or_default().merge(reveal.clone());
        }
        letters
    }

    fn letters_table(&self) -> Table {
        let columns = Columns::default().plain("revealed", "turned up").score().estimate(
            "value",
            "value after",
            "%",
            2,
            "value-after",
        );
        let rows = self.letters().into_iter().map(|(letter, reveal)| {
            Row::default().text(letter).score(reveal.score).estimate(reveal.value.estimate().map(in_percent))
        });
        Table::new("openings_letters", "First flips by the piece they turned up", columns, rows.collect())
    }

    fn reveals_table(&self) -> Table {
        let columns = Columns::default()
            .plain("move", "move")
            .plain("revealed", "turned up")
            .score()
            .estimate("value", "value after", "%", 2, "value-after");
        let rows = self.moves.iter().flat_map(|(&points, first)| {
            let name = self.move_name(points);
            first.reveals.iter().map(move |(letter, reveal)| {
                let row = Row::default().text(&name).text(letter);
                row.score(reveal.score).estimate(reveal.value.estimate().map(in_percent))
            })
        });
        Table::new("openings_reveals", "First moves by the piece they turned up", columns, rows.collect())
    }

    fn square_table(
        &self,
        name: &'static str,
        title: &str,
        squares: &BTreeMap<Point, ClusteredMean>,
    ) -> Table {
        let columns = Columns::default()
            .plain("square", "square")
            .plain("flips", "flips")
            .defined("counted")
            .plain("games", "games")
            .estimate("value", "value", "%", 2, "value");
        let rows = squares.iter().filter_map(|(&point, value)| {
            let value = in_percent(value.estimate()?);
            Some(Row::default().text(self.board.name(point)).counts(&value).estimate(Some(value)))
        });
        Table::new(name, format!("{title}, mirror images merged"), columns, rows.collect())
    }

    fn heat_map(&self, title: &str, verb: &str, squares: &BTreeMap<Point, ClusteredMean>) -> Figure {
        Figure {
            title: title.into(),
            caption: format!(
                "Mean search value in percent of the first flips that {verb} each point, over {} games. \
                 Mirror images share their figure.{}",
                grouped(self.games),
                self.board.seats()
            ),
            drawing: Drawing::Board(BoardMap {
                board: self.board,
                spots: Spot::mirrored(self.board, squares, "%"),
                arrows: Vec::new(),
                unit: "%",
            }),
        }
    }

    fn arrows_figure(&self) -> Figure {
        let mut best = self.by_value();
        best.truncate(ARROWS);
        let in_words = |(points, value): &((Point, Point), Estimate)| {
            format!("{} {}", self.move_name(*points), figure(value.value, 1, "%"))
        };
        let words: Vec<String> = best.iter().map(in_words).collect();
        let arrows = best.iter().enumerate().map(|(place, (points, value))| Arrow {
            from: points.0,
            to: points.1,
            rank: place + 1,
            tip: format!(
                "{}: {} ({})",
                self.move_name(*points),
                figure(value.value, 2, "%"),
                spread(value.interval, 2, "%", value.games, "games")
            ),
        });
        Figure {
            title: "Where the search would begin".into(),
            caption: format!(
                "The first moves of highest search value, of those that enough searches looked at, in order: \
                 {}. Each stands for its mirror image too. Neighbours in the order often overlap: see their \
                 intervals in the table.",
                words.join(", ")
            ),
            drawing: Drawing::Board(BoardMap {
                board: self.board,
                spots: Vec::new(),
                arrows: arrows.collect(),
                unit: "%",
            }),
        }
    }

    fn values_figure(&self) -> Figure {
        let best = self.by_value().into_iter().take(PLOTTED);
        let rows = best.map(|(points, estimate)| IntervalRow { label: self.move_name(points), estimate });
        Figure {
            title: "The best of them by search value".into(),
            caption: format!(
                "The {PLOTTED} first moves of highest search value, in percent; n counts searches; bars are \
                 95 % intervals between games."
            ),
            drawing: Drawing::Intervals(IntervalPlot { rows: rows.collect(), unit: "%", mark: 50.0 }),
        }
    }

    fn scores_figure(&self) -> Figure {
        let mut moves: Vec<_> = self.moves.iter().map(|(&points, first)| (points, first.score)).collect();
        moves.sort_by_key(|(_, score)| Reverse(score.games()));
        let rows = moves.into_iter().take(PLOTTED).filter_map(|(points, score)| {
            let estimate = score.estimate()?.scaled(100.0);
            Some(IntervalRow { label: self.move_name(points), estimate })
        });
        Figure {
            title: "How the most played ones score".into(),
            caption: format!(
                "Score of the first player in percent after each of the {PLOTTED} first moves played most; n \
                 counts games; bars are 95 % intervals."
            ),
            drawing: Drawing::Intervals(IntervalPlot { rows: rows.collect(), unit: "%", mark: 50.0 }),
        }
    }

    fn letters_figure(&self) -> Figure {
        let letters = self.letters().into_iter();
        let mut rows: Vec<IntervalRow> = letters
            .filter_map(|(letter, reveal)| {
                let estimate = in_percent(reveal.value.estimate()?);
                Some(IntervalRow { label: self.board.piece_name(letter), estimate })
            })
            .collect();
        rows.sort_by(|a, b| b.estimate.value.total_cmp(&a.estimate.value));
        Figure {
            title: "What it turns out to be".into(),
            caption:
                "Value of the game for the first player once the first flip has shown its piece, in percent; \
                      n counts games; bars are 95 % intervals."
                    .into(),
            drawing: Drawing::Intervals(IntervalPlot { rows, unit: "%", mark: 50.0 }),
        }
    }
}

/// A mean of values in percent, which cannot leave 0 to 100.
fn in_percent(mean: Estimate) -> Estimate {
    mean.within(0.0, 100.0)
}

fn notes() -> Vec<String> {
    vec![
        format!(
            "A value is the search's own estimate, and so conditional on the evaluator behind it. A search \
             counts for a move it gave at least {MIN_VISITS} visits; an audited one, which opens every \
             outcome, counts for every move. Moves a search visits seldom are judged from few looks."
        ),
        "Scores compare games that began with different moves. The first move was chosen by search and not \
         by lot, so a difference between two rows need not be the move's doing."
            .into(),
        "Each interval holds for its own row: of 20 rows, one is expected to lie outside.".into(),
    ]
}
