//! `facedown convert` as a user runs it.

use std::io::Write;
use std::process::Stdio;

use crate::program::{facedown, run, stderr_of_failure, stdout};

const START: &str = "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX";

/// Runs `convert` with `input` on standard input.
fn fed(arguments: &[&str], input: &str) -> (String, String, Option<i32>) {
    let mut command = facedown(&[&["convert"], arguments].concat());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the program reads");
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn a_text_is_converted_on_one_line() {
    assert_eq!(
        stdout(&["convert", "--from", "pikafish", "--to", "jieqibox-old", "startpos"]),
        format!("{START} R2r2N2n2B2b2A2a2C2c2P5p5 w - - 0 1\n")
    );
    let game = "startpos moves h2e2C h7e7p";
    assert_eq!(
        stdout(&["convert", "--from", "pikafish", "--to", "chinese", game]),
        "1. 暗炮二平五翻炮 | 暗炮８平５翻卒\n"
    );
    assert_eq!(
        stdout(&[
            "convert",
            "--from",
            "pikafish",
            "--to",
            "jfn",
            "--eyes",
            "b",
            "--end",
            "startpos moves b2b9Rn"
        ]),
        "xRxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/7X1/9/XXXXKXXXX -:? b b\n"
    );
}

#[test]
fn texts_are_read_from_standard_input_line_by_line() {
    let (out, err, code) =
        fed(&["--from", "pikafish", "--to", "pychess"], "startpos\n\n3k5/9/9/9/9/9/9/9/9/4K4 w - 0 1\n");
    assert_eq!(out.lines().count(), 2);
    assert_eq!(out.lines().nth(1), Some("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"));
    assert_eq!(
        (err.as_str(), code),
        ("note: pychess does not say what the face-down pieces may be\n".repeat(2).as_str(), Some(0))
    );

    let (_, err, code) = fed(&["--from", "pikafish", "--to", "view"], "startpos\nnonsense\n");
    assert!(err.contains("line 2 of standard input") && err.contains("byte 1: 'o'"), "{err}");
    assert_eq!(code, Some(2));
}

#[test]
fn game_files_go_both_ways() {
    let game = "startpos moves b2b9Rn a9b9p";
    let (file, _, code) = fed(&["--from", "pikafish", "--to", "jieqibox-json"], game);
    assert_eq!(code, Some(0));
    let (back, err, _) = fed(&["--from", "jieqibox-json", "--to", "pikafish"], &file);
    assert!(back.starts_with("position fen ") && back.ends_with(" moves b2b9Rn a9b9p\n"), "{back}{err}");

    let (_, err, code) = fed(&["--from", "pikafish", "--to", "jieqibox-json"], "startpos\nstartpos\n");
    assert_eq!((code, err.contains("holds one game")), (Some(2), true), "{err}");
}

#[test]
fn wrong_use_is_told_from_what_cannot_be_done() {
    let refused = stderr_of_failure(&["convert", "--from", "pychess", "--to", "view", "?"], 2);
    assert!(refused.contains("byte 1"), "{refused}");
    let unknown = stderr_of_failure(&["convert", "--from", "fen", "--to", "view", "?"], 2);
    assert!(unknown.contains("unknown form 'fen': expected one of pikafish, jieqibox"), "{unknown}");
    let unsayable = stderr_of_failure(&["convert", "--from", "pikafish", "--to", "jfn", "startpos"], 1);
    assert!(unsayable.contains("jfn cannot say what everybody knows"), "{unsayable}");
    assert!(
        run(&["convert", "--quiet", "--from", "pikafish", "--to", "pychess", "startpos"]).stderr.is_empty()
    );
}
