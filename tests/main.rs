//! All integration tests, in one binary: it is linked once, and the modules share their helpers.

mod analysis;
mod architecture;
mod banqi;
mod command_line;
mod conformance;
#[cfg(feature = "torch")]
mod devices;
mod dialect;
#[cfg(feature = "torch")]
mod doctor;
#[cfg(feature = "torch")]
mod ladder;
mod luck;
mod matches;
#[cfg(feature = "torch")]
mod net;
#[cfg(feature = "torch")]
mod net_jieqi;
mod outside;
#[cfg(feature = "torch")]
mod pipeline;
mod play;
mod program;
mod record;
mod record_broken;
mod record_games;
mod record_inspect;
mod record_python;
mod referee;
mod results;
mod rule_sets;
mod rules;
mod scripts;
mod search;
mod secrecy;
mod selfplay;
#[cfg(feature = "torch")]
mod several_rules;
#[cfg(feature = "torch")]
mod shipped;
#[cfg(feature = "torch")]
mod speed;
mod streams;
mod study;
#[cfg(feature = "torch")]
mod toy_games;
#[cfg(feature = "torch")]
mod train;
mod uci;
#[cfg(feature = "torch")]
mod watching;
