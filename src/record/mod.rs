//! Games as data: what is kept of a game, and the Parquet files it is kept in.
//!
//! A dataset is a folder with a file for each shard in `games/` and in `plies/`. Self-play writes one
//! through [`Dataset`]; training and analysis read one through [`Reader`], which gives whole
//! [`GameRecord`]s or, faster, the [`Columns`] asked for. [`schema`] says what every column means.

mod column;
mod columns;
mod dataset;
mod decode;
mod encode;
mod error;
mod reader;
pub mod schema;
mod table_file;
pub mod whole_file;
mod writer;

pub use columns::{Columns, Counts, Lists, Number, OptionalNumbers, OptionalTexts};
pub use dataset::{Dataset, DatasetInfo, Found, WrittenRules, shard_name, turn_of};
pub use error::RecordError;
pub use reader::{Batches, OnBroken, Reader, Records, Shard};
pub use schema::Table;
pub use table_file::{RowGroup, TableFile};
pub use writer::ROW_GROUP_ROWS;

use crate::game::{EndReason, Labels, MoveFacts, PlyKind};

/// One finished game; a row of the `games` table with its plies.
#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// Unique across runs: made from the run's seed, the generation, the shard and the place in it.
    pub game_id: u64,
    /// The game's name, `jieqi`.
    pub game: String,
    /// The rule set's name.
    pub rules: String,
    /// The rule set's fingerprint.
    pub rules_hash: u64,
    /// The seed the game's deal was drawn with.
    pub seed: u64,
    /// Who played the first seat: an evaluator's name or a checkpoint's.
    pub first: String,
    /// Who played the second seat.
    pub second: String,
    /// 1 if the first seat won, 0 for a draw, -1 if the second won.
    pub result: i8,
    /// [`crate::game::Game::settlement`], on the first seat's side; none in records older than it.
    pub settlement: Option<f32>,
    pub end_reason: EndReason,
    /// The number of the ply before which its mover gave up, or would have but that the game was played out to see
    /// how it ends; none where nobody gave up, and in records older than it.
    pub resigned_at: Option<u16>,
    pub plies: Vec<PlyRecord>,
}

/// One ply; a row of the `plies` table. Values are on the mover's side, from -1 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct PlyRecord {
    /// 0 for the first ply of the game.
    pub ply: u16,
    /// 0 for the first seat, 1 for the second.
    pub seat: u8,
    /// The mover's view before the ply, as text.
    pub view: String,
    /// The move, like `b2b9`.
    pub mv: String,
    /// What the move uncovered, the truth, like `Rn`; empty if nothing.
    pub reveal: String,
    pub facts: MoveFacts,
    /// Searched with the full number of visits, so that it is a policy target.
    pub full_search: bool,
    /// Every root move's outcomes were opened.
    pub audited: bool,
    /// The move was drawn with a known probability instead of played by the usual policy.
    pub explored: bool,
    /// Simulations of the search.
    pub visits: u32,
    /// The search's value of the position.
    pub value: f32,
    /// The evaluator's own value of the position.
    pub net_value: f32,
    /// The search's value of the next position, still on this mover's side; the result after the last ply.
    pub next_value: f32,
    /// The game's result for this mover: 1, 0 or -1.
    pub result: i8,
    /// [`crate::game::Game::settlement`] for this mover; none in records older than it.
    pub settlement: Option<f32>,
    /// Plies until the moved piece was taken; none if it never was.
    pub lost_in: Option<u16>,
    /// The probability with which the move was chosen; none where it has no closed form.
    pub chosen_with: Option<f32>,
    pub labels: Labels,
    /// The root moves that were visited, in the order of the moves.
    pub candidates: Vec<Candidate>,
    /// The chance ledger of the played move; empty if it uncovers nothing.
    pub outcomes: Vec<OutcomeRecord>,
}

/// A root move the search visited.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub mv: String,
    pub kind: PlyKind,
    /// The evaluator's prior, before root noise.
    pub prior: f32,
    pub visits: u32,
    /// The move's value for the mover.
    pub q: f32,
    /// The same from a second search with other chances; none but in audited rows.
    pub q_again: Option<f32>,
    /// Distinct reveals the search has opened below it; 0 if the move uncovers nothing.
    pub opened: u8,
    /// As in [`crate::game::Control`].
    pub attackers: u8,
    pub defenders: u8,
    /// In pawns, as in [`crate::game::Control`].
    pub risk: f32,
    /// As in [`crate::game::Control`]; none as well in records older than it.
    pub least_attacker: Option<char>,
    /// The move's share of the policy target; none where the search was not full, and in records older than it.
    pub target: Option<f32>,
}

/// One thing the played move might have uncovered.
#[derive(Debug, Clone, PartialEq)]
pub struct OutcomeRecord {
    /// The role letter the moved piece would be; none if it was face up.
    pub reveal: Option<char>,
    /// The role letter of the face-down piece taken; none if nothing was taken face down.
    pub taken: Option<char>,
    /// The odds the mover gave it.
    pub p_mover: f32,
    /// The referee's odds.
    pub p_referee: f32,
    /// The value for the mover if it happened, fixed before the draw; the move's own value where the
    /// search had not opened it.
    pub q: f32,
    /// Visits of the search below it; 0 if it was not opened.
    pub n: u32,
}
