//! Rows of the two tables as reports read them: borrowed from a batch, nothing copied.

mod read;
mod sound;

pub use read::{each_game, each_ply};
pub use sound::Place;

use super::AnalysisError;

/// The columns of the table `games` that reports read.
pub const GAME_COLUMNS: &[&str] = &["game_id", "first", "second", "result", "end_reason", "plies"];

/// The columns of the table `plies` that every report reads.
#[rustfmt::skip]
const PLY_COLUMNS: &[&str] = &[
    "game_id", "ply", "seat", "move", "from", "to", "kind", "shown", "revealed", "taken", "taken_hidden",
    "attackers", "least_attacker", "defenders", "risk", "check", "in_check", "phase", "face_down_left",
    "pool_own", "pool_enemy", "locked_own", "locked_enemy", "full_search", "audited", "explored",
    "chosen_with", "visits", "value", "net_value", "next_value", "result", "lost_in",
];

/// What reports read of each of `candidates`.
const CANDIDATE_COLUMNS: &[&str] = &[
    "candidates.move",
    "candidates.kind",
    "candidates.visits",
    "candidates.q",
    "candidates.q_again",
    "candidates.attackers",
    "candidates.least_attacker",
    "candidates.defenders",
    "candidates.risk",
];

/// Where pieces are locked, and what plies threaten.
const TACTICS_COLUMNS: &[&str] = &["locked_own_on", "locked_enemy_on", "attacked", "pinned", "mates"];

/// The columns which are read for the reports that need them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reads {
    /// `candidates`.
    pub candidates: bool,
    /// `outcomes`: the chance ledger.
    pub outcomes: bool,
    /// `view`.
    pub views: bool,
    /// Where pieces are locked, and what plies threaten.
    pub tactics: bool,
}

impl Reads {
    pub const fn and(self, other: Self) -> Self {
        Self {
            candidates: self.candidates | other.candidates,
            outcomes: self.outcomes | other.outcomes,
            views: self.views | other.views,
            tactics: self.tactics | other.tactics,
        }
    }

    /// The columns of the table `plies` to be read.
    pub fn columns(self) -> Vec<&'static str> {
        let wide = [
            (self.candidates, CANDIDATE_COLUMNS),
            (self.outcomes, &["outcomes"]),
            (self.views, &["view"]),
            (self.tactics, TACTICS_COLUMNS),
        ];
        let wide = wide.into_iter().filter(|&(read, _)| read).flat_map(|(_, names)| names);
        PLY_COLUMNS.iter().chain(wide).copied().collect()
    }
}

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

    fn named(column: &str, name: &str, place: Place<'_>) -> Result<Self, AnalysisError> {
        let all = [Kind::Move, Kind::Capture, Kind::Flip, Kind::FlipCapture];
        let found = all.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| place.bad_text(column, name, all.map(Kind::name).join(", ")))
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
    /// The mover's view as text; empty if views are not read.
    pub view: &'a str,
    pub mv: &'a str,
    pub from: &'a str,
    pub to: &'a str,
    pub kind: Kind,
    /// The role letter the piece moved as.
    pub shown: Option<&'a str>,
    /// The role letter a flipped piece turned out to be.
    pub revealed: Option<&'a str>,
    /// The role letter of the piece taken, where anybody knows it.
    pub taken: Option<&'a str>,
    pub taken_hidden: bool,
    pub attackers: u8,
    pub least_attacker: Option<&'a str>,
    pub defenders: u8,
    /// In pawns.
    pub risk: f32,
    pub check: bool,
    pub in_check: bool,
    pub phase: &'a str,
    pub face_down_left: u8,
    /// The mover's undrawn pieces as the mover knows them, in the game's piece order.
    pub pool_own: &'a [u8],
    pub pool_enemy: &'a [u8],
    pub locked_own: u8,
    pub locked_enemy: u8,
    pub tactics: Option<TacticsRow<'a>>,
    pub full_search: bool,
    pub audited: bool,
    pub explored: bool,
    /// The probability with which the move was drawn; none where it is not known.
    pub chosen_with: Option<f32>,
    pub visits: u32,
    pub value: f32,
    /// The evaluator's own.
    pub net_value: f32,
    pub next_value: f32,
    pub result: i8,
    pub lost_in: Option<u16>,
    candidates: &'a [CandidateRow<'a>],
    /// What the move might have uncovered; empty if it uncovers nothing or outcomes are not read.
    pub outcomes: &'a [OutcomeRow<'a>],
}

/// Where pieces are locked, and what a ply threatens.
#[derive(Debug, Clone, Copy)]
pub struct TacticsRow<'a> {
    /// The squares of the mover's locked pieces, with spaces between them, and those of the opponent's.
    pub locked_own_on: &'a str,
    pub locked_enemy_on: &'a str,
    /// Enemy pieces, the king among them, that the moved piece attacks with profit.
    pub attacked: u8,
    pub pinned: u8,
    /// Moves that would mate.
    pub mates: u8,
}

/// A root move a search visited.
#[derive(Debug, Clone, Copy)]
pub struct CandidateRow<'a> {
    pub mv: &'a str,
    pub kind: Kind,
    pub visits: u32,
    pub q: f32,
    /// The same from a second search of an audited position.
    pub q_again: Option<f32>,
    pub attackers: u8,
    pub least_attacker: Option<&'a str>,
    pub defenders: u8,
    /// In pawns.
    pub risk: f32,
}

/// One thing the played move might have uncovered.
#[derive(Debug, Clone, Copy)]
pub struct OutcomeRow<'a> {
    pub reveal: Option<&'a str>,
    /// The role letter of the face-down piece taken, if the mover sees it.
    pub taken: Option<&'a str>,
    /// The odds the mover gave it.
    pub p_mover: f32,
    /// The true odds.
    pub p_referee: f32,
    /// The value if it happened, fixed before the draw.
    pub q: f32,
    /// Visits below it.
    pub visits: u32,
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

    /// The outcome that happened; none if the ledger is empty.
    pub fn outcome(&self) -> Option<&OutcomeRow<'_>> {
        let happened = |outcome: &&OutcomeRow<'_>| {
            outcome.reveal == self.revealed && (outcome.taken.is_none() || outcome.taken == self.taken)
        };
        self.outcomes.iter().find(happened)
    }

    /// The mover's luck: the value of what was uncovered less the mean over what might have been, by the
    /// true odds; 0 where nothing is uncovered, none for a flip without a ledger.
    pub fn luck(&self) -> Option<f64> {
        match self.outcome() {
            Some(outcome) => {
                let odds: f64 = self.outcomes.iter().map(|o| f64::from(o.p_referee)).sum();
                let mean = |o: &OutcomeRow<'_>| f64::from(o.p_referee) * f64::from(o.q);
                Some(f64::from(outcome.q) - self.outcomes.iter().map(mean).sum::<f64>() / odds)
            }
            None => (!self.kind.is_flip()).then_some(0.0),
        }
    }

    /// How many legal moves there were, which only an audit tells, for it visits them all.
    pub fn legal_moves(&self) -> Option<usize> {
        self.audited.then_some(self.candidates.len())
    }

    /// Every root move the search visited.
    pub fn candidates(&self) -> &[CandidateRow<'_>] {
        self.candidates
    }

    /// The root moves that were looked at enough for their values to be read.
    pub fn counted_candidates(&self) -> impl Iterator<Item = &CandidateRow<'_>> {
        let least = self.source().map_or(u32::MAX, Source::least_visits);
        self.candidates.iter().filter(move |candidate| candidate.visits >= least)
    }
}
