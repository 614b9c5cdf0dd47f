//! The mean of the weights over the last steps, which plays better than the weights of any one of them
//! (Polyak and Juditsky, 1992; as a running mean, Izmailov et al., arXiv 1803.05407).

use crate::net::Network;

/// Early weights are forgotten as the number of steps to this power.
const FORGETTING: f64 = 4.0;

/// Moves `mean` towards the weights of `network` after its `step`th step, the first being 1, batch norm's
/// statistics included.
pub(super) fn follow(mean: &Network, network: &Network, step: u64, over: u64) {
    let share = share_of_newest(step, over);
    tch::no_grad(|| {
        for ((_, mut mean), (_, newest)) in mean.tensors().into_iter().zip(network.tensors()) {
            let _ = mean.lerp_(&newest, share);
        }
    });
}

/// What the newest weights count: no less than one in `over`, and more while there are few.
fn share_of_newest(step: u64, over: u64) -> f64 {
    (FORGETTING / (FORGETTING + step as f64 - 1.0)).max(1.0 / over as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_looks_back_over_a_share_of_the_steps_and_then_a_fixed_number() {
        assert_eq!(share_of_newest(1, 500), 1.0);
        assert_eq!(share_of_newest(1_000_000, 500), 1.0 / 500.0);
        assert_eq!(share_of_newest(7, 1), 1.0);
        // The mean age of what it averages, by its definition, after so many steps.
        let mean_age =
            |steps| (1..=steps).fold(0.0, |age, step| (1.0 - share_of_newest(step, 500)) * (age + 1.0));
        assert!((mean_age(100) - 20.0).abs() < 1.0, "{}", mean_age(100));
        assert!((mean_age(20_000) - 499.0).abs() < 1.0, "{}", mean_age(20_000));
    }
}
