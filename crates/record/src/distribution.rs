//! How something is spread that is drawn anew each time: a latency, a size.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

/// A distribution by figures that people have: from a promise, or from a dashboard. `T` carries the unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Distribution<T> {
    /// Always the same.
    Constant(T),
    /// Each value from `min` to `max` is as likely.
    Uniform {
        /// The least.
        min: T,
        /// The greatest.
        max: T,
    },
    /// Many small ones, few great ones: service times of queueing theory's M/M/c.
    Exponential {
        /// The mean.
        mean: T,
    },
    /// Its logarithm is normal: what service times mostly look like.
    LogNormal {
        /// Half are less.
        median: T,
        /// 99 % are less; more than the median.
        p99: T,
    },
    /// As measured.
    Histogram {
        /// Where it was read from.
        source: String,
        /// Values, ascending, each with how often it occurred.
        counts: Vec<(T, u64)>,
    },
}

impl<T: Copy + Default + PartialOrd + Display> Distribution<T> {
    /// Whether there is such a distribution.
    ///
    /// # Errors
    /// Expected and found values.
    pub fn check(&self) -> Result<(), String> {
        match *self {
            Self::Uniform { min, max } if min > max => {
                Err(format!("expected the lesser value first, found {min}..{max}"))
            }
            Self::Exponential { mean } if mean <= T::default() => {
                Err(format!("expected a mean of more than 0, found {mean}"))
            }
            Self::LogNormal { median, p99 } if !(T::default() < median && median < p99) => {
                Err(format!("expected a median of more than 0 and a p99 above it, found {median} and {p99}"))
            }
            Self::Histogram { ref source, ref counts } if counts.iter().all(|(_, count)| *count == 0) => {
                Err(format!("{source} has no values"))
            }
            _ => Ok(()),
        }
    }
}
