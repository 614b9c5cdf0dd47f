//! From columns to rows.

use std::ops::Range;

use arrow::array::{BooleanArray, StringArray};
use half::f16;

use super::{CandidateRow, GameRow, Kind, OutcomeRow, Place, PlyRow, Reads, TacticsRow};
use crate::analysis::AnalysisError;
use crate::record::{Columns, Counts, Lists, OptionalNumbers, OptionalTexts};

/// Hands every game of `columns` to `take`.
///
/// # Errors
///
/// If a column is missing or has another type than the schema says, or a value is out of range.
pub fn each_game(columns: &Columns, mut take: impl FnMut(&GameRow<'_>)) -> Result<(), AnalysisError> {
    let game_id = columns.numbers::<u64>("game_id")?;
    let first = columns.texts("first")?;
    let second = columns.texts("second")?;
    let result = columns.numbers::<i8>("result")?;
    let end_reason = columns.texts("end_reason")?;
    let plies = columns.numbers::<u16>("plies")?;
    for row in 0..columns.rows() {
        let game = GameRow {
            game_id: game_id[row],
            first: first.value(row),
            second: second.value(row),
            result: result[row],
            end_reason: end_reason.value(row),
            plies: plies[row],
        };
        Place::new(columns, row).check_game(&game)?;
        take(&game);
    }
    Ok(())
}

/// Hands every ply of `columns` to `take`, in the order of the file, with the wide columns of `reads`.
///
/// # Errors
///
/// If a column is missing or has another type than the schema says, a value is out of range, or `take` fails.
pub fn each_ply(
    columns: &Columns,
    reads: Reads,
    mut take: impl FnMut(&PlyRow<'_>, Place<'_>) -> Result<(), AnalysisError>,
) -> Result<(), AnalysisError> {
    let plies = PlyColumns::of(columns, reads)?;
    let lists = |read: bool, name| read.then(|| columns.lists(name)).transpose();
    let (candidate_lists, outcome_lists) =
        (lists(reads.candidates, "candidates")?, lists(reads.outcomes, "outcomes")?);
    let candidates = candidate_lists.as_ref().map(CandidateColumns::of).transpose()?;
    let outcomes = outcome_lists.as_ref().map(OutcomeColumns::of).transpose()?;
    let (mut row_candidates, mut row_outcomes) = (Vec::new(), Vec::new());
    for row in 0..columns.rows() {
        let place = Place::new(columns, row);
        if let Some(candidates) = &candidates {
            row_candidates.clear();
            candidates.read(row, place, &mut row_candidates)?;
        }
        if let Some(outcomes) = &outcomes {
            row_outcomes.clear();
            outcomes.read(row, &mut row_outcomes);
        }
        let ply = plies.row(row, place, &row_candidates, &row_outcomes)?;
        place.check_ply(&ply)?;
        take(&ply, place)?;
    }
    Ok(())
}

struct PlyColumns<'a> {
    game_id: &'a [u64],
    ply: &'a [u16],
    seat: &'a [u8],
    view: Option<&'a StringArray>,
    mv: &'a StringArray,
    from: &'a StringArray,
    to: &'a StringArray,
    kind: &'a StringArray,
    shown: OptionalTexts<'a>,
    revealed: OptionalTexts<'a>,
    taken: OptionalTexts<'a>,
    taken_hidden: &'a BooleanArray,
    attackers: &'a [u8],
    least_attacker: OptionalTexts<'a>,
    defenders: &'a [u8],
    risk: &'a [f32],
    check: &'a BooleanArray,
    in_check: &'a BooleanArray,
    phase: &'a StringArray,
    face_down_left: &'a [u8],
    pool_own: Counts<'a>,
    pool_enemy: Counts<'a>,
    locked_own: &'a [u8],
    locked_enemy: &'a [u8],
    tactics: Option<TacticsColumns<'a>>,
    full_search: &'a BooleanArray,
    audited: &'a BooleanArray,
    explored: &'a BooleanArray,
    chosen_with: OptionalNumbers<'a, f32>,
    visits: &'a [u32],
    value: &'a [f32],
    net_value: &'a [f32],
    next_value: &'a [f32],
    result: &'a [i8],
    lost_in: OptionalNumbers<'a, u16>,
}

