//! All integration tests, in one binary: it is linked once, and the modules share their helpers.

mod analysis;
mod architecture;
#[cfg(feature = "torch")]
mod net;
#[cfg(feature = "torch")]
mod net_jieqi;
mod outside;
mod program;
mod record;
mod record_broken;
mod record_games;
mod record_inspect;
mod record_python;
mod rules_tables;
mod scripts;
mod search;
#[cfg(feature = "torch")]
mod toy_games;
#[cfg(feature = "torch")]
mod train;

mod selfplay;
