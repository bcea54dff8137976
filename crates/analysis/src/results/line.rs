//! The load line.

pub use plimsoll_record::Unrecovered;
pub use plimsoll_search::Outcome;
use serde::Serialize;

use super::{Ceiling, Figure};

/// The highest rate at which a variant keeps objectives, as an interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineResults {
    /// Name of the variant.
    pub variant: String,
    /// Name of the line; empty for the only one.
    pub name: String,
    /// The objectives, all of which must hold.
    pub objectives: Vec<String>,
    /// Where the line lies, by all searches together.
    pub line: LineEstimate,
    /// The width that was wanted, as a share of the lower end.
    pub resolution: f64,
    /// The rate that was tested, if it was a test instead of a search.
    pub tested_per_s: Option<f64>,
    /// The mean pause of users, if the line is in virtual users instead of requests per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub think_ms: Option<f64>,
    /// Seconds that each trial lasts, in a process that has just started, if the line is that of cold processes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cold_s: Option<f64>,
    /// The users that were tested, if it was a test instead of a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tested_users: Option<f64>,
    /// The percentile of the figures, e.g. 99: that of the first objective with one.
    pub percentile: Option<f64>,
    /// The limit of that percentile.
    pub limit_ms: Option<f64>,
    /// Usage of the target at the line, a value per round; none where nothing was watched.
    pub usage: UsageFigures,
    /// The most that settings allow, and how much of it the lower end is; none where either is not known.
    pub ceiling: Option<Ceiling>,
    /// The kind of the limit, if it was explained after a search; else the reason of the ceiling, if the line comes
    /// near to it. None if neither is known.
    pub limited_by: Option<String>,
    /// One for each round that has one.
    pub searches: Vec<SearchResults>,
}

/// Where a line lies, with a probability of 95 %.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct LineEstimate {
    /// The geometric mean over rounds of the middle of each search's interval; none if a search has an open side.
    pub per_s: Option<f64>,
    /// The lower end, in requests per second; none if none is known.
    pub low_per_s: Option<f64>,
    /// The upper end.
    pub high_per_s: Option<f64>,
    /// The same of a line in virtual users: the mean,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub users: Option<f64>,
    /// the lower end,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low_users: Option<f64>,
    /// and the upper one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high_users: Option<f64>,
    /// Whether the interval is one over rounds. If not, it encloses the intervals of all searches: there are too few
    /// rounds, or one of them has an open side.
    pub is_over_rounds: bool,
    /// Width of the interval of the typical search, in percent: the uncertainty about one process.
    pub within_percent: Option<f64>,
    /// Standard deviation of the middles from round to round, in percent: how processes differ. None with fewer than
    /// two rounds.
    pub between_percent: Option<f64>,
}

/// The critical rate of a variant: the geometric mean of its lines at p99 below 10, 25, 50, 75 and 100 ms.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CriticalResults {
    /// Name of the variant.
    pub variant: String,
    /// The mean of the lower ends, in requests per second; none if one is not known.
    pub low_per_s: Option<f64>,
    /// The mean of the upper ends.
    pub high_per_s: Option<f64>,
    /// Objectives that hold at no rate, in any round.
    pub nowhere: Vec<String>,
}

/// The search of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchResults {
    /// Number of the round, from 0.
    pub round: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// The highest rate that was surely carried; none if there is none.
    pub lower: Option<LineEnd>,
    /// The lowest rate that was surely not carried; none if there is none.
    pub upper: Option<LineEnd>,
    /// The most requests per second that the service answered, under a closed load.
    pub capacity_per_s: Option<f64>,
    /// Whether throughput had stopped rising when the search began.
    pub is_warm: bool,
    /// The highest load that the generator could offer, in the unit of the line; none if it was not the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offered_most: Option<f64>,
    /// An overload that the service did not recover from; none if it always did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unrecovered: Option<Unrecovered>,
    /// How long all of it took.
    pub took_s: f64,
    /// The least time of offering that the wanted width takes, on a service with exponential service times.
    pub needed_s: f64,
    /// About how long the search would take to reach the wanted width; none if it was reached, or more time would not
    /// help.
    pub longer_s: Option<f64>,
    /// Usage of the target at the lower end.
    pub usage: Usage,
    /// Trials that count, in the order in which they were made.
    pub trials: Vec<TrialResults>,
    /// How the service took an overload; none if there was none.
    pub recovery: Option<RecoveryResults>,
    /// The same trials by rate.
    pub curve: Vec<RatePoint>,
}

impl SearchResults {
    /// Whether the search ended with an overload that the service did not recover from.
    pub fn ended_unrecovered(&self) -> bool {
        self.unrecovered.is_some_and(|it| it.is_end)
    }
}

/// An end of the interval: a rate that was offered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineEnd {
    /// Virtual users, where the line is in users.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub users: Option<f64>,
    /// Requests per second: what was offered; of users what ended.
    pub rate_per_s: f64,
    /// How long it was offered, without the settling time of each trial.
    pub offered_s: f64,
    /// The percentile of all requests at this rate that succeeded; none if none did.
    pub percentile_ms: Option<f64>,
    /// The lower bound of that percentile, with both bounds 95 % sure; none if too few bursts of late requests were
    /// seen, or the queue was not steady.
    pub percentile_low_ms: Option<f64>,
    /// The upper bound.
    pub percentile_high_ms: Option<f64>,
    /// Share of the requests that failed.
    pub errors_percent: f64,
    /// The status of most of those; none if most had none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_status: Option<u16>,
    /// The share beyond the objective, as a multiple of the share allowed.
    pub share_of_allowed: f64,
    /// Requests in flight; none with users, or if trials were too short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<Queue>,
}

