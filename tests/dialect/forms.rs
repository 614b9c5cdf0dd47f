//! One position and one game in every form.

use facedown::game::{Eyes, Seat};
use facedown::rules::dialect::{DialectError, Format};

use super::{BOARD, converted, end, read};

const START: &str = "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX";
const PYCHESS_START: &str =
    "r~n~b~a~ka~b~n~r~/9/1c~5c~1/p~1p~1p~1p~1p~/9/9/P~1P~1P~1P~1P~/1C~5C~1/9/R~N~B~A~KA~B~N~R~ w - - 0 1";
const PYCHESS_BOARD: &str =
    "r~Rb~a~ka~b~n~r~/9/1c~5c~1/p~1p~1p~1p~1p~/9/9/P~1P~1P~1P~1P~/7C~1/9/R~N~B~A~KA~B~N~R~";

/// The position after 1. b2b9, once undisclosed and once disclosed.
#[test]
fn a_position_stands_in_every_form() {
    let told = end(&read(Format::Pikafish, "startpos moves b2b9Rn"));
    let untold = end(&read(Format::Pikafish, "startpos moves b2b9R"));
    let pool = |horses| format!("R1A2C2P5N2B2r2a2c2p5n{horses}b2");
    for (form, line, text) in [
        (Format::Pikafish, &untold, format!("{BOARD} b {} 0 1", pool(2))),
        (Format::Pikafish, &told, format!("{BOARD} b {} 0 1", pool(1))),
        (Format::View, &told, format!("{BOARD} b {} 0 1", pool(1))),
        (Format::JieqiBox, &told, format!("{BOARD} b R1r2N2n1B2b2A2a2C2c2P5p5 n1 0 1")),
        (Format::JieqiBox, &untold, format!("{BOARD} b R1r2N2n2B2b2A2a2C2c2P5p5 - 0 1")),
        (Format::JieqiBoxOld, &told, format!("{BOARD} R1r2N2n1B2b2A2a2C2c2P5p5 b - - 0 1")),
        (Format::JieqiBoxPoolLast, &told, format!("{BOARD} b - - 0 1 R1r2N2n1B2b2A2a2C2c2P5p5")),
        (Format::PyChess, &told, format!("{PYCHESS_BOARD} b - - 0 1")),
    ] {
        assert_eq!(form.write(line).unwrap(), text, "{form}");
    }
}

#[test]
fn each_player_has_a_jfn_text_of_their_own() {
    let line = read(Format::Pikafish, "startpos moves b2b9Rn");
    for (seat, text) in
        [(Seat::First, format!("{BOARD} -:h b r")), (Seat::Second, format!("{BOARD} -:? b b"))]
    {
        let seen = end(&line.seen_by(Eyes::Of(seat)).unwrap());
        assert_eq!(Format::Jfn.write(&seen).unwrap(), text);
        let again = read(Format::Jfn, &text);
        assert_eq!(again.start().view(), seen.start().view());
    }
}

#[test]
fn jfn_tells_face_up_captures_from_face_down_ones() {
    let board = "4k4/9/9/9/9/9/9/4C4/9/4K4";
    for (text, view) in [
        (
            format!("{board} RRAACPPPPPHH??:rraaccpppppHHEE r r"),
            "4k4/9/9/9/9/9/9/4C4/9/4K4 w R0A0C0P0N0B2r0a0c0p0n0b0 0 1 eyes w saw r2a2c2p5",
        ),
        // What is not listed does not matter where nothing is left to be turned up.
        (format!("{board} -:- r b"), "4k4/9/9/9/9/9/9/4C4/9/4K4 w R0A0C0P0N0B0r0a0c0p0n0b0 0 1 eyes b"),
    ] {
        assert_eq!(converted(Format::Jfn, Format::View, &text), view);
    }
    let text = format!("{board} RRAACPPPPPHH??:HHEErraaccppppp r r");
    assert_eq!(converted(Format::Jfn, Format::Jfn, &text), text);
}

