//! facedown: self-play training and analysis for xiangqi's face-down games.

pub mod analysis;
pub mod cli;
pub mod eval;
pub mod game;
#[cfg(feature = "torch")]
pub mod net;
pub mod progress;
pub mod record;
pub mod rules;
pub mod search;
#[cfg(feature = "torch")]
pub mod train;
pub mod units;
