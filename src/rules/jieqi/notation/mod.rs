//! Positions, views, moves and plies as text.
//!
//! A position is `<board> <side> <pool> <plies without capture> <move number>`, the dialect of Jieqi
//! engines and boards: ranks from 9 down, `X` and `x` for face-down pieces, the pool as letters with
//! counts. A view adds what these fields cannot say, each field only where it is needed:
//!
//! - `eyes w` or `eyes b`: whose view it is; the pool is then that player's. Without it, the public view.
//! - `saw n1p2`: the enemy pieces, not in the pool, that this player alone saw when taking them.
//! - `runs w+3e9a8 …`: where the rules count checks and chases in a row, those there were before `moves`:
//!   the side, `+` for checks of the king that stands on the square behind the number, `@` for checks from
//!   that square, `x` for chases of the piece there; how many; then where the pieces stood that made them.
//!   `over` behind them: the ply before went beyond a limit, which ended the game.
//! - `moves a0a1 …`: the plies since the last capture or reveal, oldest first, that led to the board.
//!
//! A ply is a move with what it uncovered behind it: the letter the moved piece turned out to be, in its
//! own side's case, then the letter of a piece taken face down, in the other's.

mod extra;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::board::{Board, Cell};
use super::play::{DEALT, PastError, Position};
use super::profile::JieqiRules;
use super::square::{FILES, RANKS, Square, SquareSet};
use super::view::JieqiView;
use super::{Move, Reveal, RolePool, color_of, seat_of};
use crate::game::{Eyes, NotationError};
use crate::rules::pieces::{ByColor, Color, Piece, Role};
use crate::rules::ranks::write_ranks;
use crate::rules::words::{Parsed, Word, Words, character, error, found_at};

/// The highest count of plies, and of moves, that a text may state.
const MAX_COUNT: u16 = 9999;

pub fn parse_view(text: &str, rules: &Arc<JieqiRules>) -> Parsed<JieqiView> {
    let words = &mut Words::new(text);
    let board_field = words.field("a board")?;
    let board = parse_board(words, board_field, rules)?;
    let side = words.field("the side to move, 'w' or 'b'")?;
    let to_move = parse_color(words, side)?;
    let pool_field = words.field("a pool such as 'R2p5', or '-'")?;
    let mut pools = parse_pool(words, pool_field)?;
    let quiet_plies = parse_count(words, 0, "the plies since the last capture")?;
    let move_number = parse_count(words, 1, "the move number")?;
    let ply = 2 * (move_number - 1) + u16::from(to_move == Color::Black);

    let extra = extra::parse(words, rules)?;
    let mut saw = RolePool::EMPTY;
    if let (Eyes::Of(seat), Some(field)) = (extra.eyes, extra.saw) {
        let enemy = color_of(seat).other();
        let taken = parse_pool(words, field)?;
        if taken[enemy.other()] != RolePool::EMPTY {
            return Err(words.error(field.at, "pieces of the player's own", "only enemy pieces"));
        }
        saw = taken[enemy];
        for kind in 0..saw.counts().len() {
            (0..saw.count(kind)).for_each(|_| pools[enemy].add(kind));
        }
    }
    check_counts(words, &board, &pools, &saw, extra.eyes, pool_field.at)?;
    if board.in_check(to_move.other()) {
        let facing = board.checkers(to_move.other()) & board.shown_as(Role::King);
        let found = if facing.is_empty() {
            "the side not to move is in check"
        } else {
            "the kings face each other on an open file"
        };
        return Err(words.error(board_field.at, found, "a position that a legal move leads to"));
    }

    let now = Position::fresh(rules, board, to_move, pools, quiet_plies, ply);
    let position = now.with_past(rules, &extra.past).map_err(|wrong| {
        let (at, expected) = match wrong {
            PastError::Run(place) => {
                (extra.run_places[place], "a run these rules keep, of pieces that stood there before 'moves'")
            }
            PastError::Overstepped => (extra.over_place, "'over' behind a run beyond its limit only"),
            PastError::Move(place) => {
                (extra.move_places[place], "a legal ply without capture or reveal that leads to the board")
            }
        };
        words.error(at, character(text, at), expected)
    })?;
    Ok(JieqiView::new(rules, position, extra.eyes, saw))
}

