//! JFN v2: `<board> <captured> <turn> <viewer>`, what one player knows.
//!
//! Captured pieces stand as `<Red's>:<Black's>`: a capital was face up, a small letter was face down and its
//! taker is the viewer, and `?` is the viewer's own piece, taken face down. Together with the board they are
//! the whole set, and the pools follow. There are no counters: a text is read as if at plies 0, move 1.

use std::fmt::{self, Write};
use std::sync::Arc;

use super::source::{Census, Rewritten, Word, Words};
use super::{Dialect, Snapshot, Unsayable, by_color, own_fields};
use crate::game::{Eyes, NotationError, View};
use crate::rules::jieqi::{DEALT, JieqiRules, JieqiView, Move, Reveal, RolePool, color_of};
use crate::rules::pieces::{ByColor, Color, Piece, Role};

pub struct Jfn;

impl Dialect for Jfn {
    fn read_position(&self, words: &Words, rules: &Arc<JieqiRules>) -> Result<Snapshot, NotationError> {
        words.at_most(4, "the four fields")?;
        let board = words.get(0, "a board")?;
        let captured = words.get(1, "the captured pieces, such as 'R?:h', or '-:-'")?;
        let turn = words.get(2, "the side to move, 'r' or 'b'")?;
        let viewer_field = words.get(3, "the viewer, 'r' or 'b'")?;
        let (to_move, viewer) = (read_color(words, turn)?, read_color(words, viewer_field)?);

        let mut text = Rewritten::default();
        rewrite_letters(words, board, &mut text)?;
        text.check_board(words, board, to_move, rules)?;
        let lists = read_lists(words, captured, viewer)?;
        let census = Census::of(text.as_str());
        let mut pools = pool_of(words, captured, Color::Red, &lists[Color::Red], &census)?;
        pools += &pool_of(words, captured, Color::Black, &lists[Color::Black], &census)?;
        if pools.is_empty() {
            pools.push('-');
        }
        text.push(" ", turn.at);
        text.push_letter(to_move.letter(), turn.at);
        text.field(&pools, captured.at);
        text.field("0 1 eyes", captured.at);
        text.push(" ", viewer_field.at);
        text.push_letter(viewer.letter(), viewer_field.at);
        let saw = &lists[viewer.other()].seen;
        if *saw != RolePool::EMPTY {
            text.field("saw", captured.at);
            text.field(&pool_letters(viewer.other(), saw), captured.at);
        }
        Ok(Snapshot::new(text.view(words, rules)?))
    }

    fn read_ply(&self, words: &Words, word: Word, view: &JieqiView) -> Result<(Move, Reveal), NotationError> {
        let mover = view.position().to_move();
        let turns_up = word.text.starts_with('+');
        let (squares, letter) = word.text.split_once('=').unwrap_or((word.text, ""));
        let mut text = Rewritten::default();
        let skipped = usize::from(turns_up);
        text.copy(&squares[skipped..], word.at + skipped);
        let letter_at = word.at + squares.len() + 1;
        for (offset, letter) in letter.char_indices() {
            let at = letter_at + offset;
            let role = role_of(letter.to_ascii_uppercase());
            let role = role.ok_or_else(|| words.letter_error(at, letter, "one of R H E A C P"))?;
            text.push_letter(Piece { color: mover, role }.letter(), at);
        }
        let (mv, seen) = text.ply(words, view)?;
        match (turns_up, seen.opened, seen.taken) {
            (true, Some(_), None) | (false, None, None) => Ok((mv, seen)),
            (_, _, Some(_)) => {
                let expected = "the end of the move: what is taken is not part of it";
                Err(words.error(letter_at, format!("'{letter}'"), expected))
            }
            (false, Some(_), None) => {
                Err(words.error(word.at, "no '+'", "'+' before the move of a face-down piece"))
            }
            (true, None, None) => Err(words.error(word.at, "'+'", "no '+': the piece is face up")),
        }
    }

    fn write_position(&self, position: &Snapshot) -> Result<String, Unsayable> {
        let view = position.view();
        let Eyes::Of(seat) = view.eyes() else {
            return Err("what everybody knows: it is always one player's knowledge".into());
        };
        let viewer = color_of(seat);
        if *position.taken() != ByColor::default() {
            return Err("that a piece taken face down was seen by both players".into());
        }
        let [board, ..] = own_fields(view);
        let census = Census::of(&board);
        let lists = by_color(|color| {
            let saw = if color == viewer { RolePool::EMPTY } else { *view.saw() };
            let unknown = view.pool(color).total() - u32::from(census.face_down(color));
            let taken_face_up = |kind: usize| {
                let elsewhere = view.pool(color).count(kind) + saw.count(kind);
                DEALT.count(kind) - elsewhere - census.face_up(color, Role::ALL[kind])
            };
            Captured { face_up: RolePool::new(std::array::from_fn(taken_face_up)), seen: saw, unknown }
        });
        if lists[viewer.other()].unknown > 0 {
            return Err("that the viewer took a piece face down without seeing it".into());
        }
        let board: String = board.chars().map(jfn_letter).collect();
        let turn = color_letter(view.position().to_move());
        let [red, black] = Color::BOTH.map(|color| lists[color].to_string());
        Ok(format!("{board} {red}:{black} {turn} {}", color_letter(viewer)))
    }

    fn write_ply(&self, _view: &JieqiView, mv: Move, seen: Reveal) -> Result<String, Unsayable> {
        Ok(match seen.opened {
            Some(role) => format!("+{mv}={}", letter_of(role)),
            None => mv.to_string(),
        })
    }
}

/// The pieces of one colour that were taken, as one player knows them.
#[derive(Default)]
struct Captured {
    face_up: RolePool,
    /// Taken face down by the viewer.
    seen: RolePool,
    /// Taken face down from the viewer.
    unknown: u32,
}

