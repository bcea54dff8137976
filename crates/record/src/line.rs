//! A search for the load line: what is looked for, and what was known when it ended.

use serde::{Deserialize, Serialize};

use crate::{
    Nanos,
    load::{Arrivals, Load, LoadUnit, Stage, ThinkTime},
};

/// A search for the highest rate at which objectives hold: one in each run, whose trials are levels of the plan,
/// appended as they begin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinePlan {
    /// One line each.
    pub objectives: Vec<ObjectivePlan>,
    /// Width of the interval, as a share of its lower end: 0.1 for 10 %.
    pub resolution: f64,
    /// How long the search takes at most, once the service is warm.
    #[serde(rename = "at_most_ns")]
    pub at_most: Nanos,
    /// How long the service is given until its throughput no longer rises.
    #[serde(rename = "warm_up_ns", default = "LinePlan::default_warm_up")]
    pub warm_up: Nanos,
    /// The lowest rate to offer, in requests per second; or the fewest users.
    pub from: Option<f64>,
    /// The highest rate to offer.
    pub to: Option<f64>,
    /// The only rate that is tested, where it is a test and no search.
    pub at_least: Option<f64>,
    /// How arrivals are spaced.
    #[serde(default = "LinePlan::default_arrivals")]
    pub arrivals: Arrivals,
    /// Requests in flight at most, and virtual users of the probe.
    #[serde(default = "LinePlan::default_max_in_flight")]
    pub max_in_flight: u32,
    /// Whether the service is overloaded once its line is known, to see how it recovers.
    #[serde(default)]
    pub overload: bool,
    /// Virtual users are looked for instead of a rate: how they pause between their requests. None: a rate is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub users: Option<ThinkTime>,
    /// The line of cold processes is looked for: each trial has a process of its own, and lasts for so long after its
    /// start. None: that of a warm one.
    #[serde(rename = "cold_ns", default, skip_serializing_if = "Option::is_none")]
    pub cold: Option<Nanos>,
}

impl LinePlan {
    /// Width of the interval.
    pub const DEFAULT_RESOLUTION: f64 = 0.1;
    /// Time that a search takes at most.
    pub const DEFAULT_AT_MOST: Nanos = Nanos::from_secs(300);
    /// How long an overload and what follows take at most.
    pub const OVERLOAD_AT_MOST: Nanos = Nanos::from_secs(35);
    /// Time until throughput no longer rises, at most.
    pub const DEFAULT_WARM_UP: Nanos = Nanos::from_secs(60);

    const fn default_warm_up() -> Nanos {
        Self::DEFAULT_WARM_UP
    }

    const fn default_arrivals() -> Arrivals {
        Arrivals::Poisson
    }

    const fn default_max_in_flight() -> u32 {
        Load::DEFAULT_MAX_IN_FLIGHT
    }

    /// How long a search takes at most, but for what is in flight at its end.
    pub fn longest(&self) -> Nanos {
        self.warm_up + self.at_most + if self.overload { Self::OVERLOAD_AT_MOST } else { Nanos::ZERO }
    }

    /// The unit of the line.
    pub const fn unit(&self) -> LoadUnit {
        if self.users.is_some() { LoadUnit::VirtualUsers } else { LoadUnit::PerSecond }
    }

    /// Users who pause for so long on average, each time for another while, as people do who know nothing of each
    /// other.
    pub const fn think(mean: Nanos) -> ThinkTime {
        if mean.0 == 0 { ThinkTime::None } else { ThinkTime::Exponential { mean } }
    }

    /// An open load at one rate, as the search offers it.
    pub const fn open(&self, rate: f64, duration: Nanos) -> Load {
        let (arrivals, max_in_flight) = (self.arrivals, self.max_in_flight);
        Load::ConstantArrivalRate { rate, duration, arrivals, max_in_flight, drop_late: false }
    }

    /// An open load that jumps from one rate to another: rates with how long each is offered.
    pub fn jump(&self, [(first, first_s), (second, second_s)]: [(f64, Nanos); 2]) -> Load {
        let stage = |target, duration| Stage { duration, target };
        Load::RampingArrivalRate {
            start_rate: first,
            stages: vec![stage(first, first_s), stage(second, Nanos::ZERO), stage(second, second_s)],
            arrivals: self.arrivals,
            max_in_flight: self.max_in_flight,
            drop_late: false,
        }
    }
}

impl Default for LinePlan {
    fn default() -> Self {
        Self {
            objectives: Vec::new(),
            resolution: Self::DEFAULT_RESOLUTION,
            at_most: Self::DEFAULT_AT_MOST,
            warm_up: Self::default_warm_up(),
            from: None,
            to: None,
            at_least: None,
            arrivals: Self::default_arrivals(),
            max_in_flight: Self::default_max_in_flight(),
            overload: false,
            users: None,
            cold: None,
        }
    }
}

/// The answer of the search of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LineRun {
    /// Known once the service is warm.
    pub capacity: Option<CapacityFound>,
    /// In the order of the objectives.
    pub found: Vec<LineFound>,
    /// The highest load that the generator could offer, in requests per second or users; none if it was not the limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered_most: Option<f64>,
    /// An overload that the service did not recover from; none if it always did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrecovered: Option<Unrecovered>,
}

/// An overload after which a service did not answer what was in flight, though nothing more was offered.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unrecovered {
    /// The first load after which that was so.
    pub load: f64,
    /// Whether it is users, or else requests per second.
    pub is_users: bool,
    /// How long was waited, in seconds.
    pub waited_s: f64,
    /// How often the service was restarted for it.
    pub restarts: u32,
    /// Whether the search ended for it.
    pub is_end: bool,
}

/// Conditions that must hold at a line, all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectivePlan {
    /// The user's name of the line; empty for the only one.
    pub name: String,
    /// In the grammar of thresholds, e.g. `p(99)<200ms`.
    pub thresholds: Vec<String>,
}

/// The most that a service can do, as a closed load found it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CapacityFound {
    /// Requests that succeeded per second.
    pub rate: f64,
    /// Virtual users that it took.
    pub users: u32,
    /// Whether throughput had stopped rising.
    pub is_steady: bool,
}

/// The answer of a search about one line.
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
    /// Requests per second, or users.
    pub rate: f64,
    /// How long it was offered, the first part of each trial left out, in seconds.
    pub seconds: f64,
    /// The share of requests beyond the condition that is nearest to its limit, as a multiple of the share allowed.
    pub share_of_allowed: f64,
    /// The variance of the number of requests beyond a time, divided by their mean, as the search knew it near the
    /// limit; none where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dispersion: Option<f64>,
}
