//! Records to columns.

use std::sync::Arc;

use arrow::array::builder::PrimitiveBuilder;
use arrow::array::{
    Array, ArrayRef, BooleanArray, Float16Array, ListArray, PrimitiveArray, RecordBatch, StringArray,
    StructArray, UInt8Array,
};
use arrow::buffer::OffsetBuffer;
use half::f16;

use super::column;
use super::columns::Number;
use super::schema::{Column, Table};
use super::{Candidate, GameRecord, OutcomeRecord, PlyRecord};
use crate::game::SquareName;

/// The rows of the table `games`.
pub(super) fn games(games: &[GameRecord]) -> RecordBatch {
    let each = || games.iter();
    let mut rows = Rows::of(Table::Games.columns());
    rows.put("game_id", numbers(each().map(|game| game.game_id)));
    rows.put("game", texts(each().map(|game| &game.game)));
    rows.put("rules", texts(each().map(|game| &game.rules)));
    rows.put("rules_hash", numbers(each().map(|game| game.rules_hash)));
    rows.put("seed", numbers(each().map(|game| game.seed)));
    rows.put("first", texts(each().map(|game| &game.first)));
    rows.put("second", texts(each().map(|game| &game.second)));
    rows.put("result", numbers(each().map(|game| game.result)));
    rows.put("settlement", optional_numbers(each().map(|game| game.settlement)));
    rows.put("end_reason", texts(each().map(|game| game.end_reason.name())));
    rows.put("resigned_at", optional_numbers(each().map(|game| game.resigned_at)));
    rows.put("plies", numbers(each().map(length)));
    rows.into_batch(Table::Games)
}

/// The rows of the table `plies`, each with the game it belongs to.
pub(super) fn plies(plies: &[(u64, &PlyRecord)]) -> RecordBatch {
    let each = || plies.iter().map(|(_, ply)| *ply);
    let facts = || each().map(|ply| &ply.facts);
    let control = || facts().map(|facts| &facts.control);
    let locks = || facts().map(|facts| facts.locks.as_ref());
    let threats = || facts().map(|facts| facts.threats);

    let mut rows = Rows::of(Table::Plies.columns());
    rows.put("game_id", numbers(plies.iter().map(|(game_id, _)| *game_id)));
    rows.put("ply", numbers(each().map(|ply| ply.ply)));
    rows.put("seat", numbers(each().map(|ply| ply.seat)));
    rows.put("view", texts(each().map(|ply| &ply.view)));
    rows.put("move", texts(each().map(|ply| &ply.mv)));
    rows.put("reveal", texts(each().map(|ply| &ply.reveal)));
    rows.put("kind", texts(facts().map(|facts| facts.kind.name())));
    rows.put("from", texts(facts().map(|facts| facts.from.as_str())));
    rows.put("to", texts(facts().map(|facts| facts.to.as_str())));
    rows.put("shown", letters(facts().map(|facts| facts.shown)));
    rows.put("revealed", letters(facts().map(|facts| facts.revealed)));
    rows.put("taken", letters(facts().map(|facts| facts.taken)));
    rows.put("taken_hidden", flags(facts().map(|facts| facts.taken_hidden)));
    rows.put("attackers", numbers(control().map(|control| control.attackers)));
    rows.put("attackers_hidden", numbers(control().map(|control| control.attackers_hidden)));
    rows.put("least_attacker", letters(control().map(|control| control.least_attacker)));
    rows.put("defenders", numbers(control().map(|control| control.defenders)));
    rows.put("defenders_hidden", numbers(control().map(|control| control.defenders_hidden)));
    rows.put("see", numbers(control().map(|control| control.see)));
    rows.put("risk", numbers(control().map(|control| control.risk)));
    rows.put("check", flags(facts().map(|facts| facts.check)));
    rows.put("in_check", flags(facts().map(|facts| facts.in_check)));
    rows.put("phase", texts(facts().map(|facts| facts.phase.name())));
    rows.put("face_down_left", numbers(facts().map(|facts| facts.face_down_left)));
    rows.put("pool_own", counts(facts().map(|facts| facts.pool_own.as_slice())));
    rows.put("pool_enemy", counts(facts().map(|facts| facts.pool_enemy.as_slice())));
    rows.put("locked_own", numbers(facts().map(|facts| facts.locked_own)));
    rows.put("locked_enemy", numbers(facts().map(|facts| facts.locked_enemy)));
    rows.put("locked_own_on", squares(locks().map(|locks| locks.map(|locks| &locks.own[..]))));
    rows.put("locked_enemy_on", squares(locks().map(|locks| locks.map(|locks| &locks.enemy[..]))));
    rows.put("attacked", optional_numbers(threats().map(|threats| threats.map(|threats| threats.attacked))));
    rows.put("pinned", optional_numbers(threats().map(|threats| threats.map(|threats| threats.pinned))));
    rows.put("mates", optional_numbers(threats().map(|threats| threats.map(|threats| threats.mates))));
    rows.put("full_search", flags(each().map(|ply| ply.full_search)));
    rows.put("audited", flags(each().map(|ply| ply.audited)));
    rows.put("explored", flags(each().map(|ply| ply.explored)));
    rows.put("visits", numbers(each().map(|ply| ply.visits)));
    rows.put("value", numbers(each().map(|ply| ply.value)));
    rows.put("net_value", numbers(each().map(|ply| ply.net_value)));
    rows.put("next_value", numbers(each().map(|ply| ply.next_value)));
    rows.put("result", numbers(each().map(|ply| ply.result)));
    rows.put("settlement", optional_numbers(each().map(|ply| ply.settlement)));
    rows.put("lost_in", optional_numbers(each().map(|ply| ply.lost_in)));
    rows.put("chosen_with", optional_numbers(each().map(|ply| ply.chosen_with)));
    rows.put("label_own_taken", counts(each().map(|ply| ply.labels.own_taken.as_slice())));
    rows.put("candidates", lists("candidates", each().map(|ply| ply.candidates.as_slice()), candidates));
    rows.put("outcomes", lists("outcomes", each().map(|ply| ply.outcomes.as_slice()), outcomes));
    rows.into_batch(Table::Plies)
}

