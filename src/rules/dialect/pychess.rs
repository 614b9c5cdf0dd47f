//! PyChess-variants: a face-down piece is the letter it moves as with `~` behind it; ranks count from 1.
//!
//! There is no pool. While nothing has been taken it follows from the board; once pieces are missing the
//! text leaves open whether they had been turned up, and only a game from its start says it. A reveal is
//! one small letter for both colours, and what was taken face down is never said.

use std::sync::Arc;

use super::source::{Census, Rewritten, Word, Words};
use super::{Dialect, Snapshot, Unsayable, own_fields};
use crate::game::NotationError;
use crate::rules::jieqi::{DEALT, JieqiRules, JieqiView, Move, Reveal, Square};
use crate::rules::pieces::{Color, Piece, Role};

pub struct PyChess;

impl Dialect for PyChess {
    fn read_position(&self, words: &Words, rules: &Arc<JieqiRules>) -> Result<Snapshot, NotationError> {
        let board = words.get(0, "a board")?;
        words.at_most(6, "the six fields")?;
        let mut text = Rewritten::default();
        rewrite_board(words, board, &mut text)?;
        let side = words.get(1, "the side to move, 'w' or 'b'")?;
        let to_move = if side.text == "b" { Color::Black } else { Color::Red };
        text.check_board(words, board, to_move, rules)?;
        let pool = derived_pool(words, board, &Census::of(text.as_str()))?;
        text.word(side);
        text.field(&pool, board.at);
        for place in [2, 3] {
            let field = words.get(place, "'-'")?;
            if field.text != "-" {
                return Err(words.error(field.at, format!("'{}'", field.text), "'-'"));
            }
        }
        text.word(words.get(4, "the plies since the last capture")?);
        text.word(words.get(5, "the move number")?);
        Ok(Snapshot::new(text.view(words, rules)?))
    }

    fn read_ply(&self, words: &Words, word: Word, view: &JieqiView) -> Result<(Move, Reveal), NotationError> {
        let mut text = Rewritten::default();
        let mut at = 0;
        for _ in 0..2 {
            at += rewrite_square(words, word, at, &mut text)?;
        }
        for (offset, letter) in word.text[at..].char_indices() {
            let origin = word.at + at + offset;
            if !letter.is_ascii_lowercase() {
                let expected = "a small letter for the piece that was turned up, or the end of the move";
                return Err(words.letter_error(origin, letter, expected));
            }
            text.push_letter(in_case_of(view.position().to_move(), letter), origin);
        }
        let (mv, seen) = text.ply(words, view)?;
        if seen.taken.is_some() {
            let expected = "the end of the move: what is taken is not part of it";
            return Err(words.error(word.at + at, format!("'{}'", &word.text[at..]), expected));
        }
        Ok((mv, seen))
    }

    fn write_position(&self, position: &Snapshot) -> Result<String, Unsayable> {
        let view = position.view();
        let [board, side, _, plies, number] = own_fields(view);
        let mut text = String::new();
        let mut squares = Squares::default();
        for letter in board.chars() {
            let square = squares.pass(letter);
            match (letter, square.and_then(Square::home_role)) {
                ('X' | 'x', Some(role)) => {
                    let color = if letter == 'X' { Color::Red } else { Color::Black };
                    text.push(Piece { color, role }.letter());
                    text.push('~');
                }
                _ => text.push(letter),
            }
        }
        Ok(format!("{text} {side} - - {plies} {number}"))
    }

    fn write_ply(&self, _view: &JieqiView, mv: Move, seen: Reveal) -> Result<String, Unsayable> {
        let letter = seen.opened.map(|role| role.letter().to_ascii_lowercase());
        let mut text = format!("{}{}", square_name(mv.from), square_name(mv.to));
        text.extend(letter);
        Ok(text)
    }
}

/// The squares that the letters of a board stand on, from a9 on rank by rank.
#[derive(Default)]
struct Squares {
    file: i8,
    ranks_passed: i8,
}

