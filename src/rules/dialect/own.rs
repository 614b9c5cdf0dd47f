//! Our own view text, with `then` before plies: `moves` in it are those that led to the board.

use std::sync::Arc;

use super::source::{Rewritten, Word, Words};
use super::{Dialect, Snapshot, Unsayable};
use crate::game::{NotationError, View};
use crate::rules::jieqi::{JieqiRules, JieqiView, Move, Reveal};

pub struct Own;

impl Dialect for Own {
    fn separator(&self) -> &'static str {
        "then"
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
