//! Columns to records.

use arrayvec::ArrayVec;
use half::f16;

use super::columns::{Columns, Counts, Lists};
use super::{Candidate, GameRecord, OutcomeRecord, PlyRecord, RecordError};
use crate::game::{Control, EndReason, Labels, Locks, MoveFacts, Phase, PlyKind, SquareName, Threats};

/// A game without its plies, and how many it has.
#[derive(Debug)]
pub(super) struct GameRow {
    pub(super) game: GameRecord,
    pub(super) plies: u16,
}

/// The rows of the table `games`.
pub(super) fn games(columns: &Columns) -> Result<Vec<GameRow>, RecordError> {
    let game_id = columns.numbers::<u64>("game_id")?;
    let game = columns.texts("game")?;
    let rules = columns.texts("rules")?;
    let rules_hash = columns.numbers::<u64>("rules_hash")?;
    let seed = columns.numbers::<u64>("seed")?;
    let first = columns.texts("first")?;
    let second = columns.texts("second")?;
    let result = columns.numbers::<i8>("result")?;
    let settlement = columns.optional_numbers::<f32>("settlement")?;
    let resigned_at = columns.optional_numbers::<u16>("resigned_at")?;
    let plies = columns.numbers::<u16>("plies")?;
    (0..columns.rows())
        .map(|row| {
            let game = GameRecord {
                game_id: game_id[row],
                game: game.value(row).into(),
                rules: rules.value(row).into(),
                rules_hash: rules_hash[row],
                seed: seed[row],
                first: first.value(row).into(),
                second: second.value(row).into(),
                result: result[row],
                settlement: settlement.get(row),
                end_reason: named(columns, "end_reason", row, &EndReason::ALL, EndReason::name)?,
                resigned_at: resigned_at.get(row),
                plies: Vec::with_capacity(usize::from(plies[row])),
            };
            Ok(GameRow { game, plies: plies[row] })
        })
        .collect()
}

/// The rows of the table `plies`, each with the game it belongs to.
pub(super) fn plies(columns: &Columns) -> Result<Vec<(u64, PlyRecord)>, RecordError> {
    let game_id = columns.numbers::<u64>("game_id")?;
    let ply = columns.numbers::<u16>("ply")?;
    let seat = columns.numbers::<u8>("seat")?;
    let view = columns.texts("view")?;
    let mv = columns.texts("move")?;
    let reveal = columns.texts("reveal")?;
    let full_search = columns.flags("full_search")?;
    let audited = columns.flags("audited")?;
    let explored = columns.flags("explored")?;
    let visits = columns.numbers::<u32>("visits")?;
    let value = columns.numbers::<f32>("value")?;
    let net_value = columns.numbers::<f32>("net_value")?;
    let next_value = columns.numbers::<f32>("next_value")?;
    let result = columns.numbers::<i8>("result")?;
    let settlement = columns.optional_numbers::<f32>("settlement")?;
    let lost_in = columns.optional_numbers::<u16>("lost_in")?;
    let chosen_with = columns.optional_numbers::<f32>("chosen_with")?;
    let own_taken = columns.counts("label_own_taken")?;
    let candidates = columns.lists("candidates")?;
    let outcomes = columns.lists("outcomes")?;

    let mut facts = read_facts(columns)?.into_iter();
    let mut candidates = by_row(columns.rows(), &candidates, read_candidates)?;
    let mut outcomes = by_row(columns.rows(), &outcomes, read_outcomes)?;
    (0..columns.rows())
        .map(|row| {
            let record = PlyRecord {
                ply: ply[row],
                seat: seat[row],
                view: view.value(row).into(),
                mv: mv.value(row).into(),
                reveal: reveal.value(row).into(),
                facts: facts.next().expect("there are facts for every row"),
                full_search: full_search.value(row),
                audited: audited.value(row),
                explored: explored.value(row),
                visits: visits[row],
                value: value[row],
                net_value: net_value[row],
                next_value: next_value[row],
                result: result[row],
                settlement: settlement.get(row),
                lost_in: lost_in.get(row),
                chosen_with: chosen_with.get(row),
                labels: Labels { own_taken: pool(columns, "label_own_taken", own_taken, row)? },
                candidates: candidates.next().expect("there is a list for every row"),
                outcomes: outcomes.next().expect("there is a list for every row"),
            };
            Ok((game_id[row], record))
        })
        .collect()
}

