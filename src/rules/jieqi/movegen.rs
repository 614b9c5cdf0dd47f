//! Which moves are legal.
//!
//! Legality depends on public things only: after a move the mover's king can be attacked by enemy pieces
//! and along the file between the kings, and neither depends on what the moved piece turned up as,
//! because it fills its square whatever it is.
//!
//! Face-down pieces never attack a square of the enemy palace: their lines are files a, b, h, i and ranks
//! 0 and 2, and their steps end on their own half. So the search for checks need not ask who lies face
//! down.

use super::attacks::{self, Hop, lines, unblocked};
use super::board::{Board, Guards};
use super::square::{Square, SquareSet};
use crate::rules::pieces::{Color, Role};

/// Which moves could leave a king attacked. The others need no test.
struct Danger {
    /// The enemy pieces that attack the king now.
    checkers: SquareSet,
    /// The pieces that may be all that keeps an attack away: shields of a line, screens beside another,
    /// legs of horses, eyes of elephants.
    shields: SquareSet,
    /// The empty squares where a piece would give an enemy cannon its screen.
    screens: SquareSet,
}

impl Board {
    /// Whether `color`'s king is attacked, or faces the other king.
    pub fn in_check(&self, color: Color) -> bool {
        !self.checkers(color).is_empty()
    }

    /// The pieces that attack `color`'s king; the other king too, where the two face each other.
    pub fn checkers(&self, color: Color) -> SquareSet {
        self.attackers_of_king(color, self.king(color), self.occupied(), self.pieces(color.other()))
    }

    /// The pieces among `enemies` that would attack a king of `color` on `king`, were `occupied` the
    /// squares with pieces on them.
    fn attackers_of_king(
        &self,
        color: Color,
        king: Square,
        occupied: SquareSet,
        enemies: SquareSet,
    ) -> SquareSet {
        let lines = lines(king, occupied);
        let soldiers = attacks::SOLDIER_SOURCES[color.other() as usize][king.index()];
        let mut attackers = lines.reach & self.shown_as(Role::Chariot)
            | lines.jump & self.shown_as(Role::Cannon)
            | soldiers & self.shown_as(Role::Soldier)
            | unblocked(&attacks::HORSE_SOURCES, king, occupied) & self.shown_as(Role::Horse)
            // Two palaces share no rank, so kings that see each other do so along a file.
            | lines.reach & self.shown_as(Role::King);
        if self.guards() == Guards::Free {
            attackers |= attacks::ADVISOR[king.index()] & self.shown_as(Role::Advisor)
                | unblocked(&attacks::ELEPHANT, king, occupied) & self.shown_as(Role::Elephant);
        }
        attackers & enemies
    }

    /// Whether moving a piece of `color` from `from` to `to` leaves its king attacked.
    pub(super) fn exposes(&self, color: Color, from: Square, to: Square) -> bool {
        !self.checkers_after(color, from, to).is_empty()
    }

    /// The pieces that attack `color`'s king once a piece of `color` has gone from `from` to `to`.
    pub(super) fn checkers_after(&self, color: Color, from: Square, to: Square) -> SquareSet {
        let king = self.king(color);
        let king = if king == from { to } else { king };
        let occupied = self.occupied().without(SquareSet::of(from)) | SquareSet::of(to);
        let enemies = self.pieces(color.other()).without(SquareSet::of(to));
        self.attackers_of_king(color, king, occupied, enemies)
    }

