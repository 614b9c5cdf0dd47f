//! Reports of several nets, joined.

use std::path::Path;

use super::data::{made_up, write};
use super::{analyze, analyzed};
use serde_json::Value;

/// The price of all flips onto controlled squares with its row, in every report that has one.
fn contrasts(data: &[&Path]) -> Vec<Value> {
    let more: Vec<&str> =
        data[1..].iter().flat_map(|path| ["--data", path.to_str().expect("UTF-8")]).collect();
    let printed = analyzed("exposure", data[0], &[&more[..], &["--format", "json"]].concat());
    let found: Value = serde_json::from_str(&printed).expect("JSON");
    let tables = found.as_array().expect("findings").iter().map(|found| {
        let tables = found["sections"][0]["tables"].as_array().expect("tables");
        tables.iter().find(|table| table["name"] == "exposure_contrast").expect("the table").clone()
    });
    tables.collect()
}

fn figure(table: &Value, key: &str) -> f64 {
    let columns = table["columns"].as_array().expect("columns");
    let place = columns.iter().position(|column| column["key"] == key).unwrap_or_else(|| panic!("{key}"));
    table["rows"][0][place].as_f64().expect("a figure")
}

#[test]
fn the_figure_of_several_nets_is_their_mean_and_its_interval_is_between_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let nets = ["a", "b", "c"].map(|name| folder.path().join(name));
    for (seed, data) in (1..).zip(&nets) {
        write(data, "wxf", &made_up(60, seed), 20);
    }
    let alone: Vec<f64> = nets.iter().map(|data| figure(&contrasts(&[data])[0], "points")).collect();
    let joined = contrasts(&nets.each_ref().map(|data| data.as_path()));
    assert_eq!(joined.len(), 4, "the joined figures, and those of each net");
    let together = &joined[0];
    let each = ["net_1", "net_2", "net_3"].map(|key| figure(together, key));
    assert_eq!(each[..], alone[..]);
    let mean = alone.iter().sum::<f64>() / 3.0;
    assert!((figure(together, "mean") - mean).abs() <= 0.01, "{together}");
    let squares: f64 = alone.iter().map(|value| (value - mean).powi(2)).sum();
    // Student's t with two degrees of freedom times the standard error of a mean of three.
    let reach = 4.302_652_73 * (squares / 2.0 / 3.0).sqrt();
    assert!((figure(together, "mean_high") - (mean + reach)).abs() <= 0.02, "{together}");
    let p = figure(together, "p");
    assert!((0.0..=1.0).contains(&p));
}

#[test]
fn what_is_not_of_one_net_each_is_not_joined() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
    let mut games = made_up(8, 1);
    games[0].first = "net-b".into();
    write(&one, "wxf", &games, 20);
    write(&other, "sunwin", &made_up(8, 2), 20);
    let other = other.to_str().expect("UTF-8");
    for (more, expected) in [
        (
            &["--data", other][..],
            "expected games of one net under one rule set, found wxf, played by net-a; wxf, played by net-a against net-b",
        ),
        (&["--data", other, "--players", "net-a"], "jieqi under the rules sunwin; expected jieqi under wxf"),
        (&["--players", "net-c"], "--players net-c: "),
    ] {
        let output = analyze("exposure", &one, more);
        let errors = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(output.status.code() == Some(2) && errors.contains(expected), "{errors}");
    }
}
