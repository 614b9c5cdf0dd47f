//! Q5: the count of plies without a flip or a capture, and who makes use of it.

use crate::analysis::claims::{Claim, Expected, Finding, Words};
use crate::analysis::report::Setup;
use crate::analysis::rows::Kind;
use crate::analysis::stats::{Arm, ClusteredDifference, ClusteredShare};
use crate::analysis::story::Story;

/// From this count on, a ply that is neither a flip nor a capture is taken for a step towards a draw: the shortest
/// limit that is played by is 30.
const LATE: u16 = 15;

/// Who lets the count run.
#[derive(Debug, Clone, Default)]
pub struct Counter {
    /// Percent of late plies that let it run: of the player behind against the one ahead.
    quiet: ClusteredDifference,
    drawn: ClusteredShare,
    /// Of games in which the count came so far.
    drawn_late: ClusteredShare,
}

impl Claim for Counter {
    const WORDS: Words = Words {
        id: "Q5",
        table: "claim_q5",
        claim: "The count of plies without a flip or a capture is a resource of the weaker side.",
        source: "JoyPip, on dark chess",
        definition: "After 15 plies without either: how often the player behind, by the search's value, lets the \
                     count run on, less how often the player ahead does; and how many games are drawn by it.",
        settle: "The same player's games under limits of 30, 50, 100 and 180 plies, side by side: rows say nothing \
                 of a limit that was not played by.",
    };

    fn new(_setup: &Setup) -> Self {
        Self::default()
    }

    fn absorb_story(&mut self, story: &Story) {
        let (mut count, mut longest) = (0_u16, 0_u16);
        for step in &story.steps {
            let is_quiet = step.kind == Kind::Move;
            if count >= LATE && step.chosen && step.value != 0.0 {
                let arm = if step.value < 0.0 { Arm::Exposed } else { Arm::Free };
                self.quiet.observe(story.game_id, arm, if is_quiet { 100.0 } else { 0.0 });
            }
            count = if is_quiet { count + 1 } else { 0 };
            longest = longest.max(count);
        }
        let by_the_count = story.end_reason == "no-progress";
        self.drawn.observe(story.game_id, by_the_count);
        if longest >= LATE {
            self.drawn_late.observe(story.game_id, by_the_count);
        }
    }

    fn merge(&mut self, later: Self) {
        self.quiet.merge(later.quiet);
        self.drawn.merge(later.drawn);
        self.drawn_late.merge(later.drawn_late);
    }

    fn findings(&self) -> Vec<Finding> {
        vec![
            Finding::tested(
                "late plies that let the count run, of who is behind less of who is ahead",
                "%",
                self.quiet.estimate(),
                Expected::Above,
            ),
            Finding::told("games drawn by the count", "%", self.drawn.percent()),
            Finding::told(
                "games drawn by the count, of those that came so far",
                "%",
                self.drawn_late.percent(),
            ),
        ]
    }
}