    fn danger(&self, color: Color) -> Danger {
        let king = self.king(color);
        let occupied = self.occupied();
        let enemies = self.pieces(color.other());
        let mut danger = Danger {
            checkers: self.attackers_of_king(color, king, occupied, enemies),
            shields: SquareSet::EMPTY,
            screens: SquareSet::EMPTY,
        };

        let open_board = lines(king, SquareSet::EMPTY).reach & enemies;
        for slider in open_board & (self.shown_as(Role::Chariot) | self.shown_as(Role::King)) {
            let pieces = SquareSet::between(king, slider) & occupied;
            if pieces.has_one() {
                danger.shields |= pieces;
            }
        }
        for cannon in open_board & self.shown_as(Role::Cannon) {
            let between = SquareSet::between(king, cannon);
            match (between & occupied).len() {
                0 => danger.screens |= between,
                2 => danger.shields |= between & occupied,
                _ => {}
            }
        }
        let mut hops = |hops: &[Hop; 4], role: Role| {
            for hop in hops {
                if hop.block.meets(occupied) && (hop.behind & enemies).meets(self.shown_as(role)) {
                    danger.shields |= hop.block;
                }
            }
        };
        hops(&attacks::HORSE_SOURCES[king.index()], Role::Horse);
        if self.guards() == Guards::Free {
            hops(&attacks::ELEPHANT[king.index()], Role::Elephant);
        }
        danger
    }

    /// The squares a piece of `color` on `from` that moves as `role` could go to or take on, were its own
    /// king in no danger.
    pub fn targets(&self, color: Color, from: Square, role: Role) -> SquareSet {
        let occupied = self.occupied();
        let face_down = self.face_down().contains(from);
        let reached = match role {
            Role::Chariot => lines(from, occupied).reach,
            Role::Cannon => {
                let lines = lines(from, occupied);
                lines.reach.without(occupied) | lines.jump
            }
            Role::Horse => unblocked(&attacks::HORSE, from, occupied),
            Role::Soldier => attacks::SOLDIER[color as usize][from.index()],
            Role::King => attacks::KING[from.index()],
            Role::Advisor if face_down || self.guards() == Guards::Confined => {
                attacks::ADVISOR[from.index()] & SquareSet::PALACES
            }
            Role::Advisor => attacks::ADVISOR[from.index()],
            // A face-down elephant needs no fence: from its home it cannot cross the river.
            Role::Elephant if self.guards() == Guards::Confined => {
                unblocked(&attacks::ELEPHANT, from, occupied) & SquareSet::half(color)
            }
            Role::Elephant => unblocked(&attacks::ELEPHANT, from, occupied),
        };
        reached.without(self.pieces(color))
    }

    /// Calls `visit` with each piece of `color` that has legal moves and with all its legal targets, and
    /// stops early when `visit` returns false.
    pub fn legal_targets(&self, color: Color, mut visit: impl FnMut(Square, SquareSet) -> bool) {
        let danger = self.danger(color);
        let in_check = !danger.checkers.is_empty();
        for role in Role::ALL {
            for from in self.shown_as(role) & self.pieces(color) {
                let all = self.targets(color, from, role);
                let doubtful = if in_check || role == Role::King || danger.shields.contains(from) {
                    all
                } else {
                    all & danger.screens
                };
                let mut legal = all;
                for to in doubtful {
                    if self.exposes(color, from, to) {
                        legal.remove(to);
                    }
                }
                if !legal.is_empty() && !visit(from, legal) {
                    return;
                }
            }
        }
    }

    /// The legal targets of the piece of `color` on `from`; empty if there is none.
    pub fn legal_targets_from(&self, color: Color, from: Square) -> SquareSet {
        match self.cell(from).shown(from) {
            Some(role) if self.pieces(color).contains(from) => self
                .targets(color, from, role)
                .into_iter()
                .filter(|&to| !self.exposes(color, from, to))
                .collect(),
            _ => SquareSet::EMPTY,
        }
    }

    pub fn is_legal(&self, color: Color, from: Square, to: Square) -> bool {
        self.legal_targets_from(color, from).contains(to)
    }

    /// Whether `color` has a legal move.
    pub fn can_move(&self, color: Color) -> bool {
        let mut found = false;
        self.legal_targets(color, |_, _| {
            found = true;
            false
        });
        found
    }
}