/// Requests in flight while a rate was offered, the first third of each trial left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Queue {
    /// Mean number of requests in flight.
    pub in_flight: f64,
    /// Growth in requests per second; zero if they were steady.
    pub grew_per_s: f64,
}

/// One trial.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrialResults {
    /// Virtual users, where the line is in users.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub users: Option<f64>,
    /// Requests per second: what was offered; of users what ended.
    pub rate_per_s: f64,
    /// When it began.
    pub began_s: f64,
    /// From the first request intended to the last one ended.
    pub took_s: f64,
    /// Median response time of its requests that succeeded; none if none did.
    pub median_ms: Option<f64>,
    /// The 90th percentile, likewise.
    pub p90_ms: Option<f64>,
    /// The percentile of the objective.
    pub percentile_ms: Option<f64>,
    /// Share of the requests that failed.
    pub errors_percent: f64,
    /// Usage of the target.
    pub usage: Usage,
}

/// An overload after the search, and what came after it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecoveryResults {
    /// Requests per second in the overload.
    pub overload_per_s: f64,
    /// How long it was.
    pub overload_s: f64,
    /// Requests per second after it: less than the service carries.
    pub after_per_s: f64,
    /// How long these were offered.
    pub watched_s: f64,
    /// From the end of the overload until requests keep the objectives again; none if they did not.
    pub recovered_s: Option<f64>,
    /// Whether it did not recover, though there was enough time.
    pub is_metastable: bool,
}

/// All trials at about one rate, their requests taken together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatePoint {
    /// Virtual users on average, where the line is in users.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub users: Option<f64>,
    /// Requests per second on average: what was offered; of users what ended.
    pub rate_per_s: f64,
    /// How many trials.
    pub trials: usize,
    /// Median response time of their requests that succeeded; none if none did.
    pub median_ms: Option<f64>,
    /// The 90th percentile, likewise.
    pub p90_ms: Option<f64>,
    /// The percentile of the objective.
    pub percentile_ms: Option<f64>,
    /// Share of the requests that failed.
    pub errors_percent: f64,
    /// Usage of the target.
    pub usage: Usage,
}

impl LineResults {
    /// The load that was tested, in the unit of the line.
    pub fn tested(&self) -> Option<f64> {
        self.tested_per_s.or(self.tested_users)
    }
}

impl LineEstimate {
    /// The lower end, in the unit of the line.
    pub fn low(&self) -> Option<f64> {
        self.low_per_s.or(self.low_users)
    }

    /// The upper end, in the unit of the line.
    pub fn high(&self) -> Option<f64> {
        self.high_per_s.or(self.high_users)
    }

    /// The estimate, in the unit of the line.
    pub fn middle(&self) -> Option<f64> {
        self.per_s.or(self.users)
    }

    /// The same as a number of users.
    pub(crate) fn in_users(self) -> Self {
        let Self { per_s: users, low_per_s: low_users, high_per_s: high_users, .. } = self;
        Self { per_s: None, low_per_s: None, high_per_s: None, users, low_users, high_users, ..self }
    }
}

impl SearchResults {
    /// The geometric middle of the interval, in the unit of the line; none with an open side.
    pub fn middle(&self) -> Option<f64> {
        Some((self.lower.as_ref()?.load() * self.upper.as_ref()?.load()).sqrt())
    }
}

impl LineEnd {
    /// The load that was offered, in the unit of the line.
    pub fn load(&self) -> f64 {
        self.users.unwrap_or(self.rate_per_s)
    }
}

impl TrialResults {
    /// The load that was offered, in the unit of the line.
    pub fn load(&self) -> f64 {
        self.users.unwrap_or(self.rate_per_s)
    }
}

impl RatePoint {
    /// The load that was offered, in the unit of the line.
    pub fn load(&self) -> f64 {
        self.users.unwrap_or(self.rate_per_s)
    }
}

/// Usage of the target under a load; none where it was not watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Usage {
    /// On average, 100 = one core.
    pub cpu_percent: Option<f64>,
    /// CPU time per request that ended, in milliseconds.
    pub cpu_ms_per_request: Option<f64>,
    /// Cores that the target may use.
    pub cores: Option<f64>,
    /// Requests per second for which `cores` are enough, by the CPU time per request: other limits may come first.
    pub cpu_allows_per_s: Option<f64>,
    /// Most resident memory, in MB (10⁶ bytes).
    pub memory_mb: Option<f64>,
    /// Most threads.
    pub threads: Option<f64>,
}

/// [`Usage`] over rounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct UsageFigures {
    /// On average, 100 = one core.
    pub cpu_percent: Option<Figure>,
    /// CPU time per request that ended, in milliseconds.
    pub cpu_ms_per_request: Option<Figure>,
    /// Most resident memory, in MB (10⁶ bytes).
    pub memory_mb: Option<Figure>,
    /// Most threads.
    pub threads: Option<Figure>,
}
