//! The parts of a load as one execution: counts add, histograms merge, nothing is scaled up.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    fmt::Write,
};

use jiff::Timestamp;
use plimsoll_record::{
    Environment, Execution, ExecutionData, ExecutionStatus, Interval, LevelData, Merged, MergedPart, Nanos, Plan, Run,
    RunData, RunStatus, TracedRequest,
};

use super::{difference, sources::Source};

const SECOND_NS: u64 = 1_000_000_000;

/// One part, checked to be one.
struct Part {
    number: u32,
    source: Source,
    started: Timestamp,
}

/// The measurements of all `sources` together. Parts that are missing, or did not come to their end, are an error
/// unless they `may_miss`.
pub fn join(sources: Vec<Source>, may_miss: bool) -> Result<ExecutionData, String> {
    let mut parts = sources.into_iter().map(part).collect::<Result<Vec<_>, _>>()?;
    parts.sort_by_key(|part| part.number);
    let first = parts.first().ok_or("expected the record of at least one part")?;
    parts.iter().try_for_each(|part| same_plan(first, part))?;
    parts.windows(2).try_for_each(|pair| apart(&pair[0], &pair[1]))?;
    let merged = merged(&parts);
    if !may_miss {
        whole(&merged, &parts)?;
    }
    Ok(joined(&parts, merged))
}

fn part(source: Source) -> Result<Part, String> {
    let Source { name, data } = &source;
    let segment = data.execution.plan.segment.ok_or_else(|| {
        format!("{name} is no part of a load: expected what `plimsoll load … --segment I/N` recorded")
    })?;
    let started_at = &data.execution.started_at;
    let started = started_at.parse().map_err(|error| format!("{name} started at `{started_at}`: {error}"))?;
    Ok(Part { number: segment.number, started, source })
}

fn same_plan(first: &Part, other: &Part) -> Result<(), String> {
    let plan = |part: &Part| part.source.data.execution.plan.clone();
    match difference::first(&plan(first), &plan(other)) {
        None => Ok(()),
        Some((path, a, b)) => Err(format!(
            "{} and {} are parts of different loads: `{path}` is {a} in the one and {b} in the other; expected all flags \
             but --segment to be the same",
            first.source.name, other.source.name
        )),
    }
}

fn apart(a: &Part, b: &Part) -> Result<(), String> {
    if a.number != b.number {
        return Ok(());
    }
    Err(format!("{} and {} are both part {}: expected each part once", a.source.name, b.source.name, a.number))
}

fn merged(parts: &[Part]) -> Merged {
    let start = parts.iter().map(|part| part.started).min().unwrap_or_default();
    let merged_part = |part: &Part| {
        let execution = &part.source.data.execution;
        let after: std::time::Duration = part.started.duration_since(start).unsigned_abs();
        MergedPart {
            number: part.number,
            started_at: execution.started_at.clone(),
            after: after.into(),
            status: execution.status,
            machine: execution.environment.machine.clone(),
        }
    };
    let count = parts.first().and_then(|part| part.source.data.execution.plan.segment).map_or(0, |it| it.count);
    Merged { count, parts: parts.iter().map(merged_part).collect() }
}

/// Checks that every part is there.
fn whole(merged: &Merged, parts: &[Part]) -> Result<(), String> {
    let mut problems: Vec<String> = Vec::new();
    let missing: Vec<String> = merged.missing().iter().map(|number| format!("{number}/{}", merged.count)).collect();
    if !missing.is_empty() {
        problems.push(format!("{} missing", missing.join(", ")));
    }
    let cut_short = parts.iter().filter(|part| part.source.data.execution.status != ExecutionStatus::Done);
    problems.extend(
        cut_short.map(|part| format!("{}/{} not at its end ({})", part.number, merged.count, part.source.name)),
    );
    match problems.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "expected all {} parts, each to its end; found {}; --allow-missing merges what is there and says so",
            merged.count,
            problems.join("; ")
        )),
    }
}

/// Sums of all parts; facts that cannot be summed come from the first one.
fn joined(parts: &[Part], merged: Merged) -> ExecutionData {
    let first = &parts[0].source.data.execution;
    let is_done = parts.iter().all(|part| part.source.data.execution.status == ExecutionStatus::Done);
    let (status, run_status) = match is_done {
        true => (ExecutionStatus::Done, RunStatus::Done),
        false => (ExecutionStatus::Interrupted, RunStatus::Interrupted),
    };
    let earliest = parts.iter().min_by_key(|part| part.started).unwrap_or(&parts[0]);
    let ended = parts.iter().filter_map(|part| part.source.data.execution.ended_at.as_ref());
    let execution = Execution {
        id: 0,
        started_at: earliest.source.data.execution.started_at.clone(),
        ended_at: ended.max_by_key(|at| at.parse::<Timestamp>().unwrap_or_default()).cloned(),
        status,
        plan: Plan { segment: None, ..first.plan.clone() },
        environment: Environment { merged: Some(merged), ..first.environment.clone() },
    };
    let run = Run {
        id: 0,
        variant: 0,
        round: 0,
        position: 0,
        status: run_status,
        detail: details(parts),
        command: None,
        startup: None,
        facts: None,
        line: None,
    };
    let levels = (0..execution.plan.levels.len()).map(|index| level(index, &execution.plan, parts)).collect();
    let run =
        RunData { run, levels, samples: Vec::new(), censuses: Vec::new(), scores: Vec::new(), output_tail: Vec::new() };
    ExecutionData { execution, runs: vec![run] }
}

/// Why parts ended early, where they say so.
fn details(parts: &[Part]) -> Option<String> {
    let mut text = String::new();
    for part in parts {
        for detail in part.source.data.runs.iter().filter_map(|run| run.run.detail.as_ref()) {
            let separator = if text.is_empty() { "" } else { "; " };
            write!(text, "{separator}part {}: {detail}", part.number).expect("text takes what is written");
        }
    }
    (!text.is_empty()).then_some(text)
}

/// One level of all parts, each counted from its own start. It took as long as the longest; it has no length unless all
/// came to its end.
fn level(index: usize, plan: &Plan, parts: &[Part]) -> LevelData {
    let mine = |part: &Part| part.source.data.runs.first().and_then(|run| run.levels.get(index)).cloned();
    let levels: Vec<Option<LevelData>> = parts.iter().map(mine).collect();
    let took = levels.iter().map(|level| level.as_ref()?.took).collect::<Option<Vec<Nanos>>>();
    let level = &plan.levels[index];
    let mut traced: Vec<_> = levels.iter().flatten().flat_map(|level| level.traced.iter().cloned()).collect();
    traced.sort_by_key(TracedRequest::order);
    traced.truncate(level.trace as usize);
    let mut seconds: BTreeMap<(u64, u32, u32), Interval> = BTreeMap::new();
    for interval in levels.into_iter().flatten().flat_map(|level| level.intervals) {
        // A generator ends an interval with the first thing it does in the next second: a moment too late.
        match seconds.entry((interval.start.0 / SECOND_NS, interval.stage, interval.request)) {
            Entry::Occupied(mut second) => second.get_mut().merge(&interval),
            Entry::Vacant(place) => drop(place.insert(interval)),
        }
    }
    LevelData {
        plan: level.clone(),
        started: level.start,
        took: took.and_then(|took| took.into_iter().max()),
        intervals: seconds.into_values().collect(),
        traced,
    }
}

#[cfg(test)]
mod tests;
