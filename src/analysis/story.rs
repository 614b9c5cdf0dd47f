//! A whole game in small: what reports that follow a game from ply to ply are given at its end.

use super::AnalysisError;
use super::board::{Board, Point, Points};
use super::rows::{GameRow, Kind, Place, PlyRow};

/// A finished game.
#[derive(Debug, Clone, Default)]
pub struct Story {
    pub game_id: u64,
    /// 1, 0 or -1 for the first seat.
    pub result: i8,
    pub end_reason: String,
    pub steps: Vec<Step>,
}

/// One ply of it; values are the mover's, from -1 to 1, and letters upper-case role letters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    pub seat: u8,
    pub kind: Kind,
    pub from: Point,
    pub to: Point,
    pub shown: Option<u8>,
    pub revealed: Option<u8>,
    pub taken: Option<u8>,
    pub taken_hidden: bool,
    pub attackers: u8,
    /// In pawns.
    pub risk: f32,
    pub check: bool,
    pub in_check: bool,
    pub phase: u8,
    pub locked_own: u8,
    pub locked_enemy: u8,
    /// Where the file tells.
    pub tactics: Option<Tactics>,
    /// Whether a search chose the move: neither drawn nor played without one.
    pub chosen: bool,
    /// Whether the move was drawn evenly from all legal ones, and with what probability any drawn move was.
    pub explored: bool,
    pub chosen_with: Option<f32>,
    pub value: f32,
    pub next_value: f32,
    pub lost_in: Option<u16>,
    /// [`PlyRow::luck`].
    pub luck: Option<f64>,
}

/// Where pieces are locked before a ply, and what it threatens.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tactics {
    pub locked_own: Points,
    pub locked_enemy: Points,
    /// Enemy pieces, the king among them, that the moved piece attacks with profit.
    pub attacked: u8,
    pub pinned: u8,
    /// Moves that would mate.
    pub mates: u8,
}

/// The phases by the number [`Step::phase`] has.
pub const PHASES: [&str; 3] = ["opening", "middle", "endgame"];

impl Story {
    /// Begins the story of `game`, forgetting the one before.
    pub fn begin(&mut self, game_id: u64, game: &GameInBrief) {
        self.game_id = game_id;
        self.result = game.result;
        self.end_reason.clone_from(&game.end_reason);
        self.steps.clear();
    }

    /// Takes in the next ply.
    ///
    /// # Errors
    ///
    /// If it is not the next ply of this game, or a square is not one of `board`; `place` is where it stands.
    pub fn go_on(&mut self, ply: &PlyRow<'_>, place: Place<'_>, board: Board) -> Result<(), AnalysisError> {
        place.check_order(ply, self.steps.len(), self.result)?;
        let point = |column: &str, name: &str| {
            board.point(name).ok_or_else(|| place.bad_text(column, name, "a square of the board"))
        };
        let points = |column: &str, names: &str| {
            board.points_of(names).ok_or_else(|| place.bad_text(column, names, "squares of the board"))
        };
        let tactics = match &ply.tactics {
            Some(tactics) => Some(Tactics {
                locked_own: points("locked_own_on", tactics.locked_own_on)?,
                locked_enemy: points("locked_enemy_on", tactics.locked_enemy_on)?,
                attacked: tactics.attacked,
                pinned: tactics.pinned,
                mates: tactics.mates,
            }),
            None => None,
        };
        let letter = |text: Option<&str>| text.and_then(|text| text.bytes().next());
        self.steps.push(Step {
            seat: ply.seat,
            kind: ply.kind,
            from: point("from", ply.from)?,
            to: point("to", ply.to)?,
            shown: letter(ply.shown),
            revealed: letter(ply.revealed),
            taken: letter(ply.taken),
            taken_hidden: ply.taken_hidden,
            attackers: ply.attackers,
            risk: ply.risk,
            check: ply.check,
            in_check: ply.in_check,
            phase: PHASES.iter().position(|&phase| phase == ply.phase).unwrap_or(0) as u8,
            locked_own: ply.locked_own,
            locked_enemy: ply.locked_enemy,
            tactics,
            chosen: ply.full_search && !ply.explored,
            explored: ply.explored,
            chosen_with: ply.chosen_with,
            value: ply.value,
            next_value: ply.next_value,
            lost_in: ply.lost_in,
            luck: ply.luck(),
        });
        Ok(())
    }

    /// The result for the player in `seat`.
    pub fn result_for(&self, seat: u8) -> f64 {
        f64::from(if seat == 0 { self.result } else { -self.result })
    }

    /// The luck of the player in `seat` from the ply at `from` on, less the opponent's; none if a flip has
    /// no ledger.
    pub fn luck_from(&self, from: usize, seat: u8) -> Option<f64> {
        let signed = |step: &Step| step.luck.map(|luck| if step.seat == seat { luck } else { -luck });
        self.steps[from..].iter().map(signed).sum()
    }
}

impl Step {
    /// The change of value that followed, in the units of the value.
    pub fn change(&self) -> f64 {
        f64::from(self.next_value) - f64::from(self.value)
    }

    pub fn is_flip(&self) -> bool {
        self.kind.is_flip()
    }
}

/// What the table `games` says that the stories need, kept for the games of a shard.
#[derive(Debug, Clone)]
pub struct GameInBrief {
    pub result: i8,
    pub end_reason: String,
    /// The plies the game should have.
    pub plies: u16,
    /// Who played: one name if both seats were of one player.
    pub players: String,
}

impl GameInBrief {
    pub fn of(game: &GameRow<'_>) -> Self {
        let players = match (game.first, game.second) {
            (first, second) if first == second => first.to_owned(),
            (first, second) => format!("{} against {}", first.min(second), first.max(second)),
        };
        Self { result: game.result, end_reason: game.end_reason.to_owned(), plies: game.plies, players }
    }
}
