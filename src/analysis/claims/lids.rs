//! T3: face-down pieces on the back rank defend.

use super::{Claim, Expected, Finding, Words};
use crate::analysis::board::{Board, Point};
use crate::analysis::report::Setup;
use crate::analysis::stats::Regression;
use crate::analysis::story::{Step, Story};

/// The plies at which the back ranks are compared.
const MOMENTS: [usize; 3] = [30, 40, 60];

/// The face-down pieces of both sides, followed through a game.
#[derive(Debug, Clone)]
pub struct Lids {
    left: Vec<(u8, Point)>,
}

impl Lids {
    pub fn at_start(board: Board) -> Self {
        let of = |seat: u8| board.homes().into_iter().map(move |home| (seat, board.seen_from(seat, home)));
        Self { left: of(0).chain(of(1)).collect() }
    }

    pub fn play(&mut self, step: &Step) {
        self.left.retain(|&(seat, at)| match seat == step.seat {
            true => at != step.from,
            false => at != step.to,
        });
    }

    /// How many of the side in `seat` stand on `rank` as their owner counts ranks.
    pub fn on_rank(&self, board: Board, seat: u8, rank: u8) -> usize {
        let own = self.left.iter().filter(|(owner, _)| *owner == seat);
        own.filter(|&&(_, at)| board.seen_from(seat, at).rank == rank).count()
    }
}

/// The rest of the game by who has more face-down pieces on the back rank.
#[derive(Debug, Clone)]
pub struct BackRank {
    board: Board,
    /// At each moment: the mover's result less later luck on one, the difference, and the value.
    at: [Regression; 3],
}

impl Claim for BackRank {
    const WORDS: Words = Words {
        id: "T3",
        table: "claim_t3",
        claim: "Face-down pieces on the back rank defend; turning them opens the palace.",
        source: "Xiangqi Master, on cờ úp",
        definition: "What one more own face-down piece on the back rank goes with at plies 30, 40 and 60: the \
                     result less all later luck, alone and at equal value of the position.",
        settle: "A match of the same player with back-rank flips forbidden in the opening against itself, and \
                 a count of attacks on the king with each such piece taken away.",
    };

    fn new(setup: &Setup) -> Self {
        Self { board: setup.board, at: MOMENTS.map(|_| Regression::new(3)) }
    }

    fn absorb_story(&mut self, story: &Story) {
        let mut lids = Lids::at_start(self.board);
        for (place, step) in story.steps.iter().enumerate() {
            if let Some(moment) = MOMENTS.iter().position(|&moment| moment == place)
                && let Some(luck) = story.luck_from(place, step.seat)
            {
                let count = |seat| lids.on_rank(self.board, seat, 0) as f64;
                let more = count(step.seat) - count(1 - step.seat);
                let y = 50.0 * (story.result_for(step.seat) - luck);
                self.at[moment].observe(story.game_id, &[1.0, more, 50.0 * f64::from(step.value)], y);
            }
            lids.play(step);
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
            let name = format!("a back-rank piece more at ply {ply}, at equal value");
            match ply {
                40 => Finding::tested(name, "points", estimate, Expected::Above),
                _ => Finding::told(name, "points", estimate),
            }
        });
        findings.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_starts_with_eight_pieces_on_each_back_rank() {
        let board = Board::of_game("jieqi").expect("a board");
        let lids = Lids::at_start(board);
        for seat in [0, 1] {
            let counts = [0, 2, 3].map(|rank| lids.on_rank(board, seat, rank));
            assert_eq!(counts, [8, 2, 5]);
        }
    }
}
