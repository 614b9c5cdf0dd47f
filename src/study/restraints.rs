//! What the claims forbid, in terms of what a player knows of its moves.

use crate::analysis::{Board, Point};
use crate::game::{Phase, PlyKind};
use crate::tables::{Prospect, Restraint, Standpoint};

/// The ranks beyond the river, seen from a player's own side, begin here.
const BEYOND_THE_RIVER: u8 = 5;

/// No piece is turned up on an empty square where the opponent could take it.
#[derive(Debug)]
pub struct FreeSquares;

impl Restraint for FreeSquares {
    fn forbids(&self, _standpoint: &Standpoint, moves: &[Prospect]) -> Vec<bool> {
        moves.iter().map(|mv| mv.kind == PlyKind::Flip && mv.control.attackers > 0).collect()
    }
}

/// Of all ways to turn a piece up, only those that risk least.
#[derive(Debug)]
pub struct LeastRisk;

impl Restraint for LeastRisk {
    fn forbids(&self, _standpoint: &Standpoint, moves: &[Prospect]) -> Vec<bool> {
        let flips = moves.iter().filter(|mv| mv.kind.is_flip());
        let least = flips.map(|mv| mv.control.risk).fold(f32::INFINITY, f32::min);
        moves.iter().map(|mv| mv.kind.is_flip() && mv.control.risk > least).collect()
    }
}

/// No piece is turned up that risks more than `most`, in pawns.
#[derive(Debug)]
pub struct RiskAtMost {
    pub most: f64,
}

impl Restraint for RiskAtMost {
    fn forbids(&self, _standpoint: &Standpoint, moves: &[Prospect]) -> Vec<bool> {
        moves.iter().map(|mv| mv.kind.is_flip() && f64::from(mv.control.risk) > self.most).collect()
    }
}

/// The first pieces turned up are those of one rank, as long as any of them can be.
#[derive(Debug)]
pub struct RankFirst {
    pub board: Board,
    /// From the player's own back rank, which is 0.
    pub rank: u8,
    /// How many pieces are the first ones.
    pub flips: u32,
}

impl Restraint for RankFirst {
    fn forbids(&self, standpoint: &Standpoint, moves: &[Prospect]) -> Vec<bool> {
        let is_early = standpoint.flips < self.flips;
        let starts_there = |mv: &Prospect| {
            let own = |(from, _)| self.board.seen_from(standpoint.seat as u8, from).rank;
            self.board.points(&mv.mv).map(own) == Some(self.rank)
        };
        let has_choice = moves.iter().any(|mv| mv.kind.is_flip() && starts_there(mv));
        moves.iter().map(|mv| is_early && has_choice && mv.kind.is_flip() && !starts_there(mv)).collect()
    }
}

/// Before the endgame the pieces on the squares of one role stay face down, but when in check.
#[derive(Debug)]
pub struct KeepHome {
    pub board: Board,
    /// A role letter.
    pub role: u8,
    /// Whether they may be turned up to attack: by a capture, or by going beyond the river.
    pub but_to_attack: bool,
}

impl KeepHome {
    fn attacks(&self, standpoint: &Standpoint, mv: &Prospect, to: Point) -> bool {
        let rank = self.board.seen_from(standpoint.seat as u8, to).rank;
        mv.kind == PlyKind::FlipCapture || rank >= BEYOND_THE_RIVER
    }
}

impl Restraint for KeepHome {
    fn forbids(&self, standpoint: &Standpoint, moves: &[Prospect]) -> Vec<bool> {
        let is_free = standpoint.phase == Phase::Endgame || standpoint.in_check;
        let forbids = |mv: &Prospect| {
            let Some((from, to)) = self.board.points(&mv.mv) else { return false };
            mv.kind.is_flip()
                && self.board.home_role(from) == Some(self.role)
                && !(self.but_to_attack && self.attacks(standpoint, mv, to))
        };
        moves.iter().map(|mv| !is_free && forbids(mv)).collect()
    }
}
