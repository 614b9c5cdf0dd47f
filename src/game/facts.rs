//! A ply described in words no game owns: what analysis and training labels are made of.

use std::fmt;

use arrayvec::ArrayVec;

/// The name of a square, file letter then rank digit, as both games print it: `b2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SquareName([u8; 2]);

impl SquareName {
    /// # Panics
    ///
    /// If `file` is not an ASCII lower-case letter or `rank` not an ASCII digit.
    pub fn new(file: u8, rank: u8) -> Self {
        assert!(file.is_ascii_lowercase() && rank.is_ascii_digit(), "a square is a letter and a digit");
        Self([file, rank])
    }

    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("the constructor lets only ASCII in")
    }
}

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a ply does to the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PlyKind {
    /// A face-up piece goes to an empty square.
    Move,
    /// A face-up piece takes.
    Capture,
    /// A face-down piece is turned up without taking.
    Flip,
    /// A face-down piece takes and is turned up.
    FlipCapture,
}

impl PlyKind {
    pub const ALL: [PlyKind; 4] = [PlyKind::Move, PlyKind::Capture, PlyKind::Flip, PlyKind::FlipCapture];

    /// Whether the ply turns a piece up.
    pub fn is_flip(self) -> bool {
        matches!(self, PlyKind::Flip | PlyKind::FlipCapture)
    }

    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            PlyKind::Move => "move",
            PlyKind::Capture => "capture",
            PlyKind::Flip => "flip",
            PlyKind::FlipCapture => "flip-capture",
        }
    }
}

/// How far the game has come, by face-down pieces left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    Opening,
    Middle,
    Endgame,
}

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middle, Phase::Endgame];

    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middle => "middle",
            Phase::Endgame => "endgame",
        }
    }
}

/// Who could take on, and who could retake on, the square a move ends on, once it has been played.
///
/// Counted with what the mover knows before the move: face-down pieces count by the role they show.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Control {
    /// Enemy pieces that could take there, face-down ones included.
    pub attackers: u8,
    /// Of these, the face-down ones.
    pub attackers_hidden: u8,
    /// The role letter (upper case) of the cheapest attacker; a face-down one has the role it shows.
    pub least_attacker: Option<char>,
    /// Own pieces that could retake there, face-down ones included.
    pub defenders: u8,
    /// Of these, the face-down ones.
    pub defenders_hidden: u8,
    /// What the opponent wins by the best exchange there, pawns, never below 0; the moved piece counts
    /// at the mean of the mover's pool if it is face down before the move.
    pub see: f32,
    /// Expected loss of the move, pawns: the mean over what the piece may turn out to be of the
    /// opponent's best exchange there, less what the move itself took, never below 0 for any outcome.
    pub risk: f32,
}

/// Everything the plies table says about one ply that does not come from the search.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveFacts {
    pub kind: PlyKind,
    pub from: SquareName,
    /// Equal to `from` for a piece that is turned up where it stands.
    pub to: SquareName,
    /// The role letter the piece moved as (upper case); none if nothing was known of it.
    pub shown: Option<char>,
    /// The role letter it turned out to be, as in [`Letters`]; none unless the ply is a flip.
    pub revealed: Option<char>,
    /// The role letter of the piece taken: its true role where anybody knows it, face down or not.
    pub taken: Option<char>,
    /// Whether the piece taken was face down.
    pub taken_hidden: bool,
    pub control: Control,
    /// Whether the ply gives check.
    pub check: bool,
    /// Whether the mover was in check before it.
    pub in_check: bool,
    pub phase: Phase,
    /// Face-down pieces of both sides on the board before the ply.
    pub face_down_left: u8,
    /// The mover's pool as the mover knows it, counts in the game's piece order.
    pub pool_own: ArrayVec<u8, 14>,
    /// The opponent's pool as the mover knows it.
    pub pool_enemy: ArrayVec<u8, 14>,
    /// The mover's face-down pieces that have no legal move or none of low risk.
    pub locked_own: u8,
    /// The same for the opponent's.
    pub locked_enemy: u8,
    /// Where they stand; none in games in which no piece can be locked.
    pub locks: Option<Locks>,
    /// What the ply threatens; none in games without kings to mate.
    pub threats: Option<Threats>,
}

/// The squares of locked pieces, in the order of their names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Locks {
    pub own: ArrayVec<SquareName, 16>,
    pub enemy: ArrayVec<SquareName, 16>,
}

/// What a ply threatens once it has been played, the mover taken to be on move again. Face-down pieces are worth
/// the mean of the mover's pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Threats {
    /// Enemy pieces from which the moved piece wins something by taking them, all that follows there counted, and
    /// the king where it gives check: a double attack from two on.
    pub attacked: u8,
    /// Enemy pieces that have moves and may make none, as their king would be taken; 0 where it is in check.
    pub pinned: u8,
    /// Moves by face-up pieces that would mate; 0 where the ply gives check.
    pub mates: u8,
}

/// What a ply uncovered, as role letters: upper case for what was to be expected, a piece of the mover's that
/// was turned up or one of the opponent's that was taken, and lower case for one of the other side. Only where
/// face-down pieces show no colour are there any of the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Letters {
    /// What the moved piece turned out to be; none if it was face up.
    pub revealed: Option<char>,
    /// What was taken face down; none if nothing was, or if it was not seen.
    pub taken: Option<char>,
}

/// Truth that only training targets may use; nothing that encodes network input can reach it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Labels {
    /// The mover's pieces that were taken face down without the mover seeing them, by kind, in the
    /// game's piece order; empty where the game keeps no such secret.
    pub own_taken: ArrayVec<u8, 14>,
}
