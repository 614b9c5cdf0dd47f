//! facedown: self-play training and analysis for xiangqi's face-down games.

pub mod analysis;
pub mod arena;
pub mod cli;
pub mod eval;
pub mod game;
#[cfg(feature = "torch")]
pub mod net;
#[cfg(feature = "torch")]
pub mod pipeline;
pub mod progress;
pub mod record;
pub mod rules;
pub mod search;
pub mod selfplay;
pub mod tables;
#[cfg(feature = "torch")]
pub mod train;
pub mod units;
