//! `perft`, `moves` and `verify` as a user runs them.

use std::process::{Command, Output};

fn facedown(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_facedown")).args(arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn table(name: &str) -> String {
    format!("{}/tests/data/{name}.tsv", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn perft_prints_the_number_alone_on_the_last_line() {
    let output = facedown(&["perft", "--game", "jieqi", "--depth", "2"]);
    assert_eq!(text(&output.stdout), "11292\n");
    let output = facedown(&["perft", "--depth", "2", "--outcomes", "--divide"]);
    let lines: Vec<_> = text(&output.stdout).lines().collect();
    assert_eq!(lines.len(), 45);
    assert_eq!((lines[0], lines[44]), ("a0a1 1554", "66462"));
}

#[test]
fn moves_prints_one_line_and_says_the_state_on_stderr() {
    let moves = |position| {
        let output = facedown(&["moves", "--position", position]);
        assert!(output.status.success());
        (text(&output.stdout).to_owned(), text(&output.stderr).to_owned())
    };
    assert_eq!(moves("3k5/9/9/9/9/9/9/9/9/r2XK4 w P1 0 1"), ("e0e1 e0f0\n".into(), "none\n".into()));
    assert_eq!(moves("3k5/8R/R8/9/9/9/9/9/9/4K4 b - 1 1"), ("\n".into(), "stalemate\n".into()));
    assert_eq!(moves("3k4R/R8/9/9/9/9/9/9/9/4K4 b - 1 1"), ("\n".into(), "checkmate\n".into()));
    assert_eq!(moves("9/3Pk4/9/9/9/9/9/9/9/3K5 b - 1 1").1, "check\n");
    assert_eq!(moves("3k5/9/9/9/9/9/9/9/9/R3K4 w - 120 99"), ("\n".into(), "draw\n".into()));
}

#[test]
fn verify_passes_tables_and_counts_their_rows() {
    for (name, rows) in [
        ("jieqi_moves", 40),
        ("jieqi_games", 36),
        ("jieqi_repetition", 150),
        ("jieqi_counting", 30),
        ("jieqi_rulings", 64),
    ] {
        let output = facedown(&["verify", "--game", "jieqi", &table(name)]);
        assert_eq!(text(&output.stdout), format!("{rows} passed, 0 failed\n"));
        assert!(output.status.success());
    }
}

#[test]
fn verify_says_what_differs_and_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.tsv");
    let rows = "id\tfen\tlegal_moves\tstatus\tn1\to2\n\
                W1\t3k5/9/9/9/9/9/9/9/9/3AK4 w - 0 1\t4\tcheck\t6\t7\n\
                W2\t3k5/9/9/9/9/9/9/9/9/3K5 w - 0 1\t5\tnone\t1\t-\n\
                W3\t3k5/9/9/9/9/9/9/9/9/3AK4 w - 0 1\t4\tnone\t4\t-\n";
    std::fs::write(&path, rows).unwrap();
    let output = facedown(&["verify", path.to_str().unwrap()]);
    let lines: Vec<_> = text(&output.stdout).lines().collect();
    assert_eq!(lines[0], "W1 status: expected check, got none");
    assert_eq!(lines[1], "W1 n1: expected 6, got 4");
    assert!(lines[2].starts_with("W1 o2: expected 7, got "), "{lines:?}");
    assert!(lines[3].starts_with("W2 fen: expected a position, got the kings face"), "{lines:?}");
    assert_eq!(lines[4..], ["1 passed, 2 failed"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn verify_says_where_a_ruling_differs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rulings.tsv");
    let cycle = "3k5/R8/9/9/9/9/9/9/9/4K4 w - 0 1\ta8a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9";
    let verdicts = format!("id\tfen\tmoves\tverdict\nR1\t{cycle}\tdraw\nR2\t{cycle} a8a7\tred-loses\n");
    std::fs::write(&path, verdicts).unwrap();
    let output = facedown(&["verify", path.to_str().unwrap()]);
    let lines: Vec<_> = text(&output.stdout).lines().collect();
    assert_eq!(lines[0], "R1 ruling: expected draw at ply 8, got red-loses at ply 8");
    assert_eq!(lines[1], "R2 ruling: expected red-loses at ply 9, got red-loses at ply 8");
    assert_eq!(lines[2..], ["0 passed, 2 failed"]);

    let header = "id\tprofile\tfen\tmoves\tply\tresult\n";
    let series = format!("{header}C1\tsunwin\t{cycle} a8a9\t-\tnone\nC2\tcomu\t{cycle} a8a1\t-\tnone\n");
    std::fs::write(&path, series).unwrap();
    let output = facedown(&["verify", path.to_str().unwrap()]);
    let lines: Vec<_> = text(&output.stdout).lines().collect();
    assert_eq!(lines[..], ["C1 ruling: expected none, got forbidden at ply 9", "1 passed, 1 failed"]);

    std::fs::write(&path, format!("{header}C1\thouse\t{cycle}\t-\tnone\n")).unwrap();
    assert_eq!(facedown(&["verify", path.to_str().unwrap()]).status.code(), Some(2));
}

#[test]
fn a_table_that_cannot_be_read_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.tsv");
    for (rows, complaint) in [
        ("", ":2:1: found the end of the file; expected a row"),
        ("id\tfen\tn1\n", ":2:1: found the end of the file; expected a row"),
        ("id\tfen\tdepth\nA\tx\t1\n", ":1:1: found the columns id, fen, depth; expected "),
        ("id\tfen\tfen\n", ":1:1: found the columns id, fen, fen; expected the column 'fen' once"),
        ("id\tfen\tn1\nA\tx\n", ":2:4: found 2 fields; expected 3 fields"),
        (
            "id\tfen\tn1\nA\t3k5/9/9/9/9/9/9/9/9/3AK4 w - 0 1\tsix\n",
            ":2:36: found 'six' in 'n1'; expected a whole number",
        ),
        ("id\tfen\tn1\nA\t-\t6\n", ":2:3: found an empty field in 'fen'; expected a value"),
    ] {
        std::fs::write(&path, rows).unwrap();
        let output = facedown(&["verify", path.to_str().unwrap()]);
        assert!(text(&output.stderr).contains(complaint), "{}, not {complaint}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(1));
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    for arguments in [
        &["perft"][..],
        &["perft", "--depth", "two"],
        &["perft", "--depth", "1", "--position", "nonsense"],
        &["moves", "--rules", "house"],
        &["moves", "--rules", "missing.toml"],
        &["moves", "--game", "chess"],
        &["verify"],
    ] {
        let output = facedown(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn a_row_in_which_nothing_is_checked_fails_and_is_named_by_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.tsv");
    let fen = "3k5/9/9/9/9/9/9/9/9/3AK4 w - 0 1";
    std::fs::write(&path, format!("id\tfen\tn1\tcomment\n-\t{fen}\t-\tx\nA\t{fen}\t5\ty\n")).unwrap();
    let output = facedown(&["verify", path.to_str().unwrap()]);
    assert!(text(&output.stdout).starts_with("line 2 the row: expected something to check, got nothing\n"));
    assert!(text(&output.stdout).ends_with(" failed\n") && output.status.code() == Some(1));
    assert!(text(&output.stderr).contains("not checked: comment"), "{}", text(&output.stderr));
}

#[test]
fn flags_that_a_command_has_no_use_for_are_refused() {
    for (arguments, flag) in [
        (vec!["perft", "--depth", "1", "--seed", "3"], "--seed"),
        (vec!["moves", "--set", "search.visits=3"], "--set"),
        (vec!["moves", "--threads", "3"], "--threads"),
        (vec!["verify", "x.tsv", "--config", "x.toml"], "--config"),
        (vec!["analyze", "all", "--data", "x", "--seed", "3"], "--seed"),
        (vec!["inspect", "x", "--rules", "wxf"], "--rules"),
    ] {
        let output = facedown(&arguments);
        let errors = text(&output.stderr);
        assert!(errors.contains(&format!("{flag}: this command has no use for it")), "{errors}");
        assert_eq!(output.status.code(), Some(2));
    }
}
