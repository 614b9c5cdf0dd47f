//! A person's game against the program, through pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::program::{facedown, stderr_of_failure};

/// Plays a game in which the person always takes the last move that is listed; everything the program said.
fn played(arguments: &[&str]) -> String {
    let mut command = facedown(&["play", "--net", "material", "--visits", "2", "--seed", "5"]);
    let mut child = command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut said = String::new();
    input.write_all(b"moves\n").expect("the program reads");
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).expect("UTF-8") == 0 {
            break;
        }
        said.push_str(&line);
        // What is said on the person's turn stands behind the prompt, which ends no line.
        let Some(listed) = line.strip_prefix("> ").filter(|said| !said.starts_with("You: ")) else {
            continue;
        };
        let last = listed.split_whitespace().last().expect("whose turn it is has a move");
        // After the last ply nobody reads any more.
        let _ = input.write_all(format!("{last}\nmoves\n").as_bytes());
    }
    assert!(child.wait().expect("it ends").success());
    said
}

#[test]
fn a_game_goes_on_to_its_end_and_repeats() {
    for arguments in [&["--game", "banqi"][..], &["--game", "banqi", "--seat", "second"]] {
        let said = played(arguments);
        let end = said.trim_end().lines().last().expect("lines");
        assert!(
            ["You win: ", "facedown wins: ", "A draw: "].iter().any(|word| end.starts_with(word)),
            "{said}"
        );
        assert_eq!(said, played(arguments));
    }
}

/// What the program says to these lines and to their end.
fn answers(arguments: &[&str], lines: &str) -> String {
    let mut command = facedown(&["play", "--quiet", "--net", "material", "--visits", "16", "--seed", "1"]);
    let mut child =
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("the program reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn what_cannot_be_done_is_said_and_the_game_goes_on() {
    let said = answers(&[], "b2b8\nfool's mate\n\n B2B9 \r\nResign\n");
    for expected in [
        "b2b8 is not legal here",
        "'fool's mate' is neither a move nor a word",
        "nothing was said",
        "You: b2b9, turning up ",
        "facedown: ",
        "You resign.",
    ] {
        assert!(said.contains(expected), "no {expected:?} in\n{said}");
    }
    assert!(answers(&[], "").ends_with("The game is left unfinished.\n"));
}

#[test]
fn a_hint_names_moves_with_what_they_promise() {
    let said = answers(&["--game", "banqi"], "hint\nquit\n");
    let hints: Vec<&str> = said.lines().filter(|line| line.contains("of the points expected")).collect();
    assert_eq!(hints.len(), 3, "{said}");
}

#[test]
fn a_player_that_does_not_search_is_refused() {
    let said = stderr_of_failure(&["play", "--net", "random"], 2);
    assert!(said.contains("--net random: it does not search"), "{said}");
}
