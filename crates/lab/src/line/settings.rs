//! Settings of a search, as a plan of lines asks for them.

use plimsoll_analysis::{
    line::criteria,
    thresholds::{Threshold, ThresholdError},
};
use plimsoll_record::{LinePlan, LoadUnit, Nanos};
use plimsoll_search::{Criterion, Settings};

/// Settings of a search, and the number of criteria of the first line. Each arrival brings `requests_per_arrival`
/// requests, one after the other.
///
/// # Panics
///
/// If an objective cannot be read.
pub(super) fn settings(plan: &LinePlan, requests_per_arrival: f64) -> (Settings, usize) {
    let of_lines = criteria(plan).expect("objectives were checked");
    let mut numbers = 0..;
    let lines = of_lines.iter().map(|line| numbers.by_ref().take(line.len()).collect()).collect();
    let (of_first, criteria) = (of_lines.first().map_or(0, Vec::len), of_lines.concat());
    let settings = Settings {
        criteria,
        lines,
        resolution: plan.resolution,
        at_most: plan.at_most.as_secs_f64(),
        warm_up: plan.warm_up.as_secs_f64(),
        from: plan.from,
        to: most(plan),
        at_least: plan.at_least,
        users_max: plan.max_in_flight,
        think: plan.users.map(|think| think.mean().as_secs_f64()),
        requests_per_arrival,
        cold: plan.cold.map(Nanos::as_secs_f64),
    };
    (settings, of_first)
}

/// The highest load to offer, if there is one. Users are at most the requests in flight, since each takes one.
fn most(plan: &LinePlan) -> Option<f64> {
    match plan.unit() {
        LoadUnit::PerSecond => plan.to,
        LoadUnit::VirtualUsers => {
            let allowed = f64::from(plan.max_in_flight);
            Some(plan.to.map_or(allowed, |to| to.min(allowed)))
        }
    }
}

/// Checks that `text` is an objective of a line.
///
/// # Errors
///
/// A message: not a threshold, or none that a search can count, and what would be one.
pub fn check_objective(text: &str) -> Result<(), String> {
    let threshold: Threshold = text.parse().map_err(|error: ThresholdError| error.to_string())?;
    threshold.criterion().map(drop)
}

/// The limits of response times, each once, ascending; one in any case, since requests are counted by arrival only
/// where there is a limit.
pub(super) fn limits(criteria: &[Criterion]) -> Vec<Nanos> {
    let mut limits: Vec<Nanos> = criteria.iter().filter_map(|it| it.limit.map(Nanos::from_secs_f64)).collect();
    limits.sort_unstable();
    limits.dedup();
    if limits.is_empty() {
        limits.push(Nanos::from_secs(1));
    }
    limits
}
