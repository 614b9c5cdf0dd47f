//! `facedown bench`: the figures it gives hang together.

use serde_json::Value;

use crate::program::{stderr_of_failure, stdout};

const SMALL: [&str; 12] = [
    "--set",
    "net.channels=8",
    "--set",
    "net.blocks=1",
    "--set",
    "selfplay.slots=16",
    "--set",
    "search.visits=8",
    "--rounds",
    "2",
    "--slice",
    "60",
];

fn number(of: &Value, key: &str) -> f64 {
    of[key].as_f64().unwrap_or_else(|| panic!("a number for {key}: {of}"))
}

#[test]
fn ratios_and_shares_follow_from_the_speeds() {
    for game in ["jieqi", "banqi"] {
        let mut arguments = vec!["bench", "--json", "--quiet", "--threads", "2", "--game", game];
        arguments.extend(SMALL);
        let speed: Value = serde_json::from_str(&stdout(&arguments)).expect("JSON");
        assert_eq!((number(&speed, "threads"), number(&speed, "batch")), (2.0, 16.0));
        assert!(number(&speed, "mean_batch") > 15.0, "tables are never empty: {speed}");
        // No more: slices this short say little on a machine that has other work.
        let ratio = number(&speed, "selfplay_ratio");
        assert!(number(&speed, "raw_positions_per_s") > 0.0 && ratio > 0.0 && ratio.is_finite(), "{speed}");
        let shares = &speed["share_of_time"];
        let shares = ["search", "planes", "net", "writing", "waiting"].map(|stage| number(shares, stage));
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{speed}");
        assert!(shares[..4].iter().all(|&share| share > 0.0 && share < 1.0), "{speed}");
        let one = &speed["one_thread"];
        let gains = number(one, "selfplay_gain") / number(one, "raw_gain");
        assert!((gains - number(one, "gain_ratio")).abs() < 1e-9, "{speed}");
    }
}

#[test]
fn one_thread_has_no_gain_to_tell_and_a_player_without_a_network_no_speed() {
    let mut arguments = vec!["bench", "--quiet", "--threads", "1"];
    arguments.extend(SMALL);
    let told = stdout(&arguments);
    assert!(told.contains("1 threads") && !told.contains("gain"), "{told}");
    let errors = stderr_of_failure(&["bench", "--net", "material"], 2);
    assert!(errors.contains("--net material: expected the folder of a checkpoint"), "{errors}");
}