fn parse_board(words: &Words, field: Word, rules: &JieqiRules) -> Parsed<Board> {
    let mut board = Board::empty(rules.guards);
    let (mut file, mut rank) = (0, RANKS - 1);
    for (offset, letter) in field.text.char_indices() {
        let at = field.at + offset;
        let fail = |found: String, expected: &str| Err(words.error(at, found, expected));
        match letter {
            '/' if file < FILES => {
                return fail(format!("the end of rank {rank} after {file} files"), "9 files");
            }
            '/' if rank == 0 => return fail("an eleventh rank".into(), "10 ranks"),
            '/' => (file, rank) = (0, rank - 1),
            '1'..='9' => {
                file += letter as u8 - b'0';
                if file > FILES {
                    return fail(format!("rank {rank} with {file} files or more"), "9 files");
                }
            }
            _ => {
                let cell = match letter {
                    'X' => Cell::FaceDown(Color::Red),
                    'x' => Cell::FaceDown(Color::Black),
                    _ => match Piece::from_letter(letter) {
                        Some(piece) => Cell::FaceUp(piece),
                        None => return fail(format!("'{letter}'"), "a piece letter, a digit 1 to 9, or '/'"),
                    },
                };
                let Some(square) = Square::on(file as i8, rank as i8).filter(|_| file < FILES) else {
                    return fail(format!("rank {rank} with more than 9 files"), "9 files");
                };
                check_place(words, at, &board, square, cell)?;
                board.put(square, cell);
                file += 1;
            }
        }
    }
    let end = field.at + field.text.len();
    if rank > 0 || file < FILES {
        let found = format!("a board that ends after {file} files of rank {rank}");
        return Err(words.error(end, found, "10 ranks of 9 files, rank 9 first"));
    }
    for color in Color::BOTH {
        if !(board.shown_as(Role::King)).meets(board.pieces(color)) {
            let king = Piece { color, role: Role::King }.letter();
            return Err(words.error(field.at, format!("no '{king}' on the board"), "one king of each side"));
        }
    }
    Ok(board)
}

/// Whether `cell` may stand on `square` at all, given what has been read of the board.
fn check_place(words: &Words, at: usize, board: &Board, square: Square, cell: Cell) -> Parsed<()> {
    match cell {
        Cell::FaceDown(color) if !SquareSet::homes(color).contains(square) => Err(words.error(
            at,
            format!("a face-down piece on {square}"),
            "face-down pieces on home squares of their own side only, not on a king's",
        )),
        Cell::FaceUp(Piece { color, role: Role::King }) => {
            let palace = SquareSet::PALACES & SquareSet::half(color);
            if !palace.contains(square) {
                let found = format!("a king on {square}");
                Err(words.error(at, found, "each king inside its own palace"))
            } else if board.shown_as(Role::King).meets(board.pieces(color)) {
                Err(words.error(at, "a second king of one side", "one king of each side"))
            } else {
                Ok(())
            }
        }
        _ => Ok(()),
    }
}

fn parse_color(words: &Words, field: Word) -> Parsed<Color> {
    match field.text {
        "w" => Ok(Color::Red),
        "b" => Ok(Color::Black),
        other => Err(words.error(field.at, format!("'{other}'"), "'w' or 'b'")),
    }
}

fn parse_pool(words: &Words, field: Word) -> Parsed<ByColor<RolePool>> {
    let mut counts = ByColor::new([0; 6], [0; 6]);
    if field.text != "-" {
        let mut read = Vec::new();
        let mut letters = field.text.char_indices();
        while let Some((offset, letter)) = letters.next() {
            let at = field.at + offset;
            let piece = Piece::from_letter(letter).filter(|piece| piece.role != Role::King);
            let Some(piece) = piece else {
                return Err(words.error(
                    at,
                    format!("'{letter}'"),
                    "one of R A C P N B r a c p n b, or '-' alone",
                ));
            };
            if read.contains(&piece) {
                return Err(words.error(at, format!("a second count of '{letter}'"), "each letter once"));
            }
            read.push(piece);
            let digit = letters.next().and_then(|(_, digit)| digit.to_digit(10));
            let Some(count) = digit.filter(|&count| count <= u32::from(DEALT.count(piece.role.index())))
            else {
                let behind = at + letter.len_utf8();
                let dealt = DEALT.count(piece.role.index());
                let found = character(words.text, behind);
                return Err(words.error(behind, found, format!("a count of '{letter}' from 0 to {dealt}")));
            };
            counts[piece.color][piece.role.index()] = count as u8;
        }
    }
    Ok(ByColor::new(RolePool::new(counts[Color::Red]), RolePool::new(counts[Color::Black])))
}

fn parse_count(words: &mut Words, least: u16, what: &str) -> Parsed<u16> {
    let expected = format!("{what}, a number from {least} to {MAX_COUNT}");
    let field = words.field(&expected)?;
    let digits = field.text.bytes().all(|byte| byte.is_ascii_digit());
    let number = field.text.parse().ok().filter(|number| digits && (least..=MAX_COUNT).contains(number));
    number.ok_or_else(|| words.error(field.at, format!("'{}'", field.text), expected))
}

/// Whether board and pools together are pieces of one set, and the pools cover the face-down pieces.
fn check_counts(
    words: &Words,
    board: &Board,
    pools: &ByColor<RolePool>,
    saw: &RolePool,
    eyes: Eyes,
    at: usize,
) -> Parsed<()> {
    for color in Color::BOTH {
        let pool = &pools[color];
        let face_up = board.pieces(color).without(board.face_down());
        for (role, &dealt) in Role::ALL.into_iter().zip(DEALT.counts()) {
            let count = (board.shown_as(role) & face_up).len() + u32::from(pool.count(role.index()));
            if count > u32::from(dealt) {
                let letter = Piece { color, role }.letter();
                let found = format!("{count} '{letter}' on the board and unseen together");
                return Err(words.error(at, found, format!("at most {dealt}")));
            }
        }
        let face_down = (board.face_down() & board.pieces(color)).len();
        let secret = if eyes == Eyes::Of(seat_of(color.other())) { saw.total() } else { 0 };
        let known = pool.total() - secret;
        if known < face_down {
            let found = format!("{known} unseen pieces for {face_down} face-down ones");
            return Err(words.error(at, found, "a pool of each colour that covers its face-down pieces"));
        }
    }
    Ok(())
}