impl fmt::Display for Captured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut nothing = true;
        let mut write = |letter: char, count: u32| {
            nothing &= count == 0;
            (0..count).try_for_each(|_| f.write_char(letter))
        };
        for role in KINDS {
            write(letter_of(role), self.face_up.count(role.index()).into())?;
        }
        for role in KINDS {
            write(letter_of(role).to_ascii_lowercase(), self.seen.count(role.index()).into())?;
        }
        write('?', self.unknown)?;
        if nothing { f.write_char('-') } else { Ok(()) }
    }
}

/// The kinds that can be taken.
const KINDS: [Role; 6] =
    [Role::Chariot, Role::Advisor, Role::Cannon, Role::Soldier, Role::Horse, Role::Elephant];

fn read_lists(words: &Words, field: Word, viewer: Color) -> Result<ByColor<Captured>, NotationError> {
    let Some((red, black)) = field.text.split_once(':') else {
        let expected = "Red's captured pieces, ':', Black's captured pieces";
        return Err(words.error(field.at, format!("'{}'", field.text), expected));
    };
    let black_at = field.at + red.len() + 1;
    Ok(ByColor::new(
        read_list(words, Word { at: field.at, text: red }, viewer == Color::Red)?,
        read_list(words, Word { at: black_at, text: black }, viewer == Color::Black)?,
    ))
}

/// Reads the captured pieces of one colour, which are the viewer's `own` or the opponent's.
fn read_list(words: &Words, list: Word, own: bool) -> Result<Captured, NotationError> {
    let mut captured = Captured::default();
    if list.text == "-" {
        return Ok(captured);
    }
    for (offset, letter) in list.text.char_indices() {
        let at = list.at + offset;
        let role = role_of(letter.to_ascii_uppercase()).filter(|&role| role != Role::King);
        match role {
            Some(role) if letter.is_ascii_uppercase() => captured.face_up.add(role.index()),
            Some(role) if !own => captured.seen.add(role.index()),
            None if letter == '?' && own => captured.unknown += 1,
            _ if own => {
                let expected = "a capital of R A C P H E, or '?' for an own piece taken face down";
                return Err(words.letter_error(at, letter, expected));
            }
            _ => return Err(words.letter_error(at, letter, "one of R A C P H E r a c p h e")),
        }
        if captured.face_up.total() + captured.seen.total() + captured.unknown > 15 {
            return Err(words.letter_error(at, letter, "at most 15 captured pieces of one side"));
        }
    }
    Ok(captured)
}

/// The pool of `color` that follows from the board and the captured pieces.
fn pool_of(
    words: &Words,
    field: Word,
    color: Color,
    captured: &Captured,
    census: &Census,
) -> Result<String, NotationError> {
    let name = if color == Color::Red { "Red" } else { "Black" };
    let mut pool = RolePool::EMPTY;
    for role in KINDS {
        let kind = role.index();
        let gone = captured.face_up.count(kind) + captured.seen.count(kind);
        let elsewhere = census.face_up(color, role).saturating_add(gone);
        let Some(unseen) = DEALT.count(kind).checked_sub(elsewhere) else {
            let found = format!("{elsewhere} of {name}'s '{}' on the board and captured", letter_of(role));
            return Err(words.error(field.at, found, format!("at most {}", DEALT.count(kind))));
        };
        (0..unseen).for_each(|_| pool.add(kind));
    }
    let unseen = u32::from(census.face_down(color)) + captured.unknown;
    if unseen == 0 {
        // Nothing is left to be turned up, whatever became of pieces that the text does not list.
        return Ok(String::new());
    }
    if pool.total() != unseen {
        let found = format!(
            "{} of {name}'s pieces neither face up nor captured by name, and {unseen} face down or '?'",
            pool.total()
        );
        return Err(words.error(field.at, found, "the same number: the whole set on the board or captured"));
    }
    Ok(pool_letters(color, &pool))
}

/// A pool in our own letters, without what there is none of.
fn pool_letters(color: Color, pool: &RolePool) -> String {
    let held = KINDS.into_iter().filter(|role| pool.count(role.index()) > 0);
    held.map(|role| format!("{}{}", Piece { color, role }.letter(), pool.count(role.index()))).collect()
}

fn rewrite_letters(words: &Words, board: Word, text: &mut Rewritten) -> Result<(), NotationError> {
    for (offset, letter) in board.text.char_indices() {
        let at = board.at + offset;
        let ours = match letter {
            'H' => 'N',
            'h' => 'n',
            'E' => 'B',
            'e' => 'b',
            'N' | 'n' | 'B' | 'b' => {
                let expected = "one of R H E A K C P X, small for Black, a digit 1 to 9, or '/'";
                return Err(words.letter_error(at, letter, expected));
            }
            same => same,
        };
        text.push_letter(ours, at);
    }
    Ok(())
}

fn jfn_letter(letter: char) -> char {
    match letter {
        'N' => 'H',
        'n' => 'h',
        'B' => 'E',
        'b' => 'e',
        same => same,
    }
}

/// The capital JFN writes for `role`.
fn letter_of(role: Role) -> char {
    jfn_letter(role.letter())
}

fn role_of(capital: char) -> Option<Role> {
    Role::ALL.into_iter().find(|&role| letter_of(role) == capital)
}

fn read_color(words: &Words, field: Word) -> Result<Color, NotationError> {
    match field.text {
        "r" => Ok(Color::Red),
        "b" => Ok(Color::Black),
        other => Err(words.error(field.at, format!("'{other}'"), "'r' or 'b'")),
    }
}

fn color_letter(color: Color) -> char {
    match color {
        Color::Red => 'r',
        Color::Black => 'b',
    }
}
