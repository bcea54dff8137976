//! The load line: what the searches of an execution found, with figures from the trials in the record.

#[cfg(any(test, feature = "testing"))]
pub mod coverage;
pub mod critical;
mod curve;
mod estimate;
#[cfg(any(test, feature = "testing"))]
pub mod identical;
mod percentile;
mod queue;
mod recovery;
mod search;
mod trials;
mod usage;

use std::ops::Range;

use plimsoll_record::{ArrivalCounts, ArrivalSlot, LinePlan, Nanos, RunData, RunStatus};
use plimsoll_search::{Criterion, Slot};

pub(crate) use self::estimate::Ends;
use crate::{
    ceiling,
    intervals::Series,
    measured::Measured,
    results::{Figure, LineEstimate, LineResults, SearchResults, Usage, UsageFigures},
    thresholds::Threshold,
};

/// Slots of requests by the instant at which they were intended: one for each of `numbers`, in their order.
pub fn slots(counts: &ArrivalCounts, numbers: Range<u32>, limits: &[Nanos], criteria: &[Criterion]) -> Vec<Slot> {
    let counts = counts.slots();
    let slot = |number: u32| match counts.binary_search_by_key(&number, |slot| slot.slot) {
        Ok(index) => Slot { offered: counts[index].offered, beyond: beyond(&counts[index], limits, criteria) },
        Err(_) => Slot { offered: 0, beyond: vec![0; criteria.len()] },
    };
    numbers.map(slot).collect()
}

/// Requests of a slot beyond each criterion: those that failed or, where a limit is set, did not succeed within it.
fn beyond(slot: &ArrivalSlot, limits: &[Nanos], criteria: &[Criterion]) -> Vec<u32> {
    let of = |criterion: &Criterion| match criterion.limit.map(Nanos::from_secs_f64) {
        Some(limit) => {
            let within = limits.iter().position(|&it| it == limit).and_then(|index| slot.within.get(index));
            slot.offered.saturating_sub(within.copied().unwrap_or(0))
        }
        None => slot.failed,
    };
    criteria.iter().map(of).collect()
}

/// Criteria by line; none if the plan's objectives cannot be read.
pub fn criteria(plan: &LinePlan) -> Option<Vec<Vec<Criterion>>> {
    let of = |text: &String| text.parse::<Threshold>().ok()?.criterion().ok();
    plan.objectives.iter().map(|objective| objective.thresholds.iter().map(of).collect()).collect()
}

/// The lines of every variant, in the order of its objectives; empty where nothing was searched.
pub(crate) fn results(measured: &Measured) -> Vec<LineResults> {
    let Some(plan) = &measured.plan().line else { return Vec::new() };
    let lines = |variant: usize| (0..plan.objectives.len()).map(move |line| (variant, line));
    let all = (0..measured.plan().variants.len()).flat_map(lines);
    all.filter_map(|(variant, line)| of_variant(measured, plan, variant, line)).collect()
}

fn of_variant(measured: &Measured, plan: &LinePlan, variant: usize, line: usize) -> Option<LineResults> {
    let criteria = criteria(plan)?.swap_remove(line);
    let objective = &plan.objectives[line];
    let quantile = criteria.iter().find(|it| it.limit.is_some()).map(|it| 1.0 - it.share);
    let of_run = |run: &RunData| search::results(plan, run, line, &criteria, quantile);
    let searches: Vec<SearchResults> = runs(measured, variant).into_iter().filter_map(of_run).collect();
    let ends: Vec<Ends> = searches.iter().map(Ends::of).collect();
    let line = estimate::of(&ends, measured.least_rounds(), measured.error());
    let is_in_users = plan.users.is_some();
    let carried = searches.iter().filter_map(|search| Some(search.lower.as_ref()?.rate_per_s)).reduce(f64::min);
    let low_per_s = if is_in_users { carried } else { line.low_per_s };
    let variant = &measured.plan().variants[variant];
    Some(LineResults {
        variant: variant.name.clone(),
        name: objective.name.clone(),
        objectives: objective.thresholds.clone(),
        ceiling: low_per_s.and_then(|low| ceiling::by_settings(variant, low)),
        line: if is_in_users { line.in_users() } else { line },
        resolution: plan.resolution,
        tested_per_s: plan.at_least.filter(|_| !is_in_users),
        think_ms: plan.users.map(|think| think.mean().as_millis_f64()),
        cold_s: plan.cold.map(Nanos::as_secs_f64),
        tested_users: plan.at_least.filter(|_| is_in_users),
        // 1 - 0.01 is not quite 0.99.
        limit_ms: criteria.iter().find_map(|it| it.limit).map(|limit| limit * 1e3),
        percentile: quantile.map(|quantile| (quantile * 1e7).round() / 1e5),
        usage: usage_figures(&searches),
        limited_by: None,
        searches,
    })
}

