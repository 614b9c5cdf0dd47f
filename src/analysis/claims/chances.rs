//! T14 and T16: luck, and what limits and money change.

use super::{Claim, Expected, Finding, Words};
use crate::analysis::report::Setup;
use crate::analysis::rows::GameRow;
use crate::analysis::stats::{ClusteredMean, ClusteredShare, Regression, Score, ShareOfVariance};
use crate::analysis::story::Story;

/// How much of the results is luck.
#[derive(Debug, Clone)]
pub struct LuckAndSkill {
    share: ShareOfVariance,
    /// The result on one and the luck.
    slope: Regression,
    /// The score of the player who is first by name, where two differ.
    unequal: Score,
}

impl Claim for LuckAndSkill {
    const WORDS: Words = Words {
        id: "T14",
        table: "claim_t14",
        claim: "Luck is real, and the better player still wins more.",
        source: "Xiangqi Master, and an article on cờ úp",
        definition: "The share of the results' variance that goes with the luck of reveals; and where two players \
                     met, the score of the one whose name comes first.",
        settle: "Matches at doubled budgets of search, with the luck taken out.",
    };

    fn new(_setup: &Setup) -> Self {
        Self { share: ShareOfVariance::default(), slope: Regression::new(2), unequal: Score::default() }
    }

    fn absorb_game(&mut self, game: &GameRow<'_>) {
        if game.first != game.second {
            self.unequal.count(if game.first < game.second { game.result } else { -game.result });
        }
    }

    fn absorb_story(&mut self, story: &Story) {
        if let Some(luck) = story.luck_from(0, 0) {
            self.share.observe(story.game_id, story.result_for(0), luck);
            self.slope.observe(story.game_id, &[1.0, luck], story.result_for(0));
        }
    }

    fn merge(&mut self, later: Self) {
        self.share.merge(later.share);
        self.slope.merge(later.slope);
        self.unequal.merge(later.unequal);
    }

    fn findings(&self) -> Vec<Finding> {
        let percent = |estimate: Option<crate::analysis::stats::Estimate>| estimate.map(|e| e.scaled(100.0));
        let share = self.share.estimate();
        // Where all luck is alike but for rounding, a slope would be rounding as well.
        let slope = share.and_then(|_| self.slope.fit(0.0)).map(|fit| fit.coefficient(1));
        vec![
            Finding::tested("result by luck, slope", "", slope, Expected::Above),
            Finding::told("variance that goes with luck", "%", percent(share)),
            Finding::told("score of the first by name", "%", percent(self.unequal.estimate())),
        ]
    }
}

/// How games end under the rules at hand.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    drawn: ClusteredShare,
    by_repetition: ClusteredShare,
    plies: ClusteredMean,
}

impl Claim for Limits {
    const WORDS: Words = Words {
        id: "T16",
        table: "claim_t16",
        claim: "Limits on perpetual moves, and money, change how the game is played.",
        source: "Xiangqi Master and Sunwin",
        definition: "Draws, endings by repetition and lengths under these rules; one rule set alone cannot tell a \
                     change.",
        settle: "The same player's games under every rule set, side by side.",
    };

    fn new(_setup: &Setup) -> Self {
        Self::default()
    }

    fn absorb_game(&mut self, game: &GameRow<'_>) {
        self.drawn.observe(game.game_id, game.result == 0);
        self.by_repetition.observe(game.game_id, game.end_reason == "repetition");
        self.plies.observe(game.game_id, f64::from(game.plies));
    }

    fn merge(&mut self, later: Self) {
        self.drawn.merge(later.drawn);
        self.by_repetition.merge(later.by_repetition);
        self.plies.merge(later.plies);
    }

    fn findings(&self) -> Vec<Finding> {
        vec![
            Finding::told("games drawn", "%", self.drawn.percent()),
            Finding::told("games drawn by repetition", "%", self.by_repetition.percent()),
            Finding::told("length", "plies", self.plies.estimate()),
        ]
    }
}
