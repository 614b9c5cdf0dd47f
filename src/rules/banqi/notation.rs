//! Positions, views, moves and plies as text.
//!
//! A position is `<board> <side> <pool> <plies without flip or capture>`: ranks from 4 down, `?` face down; the
//! side to move `w` for Red, `b` for Black, `-` before the first flip; what the face-down pieces are, letters
//! with counts. A view adds what these fields cannot say, each field only where it is needed:
//!
//! - `first b`: the player who moved first has Black. Without it, Red.
//! - `eyes first` or `eyes second`: whose view it is. Without it, the public view.
//! - `moves a1a2 …`: where the rules count repetitions, the plies since the last flip or capture, oldest
//!   first, that led to the board.
//!
//! A ply is a move, `c2` for a flip and `c2c3` for any other, and behind `=` the piece it showed: `c2=N`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::Move;
use super::board::{Board, Cell};
use super::capture::{FULL, PiecePool, RANKED, identity, piece};
use super::play::{Position, WrongPast};
use super::profile::BanqiRules;
use super::square::{FILES, RANKS, Square, SquareSet};
use super::view::BanqiView;
use crate::game::{Eyes, NotationError, Seat, View};
use crate::rules::pieces::{Color, Piece};
use crate::rules::ranks::write_ranks;
use crate::rules::words::{Parsed, Word, Words, character, error, found_at};

/// The highest count of plies that a text may state.
const MAX_COUNT: u16 = 9999;

pub fn parse_view(text: &str, rules: &Arc<BanqiRules>) -> Parsed<BanqiView> {
    let words = &mut Words::new(text);
    let board_field = words.field("a board")?;
    let board = parse_board(words, board_field)?;
    let side_field = words.field("the side to move: 'w', 'b', or '-' before the first flip")?;
    let side = parse_side(words, side_field, &board)?;
    let pool_field = words.field("a pool such as 'K1p5', or '-'")?;
    let pool = parse_pool(words, pool_field)?;
    check_counts(words, &board, &pool, pool_field.at)?;
    let quiet_plies = parse_count(words)?;
    let extra = Extra::parse(words, side)?;

    let first = side.map(|_| extra.first);
    let now = Position::fresh(rules, board, pool, first, side.unwrap_or(Color::Red), quiet_plies);
    if let Some(&(at, _)) = extra.moves.first().filter(|_| rules.repetition.is_none()) {
        let found = "moves that led here";
        return Err(words.error(at, found, "none: these rules count no repetitions"));
    }
    let moves: Vec<Move> = extra.moves.iter().map(|&(_, mv)| mv).collect();
    let position = now.with_past(rules, &moves).map_err(|WrongPast(place)| {
        let (at, _) = extra.moves[place];
        words.error(at, character(text, at), "a legal ply without flip or capture that leads to the board")
    })?;
    Ok(BanqiView::new(rules, position, extra.eyes))
}

/// The fields behind those of the position.
struct Extra {
    first: Color,
    eyes: Eyes,
    /// Each with the byte it starts at.
    moves: Vec<(usize, Move)>,
}

impl Extra {
    fn parse(words: &mut Words, side: Option<Color>) -> Parsed<Extra> {
        let mut extra = Extra { first: Color::Red, eyes: Eyes::Public, moves: Vec::new() };
        let mut next = words.next();
        if let Some(name) = next.filter(|word| word.text == "first") {
            let color = words.field("'b' behind 'first'")?;
            if side.is_none() || color.text != "b" {
                let expected = "'first b', where there are colours and the first player's is not Red";
                return Err(words.error(name.at, format!("'first {}'", color.text), expected));
            }
            extra.first = Color::Black;
            next = words.next();
        }
        if next.is_some_and(|word| word.text == "eyes") {
            let expected = "'first' or 'second' behind 'eyes'";
            let whose = words.field(expected)?;
            extra.eyes = Eyes::Of(match whose.text {
                "first" => Seat::First,
                "second" => Seat::Second,
                other => return Err(words.error(whose.at, format!("'{other}'"), expected)),
            });
            next = words.next();
        }
        if let Some(name) = next.filter(|word| word.text == "moves") {
            while let Some(word) = words.next() {
                extra.moves.push((word.at, parse_move(words.text, word.at, word.text)?));
            }
            if extra.moves.is_empty() {
                return Err(words.error(name.at, "'moves' without a move", "moves behind it"));
            }
            next = None;
        }
        match next {
            None => Ok(extra),
            Some(word) => {
                let expected = "'first', 'eyes', 'moves', or the end of the text, in this order";
                Err(words.error(word.at, format!("'{}'", word.text), expected))
            }
        }
    }
}

