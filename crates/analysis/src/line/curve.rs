//! The curve: response times, and the usage of the target, by the rate at which requests were offered.

use plimsoll_record::{LevelData, Sample};

use super::{
    trials::{Figures, per_second, users},
    usage,
};
use crate::results::RatePoint;

/// Trials whose rates differ by less than this share are one point: their requests are taken together, since a
/// percentile takes many.
const NEAR: f64 = 0.02;

/// A point for each rate that was offered, ascending.
pub(super) fn of(samples: &[Sample], trials: &[&LevelData], quantile: Option<f64>) -> Vec<RatePoint> {
    let rate = |trial: &LevelData| trial.plan.load.peak_target();
    let mut by_rate = trials.to_vec();
    by_rate.sort_by(|a, b| rate(a).total_cmp(&rate(b)));
    let mut groups: Vec<Vec<&LevelData>> = Vec::new();
    for trial in by_rate {
        match groups.last_mut() {
            Some(group) if rate(trial) < rate(group[0]) * (1.0 + NEAR) => group.push(trial),
            _ => groups.push(vec![trial]),
        }
    }
    groups.iter().map(|group| point(samples, group, quantile)).collect()
}

fn point(samples: &[Sample], trials: &[&LevelData], quantile: Option<f64>) -> RatePoint {
    let figures = Figures::of(trials.iter().flat_map(|trial| &trial.intervals), quantile);
    RatePoint {
        users: users(trials),
        rate_per_s: per_second(trials).unwrap_or_default(),
        trials: trials.len(),
        median_ms: figures.median_ms,
        p90_ms: figures.p90_ms,
        percentile_ms: figures.percentile_ms,
        errors_percent: figures.errors_percent,
        usage: usage::of(samples, trials),
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Arrivals, LevelPlan, LinePlan, Nanos, Phase};

    use super::*;
    use crate::testing::{Request, level};

    /// A second of `rate` requests that take `ms`.
    fn trial(rate: u32, ms: u64) -> LevelData {
        let plan = LinePlan { arrivals: Arrivals::Even, ..LinePlan::default() };
        let plan = LevelPlan::new("trial", Phase::Measured, plan.open(f64::from(rate), Nanos::from_secs(1)));
        level(&plan, Nanos::ZERO, &vec![Request::ok(Nanos::ZERO, Nanos::from_millis(ms)); rate as usize])
    }

    #[test]
    fn requests_of_trials_at_about_one_rate_are_taken_together() {
        let trials = [trial(200, 400), trial(100, 10), trial(101, 50)];
        let trials: Vec<&LevelData> = trials.iter().collect();
        let curve = of(&[], &trials, Some(0.9));
        let [low, high] = &curve[..] else { panic!("two points: {curve:?}") };
        assert_eq!((low.trials, high.trials, high.rate_per_s), (2, 1, 200.0));
        assert!(low.rate_per_s > 100.0 && low.rate_per_s < 101.0);
        // Half of 201 requests took 10 ms, and a little more than half 50 ms: the median is of those, no mean.
        assert!((low.median_ms.unwrap() - 50.0).abs() < 1.0 && (low.percentile_ms.unwrap() - 50.0).abs() < 1.0);
        assert!((high.p90_ms.unwrap() - 400.0).abs() < 4.0);
    }
}
