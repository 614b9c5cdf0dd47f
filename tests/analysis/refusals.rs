//! Datasets that are not reported on, or not as one.

use std::fs;
use std::path::Path;

use facedown::game::{PlyKind, SquareName};
use facedown::record::GameRecord;

use super::data::{candidate, control, game, made_up, ply, write};
use super::{analyze, analyzed};

/// Copies the shard of the dataset at `from` into the one at `to` under another name.
fn copy_shard(from: &Path, to: &Path, name: &str) {
    for table in ["games", "plies"] {
        let name = format!("{table}/{name}.parquet");
        fs::copy(from.join(format!("{table}/00000.parquet")), to.join(name)).expect("copied");
    }
}

fn refused(data: &Path, more: &[&str], code: i32, expected: &str) {
    let output = analyze("all", data, more);
    let errors = String::from_utf8(output.stderr).expect("UTF-8 on stderr");
    assert_eq!(output.status.code(), Some(code), "{errors}");
    assert!(output.stdout.is_empty() && errors.contains(expected), "{errors}\ndoes not say\n{expected}");
}

#[test]
fn rule_sets_are_reported_one_by_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, other, out) = (folder.path().join("a"), folder.path().join("b"), folder.path().join("out"));
    write(&data, "wxf", &made_up(4, 1), 9);
    let mut games = made_up(5, 2);
    games.iter_mut().for_each(|game| game.game_id += 100_000);
    write(&other, "sunwin", &games, 9);
    copy_shard(&other, &data, "other");

    let both = analyzed("summary", &data, &["--out", out.to_str().expect("UTF-8")]);
    let sunwin = both.find("under the rules sunwin").expect("both are named");
    let wxf = both.find("under the rules wxf").expect("both are named");
    assert!(sunwin < wxf);
    let games = |rules: &str| fs::read_to_string(out.join(rules).join("summary.csv")).expect(rules);
    assert!(games("sunwin").contains("\ngames,5,,\n") && games("wxf").contains("\ngames,4,,\n"));
    assert!(out.join("index.html").exists());

    let one = analyzed("summary", &data, &["--rules", "wxf"]);
    assert!(!one.contains("sunwin") && both.contains(&one));
    refused(
        &data,
        &["--rules", "tencent"],
        2,
        "no games under the rules 'tencent'; the dataset has sunwin, wxf",
    );
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    refused(&data, &[], 2, "not a dataset");
    fs::create_dir_all(data.join("games")).expect("made");
    fs::create_dir_all(data.join("plies")).expect("made");
    refused(&data, &[], 1, "without one finished shard");

    let step = || ply("b9c7", PlyKind::Move, control(0, 0, 0.0));
    fs::remove_dir_all(&data).expect("removed");
    write(&data, "wxf", &[game(1, 1, vec![step()]), game(2, 1, vec![step()])], 1);
    copy_shard(&data, &data, "again");
    refused(&data, &[], 1, "game 1 is there twice");

    fs::remove_dir_all(&data).expect("removed");
    write(&data, "wxf", &[game(1, 1, vec![step(), step()]), game(1, 1, vec![step()])], 9);
    refused(&data, &[], 1, "game 1 is there twice");

    fs::remove_dir_all(&data).expect("removed");
    write(&data, "wxf", &[game(1, 1, vec![step()]), game(2, 1, vec![step()]), game(1, 0, vec![step()])], 9);
    refused(&data, &[], 1, "game 1 is there twice, in shard 00000 and in shard 00000");

    fs::remove_dir_all(&data).expect("removed");
    write(&data, "wxf", &[game(1, 1, vec![step()])], 9);
    let longer = folder.path().join("longer");
    write(&longer, "wxf", &[game(1, 1, vec![step(), step()])], 9);
    fs::copy(longer.join("plies/00000.parquet"), data.join("plies/00000.parquet")).expect("copied");
    refused(&data, &[], 1, "2 plies; the games of shard 00000 have 1");
}

#[test]
fn rows_that_cannot_be_true_are_refused_by_file_and_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let good = || {
        let flip = candidate("b0c2", PlyKind::Flip, 3, 0.5, control(0, 1, 0.0));
        let mut second = ply("b0c2", PlyKind::Flip, control(0, 1, 0.0));
        second.candidates = vec![flip];
        game(1, 1, vec![ply("b9c7", PlyKind::Move, control(0, 0, 0.0)), second])
    };
    type Spoil = fn(&mut GameRecord);
    let cases: [(Spoil, &str); 12] = [
        (
            |game| game.plies[1].value = 1.5,
            "plies/00000.parquet: column 'value', row 3: 1.5; expected -1 to 1",
        ),
        (|game| game.plies[1].value = f32::NAN, "column 'value', row 3: NaN; expected -1 to 1"),
        (|game| game.plies[0].net_value = f32::INFINITY, "column 'net_value', row 2: inf; expected -1 to 1"),
        (|game| game.plies[0].next_value = -2.0, "column 'next_value', row 2: -2; expected -1 to 1"),
        (|game| game.plies[0].facts.control.risk = -3.0, "column 'risk', row 2: -3; expected 0 to 1000000"),
        (|game| game.plies[0].seat = 7, "column 'seat', row 2: 7; expected 0 to 1"),
        (|game| game.plies[1].ply = 4, "column 'ply', row 3: 4; expected 1, the next of its game"),
        (|game| game.plies[1].result = 1, "column 'result', row 3: 1; expected -1, as in games/"),
        (|game| game.plies[1].candidates[0].q = 9.0, "column 'candidates.q', row 3: 9; expected -1 to 1"),
        (
            |game| game.plies[1].candidates[0].q_again = Some(-2.0),
            "'candidates.q_again', row 3: -2; expected -1 to 1",
        ),
        (
            |game| game.plies[1].facts.to = SquareName::new(b'z', b'0'),
            "column 'to', row 3: 'z0'; expected a square",
        ),
        (|game| game.result = 3, "games/00000.parquet: column 'result', row 1: 3; expected -1 to 1"),
    ];
    for (spoil, expected) in cases {
        let mut spoiled = GameRecord { game_id: 2, ..good() };
        spoil(&mut spoiled);
        write(&data, "wxf", &[good(), spoiled], 9);
        refused(&data, &[], 1, expected);
        fs::remove_dir_all(&data).expect("removed");
    }
}

#[test]
fn a_shard_of_rows_that_cannot_be_true_is_left_out_when_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let step = || ply("b9c7", PlyKind::Move, control(0, 0, 0.0));
    let mut wrong = game(2, 1, vec![step()]);
    wrong.plies[0].value = 7.0;
    write(folder.path(), "wxf", &[game(1, 1, vec![step()]), wrong], 1);
    let output = analyze("summary", folder.path(), &["--skip-broken"]);
    assert!(output.status.success());
    let errors = String::from_utf8(output.stderr).expect("UTF-8 on stderr");
    assert!(errors.contains("left out: ") && errors.contains("column 'value', row 0: 7"), "{errors}");
}

#[test]
fn a_wrong_command_line_is_a_usage_error() {
    let folder = tempfile::tempdir().expect("a folder");
    for more in [&["--format", "xml"][..], &["--threads", "0"], &["everything"]] {
        assert_eq!(analyze("all", folder.path(), more).status.code(), Some(2), "{more:?}");
    }
}
