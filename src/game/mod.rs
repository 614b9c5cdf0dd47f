//! The contract: what a face-down game is.
//!
//! A [`Game`] is the truth and a [`View`] is what one pair of eyes knows of it. The rules draw no dice:
//! a game lists what a move may uncover ([`Game::chances`]) and is told what it did ([`Game::play`]), so
//! replaying a record, enumerating, searching and playing a fixed deal are one code path.

mod chance;
mod encode;
mod facts;
mod perft;
mod pool;
mod profile;
mod seat;
mod value;
mod view;

use std::fmt;
use std::hash::Hash;
use std::str::FromStr;
use std::sync::Arc;

use rand::{Rng, RngExt};

pub use chance::{Chances, MAX_OUTCOMES, random_stream};
pub use encode::{Encode, MoveIndex, Shape, Symmetry};
pub use facts::{Control, Labels, Letters, Locks, MoveFacts, Phase, PlyKind, SquareName, Threats};
pub use perft::{PerftCount, divide, perft};
pub use pool::Pool;
pub use profile::{Profile, ProfileError, fnv1a};
pub use seat::{BySeat, Eyes, Seat};
pub use value::{MoverValue, SeatValue, Wdl};
pub use view::{MAX_MOVES, MoveList, NotationError, View};

/// Whether a game goes on, and if not, how it ended. A finished game has nobody to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    ToMove(Seat),
    Over(Outcome),
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Nobody in a draw.
    pub winner: Option<Seat>,
    pub reason: EndReason,
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndReason {
    Checkmate,
    /// The player to move has no move and is not in check, which loses.
    Stalemate,
    /// One side has no pieces left.
    CapturedAll,
    /// The limit of plies without a capture (Banqi: or a flip) was reached.
    NoProgress,
    /// A position recurred and neither side forced it.
    Repetition,
    /// One side, or both and it is a draw, checked again and again for longer than the rules allow.
    PerpetualCheck,
    /// The same by chasing one piece.
    PerpetualChase,
    /// The player to move has legal moves, but every one is forbidden.
    NothingPlayable,
    /// The rule set's limit on the length of a game.
    PlyCap,
    /// Neither side can ever win: an early end that self-play may make.
    DeadPosition,
    Resignation,
    Flag,
    Agreement,
}

impl EndReason {
    pub const ALL: [EndReason; 13] = [
        EndReason::Checkmate,
        EndReason::Stalemate,
        EndReason::CapturedAll,
        EndReason::NoProgress,
        EndReason::Repetition,
        EndReason::PerpetualCheck,
        EndReason::PerpetualChase,
        EndReason::NothingPlayable,
        EndReason::PlyCap,
        EndReason::DeadPosition,
        EndReason::Resignation,
        EndReason::Flag,
        EndReason::Agreement,
    ];

    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            EndReason::Checkmate => "checkmate",
            EndReason::Stalemate => "stalemate",
            EndReason::CapturedAll => "captured-all",
            EndReason::NoProgress => "no-progress",
            EndReason::Repetition => "repetition",
            EndReason::PerpetualCheck => "perpetual-check",
            EndReason::PerpetualChase => "perpetual-chase",
            EndReason::NothingPlayable => "nothing-playable",
            EndReason::PlyCap => "ply-cap",
            EndReason::DeadPosition => "dead-position",
            EndReason::Resignation => "resignation",
            EndReason::Flag => "flag",
            EndReason::Agreement => "agreement",
        }
    }
}

