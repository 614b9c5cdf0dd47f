//! Rule sets as text: what is read, and what is refused where.

use std::collections::HashSet;
use std::fmt::Write;

use facedown::game::Profile;
use facedown::rules::jieqi::JieqiRules;

use super::named;

/// A rule set whose lines the complaints below count.
const RULES: &str = "\
name = \"mine\"
captured_hidden = \"both\"
no_capture_plies = 120
reveal_resets_counter = false
neutral_repetition = 3
protected = \"basic\"
chase_exempt_attackers = [\"K\", \"P\"]

[check_rule.consecutive]
per_piece = false
limits = [6, 12, 18]
on_exceed = \"lose\"

[chase_rule.repetition]
folds = 3

[live]
first_mover = \"random-then-loser\"
clocks = [{ budget = 600, per_move = { seconds = 60, overrun_factor = 3 } }]
draw_offers = { own_turn_only = true, after_round = 7 }

[live.money]
stake = 1.0
mate = 5.0
resignation = 10.0
limits = [1.0, 10.0]
pieces = { R = 0.75, C = 0.3, N = 0.3, A = 0.2, B = 0.2, P = 0.1 }
";

#[test]
fn rules_that_never_end_a_game_or_say_nonsense_are_refused_with_their_place() {
    assert!(JieqiRules::from_toml(RULES, "mine.toml").is_ok());
    let cases = [
        ("no_capture_plies = 120", "", "1:1", "neither no_capture_plies nor ply_cap"),
        ("120", "0", "3:20", "no_capture_plies is 0; expected 1 to 9999"),
        ("120", "646", "3:20", "no_capture_plies is 646; expected at most 645, or a game could outlast"),
        ("120\nreveal_resets_counter = false", "328\nreveal_resets_counter = true", "3:20", "at most 327"),
        ("120", "\"many\"", "3:20", "no_capture_plies: invalid type"),
        ("= 3", "= 1", "5:22", "neutral_repetition is 1; expected 2 to 9"),
        ("\"both\"", "\"owner\"", "2:19", "captured_hidden: unknown variant `owner`"),
        ("name", "colour = 1\nname", "1:1", "unknown field `colour`"),
        ("\"mine\"", "\"a b\"", "1:8", "name is 'a b'"),
        ("name = \"mine\"", "", "1:1", "missing field `name`"),
        (
            "no_capture_plies = 120\nreveal_resets_counter = false",
            "ply_cap = 9\nreveal_resets_counter = true",
            "4:25",
            "reveal_resets_counter is true without no_capture_plies",
        ),
        ("\"basic\"", "\"some\"", "6:13", "protected: unknown variant `some`"),
        ("[\"K\", \"P\"]", "[\"K\", \"Q\"]", "7:26", "chase_exempt_attackers is [\"K\", \"Q\"]; expected"),
        ("check_rule.", "check_rules.", "9:2", "unknown field `check_rules`"),
        ("check_rule.consecutive", "check_rule.sometimes", "9:13", "unknown variant `sometimes`"),
        ("per_piece", "by_piece", "10:1", "unknown field `by_piece`"),
        ("false\nlimits", "true\nlimits", "11:10", "check_rule.consecutive.limits differ although per_piece"),
        ("[6, 12, 18]", "[6, 12]", "11:10", "[6, 12]; expected three numbers"),
        ("[6, 12, 18]", "[6, 12, 100]", "11:10", "expected numbers from 1 to 99"),
        ("[6, 12, 18]", "[6, 12, 6]", "11:10", "expected limits that do not fall"),
        ("\"lose\"", "\"win\"", "12:13", "on_exceed: unknown variant `win`"),
        ("folds = 3", "folds = 1", "15:9", "chase_rule.repetition.folds is 1; expected 2 to 9"),
        ("folds = 3", "folds = 4", "5:22", "neutral_repetition is 3, below the 4 folds"),
        ("folds = 3", "", "14:1", "missing field `folds`"),
        ("repetition]\nfolds", "repetition]\nplies = 9\nfolds", "15:1", "unknown field `plies`"),
        (
            "chase_rule.repetition]\nfolds = 3",
            "chase_rule.consecutive]\nby_chaser_count = true\nlimits = [6, 6, 6]\non_exceed = \"lose\"",
            "16:10",
            "chase_rule.consecutive.limits are equal although by_chaser_count is true",
        ),
        (
            "consecutive]\nper_piece = false\nlimits = [6, 12, 18]\non_exceed = \"lose\"",
            "repetition]\nfolds = 2",
            "12:2",
            "chase_rule.repetition.folds is 3, check_rule.repetition.folds is 2; expected the same",
        ),
        ("first_mover", "last_mover", "18:1", "unknown field `last_mover`"),
        ("random-then-loser", "black", "18:15", "first_mover: unknown variant `black`"),
        ("600", "0", "19:22", "budget: invalid value"),
        ("seconds = 60", "minutes = 1", "19:40", "unknown field `minutes`"),
        ("seconds = 60", "seconds = -60", "19:50", "seconds: invalid value"),
        ("after_round = 7", "after_round = true", "20:53", "after_round: invalid type"),
        ("[live.money]", "[live.cash]", "22:7", "unknown field `cash`"),
        ("mate = 5.0", "mate = 5.001", "24:8", "mate: 5.001 is no amount of stakes"),
        ("[1.0, 10.0]", "[10.0, 1.0]", "26:10", "[10.00, 1.00] are no limits"),
        (", P = 0.1", "", "27:10", "pieces: missing field `P`"),
        ("\"both\"", "\"nobody\"", "2:19", "captured_hidden is \"nobody\" although live.money"),
        ("[chase_rule.repetition]", "[check_rule.repetition]", "9:2", "check_rule: wanted exactly 1 element"),
    ];
    let mut wrong = String::new();
    for (part, other, place, message) in cases {
        let text = RULES.replacen(part, other, 1);
        let error = JieqiRules::from_toml(&text, "mine.toml").unwrap_err().to_string();
        if !error.starts_with(&format!("mine.toml:{place}: ")) || !error.contains(message) {
            writeln!(wrong, "{error}, not {place}: {message}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_rule_set_reads_back_from_its_own_text() {
    for (name, _) in JieqiRules::BUILT_IN {
        let rules = named(name);
        assert_eq!(rules.name(), *name);
        assert_eq!(JieqiRules::from_toml(&rules.to_toml(), "its text").unwrap(), *rules);
    }
    let fingerprints: HashSet<_> =
        JieqiRules::BUILT_IN.iter().map(|(name, _)| named(name).fingerprint()).collect();
    assert_eq!(fingerprints.len(), JieqiRules::BUILT_IN.len());
}

#[test]
fn a_file_of_the_users_own_works_by_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, RULES).unwrap();
    let rules = JieqiRules::load(path.to_str().unwrap()).unwrap();
    assert_eq!(*rules, JieqiRules::from_toml(RULES, "a test").unwrap());
    std::fs::write(&path, RULES.replace("per_piece", "by_piece")).unwrap();
    let error = JieqiRules::load(path.to_str().unwrap()).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}:10:1: unknown field `by_piece`", path.display())), "{error}");
}

#[test]
fn every_key_is_explained_in_each_built_in_rule_set_that_has_it() {
    for (name, text) in JieqiRules::BUILT_IN {
        let mut explained = false;
        for line in text.lines() {
            match line {
                "" => explained = false,
                _ if line.starts_with('#') => explained = true,
                // The name explains itself; the keys of a table stand under its comment.
                _ => assert!(explained || line.starts_with("name"), "{name}: {line}"),
            }
        }
    }
}
