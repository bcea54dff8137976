//! A criterion: a condition that a service must keep.

use serde::{Deserialize, Serialize};

/// The share of the requests that may be beyond the criterion: later than its limit, or failed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Criterion {
    /// The share that is allowed, between 0 and 1: 0.01 for a 99th percentile.
    pub share: f64,
    /// The limit of the response time, in seconds; none where only failures count.
    pub limit: Option<f64>,
}

impl Criterion {
    /// The limit of a percentile: `percentile(0.99, 0.2)` is p99 < 200 ms.
    pub const fn percentile(quantile: f64, limit: f64) -> Self {
        Self { share: 1.0 - quantile, limit: Some(limit) }
    }

    /// At most this share of the requests may fail.
    pub const fn errors(share: f64) -> Self {
        Self { share, limit: None }
    }

    /// Seconds after a request's intended time by which it is known, as a rule, whether it is beyond the criterion.
    pub fn known_after(&self) -> f64 {
        self.limit.unwrap_or(KNOWN_AFTER)
    }
}

/// Seconds after which most failures are known, since they have no time limit; the others are known at the trial's end.
const KNOWN_AFTER: f64 = 1.0;