fn parse_square(bytes: &[u8]) -> Option<Square> {
    let &[file, rank] = bytes else { return None };
    let file = file.checked_sub(b'a')?;
    let rank = rank.checked_sub(b'0')?;
    Square::on(i8::try_from(file).ok()?, i8::try_from(rank).ok()?)
}

/// Reads `word`, which stands at byte `at` of `text`, as a move.
fn parse_move(text: &str, at: usize, word: &str) -> Parsed<Move> {
    let bytes = word.as_bytes();
    for end in [2, 4] {
        if bytes.get(end - 2..end).and_then(parse_square).is_none() {
            return Err(error(text, at + end - 2, found_at(word, end - 2), "a square from a0 to i9"));
        }
    }
    if word.len() > 4 {
        return Err(error(text, at + 4, found_at(word, 4), "the end of the move"));
    }
    let squares = (parse_square(&bytes[..2]), parse_square(&bytes[2..]));
    let (Some(from), Some(to)) = squares else { unreachable!("both were read above") };
    Ok(Move { from, to })
}

/// Whether the letter of a piece taken face down belongs in a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disclosure {
    Required,
    Optional,
    Refused,
}

/// Reads a ply played in `position`, where `own` and `other` are what the mover's and the opponent's
/// unseen pieces may be.
pub fn parse_ply(
    text: &str,
    position: &Position,
    own: &RolePool,
    other: &RolePool,
    disclosure: Disclosure,
) -> Parsed<(Move, Reveal)> {
    let (word, letters) = text.split_at(text.char_indices().nth(4).map_or(text.len(), |(at, _)| at));
    let mv = parse_move(text, 0, word)?;
    if position.is_forbidden(mv) {
        let expected = "a move that does not check or chase once too often";
        return Err(error(text, 0, format!("'{mv}', which is forbidden here"), expected));
    }
    if !position.is_playable(mv) {
        return Err(error(text, 0, format!("'{mv}', which is not legal here"), "a legal move"));
    }
    let mover = position.to_move();
    let face_down = |at| matches!(position.board().cell(at), Cell::FaceDown(_));
    let mut letters = letters.char_indices().map(|(offset, letter)| (word.len() + offset, letter)).peekable();
    let mut read = |color: Color, pool: &RolePool| {
        let expected = || {
            let left = Role::ALL.into_iter().zip(pool.counts()).filter(|&(_, &count)| count > 0);
            let letters: Vec<_> = left.map(|(role, _)| Piece { color, role }.letter().to_string()).collect();
            format!("one of {}", letters.join(" "))
        };
        let (at, found) = match letters.next() {
            None => return Err(error(text, text.len(), "the end of the ply", expected())),
            Some(found) => found,
        };
        let role = Piece::from_letter(found).filter(|piece| piece.color == color).map(|piece| piece.role);
        role.filter(|role| *role != Role::King && pool.count(role.index()) > 0)
            .ok_or_else(|| error(text, at, format!("'{found}'"), expected()))
    };
    let opened = if face_down(mv.from) { Some(read(mover, own)?) } else { None };
    let more = text.chars().count() > 4 + usize::from(opened.is_some());
    let taken = match disclosure {
        Disclosure::Required if face_down(mv.to) => Some(read(mover.other(), other)?),
        Disclosure::Optional if face_down(mv.to) && more => Some(read(mover.other(), other)?),
        _ => None,
    };
    match letters.next() {
        None => Ok((mv, Reveal { opened, taken })),
        Some((at, letter)) => Err(error(text, at, format!("'{letter}'"), "the end of the ply")),
    }
}

/// The letters a ply of `mover` has behind the move.
pub fn reveal_text(mover: Color, reveal: Reveal) -> String {
    let letter = |color, role: Option<Role>| role.map(|role| Piece { color, role }.letter());
    letter(mover, reveal.opened).into_iter().chain(letter(mover.other(), reveal.taken)).collect()
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
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
                Cell::FaceUp(piece) => Some(piece.letter()),
                Cell::FaceDown(Color::Red) => Some('X'),
                Cell::FaceDown(Color::Black) => Some('x'),
            }
        };
        write_ranks(f, (0..RANKS).rev().map(|rank| (0..FILES).map(move |file| letter(file, rank))))
    }
}

impl fmt::Display for JieqiView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position();
        write!(f, "{} {} ", position.board(), position.to_move().letter())?;
        for color in Color::BOTH {
            for (role, count) in Role::ALL.into_iter().zip(self.pool(color).counts()) {
                write!(f, "{}{count}", Piece { color, role }.letter())?;
            }
        }
        write!(f, " {} {}", position.quiet_plies(), position.ply() / 2 + 1)?;
        extra::write(f, self)
    }
}
