//! Q2, Q3 and Q4: which piece fears which, and what cannons are for.

use crate::analysis::board::{Board, Point};
use crate::analysis::claims::within::Groups;
use crate::analysis::claims::{Claim, Expected, Finding, Words};
use crate::analysis::placement::Placement;
use crate::analysis::report::Setup;
use crate::analysis::rows::{Kind, PlyRow};
use crate::analysis::stats::{Arm, ClusteredDifference, ClusteredMean, ClusteredShare};
use crate::analysis::story::Story;

/// An own piece that stands next to an enemy one that could take it.
#[derive(Debug, Clone)]
struct Danger {
    board: Board,
    piece: u8,
    feared: u8,
    /// Its best move against the best of the other moves.
    within: Groups,
    /// Whether it moved.
    moved: ClusteredShare,
    /// Points of value after the ply, where it moved against where it did not.
    change: ClusteredDifference,
}

impl Danger {
    fn new(board: Board, piece: u8, feared: u8) -> Self {
        let (within, moved, change) = Default::default();
        Self { board, piece, feared, within, moved, change }
    }

    fn absorb(&mut self, ply: &PlyRow<'_>) {
        let Some(placement) = Placement::read(self.board, ply.view) else { return };
        let is_near = |at| placement.beside(at).any(|near| placement.enemy(near) == Some(self.feared));
        let endangered: Vec<Point> = placement.own_pieces(self.piece).filter(|&at| is_near(at)).collect();
        if endangered.is_empty() {
            return;
        }
        let board = self.board;
        let leaves = |mv: &str| board.points(mv).is_some_and(|(from, _)| endangered.contains(&from));
        self.within.absorb(ply, |mv| Some(leaves(mv.mv)));
        if ply.full_search && !ply.explored {
            let left = leaves(ply.mv);
            let change = 50.0 * (f64::from(ply.next_value) - f64::from(ply.value));
            self.moved.observe(ply.game_id, left);
            self.change.observe(ply.game_id, if left { Arm::Exposed } else { Arm::Free }, change);
        }
    }

    fn merge(&mut self, later: Self) {
        self.within.merge(later.within);
        self.moved.merge(later.moved);
        self.change.merge(later.change);
    }

    fn findings(&self) -> Vec<Finding> {
        let moved = self.moved.percent();
        vec![
            Finding::tested(
                "its best move against the best other move",
                "points",
                self.within.estimate(),
                Expected::Above,
            ),
            Finding::told("plies at which it moved", "%", moved),
            Finding::told(
                "change of value, where it moved less where it did not",
                "points",
                self.change.estimate(),
            ),
        ]
    }
}

/// A horse next to a chariot.
#[derive(Debug, Clone)]
pub struct HorseAndRook(Danger);

impl Claim for HorseAndRook {
    const WORDS: Words = Words {
        id: "Q2",
        table: "claim_q2",
        claim: "A horse next to an enemy chariot has to move first.",
        source: "JoyPip, on dark chess",
        definition: "In audited positions with an own horse next to an enemy chariot, the best move of such a horse \
                     less the best other move, chosen and scored apart; and how often it moved.",
        settle: "A match of the same player that must move the horse against itself.",
    };

    fn new(setup: &Setup) -> Self {
        Self(Danger::new(setup.board, b'N', b'R'))
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        self.0.absorb(ply);
    }

    fn merge(&mut self, later: Self) {
        self.0.merge(later.0);
    }

    fn findings(&self) -> Vec<Finding> {
        self.0.findings()
    }
}

/// A general next to a soldier, and generals that are lost.
#[derive(Debug, Clone)]
pub struct GeneralAndSoldiers {
    danger: Danger,
    /// Of generals taken, those taken by soldiers.
    by_soldiers: ClusteredShare,
    /// Percent: the score of the player whose general was taken first.
    after: ClusteredMean,
}

