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

/// A number above 0 that arithmetic in single precision can live with, from 1e-30 to 1e30: a weight, a scale
/// or a concentration.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Positive(f64);

impl Positive {
    pub const ONE: Self = Self(1.0);

    /// # Errors
    ///
    /// If `value` is not in that range.
    pub fn new(value: f64) -> Result<Self, OutOfRange> {
        if (1e-30..=1e30).contains(&value) {
            Ok(Self(value))
        } else {
            Err(OutOfRange { found: value, expected: "a number from 1e-30 to 1e30" })
        }
    }

    /// A constant known to be in range.
    ///
    /// # Panics
    ///
    /// If it is not; in a constant that is an error of the compiler.
    pub const fn literal(value: f64) -> Self {
        assert!(value >= 1e-30 && value <= 1e30, "a number from 1e-30 to 1e30");
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

/// A strength of something that can be turned off: a number from 0, which turns it off, to 1e6.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Strength(f64);

impl Strength {
    pub const OFF: Self = Self(0.0);
    pub const ONE: Self = Self(1.0);

    /// # Errors
    ///
    /// If `value` is not in that range.
    pub fn new(value: f64) -> Result<Self, OutOfRange> {
        if (0.0..=1e6).contains(&value) {
            Ok(Self(value))
        } else {
            Err(OutOfRange { found: value, expected: "a number from 0 to 1e6" })
        }
    }

    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Strength {
    type Error = OutOfRange;

    fn try_from(value: f64) -> Result<Self, OutOfRange> {
        Self::new(value)
    }
}

impl From<Strength> for f64 {
    fn from(value: Strength) -> f64 {
        value.0
    }
}

/// A number of things: a whole number from 1 to `MOST`.
///
/// The limit is there to tell a slip of the finger from a wish, before memory is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Count<const MOST: u64>(u64);

/// A number of things was none, or more than its type allows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found} is out of range: expected a whole number from 1 to {most}")]
pub struct OutOfCount {
    found: String,
    most: u64,
}

impl<const MOST: u64> Count<MOST> {
    pub const ONE: Self = Self(1);
    pub const MOST: Self = Self(MOST);

    /// # Errors
    ///
    /// If `value` is 0 or more than `MOST`.
    pub fn new(value: u64) -> Result<Self, OutOfCount> {
        match (1..=MOST).contains(&value) {
            true => Ok(Self(value)),
            false => Err(OutOfCount { found: value.to_string(), most: MOST }),
        }
    }

    /// A constant known to be in range.
    ///
    /// # Panics
    ///
    /// If it is not; in a constant that is an error of the compiler.
    pub const fn literal(value: u64) -> Self {
        assert!(value >= 1 && value <= MOST, "a number of things in range");
        Self(value)
    }

    pub const fn get(self) -> u64 {
        self.0
    }

    /// # Panics
    ///
    /// If the machine cannot count that far in memory.
    pub fn size(self) -> usize {
        usize::try_from(self.0).expect("counts of things in memory have a limit that fits")
    }
}

impl<const MOST: u64> TryFrom<u64> for Count<MOST> {
    type Error = OutOfCount;

    fn try_from(value: u64) -> Result<Self, OutOfCount> {
        Self::new(value)
    }
}

impl<const MOST: u64> From<Count<MOST>> for u64 {
    fn from(value: Count<MOST>) -> u64 {
        value.0
    }
}

impl<const MOST: u64> std::str::FromStr for Count<MOST> {
    type Err = OutOfCount;

    fn from_str(text: &str) -> Result<Self, OutOfCount> {
        let out_of_count = |_| OutOfCount { found: format!("'{text}'"), most: MOST };
        text.parse::<u64>().map_err(out_of_count).and_then(Self::new)
    }
}

impl<const MOST: u64> std::fmt::Display for Count<MOST> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}
