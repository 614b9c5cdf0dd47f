//! The pieces of one colour nobody has turned up yet, counted by kind.

use rand::{Rng, RngExt};

/// Counts of undrawn pieces of `N` kinds; kinds are small indices a game gives meaning to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pool<const N: usize>([u8; N]);

/// The empty pool.
impl<const N: usize> Default for Pool<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> Pool<N> {
    pub const EMPTY: Self = Self([0; N]);

    pub const fn new(counts: [u8; N]) -> Self {
        Self(counts)
    }

    pub const fn counts(&self) -> &[u8; N] {
        &self.0
    }

    pub fn count(&self, kind: usize) -> u8 {
        self.0[kind]
    }

    /// The kinds of which at least one is left, in their order.
    pub fn kinds(&self) -> impl Iterator<Item = usize> + use<N> {
        let counts = self.0;
        (0..N).filter(move |&kind| counts[kind] > 0)
    }

    pub fn total(&self) -> u32 {
        self.0.iter().map(|&count| u32::from(count)).sum()
    }

    /// Takes one piece of `kind` out.
    ///
    /// # Panics
    ///
    /// If none is left.
    pub fn remove(&mut self, kind: usize) {
        self.0[kind] = self.0[kind].checked_sub(1).expect("the pool still holds the drawn kind");
    }

    pub fn add(&mut self, kind: usize) {
        self.0[kind] += 1;
    }

    /// Draws one piece without putting it back; `None` from an empty pool.
    pub fn draw<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<usize> {
        let total = self.total();
        if total == 0 {
            return None;
        }
        let mut ticket = rng.random_range(0..total);
        let kind = self.0.iter().position(|&count| {
            let here = ticket < u32::from(count);
            ticket = ticket.saturating_sub(u32::from(count));
            here
        })?;
        self.remove(kind);
        Some(kind)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::ChaCha8Rng;

    use super::Pool;

    #[test]
    fn drawing_empties_the_pool_and_returns_what_was_in_it() {
        let mut pool = Pool::new([2, 0, 3]);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut drawn = [0; 3];
        while let Some(kind) = pool.draw(&mut rng) {
            drawn[kind] += 1;
        }
        assert_eq!(drawn, [2, 0, 3]);
        assert_eq!(pool, Pool::EMPTY);
    }

    #[test]
    fn each_piece_is_equally_likely() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let trials = 30_000;
        let ones = (0..trials).filter(|_| Pool::new([1, 2, 0]).draw(&mut rng) == Some(1)).count();
        let share = ones as f64 / f64::from(trials);
        // Four standard errors of a share of 2/3.
        assert!((share - 2.0 / 3.0).abs() < 4.0 * (2.0 / 9.0 / f64::from(trials)).sqrt(), "{share}");
    }
}