impl<'a> PlyColumns<'a> {
    fn of(columns: &'a Columns, reads: Reads) -> Result<Self, AnalysisError> {
        Ok(Self {
            game_id: columns.numbers("game_id")?,
            ply: columns.numbers("ply")?,
            seat: columns.numbers("seat")?,
            view: reads.views.then(|| columns.texts("view")).transpose()?,
            mv: columns.texts("move")?,
            from: columns.texts("from")?,
            to: columns.texts("to")?,
            kind: columns.texts("kind")?,
            shown: columns.optional_texts("shown")?,
            revealed: columns.optional_texts("revealed")?,
            taken: columns.optional_texts("taken")?,
            taken_hidden: columns.flags("taken_hidden")?,
            attackers: columns.numbers("attackers")?,
            least_attacker: columns.optional_texts("least_attacker")?,
            defenders: columns.numbers("defenders")?,
            risk: columns.numbers("risk")?,
            check: columns.flags("check")?,
            in_check: columns.flags("in_check")?,
            phase: columns.texts("phase")?,
            face_down_left: columns.numbers("face_down_left")?,
            pool_own: columns.counts("pool_own")?,
            pool_enemy: columns.counts("pool_enemy")?,
            locked_own: columns.numbers("locked_own")?,
            locked_enemy: columns.numbers("locked_enemy")?,
            tactics: reads.tactics.then(|| TacticsColumns::of(columns)).transpose()?,
            full_search: columns.flags("full_search")?,
            audited: columns.flags("audited")?,
            explored: columns.flags("explored")?,
            chosen_with: columns.optional_numbers("chosen_with")?,
            visits: columns.numbers("visits")?,
            value: columns.numbers("value")?,
            net_value: columns.numbers("net_value")?,
            next_value: columns.numbers("next_value")?,
            result: columns.numbers("result")?,
            lost_in: columns.optional_numbers("lost_in")?,
        })
    }

    fn row<'b>(
        &self,
        row: usize,
        place: Place<'_>,
        candidates: &'b [CandidateRow<'b>],
        outcomes: &'b [OutcomeRow<'b>],
    ) -> Result<PlyRow<'b>, AnalysisError>
    where
        'a: 'b,
    {
        Ok(PlyRow {
            game_id: self.game_id[row],
            ply: self.ply[row],
            seat: self.seat[row],
            view: self.view.map_or("", |view| view.value(row)),
            mv: self.mv.value(row),
            from: self.from.value(row),
            to: self.to.value(row),
            kind: Kind::named("kind", self.kind.value(row), place)?,
            shown: self.shown.get(row),
            revealed: self.revealed.get(row),
            taken: self.taken.get(row),
            taken_hidden: self.taken_hidden.value(row),
            attackers: self.attackers[row],
            least_attacker: self.least_attacker.get(row),
            defenders: self.defenders[row],
            risk: self.risk[row],
            check: self.check.value(row),
            in_check: self.in_check.value(row),
            phase: self.phase.value(row),
            face_down_left: self.face_down_left[row],
            pool_own: self.pool_own.get(row),
            pool_enemy: self.pool_enemy.get(row),
            locked_own: self.locked_own[row],
            locked_enemy: self.locked_enemy[row],
            tactics: self.tactics.as_ref().and_then(|tactics| tactics.row(row)),
            full_search: self.full_search.value(row),
            audited: self.audited.value(row),
            explored: self.explored.value(row),
            chosen_with: self.chosen_with.get(row),
            visits: self.visits[row],
            value: self.value[row],
            net_value: self.net_value[row],
            next_value: self.next_value[row],
            result: self.result[row],
            lost_in: self.lost_in.get(row),
            candidates,
            outcomes,
        })
    }
}

struct TacticsColumns<'a> {
    locked_own_on: OptionalTexts<'a>,
    locked_enemy_on: OptionalTexts<'a>,
    attacked: OptionalNumbers<'a, u8>,
    pinned: OptionalNumbers<'a, u8>,
    mates: OptionalNumbers<'a, u8>,
}

