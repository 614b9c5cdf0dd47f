//! What a report is: figures gathered in one pass over the rows, mergeable, then written down.

use super::board::Board;
use super::figure::Figure;
use super::rows::{GameRow, PlyRow, Reads};
use super::story::Story;
use super::table::Table;

/// Gathers figures from the rows of one game under one rule set.
///
/// Rows come shard by shard, a game's plies together and in order. Shards may be read in parallel, each
/// into a report of its own; these are merged in the order of the shards, so that sums, and with them
/// every digit, do not depend on the number of threads.
pub trait Report: Send + Sized {
    /// The wide columns it looks at.
    const READS: Reads;

    /// The board it is about; none if it is about all.
    const ONLY: Option<Board> = None;

    fn new(setup: &Setup) -> Self;

    /// Takes in the size of a shard's files.
    fn absorb_bytes(&mut self, _bytes: u64) {}

    /// Takes in a row of the table `games`.
    fn absorb_game(&mut self, _game: &GameRow<'_>) {}

    /// Takes in a row of the table `plies`.
    fn absorb_ply(&mut self, _ply: &PlyRow<'_>) {}

    /// Takes in a whole game, after its plies.
    fn absorb_story(&mut self, _story: &Story) {}

    /// Adds what `later` has taken in, from shards behind those of this one.
    fn merge(&mut self, later: Self);

    /// What was found, in the order of reading.
    fn finish(self) -> Vec<Section>;
}

/// What a report has to know before it reads.
#[derive(Debug, Clone, Copy)]
pub struct Setup {
    pub board: Board,
    /// Plies the tree of openings is deep.
    pub depth: u16,
    /// Games a branch of that tree must have to be shown.
    pub min_games: u64,
}

/// What a report found.
#[derive(Debug, Clone)]
pub struct Section {
    /// Names the section in links, `openings`.
    pub name: &'static str,
    pub title: &'static str,
    pub headlines: Vec<Headline>,
    pub figures: Vec<Figure>,
    pub tables: Vec<Table>,
    /// How to read the figures, and how not to.
    pub notes: Vec<String>,
}

/// A figure for the top of the page.
#[derive(Debug, Clone)]
pub struct Headline {
    pub label: String,
    pub figure: String,
    /// The interval and what the figure rests on.
    pub detail: String,
}

/// A report if it is about the game, and nothing if it is not.
impl<R: Report> Report for Option<R> {
    const READS: Reads = R::READS;

    fn new(setup: &Setup) -> Self {
        R::ONLY.is_none_or(|board| board == setup.board).then(|| R::new(setup))
    }

    fn absorb_bytes(&mut self, bytes: u64) {
        self.iter_mut().for_each(|report| report.absorb_bytes(bytes));
    }

    fn absorb_game(&mut self, game: &GameRow<'_>) {
        self.iter_mut().for_each(|report| report.absorb_game(game));
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        self.iter_mut().for_each(|report| report.absorb_ply(ply));
    }

    fn absorb_story(&mut self, story: &Story) {
        self.iter_mut().for_each(|report| report.absorb_story(story));
    }

    fn merge(&mut self, later: Self) {
        for (report, later) in self.iter_mut().zip(later) {
            report.merge(later);
        }
    }

    fn finish(self) -> Vec<Section> {
        self.map(R::finish).unwrap_or_default()
    }
}

/// Two reports in one pass.
impl<A: Report, B: Report> Report for (A, B) {
    const READS: Reads = A::READS.and(B::READS);

    fn new(setup: &Setup) -> Self {
        (A::new(setup), B::new(setup))
    }

    fn absorb_bytes(&mut self, bytes: u64) {
        self.0.absorb_bytes(bytes);
        self.1.absorb_bytes(bytes);
    }

    fn absorb_game(&mut self, game: &GameRow<'_>) {
        self.0.absorb_game(game);
        self.1.absorb_game(game);
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        self.0.absorb_ply(ply);
        self.1.absorb_ply(ply);
    }

    fn absorb_story(&mut self, story: &Story) {
        self.0.absorb_story(story);
        self.1.absorb_story(story);
    }

    fn merge(&mut self, later: Self) {
        self.0.merge(later.0);
        self.1.merge(later.1);
    }

    fn finish(self) -> Vec<Section> {
        [self.0.finish(), self.1.finish()].concat()
    }
}
