//! Texts of positions, views and plies: what is read back, and what is refused where.

use std::fmt::Write;

use facedown::game::{Game, View};
use facedown::rules::jieqi::{JieqiView, Move};
use proptest::prelude::*;

use super::{START, game, named, view};

/// A position, the byte at which it is refused, and words of the complaint.
const REFUSED: &[(&str, usize, &str)] = &[
    ("", 0, "the end of the text"),
    ("   ", 3, "the end of the text"),
    ("3k5/9/9/9/9/X8/9/9/9/4K4 w P1 0 1", 12, "a face-down piece on a4"),
    ("3k5/9/9/9/9/9/9/9/9/4X4 w P1 0 1", 21, "a face-down piece on e0"),
    ("3k5/9/9/X8/9/9/9/9/9/4K4 w P1 0 1", 8, "a face-down piece on a6"),
    ("3k5/9/9/9/9/9/X8/9/9/4K4 w - 0 1", 27, "0 unseen pieces for 1 face-down ones"),
    ("3k5/9/9/9/9/9/9/9/9/RR1RK4 w - 0 1", 29, "3 'R'"),
    ("3k5/9/9/9/9/9/9/9/9/RR2K4 w R1 0 1", 28, "3 'R'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w p6 0 1", 27, "'6'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w R 0 1", 27, "' '"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w R1R1 0 1", 28, "a second count of 'R'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w K1 0 1", 26, "'K'"),
    ("3k5/9/9/9/9/9/9/9/9/9 w - 0 1", 0, "no 'K' on the board"),
    ("9/9/9/9/9/9/9/9/9/4K4 w - 0 1", 0, "no 'k' on the board"),
    ("3k5/9/9/9/9/9/9/9/9/3KK4 w - 0 1", 22, "a second king"),
    ("3k5/9/9/9/9/4K4/9/9/9/9 w - 0 1", 13, "a king on e4"),
    ("3k5/9/9/9/9/9/9/2K6/9/9 w - 0 1", 17, "a king on c2"),
    ("4K4/9/9/9/9/9/9/9/9/3k5 w - 0 1", 1, "a king on e9"),
    ("3k5/9/9/9/9/9/9/9/9/3K5 w - 0 1", 0, "the kings face each other"),
    ("3k5/9/9/9/9/9/9/9/9/3RK4 w - 0 1", 0, "the side not to move is in check"),
    ("3k5/9/9/9/9/9/9/9/9/4K3 w - 0 1", 23, "ends after 8 files of rank 0"),
    ("3k5/9/9/9/9/9/9/9/4K4 w - 0 1", 21, "ends after 9 files of rank 1"),
    ("3k5/9/9/9/9/9/9/9/9/4K4/9 w - 0 1", 23, "an eleventh rank"),
    ("3k6/9/9/9/9/9/9/9/9/4K4 w - 0 1", 2, "10 files or more"),
    ("3k5R/9/9/9/9/9/9/9/9/4K4 w - 0 1", 3, "more than 9 files"),
    ("3k4/9/9/9/9/9/9/9/9/4K4 w - 0 1", 3, "the end of rank 9 after 8 files"),
    ("3k5/9/9/q8/9/9/9/9/9/4K4 w - 0 1", 8, "'q'"),
    ("3k5/9/9/é8/9/9/9/9/9/4K4 w - 0 1", 8, "'é'"),
    ("3k5/9/9/0/9/9/9/9/9/4K4 w - 0 1", 8, "'0'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 r - 0 1", 24, "'r'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - x 1", 28, "'x'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - -1 1", 28, "'-1'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - +1 1", 28, "'+1'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - 10000 1", 28, "'10000'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - 0 0", 30, "'0'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w 0 1", 26, "'0'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - 0 1 2", 32, "'2'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - 0 1 eyes", 36, "the end of the text"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - 0 1 eyes red", 37, "'red'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - 0 1 saw n1", 32, "'saw'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - 0 1 eyes w saw N1", 43, "pieces of the player's own"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w n2 0 1 eyes w saw n1", 26, "3 'n'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - 0 1 moves", 32, "'moves' without a move"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - 0 1 moves d8d9", 38, "'d'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - 1 1 moves d8d9", 38, "'d'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - 1 9 moves d7d9", 38, "'d'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - 1 9 moves e9d9x", 42, "'x'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - 1 9 moves e0d0", 38, "'e'"),
    ("3k5/9/9/9/9/9/9/9/9/4K4 w - 2 9 moves e1e0 e9d9", 38, "'e'"),
];

#[test]
fn a_wrong_position_is_refused_at_the_byte_that_is_wrong() {
    let mut wrong = String::new();
    for &(text, at, found) in REFUSED {
        match JieqiView::parse(text, &named("wxf")) {
            Err(error) if error.at == at && error.found.contains(found) => {}
            Err(error) => writeln!(wrong, "{error}; not byte {at}: {found}").unwrap(),
            Ok(view) => writeln!(wrong, "{text} was read as {view}").unwrap(),
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_pool_may_come_in_any_order_and_leave_out_what_it_has_none_of() {
    let written = "3k5/9/9/x8/9/9/X8/9/9/4K4 w R0A0C0P1N1B0r0a0c0p0n1b0 3 7";
    for text in
        ["3k5/9/9/x8/9/9/X8/9/9/4K4 w n1N1P1 3 7", "  3k5/9/9/x8/9/9/X8/9/9/4K4   w\tP1n1N1c0 3 7 ", written]
    {
        assert_eq!(view(text).to_string(), written);
    }
    assert_eq!(view("3k5/9/9/9/9/9/9/9/9/4K4 w - 0 1"), view("3k5/9/9/9/9/9/9/9/9/4K4 w r0 0 1"));
}

#[test]
fn a_wrong_move_is_refused_at_the_byte_that_is_wrong() {
    for (text, at) in [
        ("", 0),
        ("a", 0),
        ("a0", 2),
        ("a0b", 2),
        ("j0a0", 0),
        ("a0a:", 2),
        ("a0a1R", 4),
        ("é0a0", 0),
        ("a0é", 2),
    ] {
        let error = text.parse::<Move>().expect_err(text);
        assert_eq!(error.at, at, "{error}");
    }
}

#[test]
fn a_ply_says_what_it_uncovered_and_no_more() {
    let game = game(&view(START));
    for (text, at, expected) in [
        ("b2b9", 4, "one of R A C P N B"),
        ("b2b9R", 5, "one of r a c p n b"),
        ("b2b9r", 4, "one of R A C P N B"),
        ("b2b9K", 4, "one of R A C P N B"),
        ("b2b9RN", 5, "one of r a c p n b"),
        ("b2b9Rnn", 6, "the end of the ply"),
        ("e0e1K", 4, "the end of the ply"),
        ("b2b7R", 0, "a legal move"),
        ("b2", 2, "a square from a0 to i9"),
    ] {
        let error = game.parse_ply(text).expect_err(text);
        assert_eq!((error.at, error.expected.as_str()), (at, expected), "{error}");
    }
    let (mv, reveal) = game.parse_ply("b2b9Rn").unwrap();
    assert_eq!(format!("{mv}{}", game.reveal_text(mv, reveal)), "b2b9Rn");
}

#[test]
fn what_the_pool_has_no_more_of_cannot_turn_up() {
    let view = view("3k5/9/9/9/9/9/X8/9/9/4K4 w P1 0 1");
    assert!(view.parse_seen("a3a4P").is_ok());
    assert_eq!(view.parse_seen("a3a4R").unwrap_err().expected, "one of P");
}

#[test]
fn a_ply_seen_by_others_may_leave_out_what_was_taken() {
    let start = view(START);
    for text in ["b2b9R", "b2b9Rn"] {
        let (mv, seen) = start.parse_seen(text).unwrap();
        assert_eq!(start.seen_text(mv, seen), text);
    }
}

/// A text close to a position: one with some bytes changed, put in or cut out.
fn damaged() -> impl Strategy<Value = String> {
    let texts = prop::sample::select(vec![
        START.to_owned(),
        "3k5/9/9/x1x6/9/9/9/9/9/R3K4 w r1n1 12 40 eyes w saw p1 moves d8d9".into(),
        "3k5/9/9/x1x6/9/9/9/9/9/R3K4 b r1n1 2 41 eyes b moves e9d9 a1a0".into(),
        "3k5/R8/9/9/3p5/9/9/1X7/9/5K3 w R1C1 12 41 runs w+6d9a8 wx2d5a8".into(),
        "3k5/R8/9/9/9/9/9/3P5/9/3C1K3 b R1C1 13 21 runs w+19d9a8d0 over".into(),
        "3k5/R8/9/9/9/9/9/1X7/9/5K3 w R1C1 13 21 runs w@2a9a8 moves d9d8 a9a8 d8d9".into(),
    ]);
    let edit = (any::<prop::sample::Index>(), 0..3_usize, prop::option::of("[ -~é]"));
    (texts, prop::collection::vec(edit, 0..6)).prop_map(|(text, edits)| {
        let mut letters: Vec<char> = text.chars().collect();
        for (place, cut, put) in edits {
            let at = place.index(letters.len() + 1);
            let end = (at + cut).min(letters.len());
            letters.splice(at..end, put.iter().flat_map(|text| text.chars()));
        }
        letters.into_iter().collect()
    })
}

fn read(text: &str) {
    for rules in ["wxf", "tencent", "comu", "sunwin"].map(named) {
        match JieqiView::parse(text, &rules) {
            Ok(view) => assert_eq!(JieqiView::parse(&view.to_string(), &rules), Ok(view)),
            Err(error) => assert!(error.at <= text.len() && !error.expected.is_empty(), "{error:?}"),
        }
    }
    let _ = text.parse::<Move>();
    let _ = game(&view(START)).parse_ply(text);
    let _ = view(START).parse_seen(text);
}

proptest! {
    #[test]
    fn no_text_makes_reading_panic(text in any::<String>()) {
        read(&text);
    }

    #[test]
    fn no_damaged_position_makes_reading_panic(text in damaged()) {
        read(&text);
    }
}
