//! The figures of parts that are gathered are those of one process, to the last count: as seconds that are told, and as
//! records that are joined.

use plimsoll_gather::{Joiner, Second, Source, Totals};
use plimsoll_record::{
    Environment, Execution, ExecutionData, ExecutionStatus, Interval, LevelData, LevelPlan, Load, Nanos, Part, Phase,
    Plan, RunData, RunStatus, VariantPlan,
};

use super::{
    Simulated, Simulation, ok,
    segments::{ANSWER, flow, loads},
};
use crate::{Script, Segment};

const PARTS: u32 = 3;

fn offered(load: &Load, segment: Segment) -> Simulated {
    let simulation = Simulation { segment, script: Script::new(vec![flow(1.0, &["a", "b"])]), ..Simulation::default() };
    simulation.run(load, &mut |at, _| vec![(at + ANSWER, ok())])
}

/// Everything by which parts and the whole can be compared: connections are each part's own.
fn figures(it: &Interval) -> impl PartialEq + std::fmt::Debug + use<> {
    let counts = &it.counts;
    let requests = [counts.offered, counts.sent, counts.succeeded, counts.failed, counts.dropped, counts.iterations];
    let times = [&it.ok.response, &it.ok.service, &it.iteration, &it.first_byte, &it.body].map(Clone::clone);
    (requests, [counts.bytes_received, counts.bytes_sent], it.statuses.clone(), it.errors.clone(), times)
}

fn sum<'a>(intervals: impl IntoIterator<Item = &'a Interval>) -> Interval {
    let mut sum = Interval::default();
    intervals.into_iter().for_each(|interval| sum.merge(interval));
    sum
}

/// The record of a part.
fn source(load: &Load, number: u32, simulated: Simulated) -> Source {
    let level = LevelPlan::new("x", Phase::Measured, load.clone());
    let plan = Plan {
        variants: vec![VariantPlan::default()],
        levels: vec![level.clone()],
        rounds: 1,
        segment: Some(Part { number, count: PARTS }),
        ..Plan::default()
    };
    let execution = Execution {
        id: 1,
        started_at: "2026-01-01T00:00:00Z".to_owned(),
        ended_at: None,
        status: ExecutionStatus::Done,
        plan,
        environment: Environment::default(),
    };
    let level = LevelData {
        plan: level,
        started: Nanos::ZERO,
        took: Some(simulated.ended),
        intervals: simulated.intervals,
        traced: Vec::new(),
    };
    let run = RunData::of_load(RunStatus::Done, vec![level]);
    Source { name: format!("part {number}"), data: ExecutionData { execution, runs: vec![run] }, lost_after: None }
}

#[test]
fn gathered_figures_of_every_model_are_those_of_one_process() {
    for load in loads() {
        let whole = offered(&load, Segment::WHOLE);
        let (mut told, mut joiner) = (Totals::default(), Joiner::default());
        // The last part comes first.
        for number in (1..=PARTS).rev() {
            let part = offered(&load, Segment { index: number - 1, count: PARTS });
            assert!(part.total.counts.succeeded > 0, "{load:?}: each part has its share");
            for interval in &part.intervals {
                let second = interval.start.0 / 1_000_000_000;
                told.add(&Second { scenario: 0, second, intervals: vec![interval.clone()] }, Nanos::ZERO);
            }
            joiner.add(source(&load, number, part)).unwrap();
        }
        let told: Vec<Interval> = told.take_due(u64::MAX, Nanos::ZERO).into_iter().map(|(_, it)| it).collect();
        let joined = joiner.finish(false).unwrap();
        let joined = &joined.runs[0].levels[0].intervals;
        let expected = figures(&whole.total);
        assert_eq!(figures(&sum(&told)), expected, "{load:?}: told");
        assert_eq!(figures(&sum(joined)), expected, "{load:?}: joined");
        // Second by second, too, as far as both cut them at the same instants.
        let by_second = |all: &[Interval]| all.iter().map(|it| it.counts.succeeded).collect::<Vec<_>>();
        assert_eq!(by_second(&told), by_second(joined), "{load:?}");
    }
}
