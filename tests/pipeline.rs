//! The loop of self-play and training through the program: it ends, it repeats, it survives being killed.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use facedown::net::card_at;
use facedown::pipeline::LoopConfig;
use facedown::record::{OnBroken, Reader, Table};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::program::{contents, facedown, stderr_of_failure, stdout};

/// Two generations small enough for a test.
const CONFIG: &str = r#"
generations = 2
games = 6

[first]
player = "material"
games = 12

[selfplay]
games_per_shard = 3
slots = 3

[search]
visits = 4

[net]
channels = 8
blocks = 1

[train]
steps = 12
batch = 32
save_every = 4

[gate]
games = 2
"#;

#[test]
fn every_preset_is_a_config() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/loop");
    let mut names = Vec::new();
    for preset in std::fs::read_dir(folder).expect("a folder") {
        let path = preset.expect("a preset").path();
        let text = std::fs::read_to_string(&path).expect("text");
        if let Err(error) = toml::from_str::<LoopConfig>(&text) {
            panic!("{}: {error}", path.display());
        }
        names.push(path.file_stem().expect("a name").to_string_lossy().into_owned());
    }
    names.sort();
    assert_eq!(names, ["banqi-1h", "banqi-long", "banqi-quick", "jieqi-1h", "long", "quick"]);
}

struct Loop {
    folder: tempfile::TempDir,
}

impl Loop {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("loop.toml"), CONFIG).expect("written");
        Self { folder }
    }

    fn arguments<'a>(&self, run: &'a str, more: &[&'a str]) -> Vec<String> {
        let config = self.folder.path().join("loop.toml");
        let run = self.folder.path().join(run);
        let mut arguments = vec!["loop".to_owned(), "--quiet".into(), "--threads".into(), "2".into()];
        for (flag, path) in [("--config", config), ("--run", run)] {
            arguments.extend([flag.to_owned(), path.to_string_lossy().into_owned()]);
        }
        arguments.extend(more.iter().map(|&text| text.to_owned()));
        arguments
    }

    /// The run's files but for its lock and for what tells times.
    fn files(&self, run: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = contents(&self.folder.path().join(run));
        files.retain(|name, _| {
            !["lock", "metrics.jsonl"].contains(&name.as_str()) && !name.starts_with("tensorboard/")
        });
        files
    }
}

