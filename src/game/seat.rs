//! Who sits where, and whose knowledge is meant.

use std::ops::{Index, IndexMut};

/// One of the two players, by order of play. A seat is not a colour: Banqi hands colours out later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Seat {
    First,
    Second,
}

impl Seat {
    pub const BOTH: [Seat; 2] = [Seat::First, Seat::Second];

    pub fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }
}

/// Whose knowledge a view holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Eyes {
    /// Everything this player has seen.
    Of(Seat),
    /// Only what both players know.
    Public,
}

impl Eyes {
    pub const ALL: [Eyes; 3] = [Eyes::Of(Seat::First), Eyes::Of(Seat::Second), Eyes::Public];
}

/// One value for each player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BySeat<T>([T; 2]);

impl<T> BySeat<T> {
    pub fn new(first: T, second: T) -> Self {
        Self([first, second])
    }

    /// Builds both values by asking `make` for each seat.
    pub fn from_fn(mut make: impl FnMut(Seat) -> T) -> Self {
        Self([make(Seat::First), make(Seat::Second)])
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat as usize]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat as usize]
    }
}
