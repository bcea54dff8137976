//! A search for the load line: what was looked for, and what was known when it ended.

use serde::{Deserialize, Serialize};

use crate::units::Nanos;

/// A search for the highest rate at which objectives hold. Its trials are levels of the plan, appended as they begin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinePlan {
    /// One line each.
    pub objectives: Vec<ObjectivePlan>,
    /// Width of the interval, as a share of its lower end: 0.1 for 10 %.
    pub resolution: f64,
    /// How long the search takes at most, once the service is warm.
    #[serde(rename = "at_most_ns")]
    pub at_most: Nanos,
    /// The lowest rate to offer, in requests per second.
    pub from: Option<f64>,
    /// The highest rate to offer.
    pub to: Option<f64>,
    /// The only rate that is tested, where it is a test and no search.
    pub at_least: Option<f64>,
    /// Known once the service is warm.
    pub capacity: Option<CapacityFound>,
    /// What the search found, in the order of the objectives; empty while it goes on.
    pub found: Vec<LineFound>,
}

/// Conditions that must hold at a line, all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectivePlan {
    /// The user's name of the line; empty for the only one.
    pub name: String,
    /// In the grammar of thresholds, e.g. `p(99)<200ms`.
    pub thresholds: Vec<String>,
}

/// What a service can do at most, as a closed load found it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CapacityFound {
    /// Requests that succeeded per second.
    pub rate: f64,
    /// Virtual users that it took.
    pub users: u32,
    /// Whether throughput had stopped rising.
    pub is_steady: bool,
}

/// What a search found of one line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineFound {
    /// How it ended: `found`, `time-up`, `never-holds` or `always-holds`.
    pub outcome: String,
    /// The highest rate that surely was carried; none if none was.
    pub lower: Option<LineEndFound>,
    /// The lowest rate that surely was not; none if none was.
    pub upper: Option<LineEndFound>,
}

/// An end of the interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineEndFound {
    /// Requests per second.
    pub rate: f64,
    /// How long it was offered, the first part of each trial left out, in seconds.
    pub seconds: f64,
    /// The share of requests beyond the condition that is nearest to its limit, as a multiple of the share allowed.
    pub share_of_allowed: f64,
}
