//! The kinds of positions and pieces that flips onto controlled squares are told apart by.

use crate::analysis::board::Board;
use crate::analysis::rows::{CandidateRow, PlyRow};
use crate::analysis::story::PHASES;

/// What tells flips apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum By {
    /// All flips onto controlled squares.
    All,
    /// The role of the square the piece leaves, which is all that is known of it.
    Role,
    LeastAttacker,
    Defended,
    Phase,
    /// Rooks and cannons left in the mover's pool.
    Pool,
    InCheck,
}

impl By {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Role => "role of the square",
            Self::LeastAttacker => "least attacker",
            Self::Defended => "defended",
            Self::Phase => "phase",
            Self::Pool => "strong pieces in the pool",
            Self::InCheck => "in check",
        }
    }
}

/// One of the groups: a letter, a count, or a place in a list, by what tells them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stratum {
    pub(super) by: By,
    level: u8,
}

/// A letter that is not known.
const UNKNOWN: u8 = b'?';

impl Stratum {
    pub(super) const ALL: Self = Self { by: By::All, level: 0 };

    /// The strata a flip that `ply`'s search looked at belongs to.
    pub(super) fn of(
        board: Board,
        ply: &PlyRow<'_>,
        flip: &CandidateRow<'_>,
    ) -> impl Iterator<Item = Self> + use<> {
        let at = |by, level| Self { by, level };
        let role = board.point(flip.mv.get(..2).unwrap_or_default()).and_then(|from| board.home_role(from));
        let phase = PHASES.iter().position(|&phase| phase == ply.phase).unwrap_or(0);
        let all = [
            Self::ALL,
            at(By::Role, role.unwrap_or(UNKNOWN)),
            at(By::LeastAttacker, flip.least_attacker.and_then(|l| l.bytes().next()).unwrap_or(UNKNOWN)),
            at(By::Defended, u8::from(flip.defenders > 0)),
            at(By::Phase, phase as u8),
            at(By::Pool, board.strong_pieces(ply.pool_own)),
            at(By::InCheck, u8::from(ply.in_check)),
        ];
        // Where face-down pieces are nobody's, squares have no roles, and nobody is in check.
        let told = move |by| !(board.flips_in_place() && matches!(by, By::Role | By::InCheck));
        all.into_iter().filter(move |stratum| told(stratum.by))
    }

    /// Flips from squares of the role with that letter.
    pub(super) fn of_role(role: u8) -> Self {
        Self { by: By::Role, level: role }
    }

    pub(super) fn level_name(self, board: Board) -> String {
        let yes_or_no = if self.level == 0 { "no" } else { "yes" };
        match self.by {
            By::All => "all".into(),
            By::Role | By::LeastAttacker if self.level == UNKNOWN => "unknown".into(),
            By::Role | By::LeastAttacker => board.piece_name(&char::from(self.level).to_string()),
            By::Defended | By::InCheck => yes_or_no.into(),
            By::Phase => PHASES[usize::from(self.level)].into(),
            By::Pool => self.level.to_string(),
        }
    }
}
