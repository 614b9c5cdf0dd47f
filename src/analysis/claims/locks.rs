//! T5 and T7: pieces that cannot be turned up without loss.

use super::{Claim, Expected, Finding, Words};
use crate::analysis::board::{Board, Point, Points};
use crate::analysis::report::Setup;
use crate::analysis::stats::{ClusteredMean, ClusteredShare, Regression};
use crate::analysis::story::{Step, Story};

/// The plies at which locks are counted.
const MOMENTS: [usize; 2] = [30, 50];

/// The rest of the game by who has locked more of the other's pieces.
#[derive(Debug, Clone)]
pub struct Locks {
    /// At each moment, the mover's result less later luck on one, its locks more than the opponent's, and the
    /// pieces it has lost less.
    at: [Regression; 2],
}

impl Claim for Locks {
    const WORDS: Words = Words {
        id: "T5",
        table: "claim_t5",
        claim: "Controlling the opponent's face-down pieces and denying their opening matters very much.",
        source: "Tượng Kỳ, Cờ Up 2022",
        definition: "Locked enemy pieces less own locked ones at plies 30 and 50: what one more goes with in the \
                     result less later luck, at equal numbers of pieces lost. A piece is locked if it has no \
                     legal move, or none that risks less than half its pool's mean.",
        settle: "A match of the same player with a bonus for locks in its evaluation against itself.",
    };

    fn new(_setup: &Setup) -> Self {
        Self { at: MOMENTS.map(|_| Regression::new(3)) }
    }

    fn absorb_story(&mut self, story: &Story) {
        let mut lost = [0.0, 0.0];
        for (place, step) in story.steps.iter().enumerate() {
            let (own, enemy) = (usize::from(step.seat), usize::from(1 - step.seat));
            if let Some(moment) = MOMENTS.iter().position(|&moment| moment == place)
                && let Some(luck) = story.luck_from(place, step.seat)
            {
                let locks = f64::from(step.locked_enemy) - f64::from(step.locked_own);
                let y = 50.0 * (story.result_for(step.seat) - luck);
                self.at[moment].observe(story.game_id, &[1.0, locks, lost[enemy] - lost[own]], y);
            }
            if step.taken.is_some() || step.taken_hidden {
                lost[enemy] += 1.0;
            }
        }
    }

    fn merge(&mut self, later: Self) {
        for (known, later) in self.at.iter_mut().zip(later.at) {
            known.merge(later);
        }
    }

    fn findings(&self) -> Vec<Finding> {
        let findings = MOMENTS.iter().zip(&self.at).map(|(ply, regression)| {
            let estimate = regression.fit(0.0).map(|fit| fit.coefficient(1));
            Finding::tested(format!("a lock more at ply {ply}"), "points", estimate, Expected::Above)
        });
        findings.collect()
    }
}

/// Plies within which a sacrifice has to free a piece.
const WINDOW: usize = 4;

/// What becomes of the value when a locked piece comes free.
#[derive(Debug, Clone)]
pub struct Sacrifice {
    board: Board,
    /// Points over the window, with a small piece lost in it and without.
    given: ClusteredMean,
    quiet: ClusteredMean,
    /// Of the windows in which a small piece was lost, those in which a locked piece came free; of all, and of those
    /// with a piece on a rook's square locked and that one freed.
    success: ClusteredShare,
    success_of_rooks: ClusteredShare,
    /// Points over the window, a small piece lost in it and one freed on a rook's square that turned out a rook.
    given_for_rook: ClusteredMean,
}

impl Claim for Sacrifice {
    const WORDS: Words = Words {
        id: "T7",
        table: "claim_t7",
        claim: "When the lid is locked, give small pieces to free it.",
        source: "Tượng Kỳ, Cờ Up 2022",
        definition: "Over four plies from a position with own locked pieces, in which a face-up piece other than \
                     a rook was lost and one of them is there and locked no more at the end, or was turned up: \
                     the change of value, in points.",
        settle: "Playing on from such positions with and without the sacrifice, paired.",
    };

    fn new(setup: &Setup) -> Self {
        Self {
            board: setup.board,
            given: ClusteredMean::default(),
            quiet: ClusteredMean::default(),
            success: ClusteredShare::default(),
            success_of_rooks: ClusteredShare::default(),
            given_for_rook: ClusteredMean::default(),
        }
    }

    fn absorb_story(&mut self, story: &Story) {
        for (start, window) in story.steps.windows(WINDOW + 1).enumerate() {
            let (before, after) = (&window[0], &window[WINDOW]);
            let Some((locked, still)) = before.tactics.zip(after.tactics) else { return };
            let (locked, still) = (locked.locked_own, still.locked_own);
            if locked == Points::default() || !before.chosen || !after.chosen {
                continue;
            }
            let own_seat = before.seat;
            let is_small_loss = |step: &Step| {
                step.seat != own_seat && !step.taken_hidden && step.taken.is_some_and(|letter| letter != b'R')
            };
            let is_rooks = |&point: &Point| self.board.home_role(point) == Some(b'R');
            let gave = window[..WINDOW].iter().any(is_small_loss);
            let freed: Vec<Point> =
                locked.without(still).iter().filter(|&point| !is_taken(&window[..WINDOW], point)).collect();
            let change = 50.0 * (f64::from(after.value) - f64::from(before.value));
            match (gave, freed.is_empty()) {
                (true, false) => self.given.observe(story.game_id, change),
                (false, false) => self.quiet.observe(story.game_id, change),
                _ => {}
            }
            if gave {
                self.success.observe(story.game_id, !freed.is_empty());
                if locked.iter().any(|point| is_rooks(&point)) {
                    self.success_of_rooks.observe(story.game_id, freed.iter().any(is_rooks));
                }
                let later = &story.steps[start..];
                let turns_out_rook =
                    |&point: &Point| is_rooks(&point) && turned_up_as(later, point) == Some(b'R');
                if freed.iter().any(turns_out_rook) {
                    self.given_for_rook.observe(story.game_id, change);
                }
            }
        }
    }

    fn merge(&mut self, later: Self) {
        self.given.merge(later.given);
        self.quiet.merge(later.quiet);
        self.success.merge(later.success);
        self.success_of_rooks.merge(later.success_of_rooks);
        self.given_for_rook.merge(later.given_for_rook);
    }

    fn findings(&self) -> Vec<Finding> {
        vec![
            Finding::tested(
                "change of value, small piece lost and lid freed",
                "points",
                self.given.estimate(),
                Expected::Above,
            ),
            Finding::told("change of value, lid freed without a loss", "points", self.quiet.estimate()),
            Finding::told("small losses that freed a lid", "%", self.success.percent()),
            Finding::told(
                "small losses that freed a lid on a rook's square",
                "%",
                self.success_of_rooks.percent(),
            ),
            Finding::told(
                "change of value, small piece lost and lid freed that was a rook",
                "points",
                self.given_for_rook.estimate(),
            ),
        ]
    }
}

/// Whether a face-down piece on `point` is taken in `steps`.
fn is_taken(steps: &[Step], point: Point) -> bool {
    steps.iter().any(|step| step.taken_hidden && step.to == point)
}

/// What the face-down piece that stands on `point` before `steps` turns out to be, if it is turned up in them.
fn turned_up_as(steps: &[Step], point: Point) -> Option<u8> {
    let first = steps.iter().find(|step| step.from == point || step.to == point)?;
    first.revealed.filter(|_| first.from == point)
}
