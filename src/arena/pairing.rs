//! What the two games of a pair have in common.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::game::{Game, random_stream};
use crate::tables::Fate;

/// What the two games of a pair have in common, besides their players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pairing {
    /// What stands face down on every square at the start.
    #[default]
    Squares,
    /// In which order the pieces of each seat turn up, wherever they stand.
    Order,
}

impl Pairing {
    /// What decides the reveals of both games of the pair with this seed.
    pub(super) fn fate<G: Game>(self, rules: &Arc<G::Profile>, seed: u64) -> Fate<G> {
        match self {
            Self::Squares => Fate::Deal(G::deal(rules, &mut random_stream(seed, 0))),
            Self::Order => Fate::Order(seed),
        }
    }
}
