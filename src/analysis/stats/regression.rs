//! Linear regression over observations that come in games, in one pass.

use super::{Estimate, Interval, student_quantile};

/// Sums for a regression of `y` on covariates `x`, a game at a time.
///
/// With `X'X` and `X'y` kept for each game, the influence of a game on the coefficients is
/// `inverse(X'X) (X_g'y_g - X_g'X_g b)`, which is linear in the game's sums; so the products of those sums are
/// enough for the cluster-robust variance, and no second pass over the data is needed.
#[derive(Debug, Clone)]
pub struct Regression {
    covariates: usize,
    games: u64,
    observations: u64,
    totals: Vec<f64>,
    /// The lower triangle of the sums of products of each game's totals, by rows.
    products: Vec<f64>,
    open: Option<(u64, Vec<f64>)>,
}

/// The coefficients of a regression.
#[derive(Debug, Clone)]
pub struct Fit {
    sums: Regression,
    inverse: Vec<Vec<f64>>,
    values: Vec<f64>,
}

impl Fit {
    /// The coefficient of the covariate at `place`, with an interval by Student's t over games.
    pub fn coefficient(&self, place: usize) -> Estimate {
        let weights: Vec<f64> = (0..self.values.len()).map(|at| f64::from(u8::from(at == place))).collect();
        self.combination(&weights)
    }

    /// The sum of the coefficients times `weights`, with its interval.
    ///
    /// # Panics
    ///
    /// If there is not a weight for each covariate.
    pub fn combination(&self, weights: &[f64]) -> Estimate {
        let k = self.values.len();
        assert_eq!(weights.len(), k, "a weight for each covariate");
        let row: Vec<f64> = (0..k)
            .map(|b| weights.iter().zip(&self.inverse).map(|(weight, row)| weight * row[b]).sum())
            .collect();
        let value = weights.iter().zip(&self.values).map(|(weight, value)| weight * value).sum();
        let interval = self.sums.interval(value, &self.sums.influence(&row, &self.values));
        Estimate { value, interval, observations: self.sums.observations, games: self.sums.games }
    }
}

impl Regression {
    pub fn new(covariates: usize) -> Self {
        let sums = covariates * (covariates + 1) / 2 + covariates;
        Self {
            covariates,
            games: 0,
            observations: 0,
            totals: vec![0.0; sums],
            products: vec![0.0; sums * (sums + 1) / 2],
            open: None,
        }
    }

    /// Takes in an observation of `game`. All observations of a game come one after the other.
    ///
    /// # Panics
    ///
    /// If `x` has another length than there are covariates.
    pub fn observe(&mut self, game: u64, x: &[f64], y: f64) {
        assert_eq!(x.len(), self.covariates, "a value for each covariate");
        self.observations += 1;
        if self.open.as_ref().is_none_or(|(open, _)| *open != game) {
            self.close();
            self.open = Some((game, vec![0.0; self.totals.len()]));
        }
        let Some((_, totals)) = &mut self.open else { return };
        let mut sums = totals.iter_mut();
        for (row, a) in x.iter().enumerate() {
            for (b, sum) in x[..=row].iter().zip(sums.by_ref()) {
                *sum += a * b;
            }
        }
        for (a, sum) in x.iter().zip(sums) {
            *sum += a * y;
        }
    }

    fn close(&mut self) {
        let Some((_, game)) = self.open.take() else { return };
        self.games += 1;
        for (total, more) in self.totals.iter_mut().zip(&game) {
            *total += more;
        }
        let mut products = self.products.iter_mut();
        for (row, a) in game.iter().enumerate() {
            for (b, product) in game[..=row].iter().zip(products.by_ref()) {
                *product += a * b;
            }
        }
    }

    /// Adds the games of `later`, none of which this has seen.
    pub fn merge(&mut self, mut later: Self) {
        self.close();
        later.close();
        self.games += later.games;
        self.observations += later.observations;
        let pairs = self.totals.iter_mut().zip(later.totals);
        for (sum, more) in pairs.chain(self.products.iter_mut().zip(later.products)) {
            *sum += more;
        }
    }