fn read_facts(columns: &Columns) -> Result<Vec<MoveFacts>, RecordError> {
    let taken_hidden = columns.flags("taken_hidden")?;
    let attackers = columns.numbers::<u8>("attackers")?;
    let attackers_hidden = columns.numbers::<u8>("attackers_hidden")?;
    let defenders = columns.numbers::<u8>("defenders")?;
    let defenders_hidden = columns.numbers::<u8>("defenders_hidden")?;
    let see = columns.numbers::<f32>("see")?;
    let risk = columns.numbers::<f32>("risk")?;
    let check = columns.flags("check")?;
    let in_check = columns.flags("in_check")?;
    let face_down_left = columns.numbers::<u8>("face_down_left")?;
    let pool_own = columns.counts("pool_own")?;
    let pool_enemy = columns.counts("pool_enemy")?;
    let locked_own = columns.numbers::<u8>("locked_own")?;
    let locked_enemy = columns.numbers::<u8>("locked_enemy")?;
    let attacked = columns.optional_numbers::<u8>("attacked")?;
    let pinned = columns.optional_numbers::<u8>("pinned")?;
    let mates = columns.optional_numbers::<u8>("mates")?;
    let threats = |row| {
        let (attacked, pinned, mates) = (attacked.get(row)?, pinned.get(row)?, mates.get(row)?);
        Some(Threats { attacked, pinned, mates })
    };
    (0..columns.rows())
        .map(|row| {
            let control = Control {
                attackers: attackers[row],
                attackers_hidden: attackers_hidden[row],
                least_attacker: letter(columns, "least_attacker", row)?,
                defenders: defenders[row],
                defenders_hidden: defenders_hidden[row],
                see: see[row],
                risk: risk[row],
            };
            Ok(MoveFacts {
                kind: named(columns, "kind", row, &PlyKind::ALL, PlyKind::name)?,
                from: square(columns, "from", row)?,
                to: square(columns, "to", row)?,
                shown: letter(columns, "shown", row)?,
                revealed: letter(columns, "revealed", row)?,
                taken: letter(columns, "taken", row)?,
                taken_hidden: taken_hidden.value(row),
                control,
                check: check.value(row),
                in_check: in_check.value(row),
                phase: named(columns, "phase", row, &Phase::ALL, Phase::name)?,
                face_down_left: face_down_left[row],
                pool_own: pool(columns, "pool_own", pool_own, row)?,
                pool_enemy: pool(columns, "pool_enemy", pool_enemy, row)?,
                locked_own: locked_own[row],
                locked_enemy: locked_enemy[row],
                locks: locks(columns, row)?,
                threats: threats(row),
            })
        })
        .collect()
}

fn read_candidates(columns: &Columns) -> Result<Vec<Candidate>, RecordError> {
    let mv = columns.texts("move")?;
    let prior = columns.numbers::<f16>("prior")?;
    let visits = columns.numbers::<u32>("visits")?;
    let q = columns.numbers::<f16>("q")?;
    let opened = columns.numbers::<u8>("opened")?;
    let attackers = columns.numbers::<u8>("attackers")?;
    let defenders = columns.numbers::<u8>("defenders")?;
    let risk = columns.numbers::<f16>("risk")?;
    let q_again = columns.optional_numbers::<f16>("q_again")?;
    let target = columns.optional_numbers::<f16>("target")?;
    (0..columns.rows())
        .map(|row| {
            Ok(Candidate {
                mv: mv.value(row).into(),
                kind: named(columns, "kind", row, &PlyKind::ALL, PlyKind::name)?,
                prior: prior[row].to_f32(),
                visits: visits[row],
                q: q[row].to_f32(),
                q_again: q_again.get(row).map(f16::to_f32),
                opened: opened[row],
                attackers: attackers[row],
                defenders: defenders[row],
                risk: risk[row].to_f32(),
                least_attacker: letter(columns, "least_attacker", row)?,
                target: target.get(row).map(f16::to_f32),
            })
        })
        .collect()
}

