//! Money, counted in whole hundredths so that no sum is ever rounded.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub};

use serde::{Deserialize, Serialize};

/// An amount of money in stakes; the stake itself is what the players agree on. Below zero it is owed.
///
/// In a settings file it is a number of stakes from 0 to 10000 with at most two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Stakes(i32);

/// A number was no amount of stakes that a rule set can name.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{found} is no amount of stakes: expected 0 to 10000 in whole hundredths")]
pub struct NotStakes {
    found: f64,
}

impl Stakes {
    pub const ZERO: Self = Self(0);

    pub const fn from_hundredths(hundredths: i32) -> Self {
        Self(hundredths)
    }

    pub const fn hundredths(self) -> i32 {
        self.0
    }
}

impl TryFrom<f64> for Stakes {
    type Error = NotStakes;

    fn try_from(found: f64) -> Result<Self, NotStakes> {
        let hundredths = (found * 100.0).round();
        // Far above what a decimal loses in a double, far below a hundredth.
        let whole = (found * 100.0 - hundredths).abs() < 1e-6;
        if (0.0..=1_000_000.0).contains(&hundredths) && whole {
            Ok(Self(hundredths as i32))
        } else {
            Err(NotStakes { found })
        }
    }
}

impl From<Stakes> for f64 {
    fn from(amount: Stakes) -> f64 {
        f64::from(amount.0) / 100.0
    }
}

impl fmt::Display for Stakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let hundredths = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", hundredths / 100, hundredths % 100)
    }
}

impl Add for Stakes {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Stakes {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Stakes {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Stakes {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sum for Stakes {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}
