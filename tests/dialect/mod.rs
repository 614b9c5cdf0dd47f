//! The texts of other programs: read, written, refused, said aloud.

mod commands;
mod forms;
mod game_files;
mod random;
mod refused;
mod spoken;

use std::sync::Arc;

use facedown::rules::dialect::{Format, Line, text_rules};
use facedown::rules::jieqi::JieqiRules;

/// After 1. b2b9, by which a cannon's place takes a face-down horse and turns out to be a chariot.
const BOARD: &str = "xRxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/7X1/9/XXXXKXXXX";

fn rules() -> Arc<JieqiRules> {
    text_rules()
}

fn read(form: Format, text: &str) -> Line {
    form.read(text, &rules()).unwrap_or_else(|error| panic!("{form}: {error}"))
}

fn converted(from: Format, to: Format, text: &str) -> String {
    to.write(&read(from, text)).unwrap_or_else(|error| panic!("{error}"))
}

/// The position that a game leads to.
fn end(line: &Line) -> Line {
    Line::new(line.end().clone())
}
