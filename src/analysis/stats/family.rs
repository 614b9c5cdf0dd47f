//! Many comparisons at once.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{Estimate, student_quantile};

/// The two-sided p-value against `null` that goes with an estimate's interval, by Student's t with one degree
/// of freedom fewer than games; none without an interval, or where that has no width.
pub fn p_value(estimate: &Estimate, null: f64) -> Option<f64> {
    let interval = estimate.interval?;
    let degrees = estimate.games.checked_sub(1)?;
    let error = (interval.high - interval.low) / (2.0 * student_quantile(degrees));
    if error <= 0.0 {
        return None;
    }
    let student = StudentsT::new(0.0, 1.0, degrees as f64).ok()?;
    Some(2.0 * student.sf((estimate.value - null).abs() / error))
}

/// The p-values of a family of comparisons, adjusted by Holm's method (Scand. J. Statist. 6, 1979): the
/// chance that any true null hypothesis has an adjusted value below 0.05 is at most 0.05, however they hang
/// together. A comparison without a p-value is not in the family.
pub fn holm(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut order: Vec<(usize, f64)> =
        p_values.iter().enumerate().filter_map(|(place, p)| Some((place, (*p)?))).collect();
    order.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let mut adjusted = vec![None; p_values.len()];
    let mut at_least = 0.0_f64;
    for (rank, &(place, p)) in order.iter().enumerate() {
        at_least = at_least.max((order.len() - rank) as f64 * p).min(1.0);
        adjusted[place] = Some(at_least);
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::super::Interval;
    use super::*;

    #[test]
    fn adjusted_values_never_fall_and_never_pass_one() {
        // By hand: 0.01 * 4, 0.02 * 3, 0.03 * 2 held at the one before, 0.9 * 1.
        let adjusted = holm(&[Some(0.03), Some(0.01), None, Some(0.9), Some(0.02)]);
        let expected = [Some(0.06), Some(0.04), None, Some(0.9), Some(0.06)];
        for (found, expected) in adjusted.iter().zip(expected) {
            assert_eq!(found.is_some(), expected.is_some());
            assert!((found.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-12, "{adjusted:?}");
        }
    }

    #[test]
    fn an_interval_that_ends_at_the_null_has_a_p_value_of_a_twentieth() {
        for games in [3, 12, 500] {
            let interval = Some(Interval { low: 0.0, high: 4.0 });
            let estimate = Estimate { value: 2.0, interval, observations: games, games };
            let p = p_value(&estimate, 0.0).expect("a p-value");
            assert!((p - 0.05).abs() < 1e-6, "{games} games: {p}");
        }
    }
}
