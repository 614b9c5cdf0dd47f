//! Texts that are wrong or leave open what they mean: refused at the byte, with the reason.

use std::fmt::Write;

use facedown::rules::dialect::{DialectError, Format, Format::*};

use super::rules;

/// A form, a text, the byte at which it is refused, and words of the complaint.
const REFUSED: &[(Format, &str, usize, &str)] = &[
    // Pikafish would lose both counters, take the pool for the side to move, or leave a piece face down.
    (Pikafish, "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", 28, "expected the plies since the last capture"),
    (Pikafish, "3k5/9/9/9/9/9/9/9/9/4K4 w - 0 1 9", 32, "'9'; expected the end of the five fields"),
    (Pikafish, "3k5/9/9/9/9/9/9/9/9/4K4 R1 w 0 1", 24, "expected 'w' or 'b'"),
    (Pikafish, "3k5/9/9/9/9/9/9/9/9/4K4 w 0 1", 26, "'0'"),
    (Pikafish, "startpos moves b2b9", 19, "the end of the ply; expected one of R A C P N B"),
    (Pikafish, "startpos moves b2b9r", 19, "'r'; expected one of R A C P N B"),
    (Pikafish, "startpos moves b2b9R b9b2", 21, "'b9b2', which is not legal here"),
    (Pikafish, "startpos w", 9, "'w'; expected the end of the position"),
    (Pikafish, "position", 8, "the end of"),
    (Pikafish, "", 0, "the end of the text; expected a board"),
    (JieqiBox, "3k5/9/9/9/9/9/9/9/9/4K4", 23, "expected a side to move, or a pool"),
    (JieqiBox, "3k5/9/9/9/9/9/9/9/9/4K4 w - 12", 28, "'12' alone; expected both counters, or a pool"),
    (JieqiBox, "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 2", 34, "'2'"),
    (JieqiBox, "3k5/9/9/9/9/9/9/9/9/RR2K4 w - R1 0 1", 31, "'1'; expected a count of 'R' from 0 to 0"),
    (JieqiBox, "3k5/9/9/9/9/9/9/9/9/4K4 w R1 R2 0 1", 30, "from 0 to 1"),
    (JieqiBox, "3k5/9/9/9/9/9/9/9/9/4K4 w - r1r2 0 1", 31, "from 0 to 1"),
    (JieqiBox, "3k5/9/9/9/9/9/9/9/9/4K4 w - K1 0 1", 28, "'K'"),
    (JieqiBox, "3k5/9/9/9/9/9/9/9/9/4K4 w - R 0 1", 29, "the end of the field"),
    (JieqiBox, "3k5/9/9/9/9/9/9/9/9/4K4 - w x - 0 1", 28, "'x'; expected '-'"),
    (JieqiBox, "3k5/9/9/9/9/9/9/9/9/4K4 - w - - 0", 33, "expected the move number"),
    (JieqiBox, "3k5/9/9/9/9/9/9/9/9/X3K4 w - - 0 1", 27, "0 unseen pieces"),
    (JieqiBoxOld, "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", 24, "in this order the side to move is the third"),
    (JieqiBoxPoolLast, "3k5/9/9/9/9/9/9/9/9/4K4 w - 0 1", 0, "5 fields in another order"),
    (PyChess, "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0", 31, "expected the move number"),
    (PyChess, "3k5/9/9/9/9/9/9/9/9/4K4 w R2 - 0 1", 26, "'R2'; expected '-'"),
    (PyChess, "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 2", 34, "'2'"),
    (PyChess, "3k5/9/9/9/9/9/9/9/9/X3K4 w - - 0 1", 20, "'X'; expected a piece letter with '~'"),
    (PyChess, "3k5/9/9/9/9/9/9/9/9/N~3K4 w - - 0 1", 20, "'N~'; expected 'R~', as what is face down on a1"),
    (PyChess, "3k5/9/9/9/9/9/9/9/R~8/4K4 w - - 0 1", 18, "'R~'; expected face-down pieces on home squares"),
    (PyChess, "3k5/9/9/9/9/9/9/9/9/4K~4 w - - 0 1", 21, "'K~'"),
    (PyChess, "3k5/9/9/9/9/9/9/9/9/r~3K4 w - - 0 1", 20, "'r~'; expected 'R~'"),
    // Fourteen are gone, and nobody says whether they had been turned up.
    (PyChess, "3k5/9/9/9/9/9/9/9/9/R~3K4 w - - 0 1", 0, "14 of Red's pieces gone and 1 face down"),
    (PyChess, "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e0e1", 40, "'e0e1'; expected a square from a1 to i10"),
    (PyChess, "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e1e11", 42, "'e11'"),
    (PyChess, "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e1e02", 42, "'e02'"),
    (PyChess, "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e1", 42, "the end of the move"),
    (PyChess, "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e1e2k", 44, "'k'; expected the end of the ply"),
    (PyChess, "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e1e2K", 44, "'K'; expected a small letter"),
    (Jfn, "3k5/9/9/9/9/9/9/9/9/4K4 -:- w r", 28, "'w'; expected 'r' or 'b'"),
    (Jfn, "3k5/9/9/9/9/9/9/9/9/4K4 -:- r", 29, "expected the viewer"),
    (Jfn, "3k5/9/9/9/9/9/9/9/9/4K4 - r r", 24, "expected Red's captured pieces, ':'"),
    (Jfn, "3k5/9/9/9/9/9/9/9/9/4K4 r:- r r", 24, "'r'; expected a capital"),
    (Jfn, "3k5/9/9/9/9/9/9/9/9/4K4 -:? r r", 26, "'?'"),
    (Jfn, "3k5/9/9/9/9/9/9/9/9/4K4 -:N r r", 26, "'N'"),
    (Jfn, "3k5/9/9/9/9/9/9/9/9/4K4 RRR:- r r", 24, "3 of Red's 'R'"),
    (Jfn, "3k5/9/9/9/9/9/9/9/9/3NK4 -:- r r", 21, "'N'; expected one of R H E A K C P X"),
    (
        Jfn,
        "3k5/9/9/9/9/9/9/9/9/X3K4 -:- r r",
        25,
        "15 of Red's pieces neither face up nor captured by name, and 1",
    ),
    (
        Jfn,
        "xxxxxxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXXXXXX -:- r r",
        4,
        "a face-down piece on e9",
    ),
    (View, "3k5/9/9/9/9/9/9/9/9/4K4 w - 0 1 moves b2b9R then", 42, "'R'; expected the end of the move"),
];

