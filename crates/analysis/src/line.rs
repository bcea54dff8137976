//! The load line: what the search found, with figures from the trials in the record.

use plimsoll_record::{
    ArrivalSlot, ExecutionData, Interval, LevelData, LineEndFound, LinePlan, Nanos, ObjectivePlan, Phase,
};
use plimsoll_search::{Criterion, Outcome, requests_needed};

use crate::{
    results::{LineEnd, LineResults, TrialResults},
    thresholds::Threshold,
};

/// Requests of a slot beyond each criterion: those that failed or, where a limit is set, did not succeed within it.
pub fn beyond(slot: &ArrivalSlot, limits: &[Nanos], criteria: &[Criterion]) -> Vec<u32> {
    let of = |criterion: &Criterion| match criterion.limit.map(Nanos::from_secs_f64) {
        Some(limit) => {
            let within = limits.iter().position(|&it| it == limit).and_then(|index| slot.within.get(index));
            slot.offered.saturating_sub(within.copied().unwrap_or(0))
        }
        None => slot.failed,
    };
    criteria.iter().map(of).collect()
}

/// The lines of a search, in the order of its objectives; empty where nothing was searched.
pub(crate) fn results(data: &ExecutionData) -> Vec<LineResults> {
    let (Some(plan), Some(run)) = (&data.execution.plan.line, data.runs.first()) else { return Vec::new() };
    let Some(criteria) = criteria(plan) else { return Vec::new() };
    let line_run = run.run.line.clone().unwrap_or_default();
    let capacity = line_run.capacity;
    let counts = |level: &&LevelData| level.plan.phase == Phase::Measured && level.took.is_some();
    let levels: Vec<&LevelData> = run.levels.iter().filter(counts).collect();
    let ended = run.levels.last().map_or(Nanos::ZERO, |last| last.started + last.took.unwrap_or_default());
    let line = |(index, (objective, criteria)): (usize, (&ObjectivePlan, &Vec<Criterion>))| {
        let found = line_run.found.get(index);
        let (lower, upper) = (found.and_then(|it| it.lower), found.and_then(|it| it.upper));
        let near = lower.or(upper).map(|end| end.rate).or(capacity.map(|it| it.rate));
        let needed = criteria.iter().map(|&it| requests_needed(it, plan.resolution)).fold(0.0, f64::max);
        let quantile = criteria.iter().find(|it| it.limit.is_some()).map(|it| 1.0 - it.share);
        LineResults {
            name: objective.name.clone(),
            objectives: objective.thresholds.clone(),
            outcome: found.and_then(|it| Outcome::named(&it.outcome)).unwrap_or(Outcome::TimeUp),
            lower: lower.map(|end| end_of(end, &levels, quantile)),
            upper: upper.map(|end| end_of(end, &levels, quantile)),
            resolution: plan.resolution,
            tested_per_s: plan.at_least,
            capacity_per_s: capacity.map(|it| it.rate),
            is_warm: capacity.is_none_or(|it| it.is_steady),
            // 1 - 0.01 is not quite 0.99.
            percentile: quantile.map(|quantile| (quantile * 1e7).round() / 1e5),
            took_s: ended.as_secs_f64(),
            needed_s: near.map_or(0.0, |rate| needed / rate.max(1e-9)),
            trials: levels.iter().map(|level| trial_results(level, quantile)).collect(),
        }
    };
    plan.objectives.iter().zip(&criteria).enumerate().map(line).collect()
}

/// Criteria by line; none if the plan's objectives cannot be read.
pub fn criteria(plan: &LinePlan) -> Option<Vec<Vec<Criterion>>> {
    let of = |text: &String| text.parse::<Threshold>().ok()?.criterion().ok();
    plan.objectives.iter().map(|objective| objective.thresholds.iter().map(of).collect()).collect()
}

fn end_of(end: LineEndFound, levels: &[&LevelData], quantile: Option<f64>) -> LineEnd {
    let at_rate = levels.iter().filter(|level| level.plan.load.peak_target() == end.rate);
    let (percentile_ms, errors_percent) = figures(at_rate.flat_map(|level| &level.intervals), quantile);
    LineEnd {
        rate_per_s: end.rate,
        offered_s: end.seconds,
        percentile_ms,
        errors_percent,
        share_of_allowed: end.share_of_allowed,
    }
}

fn trial_results(level: &LevelData, quantile: Option<f64>) -> TrialResults {
    let (percentile_ms, errors_percent) = figures(level.intervals.iter(), quantile);
    TrialResults {
        rate_per_s: level.plan.load.peak_target(),
        began_s: level.started.as_secs_f64(),
        took_s: level.took.unwrap_or_default().as_secs_f64(),
        percentile_ms,
        errors_percent,
    }
}

/// The percentile of the requests that succeeded, in milliseconds, and the share of those that failed, in percent.
fn figures<'a>(intervals: impl Iterator<Item = &'a Interval>, quantile: Option<f64>) -> (Option<f64>, f64) {
    let mut all = Interval::default();
    intervals.for_each(|interval| all.merge(interval));
    let percentile = quantile.filter(|_| !all.ok.response.is_empty());
    let errors = if all.ended() > 0 { all.counts.failed as f64 / all.ended() as f64 * 100.0 } else { 0.0 };
    (percentile.map(|quantile| all.ok.response.quantile(quantile).as_millis_f64()), errors)
}
