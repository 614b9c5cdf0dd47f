//! Matches through the program.

use crate::program::{stderr_of_failure, stdout};

fn arguments<'a>(first: &'a str, second: &'a str, games: &'a str, threads: &'a str) -> [&'a str; 13] {
    [
        "match", "--first", first, "--second", second, "--games", games, "--visits", "8", "--quiet",
        "--seed", "3", // Last, so that a test can leave it out by cutting the list short.
        threads,
    ]
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
    let score = |text: &str| -> f64 {
        let (_, after) = text.split_once("score ").expect("a score");
        after.split(' ').next().expect("a number").parse().expect("a number")
    };
    let won = score(&stdout(&arguments("material", "random", "60", "--threads=2")));
    let lost = score(&stdout(&arguments("random", "material", "60", "--threads=2")));
    assert!(won > 80.0, "{won}");
    assert!(lost < 20.0, "{lost}");
}

#[test]
fn a_player_may_bring_settings_of_its_own() {
    let text = stdout(&arguments("material,visits=16,unopened=parent", "material", "20", "--threads=2"));
    assert!(
        text.starts_with("material,visits=16,unopened=parent against material, 8 visits a move\n"),
        "{text}"
    );
}

#[test]
fn what_cannot_be_played_is_refused() {
    let table = [
        ("material", "uniform", "7", "an even number"),
        ("material", "uniform", "0", "an even number"),
        ("nobody", "uniform", "2", "no player 'nobody'"),
        ("material,visits=0", "uniform", "2", "`visits=0`"),
        ("material,depth=3", "uniform", "2", "`depth=3`"),
        ("material,", "uniform", "2", "KEY=VALUE"),
        (".", "uniform", "2", "not a checkpoint"),
    ];
    for (first, second, games, expected) in table {
        let errors = stderr_of_failure(&arguments(first, second, games, "--threads=2"), 2);
        assert!(errors.contains(expected), "{first}: {errors}");
    }
}
