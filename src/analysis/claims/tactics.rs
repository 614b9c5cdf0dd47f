//! T15: double attacks, pins and mates to come.

use super::{Claim, Expected, Finding, Words};
use crate::analysis::report::Setup;
use crate::analysis::stats::{ClusteredMean, ClusteredShare};
use crate::analysis::story::Story;

/// From so many pieces attacked on it is a double attack.
const TWO: u8 = 2;

/// How often plies threaten, and what comes of it.
#[derive(Debug, Clone, Default)]
pub struct Tactics {
    checks: ClusteredShare,
    doubles: ClusteredShare,
    pins: ClusteredShare,
    mates: ClusteredShare,
    /// Whether the next ply of who made a double attack takes something.
    doubles_that_take: ClusteredShare,
    /// Points for the side that threatens mate, half a point being even.
    result_of_mates: ClusteredMean,
    /// Points of value after a capture with check.
    checking_capture: ClusteredMean,
    /// Points for the side that makes more double attacks in a game than the other.
    result_of_more: ClusteredMean,
}

impl Claim for Tactics {
    const WORDS: Words = Words {
        id: "T15",
        table: "claim_t15",
        claim: "Xiangqi tactics decide: forks, pins and mating patterns.",
        source: "Xiangqi Master, on cờ úp",
        definition: "The result of the side that makes more double attacks than the other: plies after which the \
                     moved piece could win something from two enemy pieces, the king in check among them. A pin \
                     is a piece that may not move for the sake of its king, a mate threat a ply after which the \
                     mover could mate with a face-up piece if it were to move again.",
        settle: "A match of the same player with its sight of double attacks taken away against itself.",
    };

    fn new(_setup: &Setup) -> Self {
        Self::default()
    }

    fn absorb_story(&mut self, story: &Story) {
        let game = story.game_id;
        let mut made = [0, 0];
        for (place, step) in story.steps.iter().enumerate() {
            let Some(tactics) = step.tactics else { return };
            let is_double = tactics.attacked >= TWO;
            self.checks.observe(game, step.check);
            self.doubles.observe(game, is_double);
            self.pins.observe(game, tactics.pinned > 0);
            self.mates.observe(game, tactics.mates > 0);
            if step.check && step.taken.is_some() && step.chosen {
                self.checking_capture.observe(game, 50.0 * step.change());
            }
            if tactics.mates > 0 {
                self.result_of_mates.observe(game, 50.0 * story.result_for(step.seat));
            }
            if is_double {
                made[usize::from(step.seat)] += 1;
                if let Some(next) = story.steps.get(place + 2) {
                    self.doubles_that_take.observe(game, next.taken.is_some() || next.taken_hidden);
                }
            }
        }
        if made[0] != made[1] {
            let more = u8::from(made[1] > made[0]);
            self.result_of_more.observe(game, 50.0 * story.result_for(more));
        }
    }

    fn merge(&mut self, later: Self) {
        self.checks.merge(later.checks);
        self.doubles.merge(later.doubles);
        self.pins.merge(later.pins);
        self.mates.merge(later.mates);
        self.doubles_that_take.merge(later.doubles_that_take);
        self.result_of_mates.merge(later.result_of_mates);
        self.checking_capture.merge(later.checking_capture);
        self.result_of_more.merge(later.result_of_more);
    }

    fn findings(&self) -> Vec<Finding> {
        vec![
            Finding::tested(
                "result of the side with more double attacks",
                "points",
                self.result_of_more.estimate(),
                Expected::Above,
            ),
            Finding::told("plies that check", "%", self.checks.percent()),
            Finding::told("plies that attack two pieces", "%", self.doubles.percent()),
            Finding::told("double attacks that take something next", "%", self.doubles_that_take.percent()),
            Finding::told("plies that leave a piece pinned", "%", self.pins.percent()),
            Finding::told("plies that threaten mate", "%", self.mates.percent()),
            Finding::told(
                "result of the side that threatens mate",
                "points",
                self.result_of_mates.estimate(),
            ),
            Finding::told(
                "change of value after a capture with check",
                "points",
                self.checking_capture.estimate(),
            ),
        ]
    }
}
