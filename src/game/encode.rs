//! A view as network input, and moves as network output.

use super::View;

/// The size of network input: `planes` boards of `rows` x `files`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub planes: usize,
    pub rows: usize,
    pub files: usize,
}

impl Shape {
    pub const fn squares(self) -> usize {
        self.rows * self.files
    }

    /// Floats in one encoded view.
    pub const fn len(self) -> usize {
        self.planes * self.squares()
    }

    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// The position of a move in the policy, below [`Encode::POLICY_LEN`]; from the mover's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveIndex(pub u16);

impl MoveIndex {
    pub fn get(self) -> usize {
        usize::from(self.0)
    }
}

/// A way to lay the board onto itself under which the game plays the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// Left and right change places.
    Files,
    /// Near and far change places.
    Ranks,
    /// Both.
    Turn,
}

/// How a view becomes planes and its moves become policy entries.
///
/// Everything is seen from the mover's side: row 0 is nearest the player to move.
pub trait Encode: View {
    const SHAPE: Shape;

    /// Entries of the policy.
    const POLICY_LEN: usize;

    /// Output planes of the convolutional policy head; see [`Encode::policy_cell`].
    const POLICY_PLANES: usize;

    /// The board's symmetries, the identity not among them.
    const SYMMETRIES: &'static [Symmetry];

    /// Kinds of pieces, in the order of [`super::Labels::own_taken`], that may be taken without their owner
    /// seeing which; 0 where the game keeps no such secret.
    const SECRET_KINDS: usize = 0;

    /// What each plane of [`Encode::planes`] means, in order, for people and for the checkpoint's card.
    fn plane_names() -> Vec<String>;

    /// Writes this view as network input, seen from the mover's side.
    ///
    /// `out` has `SHAPE.len()` floats in `[plane][row][file]` order, row 0 nearest the mover.
    ///
    /// # Panics
    ///
    /// If `out` has another length, or the game is over.
    fn planes(&self, out: &mut [f32]);

    /// Where `mv` stands in the policy of this view.
    fn index(&self, mv: Self::Move) -> MoveIndex;

    /// The cell of the convolutional policy head, `plane * SHAPE.squares() + square`, that scores an
    /// entry; the square is the one the move starts from, the plane is its direction and length.
    fn policy_cell(index: MoveIndex) -> usize;

    /// The view with the board laid onto itself.
    fn mirrored(&self, by: Symmetry) -> Self;

    /// The entry that a move of [`Encode::mirrored`] has, given the entry it has here.
    fn mirrored_index(index: MoveIndex, by: Symmetry) -> MoveIndex;
}
