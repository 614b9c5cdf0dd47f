//! What long work keeps of its course, and what `status` makes of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use facedown::metrics::{self, Told};
use serde_json::Value;

use crate::program::{facedown, stderr_of_failure, stdout};
use crate::toy_games;

/// One scalar of an event file.
#[derive(Debug, PartialEq)]
struct Scalar {
    step: u64,
    tag: String,
    value: f32,
}

/// Reads an event file as strictly as its description allows: every checksum has to hold.
fn scalars(path: &Path) -> Vec<Scalar> {
    let bytes = fs::read(path).expect("an event file");
    let mut rest = &bytes[..];
    let mut events = Vec::new();
    while !rest.is_empty() {
        let length = u64::from_le_bytes(rest[..8].try_into().expect("eight bytes")) as usize;
        assert_eq!(number(&rest[8..12]), masked(&rest[..8]), "the checksum of a length");
        let (event, after) = rest[12..].split_at(length);
        assert_eq!(number(&after[..4]), masked(event), "the checksum of an event");
        events.push(fields(event));
        rest = &after[4..];
    }
    assert_eq!(events[0][&3], Field::Bytes(b"brain.Event:2".to_vec()));
    events[1..].iter().map(scalar).collect()
}

fn scalar(event: &BTreeMap<u64, Field>) -> Scalar {
    let Field::Number(step) = event[&2] else { panic!("a step: {event:?}") };
    let summary = event[&5].message();
    let value = summary[&1].message();
    let (Field::Bytes(tag), Field::Fixed(bits)) = (&value[&1], &value[&2]) else { panic!("{value:?}") };
    Scalar {
        step,
        tag: String::from_utf8(tag.clone()).expect("UTF-8"),
        value: f32::from_bits(u32::try_from(*bits).expect("32 bits")),
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Field {
    Number(u64),
    Fixed(u64),
    Bytes(Vec<u8>),
}

impl Field {
    fn message(&self) -> BTreeMap<u64, Field> {
        match self {
            Self::Bytes(bytes) => fields(bytes),
            other => panic!("a message: {other:?}"),
        }
    }
}

/// The fields of a message of protocol buffers, each at most once.
fn fields(mut rest: &[u8]) -> BTreeMap<u64, Field> {
    let mut found = BTreeMap::new();
    while !rest.is_empty() {
        let key = varint(&mut rest);
        let mut take = |bytes: usize| {
            let (field, after) = rest.split_at(bytes);
            rest = after;
            field
        };
        let field = match key & 7 {
            1 => Field::Fixed(u64::from_le_bytes(take(8).try_into().expect("eight bytes"))),
            5 => Field::Fixed(number(take(4)).into()),
            0 => Field::Number(varint(&mut rest)),
            2 => {
                let length = varint(&mut rest) as usize;
                let (field, after) = rest.split_at(length);
                rest = after;
                Field::Bytes(field.to_vec())
            }
            other => panic!("wire type {other}"),
        };
        assert!(found.insert(key >> 3, field).is_none(), "field {} twice", key >> 3);
    }
    found
}

fn varint(rest: &mut &[u8]) -> u64 {
    let mut value = 0;
    for place in 0.. {
        let (byte, after) = rest.split_first().expect("a number that ends");
        *rest = after;
        value |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return value;
        }
    }
    unreachable!("a number ends")
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().expect("four bytes"))
}

/// The checksum, bit by bit, so that it is not the one under test.
fn masked(bytes: &[u8]) -> u32 {
    let crc = !bytes.iter().fold(!0_u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ if crc & 1 == 1 { 0x82f6_3b78 } else { 0 })
    });
    crc.rotate_right(15).wrapping_add(0xa282_ead8)
}

