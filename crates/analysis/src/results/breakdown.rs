//! The requests of a level apart from each other, where there are several.

use serde::Serialize;

use super::Totals;

/// One of several requests of a level, all rounds together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RequestResults {
    /// As in the plan.
    pub name: String,
    /// Successful ones per second.
    pub throughput_per_s: f64,
    /// Response time (done − intended) of successful ones; none if none succeeded.
    pub response: Option<TimeStatistics>,
    /// Service time (done − sent) of successful ones; none if none succeeded.
    pub service: Option<TimeStatistics>,
    /// Sums over all rounds.
    pub totals: Totals,
}

/// Times of all rounds together, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TimeStatistics {
    /// Arithmetic mean.
    pub mean_ms: f64,
    /// 50th percentile.
    pub median_ms: f64,
    /// 90th percentile.
    pub p90_ms: f64,
    /// 95th percentile.
    pub p95_ms: f64,
    /// 99th percentile.
    pub p99_ms: f64,
    /// 99.9th percentile.
    pub p999_ms: f64,
    /// Greatest.
    pub max_ms: f64,
}
