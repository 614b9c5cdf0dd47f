//! Threats and chases, by what both players see: face-up pieces by what they are, face-down ones by the
//! role they show.
//!
//! A side threatens a piece that it could take for nothing if it were its turn; a move chases what it
//! newly threatens. A check that stands in the position is left out of all this, as if the turn had
//! resolved it: otherwise every way out of a check would make old threats look new.

use arrayvec::ArrayVec;

use super::board::Board;
use super::profile::{JieqiRules, Protection};
use super::square::{Square, SquareSet};
use crate::rules::pieces::{ByColor, Color, Role};

/// A piece under threat, and the pieces that threaten it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threat {
    pub victim: Square,
    pub chasers: SquareSet,
}

/// At most every enemy piece but the king.
pub type Threats = ArrayVec<Threat, 15>;

/// What a move of `side` newly threatens, that led from `before` to `after`.
///
/// Newness goes by the victim: one that was threatened before, by whichever piece, is not chased again.
pub fn chased(before: &Board, after: &Board, side: Color, rules: &JieqiRules) -> Threats {
    let now = Turn::of(after, side, rules).threats();
    if now.is_empty() {
        return now;
    }
    let earlier = Turn::of(before, side, rules);
    now.into_iter().filter(|threat| earlier.chasers(threat.victim).is_empty()).collect()
}

/// A position in which it counts as `side`'s turn.
struct Turn<'a> {
    board: &'a Board,
    side: Color,
    rules: &'a JieqiRules,
    /// By king: the pieces that attack it as the position stands.
    standing_checks: ByColor<SquareSet>,
}

impl<'a> Turn<'a> {
    fn of(board: &'a Board, side: Color, rules: &'a JieqiRules) -> Self {
        let standing_checks = ByColor::new(board.checkers(Color::Red), board.checkers(Color::Black));
        Self { board, side, rules, standing_checks }
    }

    fn threats(&self) -> Threats {
        let attacked = self.hunters().into_iter().fold(SquareSet::EMPTY, |attacked, hunter| {
            attacked | self.board.targets(self.side, hunter, self.role(hunter))
        });
        (attacked & self.prey())
            .into_iter()
            .map(|victim| Threat { victim, chasers: self.chasers(victim) })
            .filter(|threat| !threat.chasers.is_empty())
            .collect()
    }

    /// The pieces that threaten the one on `victim`, which is none of those that cannot be chased.
    fn chasers(&self, victim: Square) -> SquareSet {
        let reaching = self.board.attackers(self.side, victim) & self.hunters();
        reaching.into_iter().filter(|&hunter| self.threatens(hunter, victim)).collect()
    }

    /// The pieces whose attacks can be chases.
    fn hunters(&self) -> SquareSet {
        let exempt = self.rules.chase_exempt_attackers.iter();
        let exempt = exempt.fold(SquareSet::EMPTY, |exempt, role| exempt | self.board.shown_as(role));
        self.board.pieces(self.side).without(exempt)
    }

    /// The enemy pieces that can be chased.
    fn prey(&self) -> SquareSet {
        let enemy = self.side.other();
        let mut exempt = self.board.shown_as(Role::King);
        if self.rules.chase_exempt_targets.soldiers_at_home() {
            exempt |= self.board.shown_as(Role::Soldier) & SquareSet::half(enemy);
        }
        self.board.pieces(enemy).without(exempt)
    }

    fn threatens(&self, hunter: Square, victim: Square) -> bool {
        if !self.may_take(self.board, self.side, hunter, victim) {
            return false;
        }
        let (taker, taken) = (self.role(hunter), self.role(victim));
        if ignores_protection(self.rules.protected, taker, taken) {
            return true;
        }
        let mutual = taker == taken && self.may_be_taken_by(hunter, victim);
        !mutual && !self.is_protected(hunter, victim)
    }

    /// Whether the piece on `victim` could take the one on `hunter` if it were its turn.
    fn may_be_taken_by(&self, hunter: Square, victim: Square) -> bool {
        let enemy = self.side.other();
        self.board.attackers(enemy, hunter).contains(victim)
            && self.may_take(self.board, enemy, victim, hunter)
    }

    /// Whether the piece on `hunter`, having taken the one on `victim`, could be taken there.
    fn is_protected(&self, hunter: Square, victim: Square) -> bool {
        let enemy = self.side.other();
        let mut after = self.board.clone();
        // What a face-down taker turns up as does not matter: it is taken.
        after.play(hunter, victim, Some(self.role(hunter)));
        let protectors = after.attackers(enemy, victim);
        protectors.into_iter().any(|protector| self.may_take(&after, enemy, protector, victim))
    }

    /// Whether `color`'s piece on `from`, which reaches the one on `at` on this or a later `board`, may
    /// take it: it lays its king open to no piece but those that check as the position stands.
    fn may_take(&self, board: &Board, color: Color, from: Square, at: Square) -> bool {
        let checkers = board.checkers_after(color, from, at);
        checkers.without(self.standing_checks[color]).is_empty()
    }

    fn role(&self, at: Square) -> Role {
        self.board.cell(at).shown(at).expect("hunters and prey are pieces")
    }
}

/// Whether a threat of a `taker` to a `taken` stands even where the latter is protected.
fn ignores_protection(protection: Protection, taker: Role, taken: Role) -> bool {
    use Role::{Advisor, Cannon, Chariot, Elephant, Horse};
    let rook_against_lesser = matches!((taker, taken), (Cannon | Horse, Chariot));
    let major_against_guard = matches!((taker, taken), (Advisor | Elephant, Chariot | Cannon | Horse));
    match protection {
        Protection::Basic => false,
        Protection::RookNeverVsCannonHorse => rook_against_lesser,
        Protection::MajorNeverVsLesser => rook_against_lesser || major_against_guard,
    }
}
