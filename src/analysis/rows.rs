//! Rows of the two tables as reports read them: borrowed from a batch, nothing copied.

use std::ops::Range;

use arrow::array::{BooleanArray, StringArray};
use half::f16;

use super::AnalysisError;
use crate::record::{Columns, OptionalNumbers, OptionalTexts};

/// The columns of the table `games` that reports read.
pub const GAME_COLUMNS: &[&str] = &["game_id", "first", "second", "result", "end_reason", "plies"];

/// The columns of the table `plies` that reports read.
#[rustfmt::skip]
pub const PLY_COLUMNS: &[&str] = &[
    "game_id", "ply", "seat", "move", "kind", "revealed", "attackers", "defenders", "risk", "phase",
    "full_search", "audited", "explored", "visits", "value", "next_value", "result", "lost_in",
    "candidates",
];

/// A search that is not audited must have given a move this many visits for its value to be read.
pub const MIN_VISITS: u32 = 4;

/// What a ply does to the board, as the files name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Move,
    Capture,
    Flip,
    FlipCapture,
}

impl Kind {
    /// Whether it turns a piece up.
    pub fn is_flip(self) -> bool {
        matches!(self, Kind::Flip | Kind::FlipCapture)
    }

    pub fn name(self) -> &'static str {
        match self {
            Kind::Move => "move",
            Kind::Capture => "capture",
            Kind::Flip => "flip",
            Kind::FlipCapture => "flip-capture",
        }
    }

    fn named(name: &str, columns: &Columns) -> Result<Self, AnalysisError> {
        [Kind::Move, Kind::Capture, Kind::Flip, Kind::FlipCapture]
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| AnalysisError::UnknownKind { file: columns.file().into(), found: name.into() })
    }
}

/// Which kind of search a row's candidates come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// A full search: it visits much what it likes and little what it does not.
    Searched,
    /// A full search that opened every outcome of every move.
    Audited,
}

impl Source {
    pub const ALL: [Self; 2] = [Self::Searched, Self::Audited];

    pub fn name(self) -> &'static str {
        match self {
            Self::Searched => "searched",
            Self::Audited => "audited",
        }
    }

    /// The visits from which on a candidate's value is read.
    fn least_visits(self) -> u32 {
        match self {
            Self::Searched => MIN_VISITS,
            Self::Audited => 1,
        }
    }
}

/// A row of the table `games`.
#[derive(Debug, Clone, Copy)]
pub struct GameRow<'a> {
    pub game_id: u64,
    pub first: &'a str,
    pub second: &'a str,
    /// 1, 0 or -1 for the first seat.
    pub result: i8,
    pub end_reason: &'a str,
    pub plies: u16,
}

/// A row of the table `plies`; values are the mover's, from -1 to 1.
#[derive(Debug, Clone)]
pub struct PlyRow<'a> {
    pub game_id: u64,
    pub ply: u16,
    pub seat: u8,
    pub mv: &'a str,
    pub kind: Kind,
    /// The role letter a flipped piece turned out to be.
    pub revealed: Option<&'a str>,
    pub attackers: u8,
    pub defenders: u8,
    /// In pawns.
    pub risk: f32,
    pub phase: &'a str,
    pub full_search: bool,
    pub audited: bool,
    pub explored: bool,
    pub visits: u32,
    pub value: f32,
    pub next_value: f32,
    pub result: i8,
    pub lost_in: Option<u16>,
    candidates: &'a [CandidateRow<'a>],
}

/// A root move a search visited.
#[derive(Debug, Clone, Copy)]
pub struct CandidateRow<'a> {
    pub mv: &'a str,
    pub kind: Kind,
    pub visits: u32,
    pub q: f32,
    pub attackers: u8,
    pub defenders: u8,
    /// In pawns.
    pub risk: f32,
}

impl PlyRow<'_> {
    /// The kind of search this ply had; none for a reduced one, whose candidates are not read.
    pub fn source(&self) -> Option<Source> {
        match (self.audited, self.full_search) {
            (true, _) => Some(Source::Audited),
            (false, true) => Some(Source::Searched),
            (false, false) => None,
        }
    }

    /// How many legal moves there were, which only an audit tells, for it visits them all.
    pub fn legal_moves(&self) -> Option<usize> {
        self.audited.then_some(self.candidates.len())
    }

    /// The root moves that were looked at enough for their values to be read.
    pub fn counted_candidates(&self) -> impl Iterator<Item = &CandidateRow<'_>> {
        let least = self.source().map_or(u32::MAX, Source::least_visits);
        self.candidates.iter().filter(move |candidate| candidate.visits >= least)
    }
}