/// Horses and elephants bear other letters in JFN.
#[test]
fn a_game_stands_in_every_form() {
    let pikafish =
        format!("position fen {START} w R2A2C2P5N2B2r2a2c2p5n2b2 0 1 moves b2b9Nr a9b9b b0c2P a6a5p");
    let plies = "b3b10n a10b10b b1c3p a7a6p";
    assert_eq!(
        converted(Format::Pikafish, Format::PyChess, &pikafish),
        format!("{PYCHESS_START} moves {plies}")
    );
    let view = format!("{START} w R2A2C2P5N2B2r2a2c2p5n2b2 0 1 then b2b9Nr a9b9b b0c2P a6a5p");
    assert_eq!(converted(Format::Pikafish, Format::View, &pikafish), view);
    assert_eq!(converted(Format::View, Format::Pikafish, &view), pikafish);
    assert_eq!(converted(Format::JieqiBox, Format::Pikafish, &pikafish), pikafish);

    let black = read(Format::View, &view).seen_by(Eyes::Of(Seat::Second)).unwrap();
    let jfn = Format::Jfn.write(&black).unwrap();
    assert_eq!(jfn, format!("{START} -:- r b moves +b2b9=H +a9b9=E +b0c2=P +a6a5=P"));
    assert_eq!(read(Format::Jfn, &jfn), black);
}

#[test]
fn jieqibox_is_read_in_all_its_orders() {
    let (pool, side) = ("R1r2N2n1B2b2A2a2C2c2P5p5", "b");
    let with_list = format!("{BOARD} {side} {pool} n1 0 1");
    let without = format!("{BOARD} {side} {pool} - 0 1");
    for (text, expected) in [
        (with_list.clone(), &with_list),
        (format!("{BOARD} {side} {pool} n1"), &with_list),
        (format!("{BOARD} {side} {pool} 0 1"), &without),
        (format!("{BOARD} {side} {pool}"), &without),
        (format!("{BOARD} {pool} {side} - - 0 1"), &without),
        (format!("{BOARD} {pool} {side}"), &without),
        (format!("{BOARD} {side} - - 0 1 {pool}"), &without),
        (format!("fen {with_list}"), &with_list),
        (format!("position fen {with_list}"), &with_list),
    ] {
        assert_eq!(&converted(Format::JieqiBox, Format::JieqiBox, &text), expected, "{text}");
    }
    let bare = "3k5/9/9/9/9/9/9/9/9/4K4 w";
    assert_eq!(converted(Format::JieqiBox, Format::JieqiBox, bare), "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
}

#[test]
fn a_player_knows_what_they_took_and_jieqibox_lists_it() {
    let view = "3k5/9/9/x1x6/9/9/9/9/9/R3K4 w r1n1 0 1 eyes w saw p1";
    assert_eq!(converted(Format::View, Format::JieqiBox, view), "3k5/9/9/x1x6/9/9/9/9/9/R3K4 w r1n1 p1 0 1");
}

#[test]
fn what_a_form_does_not_hold_is_said() {
    let player = read(Format::View, "3k5/9/9/9/9/9/9/9/9/R3K4 w - 1 9 eyes w moves d8d9");
    let game = read(Format::Pikafish, "startpos moves b2b9Rn");
    let unsaid = |form: Format, line| form.unsaid(line).len();
    assert_eq!(unsaid(Format::View, &player), 0);
    assert_eq!(unsaid(Format::Pikafish, &player), 2);
    assert_eq!(unsaid(Format::Jfn, &player), 2);
    assert_eq!(unsaid(Format::Pikafish, &game), 0);
    assert_eq!(unsaid(Format::PyChess, &game), 2);
}

#[test]
fn jfn_is_nobody_s_but_a_player_s() {
    let public = read(Format::Pikafish, "startpos");
    let error = Format::Jfn.write(&public).unwrap_err();
    assert!(matches!(error, DialectError::Unsayable { form: Format::Jfn, .. }), "{error}");

    let blind = read(Format::View, "3k5/9/9/9/9/9/9/9/9/R3K4 w p1 0 1 eyes w");
    assert!(Format::Jfn.write(&blind).unwrap_err().to_string().contains("without seeing it"));
}

#[test]
fn what_a_player_saw_is_not_made_up() {
    for (text, what) in [
        ("startpos moves b2b9R", "what b2b9 took"),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w p1 0 1", "before it begins"),
    ] {
        let error = read(Format::Pikafish, text).seen_by(Eyes::Of(Seat::First)).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
    // Black did not see it anyway.
    assert!(read(Format::Pikafish, "startpos moves b2b9R").seen_by(Eyes::Of(Seat::Second)).is_ok());
    let red = read(Format::View, "3k5/9/9/9/9/9/9/9/9/R3K4 w - 0 1 eyes w");
    assert!(red.seen_by(Eyes::Of(Seat::Second)).is_err());
}
