//! One run on its time line.

use std::collections::BTreeMap;

use plimsoll_record::{Interval, LevelData, Nanos, Plan, Run, RunData, RunStatus, Sample};

use crate::{
    measured::levels,
    results::{LoadPoint, RunResults, SamplePoint, Span},
};

pub(crate) fn results(plan: &Plan, data: &RunData) -> RunResults {
    let run = &data.run;
    let is_done = run.status == RunStatus::Done;
    RunResults {
        id: run.id,
        variant: plan.variants.get(run.variant).map_or_else(String::new, |it| it.name.clone()),
        round: run.round,
        position: run.position,
        status: run.status,
        problem: problem(run),
        command: run.command.clone(),
        startup_s: run.startup.map(Nanos::as_secs_f64),
        spans: data.levels.iter().flat_map(spans).collect(),
        load: data.levels.iter().flat_map(load).collect(),
        samples: samples(&data.samples),
        output_tail: if is_done { Vec::new() } else { data.output_tail.clone() },
    }
}

/// Why a run did not go through the whole load.
pub(crate) fn problem(run: &Run) -> Option<String> {
    let what = match run.status {
        RunStatus::Done => return None,
        RunStatus::Running => "under way, or its process was killed",
        RunStatus::Died => "the target died while it was loaded",
        RunStatus::NotReady => "the target never got ready",
        RunStatus::UpstreamFailed => "its upstream failed",
        RunStatus::PartsLost => "its load was not offered to the end",
        RunStatus::BenchmarksFailed => "its benchmarks failed",
        RunStatus::BuildFailed => "not built",
        RunStatus::Skipped => "skipped",
        RunStatus::Interrupted => "interrupted",
    };
    Some(run.detail.as_ref().map_or_else(|| what.to_owned(), |detail| format!("{what}: {detail}")))
}

/// Stages of a ramp as planned; what was not reached is left out.
fn spans(data: &LevelData) -> Vec<Span> {
    let covered = data.intervals.iter().map(|it| it.start + it.duration).max().unwrap_or_default();
    let whole = data.took.unwrap_or(covered);
    let split = levels::split(&data.plan);
    let last = split.len() - 1;
    let spans = split.into_iter().enumerate().filter_map(|(index, level)| {
        let (start, end) = level.stage_window().unwrap_or((Nanos::ZERO, whole));
        let end = if index == last { whole } else { end.min(whole) };
        (start <= end).then(|| Span {
            label: level.label,
            phase: level.plan.phase,
            start_s: (data.started + start).as_secs_f64(),
            end_s: (data.started + end).as_secs_f64(),
        })
    });
    spans.collect()
}

/// One point per second: stages that share it are merged.
fn load(data: &LevelData) -> Vec<LoadPoint> {
    let mut seconds: BTreeMap<Nanos, Interval> = BTreeMap::new();
    for interval in &data.intervals {
        seconds.entry(interval.start).and_modify(|it| it.merge(interval)).or_insert_with(|| interval.clone());
    }
    seconds.values().filter(|it| it.duration > Nanos::ZERO).map(|it| point(data.started, it)).collect()
}

fn point(started: Nanos, interval: &Interval) -> LoadPoint {
    let duration_s = interval.duration.as_secs_f64();
    let times = Some(&interval.ok.response).filter(|it| !it.is_empty());
    LoadPoint {
        at_s: (started + interval.start).as_secs_f64() + duration_s / 2.0,
        throughput_per_s: interval.counts.succeeded as f64 / duration_s,
        failed_per_s: interval.counts.failed as f64 / duration_s,
        median_ms: times.map(|it| it.quantile(0.5).as_millis_f64()),
        p99_ms: times.map(|it| it.quantile(0.99).as_millis_f64()),
    }
}

fn samples(samples: &[Sample]) -> BTreeMap<String, Vec<SamplePoint>> {
    let mut by_metric: BTreeMap<String, Vec<SamplePoint>> = BTreeMap::new();
    for sample in samples {
        let point = SamplePoint { at_s: sample.at.as_secs_f64(), value: sample.value };
        by_metric.entry(sample.metric.clone()).or_default().push(point);
    }
    by_metric
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Load, Stage, ThinkTime};

    use super::*;
    use crate::testing::{Request, burst, level, level_plan, plan, run, variant};

    const fn ms(ms: u64) -> Nanos {
        Nanos::from_millis(ms)
    }

    #[test]
    fn instants_count_from_the_spawn() {
        let requests = [Request::ok(ms(0), ms(900)), Request::ok(ms(0), ms(1_500)), Request::ok(ms(0), ms(1_500))];
        let data = run(0, 0, ms(2_000), vec![level(&burst(3), ms(2_000), &requests)]);
        let found = results(&plan(vec![variant("a")], vec![burst(3)], 1), &data);
        assert_eq!(found.spans.iter().map(|it| (it.start_s, it.end_s)).collect::<Vec<_>>(), [(2.0, 3.5)]);
        let points: Vec<(f64, f64)> = found.load.iter().map(|it| (it.at_s, it.throughput_per_s)).collect();
        assert_eq!(points, [(2.5, 1.0), (3.25, 4.0)]);
        assert_eq!((found.variant.as_str(), found.startup_s), ("a", Some(2.0)));
    }

    #[test]
    fn stages_share_seconds_but_have_their_own_spans() {
        let stage = |target| Stage { duration: ms(1_000), target };
        let load = Load::RampingVus { start_vus: 1, stages: vec![stage(1.0), stage(2.0)], think: ThinkTime::None };
        let requests = [
            Request::ok(ms(0), ms(1_400)),
            Request { stage: 1, ..Request::ok(ms(1_100), ms(1_500)) },
            Request { stage: 1, ..Request::ok(ms(1_900), ms(2_200)) },
        ];
        let ramp = level_plan("ramp", load);
        let data = run(0, 0, ms(0), vec![level(&ramp, ms(0), &requests)]);
        let found = results(&plan(vec![variant("a")], vec![ramp], 1), &data);
        assert_eq!(found.spans.iter().map(|it| (it.start_s, it.end_s)).collect::<Vec<_>>(), [(0.0, 1.0), (1.0, 2.2)]);
        assert_eq!(found.load.iter().map(|it| it.throughput_per_s.round()).collect::<Vec<_>>(), [0.0, 2.0, 5.0]);
    }
}
