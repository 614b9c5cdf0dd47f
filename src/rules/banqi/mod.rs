//! Banqi (盤棋, half chess, dark chess): the 32 pieces of xiangqi, shuffled face down on half its board.
//!
//! A turn flips a piece, moves one or takes with one; the first flip says who has which colour. What is face
//! down is unknown to both players alike, so [`BanqiView`] is [`Banqi`] with a pair of eyes.

mod board;
mod capture;
mod encode;
mod facts;
mod history;
mod keys;
mod movegen;
mod notation;
mod planes;
mod play;
mod profile;
mod square;
mod view;

use std::sync::Arc;

use rand::Rng;
use rand::seq::SliceRandom;

use crate::game::{
    Chances, Control, Eyes, Game, MoveFacts, MoveList, NotationError, Phase, PlyKind, Status, Symmetry,
};
use crate::rules::pieces::Piece;

use board::Cell;
use capture::{FULL, PiecePool, piece};
use play::Position;
use square::Square;

pub use profile::BanqiRules;
pub use view::BanqiView;

/// A move: a piece goes from one square to another, or is turned up where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    from: Square,
    /// Equal to `from` for a flip.
    to: Square,
}

impl Move {
    fn flip(at: Square) -> Move {
        Move { from: at, to: at }
    }

    fn is_flip(self) -> bool {
        self.from == self.to
    }

    fn mirrored(self, by: Symmetry) -> Move {
        Move { from: self.from.mirrored(by), to: self.to.mirrored(by) }
    }
}

/// The truth of one game of Banqi.
///
/// No hidden deal is stored: face-down pieces are exchangeable, so the pool of what they can be says all
/// there is.
#[derive(Debug, PartialEq, Eq)]
pub struct Banqi {
    rules: Arc<BanqiRules>,
    position: Position,
}

impl Clone for Banqi {
    fn clone(&self) -> Self {
        Banqi { rules: self.rules.clone(), position: self.position.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.rules.clone_from(&source.rules);
        self.position.clone_from(&source.position);
    }
}

/// What the face-down pieces of `pool` may be, by how many of each are left.
fn identities(pool: &PiecePool) -> Chances<Option<Piece>> {
    Chances::weighted((0..).zip(pool.counts()).map(|(kind, &count)| (Some(piece(kind)), u32::from(count))))
}

/// What `mv` may uncover in `position`.
fn chances(position: &Position, mv: Move) -> Chances<Option<Piece>> {
    if position.uncovers(mv) { identities(position.pool()) } else { Chances::certain() }
}

/// What every piece is, by the square it starts on.
#[derive(Debug, Clone)]
pub struct Deal([Piece; Square::COUNT]);

impl Game for Banqi {
    type Profile = BanqiRules;
    type Move = Move;
    /// The piece that was turned up, or taken face down.
    type Reveal = Option<Piece>;
    type Seen = Option<Piece>;
    type View = BanqiView;
    type Deal = Deal;

    const NAME: &'static str = "banqi";

    fn start(rules: &Arc<BanqiRules>) -> Self {
        Banqi { rules: rules.clone(), position: Position::start(rules) }
    }

    fn deal<R: Rng + ?Sized>(_rules: &BanqiRules, rng: &mut R) -> Deal {
        let counts = (0..).zip(FULL.counts());
        let mut pieces =
            counts.flat_map(|(kind, &count)| std::iter::repeat_n(piece(kind), usize::from(count)));
        let mut deal = std::array::from_fn(|_| pieces.next().expect("there are as many pieces as squares"));
        deal.shuffle(rng);
        Deal(deal)
    }

    fn rules(&self) -> &Arc<BanqiRules> {
        &self.rules
    }

    fn status(&self) -> Status {
        self.position.status()
    }

    fn legal_moves(&self, out: &mut MoveList<Move>) {
        self.position.legal_moves(&self.rules, out);
    }

    fn chances(&self, mv: Move) -> Chances<Option<Piece>> {
        chances(&self.position, mv)
    }

    fn play(&mut self, mv: Move, reveal: Option<Piece>) {
        self.position.play(&self.rules, mv, reveal);
    }

    fn play_at_random<R: Rng + ?Sized>(&mut self, _moves: &mut MoveList<Move>, rng: &mut R) {
        self.position.play_at_random(&self.rules, rng);
    }

    fn seen(&self, _mv: Move, reveal: Option<Piece>, _eyes: Eyes) -> Option<Piece> {
        reveal
    }

    fn reveal(&self, mv: Move, deal: &Deal) -> Option<Piece> {
        self.position.uncovers(mv).then(|| deal.0[mv.to.index()])
    }

    fn key(&self, eyes: Eyes) -> u64 {
        view::key(&self.position, eyes)
    }

    fn view(&self, eyes: Eyes) -> BanqiView {
        BanqiView::new(&self.rules, self.position.clone(), eyes)
    }

    fn sample<R: Rng + ?Sized>(view: &BanqiView, _rng: &mut R) -> Self {
        Banqi { rules: view.rules_arc().clone(), position: view.position().clone() }
    }

    fn phase(&self) -> Phase {
        facts::phase(&self.position)
    }

    fn facts(&self, mv: Move, reveal: Option<Piece>) -> MoveFacts {
        facts::of_ply(&self.position, self.kind(mv), mv, reveal)
    }

    fn control(&self, mv: Move) -> Control {
        facts::control(&self.position, mv)
    }

    fn kind(&self, mv: Move) -> PlyKind {
        match self.position.board().cell(mv.to) {
            _ if mv.is_flip() => PlyKind::Flip,
            Cell::Empty => PlyKind::Move,
            Cell::FaceDown | Cell::FaceUp(_) => PlyKind::Capture,
        }
    }

    fn reveal_text(&self, _mv: Move, reveal: Option<Piece>) -> String {
        notation::reveal_text(reveal)
    }

    fn parse_ply(&self, text: &str) -> Result<(Move, Option<Piece>), NotationError> {
        notation::parse_ply(text, &self.position, &self.rules)
    }
}