/// The truth of one game in progress. Only a referee holds one; everybody else has a [`View`].
pub trait Game: Clone + Send + Sync + Sized + 'static {
    type Profile: Profile;
    /// A move as a player chooses it, in two bytes. Its text, like `b2b9`, needs no position.
    type Move: Copy + Eq + Ord + Hash + fmt::Debug + fmt::Display + FromStr<Err = NotationError> + Send + Sync;
    /// What a move uncovered; the default says nothing.
    type Reveal: Copy + Eq + Hash + fmt::Debug + Default + Send + Sync;
    /// A ply as one pair of eyes saw it.
    type Seen: Copy + Eq + Hash + Default + fmt::Debug + Send + Sync;
    type View: Encode<Profile = Self::Profile, Move = Self::Move, Seen = Self::Seen>;
    /// What every face-down piece is, by the square it starts on.
    type Deal: Clone + Send + Sync;

    const NAME: &'static str;

    fn start(rules: &Arc<Self::Profile>) -> Self;

    /// Deals all face-down pieces at random, for games that fix the identities beforehand.
    fn deal<R: Rng + ?Sized>(rules: &Self::Profile, rng: &mut R) -> Self::Deal;

    fn rules(&self) -> &Arc<Self::Profile>;

    fn status(&self) -> Status;

    /// Fills `out` with the moves that may be played, sorted; empty only if the game is over.
    fn legal_moves(&self, out: &mut MoveList<Self::Move>);

    /// What `mv` may uncover, with the referee's odds.
    ///
    /// # Panics
    ///
    /// If `mv` is not legal here.
    fn chances(&self, mv: Self::Move) -> Chances<Self::Reveal>;

    /// Plays `mv`, which uncovered `reveal`.
    ///
    /// # Panics
    ///
    /// May panic, or leave a nonsensical position, if that cannot happen here; [`Game::parse_ply`] is
    /// the checked way in for plies from outside.
    fn play(&mut self, mv: Self::Move, reveal: Self::Reveal);

    /// Plays a legal move, every one equally likely, with what it uncovers drawn by the referee's odds. A
    /// game may do so without listing its moves; `moves` is room for those that do.
    ///
    /// # Panics
    ///
    /// If the game is over.
    fn play_at_random<R: Rng + ?Sized>(&mut self, moves: &mut MoveList<Self::Move>, rng: &mut R) {
        self.legal_moves(moves);
        let mv = moves[rng.random_range(0..moves.len())];
        let reveal = self.chances(mv).draw(rng);
        self.play(mv, reveal);
    }

    /// What `eyes` see of a ply about to be played.
    fn seen(&self, mv: Self::Move, reveal: Self::Reveal, eyes: Eyes) -> Self::Seen;

    /// What `mv` uncovers if the face-down pieces are those of `deal`.
    fn reveal(&self, mv: Self::Move, deal: &Self::Deal) -> Self::Reveal;

    /// A hash of the view of `eyes`, kept as the game goes: equal views have equal keys.
    fn key(&self, eyes: Eyes) -> u64;

    fn view(&self, eyes: Eyes) -> Self::View;

    /// Whether one player knows something of the position that the other does not. Where this is false
    /// both players' odds for every reveal are the same. A game without secrets need not answer.
    fn has_secrets(&self) -> bool {
        false
    }

    /// A world that `view` allows, drawn with the odds the view gives it. Takes nothing from `rng` where
    /// the view leaves nothing open.
    fn sample<R: Rng + ?Sized>(view: &Self::View, rng: &mut R) -> Self;

    /// Becomes what [`Game::sample`] draws. A game that needs memory may keep its own.
    fn resample<R: Rng + ?Sized>(&mut self, view: &Self::View, rng: &mut R) {
        *self = Self::sample(view, rng);
    }

    /// What the game is worth to play for if it ends here with `outcome`, from -1 to 1 on the first seat's
    /// side: the money that changes hands, as a share of the most that can, under rules that play for money,
    /// and the result under all others.
    ///
    /// It may hang on what only one player knows. What a player can hope for is the mean over the worlds
    /// that the player's view allows.
    fn settlement(&self, outcome: Outcome) -> SeatValue {
        SeatValue::of(outcome)
    }

    /// Whether neither side can ever win from here, whatever they play.
    fn is_dead(&self) -> bool {
        false
    }

    /// How far the game has come.
    fn phase(&self) -> Phase;

    /// Whether the player to move is in check. In games without checks nobody ever is.
    fn in_check(&self) -> bool {
        false
    }

    /// The face-down pieces that are locked, as the player to move knows the position; none in games in which no piece
    /// can be.
    fn locks(&self) -> Option<Locks> {
        None
    }

    /// The ply about to be played, in words, as its mover knows the position before it. It is for rows, and takes
    /// much longer than playing the ply: a player asks for the parts above and below.
    fn facts(&self, mv: Self::Move, reveal: Self::Reveal) -> MoveFacts;

    /// Who controls the square `mv` would end on, as its mover knows the position.
    fn control(&self, mv: Self::Move) -> Control;

    /// The kind of ply `mv` would be.
    fn kind(&self, mv: Self::Move) -> PlyKind;

    /// Truth about the player to move that the player does not know. A game without secrets has none.
    fn labels(&self) -> Labels {
        Labels::default()
    }

    /// What a ply uncovered, as text: what the piece turned out to be, then what it took face down.
    /// Empty if nothing.
    fn reveal_text(&self, mv: Self::Move, reveal: Self::Reveal) -> String;

    /// Reads a ply, the move followed by what it uncovered, checked against the position.
    ///
    /// # Errors
    ///
    /// If the text is not a move, the move is not legal, or it cannot have uncovered that.
    fn parse_ply(&self, text: &str) -> Result<(Self::Move, Self::Reveal), NotationError>;
}
