//! JieqiBox's positions: `<board> <side> <pool> <captured> <plies> <move>`, and two older orders.
//!
//! It takes a text for the new order if the second field is a side to move, and else for the old one. The
//! captured pool holds the pieces that were taken face down and seen. Pools that are missing are empty,
//! counters that are missing are 0 and 1.

use std::sync::Arc;

use super::own::Own;
use super::pikafish::{Operand, after_command, start};
use super::source::{Census, Rewritten, Word, Words};
use super::{Dialect, Snapshot, Unsayable, by_color, own_fields};
use crate::game::{Eyes, NotationError, View};
use crate::rules::jieqi::{DEALT, JieqiRules, JieqiView, Move, Reveal, RolePool, color_of};
use crate::rules::pieces::{ByColor, Color, Piece, Role};

/// The order of the fields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum JieqiBox {
    /// Read as any of the three.
    New,
    Old,
    PoolLast,
}

/// The order JieqiBox writes kinds of pieces in, each colour after the other.
const ORDER: [Role; 6] =
    [Role::Chariot, Role::Horse, Role::Elephant, Role::Advisor, Role::Cannon, Role::Soldier];

/// The fields of a position, whatever their order.
struct Fields<'a> {
    board: Word<'a>,
    side: Word<'a>,
    pool: Word<'a>,
    captured: Option<Word<'a>>,
    counters: Option<[Word<'a>; 2]>,
}

impl Dialect for JieqiBox {
    fn read_position(&self, words: &Words, rules: &Arc<JieqiRules>) -> Result<Snapshot, NotationError> {
        let words = match after_command(words)? {
            Operand::Start => return Ok(start(rules)),
            Operand::Fen(words) => words,
        };
        let fields = self.fields(&words)?;
        let mut text = Rewritten::default();
        text.word(fields.board);
        text.word(fields.side);
        text.word(fields.pool);
        match fields.counters {
            Some(counters) => counters.into_iter().for_each(|counter| text.word(counter)),
            None => text.field("0 1", fields.captured.unwrap_or(fields.pool).at),
        }
        let view = text.view(&words, rules)?;
        let taken = match fields.captured {
            Some(field) => captured_pool(&words, field, fields.board, &view)?,
            None => ByColor::default(),
        };
        Ok(Snapshot::with_taken(view, taken))
    }

    fn read_ply(&self, words: &Words, word: Word, view: &JieqiView) -> Result<(Move, Reveal), NotationError> {
        Own.read_ply(words, word, view)
    }

    fn write_position(&self, position: &Snapshot) -> Result<String, Unsayable> {
        let view = position.view();
        let [board, side, _, plies, number] = own_fields(view);
        let pool = pool_text(&by_color(|color| view.pool(color)));
        Ok(match self {
            Self::New => {
                format!("{board} {side} {pool} {} {plies} {number}", pool_text(&seen_taken(position)))
            }
            Self::Old => format!("{board} {pool} {side} - - {plies} {number}"),
            Self::PoolLast => format!("{board} {side} - - {plies} {number} {pool}"),
        })
    }

    fn write_ply(&self, view: &JieqiView, mv: Move, seen: Reveal) -> Result<String, Unsayable> {
        Own.write_ply(view, mv, seen)
    }
}

impl JieqiBox {
    fn fields<'a>(self, words: &Words<'a>) -> Result<Fields<'a>, NotationError> {
        let second = words.get(1, "a side to move, or a pool")?;
        let new = matches!(second.text, "w" | "b");
        let dash = |place: usize| words.words.get(place).is_some_and(|word| word.text == "-");
        let pool_last = new && words.words.len() == 7 && dash(2) && dash(3);
        match self {
            Self::Old if new => Err(words.error(
                second.at,
                format!("'{}'", second.text),
                "a pool: in this order the side to move is the third field",
            )),
            Self::PoolLast if !pool_last => Err(words.error(
                words.words[0].at,
                format!("{} fields in another order", words.words.len()),
                "a board, a side to move, '-', '-', two counters, and a pool",
            )),
            _ if pool_last => Ok(Fields {
                board: words.words[0],
                side: second,
                pool: words.words[6],
                captured: None,
                counters: Some([words.words[4], words.words[5]]),
            }),
            _ if new => new_order(words),
            _ => old_order(words),
        }
    }
}

