//! Pikafish, branch `jieqi`: five fields, and UCI's `position` command.
//!
//! Given six fields the engine loses both counters, given JieqiBox's old order it takes the pool for the
//! side to move, and without a letter it leaves a moved piece face down. All of these are refused here.

use std::sync::Arc;

use super::own::Own;
use super::source::{Rewritten, Word, Words};
use super::{Dialect, Snapshot, Unsayable, own_fields};
use crate::game::{Eyes, Game, NotationError};
use crate::rules::jieqi::{Jieqi, JieqiRules, JieqiView, Move, Reveal};

pub struct Pikafish;

impl Dialect for Pikafish {
    fn read_position(&self, words: &Words, rules: &Arc<JieqiRules>) -> Result<Snapshot, NotationError> {
        let words = match after_command(words)? {
            Operand::Start => return Ok(start(rules)),
            Operand::Fen(words) => words,
        };
        let mut text = Rewritten::default();
        words.first(5).words.iter().for_each(|&word| text.word(word));
        let view = text.view(&words, rules)?;
        words.at_most(5, "the five fields")?;
        Ok(Snapshot::new(view))
    }

    fn read_ply(&self, words: &Words, word: Word, view: &JieqiView) -> Result<(Move, Reveal), NotationError> {
        Own.read_ply(words, word, view)
    }

    fn write_position(&self, position: &Snapshot) -> Result<String, Unsayable> {
        Ok(own_fields(position.view()).join(" "))
    }

    fn write_ply(&self, view: &JieqiView, mv: Move, seen: Reveal) -> Result<String, Unsayable> {
        Own.write_ply(view, mv, seen)
    }

    fn with_plies_to_come(&self, position: String) -> String {
        format!("position fen {position}")
    }
}

/// What UCI's `position` command is about.
pub enum Operand<'a> {
    Start,
    Fen(Words<'a>),
}

/// Reads past `position`, `fen` and `startpos`, all of which may be missing.
pub fn after_command<'a>(words: &Words<'a>) -> Result<Operand<'a>, NotationError> {
    let stands = |words: &Words, text| words.words.first().is_some_and(|word| word.text == text);
    let mut words = *words;
    if stands(&words, "position") {
        words = words.skip(1);
    }
    if stands(&words, "startpos") {
        words.at_most(1, "the position")?;
        return Ok(Operand::Start);
    }
    Ok(Operand::Fen(if stands(&words, "fen") { words.skip(1) } else { words }))
}

/// The start of the game.
pub fn start(rules: &Arc<JieqiRules>) -> Snapshot {
    Snapshot::new(Jieqi::start(rules).view(Eyes::Public))
}
