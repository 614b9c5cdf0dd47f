//! T4: open the front row first.

use super::within::Groups;
use super::{Claim, Expected, Finding, Words};
use crate::analysis::board::Board;
use crate::analysis::report::Setup;
use crate::analysis::rows::PlyRow;
use crate::analysis::stats::{ClusteredMean, ClusteredShare, Regression};
use crate::analysis::story::Story;

/// Own reveals that count as the first ones.
const FIRST: usize = 5;

/// The rank of the front row.
const FRONT: u8 = 3;

/// Which rows players open first, and how it goes.
#[derive(Debug, Clone)]
pub struct FrontRowFirst {
    board: Board,
    share: ClusteredShare,
    /// Kendall's tau between the order of a side's reveals and the rows from the front.
    tau: ClusteredMean,
    /// The first seat's result less luck on one and its front-row reveals more than the opponent's.
    result: Regression,
    /// In the opening, the best front-row flip against the best of another row.
    within: Groups,
}

impl Claim for FrontRowFirst {
    const WORDS: Words = Words {
        id: "T4",
        table: "claim_t4",
        claim: "Open the front row first, then the rows behind it.",
        source: "Tượng Kỳ, Cờ Up 2022",
        definition: "Of the first five own reveals, those from the front row; the result, luck taken out, by \
                     how many more of them one had; and in audited openings the best flip of the front row \
                     less the best of the others, chosen and scored apart.",
        settle: "A match of the same player that must open the front row first against one that must open the \
                 back row first.",
    };

    fn new(setup: &Setup) -> Self {
        Self {
            board: setup.board,
            share: ClusteredShare::default(),
            tau: ClusteredMean::default(),
            result: Regression::new(2),
            within: Groups::default(),
        }
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        if ply.phase != "opening" {
            return;
        }
        let board = self.board;
        self.within.absorb(ply, |flip| {
            let (from, _) = board.points(flip.mv).filter(|_| flip.kind.is_flip())?;
            Some(board.seen_from(ply.seat, from).rank == FRONT)
        });
    }

    fn absorb_story(&mut self, story: &Story) {
        let mut ranks: [Vec<u8>; 2] = Default::default();
        for step in &story.steps {
            if step.is_flip() {
                let rank = self.board.seen_from(step.seat, step.from).rank;
                ranks[usize::from(step.seat)].push(rank);
            }
        }
        for own in &ranks {
            own.iter().take(FIRST).for_each(|&rank| self.share.observe(story.game_id, rank == FRONT));
            if let Some(tau) = tau(own) {
                self.tau.observe(story.game_id, tau);
            }
        }
        let front = |own: &Vec<u8>| own.iter().take(FIRST).filter(|&&rank| rank == FRONT).count() as f64;
        if let Some(luck) = story.luck_from(0, 0) {
            let more = front(&ranks[0]) - front(&ranks[1]);
            self.result.observe(story.game_id, &[1.0, more], 50.0 * (story.result_for(0) - luck));
        }
    }

    fn merge(&mut self, later: Self) {
        self.share.merge(later.share);
        self.tau.merge(later.tau);
        self.result.merge(later.result);
        self.within.merge(later.within);
    }

    fn findings(&self) -> Vec<Finding> {
        let result = self.result.fit(0.0).map(|fit| fit.coefficient(1));
        vec![
            Finding::tested(
                "best front-row flip against the best other",
                "points",
                self.within.estimate(),
                Expected::Above,
            ),
            Finding::tested("result a front-row reveal more", "points", result, Expected::Above),
            Finding::told(
                "of the first five reveals, front row (a third by chance)",
                "%",
                self.share.percent(),
            ),
            Finding::told("order of reveals against rows from the front, tau", "", self.tau.estimate()),
        ]
    }
}

/// Kendall's tau-a between the order of reveals and their ranks from the front; none with fewer than two.
fn tau(ranks: &[u8]) -> Option<f64> {
    let pairs = ranks.len() * ranks.len().checked_sub(1)? / 2;
    if pairs == 0 {
        return None;
    }
    let later = |place: usize| ranks[place + 1..].iter();
    let score: i32 = (0..ranks.len())
        .map(|place| {
            later(place)
                .map(|&rank| i32::from(rank < ranks[place]) - i32::from(rank > ranks[place]))
                .sum::<i32>()
        })
        .sum();
    Some(f64::from(score) / pairs as f64)
}

#[cfg(test)]
mod tests {
    use super::tau;

    #[test]
    fn from_the_front_to_the_back_is_one() {
        assert_eq!(tau(&[3, 2, 0]), Some(1.0));
        assert_eq!(tau(&[0, 2, 3]), Some(-1.0));
        assert_eq!(tau(&[3, 3, 0]), Some(2.0 / 3.0));
        assert_eq!(tau(&[3]), None);
        assert_eq!(tau(&[]), None);
    }
}
