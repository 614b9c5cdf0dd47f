//! What pieces are worth, and what an exchange of captures on one square comes to.

use super::RolePool;
use super::attacks::{self, lines, unblocked};
use super::board::{Board, Cell, Guards};
use super::square::{Square, SquareSet};
use crate::rules::pieces::{ByColor, Color, Role};

/// Piece values in pawns, by [`Role::index`]: the material constants of the Pikafish engine's Jieqi
/// branch (R 1080, A 243, C 769, P 149, N 616, B 218), over that of its pawn. A king is never exchanged.
const VALUES: [f32; 7] =
    [1080.0 / 149.0, 243.0 / 149.0, 769.0 / 149.0, 1.0, 616.0 / 149.0, 218.0 / 149.0, 0.0];

/// What a piece of known role is worth, in pawns.
pub fn value(role: Role) -> f32 {
    VALUES[role.index()]
}

/// The mean value of an unseen piece, in pawns; 0 for an empty pool.
pub fn mean_value(pool: &RolePool) -> f32 {
    match pool.total() {
        0 => 0.0,
        total => identities(pool).map(|(role, count)| value(role) * count).sum::<f32>() / total as f32,
    }
}

/// The roles in a pool with their counts.
pub fn identities(pool: &RolePool) -> impl Iterator<Item = (Role, f32)> + '_ {
    Role::ALL.into_iter().zip(pool.counts()).map(|(role, &count)| (role, f32::from(count)))
}

/// What `color` has on the board, in pawns; face-down pieces at the mean of `pool`.
pub fn material(board: &Board, color: Color, pool: &RolePool) -> f32 {
    let own = board.pieces(color);
    let face_down = own & board.face_down();
    let known: f32 = Role::ALL
        .into_iter()
        .map(|role| value(role) * (board.shown_as(role) & own.without(face_down)).len() as f32)
        .sum();
    known + face_down.len() as f32 * mean_value(pool)
}

/// What an unseen piece of each colour is worth, in pawns.
pub type Means = ByColor<f32>;

/// What the piece in `cell` is worth, in pawns.
pub fn cell_value(cell: Cell, means: &Means) -> f32 {
    match cell {
        Cell::Empty => 0.0,
        Cell::FaceUp(piece) => value(piece.role),
        Cell::FaceDown(color) => means[color],
    }
}

impl Board {
    /// The pieces of `color` that could legally take an enemy piece on `at`.
    pub fn legal_attackers(&self, color: Color, at: Square) -> SquareSet {
        let reaching = self.attackers(color, at);
        reaching.into_iter().filter(|&from| !self.exposes(color, from, at)).collect()
    }

    /// The pieces of `color` that reach an enemy piece on `at`, were their king in no danger.
    pub(super) fn attackers(&self, color: Color, at: Square) -> SquareSet {
        let occupied = self.occupied();
        let lines = lines(at, occupied);
        let mut attackers = lines.reach & self.shown_as(Role::Chariot)
            | lines.jump & self.shown_as(Role::Cannon)
            | unblocked(&attacks::HORSE_SOURCES, at, occupied) & self.shown_as(Role::Horse)
            | attacks::SOLDIER_SOURCES[color as usize][at.index()] & self.shown_as(Role::Soldier);
        let in_palace = SquareSet::PALACES.contains(at);
        if in_palace {
            attackers |= attacks::KING[at.index()] & self.shown_as(Role::King);
        }
        let advisors = attacks::ADVISOR[at.index()] & self.shown_as(Role::Advisor);
        attackers |= match self.guards() {
            _ if in_palace => advisors,
            Guards::Free => advisors.without(self.face_down()),
            Guards::Confined => SquareSet::EMPTY,
        };
        if self.guards() == Guards::Free || SquareSet::half(color).contains(at) {
            attackers |= unblocked(&attacks::ELEPHANT, at, occupied) & self.shown_as(Role::Elephant);
        }
        attackers & self.pieces(color)
    }

    /// The cheapest of `attackers`: what is lost if it is retaken. A face-down one counts as its mean.
    pub fn cheapest(&self, attackers: SquareSet, means: &Means) -> Option<Square> {
        let cost = |from: Square| match self.cell(from) {
            // A king is never retaken: where it could be, its capture is not legal.
            Cell::FaceUp(piece) if piece.role == Role::King => f32::INFINITY,
            cell => cell_value(cell, means),
        };
        attackers.into_iter().min_by(|&a, &b| cost(a).total_cmp(&cost(b)))
    }

    /// Takes the piece on `at` with the one on `from` and returns what the latter is worth there. A
    /// face-down piece is turned up as what it shows, but stays worth its mean.
    pub fn take_in_exchange(&mut self, from: Square, at: Square, means: &Means) -> f32 {
        let taker = self.cell(from);
        self.play(from, at, taker.shown(from));
        cell_value(taker, means)
    }
}

/// What `color` wins by taking a piece worth `at_stake` on `at`, both sides taking with their cheapest
/// piece and stopping when it pays; in pawns, never below 0. All captures are legal ones.
pub fn exchange(board: &Board, color: Color, at: Square, at_stake: f32, means: &Means) -> f32 {
    let Some(from) = board.cheapest(board.legal_attackers(color, at), means) else { return 0.0 };
    let mut after = board.clone();
    let next_stake = after.take_in_exchange(from, at, means);
    (at_stake - exchange(&after, color.other(), at, next_stake, means)).max(0.0)
}
