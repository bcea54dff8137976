//! The verdict on a threshold.

use std::collections::BTreeMap;

use plimsoll_record::{ExecutionData, Interval, LevelData, LevelPlan, Nanos, Phase, RunStatus};

use super::{Metric, Statistic, Threshold};
use crate::{
    measured::{self, Ended},
    results::ThresholdResult,
};

/// Measurements so far of the requests of one name in one scenario.
#[derive(Debug)]
pub(super) struct Part {
    /// The load that it is a part of: scenarios that are driven together are one.
    pub load: usize,
    pub scenario: String,
    pub request: String,
    /// All intervals together.
    pub merged: Interval,
    /// Requests that succeeded in `duration`.
    pub succeeded: f64,
    /// The time in which they were offered, from the start of the load on.
    pub start: Nanos,
    pub duration: Nanos,
}

/// Every threshold of the plan for every variant that was loaded, all rounds together. A part of a load is not judged,
/// since thresholds are about the whole.
pub(crate) fn judge_all(data: &ExecutionData) -> Vec<ThresholdResult> {
    let execution = &data.execution;
    let plan = &execution.plan;
    let mut results = Vec::new();
    if plan.segment.is_some() {
        return results;
    }
    for (index, variant) in plan.variants.iter().enumerate() {
        let runs = || data.runs.iter().filter(|it| it.run.variant == index);
        let (mut all, mut load) = (Vec::new(), 0);
        for run in runs() {
            for (at, level) in run.levels.iter().enumerate().filter(|(_, it)| it.plan.phase == Phase::Measured) {
                load += usize::from(at == 0 || !level.plan.is_with_previous);
                all.extend(parts(level, load));
            }
        }
        // Benchmarks have no load.
        let has_failed = runs().any(|it| it.run.status.is_failure() && it.run.status != RunStatus::BenchmarksFailed);
        if all.is_empty() && !has_failed {
            continue;
        }
        let exceeded = |text: &String, reason: String| ThresholdResult {
            threshold: text.clone(),
            variant: variant.name.clone(),
            value: None,
            limit: None,
            unit: String::new(),
            is_kept: false,
            reason,
        };
        results.extend(plan.thresholds.iter().map(|text| match text.parse::<Threshold>() {
            Ok(_) if all.is_empty() => exceeded(text, "its load never began".to_owned()),
            Ok(threshold) => threshold.result(&variant.name, &all),
            Err(error) => exceeded(text, error.to_string()),
        }));
    }
    if execution.environment.merged.as_ref().is_some_and(|merged| !merged.is_whole()) {
        results.iter_mut().for_each(refuse);
    }
    results
}

/// Withdraws a verdict that a threshold was kept: some parts of a load say nothing of the whole.
fn refuse(result: &mut ThresholdResult) {
    if result.is_kept {
        result.is_kept = false;
        result.value = None;
        result.reason = "parts of the load are missing".to_owned();
    }
}

/// One part per request.
fn parts(level: &LevelData, load: usize) -> Vec<Part> {
    let window = measured::window(&level.plan.load, level);
    let mut parts: Vec<Part> = Vec::new();
    for interval in &level.intervals {
        add(&mut parts, &level.plan, interval);
    }
    for part in &mut parts {
        let own = level.intervals.iter().filter(|it| name_of(&level.plan, it) == part.request);
        (part.load, part.duration, part.succeeded) = (load, window, Ended::by(window, own).succeeded);
    }
    parts
}

/// Adds an interval to the part of its request.
pub(super) fn add(parts: &mut Vec<Part>, level: &LevelPlan, interval: &Interval) {
    let scenario = &level.label;
    let request = name_of(level, interval);
    let found = parts.iter_mut().find(|part| part.scenario == *scenario && part.request == request);
    match found {
        Some(part) => {
            part.merged.merge(interval);
            part.succeeded += interval.counts.succeeded as f64;
            part.duration = part.duration.max(interval.start + interval.duration);
        }
        None => parts.push(Part {
            load: 0,
            scenario: scenario.clone(),
            request: request.to_owned(),
            merged: interval.clone(),
            succeeded: interval.counts.succeeded as f64,
            start: level.start,
            duration: interval.start + interval.duration,
        }),
    }
}

fn name_of<'a>(level: &'a LevelPlan, interval: &Interval) -> &'a str {
    level.requests.get(interval.request as usize).map_or("", String::as_str)
}

impl Threshold {
    fn result(&self, variant: &str, parts: &[Part]) -> ThresholdResult {
        let value = self.value(parts);
        ThresholdResult {
            threshold: self.text.clone(),
            variant: variant.to_owned(),
            value,
            limit: Some(self.limit),
            unit: self.metric.unit().to_owned(),
            is_kept: self.is_kept(value),
            reason: if value.is_some() { String::new() } else { self.without_value().to_owned() },
        }
    }

    /// Whether a value keeps the threshold; false if nothing was measured.
    pub(super) fn is_kept(&self, value: Option<f64>) -> bool {
        value.is_some_and(|value| self.relation.holds(value, self.limit))
    }

    fn without_value(&self) -> &'static str {
        match self.metric {
            Metric::Time { .. } => "no request succeeded",
            Metric::Checks => "nothing was checked",
            _ => "no request ended",
        }
    }

    /// The value in the metric's unit; none if no request that it is about was measured.
    pub(super) fn value(&self, parts: &[Part]) -> Option<f64> {
        let is_of_scenario = |part: &&Part| self.scenario.as_ref().is_none_or(|name| *name == part.scenario);
        let is_of_request = |part: &&Part| self.request.as_ref().is_none_or(|name| *name == part.request);
        // A load that was never driven has no count, not even zero.
        parts.iter().find(is_of_scenario)?;
        let mut all = Interval::default();
        let mut succeeded = 0.0;
        // Loads follow each other, and their scenarios overlap.
        let mut spans: BTreeMap<usize, (Nanos, Nanos)> = BTreeMap::new();
        for part in parts.iter().filter(is_of_scenario).filter(is_of_request) {
            all.merge(&part.merged);
            succeeded += part.succeeded;
            let (start, end) = (part.start, part.start + part.duration);
            let span = spans.entry(part.load).or_insert((start, end));
            *span = (span.0.min(start), span.1.max(end));
        }
        let duration = spans.values().fold(Nanos::ZERO, |sum, &(start, end)| sum + (end - start));
        match self.metric {
            Metric::Time { is_service, statistic } => {
                let times = if is_service { &all.ok.service } else { &all.ok.response };
                (!times.is_empty()).then(|| match statistic {
                    Statistic::Mean => times.mean_ns() / 1e6,
                    Statistic::Least => times.min().as_millis_f64(),
                    Statistic::Quantile(quantile) => times.quantile(quantile).as_millis_f64(),
                    Statistic::Greatest => times.max().as_millis_f64(),
                })
            }
            Metric::Errors => percent(all.counts.failed, all.ended()),
            Metric::Checks => {
                let (passed, failed) = all
                    .checks
                    .values()
                    .fold((0, 0), |(passed, failed), check| (passed + check.passed, failed + check.failed));
                percent(passed, passed + failed)
            }
            Metric::Throughput => (duration > Nanos::ZERO).then(|| succeeded / duration.as_secs_f64()),
            Metric::Count => Some(all.ended() as f64),
            Metric::Dropped => Some(all.counts.dropped as f64),
        }
    }
}

fn percent(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64 * 100.0)
}
