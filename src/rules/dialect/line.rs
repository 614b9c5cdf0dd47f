//! What texts hold: a position and the plies played from it.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::DialectError;
use crate::game::{Eyes, Game, View};
use crate::rules::jieqi::{Cell, Jieqi, JieqiView, Move, Reveal, RolePool, TakenFaceDown, sees_taken};
use crate::rules::pieces::{ByColor, Color};

/// A position as one pair of eyes knows it, with what everybody knows of pieces taken face down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    view: JieqiView,
    taken: ByColor<RolePool>,
}

impl Snapshot {
    /// A position of which no piece taken face down is known by everybody.
    pub fn new(view: JieqiView) -> Self {
        Self::with_taken(view, ByColor::default())
    }

    pub(super) fn with_taken(view: JieqiView, taken: ByColor<RolePool>) -> Self {
        Self { view, taken }
    }

    pub fn view(&self) -> &JieqiView {
        &self.view
    }

    /// The pieces of each colour that were taken face down and that everybody then saw, as far as known:
    /// most forms of text do not say.
    pub fn taken(&self) -> &ByColor<RolePool> {
        &self.taken
    }

    fn after(&self, mv: Move, seen: Reveal) -> Self {
        let mut next = Self { view: self.view.after(mv, seen), taken: self.taken };
        let stays_secret = next.view.saw() != self.view.saw();
        if let Some(role) = seen.taken.filter(|_| !stays_secret) {
            next.taken[self.view.position().to_move().other()].add(role.index());
        }
        next
    }
}

/// A position and the plies played from it, as one pair of eyes saw them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    start: Snapshot,
    plies: Vec<(Move, Reveal)>,
    end: Snapshot,
}

impl Line {
    /// A position from which nothing has been played.
    pub fn new(start: Snapshot) -> Self {
        Self { end: start.clone(), start, plies: Vec::new() }
    }

    pub fn start(&self) -> &Snapshot {
        &self.start
    }

    /// The position the plies lead to.
    pub fn end(&self) -> &Snapshot {
        &self.end
    }

    pub fn plies(&self) -> impl ExactSizeIterator<Item = (Move, Reveal)> + '_ {
        self.plies.iter().copied()
    }

    /// Each ply with the position it was played in.
    pub fn steps(&self) -> impl Iterator<Item = (Snapshot, Move, Reveal)> + '_ {
        let mut position = self.start.clone();
        self.plies().map(move |(mv, seen)| {
            let next = position.after(mv, seen);
            (std::mem::replace(&mut position, next), mv, seen)
        })
    }

    /// Adds a ply.
    ///
    /// # Panics
    ///
    /// If it cannot have been played or seen; [`View::parse_seen`] is the checked way in.
    pub fn play(&mut self, mv: Move, seen: Reveal) {
        self.end = self.end.after(mv, seen);
        self.plies.push((mv, seen));
    }

    /// The line as `eyes` saw it, of which this one tells everything.
    ///
    /// # Errors
    ///
    /// If this line is one player's, or does not tell what that player saw.
    pub fn seen_by(&self, eyes: Eyes) -> Result<Line, DialectError> {
        let unknown = |what: &str| Err(DialectError::Unknown { what: what.into() });
        let start = self.start.view();
        let rules = start.rules();
        if start.eyes() != Eyes::Public {
            return unknown("more than one player knows");
        }
        let taker_knows = rules.captured_hidden == TakenFaceDown::SeenByTaker;
        let unaccounted = |color| start.position().unaccounted(color) > 0;
        if taker_knows && Color::BOTH.into_iter().any(unaccounted) {
            return unknown("what was taken face down before it begins");
        }
        // Nothing is hidden from the truth of this position, so that nothing is drawn.
        let truth = Jieqi::sample(start, &mut ChaCha8Rng::seed_from_u64(0));
        let mut line = Line::new(Snapshot { view: truth.view(eyes), taken: self.start.taken });
        for (before, mv, told) in self.steps() {
            let position = before.view().position();
            let takes_face_down = matches!(position.board().cell(mv.to), Cell::FaceDown(_));
            let sees = sees_taken(rules, eyes, position.to_move());
            if takes_face_down && sees && told.taken.is_none() {
                return unknown(&format!("what {mv} took"));
            }
            line.play(mv, Reveal { taken: told.taken.filter(|_| sees), ..told });
        }
        Ok(line)
    }
}
