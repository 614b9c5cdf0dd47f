//! T2: remember what has been turned up.

use super::{Claim, Expected, Finding, Words};
use crate::analysis::board::Board;
use crate::analysis::report::Setup;
use crate::analysis::rows::PlyRow;
use crate::analysis::stats::ClusteredMean;

/// The least odds a kind of piece is taken to have been given.
const LEAST: f64 = 1e-6;

/// How much better the exact pool foretells reveals than the start pool.
#[derive(Debug, Clone)]
pub struct Memory {
    board: Board,
    /// Nats of log loss saved by remembering.
    saved: ClusteredMean,
    /// Nats saved on top by seeing what was taken face down.
    seeing: ClusteredMean,
}

impl Claim for Memory {
    const WORDS: Words = Words {
        id: "T2",
        table: "claim_t2",
        claim: "Remember what has been turned up: counting tells what is left.",
        source: "Xiangqi Master, on cờ úp",
        definition: "Log loss of the start pool's odds less that of the owner's exact ones, over reveals; and \
                     what one saves on top who sees every piece taken face down.",
        settle: "A match of the same player with its pool frozen at the start against itself.",
    };

    fn new(setup: &Setup) -> Self {
        Self { board: setup.board, saved: ClusteredMean::default(), seeing: ClusteredMean::default() }
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        let Some(revealed) = ply.revealed else { return };
        if ply.outcomes.is_empty() {
            return;
        }
        let same = ply.outcomes.iter().filter(|outcome| outcome.reveal == Some(revealed));
        let (owner, all_seeing) = same.fold((0.0, 0.0), |(owner, all_seeing), outcome| {
            (owner + f64::from(outcome.p_mover), all_seeing + f64::from(outcome.p_referee))
        });
        let pool = self.board.start_pool();
        let total: f64 = pool.iter().map(|&count| f64::from(count)).sum();
        let place = self.board.letters().iter().position(|&letter| revealed.as_bytes() == [letter]);
        let forgetful = place.and_then(|place| pool.get(place)).map_or(0.0, |&n| f64::from(n) / total);
        let loss = |p: f64| -p.max(LEAST).ln();
        self.saved.observe(ply.game_id, loss(forgetful) - loss(owner));
        self.seeing.observe(ply.game_id, loss(owner) - loss(all_seeing));
    }

    fn merge(&mut self, later: Self) {
        self.saved.merge(later.saved);
        self.seeing.merge(later.seeing);
    }

    fn findings(&self) -> Vec<Finding> {
        vec![
            Finding::tested("log loss saved by remembering", "nats", self.saved.estimate(), Expected::Above),
            Finding::told("saved on top by seeing taken pieces", "nats", self.seeing.estimate()),
        ]
    }
}
