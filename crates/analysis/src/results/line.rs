//! The load line.

pub use plimsoll_search::Outcome;
use serde::Serialize;

/// The highest rate at which objectives hold, as an interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineResults {
    /// Name of the line; empty for the only one.
    pub name: String,
    /// All must hold.
    pub objectives: Vec<String>,
    /// How the search ended.
    pub outcome: Outcome,
    /// The highest rate that was carried; none if none surely was.
    pub lower: Option<LineEnd>,
    /// The lowest rate that was not; none if none surely was.
    pub upper: Option<LineEnd>,
    /// The width that was wanted, as a share of the lower end.
    pub resolution: f64,
    /// The rate that was tested, where it was a test and no search.
    pub tested_per_s: Option<f64>,
    /// Requests that the service answered at most, under a closed load.
    pub capacity_per_s: Option<f64>,
    /// Whether throughput had stopped rising when the search began.
    pub is_warm: bool,
    /// The percentile that the figures are of: that of the first objective that is about one, e.g. 99.
    pub percentile: Option<f64>,
    /// How long all of it took.
    pub took_s: f64,
    /// How long the width that was wanted takes at least, of offering, on a service of exponential service times.
    pub needed_s: f64,
    /// Those that count, in the order in which they were made.
    pub trials: Vec<TrialResults>,
}

/// An end of the interval: a rate that was offered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineEnd {
    /// Requests per second.
    pub rate_per_s: f64,
    /// How long it was offered, the first part of each trial left out.
    pub offered_s: f64,
    /// The percentile of all requests at this rate that succeeded; none if none did.
    pub percentile_ms: Option<f64>,
    /// Share of the requests that failed.
    pub errors_percent: f64,
    /// The share beyond the objective, as a multiple of the share allowed.
    pub share_of_allowed: f64,
}

/// One trial.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrialResults {
    /// Requests per second.
    pub rate_per_s: f64,
    /// When it began.
    pub began_s: f64,
    /// From the first request intended to the last one ended.
    pub took_s: f64,
    /// The percentile of its requests that succeeded; none if none did.
    pub percentile_ms: Option<f64>,
    /// Share of the requests that failed.
    pub errors_percent: f64,
}
