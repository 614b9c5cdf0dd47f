//! Self-play training and analysis for xiangqi's face-down games.
//!
//! A [`game::Game`] is the truth of a game in progress, a [`game::View`] what one pair of eyes knows of it. A
//! [`search::Search`] starts from a view, so it cannot know more than its player:
//!
//! ```
//! use facedown::eval::Material;
//! use facedown::game::{Eyes, Game, Profile, Seat};
//! use facedown::rules::jieqi::{Jieqi, JieqiRules};
//! use facedown::search::{Search, SearchConfig};
//! use rand::{SeedableRng, rngs::ChaCha8Rng};
//!
//! let rules = JieqiRules::load("wxf")?;
//! let mut game = Jieqi::start(&rules);
//!
//! let mut search = Search::<Jieqi>::new(game.view(Eyes::Of(Seat::First)), SearchConfig::default(), 1);
//! search.run(&mut Material)?;
//! let mv = search.choose(0).mv;
//!
//! // The rules draw no dice: the referee does, and tells the game what the move uncovered.
//! let reveal = game.chances(mv).draw(&mut ChaCha8Rng::seed_from_u64(2));
//! game.play(mv, reveal);
//! println!("{mv}{}  ->  {}", game.reveal_text(mv, reveal), game.view(Eyes::Public));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`tables`] plays many games at once, [`selfplay`] writes them to Parquet through [`record`], `train` fits
//! a network to them, [`arena`] lets players meet, and [`analysis`] reports on a dataset.

pub mod analysis;
pub mod arena;
pub mod cli;
pub mod eval;
pub mod game;
pub mod metrics;
#[cfg(feature = "torch")]
pub mod net;
#[cfg(feature = "torch")]
pub mod pipeline;
pub mod play;
pub mod progress;
pub mod record;
pub mod referee;
pub mod rules;
pub mod search;
pub mod selfplay;
pub mod study;
pub mod tables;
pub mod text;
#[cfg(feature = "torch")]
pub mod train;
pub mod uci;
pub mod units;
