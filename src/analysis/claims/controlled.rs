//! T1: do not turn a piece onto a square the opponent controls.

use super::{Claim, Expected, Finding, Words};
use crate::analysis::board::Board;
use crate::analysis::judged::{Judged, cross_scored};
use crate::analysis::report::Setup;
use crate::analysis::rows::{Kind, PlyRow};
use crate::analysis::scale::points;
use crate::analysis::stats::{ClusteredMean, ClusteredShare, Regression};
use crate::analysis::story::Story;

/// Flips onto controlled squares.
#[derive(Debug, Clone)]
pub struct Controlled {
    board: Board,
    /// Points: a flip onto a controlled square against the best onto a free one.
    price: ClusteredMean,
    /// The same for flips from the squares of rooks.
    rook_price: ClusteredMean,
    rate: ClusteredShare,
    /// Pawns.
    risk: ClusteredMean,
    /// The first seat's result less luck on one and the risk it took more than its opponent, in pawns.
    accumulated: Regression,
}

impl Claim for Controlled {
    const WORDS: Words = Words {
        id: "T1",
        table: "claim_t1",
        claim: "Do not turn a piece onto a square the opponent controls.",
        source: "Xiangqi Master, on cờ úp",
        definition: "In audited positions, the flip onto a controlled square less the best onto a free one, \
                     chosen and scored apart; and the result, luck taken out, by the risk a player took in a \
                     game more than the opponent.",
        settle: "A match of the same player with such flips forbidden against itself.",
    };

    fn new(setup: &Setup) -> Self {
        Self {
            board: setup.board,
            price: ClusteredMean::default(),
            rook_price: ClusteredMean::default(),
            rate: ClusteredShare::default(),
            risk: ClusteredMean::default(),
            accumulated: Regression::new(2),
        }
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        if ply.kind == Kind::Flip && !ply.explored {
            self.rate.observe(ply.game_id, ply.attackers > 0);
            self.risk.observe(ply.game_id, f64::from(ply.risk));
        }
        if !ply.audited {
            return;
        }
        let flips = ply.candidates().iter().filter(|candidate| candidate.kind == Kind::Flip);
        let (controlled, free): (Vec<_>, Vec<_>) =
            flips.filter_map(Judged::of).partition(|judged| judged.candidate.attackers > 0);
        let Some(best_free) = cross_scored(&free) else { return };
        for judged in controlled {
            let price = points(best_free, judged.mean());
            self.price.observe(ply.game_id, price);
            let from = self.board.points(judged.candidate.mv).map(|(from, _)| from);
            if from.and_then(|from| self.board.home_role(from)) == Some(b'R') {
                self.rook_price.observe(ply.game_id, price);
            }
        }
    }

    fn absorb_story(&mut self, story: &Story) {
        let Some(luck) = story.luck_from(0, 0) else { return };
        let flips = story.steps.iter().filter(|step| step.is_flip());
        let more: f64 =
            flips.map(|step| f64::from(step.risk) * if step.seat == 0 { 1.0 } else { -1.0 }).sum();
        self.accumulated.observe(story.game_id, &[1.0, more], 50.0 * (story.result_for(0) - luck));
    }

    fn merge(&mut self, later: Self) {
        self.price.merge(later.price);
        self.rook_price.merge(later.rook_price);
        self.rate.merge(later.rate);
        self.risk.merge(later.risk);
        self.accumulated.merge(later.accumulated);
    }

    fn findings(&self) -> Vec<Finding> {
        let accumulated = self.accumulated.fit(0.0).map(|fit| fit.coefficient(1));
        vec![
            Finding::tested(
                "flip onto a controlled square against the best free one",
                "points",
                self.price.estimate(),
                Expected::Below,
            ),
            Finding::tested("result a pawn of risk more", "points", accumulated, Expected::Below),
            Finding::told("the same flip from a rook's square", "points", self.rook_price.estimate()),
            Finding::told(
                "flips that land on controlled squares",
                "%",
                self.rate.estimate().map(|rate| rate.scaled(100.0)),
            ),
            Finding::told("risk of a flip", "pawns", self.risk.estimate()),
        ]
    }
}
