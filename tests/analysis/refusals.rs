//! Datasets that are not reported on, or not as one.

use std::fs;
use std::path::Path;

use facedown::game::PlyKind;

use super::data::{control, game, made_up, ply, write};
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
        1,
        "no games under the rules 'tencent'; the dataset has sunwin, wxf",
    );
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    refused(&data, &[], 1, "not a dataset");
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
fn a_wrong_command_line_is_a_usage_error() {
    let folder = tempfile::tempdir().expect("a folder");
    for more in [&["--format", "xml"][..], &["--threads", "0"], &["everything"]] {
        assert_eq!(analyze("all", folder.path(), more).status.code(), Some(2), "{more:?}");
    }
}
