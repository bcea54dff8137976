use plimsoll_record::{ArrivalSlot, Histogram, LevelPlan, Load, PartClock, Phase, ThinkTime, VariantPlan};

use super::*;

fn ms(ms: u64) -> Nanos {
    Nanos::from_millis(ms)
}

/// A part whose requests took these times; request k ended in second k mod 3, a moment after it began.
fn source(number: u32, count: u32, took_ms: &[u64]) -> Source {
    let load = Load::ConstantVus { vus: 4, duration: Nanos::from_secs(3), think: ThinkTime::None };
    let level_plan = LevelPlan::new("4", Phase::Measured, load);
    let mut seconds: Vec<Interval> = (0..3).map(|second| second_of(number, second)).collect();
    for (index, &took) in took_ms.iter().enumerate() {
        let interval = &mut seconds[index % 3];
        interval.counts.succeeded += 1;
        interval.counts.offered += 1;
        interval.ok.response.record(ms(took));
    }
    let level = LevelData {
        plan: level_plan.clone(),
        started: ms(0),
        took: Some(ms(u64::from(number))),
        intervals: seconds,
        traced: Vec::new(),
    };
    let plan = Plan {
        name: "load".to_owned(),
        variants: vec![VariantPlan::default()],
        levels: vec![level_plan],
        rounds: 1,
        until_decided: None,
        segment: Some(plimsoll_record::Part { number, count }),
        ..Plan::default()
    };
    let environment = Environment { command: format!("part {number}"), ..Environment::default() };
    let execution = Execution {
        id: 1,
        started_at: format!("2026-01-01T00:00:0{number}Z"),
        ended_at: Some(format!("2026-01-01T00:01:0{number}.5Z")),
        status: ExecutionStatus::Done,
        plan,
        environment,
    };
    let run = RunData::of_load(RunStatus::Done, vec![level]);
    Source { name: format!("{number}.db#1"), data: ExecutionData { execution, runs: vec![run] }, lost_after: None }
}

fn second_of(number: u32, second: u64) -> Interval {
    let late = if second == 0 { ms(0) } else { ms(u64::from(number)) };
    let mut interval = Interval { start: Nanos::from_secs(second) + late, duration: ms(1_000), ..Interval::default() };
    interval.generator.busiest_worker_percent = f64::from(number) * 10.0;
    interval.generator.descriptors_left = Some(100 - u64::from(number));
    interval
}

fn refused(sources: Vec<Source>) -> String {
    join(sources, false).unwrap_err()
}

/// All intervals of the only level together.
fn total(data: &ExecutionData) -> Interval {
    let mut total = Interval::default();
    data.runs[0].levels[0].intervals.iter().for_each(|interval| total.merge(interval));
    total
}

#[test]
fn percentiles_are_those_of_all_values_together() {
    let [fast, slow]: [Vec<u64>; 2] = [(1..=900).collect(), (5_000..5_100).collect()];
    let data = join(vec![source(2, 2, &slow), source(1, 2, &fast)], false).unwrap();
    let mut all = Histogram::new();
    fast.iter().chain(&slow).for_each(|&value| all.record(ms(value)));
    let total = total(&data);
    assert_eq!(total.ok.response, all);
    assert_eq!(total.ok.response.quantile(0.95), all.quantile(0.95));
    assert!(total.ok.response.quantile(0.95) > ms(5_000), "never averaged: both alone are far from it");
    assert_eq!((total.counts.offered, total.counts.succeeded), (1_000, 1_000));
}

#[test]
fn seconds_align_by_the_start_of_each_part_and_the_worst_generator_counts() {
    let data = join(vec![source(1, 2, &[1; 9]), source(2, 2, &[2; 6])], false).unwrap();
    let level = &data.runs[0].levels[0];
    assert_eq!(level.intervals.iter().map(|it| it.counts.succeeded).collect::<Vec<_>>(), [5, 5, 5]);
    assert_eq!(level.took, Some(ms(2)));
    let generator = level.intervals[1].generator;
    assert_eq!((generator.busiest_worker_percent, generator.descriptors_left), (20.0, Some(98)));
    let execution = &data.execution;
    assert_eq!((execution.started_at.as_str(), execution.plan.segment), ("2026-01-01T00:00:01Z", None));
    assert_eq!(execution.ended_at.as_deref(), Some("2026-01-01T00:01:02.5Z"));
    assert_eq!(execution.environment.command, "part 1");
    let merged = execution.environment.merged.as_ref().unwrap();
    assert_eq!(merged.parts.iter().map(|part| part.after).collect::<Vec<_>>(), [ms(0), ms(1_000)]);
}

