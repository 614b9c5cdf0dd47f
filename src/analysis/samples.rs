//! Sample games to step through, a few by each of three rules.

use std::collections::BTreeMap;
use std::mem;

use super::board::Board;
use super::figure::{Drawing, Figure};
use super::report::{Report, Section, Setup};
use super::rows::{PlyRow, Reads};
use super::story::Story;

/// Games kept by each rule.
const KEPT: usize = 4;

/// Keeps a few whole games.
#[derive(Debug, Clone)]
pub struct Samples {
    board: Board,
    /// The plies of the game being read.
    plies: Vec<SamplePly>,
    /// By rule, then by what the rule goes by and the game's number; the first [`KEPT`] of each.
    kept: BTreeMap<Choice, BTreeMap<(u64, u64), SampleGame>>,
}

/// Why a game is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Choice {
    /// By lot: its number, scrambled, is among the lowest.
    Lot,
    /// One reveal changed the value the most.
    Turn,
    /// Won in the fewest plies.
    Short,
}

/// A game as far as the record tells it.
#[derive(Debug, Clone)]
pub struct SampleGame {
    pub game_id: u64,
    pub choice: Choice,
    /// 1, 0 or -1 for the first seat.
    pub result: i8,
    pub end_reason: String,
    pub plies: Vec<SamplePly>,
}

/// A ply with the position before it, as its mover knows it.
#[derive(Debug, Clone)]
pub struct SamplePly {
    pub seat: u8,
    /// The whole text of the position.
    pub view: String,
    pub mv: String,
    pub revealed: Option<char>,
    pub taken: Option<char>,
    pub taken_hidden: bool,
    /// The mover's undrawn pieces, in the order of [`Board::letters`].
    pub pool_own: Vec<u8>,
    pub pool_enemy: Vec<u8>,
    /// The search's, for the mover, from -1 to 1.
    pub value: f32,
}

/// Games for a reader to step through.
#[derive(Debug, Clone)]
pub struct Games {
    pub board: Board,
    pub games: Vec<SampleGame>,
}

impl Choice {
    pub const ALL: [Self; 3] = [Self::Lot, Self::Turn, Self::Short];

    pub fn name(self) -> &'static str {
        match self {
            Self::Lot => "drawn by lot",
            Self::Turn => "one reveal changed it the most",
            Self::Short => "won in the fewest plies",
        }
    }

    /// What the rule goes by, the least first; none if the game does not qualify.
    fn order(self, story: &Story) -> Option<u64> {
        match self {
            Self::Lot => Some(scrambled(story.game_id)),
            Self::Turn => {
                let reveals = story.steps.iter().filter(|step| step.revealed.is_some());
                let most = reveals.map(|step| step.change().abs()).max_by(f64::total_cmp)?;
                // In millionths, the largest change first.
                Some(u64::MAX - (most * 1e6) as u64)
            }
            Self::Short => (story.result != 0).then_some(story.steps.len() as u64),
        }
    }
}

impl Report for Samples {
    const READS: Reads = Reads { candidates: false, outcomes: false, views: true, tactics: false };

    fn new(setup: &Setup) -> Self {
        Self { board: setup.board, plies: Vec::new(), kept: BTreeMap::new() }
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        if ply.ply == 0 {
            self.plies.clear();
        }
        let letter = |text: Option<&str>| text.and_then(|text| text.chars().next());
        self.plies.push(SamplePly {
            seat: ply.seat,
            view: ply.view.into(),
            mv: ply.mv.into(),
            revealed: letter(ply.revealed),
            taken: letter(ply.taken),
            taken_hidden: ply.taken_hidden,
            pool_own: ply.pool_own.into(),
            pool_enemy: ply.pool_enemy.into(),
            value: ply.value,
        });
    }

    fn absorb_story(&mut self, story: &Story) {
        let plies = mem::take(&mut self.plies);
        for choice in Choice::ALL {
            let Some(order) = choice.order(story) else { continue };
            let kept = self.kept.entry(choice).or_default();
            let key = (order, story.game_id);
            if kept.len() < KEPT || kept.last_key_value().is_some_and(|(last, _)| key < *last) {
                let game = SampleGame {
                    game_id: story.game_id,
                    choice,
                    result: story.result,
                    end_reason: story.end_reason.clone(),
                    plies: plies.clone(),
                };
                kept.insert(key, game);
                keep_first(kept);
            }
        }
    }

    fn merge(&mut self, later: Self) {
        for (choice, games) in later.kept {
            let kept = self.kept.entry(choice).or_default();
            kept.extend(games);
            keep_first(kept);
        }
    }

    fn finish(self) -> Vec<Section> {
        let mut games: Vec<SampleGame> = Vec::new();
        for game in self.kept.into_values().flat_map(BTreeMap::into_values) {
            if games.iter().all(|known| known.game_id != game.game_id) {
                games.push(game);
            }
        }
        let figure = Figure {
            title: "A game step by step".into(),
            caption: format!(
                "Up to {KEPT} games each: drawn by lot, those that one reveal changed the most, and those won in \
                 the fewest plies. The board, the odds and the value are those of the player to move."
            ),
            drawing: Drawing::Games(Games { board: self.board, games }),
        };
        vec![Section {
            name: "games",
            title: "Games to look at",
            headlines: Vec::new(),
            figures: vec![figure],
            tables: Vec::new(),
            notes: Vec::new(),
        }]
    }
}

/// Keeps the first [`KEPT`] games.
fn keep_first(games: &mut BTreeMap<(u64, u64), SampleGame>) {
    while games.len() > KEPT {
        games.pop_last();
    }
}

/// The finalizer of SplitMix64: numbers near each other end up far apart, so that the lowest are a lot.
fn scrambled(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
