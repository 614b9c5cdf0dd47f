//! Positions of finished games with what came of them, kept compactly in memory.

use half::f16;

use super::TrainError;
use crate::game::{Encode, Game};
use crate::record::{Columns, RecordError, Shard, Table};
use crate::text::shown;

/// Positions of finished games, in the order they were read.
pub struct Rows<G: Game> {
    /// The views of all rows as text, one behind the other.
    views: String,
    /// The visited moves of all rows, one row's behind the other's, with their shares of the policy target.
    candidates: Vec<(G::Move, f32)>,
    /// Of each row with a secret, the mover's pool by kind, then what was taken of it unseen.
    secrets: Vec<u8>,
    rows: Vec<Row>,
}

/// A row's own figures, and where its parts end in the buffers; they start where those of the row before it
/// end.
struct Row {
    view_end: usize,
    candidates_end: usize,
    secrets_end: usize,
    game_id: u64,
    rules: u16,
    value: f32,
    settlement: Option<f32>,
    plies_left: u16,
    result: i8,
    full_search: bool,
}

/// One position with what came of it. Values are on the mover's side.
#[derive(Debug, Clone, Copy)]
pub struct Example<'a, M> {
    pub game_id: u64,
    /// The rule set of the game, by its place among those of the window.
    pub rules: usize,
    /// The mover's view, as text.
    pub view: &'a str,
    /// The moves the search visited, with their shares of the policy target: those it was written down with, or
    /// else their shares of the visits. What they lack to 1 belongs to all other moves together.
    pub candidates: &'a [(M, f32)],
    /// How the game ended: 1, 0 or -1.
    pub result: i8,
    /// What the search thought, from -1 to 1.
    pub value: f32,
    /// Whether the shares are a policy target.
    pub full_search: bool,
    /// What the end was worth, from -1 to 1; none where it was not written.
    pub settlement: Option<f32>,
    /// Plies to the end of the game, this one included.
    pub plies_left: u16,
    /// What the opponent took unseen of the mover's pieces; none if nothing, or if it leaves nothing open.
    pub secret: Option<Secret<'a>>,
}

/// Pieces by kind, in the game's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Secret<'a> {
    /// The mover's pieces that the mover has not seen, wherever they are.
    pub pool: &'a [u8],
    /// Those of them that were taken.
    pub taken: &'a [u8],
}

/// What of the plies table is read.
pub(super) const COLUMNS: &[&str] = &[
    "game_id",
    "ply",
    "view",
    "full_search",
    "value",
    "result",
    "settlement",
    "pool_own",
    "label_own_taken",
    "candidates",
];

/// Reads how long a shard's games were: their numbers, each with its plies.
///
/// # Errors
///
/// If the shard cannot be read.
pub(super) fn lengths(shard: &Shard) -> Result<Vec<(u64, u16)>, RecordError> {
    let mut lengths = Vec::new();
    for group in shard.file(Table::Games).row_groups() {
        let columns = group.read(&["game_id", "plies"])?;
        let plies = columns.numbers::<u16>("plies")?;
        lengths.extend(columns.numbers::<u64>("game_id")?.iter().copied().zip(plies.iter().copied()));
    }
    Ok(lengths)
}

