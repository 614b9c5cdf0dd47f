//! Texts of positions, views and plies: what is read back, and what is refused where.

use std::fmt::Write;

use facedown::game::{Eyes, Game, Seat, View};
use facedown::rules::banqi::{Banqi, BanqiView, Move};
use proptest::prelude::*;

use super::{START, named, played, view, view_under};

/// A position, the byte at which it is refused, and words of the complaint.
const REFUSED: &[(&str, usize, &str)] = &[
    ("", 0, "the end of the text"),
    ("8/8/8/7 w - 0", 7, "ends after 7 files of rank 1"),
    ("8/8/8 w - 0", 5, "ends after 8 files of rank 2"),
    ("8/8/8/8/8 w - 0", 7, "a fifth rank"),
    ("8/44K/8/8 w - 0", 4, "more than 8 files"),
    ("8/54/8/8 w - 0", 3, "9 files or more"),
    ("8/7/8/8 w - 0", 3, "the end of rank 3 after 7 files"),
    ("8/X7/8/8 w - 0", 2, "'X'"),
    ("8/9/8/8 w - 0", 2, "'9'"),
    ("8/K7/8/8 r - 0", 9, "'r'"),
    ("8/K7/8/8 - - 0", 9, "'w' or 'b': a piece has been flipped"),
    ("????????/????????/????????/???????? w K1A2B2R2N2C2P5k1a2b2r2n2c2p5 0", 36, "'-': nobody has a colour"),
    ("8/KK6/8/8 w - 0", 12, "2 'K' on the board and face down together"),
    ("8/K?6/8/8 w K1 0", 12, "2 'K'"),
    ("8/K?6/8/8 w - 0", 12, "a pool of 0 for 1 face-down"),
    ("8/K7/8/8 w p1 0", 11, "a pool of 1 for 0 face-down"),
    ("8/K?6/8/8 w p 0", 13, "' '"),
    ("8/K?6/8/8 w p6 0", 13, "'6'"),
    ("8/K?6/8/8 w p0 0", 13, "'0'"),
    ("8/K??5/8/8 w p1p1 0", 15, "a second count of 'p'"),
    ("8/K?6/8/8 w q1 0", 12, "'q'"),
    ("8/K7/8/8 w -", 12, "the end of the text"),
    ("8/K7/8/8 w - x", 13, "'x'"),
    ("8/K7/8/8 w - +1", 13, "'+1'"),
    ("8/K7/8/8 w - 10000", 13, "'10000'"),
    ("8/K7/8/8 w - 0 1", 15, "'1'"),
    ("8/K7/8/8 w - 0 first w", 15, "'first w'"),
    ("8/K7/8/8 w - 0 eyes", 19, "the end of the text"),
    ("8/K7/8/8 w - 0 eyes w", 20, "'w'"),
    ("8/K7/8/8 w - 0 eyes first first b", 26, "'first'"),
    ("8/K7/7p/8 w - 4 moves a2a3", 22, "none: these rules count no repetitions"),
    ("8/K7/7p/8 w - 4 moves", 16, "'moves' without a move"),
    ("8/K7/7p/8 w - 4 moves a9", 22, "'a9'"),
];

#[test]
fn a_text_that_is_no_position_is_refused_with_its_place() {
    let rules = named("joypip");
    let mut wrong = String::new();
    for &(text, at, words) in REFUSED {
        match BanqiView::parse(text, &rules) {
            Err(error) if error.at == at && error.to_string().contains(words) => {}
            Err(error) => writeln!(wrong, "{error}, not byte {at}: {words}").unwrap(),
            Ok(_) => writeln!(wrong, "'{text}' is read").unwrap(),
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_past_of_a_position_must_have_led_to_it() {
    let tcga = named("tcga");
    let board = "8/K7/7p/8 w - 4";
    assert!(BanqiView::parse(&format!("{board} moves a2a3 h3h2"), &tcga).is_ok());
    for (moves, at) in [
        ("h3h2", None),
        ("a2a3", Some(22)),
        ("a2a3 h4h2", Some(27)),
        ("a4a3 h1h2 a3a2 h2h3", Some(37)),
        ("a3a2 h2h3 a2a3 h3h2 a3a4 h2h1", Some(47)),
    ] {
        let read = BanqiView::parse(&format!("{board} moves {moves}"), &tcga);
        assert_eq!(read.err().map(|error| error.at), at, "{moves}");
    }
}

#[test]
fn a_view_says_who_has_which_colour_and_whose_eyes_it_is() {
    let rules = named("tcga");
    let mut game = Banqi::start(&rules);
    assert_eq!(game.view(Eyes::Of(Seat::Second)).to_string(), format!("{START} eyes second"));
    for ply in ["c2=n", "c3=P", "c2b2"] {
        let parsed = game.parse_ply(ply);
        match (ply, parsed) {
            ("c2b2", parsed) => assert_eq!(parsed.unwrap_err().found, "'c2b2', which is not legal here"),
            (_, Ok((mv, reveal))) => game.play(mv, reveal),
            (_, Err(error)) => panic!("{error}"),
        }
    }
    let text = "????????/??P?????/??n?????/???????? b K1A2B2R2N2C2P4k1a2b2r2n1c2p5 0 first b";
    assert_eq!(game.view(Eyes::Public).to_string(), text);
    assert_eq!(game.view(Eyes::Of(Seat::First)).to_string(), format!("{text} eyes first"));
    let view = game.view(Eyes::Public);
    assert_eq!((view.side_letter(Seat::First), view.side_letter(Seat::Second)), (Some('b'), Some('w')));
    let moved = played(view_under("8/K7/7p/8 w - 4 moves a2a3 h3h2", &rules), "a3b3");
    assert_eq!(moved.to_string(), "8/1K6/7p/8 b - 5 moves a2a3 h3h2 a3b3");
}

#[test]
fn plies_are_refused_with_their_place() {
    let view = view("8/C1P1k2?/8/8 w p1 3");
    let rows = [
        ("", 0, "the end of the move"),
        ("a", 0, "'a'"),
        ("i3", 0, "'i3'"),
        ("a3e", 2, "'e'"),
        ("a3e33", 4, "'3'"),
        ("a3b4", 2, "'b4'"),
        ("a3a3", 2, "'a3'"),
        ("a3d3", 0, "not legal"),
        ("e3d3", 0, "not legal"),
        ("c3", 0, "not legal"),
        ("h3", 2, "'=' and one of p"),
        ("h3=", 2, "'=' and one of p"),
        ("h3=P", 2, "'=P'"),
        ("h3=pp", 2, "'=pp'"),
        ("a3e3=k", 4, "'=k'"),
    ];
    for (text, at, words) in rows {
        let error = view.parse_seen(text).unwrap_err();
        assert!(error.at == at && error.to_string().contains(words), "{error}, not byte {at}: {words}");
    }
    for text in ["h3=p", "a3e3", "a3b3", "c3d3"] {
        let (mv, seen) = view.parse_seen(text).unwrap();
        assert_eq!(view.seen_text(mv, seen), text);
    }
}

proptest! {
    #[test]
    fn no_text_makes_reading_panic(text in "[?KABRNCPkabrncp1-8/ wb\\-=efirstmov]{0,60}|\\PC{0,30}") {
        let _ = BanqiView::parse(&text, &named("tcga"));
        let _ = text.parse::<Move>();
        let _ = view("8/C1P1k2?/8/8 w p1 3").parse_seen(&text);
    }
}
