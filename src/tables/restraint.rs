//! Players who keep from moves that the rules allow, so that one can see what it costs them.

use std::fmt;

use crate::game::{BySeat, Control, Game, MoveList, Phase, PlyKind, Seat};

/// A rule of conduct: at each of its player's plies it forbids some of the legal moves.
pub trait Restraint: fmt::Debug + Send + Sync {
    /// Whether each move is forbidden, in the order of `moves`. Where all are, the player is free.
    fn forbids(&self, standpoint: &Standpoint, moves: &[Prospect]) -> Vec<bool>;
}

/// Where a player stands who has to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standpoint {
    pub seat: Seat,
    /// Pieces the player has turned up in the game so far.
    pub flips: u32,
    pub phase: Phase,
    pub in_check: bool,
}

/// What a player knows of a move before it is played.
#[derive(Debug, Clone, PartialEq)]
pub struct Prospect {
    /// The move as text.
    pub mv: String,
    pub kind: PlyKind,
    pub control: Control,
}

/// What the players of a game have done that a restraint goes by.
#[derive(Debug, Clone, Copy, Default)]
pub struct Past {
    flips: BySeat<u32>,
}

/// The moves a restraint leaves its player.
#[derive(Debug, Clone)]
pub struct Leave<M: Copy> {
    /// Sorted; never empty while the game goes on.
    pub moves: MoveList<M>,
    /// Whether any legal move is missing.
    pub is_short: bool,
}

impl Past {
    /// Takes in a ply of `mover`.
    pub fn note(&mut self, mover: Seat, kind: PlyKind) {
        self.flips[mover] += u32::from(kind.is_flip());
    }

    /// What `restraint` leaves `mover`, who is to move in `game`.
    ///
    /// # Panics
    ///
    /// If the game is over.
    pub fn leave<G: Game>(&self, game: &G, mover: Seat, restraint: &dyn Restraint) -> Leave<G::Move> {
        let mut moves = MoveList::<G::Move>::new();
        game.legal_moves(&mut moves);
        let (phase, in_check) = (game.phase(), game.in_check());
        let standpoint = Standpoint { seat: mover, flips: self.flips[mover], phase, in_check };
        let prospect =
            |&mv: &G::Move| Prospect { mv: mv.to_string(), kind: game.kind(mv), control: game.control(mv) };
        let prospects: Vec<Prospect> = moves.iter().map(prospect).collect();
        let forbidden = restraint.forbids(&standpoint, &prospects);
        let mut admissible = moves.clone();
        let mut forbidden = forbidden.into_iter();
        admissible.retain(|_| !forbidden.next().expect("a verdict on each move"));
        let is_short = !admissible.is_empty() && admissible.len() < moves.len();
        Leave { moves: if is_short { admissible } else { moves }, is_short }
    }
}
