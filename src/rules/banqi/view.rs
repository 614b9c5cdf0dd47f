//! A game as one pair of eyes knows it: as it is.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::capture::{RANKED, of_color, value};
use super::play::Position;
use super::profile::BanqiRules;
use super::{Move, chances, notation};
use crate::game::{Chances, Eyes, Letters, MoveList, NotationError, Seat, Status, View};
use crate::rules::hashing::mix;
use crate::rules::pieces::{Color, Piece};

/// What one pair of eyes knows: the position, which both players know alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BanqiView {
    rules: Arc<BanqiRules>,
    position: Position,
    eyes: Eyes,
}

/// The key of the view that `eyes` have of `position`.
pub fn key(position: &Position, eyes: Eyes) -> u64 {
    let eyes = match eyes {
        Eyes::Public => 0,
        Eyes::Of(seat) => 1 + seat as u64,
    };
    mix(position.hash(), eyes)
}

impl BanqiView {
    pub(super) fn new(rules: &Arc<BanqiRules>, position: Position, eyes: Eyes) -> Self {
        Self { rules: rules.clone(), position, eyes }
    }

    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    pub(super) fn rules_arc(&self) -> &Arc<BanqiRules> {
        &self.rules
    }

    /// What `color` has on the board and face down, in soldiers.
    fn material(&self, color: Color) -> f32 {
        let face_up = self.position.board().by_rank(color).iter().map(|pieces| pieces.len());
        let face_down = of_color(self.position.pool(), color).iter().map(|&count| u32::from(count));
        let counts = face_up.zip(face_down).map(|(up, down)| (up + down) as f32);
        RANKED.into_iter().zip(counts).map(|(role, count)| value(role) * count).sum()
    }
}

impl Hash for BanqiView {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(key(&self.position, self.eyes));
    }
}

impl View for BanqiView {
    type Profile = BanqiRules;
    type Move = Move;
    type Seen = Option<Piece>;

    fn parse(text: &str, rules: &Arc<BanqiRules>) -> Result<Self, NotationError> {
        notation::parse_view(text, rules)
    }

    fn rules(&self) -> &Arc<BanqiRules> {
        &self.rules
    }

    fn eyes(&self) -> Eyes {
        self.eyes
    }

    fn status(&self) -> Status {
        self.position.status()
    }

    fn side_letter(&self, seat: Seat) -> Option<char> {
        let first = self.position.first()?;
        Some(if seat == Seat::First { first } else { first.other() }.letter())
    }

    fn legal_moves(&self, out: &mut MoveList<Move>) {
        self.position.legal_moves(&self.rules, out);
    }

    fn chances(&self, mv: Move) -> Chances<Option<Piece>> {
        chances(&self.position, mv)
    }

    fn after(&self, mv: Move, seen: Option<Piece>) -> Self {
        let mut next = self.clone();
        next.position.play(&self.rules, mv, seen);
        next
    }

    fn parse_seen(&self, text: &str) -> Result<(Move, Option<Piece>), NotationError> {
        notation::parse_ply(text, &self.position, &self.rules)
    }

    fn seen_text(&self, mv: Move, seen: Option<Piece>) -> String {
        format!("{mv}{}", notation::reveal_text(seen))
    }

    fn letters(&self, mv: Move, seen: Option<Piece>) -> Letters {
        super::facts::letters(&self.position, mv, seen)
    }

    /// Every face-down piece is in the pool, so this is exact.
    fn heuristic(&self) -> f32 {
        let side = self.position.side();
        self.material(side) - self.material(side.other())
    }

    fn public(&self) -> Self {
        Self { eyes: Eyes::Public, ..self.clone() }
    }
}
