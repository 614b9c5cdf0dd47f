//! Jieqi (Cờ úp, 揭棋): xiangqi whose pieces, but for the kings, start face down and shuffled.
//!
//! A face-down piece moves as the piece whose home square it stands on, and is turned up by its first
//! move. [`Jieqi`] is the truth of a game and [`JieqiView`] what one pair of eyes knows of it.

mod attacks;
mod board;
mod chase;
mod encode;
mod exchange;
mod facts;
mod keys;
mod movegen;
mod notation;
mod perft;
mod planes;
mod play;
mod profile;
mod repetition;
mod runs;
mod square;
mod threats;
mod view;

use std::sync::Arc;

use arrayvec::ArrayVec;
use rand::Rng;
use rand::seq::SliceRandom;

use crate::game::{
    Chances, Control, Eyes, Game, Labels, Locks, MoveFacts, MoveList, NotationError, Outcome, Phase, PlyKind,
    Pool, Seat, SeatValue, Status,
};
use crate::referee::{Prices, Takings};
use crate::rules::pieces::{ByColor, Color, Role};

use play::Position;
use square::SquareSet;

pub(crate) use board::Cell;
pub(crate) use play::DEALT;
pub(crate) use square::Square;

pub use board::Guards;
pub use profile::{ChaseRule, CheckRule, Exhausted, JieqiRules, OnExceed, Protection, TakenFaceDown};
pub use runs::{Run, RunKind};
pub use view::JieqiView;

/// Counts of unseen pieces of one colour, by [`Role::index`].
pub type RolePool = Pool<6>;

const NO_SECRETS: ByColor<RolePool> = ByColor::new(RolePool::EMPTY, RolePool::EMPTY);

/// A move: a piece goes from one square to another. Sorted as its text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    pub(crate) from: Square,
    pub(crate) to: Square,
}

impl Move {
    fn mirrored(self) -> Move {
        Move { from: self.from.mirrored(), to: self.to.mirrored() }
    }
}

/// What a ply uncovered, or as much of it as one pair of eyes saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Reveal {
    /// What the face-down piece that moved turned out to be.
    pub opened: Option<Role>,
    /// What the face-down piece that was taken turned out to be.
    pub taken: Option<Role>,
}

/// The player of `color`. Red always moves first.
fn seat_of(color: Color) -> Seat {
    match color {
        Color::Red => Seat::First,
        Color::Black => Seat::Second,
    }
}

pub(crate) fn color_of(seat: Seat) -> Color {
    match seat {
        Seat::First => Color::Red,
        Seat::Second => Color::Black,
    }
}

/// The truth of one game of Jieqi.
///
/// No hidden deal is stored: the face-down pieces of one colour are exchangeable, so the pool of what
/// they can still be says all there is.
#[derive(Debug, PartialEq, Eq)]
pub struct Jieqi {
    rules: Arc<JieqiRules>,
    position: Position,
    /// The pieces of each colour that were taken face down and seen by their taker alone.
    secrets: ByColor<RolePool>,
}

impl Clone for Jieqi {
    fn clone(&self) -> Self {
        Jieqi { rules: self.rules.clone(), position: self.position.clone(), secrets: self.secrets }
    }

    fn clone_from(&mut self, source: &Self) {
        self.rules.clone_from(&source.rules);
        self.position.clone_from(&source.position);
        self.secrets = source.secrets;
    }
}

impl Jieqi {
    /// The pieces of `color` that are still face down, or were taken without anybody seeing them.
    pub fn pool(&self, color: Color) -> RolePool {
        less(self.position.pool(color), &self.secrets[color])
    }

    fn takes_face_down(&self, mv: Move) -> bool {
        matches!(self.position.board().cell(mv.to), Cell::FaceDown(_))
    }
}

/// `pool` without the pieces of `gone`.
fn less(pool: &RolePool, gone: &RolePool) -> RolePool {
    RolePool::new(std::array::from_fn(|kind| pool.count(kind) - gone.count(kind)))
}

