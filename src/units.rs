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

    /// A constant known to be in range.
    ///
    /// # Panics
    ///
    /// If it is not; in a constant that is an error of the compiler.
    pub const fn literal(value: f64) -> Self {
        assert!(value >= 0.0 && value <= 1.0, "a number from 0 to 1");
        Self(value)
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

/// A finite number above 0: a weight, a scale or a concentration.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Positive(f64);

impl Positive {
    pub const ONE: Self = Self(1.0);

    /// # Errors
    ///
    /// If `value` is not a finite number above 0.
    pub fn new(value: f64) -> Result<Self, OutOfRange> {
        if value.is_finite() && value > 0.0 {
            Ok(Self(value))
        } else {
            Err(OutOfRange { found: value, expected: "a finite number above 0" })
        }
    }

    /// A constant known to be in range.
    ///
    /// # Panics
    ///
    /// If it is not; in a constant that is an error of the compiler.
    pub const fn literal(value: f64) -> Self {
        assert!(value.is_finite() && value > 0.0, "a finite number above 0");
        Self(value)
    }

    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Positive {
    type Error = OutOfRange;

    fn try_from(value: f64) -> Result<Self, OutOfRange> {
        Self::new(value)
    }
}

impl From<Positive> for f64 {
    fn from(value: Positive) -> f64 {
        value.0
    }
}
