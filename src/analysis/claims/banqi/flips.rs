//! Q1 and Q6: what to look at before a flip, and whether to flip at all.

use crate::analysis::claims::within::Groups;
use crate::analysis::claims::{Claim, Expected, Finding, Words};
use crate::analysis::report::Setup;
use crate::analysis::rows::{Kind, PlyRow};
use crate::analysis::stats::{ClusteredMean, ClusteredShare};

/// Flips that may come up where they are taken.
#[derive(Debug, Clone, Default)]
pub struct RiskyFlips {
    /// The best flip that risks something against the best that risks nothing.
    within: Groups,
    rate: ClusteredShare,
    /// Soldiers.
    risk: ClusteredMean,
}

impl Claim for RiskyFlips {
    const WORDS: Words = Words {
        id: "Q1",
        table: "claim_q1",
        claim: "Before you flip, see to it that the piece does not come up next to an enemy piece that takes it.",
        source: "JoyPip, on dark chess",
        definition: "In audited positions, the best flip that risks something less the best that risks nothing, \
                     chosen and scored apart. The risk is the mean, over all that may come up, of what the \
                     opponent then wins on that square.",
        settle: "A match of the same player with risky flips forbidden against itself.",
    };

    fn new(_setup: &Setup) -> Self {
        Self::default()
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        self.within.absorb(ply, |mv| (mv.kind == Kind::Flip).then_some(mv.risk > 0.0));
        if ply.kind == Kind::Flip && !ply.explored {
            self.rate.observe(ply.game_id, ply.risk > 0.0);
            self.risk.observe(ply.game_id, f64::from(ply.risk));
        }
    }

    fn merge(&mut self, later: Self) {
        self.within.merge(later.within);
        self.rate.merge(later.rate);
        self.risk.merge(later.risk);
    }

    fn findings(&self) -> Vec<Finding> {
        let rate = self.rate.estimate().map(|rate| rate.scaled(100.0));
        vec![
            Finding::tested(
                "best flip that risks something against the best that does not",
                "points",
                self.within.estimate(),
                Expected::Below,
            ),
            Finding::told("flips that risk something", "%", rate),
            Finding::told("risk of a flip", "pawns", self.risk.estimate()),
        ]
    }
}

/// From so many face-down pieces on much is hidden, and up to so many little.
const MUCH: u8 = 17;
const LITTLE: u8 = 8;

/// The best flip against the best move, where there are both.
#[derive(Debug, Clone, Default)]
pub struct FlipOrMove {
    much: Turns,
    little: Turns,
}

#[derive(Debug, Clone, Default)]
struct Turns {
    within: Groups,
    flipped: ClusteredShare,
}

impl Claim for FlipOrMove {
    const WORDS: Words = Words {
        id: "Q6",
        table: "claim_q6",
        claim: "Flip while much is hidden, move when little is.",
        source: "Papers on programs for dark chess",
        definition: "In audited positions, the best flip less the best move, chosen and scored apart, with at \
                     least 17 pieces face down and with at most 8; and how often a flip was played.",
        settle: "Matches of the same player that must flip, or must not, while it has the choice.",
    };

    fn new(_setup: &Setup) -> Self {
        Self::default()
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        let turns = match ply.face_down_left {
            MUCH.. => &mut self.much,
            1..=LITTLE => &mut self.little,
            _ => return,
        };
        turns.within.absorb(ply, |mv| Some(mv.kind == Kind::Flip));
        if ply.full_search && !ply.explored {
            turns.flipped.observe(ply.game_id, ply.kind == Kind::Flip);
        }
    }

    fn merge(&mut self, later: Self) {
        for (known, later) in [(&mut self.much, later.much), (&mut self.little, later.little)] {
            known.within.merge(later.within);
            known.flipped.merge(later.flipped);
        }
    }

    fn findings(&self) -> Vec<Finding> {
        let flipped = |turns: &Turns| turns.flipped.percent();
        let best = "best flip less best move";
        let told = "plies that are flips";
        vec![
            Finding::tested(
                format!("{best}, much hidden"),
                "points",
                self.much.within.estimate(),
                Expected::Above,
            ),
            Finding::tested(
                format!("{best}, little hidden"),
                "points",
                self.little.within.estimate(),
                Expected::Below,
            ),
            Finding::told(format!("{told}, much hidden"), "%", flipped(&self.much)),
            Finding::told(format!("{told}, little hidden"), "%", flipped(&self.little)),
        ]
    }
}
