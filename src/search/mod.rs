//! Information-set Monte Carlo tree search: no game, no tensor.

mod root;

pub use root::{OutcomeValue, RootMove, RootReport};