impl Squares {
    /// The square of a piece's letter, if it is on the board; none for digits and `/`.
    fn pass(&mut self, letter: char) -> Option<Square> {
        match letter {
            '/' => {
                self.file = 0;
                self.ranks_passed = self.ranks_passed.saturating_add(1);
                None
            }
            '0'..='9' => {
                self.file = self.file.saturating_add(letter as i8 - b'0' as i8);
                None
            }
            _ => {
                let square = Square::on(self.file, 9 - self.ranks_passed);
                self.file = self.file.saturating_add(1);
                square
            }
        }
    }
}

fn rewrite_board(words: &Words, board: Word, text: &mut Rewritten) -> Result<(), NotationError> {
    let mut squares = Squares::default();
    let mut letters = board.text.char_indices().peekable();
    while let Some((offset, letter)) = letters.next() {
        let at = board.at + offset;
        let square = squares.pass(letter);
        let marked = letters.next_if(|&(_, next)| next == '~').is_some();
        match (marked, Piece::from_letter(letter)) {
            (false, None) if matches!(letter, 'X' | 'x') => {
                let expected = "a piece letter with '~' behind it for a face-down piece";
                return Err(words.letter_error(at, letter, expected));
            }
            (false, _) => text.push_letter(letter, at),
            (true, piece) => {
                let home = square.and_then(|square| Some((square, square.home_role()?, square.half())));
                let found = format!("'{letter}~'");
                let Some((square, role, color)) = home else {
                    return Err(words.error(at, found, "face-down pieces on home squares only, kings never"));
                };
                let expected = Piece { color, role };
                if piece != Some(expected) {
                    let expected = format!(
                        "'{}~', as what is face down on {} moves",
                        expected.letter(),
                        square_name(square)
                    );
                    return Err(words.error(at, found, expected));
                }
                text.push_letter(if color == Color::Red { 'X' } else { 'x' }, at);
            }
        }
    }
    Ok(())
}

/// The pool that follows from a board.
fn derived_pool(words: &Words, board: Word, census: &Census) -> Result<String, NotationError> {
    let mut pool = String::new();
    for color in Color::BOTH {
        let face_down = u32::from(census.face_down(color));
        let unseen = |role: Role| DEALT.count(role.index()).saturating_sub(census.face_up(color, role));
        let unseen_kinds = Role::ALL.into_iter().filter(|&role| role != Role::King);
        let total: u32 = unseen_kinds.clone().map(|role| u32::from(unseen(role))).sum();
        if face_down == 0 {
            continue;
        }
        if total > face_down {
            let name = if color == Color::Red { "Red" } else { "Black" };
            let found = format!("{} of {name}'s pieces gone and {face_down} face down", total - face_down);
            let expected = "a whole set, or a game from its start: whether the missing pieces had been turned \
                            up decides what the face-down ones may be, and this text does not say it";
            return Err(words.error(board.at, found, expected));
        }
        for role in unseen_kinds {
            pool.push(Piece { color, role }.letter());
            pool += &unseen(role).to_string();
        }
    }
    Ok(if pool.is_empty() { "-".into() } else { pool })
}

/// Rewrites the square that stands at byte `at` of a move and returns its length.
fn rewrite_square(
    words: &Words,
    word: Word,
    at: usize,
    text: &mut Rewritten,
) -> Result<usize, NotationError> {
    let rest = &word.text[at..];
    let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    let rank = rest.get(1..1 + digits).and_then(|digits| digits.parse::<u8>().ok());
    match (rest.as_bytes().first(), rank) {
        (Some(&file @ b'a'..=b'i'), Some(rank @ 1..=10)) if !rest[1..].starts_with('0') => {
            text.push_letter(file.into(), word.at + at);
            text.push_letter(char::from(b'0' + rank - 1), word.at + at + 1);
            Ok(1 + digits)
        }
        _ => {
            let found = if rest.is_empty() { "the end of the move".into() } else { format!("'{rest}'") };
            Err(words.error(word.at + at, found, "a square from a1 to i10"))
        }
    }
}

fn in_case_of(color: Color, letter: char) -> char {
    match color {
        Color::Red => letter.to_ascii_uppercase(),
        Color::Black => letter,
    }
}

fn square_name(square: Square) -> String {
    format!("{}{}", char::from(b'a' + square.file()), square.rank() + 1)
}
