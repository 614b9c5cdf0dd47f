//! What the engine says of its search.

use std::fmt;
use std::time::Duration;

use crate::game::MoverValue;
use crate::search::RootReport;

/// A line about a search that goes on. It names one move: what may follow it hangs on what turns up.
pub struct Info<'a, M, S> {
    pub report: &'a RootReport<M, S>,
    pub best: M,
    pub elapsed: Duration,
}

impl<M: fmt::Display, S> fmt::Display for Info<'_, M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.report.visits;
        let per_second = f64::from(nodes) / self.elapsed.as_secs_f64().max(1e-6);
        write!(
            f,
            "info depth 1 nodes {nodes} nps {per_second:.0} time {} score cp {} pv {}",
            self.elapsed.as_millis(),
            centipawns(self.report.value),
            self.best
        )
    }
}

/// The value as engines tell it: the rating difference that predicts it, at most 9999 either way.
fn centipawns(value: MoverValue) -> i64 {
    let value = f64::from(value.0);
    (400.0 * ((1.0 + value) / (1.0 - value)).log10()).clamp(-9999.0, 9999.0).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centipawns_are_rating_points_within_limits() {
        for (value, expected) in
            [(0.0, 0), (9.0 / 11.0, 400), (-9.0 / 11.0, -400), (1.0, 9999), (-1.0, -9999)]
        {
            assert_eq!(centipawns(MoverValue(value)), expected);
        }
    }
}
