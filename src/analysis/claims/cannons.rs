//! T10: before turning a false cannon, compute the odds of what it is.

use super::{Claim, Expected, Finding, Words};
use crate::analysis::board::Board;
use crate::analysis::judged::{Judged, cross_scored};
use crate::analysis::report::Setup;
use crate::analysis::rows::PlyRow;
use crate::analysis::scale::points;
use crate::analysis::stats::{Arm, ClusteredDifference, ClusteredMean};

/// Flips from the squares of cannons.
#[derive(Debug, Clone)]
pub struct FalseCannon {
    board: Board,
    /// Points a reveal swings, from such squares against others.
    swing: ClusteredDifference,
    /// Points of luck: nothing on the mean if the odds are right.
    luck: ClusteredMean,
    /// Points the chosen flip is behind the best one, where a flip of such a square was chosen.
    behind: ClusteredMean,
}

impl Claim for FalseCannon {
    const WORDS: Words = Words {
        id: "T10",
        table: "claim_t10",
        claim: "Before turning a false cannon, compute the odds of what it is.",
        source: "Tượng Kỳ, Cờ Up 2022",
        definition: "How much more the value swings with what turns up from a cannon's square than from others; \
                     the mean of expected against realised value; and how far the chosen flip is behind the \
                     best, chosen and scored apart.",
        settle: "A match of the same player that takes the start pool's odds for flips from these squares \
                 against itself.",
    };

    fn new(setup: &Setup) -> Self {
        Self {
            board: setup.board,
            swing: ClusteredDifference::default(),
            luck: ClusteredMean::default(),
            behind: ClusteredMean::default(),
        }
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        if !ply.kind.is_flip() {
            return;
        }
        let from = self.board.point(ply.from);
        let is_cannon = from.and_then(|from| self.board.home_role(from)) == Some(b'C');
        if let Some(luck) = ply.luck() {
            let arm = if is_cannon { Arm::Exposed } else { Arm::Free };
            self.swing.observe(ply.game_id, arm, 50.0 * luck.abs());
            if is_cannon {
                self.luck.observe(ply.game_id, 50.0 * luck);
            }
        }
        if is_cannon && ply.audited && !ply.explored {
            let flips = ply.candidates().iter().filter(|candidate| candidate.kind.is_flip());
            let flips: Vec<Judged<'_>> = flips.filter_map(Judged::of).collect();
            let chosen = flips.iter().find(|judged| judged.candidate.mv == ply.mv);
            if let (Some(best), Some(chosen)) = (cross_scored(&flips), chosen) {
                // The search that chose the move must not score it too.
                self.behind.observe(ply.game_id, points(best, chosen.second()));
            }
        }
    }

    fn merge(&mut self, later: Self) {
        self.swing.merge(later.swing);
        self.luck.merge(later.luck);
        self.behind.merge(later.behind);
    }

    fn findings(&self) -> Vec<Finding> {
        vec![
            Finding::tested(
                "swing more than from other squares",
                "points",
                self.swing.estimate(),
                Expected::Above,
            ),
            Finding::told("realised less expected value", "points", self.luck.estimate()),
            Finding::told("chosen flip behind the best flip", "points", self.behind.estimate()),
        ]
    }
}
