//! A game as one pair of eyes knows it.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rand::Rng;

use super::board::Cell;
use super::exchange::material;
use super::notation::{self, Disclosure};
use super::perft::Perft;
use super::play::Position;
use super::profile::{JieqiRules, TakenFaceDown};
use super::runs::Run;
use super::{Move, Reveal, RolePool, color_of, keys, less, outcomes, seat_of, sees_taken};
use crate::game::{Chances, Eyes, Letters, MoveList, NotationError, PerftCount, Seat, Status, View};
use crate::rules::hashing::mix;
use crate::rules::pieces::{ByColor, Color};

/// What one pair of eyes knows: the public position, and the enemy pieces they alone saw taken.
///
/// Equality and hash go by what is known; equal views have equal keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JieqiView {
    rules: Arc<JieqiRules>,
    position: Position,
    eyes: Eyes,
    saw: RolePool,
}

/// The key of the view that `eyes` have of `position`, having alone seen `saw`.
pub fn key(position: &Position, eyes: Eyes, saw: &RolePool) -> u64 {
    let eyes = match eyes {
        Eyes::Public => 0,
        Eyes::Of(seat) => 1 + seat as u64,
    };
    mix(position.hash(), keys::pool(saw) << 2 | eyes)
}

/// Both pools as `eyes` know them, having alone seen `saw`.
pub fn pools(position: &Position, eyes: Eyes, saw: &RolePool) -> ByColor<RolePool> {
    let mut pools = ByColor::new(*position.pool(Color::Red), *position.pool(Color::Black));
    if let Eyes::Of(seat) = eyes {
        let enemy = color_of(seat).other();
        pools[enemy] = less(&pools[enemy], saw);
    }
    pools
}

impl JieqiView {
    pub(super) fn new(rules: &Arc<JieqiRules>, position: Position, eyes: Eyes, saw: RolePool) -> Self {
        Self { rules: rules.clone(), position, eyes, saw }
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    pub(super) fn rules_arc(&self) -> &Arc<JieqiRules> {
        &self.rules
    }

    pub(crate) fn saw(&self) -> &RolePool {
        &self.saw
    }

    /// What the pieces of `color` that nobody here has seen may be.
    pub fn pool(&self, color: Color) -> RolePool {
        pools(&self.position, self.eyes, &self.saw)[color]
    }

    /// Checks and chases in a row of both sides, where the rules count them. They are public.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        self.position.runs().iter()
    }

    /// The number the game keeps for this view; see [`crate::game::Game::key`].
    pub fn key(&self) -> u64 {
        key(&self.position, self.eyes, &self.saw)
    }

    /// [`View::perft`] of outcomes that plays the last ply of every line too, where that only counts it: for
    /// the time that playing a ply takes.
    pub fn perft_played(&self, depth: u32) -> u64 {
        let pools = pools(&self.position, self.eyes, &self.saw);
        let counting = self.counting(PerftCount::Outcomes);
        counting.count_played(self.position.board(), self.position.to_move(), &pools, depth)
    }

    fn counting(&self, last_ply: PerftCount) -> Perft {
        Perft { last_ply, takes_branch: self.rules.captured_hidden == TakenFaceDown::SeenByAll }
    }

    /// The pieces of `color` that their taker alone saw, as they may be in a world this view allows.
    pub(super) fn sample_secrets<R: Rng + ?Sized>(&self, color: Color, rng: &mut R) -> RolePool {
        if self.eyes == Eyes::Of(seat_of(color.other())) {
            return self.saw;
        }
        let mut secrets = RolePool::EMPTY;
        if self.rules.captured_hidden == TakenFaceDown::SeenByTaker {
            let mut pool = *self.position.pool(color);
            for _ in 0..self.position.unaccounted(color) {
                secrets.add(pool.draw(rng).expect("the pool holds every unaccounted piece"));
            }
        }
        secrets
    }
}

impl Hash for JieqiView {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key());
    }
}

impl View for JieqiView {
    type Profile = JieqiRules;
    type Move = Move;
    type Seen = Reveal;

    fn parse(text: &str, rules: &Arc<JieqiRules>) -> Result<Self, NotationError> {
        notation::parse_view(text, rules)
    }

    fn rules(&self) -> &Arc<JieqiRules> {
        &self.rules
    }

    fn eyes(&self) -> Eyes {
        self.eyes
    }

    fn status(&self) -> Status {
        self.position.status()
    }

    fn side_letter(&self, seat: Seat) -> Option<char> {
        Some(color_of(seat).letter())
    }

    fn legal_moves(&self, out: &mut MoveList<Move>) {
        self.position.legal_moves(out);
    }

    fn chances(&self, mv: Move) -> Chances<Reveal> {
        let board = self.position.board();
        let mover = self.position.to_move();
        let face_down = |at| matches!(board.cell(at), Cell::FaceDown(_));
        let sees = sees_taken(&self.rules, self.eyes, mover);
        outcomes(
            face_down(mv.from).then(|| self.pool(mover)),
            (face_down(mv.to) && sees).then(|| self.pool(mover.other())),
        )
    }

    fn after(&self, mv: Move, seen: Reveal) -> Self {
        let mut next = self.clone();
        let taker_alone_sees = self.rules.captured_hidden == TakenFaceDown::SeenByTaker
            && sees_taken(&self.rules, self.eyes, self.position.to_move());
        let mut seen_by_all = seen;
        if taker_alone_sees && let Some(role) = seen_by_all.taken.take() {
            next.saw.add(role.index());
        }
        next.position.play(&self.rules, mv, seen_by_all);
        next
    }

    /// The letter of a piece taken face down may be missing, where it was not disclosed, and may stand
    /// there although the rules keep it secret: then it is known to everybody.
    fn parse_seen(&self, text: &str) -> Result<(Move, Reveal), NotationError> {
        let mover = self.position.to_move();
        let (own, other) = (self.pool(mover), self.pool(mover.other()));
        notation::parse_ply(text, &self.position, &own, &other, Disclosure::Optional)
    }

    fn seen_text(&self, mv: Move, seen: Reveal) -> String {
        format!("{mv}{}", notation::reveal_text(self.position.to_move(), seen))
    }

    fn letters(&self, _mv: Move, seen: Reveal) -> Letters {
        Letters {
            revealed: seen.opened.map(|role| role.letter()),
            taken: seen.taken.map(|role| role.letter()),
        }
    }

    fn heuristic(&self) -> f32 {
        let mover = self.position.to_move();
        let pools = pools(&self.position, self.eyes, &self.saw);
        let side = |color| material(self.position.board(), color, &pools[color]);
        side(mover) - side(mover.other())
    }

    fn public(&self) -> Self {
        Self { eyes: Eyes::Public, saw: RolePool::EMPTY, ..self.clone() }
    }

    /// Counts on the board and the pools alone: repetition and the limits on the length of a game do not
    /// end a line, mate and stalemate do.
    fn perft(&self, depth: u32, count: PerftCount) -> u64 {
        let pools = pools(&self.position, self.eyes, &self.saw);
        self.counting(count).count(self.position.board(), self.position.to_move(), &pools, depth)
    }
}
