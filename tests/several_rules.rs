//! One run over several rule sets: shards take turns, and one network learns from all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use facedown::game::{Encode, Profile, View};
use facedown::net::card_at;
use facedown::record::{OnBroken, Reader, Table, turn_of};
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView};
use facedown::train::{Batch, TrainConfig, Window};
use facedown::units::Probability;

use crate::program::{contents, stderr_of_failure, stdout};

const SETS: [&str; 3] = ["wxf", "tencent", "sunwin"];

fn play(out: &Path, threads: &str) {
    let sets = format!("rules={SETS:?}");
    let out = out.to_str().expect("a UTF-8 path");
    let shards = ["--set", "selfplay.games_per_shard=2", "--games", "12"];
    let player = ["--net", "material", "--visits", "4", "--seed", "5"];
    let how = ["selfplay", "--quiet", "--out", out, "--threads", threads, "--set", &sets];
    stdout(&[&how[..], &shards, &player].concat());
}

#[test]
fn shards_take_turns_at_the_rules_whatever_the_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, three] = ["one", "three"].map(|name| folder.path().join(name));
    play(&one, "1");
    play(&three, "3");
    assert!(contents(&one) == contents(&three), "the same bytes");

    let reader = Reader::open(&one, OnBroken::Fail).expect("a dataset");
    let first = turn_of("", 0, SETS.len());
    for (number, shard) in reader.shards().iter().enumerate() {
        let expected = JieqiRules::load(SETS[(first + number) % SETS.len()]).expect("built in");
        let file = shard.file(Table::Plies);
        assert_eq!((file.rules(), file.rules_text()), (expected.name(), expected.to_toml().as_str()));
    }
    let mut games = BTreeMap::<String, u32>::new();
    for record in reader.records() {
        let record = record.expect("a whole game");
        let rules = JieqiRules::load(&record.rules).expect("built in");
        assert_eq!(record.rules_hash, rules.fingerprint());
        *games.entry(record.rules).or_default() += 1;
    }
    assert_eq!(games, SETS.map(|name| (name.to_owned(), 4)).into());

    // A shard that is lost is played again under its own rules.
    let before = contents(&one);
    fs::remove_file(one.join("games/00004.parquet")).expect("a shard");
    play(&one, "2");
    assert!(contents(&one) == before, "the same bytes again");
}

#[test]
fn generations_of_few_shards_do_not_all_begin_with_the_same_rules() {
    let firsts: BTreeSet<usize> =
        (0..100).map(|generation| turn_of(&format!("g{generation:03}-"), 0, 7)).collect();
    assert_eq!(firsts, (0..7).collect());
    for number in 0..14 {
        assert_eq!(turn_of("g001-", number + 1, 7), (turn_of("g001-", number, 7) + 1) % 7);
    }
}

#[test]
fn a_position_is_learned_from_under_its_own_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    play(folder.path(), "2");
    let window = Window::<Jieqi>::load(folder.path(), &TrainConfig::default()).expect("a window");
    assert_eq!(window.rule_names(), ["sunwin", "tencent", "wxf"]);
    let mut met = BTreeSet::new();
    for rows in window.training() {
        for example in rows.expect("rows").examples() {
            let rules = &window.rules()[example.rules];
            met.insert(rules.name().to_owned());
            // Planes tell the rules, so that one network can play them all. Some positions stand under some rules alone.
            let planes = |rules| {
                let mut planes = vec![0.0; JieqiView::SHAPE.len()];
                JieqiView::parse(example.view, rules).ok()?.planes(&mut planes);
                Some(planes)
            };
            let own = planes(rules).expect("a position under its own rules");
            let others = window.rules().iter().filter(|other| other.name() != rules.name());
            assert!(others.filter_map(planes).all(|other| other != own), "{}", example.view);
            let batch = Batch::encode::<Jieqi>(&[(example, None)], window.rules(), Probability::ZERO);
            let encoded = batch.expect("a batch").planes.contiguous().view(-1);
            assert_eq!(Vec::<f32>::try_from(encoded).expect("numbers"), own, "{}", example.view);
        }
    }
    assert_eq!(met.len(), SETS.len());
}

#[test]
fn one_network_learns_from_all_and_the_reports_keep_them_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let [data, net] = ["data", "net"].map(|name| folder.path().join(name));
    play(&data, "2");
    let [data, net] = [&data, &net].map(|path| path.to_str().expect("a UTF-8 path"));
    let train = ["train", "--quiet", "--data", data, "--out", net, "--steps", "2", "--set", "train.batch=16"];
    let small = ["--set", "net.channels=8", "--set", "net.blocks=1"];
    stdout(&[&train[..], &small].concat());
    let card = card_at(Path::new(net)).expect("a card");
    assert_eq!(card.training.rules.as_deref(), Some("sunwin, tencent, wxf"));
    let other = ["train", "--quiet", "--data", data, "--out", "other", "--rules", "wxf"];
    let error = stderr_of_failure(&other, 2);
    assert!(error.contains("was played under 'sunwin, tencent, wxf'"), "{error}");

    let report = stdout(&["analyze", "summary", "--data", data]);
    for name in SETS {
        assert!(report.contains(&format!("jieqi under the rules {name}")), "{report}");
    }
    let report = stdout(&["analyze", "summary", "--data", data, "--rules", "tencent"]);
    assert!(!report.contains("wxf") && !report.contains("sunwin"), "{report}");
}

#[test]
fn a_loop_plays_them_in_turns_and_its_matches_under_the_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let config = folder.path().join("loop.toml");
    let text = "rules = ['tencent', 'wxf']\ngenerations = 2\ngames = 4\n[first]\ngames = 4\n\
                [selfplay]\ngames_per_shard = 1\n[search]\nvisits = 4\n[net]\nchannels = 8\nblocks = 1\n\
                [train]\nsteps = 2\nbatch = 16\n[gate]\ngames = 2\n";
    fs::write(&config, text).expect("written");
    let [config, run_text] = [&config, &run].map(|path| path.to_str().expect("a UTF-8 path"));
    stdout(&["loop", "--quiet", "--threads", "2", "--config", config, "--run", run_text]);
    let rules_in = |data: &Path| -> Vec<String> {
        let reader = Reader::open(data, OnBroken::Fail).expect("a dataset");
        reader.shards().iter().map(|shard| shard.file(Table::Games).rules().to_owned()).collect()
    };
    let played = rules_in(&run.join("data"));
    let by = |name: &str| played.iter().filter(|rules| *rules == name).count();
    assert_eq!((by("tencent"), by("wxf")), (4, 4), "{played:?}");
    for gate in fs::read_dir(run.join("gates")).expect("a folder") {
        let path = gate.expect("an entry").path();
        if path.is_dir() {
            assert!(rules_in(&path).iter().all(|rules| rules == "tencent"), "{}", path.display());
        }
    }
}

#[test]
fn what_is_no_set_of_rules_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("data");
    let cases = [
        ("[]", "expected a list with the name of a rule set"),
        ("7", "expected the name of a rule set, or a list of names"),
        ("[7]", "expected the name of a rule set, or a list of names"),
        ("['wxf', 'wxf']", "two rule sets are called wxf"),
        ("['wxf', 'nosuch']", "nosuch"),
    ];
    for (rules, expected) in cases {
        let rules = format!("rules={rules}");
        let out = out.to_str().expect("a UTF-8 path");
        let error = stderr_of_failure(&["selfplay", "--out", out, "--set", &rules], 2);
        assert!(error.contains(expected) && error.lines().count() == 1, "{rules}: {error}");
    }
    assert!(!out.exists(), "nothing is made before the settings are understood");
}
