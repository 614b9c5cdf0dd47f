//! A ply in words, and who controls the square it ends on.
//!
//! A face-down piece threatens nothing and guards nothing. Nobody is ever in check, and no piece is ever
//! locked in by what it may turn up as.

use super::Move;
use super::board::{Board, Cell};
use super::capture::{of_color, piece, rank, value};
use super::play::Position;
use super::square::{Square, SquareSet};
use crate::game::{Control, Letters, MoveFacts, Phase, PlyKind};
use crate::rules::pieces::{Color, Piece, Role};

pub fn of_ply(position: &Position, kind: PlyKind, mv: Move, shown: Option<Piece>) -> MoveFacts {
    let board = position.board();
    let side = position.side();
    let letters = letters(position, mv, shown);
    let taken_hidden = !mv.is_flip() && position.uncovers(mv);
    let pool_of = |color| of_color(position.pool(), color).iter().copied().collect();
    MoveFacts {
        kind,
        from: mv.from.name(),
        to: mv.to.name(),
        shown: board.role(mv.from).map(Role::letter),
        revealed: letters.revealed,
        taken: letters.taken.or_else(|| board.role(mv.to).map(Role::letter)),
        taken_hidden,
        control: control(position, mv),
        check: false,
        in_check: false,
        phase: phase(position),
        face_down_left: board.face_down().len() as u8,
        // Before the first flip the two are equal, so nothing is said of whose is which.
        pool_own: pool_of(side),
        pool_enemy: pool_of(side.other()),
        locked_own: 0,
        locked_enemy: 0,
        locks: None,
        threats: None,
    }
}

/// What `mv` showed. Whoever flips first flips a piece of its own.
pub fn letters(position: &Position, mv: Move, shown: Option<Piece>) -> Letters {
    let expected = if mv.is_flip() { position.side() } else { position.side().other() };
    let letter = shown.map(|piece| {
        let as_expected = piece.color == expected || position.first().is_none();
        let letter = piece.role.letter();
        if as_expected { letter } else { letter.to_ascii_lowercase() }
    });
    if mv.is_flip() {
        Letters { revealed: letter, taken: None }
    } else {
        Letters { revealed: None, taken: letter }
    }
}

/// Opening while at most 8 of the 32 face-down pieces are turned up, endgame from 8 left.
pub fn phase(position: &Position) -> Phase {
    match position.board().face_down().len() {
        24.. => Phase::Opening,
        9..=23 => Phase::Middle,
        ..=8 => Phase::Endgame,
    }
}

/// Who controls the square `mv` ends on, once it has been played.
///
/// For a flip, the attackers are the enemy pieces that could take something the mover may find there, and
/// the loss is the mean over all that may be found, where an enemy piece is none. Defenders are those that
/// could retake the cheapest attacker.
pub fn control(position: &Position, mv: Move) -> Control {
    let (board, side) = (position.board(), position.side());
    if mv.is_flip() {
        let pool = position.pool();
        let own = |&kind: &usize| piece(kind).color == side && position.first().is_some();
        let mut attackers = SquareSet::EMPTY;
        let mut loss = 0.0;
        for kind in pool.kinds().filter(own) {
            let fight = Fight::over(board, mv.to, piece(kind));
            attackers |= fight.attackers();
            loss += f32::from(pool.count(kind)) * fight.loss();
        }
        let risk = loss / pool.total() as f32;
        return tell(board, side, mv.to, attackers, risk, risk);
    }
    let taken = match board.cell(mv.to) {
        Cell::Empty => 0.0,
        Cell::FaceUp(piece) => value(piece.role),
        Cell::FaceDown => mean_enemy_value(position).max(0.0),
    };
    let Cell::FaceUp(piece) = board.cell(mv.from) else {
        unreachable!("only a face-up piece goes anywhere");
    };
    let mut after = board.clone();
    after.shift(mv.from, mv.to);
    let fight = Fight::over(&after, mv.to, piece);
    let loss = fight.loss();
    tell(&after, side, mv.to, fight.attackers(), loss, (loss - taken).max(0.0))
}

/// The mean worth to the mover of taking a face-down piece: its value, or less than nothing if it is own.
fn mean_enemy_value(position: &Position) -> f32 {
    let pool = position.pool();
    let worth = |kind: usize| {
        let piece = piece(kind);
        let sign = if piece.color == position.side() { -1.0 } else { 1.0 };
        sign * f32::from(pool.count(kind)) * value(piece.role)
    };
    pool.kinds().map(worth).sum::<f32>() / pool.total() as f32
}

fn tell(board: &Board, side: Color, at: Square, attackers: SquareSet, see: f32, risk: f32) -> Control {
    let least = cheapest(board, attackers);
    let defenders = least.map_or(0, |(from, role)| {
        let mut taken = board.clone();
        taken.shift(from, at);
        taken.attackers(side, at, role).len()
    });
    Control {
        attackers: attackers.len() as u8,
        attackers_hidden: 0,
        least_attacker: least.map(|(_, role)| role.letter()),
        defenders: defenders as u8,
        defenders_hidden: 0,
        see,
        risk,
    }
}

/// The piece of the least value, and of those the lowest rank.
fn cheapest(board: &Board, pieces: SquareSet) -> Option<(Square, Role)> {
    let known = pieces.into_iter().filter_map(|at| Some((at, board.role(at)?)));
    known.min_by(|&(_, a), &(_, b)| value(a).total_cmp(&value(b)).then(rank(b).cmp(&rank(a))))
}

/// Captures on one square, one after the other, where a piece stands that the other side may take.
struct Fight {
    board: Board,
    at: Square,
    piece: Piece,
}

impl Fight {
    /// The fight over `at` once `piece` stands there.
    fn over(board: &Board, at: Square, piece: Piece) -> Fight {
        let mut board = board.clone();
        board.set(at, Cell::FaceUp(piece));
        Fight { board, at, piece }
    }

    fn attackers(&self) -> SquareSet {
        self.board.attackers(self.piece.color.other(), self.at, self.piece.role)
    }

    /// What the piece's side loses if both sides take with their cheapest piece and stop when it pays, in
    /// soldiers, never below 0.
    fn loss(&self) -> f32 {
        let Some((from, role)) = cheapest(&self.board, self.attackers()) else { return 0.0 };
        let mut board = self.board.clone();
        board.shift(from, self.at);
        let taker = Piece { color: self.piece.color.other(), role };
        (value(self.piece.role) - Fight { board, at: self.at, piece: taker }.loss()).max(0.0)
    }
}
