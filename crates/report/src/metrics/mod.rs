//! Metrics of a load for monitoring systems: k6's names where k6 has the metric, so that its dashboards work, and
//! `plimsoll_…` for what k6 lacks.
//!
//! k6's `http_req_duration` is what we call service time. The time that a user waits is `plimsoll_response_time`.

mod families;
mod otlp;
mod prometheus;

use plimsoll_record::{Histogram, Interval};

pub use self::{families::families, otlp::otlp, prometheus::prometheus};

/// Measurements of one request of one scenario, from the start of the load.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The label `scenario`.
    pub scenario: String,
    /// The label `name`: the request's name, or its URL.
    pub name: String,
    /// All intervals together.
    pub interval: Interval,
}

/// A metric with all its label sets.
#[derive(Clone, Debug)]
pub struct Family {
    /// Name, without the unit and without `_total`.
    pub name: &'static str,
    /// Help in one line.
    pub help: &'static str,
    /// Its values.
    pub points: Points,
}

/// Label names with values.
pub type Labels = Vec<(&'static str, String)>;

/// Values of a metric by its labels.
#[derive(Clone, Debug)]
pub enum Points {
    /// A value that only grows.
    Counter(Unit, Vec<(Labels, f64)>),
    /// A current value.
    Gauge(Vec<(Labels, f64)>),
    /// Times.
    Times(Vec<(Labels, Histogram)>),
}

/// Unit of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A count of things.
    One,
    /// Bytes.
    Bytes,
}

/// Upper bounds of the buckets of times, in seconds.
const BOUNDS_S: [f64; 18] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

/// The number of values at or below each bound and above the one before it; the last is of those above all bounds.
fn bucket_counts(times: &Histogram) -> [u64; BOUNDS_S.len() + 1] {
    let mut counts = [0; BOUNDS_S.len() + 1];
    for (value, count) in times.buckets() {
        counts[BOUNDS_S.partition_point(|&bound| bound < value.as_secs_f64())] += count;
    }
    counts
}

fn sum_s(times: &Histogram) -> f64 {
    times.mean_ns() * times.count() as f64 / 1e9
}

#[cfg(test)]
mod tests;
