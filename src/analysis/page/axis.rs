//! Axes with round ticks.

/// An axis, level or upright.
pub struct Axis {
    /// The ends, in steps from zero.
    first: i64,
    last: i64,
    step: f64,
    /// Where the ends lie.
    ends: [f64; 2],
}

impl Axis {
    /// The axis over `values`, of which there is at least one, from the first of `ends` to the second.
    pub fn over(values: impl IntoIterator<Item = f64>, ends: [f64; 2]) -> Self {
        let bounds = values.into_iter().fold(None, |bounds: Option<(f64, f64)>, value| {
            let (low, high) = bounds.unwrap_or((value, value));
            Some((low.min(value), high.max(value)))
        });
        let (low, high) = bounds.expect("an axis shows something");
        let step = round_step(if high > low { (high - low) / 5.0 } else { 1.0 });
        // Whole multiples of the step, so that zero is met exactly.
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        Self { first: first as i64, last: (last as i64).max(first as i64 + 1), step, ends }
    }

    /// Where `value` lies; values beyond an end lie on it.
    pub fn at(&self, value: f64) -> f64 {
        let (low, high) = (self.first as f64 * self.step, self.last as f64 * self.step);
        let [start, end] = self.ends;
        start + ((value - low) / (high - low)).clamp(0.0, 1.0) * (end - start)
    }

    pub fn ticks(&self) -> impl Iterator<Item = f64> {
        (self.first..=self.last).map(|tick| tick as f64 * self.step)
    }

    /// Digits behind the point that tell ticks apart.
    pub fn decimals(&self) -> usize {
        if self.step >= 1.0 {
            0
        } else if self.step >= 0.1 {
            1
        } else {
            2
        }
    }
}

/// The smallest of 1, 2, 5, 10, … at least as large as `least`.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|&step| step >= least)
        .unwrap_or(10.0 * power)
}