/// Hands every game of `columns` to `take`.
///
/// # Errors
///
/// If a column is missing or has another type than the schema says.
pub fn each_game(columns: &Columns, mut take: impl FnMut(&GameRow<'_>)) -> Result<(), AnalysisError> {
    let game_id = columns.numbers::<u64>("game_id")?;
    let first = columns.texts("first")?;
    let second = columns.texts("second")?;
    let result = columns.numbers::<i8>("result")?;
    let end_reason = columns.texts("end_reason")?;
    let plies = columns.numbers::<u16>("plies")?;
    for row in 0..columns.rows() {
        take(&GameRow {
            game_id: game_id[row],
            first: first.value(row),
            second: second.value(row),
            result: result[row],
            end_reason: end_reason.value(row),
            plies: plies[row],
        });
    }
    Ok(())
}

/// Hands every ply of `columns` to `take`, in the order of the file.
///
/// # Errors
///
/// If a column is missing or has another type than the schema says, or a kind is unknown.
pub fn each_ply(columns: &Columns, mut take: impl FnMut(&PlyRow<'_>)) -> Result<(), AnalysisError> {
    let plies = PlyColumns::of(columns)?;
    let lists = columns.lists("candidates")?;
    let candidates = CandidateColumns::of(lists.columns())?;
    let mut row_candidates = Vec::new();
    for row in 0..columns.rows() {
        row_candidates.clear();
        candidates.read(lists.range(row), &mut row_candidates)?;
        take(&plies.row(row, &row_candidates)?);
    }
    Ok(())
}

struct PlyColumns<'a> {
    columns: &'a Columns,
    game_id: &'a [u64],
    ply: &'a [u16],
    seat: &'a [u8],
    mv: &'a StringArray,
    kind: &'a StringArray,
    revealed: OptionalTexts<'a>,
    attackers: &'a [u8],
    defenders: &'a [u8],
    risk: &'a [f32],
    phase: &'a StringArray,
    full_search: &'a BooleanArray,
    audited: &'a BooleanArray,
    explored: &'a BooleanArray,
    visits: &'a [u32],
    value: &'a [f32],
    next_value: &'a [f32],
    result: &'a [i8],
    lost_in: OptionalNumbers<'a, u16>,
}

impl<'a> PlyColumns<'a> {
    fn of(columns: &'a Columns) -> Result<Self, AnalysisError> {
        Ok(Self {
            columns,
            game_id: columns.numbers("game_id")?,
            ply: columns.numbers("ply")?,
            seat: columns.numbers("seat")?,
            mv: columns.texts("move")?,
            kind: columns.texts("kind")?,
            revealed: columns.optional_texts("revealed")?,
            attackers: columns.numbers("attackers")?,
            defenders: columns.numbers("defenders")?,
            risk: columns.numbers("risk")?,
            phase: columns.texts("phase")?,
            full_search: columns.flags("full_search")?,
            audited: columns.flags("audited")?,
            explored: columns.flags("explored")?,
            visits: columns.numbers("visits")?,
            value: columns.numbers("value")?,
            next_value: columns.numbers("next_value")?,
            result: columns.numbers("result")?,
            lost_in: columns.optional_numbers("lost_in")?,
        })
    }

    fn row<'b>(&self, row: usize, candidates: &'b [CandidateRow<'b>]) -> Result<PlyRow<'b>, AnalysisError>
    where
        'a: 'b,
    {
        Ok(PlyRow {
            game_id: self.game_id[row],
            ply: self.ply[row],
            seat: self.seat[row],
            mv: self.mv.value(row),
            kind: Kind::named(self.kind.value(row), self.columns)?,
            revealed: self.revealed.get(row),
            attackers: self.attackers[row],
            defenders: self.defenders[row],
            risk: self.risk[row],
            phase: self.phase.value(row),
            full_search: self.full_search.value(row),
            audited: self.audited.value(row),
            explored: self.explored.value(row),
            visits: self.visits[row],
            value: self.value[row],
            next_value: self.next_value[row],
            result: self.result[row],
            lost_in: self.lost_in.get(row),
            candidates,
        })
    }
}

struct CandidateColumns<'a> {
    columns: &'a Columns,
    mv: &'a StringArray,
    kind: &'a StringArray,
    visits: &'a [u32],
    q: &'a [f16],
    attackers: &'a [u8],
    defenders: &'a [u8],
    risk: &'a [f16],
}

impl<'a> CandidateColumns<'a> {
    fn of(columns: &'a Columns) -> Result<Self, AnalysisError> {
        Ok(Self {
            columns,
            mv: columns.texts("move")?,
            kind: columns.texts("kind")?,
            visits: columns.numbers("visits")?,
            q: columns.numbers("q")?,
            attackers: columns.numbers("attackers")?,
            defenders: columns.numbers("defenders")?,
            risk: columns.numbers("risk")?,
        })
    }

    fn read(&self, members: Range<usize>, into: &mut Vec<CandidateRow<'a>>) -> Result<(), AnalysisError> {
        for member in members {
            into.push(CandidateRow {
                mv: self.mv.value(member),
                kind: Kind::named(self.kind.value(member), self.columns)?,
                visits: self.visits[member],
                q: self.q[member].to_f32(),
                attackers: self.attackers[member],
                defenders: self.defenders[member],
                risk: self.risk[member].to_f32(),
            });
        }
        Ok(())
    }
}
