//! Self-play through the program: the same files whatever the threads, and whatever interrupts it.

use std::path::Path;
use std::time::Duration;

use facedown::game::EndReason;
use facedown::record::{GameRecord, OnBroken, Reader};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::program::{contents, facedown, stderr_of_failure, stdout};

/// A small run: 48 games in 12 shards.
fn arguments<'a>(out: &'a str, threads: &'a str) -> Vec<&'a str> {
    let settings = ["--set", "selfplay.games_per_shard=4", "--set", "selfplay.slots=4"];
    let mut arguments =
        vec!["selfplay", "--quiet", "--games", "48", "--net", "material", "--visits", "8", "--seed", "5"];
    arguments.extend(settings);
    arguments.extend(["--out", out, "--threads", threads]);
    arguments
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a UTF-8 path")
}

#[test]
fn the_files_do_not_depend_on_the_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, three] = ["one", "three"].map(|name| folder.path().join(name));
    stdout(&arguments(text(&one), "1"));
    stdout(&arguments(text(&three), "3"));
    assert_eq!(contents(&one).keys().filter(|name| name.ends_with(".parquet")).count(), 24);
    assert!(contents(&one) == contents(&three), "the same bytes");
}

#[test]
fn a_run_killed_at_any_moment_leaves_whole_shards_and_is_completed_with_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let [calm, killed] = ["calm", "killed"].map(|name| folder.path().join(name));
    let started = std::time::Instant::now();
    stdout(&arguments(text(&calm), "2"));
    let whole_run = started.elapsed();
    let expected = contents(&calm);

    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut cut_short = 0;
    for _ in 0..10 {
        let mut run = facedown(&arguments(text(&killed), "2")).spawn().expect("the program starts");
        std::thread::sleep(whole_run.mul_f64(rng.random_range(0.0..0.3)));
        cut_short += u32::from(run.try_wait().expect("a child").is_none());
        // Child::kill sends SIGKILL: the program gets no chance to tidy up.
        run.kill().expect("killed");
        run.wait().expect("a child");
        if killed.exists() {
            for (name, bytes) in contents(&killed) {
                let final_name = name.ends_with(".parquet");
                assert!(!final_name || expected.get(&name) == Some(&bytes), "{name} is whole");
            }
        }
    }
    assert!(cut_short >= 3, "most runs were cut short, not finished");
    stdout(&arguments(text(&killed), "2"));
    assert!(contents(&killed) == expected, "the same files with the same bytes, and nothing else");
}

#[test]
fn an_interrupted_run_stops_in_time_and_says_how_to_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("data");
    let mut long = arguments(text(&out), "2");
    long[3] = "100000";
    let mut run = facedown(&long).stderr(std::process::Stdio::piped()).spawn().expect("the program starts");
    // Give the signal only once the handler is surely there: a first shard has been written.
    while !out.join("games").is_dir() || std::fs::read_dir(out.join("games")).expect("a folder").count() == 0
    {
        assert!(run.try_wait().expect("a child").is_none(), "the run goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent =
        std::process::Command::new("kill").args(["-INT", &run.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let output = run.wait_with_output().expect("a child");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("interrupted"), "{errors}");
    assert!(contents(&out).keys().all(|name| !name.ends_with(".tmp")), "nothing half-written is left");
}

fn games(folder: &Path) -> Vec<GameRecord> {
    Reader::open(folder, OnBroken::Fail)
        .expect("a dataset")
        .records()
        .collect::<Result<_, _>>()
        .expect("read")
}

#[test]
fn cheap_plies_have_few_visits_and_are_no_policy_target() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("data");
    let mut cheap = arguments(text(&out), "2");
    let settings = [
        "search.root=puct",
        "selfplay.cheap_share=0.75",
        "selfplay.cheap_visits=3",
        "selfplay.audit_share=0.1",
    ];
    cheap.extend(settings.iter().flat_map(|setting| ["--set", setting]));
    stdout(&cheap);
    let (mut full, mut plies) = (0.0, 0.0);
    for ply in games(&out).iter().flat_map(|game| &game.plies) {
        let target: Option<f32> = ply.candidates.iter().map(|candidate| candidate.target).sum();
        if !ply.full_search {
            assert!(ply.visits <= 3 && !ply.audited && target.is_none(), "{ply:?}");
        } else if !ply.audited {
            assert!(ply.visits == 8 || ply.candidates.len() == 1, "{ply:?}");
        }
        if ply.full_search {
            assert!((target.expect("a target") - 1.0).abs() < 0.002, "{ply:?}");
        }
        if !ply.audited {
            (full, plies) = (full + f64::from(u8::from(ply.full_search)), plies + 1.0);
        }
    }
    let share: f64 = full / plies;
    // Five standard errors.
    assert!((share - 0.25).abs() < 5.0 * (0.25 * 0.75 / plies).sqrt(), "{share} of {plies}");
}

#[test]
fn a_gumbel_target_leaves_a_rest_to_moves_not_visited() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("data");
    let mut gumbel = arguments(text(&out), "2");
    gumbel.extend(["--set", "search.root=gumbel", "--set", "search.gumbel.value_scale=0.02"]);
    stdout(&gumbel);
    let mut rests = 0;
    for ply in games(&out).iter().flat_map(|game| &game.plies) {
        let target: f32 = ply.candidates.iter().map(|candidate| candidate.target.expect("a target")).sum();
        assert!(target > 0.0 && target < 1.002, "{ply:?}");
        assert!(ply.explored || ply.chosen_with.is_none(), "a draw by noise has no closed form");
        rests += u32::from(target < 0.9);
    }
    assert!(rests > 100, "{rests}");
}

