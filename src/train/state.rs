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

/// Where in a window's order of rows training is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cursor {
    /// The window's fingerprint.
    window: u64,
    /// The step at which learning from it began.
    pub began: u64,
}

/// What the cursor's tensor is called in a checkpoint.
const CURSOR: &str = "cursor";

impl Cursor {
    /// The cursor that a checkpoint holds.
    ///
    /// # Errors
    ///
    /// If it holds none.
    pub fn find(state: &[(String, Tensor)]) -> Result<Self, TrainError> {
        let stored = find(state, CURSOR.into(), &Self::default().state().1)?;
        let [window, began] = [0, 1].map(|place| stored.int64_value(&[place]) as u64);
        Ok(Self { window, began })
    }

    pub fn state(self) -> (String, Tensor) {
        (CURSOR.into(), Tensor::from_slice(&[self.window as i64, self.began as i64]))
    }

    /// Stays where it is in a window that it is in, and begins another one at `step`.
    pub fn move_to(&mut self, window: u64, step: u64) {
        if self.window != window || self.began > step {
            *self = Self { window, began: step };
        }
    }
}

fn stored_name(name: &str) -> String {
    format!("last.{name}")
}
