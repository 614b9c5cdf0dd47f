//! How much of the result is luck: what reveals gave and took, from the chance ledger.

use super::figure::{Drawing, Figure, IntervalPlot, IntervalRow};
use super::report::{Headline, Report, Section, Setup};
use super::rows::Reads;
use super::scale::{figure, spread};
use super::stats::{ClusteredMean, Estimate, Regression, ShareOfVariance};
use super::story::{PHASES, Story};
use super::table::{Columns, Row, Table};

/// Sums the luck of games.
#[derive(Debug, Clone)]
pub struct Luck {
    games: u64,
    without_ledger: u64,
    share: ShareOfVariance,
    /// The result on one and the luck: 1 where values and results are on one scale.
    scale: Regression,
    /// Points, of the first seat: the result, and the result less the luck.
    result: ClusteredMean,
    adjusted: ClusteredMean,
    luck: ClusteredMean,
    /// Points a reveal moves the value, whoever gains, by phase.
    swings: [ClusteredMean; 3],
    /// Points of the mover's luck, by phase: no luck on the mean if the ledger is right.
    bias: [ClusteredMean; 3],
    /// The part of the result's way from even that neither luck nor the ledger explains, by ply: points of
    /// value that plies without a reveal lost their movers.
    decisions: ClusteredMean,
}

impl Report for Luck {
    const READS: Reads = Reads { candidates: false, outcomes: true, views: false, tactics: false };

    fn new(_setup: &Setup) -> Self {
        Self {
            games: 0,
            without_ledger: 0,
            share: ShareOfVariance::default(),
            scale: Regression::new(2),
            result: ClusteredMean::default(),
            adjusted: ClusteredMean::default(),
            luck: ClusteredMean::default(),
            swings: Default::default(),
            bias: Default::default(),
            decisions: ClusteredMean::default(),
        }
    }

    fn absorb_story(&mut self, story: &Story) {
        self.games += 1;
        for step in &story.steps {
            let Some(luck) = step.luck else { continue };
            let luck = 50.0 * luck;
            if step.is_flip() {
                let phase = usize::from(step.phase);
                self.swings[phase].observe(story.game_id, luck.abs());
                self.bias[phase].observe(story.game_id, luck);
            }
            if step.chosen {
                self.decisions.observe(story.game_id, 50.0 * step.change() - luck);
            }
        }
        let Some(luck) = story.luck_from(0, 0) else {
            self.without_ledger += 1;
            return;
        };
        let result = story.result_for(0);
        self.share.observe(story.game_id, result, luck);
        self.scale.observe(story.game_id, &[1.0, luck], result);
        self.result.observe(story.game_id, 50.0 * result);
        self.adjusted.observe(story.game_id, 50.0 * (result - luck));
        self.luck.observe(story.game_id, 50.0 * luck.abs());
    }

    fn merge(&mut self, later: Self) {
        self.games += later.games;
        self.without_ledger += later.without_ledger;
        self.share.merge(later.share);
        self.scale.merge(later.scale);
        self.result.merge(later.result);
        self.adjusted.merge(later.adjusted);
        self.luck.merge(later.luck);
        for (known, later) in self.swings.iter_mut().zip(later.swings) {
            known.merge(later);
        }
        for (known, later) in self.bias.iter_mut().zip(later.bias) {
            known.merge(later);
        }
        self.decisions.merge(later.decisions);
    }

    fn finish(self) -> Vec<Section> {
        vec![Section {
            name: "luck",
            title: "Luck",
            headlines: self.headlines(),
            figures: vec![self.figure()],
            tables: vec![self.table()],
            notes: self.notes(),
        }]
    }
}

impl Luck {
    fn share(&self) -> Option<Estimate> {
        self.share.estimate().map(|share| share.scaled(100.0))
    }

    /// None where all luck is alike but for rounding: a slope would be rounding as well.
    fn slope(&self) -> Option<Estimate> {
        self.share()?;
        self.scale.fit(0.0).map(|fit| fit.coefficient(1))
    }

    fn headlines(&self) -> Vec<Headline> {
        let headline = self.share().map(|share| Headline {
            label: "of the spread of results is luck of what turned up".into(),
            figure: figure(share.value, 0, "%"),
            detail: spread(share.interval, 0, "%", share.games, "games"),
        });
        headline.into_iter().collect()
    }

    /// Every figure with its unit, in the order of reading.
    fn figures(&self) -> Vec<(String, &'static str, Option<Estimate>)> {
        let mut figures = vec![
            ("share of the results' variance that goes with the luck".into(), "%", self.share()),
            ("result on luck, slope".into(), "", self.slope()),
            ("first seat's result from even".into(), "points", self.result.estimate()),
            ("the same less the luck".into(), "points", self.adjusted.estimate()),
            ("luck of a game, whoever has it".into(), "points", self.luck.estimate()),
        ];
        for (phase, (swing, bias)) in PHASES.iter().zip(self.swings.iter().zip(&self.bias)) {
            figures.push((format!("swing of a reveal, {phase}"), "points", swing.estimate()));
            figures.push((format!("mean luck of a reveal, {phase}"), "points", bias.estimate()));
        }
        figures.push((
            "change of value of a ply less its luck, for its mover".into(),
            "points",
            self.decisions.estimate(),
        ));
        figures
    }

    fn table(&self) -> Table {
        let columns = Columns::default()
            .plain("figure", "figure")
            .plain("unit", "unit")
            .plain("observations", "n")
            .plain("games", "games")
            .estimate("value", "value", "", 2, "luck");
        let rows = self.figures().into_iter().filter_map(|(name, unit, estimate)| {
            let estimate = estimate?;
            Some(Row::default().text(name).text(unit).counts(&estimate).estimate(Some(estimate)))
        });
        Table::new("luck", "Luck and what is left without it", columns, rows.collect())
    }

    fn figure(&self) -> Figure {
        let rows = PHASES.iter().zip(&self.swings).filter_map(|(phase, swing)| {
            Some(IntervalRow { label: (*phase).into(), estimate: swing.estimate()? })
        });
        Figure {
            title: "How much one reveal swings".into(),
            caption:
                "The distance between the value of what turned up and the mean over what might have, in \
                      points. n counts reveals; bars are 95 % intervals between games."
                    .into(),
            drawing: Drawing::Intervals(IntervalPlot { rows: rows.collect(), unit: "points", mark: 0.0 }),
        }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec![
            "Luck is measured with the search's own values, fixed before each draw; a better judge would \
             find another share. Its mean is nothing by construction if the odds are right: the rows of mean \
             luck test that."
                .to_owned(),
            "What is left of the result without luck is decisions and the evaluator's errors together."
                .into(),
        ];
        if self.without_ledger > 0 {
            notes.push(format!(
                "{} of {} games have a reveal without a ledger and are not in the figures of whole games.",
                self.without_ledger, self.games
            ));
        }
        notes
    }
}
