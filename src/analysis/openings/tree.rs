//! Openings as a tree: moves, what they turned up, replies.
//!
//! A game that begins on the other side of the board is turned over from left to right, as a whole, so that
//! the first move that is not its own mirror image is the one that comes first by name.

use std::collections::BTreeMap;

use crate::analysis::board::{Board, Point};
use crate::analysis::report::Setup;
use crate::analysis::rows::PlyRow;
use crate::analysis::scale::percent;
use crate::analysis::stats::{ClusteredMean, Score};
use crate::analysis::story::Story;
use crate::analysis::table::{Cell, Columns, Row, Table};

/// Games named with each branch, to look at.
const SAMPLES: usize = 3;

/// What turned up where nothing did.
const NOTHING: u8 = b'-';

type Moved = (Point, Point);

/// The tree as far as it is read.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    board: Board,
    depth: usize,
    min_games: u64,
    root: Position,
    /// What the searches of the game being read thought of its first positions.
    looks: Vec<Look>,
}

/// A position: the start, or what a move led to.
#[derive(Debug, Clone, Default)]
struct Position {
    moves: BTreeMap<Moved, Branch>,
}

/// A move from a position.
#[derive(Debug, Clone, Default)]
struct Branch {
    tally: Tally,
    /// The search's value, percent for the mover.
    value: ClusteredMean,
    /// The search's visits, percent.
    policy: ClusteredMean,
    /// By the letter that turned up.
    turned: BTreeMap<u8, Turned>,
}

/// What a move turned up.
#[derive(Debug, Clone, Default)]
struct Turned {
    tally: Tally,
    then: Position,
}

/// The games that went a way.
#[derive(Debug, Clone, Default)]
struct Tally {
    /// Of the player who moved.
    score: Score,
    /// The same less the luck of everything later, percent.
    adjusted: ClusteredMean,
    samples: Vec<u64>,
}

/// A candidate: the move, its value if it counts, and its share of the visits; both percent.
type Candidate = (Moved, Option<f64>, Option<f64>);

#[derive(Debug, Clone)]
struct Look(Vec<Candidate>);

impl Tree {
    pub(super) fn new(setup: &Setup) -> Self {
        let Setup { board, depth, min_games } = *setup;
        Self { board, depth: depth.into(), min_games, root: Position::default(), looks: Vec::new() }
    }

    /// Remembers what the search of a first ply thought, until the game is over.
    pub(super) fn look(&mut self, ply: &PlyRow<'_>) {
        if usize::from(ply.ply) >= self.depth {
            return;
        }
        if ply.ply == 0 {
            self.looks.clear();
        }
        let visits: u32 = ply.candidates().iter().map(|candidate| candidate.visits).sum();
        let counted = |mv: &str| ply.counted_candidates().find(|c| c.mv == mv).map(|c| percent(c.q));
        // The visits of an audit say nothing about how much the search liked a move.
        let is_policy = ply.full_search && !ply.audited && visits > 0;
        let looks = ply.candidates().iter().filter_map(|candidate| {
            let share = 100.0 * f64::from(candidate.visits) / f64::from(visits);
            Some((self.board.points(candidate.mv)?, counted(candidate.mv), is_policy.then_some(share)))
        });
        self.looks.push(Look(looks.collect()));
    }

    pub(super) fn absorb(&mut self, story: &Story) {
        let board = self.board;
        // How the board is laid once a move has told it from its mirror images.
        let mut frame = None;
        let mut position = &mut self.root;
        for (place, step) in story.steps.iter().take(self.depth).enumerate() {
            let mv = (step.from, step.to);
            let symmetric = frame.is_none();
            if symmetric && board.images_of_move(mv).len() > 1 {
                frame = board.mirrors().iter().copied().min_by_key(|&by| board.image_of_move(mv, by));
            }
            let seen = |mv: Moved| frame.map_or(mv, |by| board.image_of_move(mv, by));
            let result = story.result_for(step.seat);
            let adjusted = |from| {
                let luck = story.luck_from(from, step.seat)?;
                Some(50.0 * (1.0 + result - luck))
            };
            if let Some(Look(candidates)) = self.looks.get(place) {
                for &(candidate, value, share) in candidates {
                    // While the position is its own mirror image, a move and its image are one.
                    let candidate = if symmetric { board.merged_move(candidate) } else { seen(candidate) };
                    // All first moves are kept, and later ones once they have been played.
                    let branch = match place {
                        0 => position.moves.entry(candidate).or_default(),
                        _ => match position.moves.get_mut(&candidate) {
                            Some(branch) => branch,
                            None => continue,
                        },
                    };
                    value.into_iter().for_each(|value| branch.value.observe(story.game_id, value));
                    share.into_iter().for_each(|share| branch.policy.observe(story.game_id, share));
                }
            }
            let branch = position.moves.entry(seen(mv)).or_default();
            branch.tally.count(story.game_id, result, adjusted(place));
            let turned = branch.turned.entry(step.revealed.unwrap_or(NOTHING)).or_default();
            turned.tally.count(story.game_id, result, adjusted(place + 1));
            position = &mut turned.then;
        }
        self.looks.clear();
    }

