//! The networks that come with the program.

use std::fs;

use facedown::net::{Layout, shipped_network};
use facedown::rules::banqi::Banqi;
use facedown::rules::jieqi::Jieqi;

use crate::program::stdout;

/// More bytes than a network that everybody downloads should have.
const MOST_BYTES: u64 = 2_000_000;

#[test]
fn there_is_a_small_one_for_each_game() {
    for layout in [Layout::of::<Jieqi>(), Layout::of::<Banqi>()] {
        let (card, network) = shipped_network(&layout).expect("it comes with the program");
        assert_eq!(card.game, layout.game);
        assert!(card.training.steps > 0 && network.is_finite());
        let weights = format!("assets/{}/weights.safetensors", layout.game);
        assert!(fs::metadata(&weights).expect("a file").len() <= MOST_BYTES, "{weights}");
    }
}

#[test]
fn it_beats_random_play() {
    for game in ["jieqi", "banqi"] {
        let said = stdout(&[
            "match", "--game", game, "--first", "shipped", "--second", "random", "--visits", "4", "--games",
            "24", "--quiet",
        ]);
        let score = said.lines().find_map(|line| line.strip_prefix("score ")).expect("a score");
        let percent: f64 = score.split(' ').next().and_then(|text| text.parse().ok()).expect("a number");
        assert!(percent >= 75.0, "{said}");
    }
}
