//! One level of one run: its intervals merged, and the figures that follow from the merge.

use std::collections::BTreeMap;

use plimsoll_record::{Histogram, Interval, LevelData, Nanos, RunData, TracedRequest};

use super::{
    Level,
    watched::{Watched, Window},
};
use crate::generator;

/// One level of one run.
#[derive(Clone, Debug)]
pub(crate) struct LevelRound {
    pub round: u32,
    /// From the first request intended to the last one ended.
    pub duration: Nanos,
    /// Whether the level was driven to its end.
    pub is_complete: bool,
    /// All intervals together.
    pub merged: Interval,
    /// The same by request; empty if all are alike.
    pub requests: BTreeMap<u32, Interval>,
    /// The first requests, in the order of sending; empty unless they were traced.
    pub traced: Vec<TracedRequest>,
    /// CPU of the generator's busiest worker on average over time, 100 = one core.
    pub busiest_worker_percent: f64,
    /// Share of the time in which it had no CPU left, in percent.
    pub saturated_percent: f64,
    /// What was sampled beside it.
    pub watched: Watched,
}

impl LevelRound {
    /// None if the run measured nothing of this level.
    pub(crate) fn of(level: &Level, run: &RunData) -> Option<Self> {
        let data =
            run.levels.iter().find(|it| it.plan.phase == level.plan.phase && it.plan.label == level.plan.label)?;
        let is_of_level = |it: &&Interval| level.stage.is_none_or(|stage| it.stage == stage);
        let merged = together(data.intervals.iter().filter(is_of_level))?;
        let of_request = |request| {
            let own = data.intervals.iter().filter(is_of_level).filter(|it| it.request == request);
            Some((request, together(own)?))
        };
        let (busiest_worker_percent, saturated_percent) = busiest_worker(data.intervals.iter().filter(is_of_level));
        let requests = (0..level.plan.requests.len() as u32).filter_map(of_request).collect();
        let duration = match level.stage_window() {
            Some(window) => stage_duration(window, data, &merged),
            None => data.took.unwrap_or(merged.start + merged.duration),
        };
        Some(Self {
            round: run.run.round,
            duration,
            is_complete: data.took.is_some(),
            merged,
            requests,
            traced: data
                .traced
                .iter()
                .filter(|it| level.stage.is_none_or(|stage| it.stage == stage))
                .cloned()
                .collect(),
            busiest_worker_percent,
            saturated_percent,
            watched: Watched::of(&run.samples, window(level, data, duration, run)),
        })
    }

    pub(crate) fn throughput_per_s(&self) -> f64 {
        self.per_s(self.merged.counts.succeeded)
    }

    pub(crate) fn received_bytes_per_s(&self) -> f64 {
        self.per_s(self.merged.counts.bytes_received)
    }

    pub(crate) fn sent_bytes_per_s(&self) -> f64 {
        self.per_s(self.merged.counts.bytes_sent)
    }

    /// Zero if no request ended.
    pub(crate) fn success_percent(&self) -> f64 {
        share(self.merged.counts.succeeded, self.merged.ended()) * 100.0
    }

    pub(crate) fn generator_cpu_us_per_request(&self) -> f64 {
        share(self.merged.counts.generator_cpu_ns, self.merged.counts.sent) / 1e3
    }

    /// A statistic of the response times; none if no request succeeded.
    pub(crate) fn response(&self, statistic: fn(&Histogram) -> f64) -> Option<f64> {
        of_some(&self.merged.ok.response, statistic)
    }

    /// A statistic of the service times; none if no request succeeded.
    pub(crate) fn service(&self, statistic: fn(&Histogram) -> f64) -> Option<f64> {
        of_some(&self.merged.ok.service, statistic)
    }

    fn per_s(&self, count: u64) -> f64 {
        if self.duration == Nanos::ZERO { 0.0 } else { count as f64 / self.duration.as_secs_f64() }
    }
}

/// When the level, or stage, was driven, and when the next one began.
fn window(level: &Level, data: &LevelData, duration: Nanos, run: &RunData) -> Window {
    let stage = level.stage_window();
    let start = data.started + stage.map_or(Nanos::ZERO, |(start, _)| start);
    let end = start + duration;
    let following = run.levels.iter().map(|it| it.started).filter(|&started| started >= end).min();
    match stage.filter(|_| !level.is_last_stage()) {
        Some((_, next)) => Window { start, end: data.started + next, next: Some(data.started + next) },
        None => Window { start, end, next: following },
    }
}

/// All merged: exact, as if they had been one; none if there are none.
pub(crate) fn together<'a>(intervals: impl Iterator<Item = &'a Interval>) -> Option<Interval> {
    let mut merged: Option<Interval> = None;
    for interval in intervals {
        merged.get_or_insert_with(|| Interval { start: interval.start, ..Interval::default() }).merge(interval);
    }
    merged
}