fn new_order<'a>(words: &Words<'a>) -> Result<Fields<'a>, NotationError> {
    words.at_most(6, "the six fields")?;
    let side = words.words[1];
    let nothing = Word { at: side.at, text: "-" };
    let pool = words.words.get(2).copied().unwrap_or(nothing);
    let (captured, counters) = match *words.words.get(3..).unwrap_or_default() {
        [] => (None, None),
        [captured] if captured.text.bytes().all(|byte| byte.is_ascii_digit()) => {
            let expected = "both counters, or a pool of captured pieces such as 'n1', or '-'";
            return Err(words.error(captured.at, format!("'{}' alone", captured.text), expected));
        }
        [captured] => (Some(captured), None),
        [plies, number] => (None, Some([plies, number])),
        [captured, plies, number, ..] => (Some(captured), Some([plies, number])),
    };
    Ok(Fields { board: words.words[0], side, pool, captured, counters })
}

fn old_order<'a>(words: &Words<'a>) -> Result<Fields<'a>, NotationError> {
    words.at_most(7, "the seven fields")?;
    let side = words.get(2, "the side to move, 'w' or 'b'")?;
    let counters = if words.words.len() == 3 {
        None
    } else {
        for place in [3, 4] {
            let field = words.get(place, "'-'")?;
            if field.text != "-" {
                return Err(words.error(field.at, format!("'{}'", field.text), "'-'"));
            }
        }
        Some([words.get(5, "the plies since the last capture")?, words.get(6, "the move number")?])
    };
    Ok(Fields { board: words.words[0], side, pool: words.words[1], captured: None, counters })
}

/// Reads the pool of captured pieces, which together with the board and the pool are pieces of one set.
fn captured_pool(
    words: &Words,
    field: Word,
    board: Word,
    view: &JieqiView,
) -> Result<ByColor<RolePool>, NotationError> {
    let census = Census::of(board.text);
    let mut taken = ByColor::<RolePool>::default();
    if field.text == "-" {
        return Ok(taken);
    }
    let mut letters = field.text.char_indices();
    while let Some((offset, letter)) = letters.next() {
        let at = field.at + offset;
        let piece = Piece::from_letter(letter).filter(|piece| piece.role != Role::King);
        let piece = piece
            .ok_or_else(|| words.letter_error(at, letter, "one of R A C P N B r a c p n b, or '-' alone"))?;
        let Piece { color, role } = piece;
        let (at, digit) = match letters.next() {
            Some((offset, digit)) => (field.at + offset, digit),
            None => {
                return Err(words.error(at + 1, "the end of the field", format!("a count of '{letter}'")));
            }
        };
        let known = census.face_up(color, role) + view.pool(color).count(role.index());
        let left = DEALT.count(role.index()).saturating_sub(known + taken[color].count(role.index()));
        let count = digit.to_digit(10).filter(|&count| count <= u32::from(left)).ok_or_else(|| {
            words.letter_error(
                at,
                digit,
                format!("a count of '{letter}' from 0 to {left}: the rest are elsewhere"),
            )
        })?;
        (0..count).for_each(|_| taken[color].add(role.index()));
    }
    Ok(taken)
}

/// The pieces taken face down that the writer of `position` knows.
fn seen_taken(position: &Snapshot) -> ByColor<RolePool> {
    let mut taken = *position.taken();
    if let Eyes::Of(seat) = position.view().eyes() {
        let saw = position.view().saw();
        for kind in 0..saw.counts().len() {
            (0..saw.count(kind)).for_each(|_| taken[color_of(seat).other()].add(kind));
        }
    }
    taken
}

/// A pool as JieqiBox writes it: nothing of which there is none, `-` if there is nothing.
fn pool_text(pools: &ByColor<RolePool>) -> String {
    let mut text = String::new();
    for role in ORDER {
        for color in Color::BOTH {
            let count = pools[color].count(role.index());
            if count > 0 {
                text.push(Piece { color, role }.letter());
                text += &count.to_string();
            }
        }
    }
    if text.is_empty() { "-".into() } else { text }
}
