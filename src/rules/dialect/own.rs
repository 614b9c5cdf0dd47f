//! Our own view text, with `then` before plies: `moves` in it are those that led to the board.

use std::sync::Arc;

use super::source::{Rewritten, Word, Words};
use super::{Dialect, Snapshot, Unsayable};
use crate::game::{NotationError, View};
use crate::rules::jieqi::{JieqiRules, JieqiView, Move, Reveal};

/// A position of any game, and the plies behind `then`, as we write them; with `end`, the position that those
/// lead to.
///
/// # Errors
///
/// If the position or a ply cannot be read, or cannot be.
pub fn in_own_words<V: View>(
    text: &str,
    rules: &Arc<V::Profile>,
    end: bool,
) -> Result<String, NotationError> {
    let mut words = text.split_whitespace();
    let position = words.by_ref().take_while(|&word| word != SEPARATOR).collect::<Vec<_>>().join(" ");
    let mut view = V::parse(&position, rules)?;
    let mut written = view.to_string();
    for (place, word) in words.enumerate() {
        let (mv, seen) = view.parse_seen(word)?;
        written += if place == 0 { " then " } else { " " };
        written += &view.seen_text(mv, seen);
        view = view.after(mv, seen);
    }
    Ok(if end { view.to_string() } else { written })
}

/// Stands between a position and the plies played from it.
const SEPARATOR: &str = "then";

pub struct Own;

impl Dialect for Own {
    fn separator(&self) -> &'static str {
        SEPARATOR
    }

    fn read_position(&self, words: &Words, rules: &Arc<JieqiRules>) -> Result<Snapshot, NotationError> {
        let mut text = Rewritten::default();
        words.words.iter().for_each(|&word| text.word(word));
        Ok(Snapshot::new(text.view(words, rules)?))
    }

    fn read_ply(&self, words: &Words, word: Word, view: &JieqiView) -> Result<(Move, Reveal), NotationError> {
        let mut text = Rewritten::default();
        text.word(word);
        text.ply(words, view)
    }

    fn write_position(&self, position: &Snapshot) -> Result<String, Unsayable> {
        Ok(position.view().to_string())
    }

    fn write_ply(&self, view: &JieqiView, mv: Move, seen: Reveal) -> Result<String, Unsayable> {
        Ok(view.seen_text(mv, seen))
    }
}
