//! What is certain of a value: bounds that ends of the game set and that no evaluator moves.
//!
//! They travel up as in score-bounded tree search (Cazenave and Saffidine, 2010), and through chance as the
//! expectations of both. A win for certain, a draw at least, and no more than half a win are all such bounds;
//! where they meet, the value under best play of both is known.

use crate::game::{MoverValue, Seat, SeatValue};

/// The value under best play is not below `low` and not above `high`, on the first seat's side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    low: f32,
    high: f32,
}

impl Bounds {
    /// Nothing is certain.
    pub const OPEN: Self = Self { low: -1.0, high: 1.0 };

    pub fn exactly(SeatValue(value): SeatValue) -> Self {
        Self { low: value, high: value }
    }

    /// The value, if it is known.
    pub fn proof(self) -> Option<SeatValue> {
        (self.low == self.high).then_some(SeatValue(self.low))
    }

    /// An estimate, brought between the bounds.
    pub fn hold(self, SeatValue(estimate): SeatValue) -> SeatValue {
        SeatValue(estimate.clamp(self.low, self.high))
    }

    /// The least that is sure for `mover`, and the most that can be hoped for.
    pub fn for_mover(self, mover: Seat) -> Stakes {
        let [low, high] = [self.low, self.high].map(|value| SeatValue(value).for_mover(mover));
        match mover {
            Seat::First => Stakes { least: low, most: high },
            Seat::Second => Stakes { least: high, most: low },
        }
    }

    /// The bounds of a position in which `mover` has moves with these: its player takes the best of each.
    pub fn of_choice(moves: impl Iterator<Item = Bounds>, mover: Seat) -> Self {
        let best = |one: Self, other: Self| match mover {
            Seat::First => Self { low: one.low.max(other.low), high: one.high.max(other.high) },
            Seat::Second => Self { low: one.low.min(other.low), high: one.high.min(other.high) },
        };
        moves.reduce(best).unwrap_or(Self::OPEN)
    }

    /// The bounds of a move with outcomes of these odds, by what is certain of each.
    pub fn of_chance(outcomes: impl Iterator<Item = (f32, Bounds)>) -> Self {
        let (mut low, mut high, mut all) = (0.0, 0.0, 0.0);
        for (odds, bounds) in outcomes {
            // In doubles, and divided by what the odds really add up to: outcomes that agree must come out
            // as what they agree on.
            let odds = f64::from(odds);
            low += odds * f64::from(bounds.low);
            high += odds * f64::from(bounds.high);
            all += odds;
        }
        Self { low: (low / all) as f32, high: (high / all) as f32 }
    }
}

/// What is certain of a move's value, on the side of the player to move. Values are those under best play of both.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Stakes {
    /// The move is not worth less; -1 where nothing is sure.
    pub least: MoverValue,
    /// The move is not worth more; 1 where nothing is sure.
    pub most: MoverValue,
}

impl Stakes {
    /// The value, if it is known.
    pub fn proof(self) -> Option<MoverValue> {
        (self.least == self.most).then_some(self.most)
    }

    /// Whether a move with these is certainly no better than one with `others`, and may be worse.
    pub(super) fn yield_to(self, others: Stakes) -> bool {
        others.least >= self.most && (others.least > self.least || others.most > self.most)
    }

    /// Of several moves' the one with the most for sure, and of those the one with the most to hope for: what
    /// yields to any of them yields to this.
    pub(super) fn surest(moves: impl Iterator<Item = Stakes>) -> Option<Stakes> {
        moves.reduce(|best, stakes| if stakes > best { stakes } else { best })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIN: Bounds = Bounds { low: 1.0, high: 1.0 };
    const DRAW: Bounds = Bounds { low: 0.0, high: 0.0 };
    const AT_LEAST_A_DRAW: Bounds = Bounds { low: 0.0, high: 1.0 };

    #[test]
    fn outcomes_that_agree_come_out_as_what_they_agree_on() {
        for ways in 1..=36 {
            let odds = (ways as f32).recip();
            assert_eq!(Bounds::of_chance(std::iter::repeat_n((odds, WIN), ways)), WIN);
        }
    }

    #[test]
    fn what_is_open_leaves_room_for_its_odds() {
        let bounds = Bounds::of_chance([(0.25, WIN), (0.5, DRAW), (0.25, Bounds::OPEN)].into_iter());
        assert_eq!(bounds, Bounds { low: 0.0, high: 0.5 });
    }

    #[test]
    fn a_player_takes_the_best_of_each_bound() {
        let moves = || [DRAW, Bounds::OPEN].into_iter();
        assert_eq!(Bounds::of_choice(moves(), Seat::First), AT_LEAST_A_DRAW);
        assert_eq!(Bounds::of_choice(moves(), Seat::Second), Bounds { low: -1.0, high: 0.0 });
    }

    #[test]
    fn a_move_yields_to_what_is_certainly_as_good() {
        let [win, draw, hopeful, open] =
            [WIN, DRAW, AT_LEAST_A_DRAW, Bounds::OPEN].map(|bounds| bounds.for_mover(Seat::First));
        let loss = WIN.for_mover(Seat::Second);
        for (one, other, yields) in [
            (open, win, true),
            (draw, hopeful, true),
            (loss, open, true),
            (hopeful, draw, false),
            (open, draw, false),
            (draw, open, false),
            (draw, draw, false),
            (win, hopeful, false),
        ] {
            assert_eq!(one.yield_to(other), yields, "{one:?} to {other:?}");
        }
        assert_eq!(Stakes::surest([open, draw, hopeful, loss].into_iter()), Some(hopeful));
    }
}
