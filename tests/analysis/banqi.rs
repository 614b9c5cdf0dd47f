//! Reports on games of Banqi, and which reports are about one game alone.

use std::fs;
use std::path::Path;

use super::data::{made_up, write};
use super::{analyze, analyzed};
use crate::outside;
use crate::program::stdout;

/// Plays a small dataset of `rules` into `data`.
pub fn play(data: &Path, rules: &str, seed: &str) {
    let data = data.to_str().expect("UTF-8");
    #[rustfmt::skip]
    stdout(&[
        "--game", "banqi", "selfplay", "--games", "30", "--net", "material", "--visits", "16", "--rules", rules,
        "--set", "selfplay.games_per_shard=12", "--set", "selfplay.audit_share=0.2", "--seed", seed, "--quiet", "--out", data,
    ]);
}

#[test]
fn pandas_finds_the_same_figures_to_the_last_digit() {
    // Games under the second go on past most marks of the report on limits.
    for (rules, seed) in [("joypip", "1"), ("joypip", "2"), ("joypip", "3"), ("tcga", "4")] {
        let Some(mut recompute) = outside::python("recompute.py") else { return };
        let folder = tempfile::tempdir().expect("a folder");
        let (data, report) = (folder.path().join("data"), folder.path().join("report"));
        play(&data, rules, seed);
        analyzed("all", &data, &["--out", report.to_str().expect("UTF-8")]);
        let said = outside::stdout({
            recompute.arg(&data).arg(&report);
            recompute
        });
        assert!(said.ends_with(" figures agree\n"), "{rules}, seed {seed}: {said}");
    }
}

#[test]
fn squares_are_folded_by_four_symmetries_and_drawn_as_a_board_of_32() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, out) = (folder.path().join("data"), folder.path().join("out"));
    play(&data, "joypip", "4");
    analyzed("all", &data, &["--out", out.to_str().expect("UTF-8")]);

    let csv = |name: &str| fs::read_to_string(out.join(name).with_extension("csv")).expect(name);
    let flips = csv("flips_squares");
    let squares: Vec<_> = flips.lines().skip(1).map(|row| &row[..2]).collect();
    assert_eq!(squares, ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2"]);
    let first_moves = csv("openings");
    assert!(first_moves.contains("\nc2,c3 f2 f3,"), "{first_moves}");

    let page = fs::read_to_string(out.join("index.html")).expect("a page");
    assert_eq!(page.matches("class=\"lid nobody\"").count() % 32, 0);
    assert!(page.contains("盤棋") && page.contains("claim_q6") && !page.contains("claim_t1"));
}

#[test]
fn a_report_on_one_game_says_so_of_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let (jieqi, banqi) = (folder.path().join("jieqi"), folder.path().join("banqi"));
    write(&jieqi, "wxf", &made_up(2, 1), 9);
    play(&banqi, "joypip", "4");
    for (report, data, expected) in [
        ("flips", &jieqi, "error: this report is about banqi alone, and these are games of jieqi\n"),
        ("limit", &jieqi, "error: this report is about banqi alone, and these are games of jieqi\n"),
    ] {
        let output = analyze(report, data, &[]);
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected, "{report}");
        assert!(output.status.code() == Some(2) && output.stdout.is_empty());
    }
    assert!(!analyzed("all", &jieqi, &[]).contains("# Flips:"));
}
