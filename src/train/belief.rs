//! What play tells of pieces that were taken unseen, beyond the odds of the pool they are from.
//!
//! By the pool alone, `n` of its pieces taken follow the hypergeometric distribution: `c` of each kind with
//! a chance in proportion to the product of the binomials of `pool` over `c`. The belief head gives each kind
//! a score by which its pieces are likelier to be taken: the chance is also in proportion to the exponential
//! of the scores times `c`, which is Fisher's noncentral hypergeometric distribution. Scores that are all
//! equal say nothing beyond the pool, so a gain over it is a gain from play.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use tch::{Device, IndexOp, Kind, Tensor};

/// What stands for the logarithm of nothing.
const FLOOR: f64 = -1e9;

/// Pools of which something was taken unseen; those of a batch's rows that have one.
#[derive(Debug)]
pub struct Secrets {
    /// `[secrets]`: the rows of the batch.
    pub rows: Tensor,
    /// `[secrets, kinds]`: the mover's pool.
    pub pool: Tensor,
    /// `[secrets, kinds]`: what was taken of it.
    pub taken: Tensor,
}

impl Secrets {
    /// Those of some rows, counted from the first of them; none if they have none.
    pub(super) fn part(&self, rows: Range<i64>) -> Option<Self> {
        let inside = self.rows.ge(rows.start).logical_and(&self.rows.lt(rows.end));
        let places = inside.nonzero().squeeze_dim(-1);
        let of = |tensor: &Tensor| tensor.index_select(0, &places);
        let part = Self { rows: of(&self.rows) - rows.start, pool: of(&self.pool), taken: of(&self.taken) };
        (places.size()[0] > 0).then_some(part)
    }

    /// The same secrets on a device.
    pub(super) fn on(&self, device: Device) -> Self {
        let [rows, pool, taken] =
            [&self.rows, &self.pool, &self.taken].map(|tensor| tensor.to_device(device));
        Self { rows, pool, taken }
    }

    /// `[secrets]`: the surprise at what was taken, in nats, of one who believes `scores`, `[rows, kinds]`,
    /// less that of one who goes by the pool.
    pub fn surprise_over_pool(&self, scores: &Tensor) -> Tensor {
        let scores = scores.index_select(0, &self.rows);
        let told = (&scores * &self.taken).sum_dim_intlist(-1, false, Kind::Float);
        self.log_ways(&scores) - self.log_ways(&scores.zeros_like()) - told
    }

    /// `[secrets]`: the logarithm of the sum, over all ways to take as many pieces out of the pool, of the
    /// exponential of their scores.
    fn log_ways(&self, scores: &Tensor) -> Tensor {
        let number = self.taken.sum_dim_intlist(-1, true, Kind::Int64);
        let most = number.max().int64_value(&[]);
        let secrets = scores.size()[0];
        // By how many are taken so far. Each piece of the pool is then left or taken.
        let nothing = Tensor::full([secrets, 1], FLOOR, (Kind::Float, scores.device()));
        let mut ways = Tensor::cat(&[nothing.zeros_like(), nothing.expand([secrets, most], false)], 1);
        for kind in 0..scores.size()[1] {
            let (score, held) = (scores.i((.., kind..=kind)), self.pool.i((.., kind..=kind)));
            for piece in 0..held.max().int64_value(&[]) {
                let taken = Tensor::cat(&[&nothing, &(ways.narrow(1, 0, most) + &score)], 1);
                ways = ways.logaddexp(&taken).where_self(&held.gt(piece), &ways);
            }
        }
        ways.gather(1, &number, false).squeeze_dim(-1)
    }
}

/// How much play tells of what was taken unseen, in nats a position, with a 95 % interval over games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BeliefGain {
    pub games: usize,
    pub positions: usize,
    /// The mean over positions of how much less surprised one is who reads the play.
    pub gain: f64,
    /// Half the interval's width; none of a single game.
    pub margin: Option<f64>,
}

impl BeliefGain {
    /// The gain on positions of the given games; none without positions.
    pub fn of(gains: impl IntoIterator<Item = (u64, f64)>) -> Option<Self> {
        let mut games: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
        for (game, gain) in gains {
            let (sum, positions) = games.entry(game).or_default();
            *sum += gain;
            *positions += 1.0;
        }
        let positions: f64 = games.values().map(|(_, positions)| positions).sum();
        if games.is_empty() {
            return None;
        }
        let gain = games.values().map(|(sum, _)| sum).sum::<f64>() / positions;
        // The spread of a ratio of sums over games (Cochran, Sampling Techniques, section 6.4).
        let squares: f64 = games.values().map(|(sum, positions)| (sum - gain * positions).powi(2)).sum();
        let number = games.len() as f64;
        let margin = || 1.96 * (squares * number / (number - 1.0)).sqrt() / positions;
        Some(Self {
            games: games.len(),
            positions: positions as usize,
            gain,
            margin: (games.len() > 1).then(margin),
        })
    }
}

