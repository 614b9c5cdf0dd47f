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
    flips: SquareSet,
    /// A bit for each piece and direction it may step in: the squares as for [`SquareSet::bits`], one direction
    /// above the other.
    steps: u128,
    /// A bit for each landing of the two cannons, likewise.
    jumps: u64,
    cannons: SquareSet,
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
    #[inline]
    fn jump_prey(&self, color: Color, takes_face_down: bool) -> SquareSet {
        let enemies = self.pieces(color.other());
        if takes_face_down { enemies | self.face_down() } else { enemies }
    }

    /// All that `color` may do.
    #[inline]
    pub fn choices(&self, color: Color, takes_face_down: bool) -> Choices {
        let own = self.by_rank(color);
        let prey = self.prey(color);
        let all = self.pieces(color);
        let steps = Direction::ALL.iter().rev().fold(0, |above, &direction| {
            let quiet = all & self.empty().stepping_in(direction);
            let movers = own
                .iter()
                .zip(prey)
                .fold(quiet, |movers, (&pieces, prey)| movers | pieces & prey.stepping_in(direction));
            above << u32::BITS | u128::from(movers.bits())
        });
        let jumps = own[CANNON].into_iter().zip([0, u32::BITS]).fold(0, |jumps, (cannon, place)| {
            let landings = SquareSet::jumps(cannon, self.occupied()) & self.jump_prey(color, takes_face_down);
            jumps | u64::from(landings.bits()) << place
        });
        Choices { flips: self.face_down(), steps, jumps, cannons: own[CANNON] }
    }

    /// Whether `color` may do anything.
    #[inline]
    pub fn can_act(&self, color: Color, takes_face_down: bool) -> bool {
        let all = self.pieces(color);
        let steps = |direction| !(all & self.empty().stepping_in(direction)).is_empty();
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
        self.flips.len() + self.steps.count_ones() + self.jumps.count_ones()
    }

    /// One of them for each `place` below [`Choices::count`].
    ///
    /// # Panics
    ///
    /// May panic if there are not more than `place`.
    #[inline]
    pub fn nth(&self, place: u32) -> Move {
        let flips = self.flips.len();
        if place < flips {
            return Move::flip(self.flips.nth(place));
        }
        let place = place - flips;
        let steps = self.steps.count_ones();
        if place < steps {
            let mut rest = self.steps;
            for _ in 0..place {
                rest &= rest - 1;
            }
            let (direction, from) = split(rest.trailing_zeros());
            return Move { from, to: from.step(Direction::ALL[direction]) };
        }
        let mut rest = self.jumps;
        for _ in steps..place {
            rest &= rest - 1;
        }
        let (cannon, to) = split(rest.trailing_zeros());
        Move { from: self.cannons.nth(cannon as u32), to }
    }
}

/// The set that a bit belongs to, of those that lie above each other, and its square.
#[inline]
fn split(bit: u32) -> (usize, Square) {
    let bit = bit as usize;
    (bit / Square::COUNT, Square::from_index(bit % Square::COUNT))
}