/// The ply before which a game would be given up where two plies of a player in a row are below -0.4.
fn hopeless_by(game: &GameRecord) -> Option<u16> {
    let mut in_a_row = [0; 2];
    for ply in &game.plies {
        let count = &mut in_a_row[usize::from(ply.seat)];
        *count = if ply.value < -0.4 { *count + 1 } else { 0 };
        if *count == 2 {
            return Some(ply.ply);
        }
    }
    None
}

#[test]
fn lost_games_are_given_up_but_for_some_that_are_played_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let play = |name: &str, settings: &[&str]| {
        let out = folder.path().join(name);
        let mut play = arguments(text(&out), "2");
        play.extend(settings.iter().flat_map(|setting| ["--set", setting]));
        stdout(&play);
        games(&out)
    };
    let rule = ["selfplay.resign.hopeless=0.4", "selfplay.resign.plies=2"];
    let patient = play("patient", &[]);
    let tested = play("tested", &[&rule[..], &["selfplay.resign.played_out=1"]].concat());
    let resigned = play("resigned", &[&rule[..], &["selfplay.resign.played_out=0.3"]].concat());
    let moves = |game: &GameRecord| game.plies.iter().map(|ply| ply.mv.clone()).collect::<Vec<_>>();
    let (mut given_up, mut played_out) = (0, 0);
    for ((patient, tested), resigned) in patient.iter().zip(&tested).zip(&resigned) {
        // Whoever would give up still plays the same game, and the first moment is noted.
        assert!(patient.resigned_at.is_none() && tested.end_reason != EndReason::Resignation);
        assert_eq!((moves(patient), patient.result), (moves(tested), tested.result));
        let expected = hopeless_by(tested);
        assert_eq!((tested.resigned_at, resigned.resigned_at), (expected, expected));
        if resigned.end_reason != EndReason::Resignation {
            assert_eq!(resigned.plies, tested.plies);
            played_out += u32::from(expected.is_some());
            continue;
        }
        given_up += 1;
        let at = usize::from(expected.expect("a hopeless game"));
        assert_eq!(moves(resigned), moves(tested)[..at]);
        assert_eq!(resigned.result, if at % 2 == 0 { -1 } else { 1 }, "the mover gave up");
        assert!(
            resigned.plies.iter().all(|ply| ply.result == resigned.result * [1, -1][usize::from(ply.seat)])
        );
    }
    assert!(given_up > 10 && played_out > 2, "{given_up} given up, {played_out} played out");
}

#[test]
fn a_folder_of_another_run_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("data");
    stdout(&arguments(text(&out), "2"));
    let mut other = arguments(text(&out), "2");
    let seed = other.iter().position(|&argument| argument == "5").expect("the seed");
    other[seed] = "6";
    let errors = stderr_of_failure(&other, 2);
    assert!(errors.contains("another run"), "{errors}");
}