/// Every pair of what may be turned up and what may be taken; `None` where nothing is.
fn outcomes(opened: Option<RolePool>, taken: Option<RolePool>) -> Chances<Reveal> {
    let faces = |pool: Option<RolePool>| -> ArrayVec<(Option<Role>, u32), 6> {
        match pool {
            None => [(None, 1)].into_iter().collect(),
            Some(pool) => {
                let counts = pool.counts().iter().map(|&count| u32::from(count));
                Role::ALL.into_iter().map(Some).zip(counts).collect()
            }
        }
    };
    let taken = faces(taken);
    Chances::weighted(faces(opened).into_iter().flat_map(|(opened, ways)| {
        taken
            .iter()
            .map(move |&(taken, more)| (Reveal { opened, taken }, ways * more))
            .collect::<ArrayVec<_, 6>>()
    }))
}

/// Whether `eyes` see what a face-down piece was that `taker` takes.
pub(crate) fn sees_taken(rules: &JieqiRules, eyes: Eyes, taker: Color) -> bool {
    match rules.captured_hidden {
        TakenFaceDown::SeenByNobody => false,
        TakenFaceDown::SeenByTaker => eyes == Eyes::Of(seat_of(taker)),
        TakenFaceDown::SeenByAll => true,
    }
}

/// What every face-down piece is, by the square it starts on.
#[derive(Debug, Clone)]
pub struct Deal([Option<Role>; Square::COUNT]);

impl Game for Jieqi {
    type Profile = JieqiRules;
    type Move = Move;
    type Reveal = Reveal;
    type Seen = Reveal;
    type View = JieqiView;
    type Deal = Deal;

    const NAME: &'static str = "jieqi";

    fn start(rules: &Arc<JieqiRules>) -> Self {
        Jieqi { rules: rules.clone(), position: Position::start(rules), secrets: NO_SECRETS }
    }

    fn deal<R: Rng + ?Sized>(_rules: &JieqiRules, rng: &mut R) -> Deal {
        let mut deal = [None; Square::COUNT];
        for color in Color::BOTH {
            let mut pieces: ArrayVec<Role, 15> = Role::ALL
                .into_iter()
                .zip(DEALT.counts())
                .flat_map(|(role, &count)| std::iter::repeat_n(role, usize::from(count)))
                .collect();
            pieces.shuffle(rng);
            for (home, role) in SquareSet::homes(color).into_iter().zip(pieces) {
                deal[home.index()] = Some(role);
            }
        }
        Deal(deal)
    }

    fn rules(&self) -> &Arc<JieqiRules> {
        &self.rules
    }

    fn status(&self) -> Status {
        self.position.status()
    }

    fn legal_moves(&self, out: &mut MoveList<Move>) {
        self.position.legal_moves(out);
    }

    fn chances(&self, mv: Move) -> Chances<Reveal> {
        let mover = self.position.to_move();
        let taken = self.takes_face_down(mv) && self.rules.captured_hidden != TakenFaceDown::SeenByNobody;
        outcomes(self.kind(mv).is_flip().then(|| self.pool(mover)), taken.then(|| self.pool(mover.other())))
    }

    fn play(&mut self, mv: Move, reveal: Reveal) {
        let victim = self.position.to_move().other();
        if self.rules.captured_hidden == TakenFaceDown::SeenByTaker
            && let Some(role) = reveal.taken
        {
            self.secrets[victim].add(role.index());
        }
        let seen_by_all = self.seen(mv, reveal, Eyes::Public);
        self.position.play(&self.rules, mv, seen_by_all);
    }

    fn seen(&self, _mv: Move, reveal: Reveal, eyes: Eyes) -> Reveal {
        let sees = sees_taken(&self.rules, eyes, self.position.to_move());
        Reveal { taken: reveal.taken.filter(|_| sees), ..reveal }
    }

    fn reveal(&self, mv: Move, deal: &Deal) -> Reveal {
        let face_down = |at: Square| {
            let cell = self.position.board().cell(at);
            deal.0[at.index()].filter(|_| matches!(cell, Cell::FaceDown(_)))
        };
        let somebody_sees = self.rules.captured_hidden != TakenFaceDown::SeenByNobody;
        Reveal { opened: face_down(mv.from), taken: face_down(mv.to).filter(|_| somebody_sees) }
    }

    fn key(&self, eyes: Eyes) -> u64 {
        view::key(&self.position, eyes, &self.saw(eyes))
    }

    fn view(&self, eyes: Eyes) -> JieqiView {
        JieqiView::new(&self.rules, self.position.clone(), eyes, self.saw(eyes))
    }

    fn has_secrets(&self) -> bool {
        Color::BOTH.into_iter().any(|color| self.secrets[color] != RolePool::EMPTY)
    }

