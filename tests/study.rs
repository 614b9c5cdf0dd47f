//! Players who keep from some moves: what it costs them is what was planted.

use std::collections::BTreeSet;
use std::sync::Arc;

use facedown::arena::{Counted, End, Judges, Match, Pairing, Standing};
use facedown::eval::Material;
use facedown::game::{Game, PlyKind, Profile, Seat};
use facedown::progress::Silent;
use facedown::rules::jieqi::{Jieqi, JieqiRules};
use facedown::search::SearchConfig;
use facedown::study::{Behaviour, Dose, Trial};
use facedown::tables::{Mind, Past, Player, Prospect, Restraint, Standpoint};

use crate::program::{contents, stderr_of_failure, stdout};

/// Forbids moves of some kinds.
#[derive(Debug)]
struct Without(&'static [PlyKind]);

impl Restraint for Without {
    fn forbids(&self, _standpoint: &Standpoint, moves: &[Prospect]) -> Vec<bool> {
        moves.iter().map(|mv| self.0.contains(&mv.kind)).collect()
    }
}

fn against_itself(kinds: &'static [PlyKind], pairs: u32) -> Standing {
    let rules = JieqiRules::load("wxf").expect("built in");
    let config = SearchConfig { visits: 16.try_into().expect("in range"), ..SearchConfig::default() }
        .without_exploration();
    let mind = Mind::Search { judge: 0, config, time: None };
    let player = |name: &str| Player { name: name.into(), mind: mind.clone(), restraint: None };
    let restrained = Player { restraint: Some(Arc::new(Without(kinds))), ..player("restrained") };
    let contest = Match::<Jieqi> {
        rules: &rules,
        players: [restrained, player("free")],
        pairs,
        pairing: Pairing::Squares,
        mirrored: true,
        pairs_per_shard: 10,
        sprt: None,
        counted: Counted::AsItFell,
        seed: 1,
    };
    let judges = Judges { players: &|| Ok(vec![Box::new(Material)]), luck: &|| Ok(Box::new(Material)) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let standing = contest.play(&pool, &judges, None, &Silent).expect("played");
    assert_eq!(standing.end, End::AllPlayed);
    standing
}

#[test]
fn to_forbid_nothing_is_worth_nothing_to_the_last_digit() {
    let standing = against_itself(&[], 20);
    assert_eq!(standing.score().mean(), 0.5);
    let adjusted = standing.adjusted().expect("pairs");
    assert_eq!((adjusted.mean, adjusted.low, adjusted.high), (0.5, 0.5, 0.5));
    let conduct = standing.conduct();
    assert_eq!((conduct.bound, conduct.breaches), (0, 0));
    assert_eq!(conduct.plies, conduct.free_plies, "the games of a pair are one game with the seats changed");
}

#[test]
fn who_may_not_take_loses() {
    let standing = against_itself(&[PlyKind::Capture, PlyKind::FlipCapture], 20);
    assert!(standing.adjusted().expect("pairs").high < 0.3, "{standing}");
    let conduct = standing.conduct();
    assert!(conduct.bound * 3 > conduct.plies && conduct.bound < conduct.plies, "{conduct:?}");
    assert!(conduct.breaches > 0 && conduct.breaches < conduct.free_plies, "{conduct:?}");
}

/// The flips that a trial leaves the player to move.
fn flips_left(trial: Trial, game: &Jieqi, past: &Past, seat: Seat) -> BTreeSet<String> {
    let Behaviour::Forbids(restraint) = trial.behaviour(&Dose::default()) else { panic!("{trial} forbids") };
    let leave = past.leave(game, seat, restraint.as_ref());
    leave.moves.iter().filter(|&&mv| game.kind(mv).is_flip()).map(ToString::to_string).collect()
}

#[test]
fn each_trial_forbids_what_its_claim_says() {
    let rules = JieqiRules::load("wxf").expect("built in");
    let mut game = Jieqi::start(&rules);
    let mut past = Past::default();
    let front = ["a3a4", "c3c4", "e3e4", "g3g4", "i3i4"].map(str::to_owned);
    assert_eq!(flips_left(Trial::FrontRowFirst, &game, &past, Seat::First), front.into());
    let back = flips_left(Trial::BackRowFirst, &game, &past, Seat::First);
    assert!(!back.is_empty() && back.iter().all(|mv| mv.as_bytes()[1] == b'0'), "{back:?}");
    let all = flips_left(Trial::KeepRooks, &game, &past, Seat::First);
    let free_of = |all: &BTreeSet<String>, home: &str| all.iter().all(|mv| !mv.starts_with(home));
    assert!(free_of(&all, "a0") && free_of(&all, "i0") && !free_of(&all, "b2"), "{all:?}");
    let all = flips_left(Trial::KeepCannons, &game, &past, Seat::First);
    let attacks: Vec<_> = all.iter().filter(|mv| mv.starts_with("b2")).map(String::as_str).collect();
    assert_eq!(attacks, ["b2b5", "b2b6", "b2b9"], "beyond the river, and the capture");

    // The second seat's front row is the sixth rank, and it has turned up nothing yet.
    for (mv, seat) in [("a3a4P", Seat::First), ("a6a5p", Seat::Second)] {
        past.note(seat, PlyKind::Flip);
        let (mv, reveal) = game.parse_ply(mv).expect("a ply");
        game.play(mv, reveal);
    }
    (0..4).for_each(|_| past.note(Seat::Second, PlyKind::Flip));
    let front = flips_left(Trial::FrontRowFirst, &game, &past, Seat::First);
    assert_eq!(front.len(), 4);
    let (mv, reveal) = game.parse_ply("c3c4R").expect("a ply");
    game.play(mv, reveal);
    assert!(flips_left(Trial::FrontRowFirst, &game, &past, Seat::Second).len() > 4, "its five are turned up");
}

fn arguments<'a>(claim: &'a str, games: &'a str, threads: &'a str) -> Vec<&'a str> {
    let player = ["experiment", claim, "--player", "material", "--visits", "4", "--quiet", "--games", games];
    [&player[..], &[threads]].concat()
}

