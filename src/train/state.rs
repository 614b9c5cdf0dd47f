//! What training goes on with, as the tensors of a checkpoint.

use tch::Tensor;

use super::TrainError;
use crate::net::{NamedTensors, Network};

/// The tensor called `name`, which must be of the size and kind of `like`.
///
/// # Errors
///
/// If there is none.
pub(super) fn find<'a>(
    state: &'a [(String, Tensor)],
    name: String,
    like: &Tensor,
) -> Result<&'a Tensor, TrainError> {
    let fits = |tensor: &Tensor| tensor.size() == like.size() && tensor.kind() == like.kind();
    let found = state.iter().find(|(stored, tensor)| *stored == name && fits(tensor));
    found.map(|(_, tensor)| tensor).ok_or(TrainError::State { name })
}

/// The weights of the last step, batch norm's statistics included, under names of their own.
pub(super) fn weights(network: &Network) -> NamedTensors {
    network.tensors().into_iter().map(|(name, tensor)| (stored_name(&name), tensor.detach())).collect()
}

/// Gives a network the [`weights`] that another one had.
///
/// # Errors
///
/// If one is missing or of another size or kind.
pub(super) fn restore_weights(network: &Network, state: &[(String, Tensor)]) -> Result<(), TrainError> {
    for (name, mut tensor) in network.tensors() {
        let stored = find(state, stored_name(&name), &tensor)?;
        tch::no_grad(|| tensor.copy_(stored));
    }
    Ok(())
}

fn stored_name(name: &str) -> String {
    format!("last.{name}")
}
