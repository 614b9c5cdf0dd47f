//! What a flip does to the result, from moves that were drawn with known probability.
//!
//! Self-play draws a share of its moves evenly from all legal ones, whatever the search thinks. Such a draw is an
//! experiment: nothing about the position decides which of its moves is played. Weighted by one over its
//! probability, each stands for the moves that might have been drawn in its place.

use super::figure::FEW_GAMES;
use super::report::{Report, Section, Setup};
use super::rows::{Kind, Reads};
use super::stats::{Arm, Estimate, WeightedDifference};
use super::story::{Step, Story};
use super::table::{Cell, Columns, Row, Table};

/// A single draw must not have more than this share of an arm's weight.
const HEAVIEST: f64 = 0.1;

/// Results of drawn moves, with the value before the move and the luck from it on taken off.
#[derive(Debug, Clone)]
pub struct Weighted {
    /// Flips onto empty squares: controlled ones against free ones.
    controlled: WeightedDifference,
    /// Moves that turn something up against those that do not.
    flips: WeightedDifference,
    drawn: u64,
    /// Drawn moves whose probability is not known, or is none.
    unknown: u64,
    without_ledger: u64,
    /// Moves that a search chose.
    chosen: u64,
}

impl Report for Weighted {
    const READS: Reads = Reads { candidates: false, outcomes: true, views: false, tactics: false };

    fn new(_setup: &Setup) -> Self {
        Self {
            controlled: WeightedDifference::default(),
            flips: WeightedDifference::default(),
            drawn: 0,
            unknown: 0,
            without_ledger: 0,
            chosen: 0,
        }
    }

    fn absorb_story(&mut self, story: &Story) {
        for (place, step) in story.steps.iter().enumerate() {
            self.chosen += u64::from(step.chosen);
            if step.explored {
                self.drawn += 1;
                self.absorb_draw(story, place, step);
            }
        }
    }

    fn merge(&mut self, later: Self) {
        self.controlled.merge(later.controlled);
        self.flips.merge(later.flips);
        self.drawn += later.drawn;
        self.unknown += later.unknown;
        self.without_ledger += later.without_ledger;
        self.chosen += later.chosen;
    }

    fn finish(self) -> Vec<Section> {
        vec![Section {
            name: "weighted",
            title: "Flips drawn by chance",
            headlines: Vec::new(),
            figures: Vec::new(),
            tables: if self.refusal().is_some() { Vec::new() } else { vec![self.table()] },
            notes: self.notes(),
        }]
    }
}

impl Weighted {
    fn absorb_draw(&mut self, story: &Story, place: usize, step: &Step) {
        let Some(probability) = step.chosen_with.filter(|&p| p > 0.0 && p <= 1.0) else {
            self.unknown += 1;
            return;
        };
        let Some(luck) = story.luck_from(place, step.seat) else {
            self.without_ledger += 1;
            return;
        };
        let gain = 50.0 * (story.result_for(step.seat) - luck - f64::from(step.value));
        let weight = f64::from(probability).recip();
        let arm = |exposed| if exposed { Arm::Exposed } else { Arm::Free };
        self.flips.observe(story.game_id, arm(step.is_flip()), gain, weight);
        if step.kind == Kind::Flip {
            self.controlled.observe(story.game_id, arm(step.attackers > 0), gain, weight);
        }
    }

    /// Why no figure is given at all, if so.
    fn refusal(&self) -> Option<String> {
        if self.drawn == 0 {
            return Some(format!(
                "Refused: none of the moves was drawn from all legal ones. The {} that a search chose are of no use \
                 here: what it does not visit is never played, and how that would have gone is not in the games.",
                self.chosen
            ));
        }
        (self.unknown > 0).then(|| {
            format!(
                "Refused: of {} drawn moves {} do not say with what probability.",
                self.drawn, self.unknown
            )
        })
    }

    fn table(&self) -> Table {
        let columns = Columns::default()
            .plain("contrast", "contrast")
            .plain("observations", "n")
            .plain("games", "games")
            .real("effective", "effective n of the smaller arm", "", 1)
            .real("largest", "largest weight in an arm", "%", 1)
            .estimate("effect", "effect", "points", 2, "")
            .plain("refused", "refused for");
        let rows = [
            ("flip onto a controlled square against one onto a free square", &self.controlled),
            ("move that turns a piece up against one that does not", &self.flips),
        ];
        let row = |(name, difference): (&str, &WeightedDifference)| {
            let [exposed, free] = difference.weights();
            let effective = exposed.effective().min(free.effective());
            let largest = exposed.largest_share().max(free.largest_share());
            let estimate = difference.estimate();
            let refused = refused(effective, largest);
            let counts = estimate.map_or([Cell::Missing, Cell::Missing], |estimate: Estimate| {
                [Cell::Count(estimate.observations), Cell::Count(estimate.games)]
            });
            let [observations, games] = counts;
            Row::default()
                .text(name)
                .cell(observations)
                .cell(games)
                .real(effective)
                .real(100.0 * largest)
                .estimate(estimate.filter(|_| refused.is_none()))
                .cell(refused.map_or(Cell::Missing, |why| Cell::Text(why.into())))
        };
        let title = "The effect of moves drawn by chance, each weighted by one over its probability";
        Table::new("weighted", title, columns, rows.into_iter().map(row).collect())
    }

    fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.refusal().into_iter().collect();
        notes.push(
            "Each move counts the result less the value before it and less the luck from it on, in points. The mean \
             is over all such moves of all positions, so a position with many of them counts more: it is what \
             follows when a move of that sort is played at random, not when the best of the sort is."
                .into(),
        );
        notes.push(format!(
            "An effect is refused if an arm has an effective number of observations below {FEW_GAMES}, or one \
             observation has more than {:.0} % of its weight.",
            100.0 * HEAVIEST
        ));
        if self.without_ledger > 0 {
            notes.push(format!(
                "{} drawn moves are followed by a reveal without a ledger.",
                self.without_ledger
            ));
        }
        notes
    }
}

/// Why the weights cannot bear an effect, if they cannot.
fn refused(effective: f64, largest: f64) -> Option<&'static str> {
    if effective < FEW_GAMES as f64 {
        Some("too few observations")
    } else if largest > HEAVIEST {
        Some("one that outweighs the others")
    } else {
        None
    }
}