fn texts(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

#[test]
fn a_loop_killed_at_any_moment_resumes_to_the_same_networks_and_games() {
    let work = Loop::new();
    // Steps that follow from what was played have to be found again too.
    let reuse = ["--set", "train.reuse=0.4"];
    let started = Instant::now();
    let printed = stdout(&texts(&work.arguments("calm", &reuse)));
    let whole_run = started.elapsed();
    for line in printed.lines() {
        let path = line.split_whitespace().last().expect("a path");
        assert!(Path::new(path).is_dir(), "{line}");
    }
    let expected = work.files("calm");
    assert_eq!(steps_taken(&work, "calm"), steps_by_hand(&work, "calm", 0.4));

    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..5 {
        let arguments = work.arguments("killed", &[&reuse[..], &["--resume"]].concat());
        let mut run = facedown(&texts(&arguments)).spawn().expect("the program starts");
        std::thread::sleep(whole_run.mul_f64(rng.random_range(0.05..0.5)));
        run.kill().expect("killed");
        run.wait().expect("a child");
    }
    stdout(&texts(&work.arguments("killed", &[&reuse[..], &["--resume"]].concat())));
    let killed = work.files("killed");
    assert_eq!(killed.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, bytes) in &expected {
        assert!(killed[name] == *bytes, "{name}");
    }
}

/// Steps that the networks of a run's two generations have taken.
fn steps_taken(work: &Loop, run: &str) -> [u64; 2] {
    let checkpoints = work.folder.path().join(run).join("checkpoints");
    ["gen-001", "gen-002"].map(|name| card_at(&checkpoints.join(name)).expect("a card").training.steps)
}

/// Steps of 32 positions in which those of each generation are shown so often.
fn steps_by_hand(work: &Loop, run: &str, reuse: f64) -> [u64; 2] {
    let data = Reader::open(&work.folder.path().join(run).join("data"), OnBroken::Fail).expect("a dataset");
    let of_generation = |prefix: &str| {
        let its = data.shards().iter().filter(|shard| shard.name().starts_with(prefix));
        let positions: u64 = its.map(|shard| shard.file(Table::Plies).rows()).sum();
        (positions as f64 * reuse / 32.0).round() as u64
    };
    let [first, second] = ["g000-", "g001-"].map(of_generation);
    assert!(first != second && first > 0 && second > 0, "{first} {second}");
    [first, first + second]
}

#[test]
fn a_run_is_not_begun_twice_nor_worked_on_by_two() {
    let work = Loop::new();
    // A file that happens to be called as the lock is nobody's to empty.
    let lock = work.folder.path().join("run/lock");
    std::fs::create_dir(work.folder.path().join("run")).expect("made");
    std::fs::write(&lock, "where I keep my keys").expect("written");
    let mut first = facedown(&texts(&work.arguments("run", &[]))).spawn().expect("the program starts");
    while !work.folder.path().join("run/data/games").is_dir() {
        assert!(first.try_wait().expect("a child").is_none(), "the run goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
    let errors = stderr_of_failure(&texts(&work.arguments("run", &["--resume"])), 2);
    assert!(errors.contains("another process"), "{errors}");
    assert!(first.wait().expect("a child").success());
    let errors = stderr_of_failure(&texts(&work.arguments("run", &[])), 2);
    assert!(errors.contains("--resume"), "{errors}");
    // More generations are no other run, nor is one from before there was a setting.
    let settings = work.folder.path().join("run/data/run.toml");
    let text = std::fs::read_to_string(&settings).expect("read");
    let older = text.replace("parts = 2\nprecision = \"auto\"\n", "threads = 1\n");
    assert_ne!(older, text);
    std::fs::write(&settings, &older).expect("written");
    stdout(&texts(&work.arguments("run", &["--resume", "--generations", "3"])));
    assert!(work.files("run").contains_key("checkpoints/gen-003/card.toml"));
    assert_eq!(std::fs::read_to_string(&settings).expect("read"), older);
    assert_eq!(std::fs::read_to_string(&lock).expect("kept"), "where I keep my keys");
    checkpoints_that_do_not_belong_are_named(&work);
}

#[test]
fn training_that_was_done_but_for_its_name_is_not_done_again() {
    let work = Loop::new();
    let once = ["--generations", "1"];
    stdout(&texts(&work.arguments("run", &once)));
    let checkpoints = work.folder.path().join("run/checkpoints");
    let [finished, unfinished] = ["gen-001", "in-training"].map(|name| checkpoints.join(name));
    std::fs::rename(&finished, &unfinished).expect("renamed");
    // Training again would write a card of its own.
    let card = std::fs::read_to_string(unfinished.join("card.toml")).expect("read") + "# seen by a person\n";
    std::fs::write(unfinished.join("card.toml"), &card).expect("written");
    stdout(&texts(&work.arguments("run", &["--resume", "--generations", "1"])));
    assert_eq!(std::fs::read_to_string(finished.join("card.toml")).expect("read"), card);
    assert!(!unfinished.exists());
}

#[test]
fn behind_a_gate_the_best_network_plays_and_old_ones_are_cleared_away_when_asked() {
    let work = Loop::new();
    let asked = [
        "--set",
        "rating.games=2",
        "--set",
        "keep.checkpoints=1",
        "--set",
        "keep.shards=window",
        "--set",
        "train.window.least=300",
        "--set",
        "train.window.growth=0",
    ];
    let three = [&["--generations", "3"][..], &asked].concat();
    let printed = stdout(&texts(&work.arguments("run", &three)));
    let run = work.folder.path().join("run");
    let result = |path: &str| -> toml::Table {
        std::fs::read_to_string(run.join(path)).expect("a result").parse().expect("TOML")
    };
    let gates = [2_u32, 3].map(|network| result(&format!("gates/gen-{network:03}.toml")));
    let mut champion = 1;
    for (network, gate) in (2..).zip(&gates) {
        assert_eq!(gate["champion"].as_integer(), Some(champion));
        if gate["accepted"].as_bool().expect("a flag") {
            champion = network;
        }
    }
    assert!(printed.trim().ends_with(&format!("gen-{champion:03}")), "{printed}");
    // The third generation was played by the better of the first two.
    let of_third = Reader::open(&run.join("data"), OnBroken::Fail).expect("a dataset");
    let player = of_third.records().last().expect("games").expect("whole").first;
    let second = gates[0]["accepted"].as_bool().expect("a flag");
    assert_eq!(player, if second { "gen-002" } else { "gen-001" });

    // The newest network has its weights, and of the others only the best of the gate and of the ratings.
    let has_weights =
        |network: u32| run.join(format!("checkpoints/gen-{network:03}/weights.safetensors")).is_file();
    assert!(has_weights(3) && has_weights(champion as u32));
    assert!((1..=3).filter(|&network| has_weights(network)).count() <= 3);
    for network in 1..=3 {
        assert!(run.join(format!("checkpoints/gen-{network:03}/losses.csv")).is_file());
        let ratings = result(&format!("ratings/gen-{network:03}-above-material.toml"));
        let meetings = ratings["against"].as_array().expect("a list").len();
        assert_eq!(meetings, if network == 1 { 1 } else { 2 });
        let card = card_at(&run.join(format!("checkpoints/gen-{network:03}"))).expect("a card");
        let rating = card.rating.expect("a rating");
        assert_eq!(rating.anchor, "material");
        assert!(rating.elo.is_finite() && rating.half_width > 0.0 && rating.games > 0, "{rating:?}");
    }
    let shards: Vec<_> = of_third.shards().iter().map(|shard| shard.name().to_owned()).collect();
    assert!(shards.len() < 8 && shards.contains(&"g002-00001".to_owned()), "{shards:?}");
    assert!(!shards.contains(&"g000-00000".to_owned()), "{shards:?}");
    let plies = std::fs::read_dir(run.join("data/plies")).expect("a folder").count();
    assert_eq!(plies, shards.len());

    // All of that goes on.
    let four = [&["--resume", "--generations", "4"][..], &asked].concat();
    stdout(&texts(&work.arguments("run", &four)));
    assert!(has_weights(4));
    // A run behind a gate is another one than a run without.
    let other = [&["--resume", "--set", "gate.games=8"][..], &asked].concat();
    let errors = stderr_of_failure(&texts(&work.arguments("run", &other)), 2);
    assert!(errors.contains("holds another run"), "{errors}");
}

/// Networks of a finished run of three generations, moved about.
fn checkpoints_that_do_not_belong_are_named(work: &Loop) {
    let checkpoints = work.folder.path().join("run/checkpoints");
    let [first, second, fourth] = ["gen-001", "gen-002", "gen-004"].map(|name| checkpoints.join(name));
    let refused = |generations: &str, expected: &str| {
        let arguments = work.arguments("run", &["--resume", "--generations", generations]);
        let errors = stderr_of_failure(&texts(&arguments), 2);
        assert!(errors.contains(expected), "{errors}");
    };
    let aside = work.folder.path().join("aside");
    std::fs::rename(&first, &aside).expect("renamed");
    refused("3", "gen-001");
    std::fs::rename(&aside, &first).expect("renamed");

    std::fs::create_dir(&fourth).expect("made");
    refused("4", "no checkpoint");
    std::fs::remove_dir(&fourth).expect("removed");

    std::fs::remove_dir_all(checkpoints.join("gen-003")).expect("removed");
    let games = work.folder.path().join("run/data/games");
    let of_third = || {
        let entries =
            std::fs::read_dir(&games).expect("a folder").map(|entry| entry.expect("an entry").path());
        entries.filter(|path| path.to_string_lossy().contains("g002-")).collect::<Vec<_>>()
    };
    for path in of_third() {
        std::fs::remove_file(path).expect("removed");
    }
    let card = std::fs::read_to_string(second.join("card.toml")).expect("read");
    std::fs::write(second.join("card.toml"), card.replace("channels = 8", "channels = 9")).expect("written");
    refused("3", "its shape is");
    std::fs::write(second.join("card.toml"), card.replace("steps = 24", "steps = 29")).expect("written");
    refused("3", "its number of steps is 29, in this run 24");
    assert_eq!(of_third(), [""; 0].map(std::path::PathBuf::from), "nothing was played with it");
}
