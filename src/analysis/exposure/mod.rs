//! What a flip is worth by how controlled its destination is.
//!
//! Five views of one question. **Price**: in audited positions, a flip onto a controlled square against the
//! best onto a free one, chosen by one search and scored by another, with the expected loss, by strata.
//! **Outcome**: the swing by what turned up, and the result of the game with the luck taken out. **Candidates**: each flip a search looked at, against the best other move
//! in the same position, by attackers and defenders of its destination. **Contrasts**: in one position,
//! the best flip onto a controlled square against the best onto a free one. **Played flips**: what
//! happened to the value, and to the piece, once it was turned up. Differences are in points: 1 point is
//! one hundredth of a won game.

mod cells;
mod figures;
mod identities;
mod outcome;
mod price;
mod strata;
mod tables;

use std::collections::BTreeMap;

use cells::{Candidates, Exposed, Played, TwoBest};
use identities::Identities;
use outcome::Outcome;
use price::Price;

use super::board::{Board, Point};
use super::figure::FEW_GAMES;
use super::report::{Report, Section, Setup};
use super::rows::{Kind, MIN_VISITS, PlyRow, Reads, Source};
use super::scale::points;
use super::stats::{Arm, ClusteredDifference, ClusteredMean};
use super::story::Story;

/// A piece counts as lost if it was taken within so many plies of the flip.
pub(super) const LOST_WITHIN: u16 = 2;

/// The phase under which plies of every phase count.
const ANY_PHASE: &str = "any";
const PHASES: [&str; 4] = [ANY_PHASE, "opening", "middle", "endgame"];

/// What is kept of flips.
#[derive(Debug, Clone)]
pub struct Exposure {
    board: Board,
    price: Price,
    outcome: Outcome,
    candidates: BTreeMap<(Kind, Source, Exposed), Candidates>,
    contrasts: BTreeMap<(Source, &'static str), ClusteredMean>,
    played: BTreeMap<(Kind, Exposed), Played>,
    played_contrast: ClusteredDifference,
    identities: Identities,
    /// Cost in points of flips onto empty squares by the square they start from, seen by the mover.
    from: BTreeMap<Point, ClusteredMean>,
    /// The same by the square they land on.
    to: BTreeMap<Point, ClusteredMean>,
}

impl Report for Exposure {
    const READS: Reads = Reads { candidates: true, outcomes: true, views: false, tactics: false };

    fn new(setup: &Setup) -> Self {
        Self {
            board: setup.board,
            price: Price::default(),
            outcome: Outcome::new(),
            candidates: BTreeMap::new(),
            contrasts: BTreeMap::new(),
            played: BTreeMap::new(),
            played_contrast: ClusteredDifference::default(),
            identities: Identities::default(),
            from: BTreeMap::new(),
            to: BTreeMap::new(),
        }
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        if ply.kind.is_flip() && !ply.explored {
            self.absorb_played(ply);
            self.identities.absorb(self.board, ply);
        }
        if let Some(source) = ply.source() {
            self.absorb_candidates(ply, source);
            self.absorb_contrast(ply, source);
        }
        self.price.absorb(self.board, ply);
    }

    fn absorb_story(&mut self, story: &Story) {
        self.outcome.absorb(self.board, story);
    }

    fn merge(&mut self, later: Self) {
        self.price.merge(later.price);
        self.outcome.merge(later.outcome);
        for (cell, candidates) in later.candidates {
            self.candidates.entry(cell).or_default().merge(candidates);
        }
        for (cell, contrast) in later.contrasts {
            self.contrasts.entry(cell).or_default().merge(contrast);
        }
        for (cell, played) in later.played {
            self.played.entry(cell).or_default().merge(played);
        }
        self.played_contrast.merge(later.played_contrast);
        self.identities.merge(later.identities);
        for (squares, later) in [(&mut self.from, later.from), (&mut self.to, later.to)] {
            for (point, cost) in later {
                squares.entry(point).or_default().merge(cost);
            }
        }
    }

