//! The fields of a view's text behind those of the position.

use std::fmt;

use super::{parse_color, parse_move, parse_square};
use crate::game::{Eyes, View};
use crate::rules::jieqi::play::Past;
use crate::rules::jieqi::profile::{JieqiRules, TakenFaceDown};
use crate::rules::jieqi::runs::{Run, RunKind, Runs};
use crate::rules::jieqi::square::SquareSet;
use crate::rules::jieqi::view::JieqiView;
use crate::rules::jieqi::{RolePool, color_of, seat_of};
use crate::rules::pieces::{Color, Piece, Role};
use crate::rules::words::{Parsed, Word, Words, found_at};

/// The fields behind the move number.
pub struct ExtraFields<'a> {
    pub eyes: Eyes,
    pub saw: Option<Word<'a>>,
    pub past: Past,
    /// The bytes at which the runs, `over` and the moves of `past` start.
    pub run_places: Vec<usize>,
    pub over_place: usize,
    pub move_places: Vec<usize>,
}

pub fn parse<'a>(words: &mut Words<'a>, rules: &JieqiRules) -> Parsed<ExtraFields<'a>> {
    let mut extra = ExtraFields {
        eyes: Eyes::Public,
        saw: None,
        past: Past::default(),
        run_places: Vec::new(),
        over_place: 0,
        move_places: Vec::new(),
    };
    let mut next = words.next();
    if next.is_some_and(|word| word.text == "eyes") {
        let whose = words.field("'w' or 'b' behind 'eyes'")?;
        extra.eyes = Eyes::Of(seat_of(parse_color(words, whose)?));
        next = words.next();
        if let Some(name) = next.filter(|word| word.text == "saw") {
            if rules.captured_hidden != TakenFaceDown::SeenByTaker {
                let expected = "no such field: under these rules nobody alone sees what is taken";
                return Err(words.error(name.at, "'saw'", expected));
            }
            extra.saw = Some(words.field("the pieces seen, such as 'n1'")?);
            next = words.next();
        }
    }
    if let Some(name) = next.filter(|word| word.text == "runs") {
        next = parse_runs(words, name, &mut extra)?;
    }
    if let Some(name) = next.filter(|word| word.text == "moves") {
        while let Some(word) = words.next() {
            extra.past.moves.push(parse_move(words.text, word.at, word.text)?);
            extra.move_places.push(word.at);
        }
        if extra.past.moves.is_empty() {
            return Err(words.error(name.at, "'moves' without a move", "moves behind it"));
        }
        next = None;
    }
    match next {
        None => Ok(extra),
        Some(word) => {
            let expected =
                "'eyes', 'saw' behind 'eyes', 'runs', 'moves', or the end of the text, in this order";
            Err(words.error(word.at, format!("'{}'", word.text), expected))
        }
    }
}

/// Reads the runs behind their field's `name`, and returns the first word that is none.
fn parse_runs<'a>(
    words: &mut Words<'a>,
    name: Word,
    extra: &mut ExtraFields<'a>,
) -> Parsed<Option<Word<'a>>> {
    let mut runs: Vec<Run> = Vec::new();
    let mut next = words.next();
    while let Some(word) = next.filter(|word| !["over", "moves"].contains(&word.text)) {
        let run = parse_run(words, word)?;
        if runs.last().is_some_and(|last| last.id() >= run.id()) {
            let expected = "runs sorted by side, kind, square and first piece";
            return Err(words.error(word.at, format!("'{}'", word.text), expected));
        }
        runs.push(run);
        extra.run_places.push(word.at);
        next = words.next();
    }
    if runs.is_empty() {
        return Err(words.error(name.at, "'runs' without a run", "runs behind it"));
    }
    extra.past.runs = Runs::sorted(runs);
    if let Some(over) = next.filter(|word| word.text == "over") {
        extra.past.overstepped = true;
        extra.over_place = over.at;
        next = words.next();
    }
    Ok(next)
}

/// Reads a run, such as `w+3e9a8`.
fn parse_run(words: &Words, word: Word) -> Parsed<Run> {
    let expected = "a run such as 'w+3e9a8'";
    let fail = |offset: usize| {
        let at = word.at + offset;
        words.error(at, found_at(word.text, offset), expected)
    };
    let mut letters = word.text.chars();
    let side = match letters.next() {
        Some('w') => Color::Red,
        Some('b') => Color::Black,
        _ => return Err(fail(0)),
    };
    let written = letters.next();
    let kind = RunKind::ALL.into_iter().find(|&kind| Some(sign(kind)) == written).ok_or_else(|| fail(1))?;
    let rest = letters.as_str();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let length = rest[..digits].parse().ok().filter(|&length| length > 0).ok_or_else(|| fail(2))?;
    let squares = &rest.as_bytes()[digits..];
    let square_at = |place: usize| {
        squares
            .get(2 * place..2 * place + 2)
            .and_then(parse_square)
            .ok_or_else(|| fail(2 + digits + 2 * place))
    };
    let square = square_at(0)?;
    let mut pieces = SquareSet::EMPTY;
    for place in 1..squares.len().div_ceil(2).max(2) {
        let piece = square_at(place)?;
        if SquareSet::of(piece).without(pieces).is_empty() {
            return Err(fail(2 + digits + 2 * place));
        }
        pieces.insert(piece);
    }
    Ok(Run { side, kind, square, pieces, length })
}

fn sign(kind: RunKind) -> char {
    match kind {
        RunKind::Check => '+',
        RunKind::CheckFrom => '@',
        RunKind::Chase => 'x',
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}{}", self.side.letter(), sign(self.kind), self.length, self.square)?;
        self.pieces.into_iter().try_for_each(|piece| write!(f, "{piece}"))
    }
}

/// Writes the fields that `view` needs, each with a space before it.
pub fn write(f: &mut fmt::Formatter<'_>, view: &JieqiView) -> fmt::Result {
    if let Eyes::Of(seat) = view.eyes() {
        let own = color_of(seat);
        write!(f, " eyes {}", own.letter())?;
        write_saw(f, own.other(), view.saw())?;
    }
    let Past { runs, overstepped, moves } = view.position().past();
    if !runs.is_empty() {
        f.write_str(" runs")?;
        runs.iter().try_for_each(|run| write!(f, " {run}"))?;
    }
    if overstepped {
        f.write_str(" over")?;
    }
    if !moves.is_empty() {
        f.write_str(" moves")?;
        moves.iter().try_for_each(|mv| write!(f, " {mv}"))?;
    }
    Ok(())
}

/// Writes the pieces of `color` that were seen taken.
fn write_saw(f: &mut fmt::Formatter<'_>, color: Color, saw: &RolePool) -> fmt::Result {
    if *saw == RolePool::EMPTY {
        return Ok(());
    }
    f.write_str(" saw ")?;
    for (role, &count) in Role::ALL.into_iter().zip(saw.counts()) {
        if count > 0 {
            write!(f, "{}{count}", Piece { color, role }.letter())?;
        }
    }
    Ok(())
}