fn parse_board(words: &Words, field: Word) -> Parsed<Board> {
    let mut board = Board::CLEAR;
    let (mut file, mut rank) = (0, RANKS);
    for (offset, letter) in field.text.char_indices() {
        let at = field.at + offset;
        let fail = |found: String, expected: &str| Err(words.error(at, found, expected));
        match letter {
            '/' if file < FILES => {
                return fail(format!("the end of rank {rank} after {file} files"), "8 files");
            }
            '/' if rank == 1 => return fail("a fifth rank".into(), "4 ranks"),
            '/' => (file, rank) = (0, rank - 1),
            '1'..='8' => {
                file += letter as u8 - b'0';
                if file > FILES {
                    return fail(format!("rank {rank} with {file} files or more"), "8 files");
                }
            }
            _ => {
                let cell = match (letter, Piece::from_letter(letter)) {
                    ('?', _) => Cell::FaceDown,
                    (_, Some(piece)) => Cell::FaceUp(piece),
                    _ => return fail(format!("'{letter}'"), "a piece letter, '?', a digit 1 to 8, or '/'"),
                };
                let Some(square) = Square::on(file as i8, rank as i8 - 1) else {
                    return fail(format!("rank {rank} with more than 8 files"), "8 files");
                };
                board.set(square, cell);
                file += 1;
            }
        }
    }
    if rank > 1 || file < FILES {
        let found = format!("a board that ends after {file} files of rank {rank}");
        return Err(words.error(field.at + field.text.len(), found, "4 ranks of 8 files, rank 4 first"));
    }
    Ok(board)
}

/// The side to move; none before the first flip.
fn parse_side(words: &Words, field: Word, board: &Board) -> Parsed<Option<Color>> {
    let untouched = board.face_down() == SquareSet::ALL;
    let side = match field.text {
        "w" => Some(Color::Red),
        "b" => Some(Color::Black),
        "-" => None,
        other => return Err(words.error(field.at, format!("'{other}'"), "'w', 'b' or '-'")),
    };
    match (side, untouched) {
        (Some(_), true) => {
            let expected = "'-': nobody has a colour before the first flip";
            Err(words.error(field.at, format!("'{}'", field.text), expected))
        }
        (None, false) => Err(words.error(field.at, "'-'", "'w' or 'b': a piece has been flipped")),
        _ => Ok(side),
    }
}

fn parse_pool(words: &Words, field: Word) -> Parsed<PiecePool> {
    let mut counts = [None; 14];
    let mut letters = if field.text == "-" { "" } else { field.text }.char_indices();
    while let Some((offset, letter)) = letters.next() {
        let at = field.at + offset;
        let Some(piece) = Piece::from_letter(letter) else {
            let expected = "one of K A B R N C P k a b r n c p, or '-' alone";
            return Err(words.error(at, format!("'{letter}'"), expected));
        };
        let identity = identity(piece);
        let behind = at + letter.len_utf8();
        let digit = letters.next().and_then(|(_, digit)| digit.to_digit(10));
        let dealt = FULL.count(identity);
        let Some(count) = digit.filter(|count| (1..=u32::from(dealt)).contains(count)) else {
            let expected = format!("a count of '{letter}' from 1 to {dealt}");
            return Err(words.error(behind, character(words.text, behind), expected));
        };
        if counts[identity].replace(count as u8).is_some() {
            return Err(words.error(at, format!("a second count of '{letter}'"), "each letter once"));
        }
    }
    Ok(PiecePool::new(counts.map(Option::unwrap_or_default)))
}

/// Whether board and pool together are pieces of one set, and the pool is what lies face down.
fn check_counts(words: &Words, board: &Board, pool: &PiecePool, at: usize) -> Parsed<()> {
    for (kind, (&left, &dealt)) in pool.counts().iter().zip(FULL.counts()).enumerate() {
        let piece = piece(kind);
        let face_up = board.by_rank(piece.color)[kind % RANKED.len()].len();
        let count = face_up + u32::from(left);
        if count > u32::from(dealt) {
            let found = format!("{count} '{}' on the board and face down together", piece.letter());
            return Err(words.error(at, found, format!("at most {dealt}")));
        }
    }
    let face_down = board.face_down().len();
    if pool.total() != face_down {
        let found = format!("a pool of {} for {face_down} face-down pieces", pool.total());
        return Err(words.error(at, found, "a pool that counts every face-down piece"));
    }
    Ok(())
}

