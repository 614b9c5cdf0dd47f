//! What a person may want on their turn.

use crate::game::NotationError;
use crate::text::shown;

/// The words a person can say.
pub const HELP: &str = "Say a move by its squares (in Banqi a flip by its square), or one of: moves, hint, board, \
                        help, resign, quit.\nUpper case is Red, lower case Black; X, x and ? lie \
                        face down.";

/// What a line asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish<M> {
    Ply(M),
    Moves,
    Hint,
    Board,
    Help,
    Resign,
    Quit,
}

/// A line asks for nothing that can be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("nothing was said; help lists what can be")]
    Nothing,
    #[error("'{}' is neither a move nor a word that is known; help lists them", shown(.0))]
    Unknown(String),
    #[error("{0} is not legal here; moves lists what is")]
    Illegal(String),
}

impl<M: Copy + Ord + std::fmt::Display + std::str::FromStr<Err = NotationError>> Wish<M> {
    /// Reads a line; `legal` are the moves that may be played, sorted.
    ///
    /// # Errors
    ///
    /// If it is no word, and no move or one that may not be played.
    pub fn read(line: &str, legal: &[M]) -> Result<Self, Refusal> {
        let word = line.trim().to_lowercase();
        Ok(match word.as_str() {
            "" => return Err(Refusal::Nothing),
            "moves" => Self::Moves,
            "hint" => Self::Hint,
            "board" => Self::Board,
            "help" | "?" => Self::Help,
            "resign" => Self::Resign,
            "quit" | "exit" => Self::Quit,
            text => {
                let mv: M = text.parse().map_err(|_| Refusal::Unknown(line.trim().into()))?;
                if legal.binary_search(&mv).is_err() {
                    return Err(Refusal::Illegal(mv.to_string()));
                }
                Self::Ply(mv)
            }
        })
    }
}
