//! Live rules as a settings file writes them.

use facedown::game::Profile;
use facedown::referee::{ClockRule, LiveRules};
use facedown::rules::jieqi::JieqiRules;

const SUNWIN: &str = r#"
first_mover = "random-then-loser"
clocks = [
    { budget = 600, per_move = { seconds = 60, overrun_factor = 3 } },
    { budget = 300, per_move = { seconds = 30, overrun_factor = 2 } },
]

[money]
stake = 1.00
mate = 5.00
resignation = 10.00
limits = [1.00, 10.00]
pieces = { R = 0.75, C = 0.30, N = 0.30, A = 0.20, B = 0.20, P = 0.10 }
"#;

const TENCENT: &str = r#"
draw_offers = { own_turn_only = true, after_round = 7 }
clocks = [
    { budget = 300, per_move = { seconds = 60, opening = { moves = 3, seconds = 30 } } },
    { budget = 600, per_move = { seconds = 60, opening = { moves = 3, seconds = 30 } } },
    { budget = 1200, per_move = { seconds = 60, opening = { moves = 3, seconds = 30 } } },
]
"#;

const TUONGKY: &str = "clocks = [{ per_move = { seconds = 60 } }]";

#[test]
fn rules_are_read_and_written_back() {
    for text in ["", "clocks = [{}]", TUONGKY, TENCENT, SUNWIN] {
        let rules: LiveRules = toml::from_str(text).unwrap_or_else(|error| panic!("{error}"));
        let written = toml::to_string(&rules).unwrap();
        assert_eq!(toml::from_str::<LiveRules>(&written).unwrap(), rules, "{written}");
    }
}

fn live(rules: &str) -> LiveRules {
    JieqiRules::load(rules).unwrap().live.clone()
}

#[test]
fn rule_sets_say_what_the_texts_here_say() {
    for (name, text) in [("sunwin", SUNWIN), ("tencent", TENCENT), ("tuongky", TUONGKY), ("comu", "")] {
        assert_eq!(live(name), toml::from_str(text).unwrap(), "{name}");
    }
    for name in ["ziga", "pychess", "pychess-deployed"] {
        assert_eq!(live(name), LiveRules { clocks: vec![ClockRule::default()], ..LiveRules::default() });
    }
}

#[test]
fn nothing_said_is_no_clock_no_money_and_offers_at_any_time() {
    assert_eq!(toml::from_str::<LiveRules>("").unwrap(), LiveRules::default());
    assert_eq!(toml::from_str::<ClockRule>("").unwrap(), ClockRule::default());
}

#[test]
fn wrong_settings_are_refused_with_what_was_expected() {
    let money = |from: &str, to: &str| SUNWIN.replace(from, to);
    let wrong = [
        ("clocks = [{ budget = 0 }]".to_owned(), "expected a nonzero u32"),
        ("clocks = [{ bugdet = 600 }]".to_owned(), "unknown field `bugdet`"),
        (
            "first_mover = \"black\"".to_owned(),
            "expected one of `red`, `in-turn`, `random`, `random-then-loser`",
        ),
        (money("mate = 5.00", "mate = 5.001"), "5.001 is no amount of stakes"),
        (money("mate = 5.00", "mate = -1.0"), "-1 is no amount of stakes"),
        (money("mate = 5.00", "mate = nan"), "NaN is no amount of stakes"),
        (money("[1.00, 10.00]", "[10.00, 1.00]"), "[10.00, 1.00] are no limits"),
        (money("[1.00, 10.00]", "[0.00, 0.00]"), "[0.00, 0.00] are no limits"),
        (money(", P = 0.10", ""), "missing field `P`"),
        (money("stake = 1.00\n", ""), "missing field `stake`"),
    ];
    for (text, reason) in wrong {
        let error = toml::from_str::<LiveRules>(&text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}
