//! T11, T12 and T13: what the pieces are good for.

use super::{Claim, Expected, Finding, Words};
use crate::analysis::report::{Report, Setup};
use crate::analysis::rows::PlyRow;
use crate::analysis::stats::{Arm, ClusteredDifference, ClusteredShare};
use crate::analysis::story::{PHASES, Step, Story};
use crate::analysis::values::Values;

/// The fitted worth of rooks and cannons.
#[derive(Debug, Clone)]
pub struct Strongest(Values);

impl Claim for Strongest {
    const WORDS: Words = Words {
        id: "T11",
        table: "claim_t11",
        claim: "The rook is the strongest piece, the cannon strongest in the middlegame.",
        source: "Tượng Kỳ, Cờ Up 2022",
        definition: "Fitted worth of one more rook less that of one more cannon, and of a cannon less a horse, by \
                     phase, in points of the result.",
        settle: "Playing on from positions with one piece exchanged for another, paired.",
    };

    fn new(setup: &Setup) -> Self {
        Self(Values::new(setup))
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        self.0.absorb_ply(ply);
    }

    fn merge(&mut self, later: Self) {
        self.0.merge(later.0);
    }

    fn findings(&self) -> Vec<Finding> {
        let rooks = PHASES.iter().enumerate().map(|(phase, name)| {
            let difference = self.0.difference(phase, b'R', b'C');
            Finding::tested(format!("rook less cannon, {name}"), "points", difference, Expected::Above)
        });
        let cannons = PHASES.iter().enumerate().map(|(phase, name)| {
            let difference = self.0.difference(phase, b'C', b'N');
            Finding::told(format!("cannon less horse, {name}"), "points", difference)
        });
        rooks.chain(cannons).collect()
    }
}

/// A piece's letter after a ply: what it turned out to be, or what it moved as.
fn letter(step: &Step) -> Option<u8> {
    step.revealed.or(step.shown)
}

fn arm(exposed: bool) -> Arm {
    if exposed { Arm::Exposed } else { Arm::Free }
}

fn share(has: bool) -> f64 {
    100.0 * f64::from(u8::from(has))
}

/// Every ply with the ply after it, which tells what became of the locks.
fn pairs(story: &Story) -> impl Iterator<Item = (&Step, &Step)> {
    story.steps.iter().zip(&story.steps[1.min(story.steps.len())..])
}

/// Checks and locks by elephants and advisors.
#[derive(Debug, Clone, Default)]
pub struct Elephants {
    /// Percent of plies that check or after which more of the opponent's pieces are locked: elephants' and
    /// advisors' against the others'.
    elephants: ClusteredDifference,
    advisors: ClusteredDifference,
    /// Percent of plies after which more are locked, elephants' against the others'.
    locks: ClusteredDifference,
    /// Of all checks, those by elephants.
    of_checks: ClusteredShare,
}

impl Claim for Elephants {
    const WORDS: Words = Words {
        id: "T12",
        table: "claim_t12",
        claim: "Elephants are used to check or to lock.",
        source: "Tượng Kỳ, Cờ Up 2022",
        definition: "Share of plies that give check or after which more of the opponent's pieces are locked, by \
                     elephants against all others, and the same for advisors; and the elephants' share of all \
                     checks. A lock is put down to the ply after which it is there, whatever holds it.",
        settle: "A match of the same player with such moves of elephants forbidden against itself.",
    };

    fn new(_setup: &Setup) -> Self {
        Self::default()
    }

    fn absorb_story(&mut self, story: &Story) {
        for (step, next) in pairs(story) {
            let Some(letter) = letter(step) else { continue };
            let locks = next.locked_own > step.locked_enemy;
            self.elephants.observe(story.game_id, arm(letter == b'B'), share(step.check || locks));
            self.advisors.observe(story.game_id, arm(letter == b'A'), share(step.check || locks));
            self.locks.observe(story.game_id, arm(letter == b'B'), share(locks));
            if step.check {
                self.of_checks.observe(story.game_id, letter == b'B');
            }
        }
    }

    fn merge(&mut self, later: Self) {
        self.elephants.merge(later.elephants);
        self.advisors.merge(later.advisors);
        self.locks.merge(later.locks);
        self.of_checks.merge(later.of_checks);
    }

    fn findings(&self) -> Vec<Finding> {
        let of_checks = self.of_checks.percent();
        vec![
            Finding::tested(
                "plies that check or lock, elephants less others",
                "%",
                self.elephants.estimate(),
                Expected::Above,
            ),
            Finding::told("plies that lock, elephants less others", "%", self.locks.estimate()),
            Finding::told("plies that check or lock, advisors less others", "%", self.advisors.estimate()),
            Finding::told("checks given by elephants", "%", of_checks),
        ]
    }
}

/// What pawns take and set free.
#[derive(Debug, Clone, Default)]
pub struct Pawns {
    /// Percent of the face-up moves of a side with locked pieces after which fewer are locked, by pawns against the
    /// others.
    rescues: ClusteredDifference,
    /// Percent of captures that take a face-down piece, by pawns against the others.
    face_down: ClusteredDifference,
    /// Of all captures of face-down pieces, those by pawns.
    of_captures: ClusteredShare,
}

impl Claim for Pawns {
    const WORDS: Words = Words {
        id: "T13",
        table: "claim_t13",
        claim: "Pawns serve to capture face-down pieces, to rescue locked ones and to control.",
        source: "Tượng Kỳ, Cờ Up 2022",
        definition: "Share of captures that take a face-down piece, by pawns against all others, and the pawns' \
                     share of those captures; and share of face-up moves of a side with locked pieces after which \
                     fewer of them are locked, by pawns against all others.",
        settle: "A match of the same player with such moves of pawns forbidden against itself.",
    };

    fn new(_setup: &Setup) -> Self {
        Self::default()
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        if ply.taken.is_none() && !ply.taken_hidden {
            return;
        }
        let pawn = ply.shown == Some("P");
        self.face_down.observe(ply.game_id, arm(pawn), share(ply.taken_hidden));
        if ply.taken_hidden {
            self.of_captures.observe(ply.game_id, pawn);
        }
    }

    fn absorb_story(&mut self, story: &Story) {
        for (step, next) in pairs(story).filter(|(step, _)| step.locked_own > 0 && !step.is_flip()) {
            let freed = next.locked_enemy < step.locked_own;
            self.rescues.observe(story.game_id, arm(step.shown == Some(b'P')), share(freed));
        }
    }

    fn merge(&mut self, later: Self) {
        self.rescues.merge(later.rescues);
        self.face_down.merge(later.face_down);
        self.of_captures.merge(later.of_captures);
    }

    fn findings(&self) -> Vec<Finding> {
        let of_captures = self.of_captures.percent();
        vec![
            Finding::tested(
                "captures of face-down pieces, pawns less others",
                "%",
                self.face_down.estimate(),
                Expected::Above,
            ),
            Finding::tested(
                "moves that free a locked piece, pawns less others",
                "%",
                self.rescues.estimate(),
                Expected::Above,
            ),
            Finding::told("face-down pieces taken by pawns", "%", of_captures),
        ]
    }
}
