//! Ratings of a run's checkpoints, through the program.

use std::path::Path;

use facedown::net::Place;
use facedown::rules::jieqi::Jieqi;
use facedown::train::{TrainConfig, Trainer};

use crate::program::{contents, stderr_of_failure, stdout};

/// A run with the same small network as both of its checkpoints.
fn run(folder: &Path) {
    let text = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let (data, net) = (text(&folder.join("data")), text(&folder.join("net")));
    stdout(&["selfplay", "--games=12", "--net=material", "--visits=2", "--quiet", "--out", &data]);
    let small = ["--set", "net.channels=8", "--set", "net.blocks=1", "--set", "train.batch=32", "--quiet"];
    stdout(&[&["train", "--data", &data, "--out", &net, "--steps=2"][..], &small].concat());
    for generation in ["gen-001", "gen-002"] {
        let checkpoint = folder.join("checkpoints").join(generation);
        std::fs::create_dir_all(&checkpoint).expect("a folder");
        for (name, bytes) in contents(Path::new(&net)) {
            std::fs::write(checkpoint.join(name), bytes).expect("written");
        }
    }
}

#[test]
fn checkpoints_are_rated_above_the_anchor_and_games_are_played_once() {
    let folder = tempfile::tempdir().expect("a folder");
    run(folder.path());
    let place = folder.path().to_str().expect("UTF-8");
    let climb = ["ladder", "--run", place, "--games=8", "--visits=2", "--quiet"];
    let (answer, files) = (stdout(&climb), contents(&folder.path().join("ladder")));
    let table = String::from_utf8(files["ladder.csv"].clone()).expect("UTF-8");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["player", "games", "elo", "elo_low", "elo_high", "core_hours"]);
    assert_eq!(rows[1], ["random", "16", "0", "0", "0", ""]);
    for (row, name) in rows[2..].iter().zip(["gen-001", "gen-002"]) {
        assert_eq!(row[..2], [name, "16"]);
        let [elo, low, high] = [2, 3, 4].map(|at| row[at].parse::<f64>().expect("a rating"));
        assert!(low < elo && elo < high && high - low < 2000.0, "{row:?}");
    }
    // Again, with a meeting of the second checkpoint still to be played.
    std::fs::remove_dir_all(folder.path().join("ladder/gen-002-gen-001")).expect("a meeting");
    assert_eq!(stdout(&climb), answer);
    assert!(contents(&folder.path().join("ladder")) == files, "the folder's bytes differ");
    // Other settings are another ladder.
    assert!(stderr_of_failure(&[&climb[..], &["--anchor=material"]].concat(), 2).contains("another run"));
}

#[test]
fn a_curve_shows_what_each_checkpoint_cost_where_runs_tell() {
    let folder = tempfile::tempdir().expect("a folder");
    run(folder.path());
    let [place, picture] = [folder.path().to_path_buf(), folder.path().join("curves.svg")]
        .map(|path| path.to_str().expect("UTF-8").to_owned());
    let climb = ["ladder", "--run", &place, "--games=2", "--visits=2", "--quiet", "--curves", &picture];
    assert!(stderr_of_failure(&climb, 1).contains("no run tells what its networks cost"));
    // A match after the first network costs 360 seconds, which do not count.
    let lines = [
        r#"{"time":0,"core_seconds":0,"kind":"stage","stage":"self-play by material","unit":"games","total":1,"generation":0}"#,
        r#"{"time":1,"core_seconds":1800,"kind":"figures","series":"trained","at":0,"figures":{"steps":2}}"#,
        r#"{"time":1,"core_seconds":1800,"kind":"stage","stage":"gen-001 against material","unit":"games","total":1,"generation":0}"#,
        r#"{"time":2,"core_seconds":2160,"kind":"stage","stage":"training","unit":"steps","total":1,"generation":1}"#,
        r#"{"time":3,"core_seconds":5760,"kind":"figures","series":"trained","at":1,"figures":{"steps":4}}"#,
    ];
    std::fs::write(folder.path().join("metrics.jsonl"), lines.join("\n")).expect("written");
    stdout(&climb);
    let files = contents(&folder.path().join("ladder"));
    let table = String::from_utf8(files["ladder.csv"].clone()).expect("UTF-8");
    let hours: Vec<&str> = table.lines().skip(1).filter_map(|line| line.rsplit(',').next()).collect();
    assert_eq!(hours, ["", "0.500", "1.500"]);
    for drawn in [files["curve.svg"].clone(), std::fs::read(&picture).expect("a picture")] {
        let drawn = String::from_utf8(drawn).expect("UTF-8");
        assert_eq!(drawn.matches("class=\"mean\"").count(), 2, "{drawn}");
    }
}

#[test]
fn a_folder_without_checkpoints_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().to_str().expect("UTF-8");
    assert!(stderr_of_failure(&["ladder", "--run", place], 2).contains("no finished checkpoint"));
}

#[test]
fn games_that_are_kept_never_go_on_with_other_weights() {
    let folder = tempfile::tempdir().expect("a folder");
    let net = folder.path().join("net");
    let make = |seed: u64| {
        let config = TrainConfig { seed, ..TrainConfig::default() };
        let place = Place::claim(&net).expect("a place");
        Trainer::<Jieqi>::new(&crate::train::small_net(), config).save(&place).expect("saved");
    };
    let player = net.to_str().expect("UTF-8");
    let few = ["--quiet", "--games", "2", "--visits", "2", "--out"];
    let commands: [&[&str]; 2] =
        [&["match", "--first", player, "--second", "uniform"], &["experiment", "T1", "--player", player]];
    for (place, command) in commands.into_iter().enumerate() {
        let kept = folder.path().join(place.to_string());
        let keep = [command, &few, &[kept.to_str().expect("UTF-8")]].concat();
        make(1);
        let told = stdout(&keep);
        assert_eq!(stdout(&keep), told, "the games are there");
        make(2);
        let errors = stderr_of_failure(&keep, 2);
        assert!(errors.contains("holds another run") && errors.contains("weights"), "{errors}");
    }
}
