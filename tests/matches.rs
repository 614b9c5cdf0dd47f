//! Matches through the program.

use crate::program::{contents, stderr_of_failure, stdout};

fn arguments<'a>(first: &'a str, second: &'a str, games: &'a str, threads: &'a str) -> [&'a str; 13] {
    [
        "match", "--first", first, "--second", second, "--games", games, "--visits", "8", "--quiet",
        "--seed", "3", // Last, so that a test can leave it out by cutting the list short.
        threads,
    ]
}

/// The number that follows `name` in the program's answer.
fn figure(text: &str, name: &str) -> f64 {
    let (_, after) = text.split_once(name).unwrap_or_else(|| panic!("no '{name}' in {text}"));
    after.split([' ', '\n']).next().expect("a word").parse().expect("a number")
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let [one, three] = ["--threads=1", "--threads=3"]
        .map(|threads| stdout(&arguments("material", "uniform", "300", threads)));
    assert_eq!(one, three);
    assert!(one.contains("over 300 games in 150 pairs"), "{one}");
}

#[test]
fn material_beats_random_play_from_either_side_of_the_score() {
    let won = stdout(&arguments("material", "random", "60", "--threads=2"));
    let lost = stdout(&arguments("random", "material", "60", "--threads=2"));
    for score in ["score ", "less luck: score "] {
        assert!(figure(&won, score) > 80.0, "{won}");
        assert!(figure(&lost, score) < 20.0, "{lost}");
    }
}

#[test]
fn a_player_may_bring_settings_of_its_own() {
    let first = "material,visits=16,search.unopened=parent";
    let text = stdout(&arguments(first, "material", "20", "--threads=2"));
    let heading = format!("{first} against material, 8 visits a move, luck by material\n");
    assert!(text.starts_with(&heading), "{text}");
}

#[test]
fn a_player_with_little_time_still_moves() {
    let text = stdout(&arguments("material,seconds=0.000001", "random", "4", "--threads=2"));
    assert!(text.contains("over 4 games in 2 pairs"), "{text}");
}

#[test]
fn a_match_that_was_cut_off_goes_on_to_the_same_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("match");
    let mut play = arguments("material", "random", "160", "--threads=2").to_vec();
    play.extend(["--out", out.to_str().expect("UTF-8")]);
    let (answer, games) = (stdout(&play), contents(&out));
    assert_eq!(games.keys().filter(|path| path.ends_with(".parquet")).count(), 40, "{:?}", games.keys());
    std::fs::remove_file(out.join("games/00001.parquet")).expect("a shard");
    std::fs::remove_file(out.join("games/00002.parquet")).expect("a shard");
    assert_eq!(stdout(&play), answer);
    assert!(contents(&out) == games, "the folder's bytes differ");
    // Another judge is another match: choosing it after the results would bias them. So are shards of another size.
    for (other, line) in [("--judge=uniform", "judge"), ("--set=pairs_per_shard=32", "pairs_per_shard = 4")] {
        let errors = stderr_of_failure(&[&play[..], &[other]].concat(), 2);
        assert!(errors.contains("holds another run") && errors.contains(line), "{errors}");
    }
}

#[test]
fn a_sequential_test_stops_by_itself_at_the_same_pair_and_keeps_the_same_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let play = |threads: &str, out: &str| {
        let out = folder.path().join(out);
        let play = arguments("material,visits=16", "random", "2000", threads);
        let answer = stdout(&[&play[..], &["--sprt=0,100", "--out", out.to_str().expect("UTF-8")]].concat());
        (answer, contents(&out))
    };
    let (one, games) = play("--threads=1", "one");
    assert!((one.clone(), games) == play("--threads=3", "three"), "another answer, or other games");
    assert!(one.ends_with("sequential test 0,100,0.05,0.05: the larger difference accepted\n"), "{one}");
    assert!(figure(&one, "over ") < 200.0, "{one}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    let table = [
        ("material", "uniform", "7", "an even number"),
        ("material", "uniform", "0", "an even number"),
        ("nobody", "uniform", "2", "no player 'nobody'"),
        ("material,visits=0", "uniform", "2", "`visits=0`"),
        ("material,depth=3", "uniform", "2", "`depth=3`"),
        ("material,seconds=-1", "uniform", "2", "`seconds=-1`"),
        ("random,visits=3", "uniform", "2", "random does not search"),
        ("material,", "uniform", "2", "KEY=VALUE"),
        (".", "uniform", "2", "not a checkpoint"),
        ("net=nowhere", "uniform", "2", "no player 'net=nowhere'"),
    ];
    for (first, second, games, expected) in table {
        let errors = stderr_of_failure(&arguments(first, second, games, "--threads=2"), 2);
        assert!(errors.contains(expected), "{first}: {errors}");
    }
    for (flag, expected) in [
        ("--sprt=5", "expected ELO0,ELO1"),
        ("--judge=random", "judge `random`"),
        ("--judge=material,seconds=1", "does not repeat"),
        ("--set=pairing=dice", "`pairing=dice`"),
    ] {
        let mut play = arguments("material", "uniform", "2", "--threads=1").to_vec();
        play.push(flag);
        let errors = stderr_of_failure(&play, 2);
        assert!(errors.contains(expected), "{flag}: {errors}");
    }
    assert!(stderr_of_failure(&["match", "--first", "random"], 2).contains("--second PLAYER"));
}