    fn sample<R: Rng + ?Sized>(view: &JieqiView, rng: &mut R) -> Self {
        let mut secrets = NO_SECRETS;
        for color in Color::BOTH {
            secrets[color] = view.sample_secrets(color, rng);
        }
        Jieqi { rules: view.rules_arc().clone(), position: view.position().clone(), secrets }
    }

    fn resample<R: Rng + ?Sized>(&mut self, view: &JieqiView, rng: &mut R) {
        self.rules.clone_from(view.rules_arc());
        self.position.clone_from(view.position());
        for color in Color::BOTH {
            self.secrets[color] = view.sample_secrets(color, rng);
        }
    }

    fn is_dead(&self) -> bool {
        self.position.is_dead()
    }

    fn settlement(&self, outcome: Outcome) -> SeatValue {
        match &self.rules.live.money {
            Some(money) => money.settle(outcome, &self.takings(&money.pieces)).value(),
            None => SeatValue::of(outcome),
        }
    }

    fn phase(&self) -> Phase {
        facts::phase(&self.position)
    }

    fn in_check(&self) -> bool {
        self.position.board().in_check(self.position.to_move())
    }

    fn locks(&self) -> Option<Locks> {
        Some(facts::locks(&self.position, &self.mover_pools()))
    }

    fn facts(&self, mv: Move, reveal: Reveal) -> MoveFacts {
        facts::of_ply(self, mv, reveal)
    }

    fn control(&self, mv: Move) -> Control {
        facts::control(&self.position, &self.mover_pools(), mv)
    }

    fn kind(&self, mv: Move) -> PlyKind {
        let board = self.position.board();
        match (board.cell(mv.from), board.cell(mv.to)) {
            (Cell::FaceDown(_), Cell::Empty) => PlyKind::Flip,
            (Cell::FaceDown(_), _) => PlyKind::FlipCapture,
            (_, Cell::Empty) => PlyKind::Move,
            _ => PlyKind::Capture,
        }
    }

    fn labels(&self) -> Labels {
        match self.rules.captured_hidden {
            TakenFaceDown::SeenByTaker => {
                let own = self.secrets[self.position.to_move()];
                Labels { own_taken: own.counts().iter().copied().collect() }
            }
            TakenFaceDown::SeenByNobody | TakenFaceDown::SeenByAll => Labels::default(),
        }
    }

    fn reveal_text(&self, _mv: Move, reveal: Reveal) -> String {
        notation::reveal_text(self.position.to_move(), reveal)
    }

    fn parse_ply(&self, text: &str) -> Result<(Move, Reveal), NotationError> {
        let mover = self.position.to_move();
        let disclosure = match self.rules.captured_hidden {
            TakenFaceDown::SeenByNobody => notation::Disclosure::Refused,
            TakenFaceDown::SeenByTaker | TakenFaceDown::SeenByAll => notation::Disclosure::Required,
        };
        let (own, other) = (self.pool(mover), self.pool(mover.other()));
        notation::parse_ply(text, &self.position, &own, &other, disclosure)
    }
}

impl Jieqi {
    /// The worth of what each side has taken: of all that was dealt and is neither shown on the board nor
    /// face down there.
    fn takings(&self, prices: &Prices) -> Takings {
        let board = self.position.board();
        let mut takings = Takings::default();
        for color in Color::BOTH {
            let shown = board.pieces(color).without(board.face_down());
            let face_down = self.pool(color);
            for (role, &dealt) in Role::ALL.into_iter().zip(DEALT.counts()) {
                let on_board =
                    (board.shown_as(role) & shown).len() + u32::from(face_down.count(role.index()));
                for _ in on_board..u32::from(dealt) {
                    takings.add(seat_of(color.other()), prices.of(role.letter()));
                }
            }
        }
        takings
    }

    /// The enemy pieces that `eyes` alone saw when they took them face down.
    fn saw(&self, eyes: Eyes) -> RolePool {
        match eyes {
            Eyes::Of(seat) => self.secrets[color_of(seat).other()],
            Eyes::Public => RolePool::EMPTY,
        }
    }

    /// Both pools as the player to move knows them.
    fn mover_pools(&self) -> ByColor<RolePool> {
        let mover = self.position.to_move();
        view::pools(&self.position, Eyes::Of(seat_of(mover)), &self.saw(Eyes::Of(seat_of(mover))))
    }
}
