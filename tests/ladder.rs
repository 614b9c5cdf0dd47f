//! Ratings of a run's checkpoints, through the program.

use std::path::Path;

use facedown::arena::{Ladder, Meeting, Score};
use facedown::net::{Place, Rating, card_at};
use facedown::rules::jieqi::Jieqi;
use facedown::train::{TrainConfig, Trainer};

use crate::program::{contents, facedown, stderr_of_failure, stdout};

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
    for (row, name) in rows[2..].iter().zip(["gen-001", "gen-002"]) {
        let rating = card(&folder.path().join("checkpoints").join(name)).expect("a rating");
        assert_eq!((rating.anchor.as_str(), rating.games), ("random", 16));
        assert!((rating.elo - row[2].parse::<f64>().expect("a rating")).abs() < 0.6, "{rating:?} {row:?}");
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
    let place = folder.path().to_str().expect("UTF-8");
    // A bare name is one in the current folder.
    let climb = ["ladder", "--run", place, "--games=2", "--visits=2", "--quiet", "--curves", "curves.svg"];
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
    let climbed = facedown(&climb).current_dir(folder.path()).output().expect("the program starts");
    assert!(climbed.status.success(), "{}", String::from_utf8_lossy(&climbed.stderr));
    let files = contents(&folder.path().join("ladder"));
    let table = String::from_utf8(files["ladder.csv"].clone()).expect("UTF-8");
    let hours: Vec<&str> = table.lines().skip(1).filter_map(|line| line.rsplit(',').next()).collect();
    assert_eq!(hours, ["", "0.500", "1.500"]);
    for drawn in
        [files["curve.svg"].clone(), std::fs::read(folder.path().join("curves.svg")).expect("a picture")]
    {
        let drawn = String::from_utf8(drawn).expect("UTF-8");
        assert_eq!(drawn.matches("class=\"mean\"").count(), 2, "{drawn}");
    }
}

/// What the card in a folder says of its network's strength.
fn card(folder: &Path) -> Option<Rating> {
    card_at(folder).expect("a card").rating
}

#[test]
fn a_match_that_is_kept_tells_an_exported_network_s_rating() {
    let folder = tempfile::tempdir().expect("a folder");
    let [net, other] = ["net", "other"].map(|name| folder.path().join(name));
    for (seed, place) in [(1, &net), (2, &other)] {
        let config = TrainConfig { seed, ..TrainConfig::default() };
        let place = Place::claim(place).expect("a place");
        Trainer::<Jieqi>::new(&crate::train::small_net(), config).save(&place).expect("saved");
    }
    let text = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let player = text(&net) + ",visits=3";
    let few = ["--quiet", "--games", "12", "--visits", "2", "--out"];
    for (seat, players) in [[player.as_str(), "material"], ["material", &player]].into_iter().enumerate() {
        let kept = text(&folder.path().join(format!("match-{seat}")));
        let told =
            stdout(&[&["match", "--first", players[0], "--second", players[1]], &few[..], &[&kept]].concat());
        let (_, pairs) = told.split_once("0 / 0.5 / 1 / 1.5 / 2: ").expect("the table of pairs");
        let counts = pairs.lines().next().expect("a line").split(" / ");
        let mut counts: Vec<u64> = counts.map(|count| count.parse().expect("a count")).collect();
        if seat == 1 {
            counts.reverse();
        }
        let score = Score { pentanomial: counts.try_into().expect("five"), ..Score::new() };
        let rung = Ladder::fit(2, &[Meeting { players: [1, 0], score }]).rungs[1];

        let given = folder.path().join(format!("given-{seat}"));
        let export = |net: &Path| {
            ["export", "--net", &text(net), "--elo-from", &kept, "--out", &text(&given)].map(String::from)
        };
        let refused = export(&other);
        assert!(stderr_of_failure(&refused.each_ref().map(String::as_str), 2).contains("did not play in it"));
        stdout(&export(&net).each_ref().map(String::as_str));
        let rating = card(&given).expect("a rating");
        assert!((rating.elo - rung.elo).abs() <= 0.051, "{rating:?} {rung:?}");
        assert!((rating.half_width - rung.half_width).abs() <= 0.051, "{rating:?} {rung:?}");
        assert_eq!((rating.anchor.as_str(), rating.games), ("material", 12));
        assert_eq!(rating.terms, "2 visits a move but for visits=3");
        let readme = std::fs::read_to_string(given.join("README.md")).expect("for people");
        assert!(readme.contains(&format!("strength: {rating}")), "{readme}");
    }
    let no_match = ["export", "--net", &text(&net), "--elo-from", &text(&net), "--out", "unmade"];
    assert!(stderr_of_failure(&no_match, 2).contains("holds no match"));
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