fn read_outcomes(columns: &Columns) -> Result<Vec<OutcomeRecord>, RecordError> {
    let p_mover = columns.numbers::<f32>("p_mover")?;
    let p_referee = columns.numbers::<f32>("p_referee")?;
    let q = columns.numbers::<f16>("q")?;
    let n = columns.numbers::<u32>("n")?;
    (0..columns.rows())
        .map(|row| {
            Ok(OutcomeRecord {
                reveal: letter(columns, "reveal", row)?,
                taken: letter(columns, "taken", row)?,
                p_mover: p_mover[row],
                p_referee: p_referee[row],
                q: q[row].to_f32(),
                n: n[row],
            })
        })
        .collect()
}

/// The members of `lists` as `read` reads them, one `Vec` a row.
fn by_row<T>(
    rows: usize,
    lists: &Lists,
    read: impl Fn(&Columns) -> Result<Vec<T>, RecordError>,
) -> Result<impl Iterator<Item = Vec<T>>, RecordError> {
    let lengths: Vec<usize> = (0..rows).map(|row| lists.range(row).len()).collect();
    let before_the_first = if rows == 0 { 0 } else { lists.range(0).start };
    let mut members = read(lists.columns())?.into_iter().skip(before_the_first);
    Ok(lengths.into_iter().map(move |length| members.by_ref().take(length).collect()))
}

/// The value among `all` whose `name` the column has.
fn named<T: Copy>(
    columns: &Columns,
    column: &str,
    row: usize,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, RecordError> {
    let text = columns.texts(column)?.value(row);
    all.iter().copied().find(|value| name(*value) == text).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|value| name(*value)).collect();
        columns.bad_value(column, row, format!("'{text}'"), &names.join(", "))
    })
}

fn letter(columns: &Columns, column: &str, row: usize) -> Result<Option<char>, RecordError> {
    let Some(text) = columns.optional_texts(column)?.get(row) else { return Ok(None) };
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(letter), None) => Ok(Some(letter)),
        _ => Err(columns.bad_value(column, row, format!("'{text}'"), "one letter")),
    }
}

fn square(columns: &Columns, column: &str, row: usize) -> Result<SquareName, RecordError> {
    let text = columns.texts(column)?.value(row);
    square_named(text).ok_or_else(|| columns.bad_value(column, row, format!("'{text}'"), "a square like b2"))
}

fn square_named(text: &str) -> Option<SquareName> {
    match text.as_bytes() {
        [file, rank] if file.is_ascii_lowercase() && rank.is_ascii_digit() => {
            Some(SquareName::new(*file, *rank))
        }
        _ => None,
    }
}

fn locks(columns: &Columns, row: usize) -> Result<Option<Locks>, RecordError> {
    let own = squares(columns, "locked_own_on", row)?;
    let enemy = squares(columns, "locked_enemy_on", row)?;
    Ok(own.zip(enemy).map(|(own, enemy)| Locks { own, enemy }))
}

fn squares(
    columns: &Columns,
    column: &str,
    row: usize,
) -> Result<Option<ArrayVec<SquareName, 16>>, RecordError> {
    let Some(text) = columns.optional_texts(column)?.get(row) else { return Ok(None) };
    let names = text.split_ascii_whitespace();
    let known: Option<Vec<_>> = names.map(square_named).collect();
    let fitting = known.and_then(|names| ArrayVec::try_from(&names[..]).ok());
    let bad = || columns.bad_value(column, row, format!("'{text}'"), "up to 16 squares like b2");
    fitting.ok_or_else(bad).map(Some)
}

fn pool(
    columns: &Columns,
    column: &str,
    counts: Counts,
    row: usize,
) -> Result<ArrayVec<u8, 14>, RecordError> {
    let counts = counts.get(row);
    ArrayVec::try_from(counts)
        .map_err(|_| columns.bad_value(column, row, format!("{} counts", counts.len()), "at most 14"))
}
