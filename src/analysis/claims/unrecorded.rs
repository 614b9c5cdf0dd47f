//! T6 and T15: claims whose events the rows do not record; what bears on them is told.

use super::{Claim, Finding, Words};
use crate::analysis::report::Setup;
use crate::analysis::rows::PlyRow;
use crate::analysis::stats::{Arm, ClusteredDifference, ClusteredMean, ClusteredShare};
use crate::analysis::story::Story;

/// Captures of face-down pieces.
#[derive(Debug, Clone, Default)]
pub struct DeadPieces {
    /// Points of value after the capture, of face-down pieces against face-up ones.
    change: ClusteredDifference,
    /// Percent of captures of face-down pieces made while some enemy piece was locked.
    while_locked: ClusteredShare,
}

impl Claim for DeadPieces {
    const WORDS: Words = Words {
        id: "T6",
        table: "claim_t6",
        claim: "Do not casually take pieces that stand locked on dead squares.",
        source: "Tượng Kỳ, Cờ Up 2022",
        definition: "Change of value after captures of face-down pieces less that after other captures, and how \
                     often an enemy piece was locked at the time. Whether the piece taken was a locked one is \
                     not recorded.",
        settle: "Recording whether the piece taken was locked, and a match with such captures forbidden.",
    };

    fn new(_setup: &Setup) -> Self {
        Self::default()
    }

    fn absorb_story(&mut self, story: &Story) {
        let captures = story.steps.iter().filter(|step| step.taken.is_some() || step.taken_hidden);
        for step in captures.filter(|step| step.chosen) {
            let arm = if step.taken_hidden { Arm::Exposed } else { Arm::Free };
            self.change.observe(story.game_id, arm, 50.0 * step.change());
            if step.taken_hidden {
                self.while_locked.observe(story.game_id, step.locked_enemy > 0);
            }
        }
    }

    fn merge(&mut self, later: Self) {
        self.change.merge(later.change);
        self.while_locked.merge(later.while_locked);
    }

    fn findings(&self) -> Vec<Finding> {
        vec![
            Finding::told(
                "change of value, face-down captures less others",
                "points",
                self.change.estimate(),
            ),
            Finding::told("face-down captures with an enemy piece locked", "%", self.while_locked.percent()),
        ]
    }
}

/// Checks and mates.
#[derive(Debug, Clone, Default)]
pub struct Tactics {
    checks: ClusteredShare,
    /// Points of value after a check that takes something.
    checking_capture: ClusteredMean,
}

impl Claim for Tactics {
    const WORDS: Words = Words {
        id: "T15",
        table: "claim_t15",
        claim: "Xiangqi tactics decide: forks, pins and mating patterns.",
        source: "Xiangqi Master, on cờ úp",
        definition: "How often plies check, and what a capture with check does to the value. Forks, pins and mate \
                     threats are not recorded.",
        settle: "Recording double attacks, pins and threats of mate for each ply.",
    };

    fn new(_setup: &Setup) -> Self {
        Self::default()
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        self.checks.observe(ply.game_id, ply.check);
        if ply.check && ply.taken.is_some() && ply.full_search {
            let change = 50.0 * (f64::from(ply.next_value) - f64::from(ply.value));
            self.checking_capture.observe(ply.game_id, change);
        }
    }

    fn merge(&mut self, later: Self) {
        self.checks.merge(later.checks);
        self.checking_capture.merge(later.checking_capture);
    }

    fn findings(&self) -> Vec<Finding> {
        vec![
            Finding::told("plies that check", "%", self.checks.percent()),
            Finding::told(
                "change of value after a capture with check",
                "points",
                self.checking_capture.estimate(),
            ),
        ]
    }
}