fn usage_figures(searches: &[SearchResults]) -> UsageFigures {
    let figure = |of: fn(&Usage) -> Option<f64>| {
        Figure::of_some(searches.iter().filter_map(|search| of(&search.usage)).collect())
    };
    UsageFigures {
        cpu_percent: figure(|it| it.cpu_percent),
        cpu_ms_per_request: figure(|it| it.cpu_ms_per_request),
        memory_mb: figure(|it| it.memory_mb),
        threads: figure(|it| it.threads),
    }
}

/// Runs of a variant whose search counts, by round: those that came to their end; if there is none, those that were
/// ended early, whose intervals are wider. A target that died has no line, however far its search came.
fn runs<'a>(measured: &Measured<'a>, variant: usize) -> Vec<&'a RunData> {
    let mut runs: Vec<&RunData> = measured.runs_of(variant).filter(|it| it.run.line.is_some()).collect();
    runs.sort_by_key(|it| it.run.round);
    let (done, others): (Vec<_>, Vec<_>) = runs.into_iter().partition(|it| it.run.status == RunStatus::Done);
    if done.is_empty() { others.into_iter().filter(|it| search::was_ended(it)).collect() } else { done }
}

/// The index of the line of this name; without one, of the only line.
pub(crate) fn index_of(plan: &LinePlan, name: Option<&str>) -> Option<usize> {
    match name {
        Some(name) => plan.objectives.iter().position(|it| it.name == name),
        None => (plan.objectives.len() == 1).then_some(0),
    }
}

/// The ends that the searches of a variant found, by round.
pub(crate) fn ends(measured: &Measured, variant: usize, line: usize) -> Vec<(u32, Ends)> {
    let found = |run: &RunData| Some((run.run.round, Ends::found(run.run.line.as_ref()?.found.get(line)?)));
    runs(measured, variant).into_iter().filter_map(found).collect()
}

/// The line of a variant as a multiple of that of another, within rounds.
pub(crate) fn ratio(measured: &Measured, [variant, baseline]: [usize; 2], line: usize) -> LineEstimate {
    let baselines = ends(measured, baseline, line);
    let of_round = |&(round, ends): &(u32, Ends)| {
        let (_, baseline) = baselines.iter().find(|(other, _)| *other == round)?;
        Some(ends.by(*baseline))
    };
    let ratios: Vec<Ends> = ends(measured, variant, line).iter().filter_map(of_round).collect();
    estimate::of(&ratios, measured.least_rounds(), measured.error())
}

/// A figure of the target at the line, by round.
pub(crate) fn usage_series(
    measured: &Measured,
    variant: usize,
    line: usize,
    of: impl Fn(&Usage) -> Option<f64>,
) -> Series {
    let of_run = |run: &RunData| {
        let found = run.run.line.as_ref()?.found.get(line)?;
        Some((run.run.round, of(&search::usage_at(run, found.lower?.rate))?))
    };
    runs(measured, variant).into_iter().filter_map(of_run).collect()
}