impl Claim for GeneralAndSoldiers {
    const WORDS: Words = Words {
        id: "Q4",
        table: "claim_q4",
        claim: "The bigger takes the smaller, but the general fears the soldiers.",
        source: "JoyPip, on dark chess",
        definition: "In audited positions with the own general next to an enemy soldier, the best move of the \
                     general less the best other move, chosen and scored apart; who takes generals, and how games \
                     end for the player who loses his first.",
        settle: "A match of the same player that must move the general away from soldiers against itself.",
    };

    fn new(setup: &Setup) -> Self {
        let danger = Danger::new(setup.board, b'K', b'P');
        Self { danger, by_soldiers: ClusteredShare::default(), after: ClusteredMean::default() }
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        self.danger.absorb(ply);
    }

    fn absorb_story(&mut self, story: &Story) {
        let mut losses = story.steps.iter().filter(|step| step.taken == Some(b'K')).peekable();
        if let Some(first) = losses.peek() {
            let result = story.result_for(1 - first.seat);
            self.after.observe(story.game_id, 50.0 * (1.0 + result));
        }
        losses.for_each(|step| self.by_soldiers.observe(story.game_id, step.shown == Some(b'P')));
    }

    fn merge(&mut self, later: Self) {
        self.danger.merge(later.danger);
        self.by_soldiers.merge(later.by_soldiers);
        self.after.merge(later.after);
    }

    fn findings(&self) -> Vec<Finding> {
        let mut findings = self.danger.findings();
        findings.extend([
            Finding::told("generals taken by soldiers", "%", self.by_soldiers.percent()),
            Finding::told("score of the player who lost his general first", "%", self.after.estimate()),
        ]);
        findings
    }
}

/// Pieces that rank above a cannon.
const BIGGER: &[u8] = b"KABRN";

/// Captures by cannons.
#[derive(Debug, Clone)]
pub struct CannonShots {
    board: Board,
    /// The best shot at a bigger piece against the best of all other moves.
    within: Groups,
    /// Of the shots, those over a face-down piece, and those at a bigger one.
    over_lids: ClusteredShare,
    at_bigger: ClusteredShare,
}

impl Claim for CannonShots {
    const WORDS: Words = Words {
        id: "Q3",
        table: "claim_q3",
        claim: "Use the cannon, with one piece between, face down or not, to hit the bigger piece.",
        source: "JoyPip, on dark chess",
        definition: "In audited positions in which a cannon can take a piece that ranks above it, the best such \
                     capture less the best other move, chosen and scored apart; and over and at what cannons \
                     shoot.",
        settle: "A match of the same player with such captures forbidden against itself.",
    };

    fn new(setup: &Setup) -> Self {
        Self {
            board: setup.board,
            within: Groups::default(),
            over_lids: ClusteredShare::default(),
            at_bigger: ClusteredShare::default(),
        }
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        let Some(placement) = Placement::read(self.board, ply.view) else { return };
        let board = self.board;
        self.within.absorb(ply, |mv| {
            let (from, to) = board.points(mv.mv)?;
            let shoots = mv.kind == Kind::Capture && placement.own(from) == Some(b'C');
            Some(shoots && placement.enemy(to).is_some_and(|letter| BIGGER.contains(&letter)))
        });
        if ply.kind == Kind::Capture
            && ply.shown == Some("C")
            && let Some((from, to)) = board.points(ply.mv)
        {
            let over_lid = placement.between(from, to).any(|at| placement.at(at) == Some(b'?'));
            self.over_lids.observe(ply.game_id, over_lid);
            let is_bigger = |letter: u8| BIGGER.contains(&letter);
            self.at_bigger.observe(ply.game_id, placement.enemy(to).is_some_and(is_bigger));
        }
    }

    fn merge(&mut self, later: Self) {
        self.within.merge(later.within);
        self.over_lids.merge(later.over_lids);
        self.at_bigger.merge(later.at_bigger);
    }

    fn findings(&self) -> Vec<Finding> {
        vec![
            Finding::tested(
                "best shot at a bigger piece against the best other move",
                "points",
                self.within.estimate(),
                Expected::Above,
            ),
            Finding::told("shots at a bigger piece", "%", self.at_bigger.percent()),
            Finding::told("shots over a face-down piece", "%", self.over_lids.percent()),
        ]
    }
}
