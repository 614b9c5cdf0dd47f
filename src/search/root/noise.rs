//! Dirichlet noise on the root's priors.

use rand::{Rng, RngExt};

use crate::search::RootNoise;

/// The priors with the noise's share mixed in; they still add up to what they did.
pub(in crate::search) fn with_noise<R: Rng>(priors: &[f32], noise: &RootNoise, rng: &mut R) -> Vec<f32> {
    let share = noise.share.get();
    if share == 0.0 {
        return priors.to_vec();
    }
    let peaks = dirichlet(noise.concentration.get() / priors.len() as f64, priors.len(), rng);
    let mixed =
        priors.iter().zip(peaks).map(|(&prior, peak)| (1.0 - share) * f64::from(prior) + share * peak);
    mixed.map(|prior| prior as f32).collect()
}

/// A draw from the symmetric Dirichlet distribution: `len` shares that add up to 1.
fn dirichlet<R: Rng>(alpha: f64, len: usize, rng: &mut R) -> Vec<f64> {
    let logs: Vec<f64> = (0..len).map(|_| log_gamma_draw(alpha, rng)).collect();
    let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| (log - highest).exp()).collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

/// The logarithm of a draw from the gamma distribution of shape `alpha` and scale 1 (Marsaglia and Tsang,
/// 2000). As a logarithm, because draws of a small shape are often too small for a float.
fn log_gamma_draw<R: Rng>(alpha: f64, rng: &mut R) -> f64 {
    if alpha < 1.0 {
        return log_gamma_draw(alpha + 1.0, rng) + open_unit(rng).ln() / alpha;
    }
    let d = alpha - 1.0 / 3.0;
    let c = (9.0 * d).sqrt().recip();
    loop {
        let x = normal(rng);
        let cube = 1.0 + c * x;
        if cube <= 0.0 {
            continue;
        }
        let v = cube * cube * cube;
        if open_unit(rng).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return (d * v).ln();
        }
    }
}

/// A draw from the standard normal distribution (Box and Muller, 1958).
fn normal<R: Rng>(rng: &mut R) -> f64 {
    let radius = (-2.0 * open_unit(rng).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.random::<f64>()).cos()
}

/// A uniform draw above 0 and not above 1.
fn open_unit<R: Rng>(rng: &mut R) -> f64 {
    1.0 - rng.random::<f64>()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::ChaCha8Rng;

    use super::*;

    #[test]
    fn the_noise_has_the_moments_of_a_dirichlet_distribution() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for (alpha, len) in [(0.25, 40), (0.9, 12), (5.0, 2)] {
            let draws: Vec<f64> = (0..20_000).map(|_| dirichlet(alpha, len, &mut rng)[0]).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / draws.len() as f64;
            let expected_mean = (len as f64).recip();
            let expected_variance = expected_mean * (1.0 - expected_mean) / (alpha * len as f64 + 1.0);
            // Five standard errors of the mean; the variance of such skewed draws within a tenth.
            let error = 5.0 * (expected_variance / draws.len() as f64).sqrt();
            assert!((mean - expected_mean).abs() < error, "alpha {alpha}: mean {mean}");
            assert!((variance / expected_variance - 1.0).abs() < 0.1, "alpha {alpha}: variance {variance}");
        }
    }

    #[test]
    fn mixed_priors_add_up_to_one() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mixed = with_noise(&[0.5, 0.25, 0.25], &RootNoise::default(), &mut rng);
        assert!((mixed.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{mixed:?}");
        assert_ne!(mixed, [0.5, 0.25, 0.25]);
    }
}
