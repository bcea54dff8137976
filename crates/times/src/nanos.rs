//! Unit of time. A bare number is never a time: it is a [`Nanos`].

use std::{
    fmt,
    ops::{Add, Sub},
    time::Duration,
};

use plimsoll_text::number::time;
use serde::{Deserialize, Serialize};

/// A time in nanoseconds: an instant counted from an origin that the context names (the start of a
/// load, the start of a run), or a length of time.
///
/// Arithmetic saturates: a clock that steps backwards gives zero, never a huge number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Nanos(pub u64);

impl Nanos {
    /// The origin, or no time at all.
    pub const ZERO: Self = Self(0);
    /// Later than every instant that can occur.
    pub const MAX: Self = Self(u64::MAX);

    /// `us` microseconds.
    pub const fn from_micros(us: u64) -> Self {
        Self(us.saturating_mul(1_000))
    }

    /// `ms` milliseconds.
    pub const fn from_millis(ms: u64) -> Self {
        Self(ms.saturating_mul(1_000_000))
    }

    /// `s` seconds.
    pub const fn from_secs(s: u64) -> Self {
        Self(s.saturating_mul(1_000_000_000))
    }

    /// `s` seconds; negative and not-a-number become zero.
    pub fn from_secs_f64(s: f64) -> Self {
        Self((s * 1e9).round() as u64)
    }

    /// In seconds.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// In milliseconds.
    pub fn as_millis_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

impl Add for Nanos {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Nanos {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl From<Duration> for Nanos {
    fn from(duration: Duration) -> Self {
        Self(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
    }
}

impl From<Nanos> for Duration {
    fn from(nanos: Nanos) -> Self {
        Self::from_nanos(nanos.0)
    }
}

impl fmt::Display for Nanos {
    /// Three significant digits with the unit that fits: `1.23 ms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ns @ 0..1_000 => write!(f, "{ns} ns"),
            _ => f.write_str(&time(self.as_millis_f64())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_saturates() {
        assert_eq!(Nanos(5) - Nanos(7), Nanos::ZERO);
        assert_eq!(Nanos::MAX + Nanos(1), Nanos::MAX);
        assert_eq!(Nanos::from_secs_f64(-1.0), Nanos::ZERO);
        assert_eq!(Nanos::from_secs_f64(f64::NAN), Nanos::ZERO);
    }

    #[test]
    fn display_keeps_three_significant_digits() {
        let shown = |n: u64| Nanos(n).to_string();
        assert_eq!(shown(999), "999 ns");
        assert_eq!(shown(1_230), "1.23 µs");
        assert_eq!(shown(12_340_000), "12.3 ms");
        assert_eq!(shown(1_234_000_000), "1.23 s");
        assert_eq!(shown(2_700_000_000_000), "2,700 s");
    }
}
