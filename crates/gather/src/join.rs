//! The parts of a load as one execution: counts add, histograms merge, nothing is scaled up.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use plimsoll_record::{
    Environment, Execution, ExecutionData, ExecutionStatus, Interval, LevelData, LevelPlan, Merged, MergedPart, Nanos,
    Plan, RunData, RunStatus, Sample, TracedRequest, metric,
};

use crate::difference;

const SECOND_NS: u64 = 1_000_000_000;
/// Intervals that wait to be joined, about 3 kB each.
const WAITING_MOST: usize = 20_000;

/// One part, as it was read.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it is, for messages.
    pub name: String,
    /// All that is there of it.
    pub data: ExecutionData,
    /// The whole seconds of its load, where it was lost and told no more.
    pub lost_after: Option<Nanos>,
}

/// One part, without its measurements.
#[derive(Debug)]
struct Part {
    number: u32,
    name: String,
    /// Start by the collector's clock, if there was one.
    started: Timestamp,
    execution: Execution,
    details: Vec<String>,
    lost_after: Option<Nanos>,
}

/// One level of the parts so far. It took as long as the longest.
#[derive(Debug, Default)]
struct Level {
    took: Vec<Option<Nanos>>,
    traced: Vec<TracedRequest>,
    /// Sums by second, stage and request.
    seconds: BTreeMap<(u64, u32, u32), Interval>,
    waiting: Vec<Interval>,
}

/// Joins parts one by one, and keeps only sums of those that it has taken.
#[derive(Debug, Default)]
pub struct Joiner {
    parts: Vec<Part>,
    levels: Vec<Level>,
    waiting: usize,
    /// CPU that others used on the machine where they used most: it is a share of one machine, and does not add.
    foreign: Vec<Sample>,
}

/// The measurements of all `sources` together. Parts that are missing, or did not come to their end, are an error
/// unless they `may_miss`.
///
/// # Errors
///
/// A message: sources that are no parts of one load, or not all of its parts.
pub fn join(sources: impl IntoIterator<Item = Source>, may_miss: bool) -> Result<ExecutionData, String> {
    let mut joiner = Joiner::default();
    sources.into_iter().try_for_each(|source| joiner.add(source))?;
    joiner.finish(may_miss)
}

impl Joiner {
    /// Adds a part.
    ///
    /// # Errors
    ///
    /// A message: it is no part, or none of the same load, or one that is there already.
    pub fn add(&mut self, source: Source) -> Result<(), String> {
        let (part, levels, foreign) = part(source)?;
        self.parts.first().map_or(Ok(()), |first| same_plan(first, &part))?;
        self.parts.iter().try_for_each(|other| apart(other, &part))?;
        self.levels.resize_with(part.execution.plan.levels.len(), Level::default);
        let mut levels = levels.into_iter();
        for (level, plan) in self.levels.iter_mut().zip(&part.execution.plan.levels) {
            let Some(mine) = levels.next() else {
                level.took.push(None);
                continue;
            };
            level.took.push(mine.took);
            level.trace(mine.traced, plan);
            self.waiting += mine.intervals.len();
            level.waiting.extend(mine.intervals);
        }
        self.parts.push(part);
        if mean_foreign(&foreign) > mean_foreign(&self.foreign) {
            self.foreign = foreign;
        }
        if self.waiting > WAITING_MOST {
            self.fold();
        }
        Ok(())
    }

    /// All parts together.
    ///
    /// # Errors
    ///
    /// A message: parts are missing, or did not come to their end, and `may_miss` is not set.
    pub fn finish(mut self, may_miss: bool) -> Result<ExecutionData, String> {
        self.fold();
        self.parts.sort_by_key(|part| part.number);
        let parts = self.parts;
        let first = parts.first().ok_or("expected the record of at least one part")?;
        let plan = Plan { segment: None, ..first.execution.plan.clone() };
        let merged = merged(&parts);
        if !may_miss {
            whole(&merged, &parts)?;
        }
        let levels = self.levels.into_iter().zip(&plan.levels).map(|(level, plan)| level.data(plan)).collect();
        let mut joined = joined(&parts, plan, merged, levels);
        joined.runs.iter_mut().for_each(|run| run.samples.clone_from(&self.foreign));
        Ok(joined)
    }

    fn fold(&mut self) {
        self.waiting = 0;
        self.levels.iter_mut().for_each(Level::fold);
    }
}

impl Level {
    /// The first requests of all parts, as many as the plan has.
    fn trace(&mut self, traced: Vec<TracedRequest>, plan: &LevelPlan) {
        self.traced.extend(traced);
        self.traced.sort_by_key(TracedRequest::order);
        self.traced.truncate(plan.trace as usize);
    }

    /// Joins what waits second by second, so that the counts of one second alone are in memory; all others are encoded.
    fn fold(&mut self) {
        let mut by_second: BTreeMap<(u64, u32, u32), Vec<Interval>> = BTreeMap::new();
        for interval in self.waiting.drain(..) {
            // A generator ends an interval with the first thing it does in the next second: a moment too late.
            let key = (interval.start.0 / SECOND_NS, interval.stage, interval.request);
            by_second.entry(key).or_default().push(interval);
        }
        for (key, intervals) in by_second {
            let mut sum = self.seconds.remove(&key);
            for interval in intervals {
                match &mut sum {
                    Some(sum) => sum.merge(&interval),
                    None => sum = Some(interval),
                }
            }
            if let Some(mut sum) = sum {
                sum.compact();
                self.seconds.insert(key, sum);
            }
        }
    }

