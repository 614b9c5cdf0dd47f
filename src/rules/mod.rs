//! The games. This file is the one place that names every one of them.

pub mod banqi;
pub mod dialect;
mod hashing;
pub mod jieqi;
mod pieces;
mod ranks;
mod words;
mod written;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::game::Game;
use banqi::Banqi;
use jieqi::Jieqi;

pub use pieces::{ByColor, Color, Piece, Role};

/// A game facedown knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameKind {
    #[default]
    Jieqi,
    Banqi,
}

impl GameKind {
    pub const ALL: [GameKind; 2] = [GameKind::Jieqi, GameKind::Banqi];

    /// The name used on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            GameKind::Jieqi => "jieqi",
            GameKind::Banqi => "banqi",
        }
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name was not that of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown game '{}': expected jieqi or banqi", crate::text::shown(.0))]
pub struct UnknownGame(String);

impl FromStr for GameKind {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| UnknownGame(text.into()))
    }
}

/// Something to do with a game that is only known when the program runs.
pub trait Task {
    type Out;

    fn run<G: Game>(self) -> Self::Out;
}

/// Runs `task` with the game that `kind` names; inside, the game is a concrete type.
pub fn dispatch<T: Task>(kind: GameKind, task: T) -> T::Out {
    match kind {
        GameKind::Jieqi => task.run::<Jieqi>(),
        GameKind::Banqi => task.run::<Banqi>(),
    }
}
