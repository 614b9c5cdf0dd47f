//! What the engine says of its search.

use std::fmt;
use std::time::Duration;

use crate::game::{MoverValue, View};
use crate::search::RootReport;

/// A line about a search that goes on. Its `pv` is told like the plies of a game: what a move is expected to
/// uncover stands behind it. `depth` is the mean length of the simulations, `seldepth` that of the longest.
pub struct Info<'a, V: View> {
    pub view: &'a V,
    pub report: &'a RootReport<V::Move, V::Seen>,
    pub elapsed: Duration,
}

impl<V: View> fmt::Display for Info<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.report.visits;
        let per_second = f64::from(nodes) / self.elapsed.as_secs_f64().max(1e-6);
        write!(
            f,
            "info depth {:.0} seldepth {} nodes {nodes} nps {per_second:.0} time {} score cp {} pv",
            self.report.depth,
            self.report.deepest,
            self.elapsed.as_millis(),
            centipawns(self.report.value),
        )?;
        let mut view = self.view.clone();
        for ply in &self.report.line {
            write!(f, " {}", view.seen_text(ply.mv, ply.seen))?;
            view = view.after(ply.mv, ply.seen);
        }
        Ok(())
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
