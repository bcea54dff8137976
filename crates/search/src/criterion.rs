//! One thing that a service must keep.

use serde::{Deserialize, Serialize};

/// At most a share of the requests may be beyond what is allowed: later than a limit, or failed.
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

    /// How long after a request was intended its place is known at the latest, in seconds.
    pub fn known_after(&self) -> f64 {
        self.limit.unwrap_or(KNOWN_AFTER)
    }
}

/// Failures have no limit of time: most are known by then, and the others when the trial has ended.
const KNOWN_AFTER: f64 = 1.0;