fn candidates(candidates: &[&Candidate], rows: &mut Rows) {
    let each = || candidates.iter();
    rows.put("move", texts(each().map(|candidate| &candidate.mv)));
    rows.put("kind", texts(each().map(|candidate| candidate.kind.name())));
    rows.put("prior", halves(each().map(|candidate| candidate.prior)));
    rows.put("visits", numbers(each().map(|candidate| candidate.visits)));
    rows.put("q", halves(each().map(|candidate| candidate.q)));
    rows.put("opened", numbers(each().map(|candidate| candidate.opened)));
    rows.put("attackers", numbers(each().map(|candidate| candidate.attackers)));
    rows.put("defenders", numbers(each().map(|candidate| candidate.defenders)));
    rows.put("risk", halves(each().map(|candidate| candidate.risk)));
    let again = each().map(|candidate| candidate.q_again.map(f16::from_f32));
    rows.put("q_again", optional_numbers(again));
    rows.put("least_attacker", letters(each().map(|candidate| candidate.least_attacker)));
    let target = each().map(|candidate| candidate.target.map(f16::from_f32));
    rows.put("target", optional_numbers(target));
}

fn outcomes(outcomes: &[&OutcomeRecord], rows: &mut Rows) {
    let each = || outcomes.iter();
    rows.put("reveal", letters(each().map(|outcome| outcome.reveal)));
    rows.put("taken", letters(each().map(|outcome| outcome.taken)));
    rows.put("p_mover", numbers(each().map(|outcome| outcome.p_mover)));
    rows.put("p_referee", numbers(each().map(|outcome| outcome.p_referee)));
    rows.put("q", halves(each().map(|outcome| outcome.q)));
    rows.put("n", numbers(each().map(|outcome| outcome.n)));
}

/// Columns on their way into a batch, in the order of the schema.
struct Rows {
    columns: &'static [Column],
    arrays: Vec<ArrayRef>,
}

impl Rows {
    fn of(columns: &'static [Column]) -> Self {
        Self { columns, arrays: Vec::with_capacity(columns.len()) }
    }

    /// # Panics
    ///
    /// If `name` is not the schema's next column.
    fn put(&mut self, name: &str, array: impl Array + 'static) {
        assert_eq!(name, self.columns[self.arrays.len()].name, "columns are put in the order of the schema");
        self.arrays.push(Arc::new(array));
    }

    fn into_batch(self, table: Table) -> RecordBatch {
        RecordBatch::try_new(table.schema(), self.arrays).expect("the columns have the types of the schema")
    }

    fn into_struct(self) -> StructArray {
        StructArray::new(column::fields(self.columns), self.arrays, None)
    }
}

/// # Panics
///
/// If the game has more plies than a `u16` holds; every rule set ends games long before.
fn length(game: &GameRecord) -> u16 {
    u16::try_from(game.plies.len()).expect("a game has fewer than 65536 plies")
}

fn numbers<T: Number>(values: impl Iterator<Item = T>) -> PrimitiveArray<T::Arrow> {
    PrimitiveArray::from_iter_values(values)
}

fn optional_numbers<T: Number>(values: impl Iterator<Item = Option<T>>) -> PrimitiveArray<T::Arrow> {
    let mut array = PrimitiveBuilder::new();
    values.for_each(|value| array.append_option(value));
    array.finish()
}

fn halves(values: impl Iterator<Item = f32>) -> Float16Array {
    numbers(values.map(f16::from_f32))
}

fn flags(values: impl Iterator<Item = bool>) -> BooleanArray {
    values.map(Some).collect()
}

fn texts(values: impl Iterator<Item = impl AsRef<str>>) -> StringArray {
    StringArray::from_iter_values(values)
}

fn letters(values: impl Iterator<Item = Option<char>>) -> StringArray {
    values.map(|letter| letter.map(String::from)).collect()
}

fn squares<'a>(values: impl Iterator<Item = Option<&'a [SquareName]>>) -> StringArray {
    let joined =
        |squares: &[SquareName]| squares.iter().map(SquareName::as_str).collect::<Vec<_>>().join(" ");
    values.map(|squares| squares.map(joined)).collect()
}

fn counts<'a>(values: impl Iterator<Item = &'a [u8]> + Clone) -> ListArray {
    let offsets = OffsetBuffer::from_lengths(values.clone().map(<[u8]>::len));
    let members = UInt8Array::from_iter_values(values.flatten().copied());
    ListArray::new(column::member(members.data_type().clone()), offsets, Arc::new(members), None)
}

/// A column of the table `plies` whose lists have members with columns of their own, put by `put`.
fn lists<'a, T: 'a>(
    name: &str,
    values: impl Iterator<Item = &'a [T]> + Clone,
    put: impl Fn(&[&T], &mut Rows),
) -> ListArray {
    let columns = Table::Plies.columns_within(name);
    let offsets = OffsetBuffer::from_lengths(values.clone().map(<[T]>::len));
    let mut rows = Rows::of(columns);
    put(&values.flatten().collect::<Vec<_>>(), &mut rows);
    let members = rows.into_struct();
    ListArray::new(column::member(members.data_type().clone()), offsets, Arc::new(members), None)
}
