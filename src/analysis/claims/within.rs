//! T8 and T9: keep the face-down pieces on the squares of rooks and cannons for later.

use super::{Claim, Expected, Finding, Words};
use crate::analysis::board::Board;
use crate::analysis::judged::{Judged, cross_scored};
use crate::analysis::report::Setup;
use crate::analysis::rows::{CandidateRow, PlyRow};
use crate::analysis::scale::points;
use crate::analysis::stats::{ClusteredMean, ClusteredShare, Estimate};
use crate::analysis::story::{PHASES, Story};

/// Within audited positions: the best move of one group against the best of another, in points.
#[derive(Debug, Clone, Default)]
pub struct Groups {
    difference: ClusteredMean,
}

impl Groups {
    /// `belongs` says of a move whether it is of the group; none leaves it out.
    pub fn absorb(&mut self, ply: &PlyRow<'_>, belongs: impl Fn(&CandidateRow<'_>) -> Option<bool>) {
        if !ply.audited {
            return;
        }
        let (mut group, mut others) = (Vec::new(), Vec::new());
        for judged in ply.candidates().iter().filter_map(Judged::of) {
            match belongs(judged.candidate) {
                Some(true) => group.push(judged),
                Some(false) => others.push(judged),
                None => {}
            }
        }
        if let (Some(group), Some(others)) = (cross_scored(&group), cross_scored(&others)) {
            self.difference.observe(ply.game_id, points(others, group));
        }
    }

    pub fn merge(&mut self, later: Self) {
        self.difference.merge(later.difference);
    }

    pub fn estimate(&self) -> Option<Estimate> {
        self.difference.estimate()
    }
}

/// What is kept of the pieces that stand face down on the squares of one role.
#[derive(Debug, Clone)]
struct Kept {
    board: Board,
    role: u8,
    /// By phase, the best flip from such a square against the best other flip.
    within: [Groups; 3],
    /// Of the sides that turned such a piece, those that did before the endgame, and those in check.
    before_endgame: ClusteredShare,
    in_check: ClusteredShare,
    /// The ply of the first such flip.
    ply: ClusteredMean,
}

impl Kept {
    fn new(board: Board, role: u8) -> Self {
        Self {
            board,
            role,
            within: Default::default(),
            before_endgame: ClusteredShare::default(),
            in_check: ClusteredShare::default(),
            ply: ClusteredMean::default(),
        }
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        let (board, role) = (self.board, self.role);
        if let Some(phase) = PHASES.iter().position(|&phase| phase == ply.phase) {
            self.within[phase].absorb(ply, |flip| {
                let (from, _) = board.points(flip.mv).filter(|_| flip.kind.is_flip())?;
                Some(board.home_role(from) == Some(role))
            });
        }
    }

    fn absorb_story(&mut self, story: &Story) {
        for seat in [0, 1] {
            let mut flips = story.steps.iter().enumerate().filter(|(_, step)| {
                step.seat == seat && step.is_flip() && self.board.home_role(step.from) == Some(self.role)
            });
            if let Some((ply, first)) = flips.next() {
                self.before_endgame.observe(story.game_id, first.phase < 2);
                self.in_check.observe(story.game_id, first.in_check);
                self.ply.observe(story.game_id, ply as f64);
            }
        }
    }

    fn merge(&mut self, later: Self) {
        for (known, later) in self.within.iter_mut().zip(later.within) {
            known.merge(later);
        }
        self.before_endgame.merge(later.before_endgame);
        self.in_check.merge(later.in_check);
        self.ply.merge(later.ply);
    }

    fn findings(&self) -> Vec<Finding> {
        let within = PHASES.iter().zip(&self.within).map(|(&phase, within)| {
            let name = format!("best flip of one of them against the best other, {phase}");
            match phase {
                "endgame" => Finding::told(name, "points", within.estimate()),
                _ => Finding::tested(name, "points", within.estimate(), Expected::Below),
            }
        });
        let share = |share: &ClusteredShare| share.percent();
        within
            .chain([
                Finding::told("first one turned before the endgame", "%", share(&self.before_endgame)),
                Finding::told("first one turned while in check", "%", share(&self.in_check)),
                Finding::told("ply of the first one", "plies", self.ply.estimate()),
            ])
            .collect()
    }
}

/// A claim that the pieces on the squares of one role are to be kept.
macro_rules! keep {
    ($(#[doc = $doc:literal])+ $name:ident, $role:literal, $words:expr) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone)]
        pub struct $name(Kept);

        impl Claim for $name {
            const WORDS: Words = $words;

            fn new(setup: &Setup) -> Self {
                Self(Kept::new(setup.board, $role))
            }

            fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
                self.0.absorb_ply(ply);
            }

            fn absorb_story(&mut self, story: &Story) {
                self.0.absorb_story(story);
            }

            fn merge(&mut self, later: Self) {
                self.0.merge(later.0);
            }

            fn findings(&self) -> Vec<Finding> {
                self.0.findings()
            }
        }
    };
}

keep! {
    /// The squares of the rooks.
    KeepRooks, b'R', Words {
        id: "T8",
        table: "claim_t8",
        claim: "Keep the two face-down pieces on the rooks' squares for defence until the endgame or an emergency.",
        source: "Tượng Kỳ, Cờ Up 2022",
        definition: "In audited positions of each phase, the best flip from a rook's square less the best other \
                     flip, chosen and scored apart; and when these pieces are first turned.",
        settle: "A match of the same player with such flips forbidden before the endgame against itself.",
    }
}

keep! {
    /// The squares of the cannons.
    KeepCannons, b'C', Words {
        id: "T9",
        table: "claim_t9",
        claim: "Keep the two face-down pieces on the cannons' squares until the moment to attack has come.",
        source: "Tượng Kỳ, Cờ Up 2022",
        definition: "In audited positions of each phase, the best flip from a cannon's square less the best other \
                     flip, chosen and scored apart; and when these pieces are first turned.",
        settle: "A match of the same player with such flips forbidden unless they check, capture or cross the \
                 river against itself.",
    }
}