#[test]
fn an_experiment_does_not_depend_on_threads_and_goes_on_where_it_stands() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("kept").to_str().expect("UTF-8").to_owned();
    let answer = stdout(&arguments("T1", "160", "--threads=1"));
    assert!(answer.starts_with("T1: Do not turn a piece onto a square"), "{answer}");
    let mut kept = arguments("t1", "160", "--threads=3");
    kept.extend(["--out", &out]);
    assert_eq!(stdout(&kept), answer);
    let games = contents(out.as_ref());
    std::fs::remove_file(folder.path().join("kept/games/00001.parquet")).expect("a shard");
    assert_eq!(stdout(&kept), answer);
    assert!(contents(out.as_ref()) == games, "the folder's bytes differ");
    kept[1] = "T4-front";
    assert!(stderr_of_failure(&kept, 2).contains("holds another run"));
}

#[test]
fn a_bonus_of_nothing_is_worth_nothing() {
    for (set, expected) in [("dose.lock_bonus=0", Some(50.0)), ("dose.lock_bonus=1", None)] {
        let mut arguments = arguments("T5", "40", "--threads=2");
        arguments.extend(["--json", "--set", set]);
        let answer: serde_json::Value = serde_json::from_str(&stdout(&arguments)).expect("JSON");
        let table = &answer["tables"][0];
        let place = |key| table["columns"].as_array().expect("columns").iter().position(|c| c["key"] == key);
        let score = table["rows"][0][place("value").expect("a column")].as_f64().expect("a score");
        match expected {
            Some(exact) => assert_eq!(score, exact),
            None => assert_ne!(score, 50.0, "a judge who sees locks alone plays otherwise"),
        }
    }
}

#[test]
fn the_sequential_test_has_its_own_verdict() {
    let mut arguments = arguments("T4-back", "400", "--threads=2");
    arguments.push("--sprt=-200,-100");
    let answer = stdout(&arguments);
    assert!(answer.contains("sequential test -200,-100"), "{answer}");
}

