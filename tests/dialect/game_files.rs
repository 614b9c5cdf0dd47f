//! JieqiBox's game files.

use facedown::rules::dialect::{DialectError, EntryKind, FlipMode, Format, GameFile};
use serde_json::json;

use super::{read, rules};

const START: &str = "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX";
const AFTER: &str = "xRxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/7X1/9/XXXXKXXXX";
const FULL: &str = "A2B2N2R2C2P5a2b2n2r2c2p5";

/// The plies of a file, in Pikafish's form.
fn plies(file: serde_json::Value) -> Result<String, String> {
    let line = Format::JieqiBoxJson.read(&file.to_string(), &rules()).map_err(|error| {
        let mut text = error.to_string();
        if let DialectError::InFile { source, .. } = &error {
            text += &format!(": {source}");
        }
        text
    })?;
    let text = Format::Pikafish.write(&line).expect("Pikafish has words for every game");
    Ok(text.split_once(" moves ").map_or_else(String::new, |(_, plies)| plies.into()))
}

#[test]
fn a_game_becomes_a_file_and_comes_back() {
    let game = read(Format::Pikafish, "startpos moves b2b9Rn a9b9p a3a4P");
    let text = Format::JieqiBoxJson.write(&game).unwrap();
    let file = GameFile::read(&text).unwrap();
    assert_eq!(file.metadata.flip_mode, Some(FlipMode::Random));
    assert_eq!(file.metadata.result.as_deref(), Some("*"));
    assert_eq!(file.moves.len(), 3);
    assert_eq!(file.moves[0].data, "b2b9Rn");
    assert_eq!(
        file.moves[0].fen.as_deref(),
        Some(format!("{AFTER} b R1r2N2n1B2b2A2a2C2c2P5p5 n1 0 1").as_str())
    );
    assert_eq!(file.moves[1].kind, EntryKind::Move);
    assert_eq!(Format::JieqiBoxJson.read(&text, &rules()).unwrap(), game);

    let untold = read(Format::Pikafish, "startpos moves b2b9R");
    assert_eq!(GameFile::of(&untold).metadata.flip_mode, Some(FlipMode::Free));
}

#[test]
fn a_finished_game_says_who_won() {
    let mate = read(Format::Pikafish, "3k5/8R/9/9/9/9/9/9/R8/4K4 w - 0 1 moves a1a9");
    assert_eq!(GameFile::of(&mate).metadata.result.as_deref(), Some("1-0"));
}

#[test]
fn comments_and_scores_are_kept() {
    let text = json!({
        "metadata": { "event": "Jieqi Game", "white": "Red", "openingComment": "hello" },
        "moves": [{ "type": "move", "data": "a3a4R", "comment": "good", "annotation": "!?",
                    "engineScore": -29994, "engineTime": 1250.5 }]
    });
    let file = GameFile::read(&text.to_string()).unwrap();
    assert_eq!(GameFile::read(&file.write()).unwrap(), file);
    assert_eq!(file.moves[0].annotation.as_deref(), Some("!?"));
    assert_eq!(file.metadata.opening_comment.as_deref(), Some("hello"));
    assert_eq!(plies(text), Ok("a3a4R".into()));
}

/// The first versions wrote the move alone, in the old order, and counters that restart at a reveal.
#[test]
fn what_an_old_file_does_not_say_in_its_moves_is_read_from_its_positions() {
    let entry = |data: &str, fen: String| json!({ "type": "move", "data": data, "fen": fen });
    let file = json!({
        "metadata": { "initialFen": format!("{START} {FULL} w - - 0 1"), "flipMode": "random" },
        "moves": [
            entry("b2b9", format!("{AFTER} A2B2N2R1C2P5a2b2n1r2c2p5 b - - 0 1")),
            entry("e9e8", format!("{} A2B2N2R1C2P5a2b2n1r2c2p5 w - - 9 2", AFTER.replace("xRxxkxxxx/9", "xRxx1xxxx/4k4"))),
        ],
        "currentMoveIndex": 2
    });
    assert_eq!(plies(file), Ok("b2b9Rn e9e8".into()));
}

/// A game that is typed in gets an adjustment for every letter, and its move a position with the piece
/// still face down.
#[test]
fn adjustments_that_repeat_a_move_are_part_of_it() {
    let dark = AFTER.replace("xRxx", "xXxx");
    let file = json!({
        "metadata": { "initialFen": format!("{START} w {FULL} - 0 1") },
        "moves": [
            { "type": "move", "data": "b2b9Rn", "fen": format!("{dark} b {FULL} - 0 1") },
            { "type": "adjust", "data": "R-", "fen": format!("{AFTER} b A2B2N2R1C2P5a2b2n2r2c2p5 - 0 1") },
            { "type": "adjust", "data": "n-", "fen": format!("{AFTER} b A2B2N2R1C2P5a2b2n1r2c2p5 - 0 1") },
        ]
    });
    assert_eq!(plies(file), Ok("b2b9Rn".into()));
}

#[test]
fn adjustments_before_the_first_move_change_the_start() {
    let file = json!({
        "metadata": { "initialFen": format!("3k5/9/9/9/9/9/9/9/9/X3K4 w R1 - 0 1") },
        "moves": [
            { "type": "adjust", "data": "R-", "fen": "3k5/9/9/9/9/9/9/9/9/X3K4 w P1 - 0 1" },
            { "type": "move", "data": "a0a1P" },
        ]
    });
    assert_eq!(plies(file), Ok("a0a1P".into()));
}

#[test]
fn a_file_that_contradicts_itself_is_refused() {
    let moved = "3k5/9/9/9/9/9/9/9/R8/4K4 b - - 1 1";
    let with = |entries: serde_json::Value| json!({ "metadata": { "initialFen": "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1" }, "moves": entries });
    let ply = json!({ "type": "move", "data": "a0a1", "fen": moved });
    for (file, words) in [
        (
            with(json!([{ "type": "move", "data": "a0a2", "fen": moved }])),
            "moves[0].fen of the game file: the board",
        ),
        (
            with(json!([{ "type": "move", "data": "a0a1", "fen": moved.replace(" b ", " w ") }])),
            "the side to move w; expected b",
        ),
        (with(json!([{ "type": "move", "data": "a0a1", "fen": moved.replace("- -", "p1 -") }])), "the pool"),
        (with(json!([{ "type": "move", "data": "a0b1" }])), "moves[0].data of the game file: 'a0b1', byte 0"),
        (
            with(json!([{ "type": "move", "data": "a0a1", "fen": "nonsense" }])),
            "moves[0].fen of the game file",
        ),
        (
            with(json!([ply, { "type": "adjust", "data": "R+" }])),
            "moves[1] of the game file: an adjustment without",
        ),
        (
            with(
                json!([ply, { "type": "adjust", "data": "position_edit:", "fen": "3k5/9/9/9/9/9/9/9/9/4K4 b - - 1 1" }]),
            ),
            "moves[1].fen of the game file: the board 3k5/9/9/9/9/9/9/9/9/4K4; expected 3k5/",
        ),
        (json!({ "metadata": {}, "moves": [{ "type": "castle", "data": "" }] }), "not a game file"),
        (json!({ "metadata": {} }), "not a game file"),
        (json!({ "metadata": { "initialFen": "?" }, "moves": [] }), "metadata.initialFen"),
    ] {
        let error = plies(file).expect_err(words);
        assert!(error.contains(words), "{error}");
    }
}