#[test]
fn starts_are_compared_by_the_collectors_clock() {
    let ahead = |number: u32, ahead_s: i64| {
        let mut part = source(number, 2, &[1]);
        part.data.execution.environment.clock =
            Some(PartClock { ahead_ns: ahead_s * 1_000_000_000, error: ms(1), late: ms(0) });
        part
    };
    // They started at seconds 1 and 2 by their own clocks.
    let data = join([ahead(1, 3_600), ahead(2, 3_601)], false).unwrap();
    let merged = data.execution.environment.merged.unwrap();
    assert_eq!(merged.parts.iter().map(|part| part.after).collect::<Vec<_>>(), [ms(0), ms(0)]);
    assert_eq!(merged.parts[1].clock.unwrap().ahead_ns, 3_601_000_000_000);
    let data = join([ahead(1, 0), ahead(2, -5)], false).unwrap();
    let merged = data.execution.environment.merged.unwrap();
    assert_eq!(merged.parts.iter().map(|part| part.after).collect::<Vec<_>>(), [ms(0), ms(6_000)]);
}

/// However many parts wait to be joined, the sum is the same.
#[test]
fn parts_may_be_folded_at_any_time() {
    let parts = || (1..=9).map(|number| source(number, 9, &[u64::from(number); 7]));
    let mut joiner = Joiner::default();
    for part in parts() {
        joiner.add(part).unwrap();
        joiner.fold();
    }
    let (folded, at_once) = (joiner.finish(false).unwrap(), join(parts(), false).unwrap());
    assert_eq!(folded, at_once);
    assert_eq!(total(&folded).counts.succeeded, 63);
}

#[test]
fn what_does_not_fit_together_is_refused_with_its_place() {
    assert!(refused(vec![source(1, 2, &[]), source(1, 2, &[])]).contains("are both part 1"));
    assert!(refused(vec![source(1, 2, &[]), source(2, 3, &[])]).contains("`segment.count` is 2 in the one and 3"));
    let mut other = source(2, 2, &[]);
    other.data.execution.plan.seed = 5;
    let text = refused(vec![source(1, 2, &[]), other]);
    assert!(text.starts_with("1.db#1 and 2.db#1 are parts of different loads: `seed` is 0"), "{text}");
    let mut whole = source(1, 1, &[]);
    whole.data.execution.plan.segment = None;
    assert!(refused(vec![whole]).contains("no part of a load"));
}

/// Counts by arrival add up by slot, and levels that were appended while the parts ran are levels like any other.
#[test]
fn parts_of_plans_that_grew_alike_join_level_by_level() {
    let grown = |number, slots: &[u32]| {
        let mut grown = source(number, 2, &[1; 3]);
        let data = &mut grown.data;
        let plan = LevelPlan { label: "5".to_owned(), limits: vec![ms(50)], ..data.execution.plan.levels[0].clone() };
        data.execution.plan.levels.extend([plan.clone(), LevelPlan { label: "not begun".to_owned(), ..plan.clone() }]);
        let slot = |&slot: &u32| ArrivalSlot { slot, offered: 3, ended: 2, failed: 1, within: vec![number] };
        let interval = Interval { arrivals: slots.iter().map(slot).collect(), ..second_of(number, 0) };
        let level = LevelData { plan, intervals: vec![interval], ..data.runs[0].levels[0].clone() };
        data.runs[0].levels.push(level);
        grown
    };
    let data = join(vec![grown(1, &[0, 1]), grown(2, &[1, 4])], false).unwrap();
    let levels = &data.runs[0].levels;
    assert_eq!(levels.iter().map(|level| level.plan.label.as_str()).collect::<Vec<_>>(), ["4", "5", "not begun"]);
    let sums = levels[1].intervals[0].arrivals.slots().iter().map(|slot| (slot.slot, slot.offered, slot.within[0]));
    assert_eq!(sums.collect::<Vec<_>>(), [(0, 3, 1), (1, 6, 3), (4, 3, 2)]);
    assert!(levels[2].intervals.is_empty() && levels[2].took.is_none());
    let text = refused(vec![grown(1, &[]), source(2, 2, &[])]);
    assert!(text.contains("are parts of different loads: `levels` is"), "{text}");
}

#[test]
fn a_lost_part_is_refused_or_seen() {
    let two = || vec![source(1, 3, &[1; 5]), source(3, 3, &[1; 4])];
    assert!(refused(two()).contains("found 2/3 missing; --allow-missing"), "{}", refused(two()));
    let data = join(two(), true).unwrap();
    assert_eq!(total(&data).counts.offered, 9);
    assert_eq!(data.execution.environment.merged.as_ref().unwrap().missing(), [2]);
    let killed = || {
        let mut killed = source(2, 3, &[1; 2]);
        killed.data.execution.status = ExecutionStatus::Running;
        killed.data.execution.ended_at = None;
        killed.data.runs[0].levels[0].took = None;
        killed.data.runs[0].run.detail = Some("why".to_owned());
        two().into_iter().chain([killed]).collect::<Vec<_>>()
    };
    assert!(refused(killed()).contains("found 2/3 not at its end (2.db#1)"));
    let data = join(killed(), true).unwrap();
    assert_eq!(data.execution.status, ExecutionStatus::Interrupted);
    assert_eq!((data.runs[0].levels[0].took, total(&data).counts.offered), (None, 11));
    assert_eq!(data.runs[0].run.detail.as_deref(), Some("part 2: why"));
}