    /// The level's data. It has no length unless all parts came to the level's end.
    fn data(self, plan: &LevelPlan) -> LevelData {
        let took = self.took.into_iter().collect::<Option<Vec<Nanos>>>();
        LevelData {
            plan: plan.clone(),
            started: plan.start,
            took: took.and_then(|took| took.into_iter().max()),
            intervals: self.seconds.into_values().collect(),
            traced: self.traced,
        }
    }
}

/// In percent of its machine; zero where it was not watched.
fn mean_foreign(samples: &[Sample]) -> f64 {
    let of_all = || samples.iter().filter(|sample| sample.metric == metric::FOREIGN_CPU_PERCENT.name);
    of_all().map(|sample| sample.value).sum::<f64>() / of_all().count().max(1) as f64
}

/// A part, its levels, and the CPU that others used beside it.
fn part(source: Source) -> Result<(Part, Vec<LevelData>, Vec<Sample>), String> {
    let Source { name, data: ExecutionData { execution, runs }, lost_after } = source;
    let segment = execution.plan.segment.ok_or_else(|| {
        format!("{name} is no part of a load: expected what `plimsoll load … --segment I/N` recorded")
    })?;
    let started_at = &execution.started_at;
    let started: Timestamp =
        started_at.parse().map_err(|error| format!("{name} started at `{started_at}`: {error}"))?;
    let ahead = execution.environment.clock.map_or(0, |clock| clock.ahead_ns);
    let started = started.checked_sub(SignedDuration::from_nanos(ahead)).unwrap_or(started);
    let details = runs.iter().filter_map(|run| run.run.detail.clone()).collect();
    let (levels, mut foreign) = runs.into_iter().next().map(|run| (run.levels, run.samples)).unwrap_or_default();
    let is_foreign = |name: &str| name == metric::FOREIGN_CPU_PERCENT.name || metric::other_process(name).is_some();
    foreign.retain(|sample| is_foreign(&sample.metric));
    Ok((Part { number: segment.number, name, started, execution, details, lost_after }, levels, foreign))
}

fn same_plan(first: &Part, other: &Part) -> Result<(), String> {
    match difference::first(&first.execution.plan, &other.execution.plan) {
        None => Ok(()),
        Some((path, a, b)) => Err(format!(
            "{} and {} are parts of different loads: `{path}` is {a} in the one and {b} in the other; expected all flags \
             but --segment to be the same",
            first.name, other.name
        )),
    }
}

fn apart(a: &Part, b: &Part) -> Result<(), String> {
    if a.number != b.number {
        return Ok(());
    }
    Err(format!("{} and {} are both part {}: expected each part once", a.name, b.name, a.number))
}

fn merged(parts: &[Part]) -> Merged {
    let start = parts.iter().map(|part| part.started).min().unwrap_or_default();
    let merged_part = |part: &Part| {
        let execution = &part.execution;
        let after: std::time::Duration = part.started.duration_since(start).unsigned_abs();
        MergedPart {
            number: part.number,
            started_at: execution.started_at.clone(),
            after: after.into(),
            status: execution.status,
            machine: execution.environment.machine.clone(),
            clock: execution.environment.clock,
            lost_after: part.lost_after,
        }
    };
    let count = parts.first().and_then(|part| part.execution.plan.segment).map_or(0, |it| it.count);
    Merged { count, parts: parts.iter().map(merged_part).collect() }
}

/// Checks that every part is there.
fn whole(merged: &Merged, parts: &[Part]) -> Result<(), String> {
    let mut problems: Vec<String> = Vec::new();
    let missing: Vec<String> = merged.missing().iter().map(|number| format!("{number}/{}", merged.count)).collect();
    if !missing.is_empty() {
        problems.push(format!("{} missing", missing.join(", ")));
    }
    let cut_short = parts.iter().filter(|part| part.execution.status != ExecutionStatus::Done);
    problems.extend(cut_short.map(|part| format!("{}/{} not at its end ({})", part.number, merged.count, part.name)));
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
fn joined(parts: &[Part], plan: Plan, merged: Merged, levels: Vec<LevelData>) -> ExecutionData {
    let unknown = Environment::default();
    let is_done = parts.iter().all(|part| part.execution.status == ExecutionStatus::Done);
    let (status, run_status) = match is_done {
        true => (ExecutionStatus::Done, RunStatus::Done),
        false => (ExecutionStatus::Interrupted, RunStatus::Interrupted),
    };
    let earliest = parts.iter().min_by_key(|part| part.started).unwrap_or(&parts[0]);
    let ended = parts.iter().filter_map(|part| part.execution.ended_at.as_ref());
    // A part that was lost has said little of itself.
    let environments = || parts.iter().map(|part| &part.execution.environment);
    let environment = environments().find(|it| !it.plimsoll.is_empty()).or(environments().next()).unwrap_or(&unknown);
    let execution = Execution {
        id: 0,
        started_at: earliest.execution.started_at.clone(),
        ended_at: ended.max_by_key(|at| at.parse::<Timestamp>().unwrap_or_default()).cloned(),
        status,
        plan,
        environment: Environment { merged: Some(merged), clock: None, ..environment.clone() },
    };
    let mut run = RunData::of_load(run_status, levels);
    run.run.detail = details(parts);
    ExecutionData { execution, runs: vec![run] }
}

/// Why parts ended early, where they say so.
fn details(parts: &[Part]) -> Option<String> {
    let of = |part: &Part| -> Vec<String> {
        part.details.iter().map(|detail| format!("part {}: {detail}", part.number)).collect()
    };
    let all: Vec<String> = parts.iter().flat_map(of).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

#[cfg(test)]
mod tests;
