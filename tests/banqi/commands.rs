//! `perft`, `moves` and `verify` of Banqi as a user runs them.

use std::process::{Command, Output};

fn facedown(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_facedown")).args(["--game", "banqi"]).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn table(name: &str) -> String {
    format!("{}/tests/data/{name}.tsv", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn perft_counts_flips_by_what_they_show() {
    assert_eq!(text(&facedown(&["perft", "--depth", "2"]).stdout), "13888\n");
    assert_eq!(text(&facedown(&["perft", "--depth", "2", "--outcomes"]).stdout), "192448\n");
    let output = facedown(&["perft", "--depth", "1", "--outcomes", "--divide"]);
    let lines: Vec<_> = text(&output.stdout).lines().collect();
    assert_eq!((lines.len(), lines[0], lines[32]), (33, "a1 14", "448"));
}

#[test]
fn moves_prints_one_line_and_says_the_state_on_stderr() {
    let moves = |rules, position| {
        let output = facedown(&["moves", "--rules", rules, "--position", position]);
        assert!(output.status.success());
        (text(&output.stdout).to_owned(), text(&output.stderr).to_owned())
    };
    assert_eq!(moves("joypip", "8/3kP3/8/8 b - 0"), ("d3c3 d3d2 d3d4\n".into(), "none\n".into()));
    assert_eq!(moves("joypip", "8/8/N7/pN6 b - 0"), ("\n".into(), "stalemate\n".into()));
    assert_eq!(moves("joypip", "8/8/N7/?N6 b P1 0"), ("\n".into(), "captured-all\n".into()));
    assert_eq!(moves("openspiel", "8/8/N7/?N6 b P1 0"), ("a1\n".into(), "none\n".into()));
    assert_eq!(moves("joypip-30", "8/8/N7/p6N b - 30"), ("\n".into(), "draw\n".into()));
}

#[test]
fn verify_passes_the_tables_under_both_readings() {
    for (rules, name, rows) in [
        (&[][..], "banqi_moves", 80),
        (&[], "banqi_games", 100),
        (&["--rules", "joypip"], "banqi_games", 100),
    ] {
        let table = table(name);
        let output = facedown(&[rules, &["verify", &table]].concat());
        assert_eq!(text(&output.stdout), format!("{rows} passed, 0 failed\n"), "{rules:?}");
    }
}

#[test]
fn verify_says_what_differs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.tsv");
    let rows = "id\tfen\tlimit\tstatus\tstatus_joypip\tn_legal\tlegal\n\
                W1\t8/8/N7/?N6 b P1 0\t30\tongoing\tongoing\t1\ta1\n\
                W2\t8/3kP3/8/8 b - 29\t30\tdraw\tongoing\t2\td3c3 d3d4\n\
                W3\t8/3kP3/8/8 b - 30\t30\tdraw\tdraw?\t0\t-\n";
    std::fs::write(&path, rows).unwrap();
    let output = facedown(&["verify", path.to_str().unwrap()]);
    let lines: Vec<_> = text(&output.stdout).lines().collect();
    let expected = [
        "W1 status_joypip: expected ongoing, got w-wins",
        "W2 n_legal: expected 2, got 3",
        "W2 status: expected draw, got ongoing",
        "W2 legal: expected d3c3 d3d4, got d3c3 d3d2 d3d4",
        "1 passed, 2 failed",
    ];
    assert_eq!(lines, expected);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn convert_checks_a_line_of_play_and_plays_it() {
    let convert = |line: &str, end: &[&str]| {
        let output = facedown(&[&["convert", "--from=view", "--to=view", line], end].concat());
        (output.status.code(), text(&output.stdout).to_owned(), text(&output.stderr).to_owned())
    };
    let line = "8/3kP3/8/8 w - 07  then e3d3";
    assert_eq!(convert(line, &[]).1, "8/3kP3/8/8 w - 7 then e3d3\n");
    assert_eq!(convert(line, &["--end"]).1, "8/3P4/8/8 b - 0\n");
    let flipped = convert("8/3kP3/8/?7 b P1 3 then a1=P", &["--end"]);
    assert_eq!(flipped.1, "8/3kP3/8/P7 w - 0\n");
    for (line, said) in [
        ("8/3kP3/8/8 b - 0 then d3d5", "'d3d5', byte"),
        ("8/3kP3/8/?7 b P1 3 then a1=N", "'a1=N', byte"),
        ("8/3kP3/8/8 b - 0 than d3d2", "byte 17"),
    ] {
        let (code, _, errors) = convert(line, &[]);
        assert!(code == Some(2) && errors.contains(said), "{line}: {code:?} {errors}");
    }
}
