//! `facedown inspect` on whole, broken and foreign files.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use facedown::record::{Table, schema};

use crate::record::written;
use crate::record_games::games;

fn inspect(path: &Path, flags: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_facedown")).arg("inspect").arg(path).args(flags).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_dataset_is_summed_up_with_every_column_explained() {
    let folder = written(2, 5);
    let output = inspect(folder.path(), &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let stdout = text(&output.stdout);
    let plies: usize = (0..2).flat_map(|shard| games(shard, 5)).map(|game| game.plies.len()).sum();
    let rows = format!("plies     {plies} rows, ");
    for part in ["schema    version 1\n", "game      jieqi\n", "rules     wxf\n", "shards    2\n", &rows] {
        assert!(stdout.contains(part), "'{part}' in\n{stdout}");
    }
    for (name, column) in Table::ALL.into_iter().flat_map(Table::all_columns) {
        let explained = |line: &str| line.starts_with(&name) && line.ends_with(column.meaning);
        assert!(stdout.lines().any(explained), "{name} in\n{stdout}");
    }
}

#[test]
fn one_file_is_summed_up_as_json() {
    let folder = written(1, 4);
    let path = folder.path().join("games/g003-00000.parquet");
    let output = inspect(&path, &["--json"]);
    let contents: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(contents["schema_version"], schema::VERSION);
    assert_eq!(contents["tables"][0]["name"], "games");
    assert_eq!(contents["tables"][0]["rows"], 4);
    assert_eq!(contents["tables"][0]["bytes"], fs::metadata(&path).unwrap().len());
    assert_eq!(contents["tables"].as_array().unwrap().len(), 1);
}

#[test]
fn a_list_takes_what_its_columns_take() {
    let folder = written(1, 4);
    let output = inspect(folder.path(), &["--json"]);
    let contents: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let columns = contents["tables"][1]["columns"].as_array().unwrap();
    let bytes = |named: &dyn Fn(&str) -> bool| -> u64 {
        let named = columns.iter().filter(|column| named(column["name"].as_str().unwrap()));
        named.map(|column| column["bytes"].as_u64().unwrap()).sum()
    };
    let list = bytes(&|name| name == "candidates");
    assert!(list > 0);
    assert_eq!(list, bytes(&|name| name.starts_with("candidates.")));
}

#[test]
fn a_broken_shard_is_named_and_the_rest_summed_up() {
    let folder = written(2, 2);
    let broken = folder.path().join("plies/g003-00001.parquet");
    fs::write(&broken, "PAR1").unwrap();
    let output = inspect(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("shards    1\n"));
    let expected = format!("left out: {}: not a readable Parquet file: ", broken.display());
    let said = text(&output.stderr);
    assert!(said.starts_with(&expected) && said.lines().count() == 1, "{said}");
}

#[test]
fn a_path_without_data_is_a_failure() {
    let folder = written(0, 0);
    for path in [folder.path().join("nowhere"), folder.path().join("run.toml"), folder.path().to_path_buf()] {
        let output = inspect(&path, &[]);
        assert_eq!(output.status.code(), Some(1), "{}", path.display());
        assert!(text(&output.stderr).contains(&path.display().to_string()));
        assert!(output.stdout.is_empty());
    }
}
