//! How long nothing happens: the plies without a flip or a capture that rules count towards a draw, what a
//! shorter limit would have changed, and what becomes of an advantage meanwhile.
//!
//! Counted from the plies and not read from the views, so that it is one count under every rule set.

use std::collections::BTreeMap;

use super::board::Board;
use super::figure::{Drawing, Figure, IntervalPlot, IntervalRow};
use super::report::{Headline, Report, Section, Setup};
use super::rows::{Kind, Reads};
use super::scale::{figure, percent, points, spread};
use super::stats::{ClusteredMean, ClusteredShare};
use super::story::Story;
use super::table::{Columns, Row, Table};

/// Counts that are told apart; rule sets draw at 30, 50, 100 and 180.
const MARKS: [u16; 6] = [10, 20, 30, 50, 100, 180];

/// The mark of the headline: the shortest limit that is played by.
const SHORTEST: usize = 2;

/// What is kept of games without progress.
#[derive(Debug, Clone, Default)]
pub struct Limit {
    /// By place in [`MARKS`].
    marks: [Mark; MARKS.len()],
    /// Plies by the number of marks that the count had reached before them.
    waits: BTreeMap<usize, Wait>,
}

/// Games whose count reached one mark.
#[derive(Debug, Clone, Default)]
struct Mark {
    reached: ClusteredShare,
    /// Of those that reached it.
    drawn: ClusteredShare,
    /// Percent: the score of the player whom the search preferred when it was first reached.
    ahead: ClusteredMean,
}

/// Plies at like counts.
#[derive(Debug, Clone, Default)]
struct Wait {
    /// Whether the ply was a flip or a capture.
    progress: ClusteredShare,
    /// Points by which the search's value is off even.
    lead: ClusteredMean,
}

impl Report for Limit {
    const READS: Reads = Reads { candidates: false, outcomes: false, views: false, tactics: false };
    /// The limits of Jieqi count other plies, and not the same under every rule set.
    const ONLY: Option<Board> = Some(Board::Half);

    fn new(_setup: &Setup) -> Self {
        Self::default()
    }

    fn absorb_story(&mut self, story: &Story) {
        let (mut count, mut longest) = (0_u16, 0_u16);
        for step in &story.steps {
            let result = story.result_for(step.seat);
            if let Some(place) = MARKS.iter().position(|&mark| mark == count)
                && count > longest
                && step.value != 0.0
            {
                let ahead = if step.value > 0.0 { result } else { -result };
                self.marks[place].ahead.observe(story.game_id, percent(ahead as f32));
            }
            longest = longest.max(count);
            let progress = step.kind != Kind::Move;
            let wait = self.waits.entry(marks_reached(count)).or_default();
            wait.progress.observe(story.game_id, progress);
            wait.lead.observe(story.game_id, points(0.0, step.value.abs()));
            count = if progress { 0 } else { count + 1 };
        }
        longest = longest.max(count);
        for (mark, known) in MARKS.into_iter().zip(&mut self.marks) {
            known.reached.observe(story.game_id, longest >= mark);
            if longest >= mark {
                known.drawn.observe(story.game_id, story.result == 0);
            }
        }
    }

    fn merge(&mut self, later: Self) {
        for (known, mark) in self.marks.iter_mut().zip(later.marks) {
            known.reached.merge(mark.reached);
            known.drawn.merge(mark.drawn);
            known.ahead.merge(mark.ahead);
        }
        for (band, wait) in later.waits {
            let known = self.waits.entry(band).or_default();
            known.progress.merge(wait.progress);
            known.lead.merge(wait.lead);
        }
    }

    fn finish(self) -> Vec<Section> {
        vec![Section {
            name: "limit",
            title: "Plies without a flip or a capture",
            headlines: self.headline().into_iter().collect(),
            figures: vec![self.reached_figure(), self.lead_figure()],
            tables: vec![self.marks_table(), self.waits_table()],
            notes: notes(),
        }]
    }
}

impl Limit {
    fn headline(&self) -> Option<Headline> {
        let share = self.marks[SHORTEST].reached.estimate()?.scaled(100.0);
        Some(Headline {
            label: format!("games with {} plies in a row without a flip or a capture", MARKS[SHORTEST]),
            figure: figure(share.value, 1, "%"),
            detail: spread(share.interval, 1, "%", share.games, "games"),
        })
    }

