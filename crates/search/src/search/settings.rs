//! Settings of a search, and the steps that it asks for.

use crate::criterion::Criterion;

/// Settings of a search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// All criteria of all lines.
    pub criteria: Vec<Criterion>,
    /// For each line the numbers of the criteria that must hold at it.
    pub lines: Vec<Vec<usize>>,
    /// The width of each interval: 0.1 for 10 %.
    pub resolution: f64,
    /// Seconds after the probe after which the search ends with what it knows.
    pub at_most: f64,
    /// Seconds that the probe takes at most, until throughput is steady.
    pub warm_up: f64,
    /// The lowest load to offer, if it is given.
    pub from: Option<f64>,
    /// The highest load to offer, if it is given.
    pub to: Option<f64>,
    /// The only rate to offer: the search ends as soon as it is sure on which side of the line it is.
    pub at_least: Option<f64>,
    /// Users of the probe at most.
    pub users_max: u32,
    /// Users are looked for instead of a rate: the mean of their pauses, in seconds.
    pub think: Option<f64>,
    /// Requests that follow from an arrival, on average: 1 unless users make several, one after the other.
    pub requests_per_arrival: f64,
    /// The line of cold processes is looked for: how many seconds after its start each trial lasts, in a process of its
    /// own.
    pub cold: Option<f64>,
}

/// A load to offer, from an empty start: nothing may be in flight before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Virtual users without pauses.
    Closed {
        /// Their number.
        users: u32,
    },
    /// Requests at a constant rate.
    Open {
        /// Arrivals per second, each of a request or of a user who makes several.
        rate: f64,
    },
    /// Virtual users who pause between their requests, and begin within a pause each.
    Users {
        /// Their number.
        users: u32,
    },
    /// The search is over.
    Done,
}