impl<'a> TacticsColumns<'a> {
    fn of(columns: &'a Columns) -> Result<Self, AnalysisError> {
        Ok(Self {
            locked_own_on: columns.optional_texts("locked_own_on")?,
            locked_enemy_on: columns.optional_texts("locked_enemy_on")?,
            attacked: columns.optional_numbers("attacked")?,
            pinned: columns.optional_numbers("pinned")?,
            mates: columns.optional_numbers("mates")?,
        })
    }

    /// None where the game, or the version that wrote the row, has no such facts.
    fn row(&self, row: usize) -> Option<TacticsRow<'a>> {
        Some(TacticsRow {
            locked_own_on: self.locked_own_on.get(row)?,
            locked_enemy_on: self.locked_enemy_on.get(row)?,
            attacked: self.attacked.get(row)?,
            pinned: self.pinned.get(row)?,
            mates: self.mates.get(row)?,
        })
    }
}

struct CandidateColumns<'a> {
    lists: &'a Lists<'a>,
    mv: &'a StringArray,
    kind: &'a StringArray,
    visits: &'a [u32],
    q: &'a [f16],
    q_again: OptionalNumbers<'a, f16>,
    attackers: &'a [u8],
    least_attacker: OptionalTexts<'a>,
    defenders: &'a [u8],
    risk: &'a [f16],
}

impl<'a> CandidateColumns<'a> {
    fn of(lists: &'a Lists<'a>) -> Result<Self, AnalysisError> {
        let columns = lists.columns();
        Ok(Self {
            lists,
            mv: columns.texts("move")?,
            kind: columns.texts("kind")?,
            visits: columns.numbers("visits")?,
            q: columns.numbers("q")?,
            q_again: columns.optional_numbers("q_again")?,
            attackers: columns.numbers("attackers")?,
            least_attacker: columns.optional_texts("least_attacker")?,
            defenders: columns.numbers("defenders")?,
            risk: columns.numbers("risk")?,
        })
    }

    fn read(
        &self,
        row: usize,
        place: Place<'_>,
        into: &mut Vec<CandidateRow<'a>>,
    ) -> Result<(), AnalysisError> {
        let members: Range<usize> = self.lists.range(row);
        for member in members {
            into.push(CandidateRow {
                mv: self.mv.value(member),
                kind: Kind::named("candidates.kind", self.kind.value(member), place)?,
                visits: self.visits[member],
                q: self.q[member].to_f32(),
                q_again: self.q_again.get(member).map(f16::to_f32),
                attackers: self.attackers[member],
                least_attacker: self.least_attacker.get(member),
                defenders: self.defenders[member],
                risk: self.risk[member].to_f32(),
            });
        }
        Ok(())
    }
}

struct OutcomeColumns<'a> {
    lists: &'a Lists<'a>,
    reveal: OptionalTexts<'a>,
    taken: OptionalTexts<'a>,
    p_mover: &'a [f32],
    p_referee: &'a [f32],
    q: &'a [f16],
    visits: &'a [u32],
}

impl<'a> OutcomeColumns<'a> {
    fn of(lists: &'a Lists<'a>) -> Result<Self, AnalysisError> {
        let columns = lists.columns();
        Ok(Self {
            lists,
            reveal: columns.optional_texts("reveal")?,
            taken: columns.optional_texts("taken")?,
            p_mover: columns.numbers("p_mover")?,
            p_referee: columns.numbers("p_referee")?,
            q: columns.numbers("q")?,
            visits: columns.numbers("n")?,
        })
    }

    fn read(&self, row: usize, into: &mut Vec<OutcomeRow<'a>>) {
        into.extend(self.lists.range(row).map(|member| OutcomeRow {
            reveal: self.reveal.get(member),
            taken: self.taken.get(member),
            p_mover: self.p_mover[member],
            p_referee: self.p_referee[member],
            q: self.q[member].to_f32(),
            visits: self.visits[member],
        }));
    }
}