    pub(super) fn merge(&mut self, later: Self) {
        self.root.merge(later.root);
    }

    /// The branches with enough games, each before those that grow from it: the opening book.
    pub(super) fn table(&self) -> Table {
        let columns = Columns::default()
            .plain("path", "line")
            .plain("ply", "ply")
            .plain("move", "move")
            .plain("revealed", "turned up")
            .score()
            .estimate("adjusted", "score less luck", "%", 2, "luck")
            .estimate("value", "value", "%", 2, "value")
            .real("policy", "share of visits", "%", 1)
            .plain("samples", "sample games");
        let mut rows = Vec::new();
        self.list(&self.root, "", 0, &mut rows);
        let title = format!(
            "Openings as a tree, {} plies deep, branches of at least {} games, mirror images merged",
            self.depth, self.min_games
        );
        Table::new("openings_tree", title, columns, rows).folded().with_parquet()
    }

    fn list(&self, position: &Position, path: &str, ply: u64, rows: &mut Vec<Row>) {
        let name = |mv: Moved| self.board.move_name(mv);
        let mut moves: Vec<_> = position.moves.iter().collect();
        moves.sort_by_key(|(_, branch)| std::cmp::Reverse(branch.tally.score.games()));
        for (&mv, branch) in moves {
            if branch.tally.score.games() < self.min_games {
                continue;
            }
            let path = format!("{path}{}{}", if path.is_empty() { "" } else { " " }, name(mv));
            let row = Row::default().text(&path).count(ply).text(name(mv)).cell(Cell::Missing);
            let row = branch.tally.row(row).estimate(branch.value.estimate().map(|v| v.within(0.0, 100.0)));
            let policy = branch.policy.estimate().map_or(Cell::Missing, |policy| Cell::Real(policy.value));
            rows.push(row.cell(policy).text(branch.tally.sample_names()));
            for (&letter, turned) in &branch.turned {
                if letter == NOTHING {
                    self.list(&turned.then, &path, ply + 1, rows);
                } else if turned.tally.score.games() >= self.min_games {
                    let letter = char::from(letter);
                    let path = format!("{path}={letter}");
                    let row = Row::default().text(&path).count(ply).text(name(mv)).text(letter);
                    let row = turned.tally.row(row).estimate(None).cell(Cell::Missing);
                    rows.push(row.text(turned.tally.sample_names()));
                    self.list(&turned.then, &path, ply + 1, rows);
                }
            }
        }
    }
}

impl Position {
    fn merge(&mut self, later: Self) {
        for (mv, branch) in later.moves {
            let known = self.moves.entry(mv).or_default();
            known.tally.merge(branch.tally);
            known.value.merge(branch.value);
            known.policy.merge(branch.policy);
            for (letter, turned) in branch.turned {
                let known = known.turned.entry(letter).or_default();
                known.tally.merge(turned.tally);
                known.then.merge(turned.then);
            }
        }
    }
}

impl Tally {
    fn count(&mut self, game: u64, result: f64, adjusted: Option<f64>) {
        self.score.count(result as i8);
        if let Some(adjusted) = adjusted {
            self.adjusted.observe(game, adjusted);
        }
        if self.samples.len() < SAMPLES {
            self.samples.push(game);
        }
    }

    fn merge(&mut self, later: Self) {
        self.score.merge(later.score);
        self.adjusted.merge(later.adjusted);
        let room = SAMPLES.saturating_sub(self.samples.len());
        self.samples.extend(later.samples.into_iter().take(room));
    }

    fn row(&self, row: Row) -> Row {
        row.score(self.score).estimate(self.adjusted.estimate())
    }

    fn sample_names(&self) -> String {
        self.samples.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
    }
}
