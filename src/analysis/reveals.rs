//! Whether the odds of what turns up are right, for everybody who watches, and what knowing the taken pieces
//! is worth.
//!
//! The owner of a face-down piece knows all its undrawn pieces, less what was taken from it unseen; whoever
//! took those knows better. The referee's odds are what one who saw every taken piece knows.

use std::collections::BTreeMap;

use super::board::Board;
use super::figure::{Drawing, Figure, IntervalPlot, IntervalRow};
use super::report::{Report, Section, Setup};
use super::rows::{PlyRow, Reads};
use super::stats::{ClusteredMean, ClusteredShare, Estimate};
use super::table::{Columns, Row, Table};

/// Bins that odds are sorted into.
const BINS: usize = 10;

/// Odds below which a kind of piece counts as impossible when it has turned up.
const LEAST: f64 = 1e-6;

/// Whose odds they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Observer {
    /// The owner of the piece, who does not see what is taken face down.
    Owner,
    /// One who sees every taken piece.
    SeesTaken,
    /// One who remembers nothing and counts with the start pool.
    Forgetful,
}

impl Observer {
    fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner of the piece",
            Self::SeesTaken => "sees every taken piece",
            Self::Forgetful => "remembers nothing",
        }
    }
}

/// What is kept of reveals.
#[derive(Debug, Clone)]
pub struct Reveals {
    board: Board,
    observers: BTreeMap<Observer, Scored>,
    bins: BTreeMap<(Observer, usize), Bin>,
    /// Whether the owner's odds were not the true ones.
    secret: ClusteredShare,
    /// Points by which the owner misjudged its own move for not knowing, whichever way, where odds differed.
    misjudged: ClusteredMean,
    /// Points by which it thought too well of it.
    hopeful: ClusteredMean,
}

#[derive(Debug, Clone, Default)]
struct Scored {
    brier: ClusteredMean,
    /// Nats.
    log_loss: ClusteredMean,
}

#[derive(Debug, Clone, Default)]
struct Bin {
    odds: ClusteredMean,
    came: ClusteredShare,
}

/// The odds of each kind of piece by its letter.
type Odds = Vec<(u8, f64)>;

impl Report for Reveals {
    const READS: Reads = Reads { candidates: false, outcomes: true, views: false, tactics: false };

    fn new(setup: &Setup) -> Self {
        Self {
            board: setup.board,
            observers: BTreeMap::new(),
            bins: BTreeMap::new(),
            secret: ClusteredShare::default(),
            misjudged: ClusteredMean::default(),
            hopeful: ClusteredMean::default(),
        }
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        let Some(revealed) = ply.revealed.and_then(|letter| letter.bytes().next()) else { return };
        if ply.outcomes.is_empty() {
            return;
        }
        let owner = odds(ply, |outcome| outcome.p_mover);
        let true_odds = odds(ply, |outcome| outcome.p_referee);
        let forgetful = self.board.start_odds();
        for (observer, odds) in
            [(Observer::Owner, &owner), (Observer::SeesTaken, &true_odds), (Observer::Forgetful, &forgetful)]
        {
            self.score(ply.game_id, observer, odds, revealed);
        }
        self.compare(ply);
    }

    fn merge(&mut self, later: Self) {
        for (observer, scored) in later.observers {
            let known = self.observers.entry(observer).or_default();
            known.brier.merge(scored.brier);
            known.log_loss.merge(scored.log_loss);
        }
        for (place, bin) in later.bins {
            let known = self.bins.entry(place).or_default();
            known.odds.merge(bin.odds);
            known.came.merge(bin.came);
        }
        self.secret.merge(later.secret);
        self.misjudged.merge(later.misjudged);
        self.hopeful.merge(later.hopeful);
    }

    fn finish(self) -> Vec<Section> {
        vec![Section {
            name: "reveals",
            title: "The odds of what turns up",
            headlines: Vec::new(),
            figures: vec![self.figure(Observer::Owner)],
            tables: vec![self.observers_table(), self.knowing_table(), self.bins_table().folded()],
            notes: vec![
                "Where the taker sees a piece taken face down and the owner does not, the opponent's odds of \
                 the owner's flips are those of one who sees every taken piece, and the owner's stay behind. \
                 Where nobody or everybody sees them, all odds are the same."
                    .into(),
                "A lower Brier score and log loss are better; counting with the start pool shows what \
                 remembering is worth."
                    .into(),
            ],
        }]
    }
}