impl<G: Game> Rows<G> {
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// All rows, in the order they were read.
    pub fn examples(&self) -> impl Iterator<Item = Example<'_, G::Move>> {
        (0..self.len()).map(|row| self.example(row))
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// # Panics
    ///
    /// If there is no such row.
    pub fn example(&self, row: usize) -> Example<'_, G::Move> {
        let (view_start, candidates_start, secrets_start) = match row.checked_sub(1) {
            Some(before) => {
                let Row { view_end, candidates_end, secrets_end, .. } = self.rows[before];
                (view_end, candidates_end, secrets_end)
            }
            None => (0, 0, 0),
        };
        let row = &self.rows[row];
        let secret = &self.secrets[secrets_start..row.secrets_end];
        let (pool, taken) = secret.split_at(secret.len() / 2);
        Example {
            game_id: row.game_id,
            rules: row.rules.into(),
            view: &self.views[view_start..row.view_end],
            candidates: &self.candidates[candidates_start..row.candidates_end],
            result: row.result,
            value: row.value,
            full_search: row.full_search,
            settlement: row.settlement,
            plies_left: row.plies_left,
            secret: (!secret.is_empty()).then_some(Secret { pool, taken }),
        }
    }

    /// Takes in the rows at some places of some columns, all of games under one rule set; `length` tells how many plies
    /// a game has.
    ///
    /// # Errors
    ///
    /// If a row says what no game leaves behind.
    pub(super) fn take_in(
        &mut self,
        columns: &Columns,
        rules: usize,
        length: impl Fn(u64) -> Option<u16>,
        places: impl Iterator<Item = usize>,
    ) -> Result<(), TrainError> {
        let game_ids = columns.numbers::<u64>("game_id")?;
        let plies = columns.numbers::<u16>("ply")?;
        let views = columns.texts("view")?;
        let values = columns.numbers::<f32>("value")?;
        let results = columns.numbers::<i8>("result")?;
        let settlements = columns.optional_numbers::<f32>("settlement")?;
        let full_search = columns.flags("full_search")?;
        let pools = columns.counts("pool_own")?;
        let taken = columns.counts("label_own_taken")?;
        let candidates = columns.lists("candidates")?;
        let moves = candidates.columns().texts("move")?;
        let visits = candidates.columns().numbers::<u32>("visits")?;
        let targets = candidates.columns().optional_numbers::<f16>("target")?;

        for row in places {
            let game_id = game_ids[row];
            let all_visits: u32 = visits[candidates.range(row)].iter().sum();
            for member in candidates.range(row) {
                let text = moves.value(member);
                let mv = text.parse().map_err(|source| TrainError::Move {
                    game_id,
                    given: shown(text),
                    source,
                })?;
                let share = match targets.get(member) {
                    Some(share) => checked_share(game_id, share.to_f32())?,
                    None => visits[member] as f32 / all_visits.max(1) as f32,
                };
                self.candidates.push((mv, share));
            }
            self.views.push_str(views.value(row));
            self.push_secret(game_id, pools.get(row), taken.get(row))?;
            self.rows.push(Row {
                view_end: self.views.len(),
                candidates_end: self.candidates.len(),
                secrets_end: self.secrets.len(),
                game_id,
                rules: rules as u16,
                value: in_unit(game_id, "value", values[row])?,
                settlement: settlements.get(row).map(|x| in_unit(game_id, "settlement", x)).transpose()?,
                plies_left: plies_left(game_id, plies[row], length(game_id))?,
                result: checked_result(game_id, results[row])?,
                full_search: full_search.value(row),
            });
        }
        Ok(())
    }

    /// Notes what of a pool was taken unseen, if that leaves anything open.
    fn push_secret(&mut self, game_id: u64, pool: &[u8], taken: &[u8]) -> Result<(), TrainError> {
        let total = |counts: &[u8]| counts.iter().map(|&count| u32::from(count)).sum::<u32>();
        if total(taken) == 0 {
            return Ok(());
        }
        let kinds = G::View::SECRET_KINDS;
        let fits = [pool, taken].iter().all(|counts| counts.len() == kinds)
            && pool.iter().zip(taken).all(|(pool, taken)| taken <= pool);
        if !fits {
            return Err(TrainError::Value {
                game_id,
                column: "label_own_taken",
                found: format!("{taken:?}"),
                expected: "pieces of the pool in 'pool_own'",
            });
        }
        if total(taken) < total(pool) {
            self.secrets.extend(pool.iter().chain(taken));
        }
        Ok(())
    }
}

impl<G: Game> Default for Rows<G> {
    fn default() -> Self {
        Self { views: String::new(), candidates: Vec::new(), secrets: Vec::new(), rows: Vec::new() }
    }
}

/// Refuses what no search and no game leaves behind, and what would turn every loss into no number.
pub(super) fn in_unit(game_id: u64, column: &'static str, value: f32) -> Result<f32, TrainError> {
    let (found, expected) = (value.to_string(), "a number from -1 to 1");
    let refused = TrainError::Value { game_id, column, found, expected };
    if (-1.0..=1.0).contains(&value) { Ok(value) } else { Err(refused) }
}

pub(super) fn checked_result(game_id: u64, result: i8) -> Result<i8, TrainError> {
    let (found, expected) = (result.to_string(), "-1, 0 or 1");
    let refused = TrainError::Value { game_id, column: "result", found, expected };
    if (-1..=1).contains(&result) { Ok(result) } else { Err(refused) }
}

fn checked_share(game_id: u64, share: f32) -> Result<f32, TrainError> {
    let (found, expected) = (share.to_string(), "a number from 0 to 1");
    let refused = TrainError::Value { game_id, column: "candidates.target", found, expected };
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err(refused) }
}

fn plies_left(game_id: u64, ply: u16, length: Option<u16>) -> Result<u16, TrainError> {
    let left = length.and_then(|length| length.checked_sub(ply)).filter(|&left| left > 0);
    left.ok_or_else(|| TrainError::Value {
        game_id,
        column: "ply",
        found: ply.to_string(),
        expected: "a ply of a game in the table 'games'",
    })
}
