//! The cells flips are sorted into, and what is counted in each.

use crate::analysis::rows::PlyRow;
use crate::analysis::stats::{ClusteredMean, ClusteredShare};

/// How many pieces bear on a square, as far as the tables tell counts apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Few(u8);

impl Few {
    pub(super) const ALL: [Self; 3] = [Self(0), Self(1), Self(2)];

    fn of(count: u8) -> Self {
        Self(count.min(2))
    }

    pub(super) fn name(self) -> &'static str {
        match self.0 {
            0 => "0",
            1 => "1",
            _ => "2+",
        }
    }
}

/// Attackers and defenders of a destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Exposed {
    pub(super) attackers: Few,
    pub(super) defenders: Few,
}

impl Exposed {
    pub(super) fn of(attackers: u8, defenders: u8) -> Self {
        Self { attackers: Few::of(attackers), defenders: Few::of(defenders) }
    }

    /// Every cell, by attackers and then by defenders.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let row = |attackers| Few::ALL.into_iter().map(move |defenders| Self { attackers, defenders });
        Few::ALL.into_iter().flat_map(row)
    }

    /// `1 attacker, 2+ defenders`.
    pub(super) fn words(self) -> String {
        let plural = |few: Few| if few == Few(1) { "" } else { "s" };
        format!(
            "{} attacker{}, {} defender{}",
            self.attackers.name(),
            plural(self.attackers),
            self.defenders.name(),
            plural(self.defenders)
        )
    }
}

/// Candidates of one cell.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidates {
    pub(super) positions: u64,
    /// The last position counted, by game and ply.
    last: Option<(u64, u16)>,
    /// Points against the best other move.
    pub(super) difference: ClusteredMean,
    /// Pawns.
    pub(super) risk: ClusteredMean,
}

impl Candidates {
    pub(super) fn observe(&mut self, ply: &PlyRow<'_>, difference: f64, risk: f32) {
        let position = Some((ply.game_id, ply.ply));
        if self.last != position {
            self.last = position;
            self.positions += 1;
        }
        self.difference.observe(ply.game_id, difference);
        self.risk.observe(ply.game_id, f64::from(risk));
    }

    pub(super) fn merge(&mut self, later: Self) {
        self.positions += later.positions;
        self.difference.merge(later.difference);
        self.risk.merge(later.risk);
    }
}

/// Played flips of one cell.
#[derive(Debug, Clone, Default)]
pub(super) struct Played {
    /// Points: the value after the piece was turned up less the value before.
    pub(super) change: ClusteredMean,
    /// Whether the piece was soon taken.
    pub(super) lost: ClusteredShare,
    /// Pawns.
    pub(super) risk: ClusteredMean,
}

impl Played {
    pub(super) fn merge(&mut self, later: Self) {
        self.change.merge(later.change);
        self.lost.merge(later.lost);
        self.risk.merge(later.risk);
    }
}

/// The best and the second best of some values, to know the best of the others for each.
pub(super) struct TwoBest {
    best: f32,
    place: usize,
    second: f32,
}

impl TwoBest {
    /// None with fewer than two values.
    pub(super) fn of(values: impl Iterator<Item = f32>) -> Option<Self> {
        let mut found = Self { best: f32::NEG_INFINITY, place: 0, second: f32::NEG_INFINITY };
        let mut count = 0;
        for (place, value) in values.enumerate() {
            count += 1;
            if value > found.best {
                found = Self { best: value, place, second: found.best };
            } else if value > found.second {
                found.second = value;
            }
        }
        (count > 1).then_some(found)
    }

    /// The best of the values but the one at `place`.
    pub(super) fn without(&self, place: usize) -> f32 {
        if place == self.place { self.second } else { self.best }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_held_against_the_best_of_the_others() {
        let values = [0.25, -0.5, 0.75, 0.75];
        let two_best = TwoBest::of(values.into_iter()).expect("more than one value");
        let against: Vec<f32> = (0..values.len()).map(|place| two_best.without(place)).collect();
        assert_eq!(against, [0.75, 0.75, 0.75, 0.75]);

        let two_best = TwoBest::of([0.5, 1.0].into_iter()).expect("more than one value");
        assert_eq!([two_best.without(0), two_best.without(1)], [1.0, 0.5]);
        assert!(TwoBest::of([0.5].into_iter()).is_none());
    }
}