fn parse_count(words: &mut Words) -> Parsed<u16> {
    let expected = format!("the plies since the last flip or capture, a number from 0 to {MAX_COUNT}");
    let field = words.field(&expected)?;
    let digits = field.text.bytes().all(|byte| byte.is_ascii_digit());
    let number = field.text.parse().ok().filter(|number| digits && *number <= MAX_COUNT);
    number.ok_or_else(|| words.error(field.at, format!("'{}'", field.text), expected))
}

fn parse_square(bytes: &[u8]) -> Option<Square> {
    let &[file, rank] = bytes else { return None };
    let file = file.checked_sub(b'a')?;
    let rank = rank.checked_sub(b'1')?;
    Square::on(i8::try_from(file).ok()?, i8::try_from(rank).ok()?)
}

/// Reads `word`, which stands at byte `at` of `text`, as a move.
fn parse_move(text: &str, at: usize, word: &str) -> Parsed<Move> {
    let square = |from: usize| {
        let found = word.as_bytes().get(from..from + 2).and_then(parse_square);
        found.ok_or_else(|| error(text, at + from, found_at(word, from), "a square from a1 to h4"))
    };
    let from = square(0)?;
    if word.len() == 2 {
        return Ok(Move::flip(from));
    }
    let to = square(2)?;
    if word.len() > 4 {
        return Err(error(text, at + 4, found_at(word, 4), "the end of the move"));
    }
    if from == to || from.file() != to.file() && from.rank() != to.rank() {
        return Err(error(text, at + 2, format!("'{to}'"), "another square on a line with the first"));
    }
    Ok(Move { from, to })
}

/// Reads a ply played in `position`: the move, and behind `=` the piece it showed.
pub fn parse_ply(text: &str, position: &Position, rules: &BanqiRules) -> Parsed<(Move, Option<Piece>)> {
    let (word, shown) = match text.split_once('=') {
        Some((word, shown)) => (word, Some(shown)),
        None => (text, None),
    };
    let mv = parse_move(text, 0, word)?;
    if !position.is_legal(rules, mv) {
        return Err(error(text, 0, format!("'{mv}', which is not legal here"), "a legal move"));
    }
    match (position.uncovers(mv), shown) {
        (false, None) => Ok((mv, None)),
        (false, Some(_)) => {
            let found = found_at(text, word.len());
            Err(error(text, word.len(), found, "the end of the ply, which shows nothing"))
        }
        (true, shown) => {
            let kinds = || position.pool().kinds().map(piece);
            let found = kinds().find(|piece| shown == Some(piece.letter().to_string().as_str()));
            let piece = found.ok_or_else(|| {
                let letters: Vec<_> = kinds().map(|piece| piece.letter().to_string()).collect();
                let expected = format!("'=' and one of {}", letters.join(" "));
                error(text, word.len(), found_at(text, word.len()), expected)
            })?;
            Ok((mv, Some(piece)))
        }
    }
}

/// The text behind the move of a ply that showed `shown`.
pub fn reveal_text(shown: Option<Piece>) -> String {
    shown.map_or_else(String::new, |piece| format!("={}", piece.letter()))
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.from)?;
        if self.is_flip() { Ok(()) } else { write!(f, "{}", self.to) }
    }
}

impl FromStr for Move {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        parse_move(text, 0, text)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |file: u8, rank: u8| {
            let square = Square::on(file as i8, rank as i8).expect("file and rank are on the board");
            match self.cell(square) {
                Cell::Empty => None,
                Cell::FaceDown => Some('?'),
                Cell::FaceUp(piece) => Some(piece.letter()),
            }
        };
        write_ranks(f, (0..RANKS).rev().map(|rank| (0..FILES).map(move |file| letter(file, rank))))
    }
}

impl fmt::Display for BanqiView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position();
        let side = position.first().map_or('-', |_| position.side().letter());
        write!(f, "{} {side} ", position.board())?;
        for kind in position.pool().kinds() {
            write!(f, "{}{}", piece(kind).letter(), position.pool().count(kind))?;
        }
        if position.pool().total() == 0 {
            f.write_str("-")?;
        }
        write!(f, " {}", position.quiet_plies())?;
        if position.first() == Some(Color::Black) {
            f.write_str(" first b")?;
        }
        match self.eyes() {
            Eyes::Public => {}
            Eyes::Of(Seat::First) => f.write_str(" eyes first")?,
            Eyes::Of(Seat::Second) => f.write_str(" eyes second")?,
        }
        if !position.history().is_empty() {
            f.write_str(" moves")?;
            position.history().moves().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        Ok(())
    }
}
