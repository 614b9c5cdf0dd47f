//! A ply in words, and who controls the square it ends on.

use arrayvec::ArrayVec;

use super::board::{Board, Cell};
use super::exchange::{Means, cell_value, exchange, identities, mean_value, value};
use super::play::Position;
use super::square::{Square, SquareSet};
use super::{Jieqi, Move, Reveal, RolePool, threats};
use crate::game::{Control, Game, Locks, MoveFacts, Phase, SquareName};
use crate::rules::pieces::{ByColor, Color};

/// A face-down piece counts as locked if every move of it risks at least this share of its mean value.
const LOCKED_AT: f32 = 0.5;

pub fn of_ply(game: &Jieqi, mv: Move, reveal: Reveal) -> MoveFacts {
    let position = &game.position;
    let board = position.board();
    let mover = position.to_move();
    let pools = game.mover_pools();
    let (moved, taken) = (board.cell(mv.from), board.cell(mv.to));
    let mut after = board.clone();
    after.play(mv.from, mv.to, reveal.opened);
    let locks = locks(position, &pools);
    MoveFacts {
        kind: game.kind(mv),
        from: mv.from.name(),
        to: mv.to.name(),
        shown: moved.shown(mv.from).map(|role| role.letter()),
        revealed: reveal.opened.map(|role| role.letter()),
        taken: match taken {
            Cell::Empty => None,
            Cell::FaceUp(piece) => Some(piece.role.letter()),
            Cell::FaceDown(_) => reveal.taken.map(|role| role.letter()),
        },
        taken_hidden: matches!(taken, Cell::FaceDown(_)),
        control: control(position, &pools, mv),
        check: after.in_check(mover.other()),
        in_check: board.in_check(mover),
        phase: phase(position),
        face_down_left: board.face_down().len() as u8,
        pool_own: pools[mover].counts().iter().copied().collect(),
        pool_enemy: pools[mover.other()].counts().iter().copied().collect(),
        locked_own: locks.own.len() as u8,
        locked_enemy: locks.enemy.len() as u8,
        locks: Some(locks),
        threats: Some(threats::after_ply(&after, mover, mv.to, &means_of(&pools))),
    }
}

/// Opening while at most 8 of the 30 face-down pieces are turned up or gone, endgame from 8 left.
pub fn phase(position: &Position) -> Phase {
    match position.board().face_down().len() {
        22.. => Phase::Opening,
        9..=21 => Phase::Middle,
        ..=8 => Phase::Endgame,
    }
}

/// Who controls the square `mv` ends on, to one who knows `pools`.
pub fn control(position: &Position, pools: &ByColor<RolePool>, mv: Move) -> Control {
    Contest::of(position.board(), position.to_move(), pools, mv).control()
}

/// Which face-down pieces of the side to move and of the other are locked, to one who knows `pools`.
pub fn locks(position: &Position, pools: &ByColor<RolePool>) -> Locks {
    let mover = position.to_move();
    let names_of = |color| names(locked(position.board(), color, pools));
    Locks { own: names_of(mover), enemy: names_of(mover.other()) }
}

/// The pieces of `color` that lie face down and cannot be turned up without loss.
fn locked(board: &Board, color: Color, pools: &ByColor<RolePool>) -> SquareSet {
    let threshold = LOCKED_AT * mean_value(&pools[color]);
    let is_locked = |&from: &Square| {
        let mut targets = board.legal_targets_from(color, from).into_iter();
        targets.all(|to| Contest::of(board, color, pools, Move { from, to }).risk() >= threshold)
    };
    (board.face_down() & board.pieces(color)).into_iter().filter(is_locked).collect()
}

/// A side has fifteen face-down pieces at most.
fn names(squares: SquareSet) -> ArrayVec<SquareName, 16> {
    squares.into_iter().map(Square::name).collect()
}

fn means_of(pools: &ByColor<RolePool>) -> Means {
    Means::new(mean_value(&pools[Color::Red]), mean_value(&pools[Color::Black]))
}

/// The fight over the square a move ends on, once it has been played.
struct Contest<'a> {
    mover: Color,
    at: Square,
    pools: &'a ByColor<RolePool>,
    means: Means,
    /// What moved, and what it took.
    moved: Cell,
    taken: Cell,
    /// The board after the move, and the enemy pieces that can take there.
    board: Board,
    attackers: SquareSet,
    /// The board after the cheapest of them has taken, and what the mover wins by going on there.
    retaking: Option<(Board, f32)>,
}

impl<'a> Contest<'a> {
    fn of(before: &Board, mover: Color, pools: &'a ByColor<RolePool>, mv: Move) -> Self {
        let means = means_of(pools);
        let (moved, taken) = (before.cell(mv.from), before.cell(mv.to));
        let mut board = before.clone();
        // What it turns up as does not matter: the contest begins with its being taken.
        board.play(mv.from, mv.to, moved.shown(mv.from));
        let attackers = board.legal_attackers(mover.other(), mv.to);
        let retaking = board.cheapest(attackers, &means).map(|from| {
            let mut board = board.clone();
            let at_stake = board.take_in_exchange(from, mv.to, &means);
            let won = exchange(&board, mover, mv.to, at_stake, &means);
            (board, won)
        });
        Contest { mover, at: mv.to, pools, means, moved, taken, board, attackers, retaking }
    }

    /// What the opponent wins there from a piece worth `worth`.
    fn loss(&self, worth: f32) -> f32 {
        self.retaking.as_ref().map_or(0.0, |(_, won_back)| (worth - won_back).max(0.0))
    }

    fn risk(&self) -> f32 {
        let won = cell_value(self.taken, &self.means);
        let net_loss = |worth| (self.loss(worth) - won).max(0.0);
        match self.moved {
            Cell::FaceDown(color) => {
                let pool = &self.pools[color];
                let sum: f32 = identities(pool).map(|(role, count)| count * net_loss(value(role))).sum();
                sum / pool.total() as f32
            }
            known => net_loss(cell_value(known, &self.means)),
        }
    }

    fn defenders(&self) -> SquareSet {
        match &self.retaking {
            Some((board, _)) => board.legal_attackers(self.mover, self.at),
            // Nobody can take there; a piece that somehow did would be retaken by these.
            None => self.board.legal_attackers(self.mover, self.at),
        }
    }

    fn control(&self) -> Control {
        let hidden = |pieces: SquareSet, board: &Board| (pieces & board.face_down()).len() as u8;
        let least = self.board.cheapest(self.attackers, &self.means);
        let defenders = self.defenders();
        Control {
            attackers: self.attackers.len() as u8,
            attackers_hidden: hidden(self.attackers, &self.board),
            least_attacker: least
                .and_then(|from| self.board.cell(from).shown(from))
                .map(|role| role.letter()),
            defenders: defenders.len() as u8,
            defenders_hidden: hidden(defenders, &self.board),
            see: self.loss(cell_value(self.moved, &self.means)),
            risk: self.risk(),
        }
    }
}
