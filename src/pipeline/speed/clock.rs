//! Who does what when, in slices of time that all workers read off one clock.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::progress::Progress;

/// What a slice is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// Self-play.
    Playing,
    /// The bare network.
    Judging,
}

/// Who works in a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    All,
    /// The first worker, the others resting.
    One,
}

/// The slices of a round.
const ALL_WORKERS: [(Doing, Who); 2] = [(Doing::Playing, Who::All), (Doing::Judging, Who::All)];
const EITHER: [(Doing, Who); 4] = [
    (Doing::Playing, Who::All),
    (Doing::Judging, Who::All),
    (Doing::Playing, Who::One),
    (Doing::Judging, Who::One),
];

/// The time of a measurement, cut into slices.
#[derive(Debug)]
pub struct Clock {
    started: OnceLock<Instant>,
    slice: Duration,
    /// What is done in a round, slice by slice.
    round: &'static [(Doing, Who)],
    rounds: u32,
}

impl Clock {
    /// A first round more than asked for, which is not counted, warms caches and clocks up.
    pub fn new(threads: usize, rounds: u32, slice: Duration) -> Self {
        let round = if threads > 1 { &EITHER[..] } else { &ALL_WORKERS[..] };
        Self { started: OnceLock::new(), slice, round, rounds: rounds + 1 }
    }

    pub fn start(&self) {
        self.started.get_or_init(Instant::now);
    }

    /// How many slices there are.
    pub fn slices(&self) -> u64 {
        u64::from(self.rounds) * self.round.len() as u64
    }

    /// The number of the slice that runs; none once all are over.
    pub fn now(&self) -> Option<u64> {
        let slice = (self.elapsed().as_secs_f64() / self.slice.as_secs_f64()) as u64;
        (slice < self.slices()).then_some(slice)
    }

    pub fn doing(&self, slice: u64) -> (Doing, Who) {
        self.round[(slice % self.round.len() as u64) as usize]
    }

    /// The slices, of the rounds that count, in which something is done by someone.
    pub fn slices_of(&self, doing: Doing, who: Who) -> impl Iterator<Item = u64> {
        (self.round.len() as u64..self.slices()).filter(move |&slice| self.doing(slice) == (doing, who))
    }

    /// The time until a slice is over.
    pub fn left_of(&self, slice: u64) -> Duration {
        self.slice.mul_f64((slice + 1) as f64).saturating_sub(self.elapsed())
    }

    fn elapsed(&self) -> Duration {
        self.started.get().map_or(Duration::ZERO, Instant::elapsed)
    }
}

/// Ends self-play when the clock has run out, and tells of slices instead of games.
pub struct Timekeeper<'a> {
    pub clock: &'a Clock,
    pub outer: &'a dyn Progress,
}

impl Progress for Timekeeper<'_> {
    fn stage(&self, _name: &str, _unit: &str, _total: Option<u64>) {}

    fn update(&self, _done: u64, figures: &str) {
        self.outer.update(self.clock.now().unwrap_or(self.clock.slices()), figures);
    }

    fn say(&self, line: &str) {
        self.outer.say(line);
    }

    fn interrupted(&self) -> bool {
        self.clock.now().is_none() || self.outer.interrupted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_but_the_first_has_a_slice_of_each_kind() {
        let clock = Clock::new(2, 3, Duration::from_secs(1));
        assert_eq!(clock.slices(), 16);
        assert_eq!(clock.slices_of(Doing::Judging, Who::One).collect::<Vec<_>>(), [7, 11, 15]);
        let alone = Clock::new(1, 2, Duration::from_secs(1));
        assert_eq!(alone.slices_of(Doing::Playing, Who::All).collect::<Vec<_>>(), [2, 4]);
        assert_eq!(alone.slices_of(Doing::Playing, Who::One).count(), 0);
    }
}