    fn marks_table(&self) -> Table {
        let columns = Columns::default()
            .plain("plies", "plies in a row")
            .plain("games", "games that came so far")
            .estimate("reached", "of all games", "%", 1, "")
            .estimate("drawn", "of these drawn", "%", 1, "")
            .estimate("ahead", "score of who was ahead then", "%", 1, "");
        let rows = MARKS.iter().zip(&self.marks).filter_map(|(&plies, mark)| {
            let drawn = mark.drawn.estimate()?;
            let row = Row::default().count(plies.into()).count(drawn.games).estimate(mark.reached.percent());
            let ahead = mark.ahead.estimate().map(|ahead| ahead.within(0.0, 100.0));
            Some(row.estimate(mark.drawn.percent()).estimate(ahead))
        });
        Table::new("limit_games", "How long games stood still at the longest", columns, rows.collect())
    }

    fn waits_table(&self) -> Table {
        let columns = Columns::default()
            .plain("count", "plies without either")
            .plain("plies", "plies")
            .plain("games", "games")
            .estimate("progress", "flip or capture next", "%", 1, "")
            .estimate("lead", "value off even", "points", 2, "points");
        let rows = self.waits.iter().filter_map(|(&band, wait)| {
            let lead = wait.lead.estimate()?;
            let progress = wait.progress.percent();
            let row = Row::default().text(band_name(band)).counts(&lead);
            Some(row.estimate(progress).estimate(Some(lead)))
        });
        Table::new("limit_plies", "What is played while the count runs", columns, rows.collect())
    }

    fn reached_figure(&self) -> Figure {
        let rows = MARKS.iter().zip(&self.marks).filter_map(|(plies, mark)| {
            mark.drawn.estimate()?;
            let estimate = mark.reached.estimate()?.scaled(100.0);
            Some(IntervalRow { label: format!("{plies} plies"), estimate })
        });
        Figure {
            title: "How long games stand still".into(),
            caption:
                "Share of games that had so many plies in a row without a flip or a capture; bars are 95 % \
                      intervals."
                    .into(),
            drawing: Drawing::Intervals(IntervalPlot { rows: rows.collect(), unit: "%", mark: 0.0 }),
        }
    }

    fn lead_figure(&self) -> Figure {
        let rows = self.waits.iter().filter_map(|(&band, wait)| {
            Some(IntervalRow { label: band_name(band), estimate: wait.lead.estimate()? })
        });
        Figure {
            title: "What an advantage is worth while the count runs".into(),
            caption:
                "How far the search's value is from even, whoever is ahead, by plies since the last flip or \
                      capture. n counts plies; bars are 95 % intervals between games."
                    .into(),
            drawing: Drawing::Intervals(IntervalPlot { rows: rows.collect(), unit: "points", mark: 0.0 }),
        }
    }
}

/// How many marks a count has reached.
fn marks_reached(count: u16) -> usize {
    MARKS.iter().take_while(|&&mark| mark <= count).count()
}

/// The counts with so many marks reached.
fn band_name(band: usize) -> String {
    let least = band.checked_sub(1).map_or(0, |place| MARKS[place]);
    match MARKS.get(band) {
        Some(next) => format!("{least} to {}", next - 1),
        None => format!("{least} and more"),
    }
}

fn notes() -> Vec<String> {
    vec![
        "A game that came as far as a shorter limit would have been drawn there: its row says how many of them \
         were won after all. Players who knew of the shorter limit would have played otherwise."
            .into(),
        "Who is ahead is what the search said when the count first reached the mark; 50 % means that being ahead \
         no longer helped."
            .into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_lie_between_marks() {
        let names: Vec<_> = [0, 9, 10, 49, 50, 99, 180, 9999].map(|n| band_name(marks_reached(n))).into();
        let expected = [
            "0 to 9",
            "0 to 9",
            "10 to 19",
            "30 to 49",
            "50 to 99",
            "50 to 99",
            "180 and more",
            "180 and more",
        ];
        assert_eq!(names, expected);
    }
}
