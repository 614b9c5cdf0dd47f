//! Numbers with a range, checked where they enter, so that no later line has to ask again.

use serde::{Deserialize, Serialize};

/// A number was outside the range its type promises.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{found} is out of range: expected {expected}")]
pub struct OutOfRange {
    found: f64,
    expected: &'static str,
}

/// A probability or a share: a finite number in `[0, 1]`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Probability(f64);

impl Probability {
    pub const ZERO: Self = Self(0.0);
    pub const ONE: Self = Self(1.0);

    /// # Errors
    ///
    /// If `value` is not a number in `[0, 1]`.
    pub fn new(value: f64) -> Result<Self, OutOfRange> {
        if (0.0..=1.0).contains(&value) {
            Ok(Self(value))
        } else {
            Err(OutOfRange { found: value, expected: "a number from 0 to 1" })
        }
    }

    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Probability {
    type Error = OutOfRange;

    fn try_from(value: f64) -> Result<Self, OutOfRange> {
        Self::new(value)
    }
}

impl From<Probability> for f64 {
    fn from(value: Probability) -> f64 {
        value.0
    }
}

/// How freely a move is drawn from visit counts: 0 plays the most visited, 1 in proportion to visits.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Temperature(f64);

impl Temperature {
    pub const ZERO: Self = Self(0.0);
    pub const ONE: Self = Self(1.0);

    /// # Errors
    ///
    /// If `value` is not a number in `[0, 10]`.
    pub fn new(value: f64) -> Result<Self, OutOfRange> {
        if (0.0..=10.0).contains(&value) {
            Ok(Self(value))
        } else {
            Err(OutOfRange { found: value, expected: "a temperature from 0 to 10" })
        }
    }

    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Temperature {
    type Error = OutOfRange;

    fn try_from(value: f64) -> Result<Self, OutOfRange> {
        Self::new(value)
    }
}

impl From<Temperature> for f64 {
    fn from(value: Temperature) -> f64 {
        value.0
    }
}
