//! Colours, roles and pieces: what xiangqi's face-down relatives share.

use std::ops::{Index, IndexMut};

/// One of the two sets of pieces. A colour is not a seat: Banqi hands colours out at its first flip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    Red,
    Black,
}

impl Color {
    pub const BOTH: [Color; 2] = [Color::Red, Color::Black];

    pub const fn other(self) -> Color {
        match self {
            Color::Red => Color::Black,
            Color::Black => Color::Red,
        }
    }

    /// The letter of the side to move in position texts.
    pub const fn letter(self) -> char {
        match self {
            Color::Red => 'w',
            Color::Black => 'b',
        }
    }
}

/// What a piece is. The six that can lie face down come first, in the order pools are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    Chariot,
    Advisor,
    Cannon,
    Soldier,
    Horse,
    Elephant,
    King,
}

impl Role {
    pub const ALL: [Role; 7] =
        [Role::Chariot, Role::Advisor, Role::Cannon, Role::Soldier, Role::Horse, Role::Elephant, Role::King];

    /// The place in [`Role::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case letter texts use.
    pub const fn letter(self) -> char {
        match self {
            Role::Chariot => 'R',
            Role::Advisor => 'A',
            Role::Cannon => 'C',
            Role::Soldier => 'P',
            Role::Horse => 'N',
            Role::Elephant => 'B',
            Role::King => 'K',
        }
    }

    /// The role of an upper-case letter.
    pub fn from_letter(letter: char) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.letter() == letter)
    }
}

/// A piece whose identity is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    pub color: Color,
    pub role: Role,
}

impl Piece {
    /// The letter in position texts: upper case for Red, lower case for Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::Red => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The piece a letter of a position text stands for.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_lowercase() { Color::Black } else { Color::Red };
        Role::from_letter(letter.to_ascii_uppercase()).map(|role| Piece { color, role })
    }
}

/// One value for each colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ByColor<T>([T; 2]);

impl<T> ByColor<T> {
    pub const fn new(red: T, black: T) -> Self {
        Self([red, black])
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    fn index(&self, color: Color) -> &T {
        &self.0[color as usize]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color as usize]
    }
}