    fn finish(self) -> Vec<Section> {
        vec![Section {
            name: "exposure",
            title: "Flips onto controlled squares",
            headlines: self.headlines(),
            figures: self.figures(),
            tables: self.tables(),
            notes: notes(),
        }]
    }
}

impl Exposure {
    fn absorb_candidates(&mut self, ply: &PlyRow<'_>, source: Source) {
        let Some(two_best) = TwoBest::of(ply.counted_candidates().map(|candidate| candidate.q)) else {
            return;
        };
        let flips = ply.counted_candidates().enumerate().filter(|(_, candidate)| candidate.kind.is_flip());
        for (place, flip) in flips {
            let difference = points(two_best.without(place), flip.q);
            let cell = (flip.kind, source, Exposed::of(flip.attackers, flip.defenders));
            self.candidates.entry(cell).or_default().observe(ply, difference, flip.risk);
            if flip.kind == Kind::Flip
                && let Some((from, to)) = self.board.points(flip.mv)
            {
                for (squares, point) in [(&mut self.from, from), (&mut self.to, to)] {
                    let point = self.board.merged(self.board.seen_from(ply.seat, point));
                    squares.entry(point).or_default().observe(ply.game_id, difference);
                }
            }
        }
    }

    fn absorb_contrast(&mut self, ply: &PlyRow<'_>, source: Source) {
        let best = |controlled: bool| {
            ply.counted_candidates()
                .filter(|candidate| candidate.kind == Kind::Flip && (candidate.attackers > 0) == controlled)
                .map(|candidate| candidate.q)
                .reduce(f32::max)
        };
        if let (Some(controlled), Some(free)) = (best(true), best(false)) {
            for phase in PHASES.into_iter().filter(|&phase| phase == ANY_PHASE || phase == ply.phase) {
                let contrast = self.contrasts.entry((source, phase)).or_default();
                contrast.observe(ply.game_id, points(free, controlled));
            }
        }
    }

    fn absorb_played(&mut self, ply: &PlyRow<'_>) {
        let change = points(ply.value, ply.next_value);
        let lost = ply.lost_in.is_some_and(|plies| plies <= LOST_WITHIN);
        let played = self.played.entry((ply.kind, Exposed::of(ply.attackers, ply.defenders))).or_default();
        played.change.observe(ply.game_id, change);
        played.lost.observe(ply.game_id, lost);
        played.risk.observe(ply.game_id, f64::from(ply.risk));
        if ply.kind == Kind::Flip {
            let arm = if ply.attackers > 0 { Arm::Exposed } else { Arm::Free };
            self.played_contrast.observe(ply.game_id, arm, change);
        }
    }
}

fn notes() -> Vec<String> {
    vec![
        "Every value is the search's, and so conditional on the evaluator behind it: these tables say what \
         this program believes a flip costs, not what it truly costs."
            .into(),
        format!(
            "In searched rows only moves with at least {MIN_VISITS} visits are read. A search visits what \
             looks good, so flips that look bad are missing or judged from few looks; the flips onto \
             controlled squares that remain are the better ones. Audited rows open every outcome of every \
             move and do not have that fault, though most of their moves are judged from one look an outcome."
        ),
        "The price (first table) is free of the flattery below: the free flip is chosen by one search and \
         scored by another. Rows without a second search are not in it. What both searches share, the \
         evaluator's own error, stays in."
            .into(),
        "In the table of results the luck of all reveals from the flip on is taken off the result, and flips \
         of equal value before are compared. What the search saw and the value does not tell may still differ: \
         this is no experiment."
            .into(),
        format!(
            "p-values are adjusted by Holm's method within a table, over rows of at least {FEW_GAMES} games."
        ),
        "The best of several noisy values is on average too high. That makes the cost of a flip against the \
         best other move look larger than it is, and in a contrast it favours the side with more flips to \
         choose from."
            .into(),
        format!(
            "The value before a played flip is the search's at the time and a little too hopeful for the \
             same reason, so small negative changes are no loss. Drawn (explored) moves are left out of \
             played flips; lost means taken within {LOST_WITHIN} plies."
        ),
    ]
}
