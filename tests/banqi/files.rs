//! Files of one game in the hands of the other: never mixed, and refused in one line that names both.

use std::path::Path;

use crate::program::{stderr_of_failure, stdout};

fn dataset(game: &str, data: &Path) -> String {
    let data = data.to_str().expect("UTF-8").to_owned();
    stdout(&[
        "--game",
        game,
        "selfplay",
        "--games=8",
        "--net=material",
        "--visits=2",
        "--quiet",
        "--out",
        &data,
    ]);
    data
}

#[test]
fn texts_and_rules_of_the_other_game_are_refused() {
    let jieqi = "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX w";
    let banqi = "8/3kP3/8/8 b - 0";
    for (arguments, expected) in [
        (
            &["--game=banqi", "moves", "--position", jieqi][..],
            "'x'; expected a piece letter, '?', a digit 1 to 8",
        ),
        (&["--game=banqi", "perft", "--depth=1", "--position", jieqi], "byte 0: 'x'"),
        (&["--game=banqi", "solve", "--position", jieqi], "byte 0: 'x'"),
        (&["moves", "--position", banqi], "the end of rank 9 after 8 files; expected 9 files"),
        (&["solve", "--position", banqi], "the end of rank 9 after 8 files"),
        (
            &["--game=banqi", "--rules=wxf", "moves"],
            "unknown rules 'wxf': expected one of joypip, joypip-30,",
        ),
        (&["--rules=tcga", "moves"], "unknown rules 'tcga': expected one of wxf,"),
        (
            &["--game=banqi", "--rules=configs/rules/jieqi/wxf.toml", "moves"],
            "unknown field `captured_hidden`",
        ),
        (&["--rules=configs/rules/banqi/tcga.toml", "moves"], "configs/rules/banqi/tcga.toml:"),
        (
            &["--game=banqi", "convert", "--from=view", "--to=pikafish", banqi],
            "banqi has one form of text; expected --from view --to view",
        ),
        (&["--game=xiangqi", "moves"], "unknown game 'xiangqi'"),
    ] {
        let errors = stderr_of_failure(arguments, 2);
        assert!(errors.contains(expected), "{arguments:?}: {errors}does not say: {expected}");
    }
}

#[test]
fn a_dataset_of_the_other_game_is_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let jieqi = dataset("jieqi", &folder.path().join("jieqi"));
    let banqi = dataset("banqi", &folder.path().join("banqi"));
    let before = [&jieqi, &banqi].map(|data| crate::program::contents(Path::new(data)));
    for (asked, data, held) in [("banqi", &jieqi, "jieqi"), ("jieqi", &banqi, "banqi")] {
        let asked = format!("--game={asked}");
        let errors = stderr_of_failure(&[&asked, "selfplay", "--games=8", "--out", data], 2);
        assert!(errors.contains("holds another run: rules.toml, line 1"), "{errors}");
        let errors = stderr_of_failure(&[&asked, "analyze", "summary", "--data", data], 2);
        assert!(errors.contains(&format!("the dataset holds games of {held}")), "{errors}");
    }
    let after = [&jieqi, &banqi].map(|data| crate::program::contents(Path::new(data)));
    assert!(before == after);
}

#[cfg(feature = "torch")]
#[test]
fn a_checkpoint_of_the_other_game_plays_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let mut nets = Vec::new();
    let data = ["jieqi", "banqi"].map(|game| dataset(game, &folder.path().join(game)));
    for (game, data) in ["jieqi", "banqi"].into_iter().zip(&data) {
        let (game, net) = (format!("--game={game}"), place(&format!("{game}-net")));
        let small = ["--set=net.channels=8", "--set=net.blocks=1", "--set=train.batch=32", "--quiet"];
        stdout(&[&[&game, "train", "--data", data, "--out", &net, "--steps=2"][..], &small].concat());
        let versus = ["match", "--first", &net, "--second=random", "--games=4", "--visits=2", "--quiet"];
        assert!(stdout(&[&[&*game][..], &versus].concat()).contains("over 4 games in 2 pairs"));
        nets.push(net);
    }
    for (asked, net, data, held) in
        [("banqi", &nets[0], &data[0], "jieqi"), ("jieqi", &nets[1], &data[1], "banqi")]
    {
        let game = format!("--game={asked}");
        let misfit = format!("does not fit: the game is {held} there, expected {asked}");
        let out = place("out");
        for command in [
            &["match", "--first", net, "--second=random", "--games=2", "--visits=2"][..],
            &["selfplay", "--net", net, "--games=2", "--visits=2", "--out", &out],
            &["uci", "--net", net],
        ] {
            let errors = stderr_of_failure(&[&[&*game][..], command].concat(), 2);
            assert!(errors.contains(&misfit), "{command:?}: {errors}");
        }
        let errors = stderr_of_failure(&[&game, "train", "--data", data, "--out", &out, "--steps=2"], 2);
        assert!(errors.contains(&format!("holds games of {held}; expected {asked}")), "{errors}");
        assert!(!Path::new(&out).exists(), "nothing is made for a run that cannot be");
    }
}
