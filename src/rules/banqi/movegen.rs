//! Which moves there are.
//!
//! Nobody is ever in check, so a move is legal if its piece can make it.

use super::Move;
use super::board::{Board, Cell};
use super::capture::{RANKED, rank, takes_next_to};
use super::square::{Direction, Square, SquareSet};
use crate::game::MoveList;
use crate::rules::pieces::{Color, Role};

const CANNON: usize = rank(Role::Cannon);

/// Everything a side may do, counted but not listed.
pub struct Choices {
    face_down: SquareSet,
    /// For each direction, the pieces that may step that way.
    steps: [SquareSet; 4],
    /// The cannons that may jump, with where to: a side has two.
    jumps: [(Option<Square>, SquareSet); 2],
}

impl Board {
    /// For each rank of `color`, the enemy pieces that its pieces take next to them.
    #[inline]
    fn prey(&self, color: Color) -> [SquareSet; 7] {
        let [king, advisors, elephants, chariots, horses, cannons, soldiers] = *self.by_rank(color.other());
        let below_horses = cannons | soldiers;
        let to_horses = horses | below_horses;
        let to_chariots = chariots | to_horses;
        let to_elephants = elephants | to_chariots;
        let to_advisors = advisors | to_elephants;
        let all_but_soldiers = (king | to_advisors).without(soldiers);
        [
            all_but_soldiers,
            to_advisors,
            to_elephants,
            to_chariots,
            to_horses,
            SquareSet::EMPTY,
            soldiers | king,
        ]
    }

    /// What a jumping cannon of `color` may land on.
    fn jump_prey(&self, color: Color, takes_face_down: bool) -> SquareSet {
        let enemies = self.pieces(color.other());
        if takes_face_down { enemies | self.face_down() } else { enemies }
    }

    /// All that `color` may do.
    #[inline]
    pub fn choices(&self, color: Color, takes_face_down: bool) -> Choices {
        let occupied = self.occupied();
        let empty = SquareSet::ALL.without(occupied);
        let own = self.by_rank(color);
        let prey = self.prey(color);
        let steps = Direction::ALL.map(|direction| {
            let quiet = self.pieces(color) & empty.stepping_in(direction);
            (0..RANKED.len())
                .filter(|&rank| rank != CANNON)
                .fold(quiet, |movers, rank| movers | own[rank] & prey[rank].stepping_in(direction))
        });
        let mut jumps = [(None, SquareSet::EMPTY); 2];
        for (place, cannon) in jumps.iter_mut().zip(own[CANNON]) {
            let landings = SquareSet::jumps(cannon, occupied) & self.jump_prey(color, takes_face_down);
            *place = (Some(cannon), landings);
        }
        Choices { face_down: self.face_down(), steps, jumps }
    }

    /// Whether `color` may do anything.
    #[inline]
    pub fn can_act(&self, color: Color, takes_face_down: bool) -> bool {
        let empty = SquareSet::ALL.without(self.occupied());
        let steps = |direction| !(self.pieces(color) & empty.stepping_in(direction)).is_empty();
        !self.face_down().is_empty()
            || Direction::ALL.into_iter().any(steps)
            || self.choices(color, takes_face_down).count() > 0
    }

    /// Where the face-up piece on `from`, which is `color`'s, may go or take; empty if there is none.
    pub fn targets(&self, color: Color, from: Square, takes_face_down: bool) -> SquareSet {
        match self.cell(from) {
            Cell::FaceUp(piece) if piece.color == color => {
                let occupied = self.occupied();
                let next_to = SquareSet::next_to(from);
                let taken = match piece.role {
                    Role::Cannon => SquareSet::jumps(from, occupied) & self.jump_prey(color, takes_face_down),
                    role => next_to & self.prey(color)[rank(role)],
                };
                next_to.without(occupied) | taken
            }
            _ => SquareSet::EMPTY,
        }
    }

    /// Fills `out` with all that `color` may do, sorted.
    pub fn moves(&self, color: Color, takes_face_down: bool, out: &mut MoveList<Move>) {
        for from in self.pieces(color) | self.face_down() {
            if self.face_down().contains(from) {
                out.push(Move::flip(from));
            } else {
                let targets = self.targets(color, from, takes_face_down);
                out.extend(targets.into_iter().map(|to| Move { from, to }));
            }
        }
    }

    /// The face-up pieces of `color` that may take an enemy of this role on `at`, where somebody stands.
    pub fn attackers(&self, color: Color, at: Square, role: Role) -> SquareSet {
        let own = self.by_rank(color);
        let next_to = SquareSet::next_to(at);
        let takers = RANKED.into_iter().filter(|&taker| takes_next_to(taker, role));
        let beside = takers.fold(SquareSet::EMPTY, |set, taker| set | next_to & own[rank(taker)]);
        beside | SquareSet::jumps(at, self.occupied()) & own[CANNON]
    }
}

impl Choices {
    /// How many there are.
    #[inline]
    pub fn count(&self) -> u32 {
        let steps: u32 = self.steps.iter().map(|movers| movers.len()).sum();
        let jumps: u32 = self.jumps.iter().map(|(_, landings)| landings.len()).sum();
        self.face_down.len() + steps + jumps
    }

    /// One of them for each `place` below [`Choices::count`].
    ///
    /// # Panics
    ///
    /// If there are not more than `place`.
    #[inline]
    pub fn nth(&self, mut place: u32) -> Move {
        let mut within = |set: SquareSet| {
            let here = place < set.len();
            if here {
                Some(set.nth(place))
            } else {
                place -= set.len();
                None
            }
        };
        if let Some(square) = within(self.face_down) {
            return Move::flip(square);
        }
        for (direction, &movers) in Direction::ALL.into_iter().zip(&self.steps) {
            if let Some(from) = within(movers) {
                return Move { from, to: from.step(direction) };
            }
        }
        for (cannon, landings) in self.jumps {
            if let (Some(from), Some(to)) = (cannon, within(landings)) {
                return Move { from, to };
            }
        }
        unreachable!("there are not so many choices")
    }
}