impl Reveals {
    fn score(&mut self, game: u64, observer: Observer, odds: &Odds, revealed: u8) {
        let came = |letter: u8| f64::from(u8::from(letter == revealed));
        let brier: f64 = odds.iter().map(|&(letter, p)| (p - came(letter)).powi(2)).sum();
        let given = odds.iter().find(|(letter, _)| *letter == revealed).map_or(0.0, |(_, p)| *p);
        let scored = self.observers.entry(observer).or_default();
        scored.brier.observe(game, brier);
        scored.log_loss.observe(game, -given.max(LEAST).ln());
        for &(letter, p) in odds {
            let bin = self.bins.entry((observer, ((p * BINS as f64) as usize).min(BINS - 1))).or_default();
            bin.odds.observe(game, p);
            bin.came.observe(game, letter == revealed);
        }
    }

    /// What the owner's odds make of the move against what the true ones make of it.
    fn compare(&mut self, ply: &PlyRow<'_>) {
        let differ = ply.outcomes.iter().any(|outcome| (outcome.p_mover - outcome.p_referee).abs() > 1e-4);
        self.secret.observe(ply.game_id, differ);
        if differ {
            let too_well = ply
                .outcomes
                .iter()
                .map(|outcome| f64::from(outcome.p_mover - outcome.p_referee) * f64::from(outcome.q));
            let too_well = 50.0 * too_well.sum::<f64>();
            self.misjudged.observe(ply.game_id, too_well.abs());
            self.hopeful.observe(ply.game_id, too_well);
        }
    }

    fn observers_table(&self) -> Table {
        let columns = Columns::default()
            .plain("observer", "observer")
            .plain("reveals", "reveals")
            .plain("games", "games")
            .estimate("brier", "Brier score", "", 4, "brier")
            .estimate("log_loss", "log loss", "nats", 4, "log-loss");
        let rows = self.observers.iter().filter_map(|(observer, scored)| {
            let brier = scored.brier.estimate()?;
            let row = Row::default().text(observer.name()).counts(&brier).estimate(Some(brier));
            Some(row.estimate(scored.log_loss.estimate()))
        });
        Table::new("reveals", "How well the odds foretell what turns up", columns, rows.collect())
    }

    fn knowing_table(&self) -> Table {
        let columns = Columns::default()
            .plain("figure", "figure")
            .plain("unit", "unit")
            .plain("reveals", "reveals")
            .plain("games", "games")
            .estimate("value", "value", "", 3, "");
        let figures = [
            (
                "flips whose owner does not know the true odds",
                "%",
                self.secret.estimate().map(|s| s.scaled(100.0)),
            ),
            ("misjudgement of such a flip, whichever way", "points", self.misjudged.estimate()),
            ("of it, too hopeful", "points", self.hopeful.estimate()),
        ];
        let rows = figures.into_iter().filter_map(|(name, unit, figure): (_, _, Option<Estimate>)| {
            let figure = figure?;
            Some(Row::default().text(name).text(unit).counts(&figure).estimate(Some(figure)))
        });
        Table::new("reveals_knowing", "What knowing the taken pieces is worth", columns, rows.collect())
    }

    fn bins_table(&self) -> Table {
        let columns = Columns::default()
            .plain("observer", "observer")
            .plain("pieces", "odds given")
            .plain("games", "games")
            .real("odds", "odds", "%", 2)
            .estimate("came", "came", "%", 2, "");
        let rows = self.bins.iter().filter_map(|(&(observer, _), bin)| {
            let (odds, came) = (bin.odds.estimate()?, bin.came.estimate()?);
            let row = Row::default().text(observer.name()).counts(&odds).real(100.0 * odds.value);
            Some(row.estimate(Some(came.scaled(100.0))))
        });
        Table::new("reveals_bins", "Odds given and what came", columns, rows.collect())
    }

    fn figure(&self, observer: Observer) -> Figure {
        let bins = self.bins.iter().filter(|((of, _), _)| *of == observer);
        let rows = bins.filter_map(|(_, bin)| {
            let label = format!("odds {:.0} %", 100.0 * bin.odds.estimate()?.value);
            Some(IntervalRow { label, estimate: bin.came.estimate()?.scaled(100.0) })
        });
        Figure {
            title: "Do the odds keep their word?".into(),
            caption:
                "How often a kind of piece turned up, by the odds its owner gave it. n counts odds; bars \
                      are 95 % intervals between games."
                    .into(),
            drawing: Drawing::Intervals(IntervalPlot { rows: rows.collect(), unit: "%", mark: 0.0 }),
        }
    }
}

/// The odds of each letter, whatever was taken along with it.
fn odds(ply: &PlyRow<'_>, of: impl Fn(&super::rows::OutcomeRow<'_>) -> f32) -> Odds {
    let mut odds = Odds::new();
    for outcome in ply.outcomes {
        let Some(letter) = outcome.reveal.and_then(|letter| letter.bytes().next()) else { continue };
        let p = f64::from(of(outcome));
        match odds.iter_mut().find(|(known, _)| *known == letter) {
            Some((_, sum)) => *sum += p,
            None => odds.push((letter, p)),
        }
    }
    odds
}
