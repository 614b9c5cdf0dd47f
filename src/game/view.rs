//! What one pair of eyes knows of a game: all that players, searches and networks are ever given.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use arrayvec::ArrayVec;

use super::{Chances, Eyes, Letters, PerftCount, Profile, Seat, Status, perft};
use crate::text::{shown, shown_up_to};

/// More moves than any position of a supported game has.
pub const MAX_MOVES: usize = 128;

/// A list of moves that never allocates.
pub type MoveList<M> = ArrayVec<M, MAX_MOVES>;

/// A text was not a position, a move or a view.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{}', byte {at}: {}; expected {expected}", shown_up_to(text, 200), shown(found))]
pub struct NotationError {
    /// The whole text that was read.
    pub text: String,
    /// The byte, counted from 0, at which reading failed.
    pub at: usize,
    /// What stands there, or what is wrong with it.
    pub found: String,
    /// What would have been right.
    pub expected: String,
}

/// One pair of eyes on a game, with the history that rules about repetition need.
///
/// Legal moves, and whether the game is over, are common knowledge: they are the same from every pair
/// of eyes and in every world a view allows.
pub trait View: Clone + Eq + Hash + fmt::Debug + fmt::Display + Send + Sync + 'static {
    type Profile: Profile;
    type Move: Copy;
    /// A ply as these eyes saw it.
    type Seen: Copy + Eq + Hash + Default + fmt::Debug;

    /// Reads the text that `Display` writes, and the game's plain position text, which starts a fresh
    /// history and is public.
    ///
    /// # Errors
    ///
    /// If the text is not a position that can stand under `rules`.
    fn parse(text: &str, rules: &Arc<Self::Profile>) -> Result<Self, NotationError>;

    fn rules(&self) -> &Arc<Self::Profile>;

    fn eyes(&self) -> Eyes;

    fn status(&self) -> Status;

    /// The letter that texts call the side of the player at `seat` by: `w` for Red, `b` for Black. None before
    /// the game hands out colours.
    fn side_letter(&self, seat: Seat) -> Option<char>;

    /// Fills `out` with the moves that may be played, sorted; empty only if the game is over.
    fn legal_moves(&self, out: &mut MoveList<Self::Move>);

    /// What these eyes may see happen when `mv` is played, with the odds they give it.
    ///
    /// # Panics
    ///
    /// If `mv` is not legal here.
    fn chances(&self, mv: Self::Move) -> Chances<Self::Seen>;

    /// The view after a ply, told only what these eyes saw of it: a player follows a game by this.
    ///
    /// # Panics
    ///
    /// If `seen` cannot happen here; [`View::parse_seen`] is the checked way in.
    fn after(&self, mv: Self::Move, seen: Self::Seen) -> Self;

    /// Reads a ply as these eyes saw it, checked against the position: the move, then what it showed.
    ///
    /// # Errors
    ///
    /// If the text is not a move, the move is not legal, or it cannot have shown that.
    fn parse_seen(&self, text: &str) -> Result<(Self::Move, Self::Seen), NotationError>;

    /// The text [`View::parse_seen`] reads.
    fn seen_text(&self, mv: Self::Move, seen: Self::Seen) -> String;

    /// What a ply about to be played uncovers for these eyes, letter by letter.
    fn letters(&self, mv: Self::Move, seen: Self::Seen) -> Letters;

    /// A plain material count for the player to move, in pawns; face-down pieces at their pool's mean.
    fn heuristic(&self) -> f32;

    /// The same position through [`Eyes::Public`].
    fn public(&self) -> Self;

    /// Counts the lines of `depth` plies from this public view. A game may count faster than by walking
    /// views, and says there whether its draw rules end lines early.
    fn perft(&self, depth: u32, count: PerftCount) -> u64 {
        perft(self, depth, count)
    }
}
