//! T6: captures of face-down pieces that could not get away.

use super::{Claim, Expected, Finding, Words};
use crate::analysis::board::Points;
use crate::analysis::report::Setup;
use crate::analysis::stats::{Arm, ClusteredDifference, ClusteredMean, ClusteredShare};
use crate::analysis::story::{Step, Story};

/// A piece that was locked for so many turns of its owner is dead.
const TURNS: usize = 6;

/// Captures of face-down pieces, locked ones against others.
#[derive(Debug, Clone, Default)]
pub struct DeadPieces {
    /// Points of value after the capture.
    change: ClusteredDifference,
    /// Whether value is lost by a capture of a locked piece.
    loses: ClusteredShare,
    /// Captures of dead pieces, by game.
    dead: ClusteredMean,
}

impl Claim for DeadPieces {
    const WORDS: Words = Words {
        id: "T6",
        table: "claim_t6",
        claim: "Do not casually take pieces that stand locked on dead squares.",
        source: "Tượng Kỳ, Cờ Up 2022",
        definition: "Change of value after captures of locked face-down pieces less that after captures of free \
                     ones. A piece is dead if it was locked at each of its owner's last six turns.",
        settle: "A match of the same player with such captures forbidden against itself.",
    };

    fn new(_setup: &Setup) -> Self {
        Self::default()
    }

    fn absorb_story(&mut self, story: &Story) {
        let mut locked: [Vec<Points>; 2] = Default::default();
        let mut dead = 0;
        for step in &story.steps {
            let Some(tactics) = step.tactics else { return };
            let owner = usize::from(1 - step.seat);
            if step.taken_hidden && tactics.locked_enemy.contains(step.to) {
                dead += u32::from(stood_locked(&locked[owner], step));
                self.observe(story.game_id, Arm::Exposed, step);
            } else if step.taken_hidden {
                self.observe(story.game_id, Arm::Free, step);
            }
            locked[usize::from(step.seat)].push(tactics.locked_own);
        }
        self.dead.observe(story.game_id, f64::from(dead));
    }

    fn merge(&mut self, later: Self) {
        self.change.merge(later.change);
        self.loses.merge(later.loses);
        self.dead.merge(later.dead);
    }

    fn findings(&self) -> Vec<Finding> {
        vec![
            Finding::tested(
                "change of value, captures of locked pieces less those of free ones",
                "points",
                self.change.estimate(),
                Expected::Below,
            ),
            Finding::told("captures of locked pieces that lose value", "%", self.loses.percent()),
            Finding::told("captures of dead pieces", "a game", self.dead.estimate()),
        ]
    }
}

impl DeadPieces {
    fn observe(&mut self, game: u64, arm: Arm, step: &Step) {
        if !step.chosen {
            return;
        }
        self.change.observe(game, arm, 50.0 * step.change());
        if arm == Arm::Exposed {
            self.loses.observe(game, step.change() < 0.0);
        }
    }
}

/// Whether the piece that `step` takes was locked at each of its owner's last turns.
fn stood_locked(turns: &[Points], step: &Step) -> bool {
    turns.len() >= TURNS && turns[turns.len() - TURNS..].iter().all(|locked| locked.contains(step.to))
}