    /// The least-squares coefficients with the penalty `ridge * sum(b^2)` over all covariates but the first;
    /// none where the covariates do not determine them.
    pub fn fit(&self, ridge: f64) -> Option<Fit> {
        let mut closed = self.clone();
        closed.close();
        let k = self.covariates;
        let square = k * (k + 1) / 2;
        let mut matrix: Vec<Vec<f64>> =
            (0..k).map(|a| (0..k).map(|b| closed.totals[place_of(a, b)]).collect()).collect();
        for (place, row) in matrix.iter_mut().enumerate().skip(1) {
            row[place] += ridge;
        }
        let inverse = inverse(matrix)?;
        let right = &closed.totals[square..];
        let coefficients: Vec<f64> =
            inverse.iter().map(|row| row.iter().zip(right).map(|(a, b)| a * b).sum()).collect();
        Some(Fit { sums: closed, inverse, values: coefficients })
    }

    /// The weights of a game's sums in its influence on a coefficient, whose row of the inverse is `row`.
    fn influence(&self, row: &[f64], coefficients: &[f64]) -> Vec<f64> {
        let square = self.covariates * (self.covariates + 1) / 2;
        let mut weights = vec![0.0; self.totals.len()];
        for (a, r) in row.iter().enumerate() {
            weights[square + a] += r;
            for (b, coefficient) in coefficients.iter().enumerate() {
                weights[place_of(a, b)] -= r * coefficient;
            }
        }
        weights
    }

    fn interval(&self, value: f64, weights: &[f64]) -> Option<Interval> {
        if self.games < 2 {
            return None;
        }
        let mut squares = 0.0;
        let mut products = self.products.iter();
        for (row, a) in weights.iter().enumerate() {
            for (place, product) in products.by_ref().take(row + 1).enumerate() {
                let times = if place == row { 1.0 } else { 2.0 };
                squares += times * a * weights[place] * product;
            }
        }
        let games = self.games as f64;
        let reach = student_quantile(self.games - 1) * (games / (games - 1.0) * squares).max(0.0).sqrt();
        Some(Interval { low: value - reach, high: value + reach })
    }
}

/// Where the product of two covariates stands among the sums of a game.
fn place_of(a: usize, b: usize) -> usize {
    a.max(b) * (a.max(b) + 1) / 2 + a.min(b)
}

/// The inverse of a symmetric positive definite matrix by Gauss and Jordan; none of a singular one. At most a
/// few dozen rows, so that a library for linear algebra would be more code than this.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let k = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..k).map(|a| (0..k).map(|b| f64::from(u8::from(a == b))).collect()).collect();
    let scale: Vec<f64> = (0..k).map(|place| matrix[place][place]).collect();
    for pivot in 0..k {
        let by = matrix[pivot][pivot];
        if by.is_nan() || by <= 1e-10 * scale[pivot].max(1e-300) {
            return None;
        }
        for place in 0..k {
            matrix[pivot][place] /= by;
            inverse[pivot][place] /= by;
        }
        let (pivot_row, pivot_inverse) = (matrix[pivot].clone(), inverse[pivot].clone());
        for other in (0..k).filter(|&other| other != pivot) {
            let factor = matrix[other][pivot];
            for place in 0..k {
                matrix[other][place] -= factor * pivot_row[place];
                inverse[other][place] -= factor * pivot_inverse[place];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regression_on_one_constant_is_the_mean_with_its_interval() {
        let mut regression = Regression::new(1);
        let mut mean = super::super::ClusteredMean::default();
        for (game, value) in [(1, 0.5), (1, 1.5), (2, -1.0), (3, 0.25), (3, 2.0), (4, 0.0)] {
            regression.observe(game, &[1.0], value);
            mean.observe(game, value);
        }
        let (fitted, mean) = (regression.fit(0.0).expect("a fit"), mean.estimate().expect("a mean"));
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} and {b}");
        let fitted = fitted.coefficient(0);
        close(fitted.value, mean.value);
        let (found, expected) = (fitted.interval.expect("games"), mean.interval.expect("games"));
        close(found.low, expected.low);
        close(found.high, expected.high);
    }

    #[test]
    fn exact_lines_are_found_and_equal_covariates_refused() {
        let mut line = Regression::new(3);
        let mut equal = Regression::new(3);
        for game in 0..10_u32 {
            let (a, b) = (f64::from(game), f64::from(game * game % 7));
            line.observe(u64::from(game), &[1.0, a, b], 2.0 - 3.0 * a + 0.5 * b);
            equal.observe(u64::from(game), &[1.0, a, 2.0 * a], a);
        }
        let fit = line.fit(0.0).expect("a fit");
        for (place, expected) in [2.0, -3.0, 0.5].into_iter().enumerate() {
            assert!((fit.coefficient(place).value - expected).abs() < 1e-9, "{fit:?}");
        }
        assert!(equal.fit(0.0).is_none());
        assert!(equal.fit(1.0).is_some());
    }
}