#[test]
fn a_wrong_text_is_refused_at_the_byte_that_is_wrong() {
    let mut wrong = String::new();
    for &(form, text, at, words) in REFUSED {
        match form.read(text, &rules()) {
            Ok(line) => writeln!(wrong, "{form}: {text} was read as {}", line.end().view()).unwrap(),
            Err(DialectError::Text(error)) => {
                if error.at != at || !error.to_string().contains(words) || error.text != text {
                    writeln!(wrong, "{form}: {error}; not byte {at}: {words}").unwrap();
                }
            }
            Err(error) => writeln!(wrong, "{form}: {error}").unwrap(),
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The plies of JFN, behind a position in which the first could be played.
#[test]
fn a_jfn_ply_says_whether_it_turns_up_a_piece() {
    let start = "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX -:- r r moves ";
    for (ply, at, words) in [
        ("a0a1", 4, "the end of the ply"),
        ("+a0a1", 5, "the end of the ply"),
        ("a0a1=R", 0, "no '+'"),
        ("+a0a1=N", 6, "'N'"),
        ("+a0a1=K", 6, "'K'"),
        ("+a0a1=RR", 7, "'R'"),
        ("+e0e1", 0, "'+'; expected no '+'"),
        ("+", 1, "the end of the move"),
    ] {
        let text = format!("{start}{ply}");
        match Jfn.read(&text, &rules()) {
            Err(DialectError::Text(error)) => {
                assert_eq!(error.at, start.len() + at, "{ply}: {error}");
                assert!(error.to_string().contains(words), "{ply}: {error}");
            }
            other => panic!("{ply}: {other:?}"),
        }
    }
}
