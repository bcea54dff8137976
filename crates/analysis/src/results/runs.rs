//! Runs, each on its time line.

use std::collections::BTreeMap;

use plimsoll_record::{Phase, RunStatus};
use serde::Serialize;

/// One run, with its time line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunResults {
    /// Number in the record.
    pub id: i64,
    /// Name of the variant.
    pub variant: String,
    /// 0-based.
    pub round: u32,
    /// Place in the round's order, 0-based.
    pub position: u32,
    /// Its end.
    pub status: RunStatus,
    /// Why, if not done.
    pub problem: Option<String>,
    /// The command that was launched.
    pub command: Option<String>,
    /// From spawn to the first 2xx, in seconds.
    pub startup_s: Option<f64>,
    /// When each level began and ended, in seconds from the spawn.
    pub spans: Vec<Span>,
    /// Second by second, from the spawn.
    pub load: Vec<LoadPoint>,
    /// Sampled metrics by name: see `plimsoll_record::metric`.
    pub samples: BTreeMap<String, Vec<SamplePoint>>,
    /// The target's last lines; only where the run did not end well.
    pub output_tail: Vec<String>,
}

/// A level on the time line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Span {
    /// The level.
    pub label: String,
    /// Warm-up or measured.
    pub phase: Phase,
    /// Seconds from the spawn.
    pub start_s: f64,
    /// Seconds from the spawn.
    pub end_s: f64,
}

/// The load in one interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LoadPoint {
    /// Middle of the interval, in seconds from the spawn.
    pub at_s: f64,
    /// Successful requests per second.
    pub throughput_per_s: f64,
    /// Failed requests per second.
    pub failed_per_s: f64,
    /// Response time of those that succeeded, 50th percentile; none if none did.
    pub median_ms: Option<f64>,
    /// The same, 99th percentile.
    pub p99_ms: Option<f64>,
}

/// A sampled value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SamplePoint {
    /// Seconds from the spawn.
    pub at_s: f64,
    /// The value in the metric's unit.
    pub value: f64,
}