impl fmt::Display for BeliefGain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, positions, gain, margin } = self;
        let margin = margin.map_or(String::new(), |margin| format!(" ± {margin:.4}"));
        write!(
            f,
            "on {positions} positions of {games} held-out games, play tells {gain:.4}{margin} nats more than the \
             pool of what was taken unseen"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chances of every way to take `number` pieces, by listing the pieces one by one.
    fn by_listing(pool: &[i64], scores: &[f64], taken: &[i64]) -> f64 {
        let pieces: Vec<usize> = (0..pool.len()).flat_map(|kind| vec![kind; pool[kind] as usize]).collect();
        let number = taken.iter().sum::<i64>() as u32;
        let (mut all, mut like_this) = (0.0, 0.0);
        for set in (0_u32..1 << pieces.len()).filter(|set| set.count_ones() == number) {
            let chosen: Vec<usize> =
                (0..pieces.len()).filter(|piece| set >> piece & 1 == 1).map(|piece| pieces[piece]).collect();
            let weight = chosen.iter().map(|&kind| scores[kind]).sum::<f64>().exp();
            all += weight;
            let counts = (0..pool.len()).map(|kind| chosen.iter().filter(|&&k| k == kind).count() as i64);
            if counts.eq(taken.iter().copied()) {
                like_this += weight;
            }
        }
        like_this / all
    }

    /// A pool, scores and what was taken.
    type Case = ([i64; 3], [f64; 3], [i64; 3]);

    #[test]
    fn surprise_is_that_of_the_listed_ways() {
        let cases: [Case; 3] = [
            ([2, 1, 5], [0.5, -1.0, 0.2], [1, 0, 2]),
            ([2, 2, 3], [2.0, 0.0, -3.0], [0, 1, 0]),
            ([0, 2, 2], [9.0, 1.0, 0.0], [0, 2, 1]),
        ];
        let rows = |pick: fn(&Case) -> [i64; 3]| {
            Tensor::from_slice(&cases.iter().flat_map(pick).collect::<Vec<_>>()).view([3, 3])
        };
        let secrets = Secrets {
            rows: Tensor::from_slice(&[0_i64, 1, 2]),
            pool: rows(|case| case.0),
            taken: rows(|case| case.2),
        };
        let scores: Vec<f32> = cases.iter().flat_map(|case| case.1.iter().map(|&x| x as f32)).collect();
        let found = secrets.surprise_over_pool(&Tensor::from_slice(&scores).view([3, 3]));
        for (found, (pool, scores, taken)) in Vec::<f64>::try_from(found).expect("numbers").iter().zip(cases)
        {
            let believed = by_listing(&pool, &scores, &taken);
            let by_pool = by_listing(&pool, &[0.0; 3], &taken);
            assert!((found - (by_pool / believed).ln()).abs() < 1e-4, "{found} {believed} {by_pool}");
        }
    }

    #[test]
    fn equal_scores_say_nothing() {
        let secrets = Secrets {
            rows: Tensor::from_slice(&[0_i64]),
            pool: Tensor::from_slice(&[2_i64, 2, 2, 2, 2, 5]).view([1, 6]),
            taken: Tensor::from_slice(&[1_i64, 0, 2, 0, 0, 4]).view([1, 6]),
        };
        let scores = Tensor::full([1, 6], 1.5, (Kind::Float, tch::Device::Cpu));
        assert!(secrets.surprise_over_pool(&scores).double_value(&[0]).abs() < 1e-4);
    }

    #[test]
    fn a_gain_is_told_with_its_spread_over_games() {
        let BeliefGain { games, positions, gain, margin } =
            BeliefGain::of([(1, 1.0), (1, 3.0), (2, 0.0), (2, 0.0)]).expect("positions");
        assert_eq!((games, positions, gain), (2, 4, 1.0));
        // Sums less the mean share: 2 and -2; squares 8, times 2 over 1, rooted, over 4.
        assert!((margin.expect("two games") - 1.96).abs() < 1e-12);
        assert_eq!(BeliefGain::of([(7, 0.5)]).expect("a position").margin, None);
        assert_eq!(BeliefGain::of([]), None);
    }
}
