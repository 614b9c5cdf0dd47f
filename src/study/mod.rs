//! Cause, not correlation: what players say is tried by having a player do it.
//!
//! Reports tell what goes with what in games that were played anyway. Here one thing is changed and nothing
//! else: a [`Trial`] has a player keep to a claim, against the same player unbound, and a [`Probe`] forces
//! single flips in positions of games and plays each out under the same seeds.

mod lock_bonus;
mod outcome;
mod probe;
mod restraints;
mod sites;
mod trial;

pub use lock_bonus::LockBonus;
pub use outcome::{probed, section};
pub use probe::{Contrasts, Probe, ProbeError};
pub use sites::{Site, SitesError, sites};
pub use trial::{Behaviour, Dose, Trial, UnknownTrial};