#[test]
fn what_cannot_be_tried_is_refused() {
    for (claim, flags, expected) in [
        ("T2", &[][..], "no experiment 'T2': expected T1"),
        ("T1", &["--game", "banqi"], "--game banqi: T1 is about jieqi"),
        ("Q1", &["--game", "jieqi"], "--game jieqi: Q1 is about banqi"),
        ("Q1", &["--rules", "wxf"], "wxf"),
        ("T1", &["--judge", "random"], "judge `random`"),
        ("T1", &["--set", "dose.first_flips=0"], "`dose.first_flips=0`"),
        ("T1", &["--set", "dose.first_flips=16"], "`dose.first_flips=16`"),
        ("T5", &["--set", "dose.lock_bonus=1.5"], "`dose.lock_bonus=1.5`"),
        ("Q1", &["--set", "dose.most_risk=-1"], "`dose.most_risk=-1`"),
    ] {
        let mut arguments = arguments(claim, "2", "--threads=1");
        arguments.extend(flags);
        let errors = stderr_of_failure(&arguments, 2);
        assert!(errors.contains(expected), "{claim} {flags:?}: {errors}");
    }
    assert!(stderr_of_failure(&arguments("T1", "3", "--threads=1"), 2).contains("an even number"));
    let nothing = ["experiment", "--player", "material"];
    assert!(stderr_of_failure(&nothing, 2).contains("no claim named"));
    assert!(stderr_of_failure(&["experiment", "T1"], 2).contains("--player PLAYER"));
    assert!(stderr_of_failure(&["experiment", "T5", "--player", "random"], 2).contains("values nothing"));
}

#[test]
fn a_probe_does_not_depend_on_threads_and_refuses_what_it_cannot_probe() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data").to_str().expect("UTF-8").to_owned();
    stdout(&["selfplay", "--games", "12", "--visits", "4", "--quiet", "--out", &data]);
    let probe = |more: &[&'static str]| {
        let arguments = ["probe", "--data", data.as_str(), "--visits", "4", "--playouts", "2", "--quiet"];
        [&arguments[..], &["--positions", "6"], more].concat()
    };
    let [one, three] =
        ["--threads=1", "--threads=3"].map(|threads| stdout(&probe(&["--player", "material", threads])));
    assert_eq!(one, three);
    assert!(
        one.contains("Probed: 6 positions of games by the rules wxf, each move played out 4 times"),
        "{one}"
    );
    let other = stdout(&probe(&["--player", "material", "--seed", "1", "--json"]));
    let other: serde_json::Value = serde_json::from_str(&other).expect("JSON");
    let columns = other["tables"][0]["columns"].as_array().expect("columns");
    let place = |key| columns.iter().position(|column| column["key"] == key).expect("a column");
    let first = &other["tables"][0]["rows"][0];
    assert_eq!(first[place("games")], 6, "each position is of a game of its own");
    let [low, value, high] =
        ["value_low", "value", "value_high"].map(|key| first[place(key)].as_f64().expect("a figure"));
    assert!(low < value && value < high && low >= -300.0 && high <= 300.0, "{first}");

    for (more, expected) in [
        (&["--player", "random"][..], "expected one that searches by visits"),
        (&["--player", "material,seconds=1"], "expected one that searches by visits"),
        (&[], "--player PLAYER"),
        (&["--player", "material", "--rules", "tencent"], "no games by the rules tencent"),
        (&["--player", "material", "--game", "banqi"], "--game banqi"),
    ] {
        let errors = stderr_of_failure(&probe(more), 2);
        assert!(errors.contains(expected), "{more:?}: {errors}");
    }
    assert!(
        stderr_of_failure(&["probe", "--data", "nowhere", "--player", "material"], 2).contains("nowhere")
    );
    let none = ["probe", "--data", &data, "--player", "material", "--positions", "0"];
    assert!(stderr_of_failure(&none, 2).contains("--positions"));
}

#[test]
fn drawn_moves_are_weighed_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let weighted = |explore: &str, games: &str| {
        let data = folder.path().join(explore).to_str().expect("UTF-8").to_owned();
        let explore = format!("selfplay.explore_share={explore}");
        stdout(&[
            "selfplay", "--games", games, "--visits", "4", "--quiet", "--out", &data, "--set", &explore,
        ]);
        stdout(&["analyze", "weighted", "--data", &data])
    };
    assert!(weighted("0.0", "2").contains("Refused: none of the moves was drawn"));
    let few = weighted("0.02", "4");
    assert!(few.contains("too few observations"), "{few}");
    let enough = weighted("0.5", "48");
    assert!(!enough.contains("Refused") && !enough.contains("too few"), "{enough}");
}