/// CPU of the generator's busiest worker on average, and the share of time in which it had none left, in percent.
fn busiest_worker<'a>(intervals: impl Iterator<Item = &'a Interval>) -> (f64, f64) {
    // Of the requests of one second only one says how the generator was.
    let mut seconds: BTreeMap<Nanos, (f64, f64)> = BTreeMap::new();
    for interval in intervals {
        let (length_s, percent) = seconds.entry(interval.start).or_default();
        *length_s = length_s.max(interval.duration.as_secs_f64());
        *percent = percent.max(interval.generator.busiest_worker_percent);
    }
    let length_s: f64 = seconds.values().map(|(length_s, _)| length_s).sum::<f64>().max(1e-9);
    let used_s: f64 = seconds.values().map(|(length_s, percent)| length_s * percent).sum();
    let saturated = seconds.values().filter(|(_, percent)| *percent >= generator::BUSY_PERCENT);
    let saturated_s: f64 = saturated.map(|(length_s, _)| length_s).sum();
    (used_s / length_s, saturated_s / length_s * 100.0)
}

fn of_some(histogram: &Histogram, statistic: fn(&Histogram) -> f64) -> Option<f64> {
    (!histogram.is_empty()).then(|| statistic(histogram))
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A stage lasts from its planned start until its last request ended, at least as long as planned. That instant is
/// known to the interval, and to the longest time that one of its requests can have taken after the stage.
fn stage_duration((start, end): (Nanos, Nanos), data: &LevelData, merged: &Interval) -> Nanos {
    let longest = merged.ok.response.max().max(merged.failed.response.max());
    let last_done = (merged.start + merged.duration).min(end + longest);
    let stage_end = match data.took {
        Some(took) => last_done.max(end).min(took),
        None => last_done,
    };
    stage_end - start
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{ErrorKind, Load, Stage, ThinkTime};

    use super::*;
    use crate::{
        measured::levels,
        testing::{Request, burst, level, level_plan, run},
    };

    fn ms(ms: u64) -> Nanos {
        Nanos::from_millis(ms)
    }

    #[test]
    fn a_small_level_by_hand() {
        // Three succeed after 1.0, 1.0 and 2.5 s, one fails after 0.5 s: 3 in 2.5 s are 1.2/s, 75 % of all.
        let plan = burst(4);
        let requests = [
            Request::ok(ms(0), ms(1_000)),
            Request::ok(ms(0), ms(1_000)),
            Request::ok(ms(0), ms(2_500)),
            Request::failed(ms(0), ms(500), ErrorKind::Reset),
        ];
        let run = run(0, 0, ms(1), vec![level(&plan, ms(0), &requests)]);
        let round = LevelRound::of(&levels::split(&plan)[0], &run).unwrap();
        assert_eq!(round.duration, ms(2_500));
        assert_eq!((round.throughput_per_s(), round.success_percent()), (1.2, 75.0));
        assert_eq!((round.received_bytes_per_s(), round.sent_bytes_per_s()), (240.0, 128.0));
        assert_eq!(round.generator_cpu_us_per_request(), 6.0);
        let mean = round.response(|it| it.mean_ns()).unwrap();
        assert!((mean / 1.5e9 - 1.0).abs() < 0.001, "{mean}");
        assert_eq!(round.merged.errors[&ErrorKind::Reset].count, 1);
    }

    #[test]
    fn a_killed_level_lasted_as_long_as_its_intervals() {
        let plan = burst(2);
        let mut data = level(&plan, ms(0), &[Request::ok(ms(0), ms(400)), Request::ok(ms(0), ms(1_700))]);
        data.took = None;
        let round = LevelRound::of(&levels::split(&plan)[0], &run(0, 0, ms(1), vec![data])).unwrap();
        assert_eq!((round.duration, round.is_complete), (ms(1_700), false));
    }

    #[test]
    fn a_stage_counts_what_was_intended_in_it_until_that_ended() {
        let stage = |target| Stage { duration: ms(2_000), target };
        let load = Load::RampingVus { start_vus: 1, stages: vec![stage(1.0), stage(2.0)], think: ThinkTime::None };
        let plan = level_plan("ramp", load);
        let requests = [
            Request::ok(ms(0), ms(1_000)),
            Request::ok(ms(1_900), ms(2_300)),
            Request { stage: 1, ..Request::ok(ms(2_000), ms(2_500)) },
            Request { stage: 1, ..Request::ok(ms(2_500), ms(3_000)) },
            Request { stage: 1, ..Request::ok(ms(3_000), ms(3_500)) },
        ];
        let run = run(0, 0, ms(1), vec![level(&plan, ms(0), &requests)]);
        let rounds: Vec<LevelRound> =
            levels::split(&plan).iter().map(|level| LevelRound::of(level, &run).unwrap()).collect();
        assert_eq!(rounds.iter().map(|it| it.merged.counts.succeeded).collect::<Vec<_>>(), [2, 3]);
        // The second request of the first stage ended in the interval from 2 to 3 s, and 1 s after the stage at most.
        assert_eq!(rounds[0].duration, ms(3_000));
        assert_eq!(rounds[1].duration, ms(1_500));
    }
}