#[test]
fn training_keeps_its_course_for_people_and_for_tensorboard() {
    let folder = tempfile::tempdir().expect("a folder");
    let [data, out] = ["data", "net"].map(|name| folder.path().join(name));
    toy_games::write_shards(&data, 1, 40);
    let train = |steps: &str, more: &[&str]| {
        let (data, out) = (data.to_str().expect("UTF-8"), out.to_str().expect("UTF-8"));
        let mut arguments = vec!["train", "--quiet", "--data", data, "--out", out, "--steps", steps];
        arguments.extend(["--set", "train.batch=32", "--set", "train.validate_every=40"]);
        arguments.extend(more);
        stdout(&arguments);
    };
    train("40", &["--set", "net.channels=8", "--set", "net.blocks=1"]);
    let kept = folder.path().join("net.metrics");
    // As a process leaves it that dies while it writes.
    let torn = fs::read_to_string(kept.join("metrics.jsonl")).expect("kept") + r#"{"time":1,"ki"#;
    fs::write(kept.join("metrics.jsonl"), torn).expect("written");
    train("20", &["--from", out.to_str().expect("UTF-8")]);

    let lines = metrics::read(&kept).expect("readable");
    let mut figures = Vec::new();
    let mut steps = Vec::new();
    for line in &lines {
        if let Told::Figures { series, at, figures: named } = &line.told {
            steps.push((series.as_str(), *at));
            figures.extend(named.iter().map(|(name, &value)| Scalar {
                step: *at,
                tag: format!("{series}/{name}"),
                value: value as f32,
            }));
        }
    }
    let expected =
        [("training", 20), ("training", 40), ("validation", 40), ("training", 60), ("validation", 60)];
    assert_eq!(steps, expected);
    assert_eq!(lines.iter().filter(|line| matches!(line.told, Told::End { .. })).count(), 2);
    let losses = fs::read_to_string(out.join("losses.csv")).expect("losses");
    let policy: f64 = losses
        .lines()
        .nth(1)
        .and_then(|line| line.split(',').nth(3))
        .expect("a loss")
        .parse()
        .expect("a number");
    let told = figures.iter().find(|scalar| scalar.tag == "training/policy_loss").expect("a loss");
    assert!((f64::from(told.value) - policy).abs() < 1e-5, "{told:?} and {policy}");

    let files = fs::read_dir(kept.join("tensorboard")).expect("a folder");
    let mut files: Vec<PathBuf> = files.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert_eq!(files.len(), 2, "a file for each process");
    let mut events: Vec<Scalar> = files.iter().flat_map(|file| scalars(file)).collect();
    let order = |scalar: &Scalar| (scalar.step, scalar.tag.clone());
    events.sort_by_key(order);
    figures.sort_by_key(order);
    assert_eq!(events, figures);

    let status: Value = status(&kept);
    assert_eq!((&status["state"], &status["stage"]["name"]), (&"finished".into(), &"training".into()));
    assert_eq!((&status["stage"]["done"], &status["stage"]["total"]), (&20.into(), &20.into()));
}

const LOOP: [&str; 20] = [
    "--generations=2",
    "--set",
    "games=6",
    "--set",
    "first.games=12",
    "--set",
    "selfplay.games_per_shard=3",
    "--set",
    "selfplay.slots=3",
    "--set",
    "search.visits=4",
    "--set",
    "net.channels=8",
    "--set",
    "net.blocks=1",
    "--set",
    "train.steps=40",
    "--set",
    "train.batch=32",
    "--resume",
];

fn status(run: &Path) -> Value {
    let run = run.to_str().expect("UTF-8");
    let told = stdout(&["status", "--run", run]);
    assert!(told.contains(run), "{told}");
    serde_json::from_str(&stdout(&["status", "--json", "--run", run])).expect("JSON")
}

#[test]
fn a_run_tells_where_it_stands_while_it_goes_on_after_a_kill_and_at_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let mut arguments = vec!["loop", "--quiet", "--threads", "2", "--run", run.to_str().expect("UTF-8")];
    arguments.extend(LOOP);

    let errors = stderr_of_failure(&["status", "--run", run.to_str().expect("UTF-8")], 2);
    assert!(errors.contains("no run"), "{errors}");
    let mut process = facedown(&arguments).spawn().expect("the program starts");
    while !run.join("checkpoints/gen-001").is_dir() {
        assert!(process.try_wait().expect("a child").is_none(), "the run goes on");
        std::thread::sleep(Duration::from_millis(5));
    }
    let at_work = status(&run);
    process.kill().expect("killed");
    process.wait().expect("a child");
    assert_eq!(at_work["state"], "running", "{at_work}");
    assert_eq!((&at_work["generations"], &at_work["steps"]), (&2.into(), &40.into()), "{at_work}");
    assert!(at_work["games"].as_u64().is_some_and(|games| (12..=18).contains(&games)), "{at_work}");

    let killed = status(&run);
    assert_eq!(killed["state"], "broken-off", "{killed}");
    assert_eq!(killed["seconds_left"], Value::Null, "{killed}");

    stdout(&arguments);
    let done = status(&run);
    assert_eq!((&done["state"], &done["generation"]), (&"finished".into(), &1.into()), "{done}");
    assert_eq!((&done["games"], &done["steps"]), (&18.into(), &80.into()), "{done}");
    assert!(done["losses"]["policy"].as_f64().is_some_and(|loss| loss > 0.0), "{done}");
    assert!(done["resident_memory"].as_f64().is_none_or(|megabytes| megabytes > 1.0), "{done}");
}
