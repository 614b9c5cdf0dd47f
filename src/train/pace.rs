//! Whether steps wait for their batches.

use std::time::{Duration, Instant};

/// How long steps took, and how long they waited for what they learn from.
#[derive(Debug, Default)]
pub(super) struct Pace {
    waited: Duration,
    stepped: Duration,
}

impl Pace {
    pub fn waiting<T>(&mut self, wait: impl FnOnce() -> T) -> T {
        timed(&mut self.waited, wait)
    }

    pub fn stepping<T>(&mut self, step: impl FnOnce() -> T) -> T {
        timed(&mut self.stepped, step)
    }

    /// The share of the time that was spent waiting; 0 of no time.
    pub fn waiting_share(&self) -> f64 {
        let whole = self.waited + self.stepped;
        if whole.is_zero() { 0.0 } else { self.waited.as_secs_f64() / whole.as_secs_f64() }
    }
}

fn timed<T>(sum: &mut Duration, act: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = act();
    *sum += start.elapsed();
    done
}
