//! Figures of trials taken together.

use plimsoll_record::{Histogram, Interval, LevelData};

use crate::{measured::merge_all, refusals::most_frequent};

/// Users on average, by how long each trial took; none where rates were offered.
pub(super) fn users(trials: &[&LevelData]) -> Option<f64> {
    trials.first()?.plan.load.is_closed().then(|| mean_target(trials))
}

/// Requests per second: those offered; with users those that ended.
pub(super) fn per_second(trials: &[&LevelData]) -> Option<f64> {
    if !trials.first()?.plan.load.is_closed() {
        return Some(mean_target(trials));
    }
    let ended: u64 = trials.iter().flat_map(|trial| &trial.intervals).map(Interval::ended).sum();
    Some(ended as f64 / trials.iter().map(|trial| took_s(trial)).sum::<f64>())
}

/// By how long each trial took. Summed from the first target on, so that equal targets give exactly that target.
fn mean_target(trials: &[&LevelData]) -> f64 {
    let Some(first) = trials.first().map(|trial| trial.plan.load.peak_target()) else { return 0.0 };
    let beyond: f64 = trials.iter().map(|trial| (trial.plan.load.peak_target() - first) * took_s(trial)).sum();
    first + beyond / trials.iter().map(|trial| took_s(trial)).sum::<f64>()
}

fn took_s(trial: &LevelData) -> f64 {
    trial.took.unwrap_or_default().as_secs_f64().max(1e-9)
}

/// Response times of several intervals.
pub(super) struct Figures {
    pub median_ms: Option<f64>,
    pub p90_ms: Option<f64>,
    pub percentile_ms: Option<f64>,
    /// Response times of the requests that succeeded.
    pub times: Histogram,
    pub errors_percent: f64,
    /// The most frequent status of requests that failed.
    pub error_status: Option<u16>,
}

impl Figures {
    /// Times are of the requests that succeeded; the share of errors is of all that ended.
    pub fn of<'a>(intervals: impl Iterator<Item = &'a Interval>, quantile: Option<f64>) -> Self {
        let all = merge_all(intervals).unwrap_or_default();
        let times = &all.ok.response;
        let at = |quantile: f64| (!times.is_empty()).then(|| times.quantile(quantile).as_millis_f64());
        Self {
            median_ms: at(0.5),
            p90_ms: at(0.9),
            percentile_ms: quantile.and_then(at),
            errors_percent: if all.ended() > 0 { all.counts.failed as f64 / all.ended() as f64 * 100.0 } else { 0.0 },
            error_status: error_status(&all),
            times: all.ok.response,
        }
    }
}

fn error_status(all: &Interval) -> Option<u16> {
    let (status, count) = most_frequent(&all.statuses)?;
    (2 * count > all.counts.failed).then_some(status)
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{LinePlan, Nanos};

    use super::*;
    use crate::testing::{level, level_plan};

    /// 300 times these seconds, divided by them, is 299.99999999999994.
    #[test]
    fn the_mean_of_equal_loads_is_that_load() {
        let trial = |took| {
            let load = LinePlan::default().open(300.0, Nanos::from_secs(15));
            LevelData { took: Some(Nanos(took)), ..level(&level_plan("trial 1", load), Nanos::ZERO, &[]) }
        };
        let trials = [trial(14_403_061_991), trial(7_000_000_003)];
        assert_eq!((mean_target(&[&trials[0]]), mean_target(&[&trials[0], &trials[1]])), (300.0, 300.0));
    }
}
