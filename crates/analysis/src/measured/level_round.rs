//! One level of one run: its intervals merged, and the figures that follow from the merge.

use std::collections::BTreeMap;

use plimsoll_record::{
    ErrorKind, Histogram, Interval, LevelData, Nanos, RunData, RunStatus, Sample, TracedRequest,
    metric::FOREIGN_CPU_PERCENT,
};

use super::{
    ended::{self, Ended},
    levels::Level,
    overflows::{Overflows, overflows},
    silence::Silence,
    watched::{Watched, Window},
};
use crate::results::{CutShort, Figure};

/// Time after which a SYN without an answer is sent again; then after 3 s and 7 s (RFC 6298, section 2; Linux'
/// `TCP_TIMEOUT_INIT`). A connect that takes this long was not slow: its SYN was dropped.
pub(crate) const SYN_RETRANSMIT: Nanos = Nanos::from_secs(1);
/// CPU of a generator's thread from which on it has no time left, 100 = one core.
const SATURATED_PERCENT: f64 = 90.0;

/// One level of one run.
#[derive(Clone, Debug)]
pub(crate) struct LevelRound {
    pub round: u32,
    /// From the first request intended to the last one ended; of a stage, as planned.
    pub duration: Nanos,
    /// The time by which rates are divided: that in which requests were offered, if the load has a duration.
    pub window: Nanos,
    /// From the end of `window` to the last response.
    pub tail: Nanos,
    /// Why the level was not driven to its end; none if it was.
    pub cut_short: Option<CutShort>,
    /// The end of all success, if the load went on without any.
    pub silence: Option<Silence>,
    /// All requests that were intended in it, merged.
    pub merged: Interval,
    /// Counts of requests that ended in its time.
    ended: Ended,
    /// `merged` and `ended` by request; empty if all are alike.
    pub requests: BTreeMap<u32, RequestRound>,
    /// The first requests, in the order of sending; empty unless they were traced.
    pub traced: Vec<TracedRequest>,
    /// CPU of the generator's busiest worker on average over time, 100 = one core.
    pub busiest_worker_percent: f64,
    /// Share of the time in which that worker had no CPU left, in percent.
    pub saturated_percent: f64,
    /// Samples beside it.
    pub watched: Watched,
    /// Samples beside its first request; none where no sample lies between that and the second.
    pub first_call: Option<Watched>,
}

/// One request of a level of one run.
#[derive(Clone, Debug)]
pub(crate) struct RequestRound {
    pub merged: Interval,
    pub ended: Ended,
}

impl LevelRound {
    /// The level in a run; none if the run measured nothing of it.
    pub(crate) fn of(level: &Level, run: &RunData) -> Option<Self> {
        let data =
            run.levels.iter().find(|it| it.plan.phase == level.plan.phase && it.plan.label == level.plan.label)?;
        let until_death;
        let data = match data.took.is_none() && run.run.status == RunStatus::Died {
            true => {
                until_death = without_last_refusals(data);
                &until_death
            }
            false => data,
        };
        let is_own = |stage: u32| level.stage.is_none_or(|own| own == stage);
        let is_of_level = |it: &&Interval| is_own(it.stage);
        let merged = merge_all(data.intervals.iter().filter(is_of_level))?;
        let stage = level.stage_window().map(|(start, end)| (start, stage_end(end, data)));
        let window = match stage {
            Some((start, end)) => end - start,
            None if level.is_open_ended => ended::offered(data),
            None => ended::window(&level.plan.load, data),
        };
        let counts = |intervals: &mut dyn Iterator<Item = &Interval>| match stage {
            Some(stage) => Ended::within(stage, intervals),
            None => Ended::by(window, intervals),
        };
        let of_request = |request| {
            let own = || data.intervals.iter().filter(move |it| it.request == request);
            let merged = merge_all(own().filter(is_of_level))?;
            Some((request, RequestRound { ended: counts(&mut own()), merged }))
        };
        let (busiest_worker_percent, saturated_percent) = busiest_worker(data.intervals.iter().filter(is_of_level));
        let requests = (0..level.plan.requests.len() as u32).filter_map(of_request).collect();
        let duration = match stage {
            Some((start, end)) => end - start,
            None => data.took.unwrap_or(merged.start + merged.duration),
        };
        let traced: Vec<TracedRequest> = data.traced.iter().filter(|it| is_own(it.stage)).cloned().collect();
        Some(Self {
            round: run.run.round,
            duration,
            window,
            tail: tail(level, data),
            cut_short: data.took.is_none().then(|| cut_short(run.run.status)),
            silence: Silence::of(data.intervals.iter().filter(is_of_level)),
            ended: counts(&mut data.intervals.iter()),
            merged,
            requests,
            busiest_worker_percent,
            saturated_percent,
            watched: Watched::of(&run.samples, span(level, data, duration, run)),
            first_call: first_call(&traced, data, &run.samples).map(|window| Watched::of(&run.samples, window)),
            traced,
        })
    }

    /// True if the target or the upstream did not survive the level.
    pub(crate) fn is_broken(&self) -> bool {
        self.cut_short.is_some_and(CutShort::is_broken)
    }

    /// Overflows of accept queues beside it, by whose they were; none without the kernel's count.
    pub(crate) fn overflows(&self) -> Option<Overflows> {
        overflows(&self.watched, self.merged.connect.max() >= SYN_RETRANSMIT)
    }

    /// CPU of processes that have no part in it, 100 = all cores of the machine; none if it was not watched.
    pub(crate) fn foreign_percent(&self) -> Option<f64> {
        self.watched.mean(FOREIGN_CPU_PERCENT.name)
    }

    pub(crate) fn throughput_per_s(&self) -> f64 {
        self.per_s(self.ended.succeeded)
    }

    pub(crate) fn received_bytes_per_s(&self) -> f64 {
        self.per_s(self.ended.bytes_received)
    }

    pub(crate) fn sent_bytes_per_s(&self) -> f64 {
        self.per_s(self.ended.bytes_sent)
    }

    /// None if no request ended.
    pub(crate) fn success_percent(&self) -> Option<f64> {
        self.percent_of_ended(self.merged.counts.succeeded)
    }

    /// None if no request ended.
    pub(crate) fn errors_percent(&self) -> Option<f64> {
        self.percent_of_ended(self.merged.counts.failed)
    }

    fn percent_of_ended(&self, count: u64) -> Option<f64> {
        let ended = self.merged.ended();
        (ended > 0).then(|| share(count, ended) * 100.0)
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

    /// The rate per second of a count in its window.
    pub(crate) fn per_s(&self, count: f64) -> f64 {
        if self.window == Nanos::ZERO { 0.0 } else { count / self.window.as_secs_f64() }
    }
}

/// The level without its last refusals: until a target's death is noticed its port refuses all connects, which is no
/// figure of the target.
fn without_last_refusals(data: &LevelData) -> LevelData {
    let mut data = data.clone();
    let last = data.intervals.iter().map(|it| it.start).max();
    for interval in data.intervals.iter_mut().filter(|it| Some(it.start) == last) {
        let refused = interval.errors.remove(&ErrorKind::Refused).map_or(0, |error| error.count);
        interval.counts.failed = interval.counts.failed.saturating_sub(refused);
        interval.counts.offered = interval.counts.offered.saturating_sub(refused);
    }
    data
}

const fn cut_short(status: RunStatus) -> CutShort {
    match status {
        RunStatus::Died => CutShort::TargetDied,
        RunStatus::UpstreamFailed => CutShort::UpstreamFailed,
        _ => CutShort::Interrupted,
    }
}

/// A figure with a value for each round that has one; none if no round has.
pub(crate) fn over_rounds(rounds: &[LevelRound], of: impl Fn(&LevelRound) -> Option<f64>) -> Option<Figure> {
    Figure::of_some(rounds.iter().filter_map(of).collect())
}

/// When the level, or stage, was driven, and when the next one began.
fn span(level: &Level, data: &LevelData, duration: Nanos, run: &RunData) -> Window {
    let stage = level.stage_window();
    let start = data.started + stage.map_or(Nanos::ZERO, |(start, _)| start);
    let end = start + duration;
    let following = run.levels.iter().map(|it| it.started).filter(|&started| started >= end).min();
    match stage.filter(|_| !level.is_last_stage()) {
        Some((_, next)) => Window { start, end: data.started + next, next: Some(data.started + next) },
        None => Window { start, end, next: following },
    }
}

/// The time in which the first traced request was under way, if a sample between it and the second tells them apart.
fn first_call(traced: &[TracedRequest], data: &LevelData, samples: &[Sample]) -> Option<Window> {
    let (first, second) = (traced.first()?, traced.get(1)?);
    let [start, end, next] = [first.intended, first.done, second.intended].map(|at| data.started + at);
    let is_between = |sample: &Sample| (end..=next).contains(&sample.at);
    samples.iter().any(is_between).then_some(Window { start, end, next: Some(next) })
}

/// All intervals merged, exactly as if they had been one; none if there are none.
pub(crate) fn merge_all<'a>(intervals: impl Iterator<Item = &'a Interval>) -> Option<Interval> {
    let mut merged: Option<Interval> = None;
    for interval in intervals {
        merged.get_or_insert_with(|| Interval { start: interval.start, ..Interval::default() }).merge(interval);
    }
    merged
}

/// CPU of the generator's busiest worker on average, and the share of time in which it had none left, in percent.
fn busiest_worker<'a>(intervals: impl Iterator<Item = &'a Interval>) -> (f64, f64) {
    // A second has an interval for each request, only one of which has the generator's health.
    let mut seconds: BTreeMap<Nanos, (f64, f64)> = BTreeMap::new();
    for interval in intervals {
        let (length_s, percent) = seconds.entry(interval.start).or_default();
        *length_s = length_s.max(interval.duration.as_secs_f64());
        *percent = percent.max(interval.generator.busiest_worker_percent);
    }
    let length_s: f64 = seconds.values().map(|(length_s, _)| length_s).sum::<f64>().max(1e-9);
    let used_s: f64 = seconds.values().map(|(length_s, percent)| length_s * percent).sum();
    let saturated = seconds.values().filter(|(_, percent)| *percent >= SATURATED_PERCENT);
    let saturated_s: f64 = saturated.map(|(length_s, _)| length_s).sum();
    (used_s / length_s, saturated_s / length_s * 100.0)
}

fn of_some(histogram: &Histogram, statistic: fn(&Histogram) -> f64) -> Option<f64> {
    (!histogram.is_empty()).then(|| statistic(histogram))
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// How long the last responses were awaited after the end of the load; of a stage that another follows, nothing.
fn tail(level: &Level, data: &LevelData) -> Nanos {
    let is_last = level.stage.is_none() || level.is_last_stage();
    let planned = level.plan.load.duration().filter(|_| is_last);
    let took = data.took.unwrap_or_default();
    planned.filter(|&planned| took > planned).map_or(Nanos::ZERO, |planned| took - planned)
}

/// The planned end, unless the load was stopped before.
fn stage_end(planned: Nanos, data: &LevelData) -> Nanos {
    planned.min(data.intervals.iter().map(|it| it.start + it.duration).max().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Counts, Load, Stage, ThinkTime};

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
        assert_eq!((round.throughput_per_s(), round.success_percent()), (1.2, Some(75.0)));
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
        assert_eq!((round.duration, round.cut_short), (ms(1_700), Some(CutShort::Interrupted)));
    }

    #[test]
    fn refusals_after_the_death_of_a_target_are_no_figures_of_it() {
        let plan = burst(2);
        let failed = |kind| Request::failed(ms(2_400), ms(2_500), kind);
        let requests = [
            Request::failed(ms(0), ms(100), ErrorKind::Refused),
            Request::ok(ms(0), ms(400)),
            failed(ErrorKind::Reset),
            failed(ErrorKind::Refused),
        ];
        let mut data = run(0, 0, ms(1), vec![level(&plan, ms(0), &requests)]);
        let of = |data: &RunData| {
            let round = LevelRound::of(&levels::split(&plan)[0], data).unwrap();
            (round.merged.counts.offered, round.merged.counts.failed, round.is_broken())
        };
        data.run.status = RunStatus::Died;
        assert_eq!(of(&data), (4, 3, false), "it died after the level");
        data.levels[0].took = None;
        assert_eq!(of(&data), (3, 2, true));
        data.run.status = RunStatus::Interrupted;
        assert_eq!(of(&data), (4, 3, false));
    }

    #[test]
    fn a_stage_has_the_times_of_what_was_intended_in_it_and_the_rate_of_what_ended_in_it() {
        let stage = |target| Stage { duration: ms(2_000), target };
        let load = Load::RampingVus { start_vus: 1, stages: vec![stage(1.0), stage(2.0)], think: ThinkTime::None };
        let plan = level_plan("ramp", load);
        let requests = [
            Request::ok(ms(0), ms(1_000)),
            Request::ok(ms(1_900), ms(2_300)),
            Request { stage: 1, ..Request::ok(ms(2_000), ms(2_500)) },
            Request { stage: 1, ..Request::ok(ms(2_500), ms(3_000)) },
            Request { stage: 1, ..Request::ok(ms(3_000), ms(5_500)) },
        ];
        let run = run(0, 0, ms(1), vec![level(&plan, ms(0), &requests)]);
        let rounds: Vec<LevelRound> =
            levels::split(&plan).iter().map(|level| LevelRound::of(level, &run).unwrap()).collect();
        assert_eq!(rounds.iter().map(|it| it.merged.counts.succeeded).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(rounds.iter().map(|it| it.duration).collect::<Vec<_>>(), [ms(2_000); 2]);
        // One ended in the first two seconds, three in the next two, and one after the load.
        assert_eq!(rounds.iter().map(LevelRound::throughput_per_s).collect::<Vec<_>>(), [0.5, 1.5]);
    }

    #[test]
    fn of_a_second_that_two_stages_share_each_has_its_part() {
        let interval = Interval {
            start: ms(1_000),
            duration: ms(1_000),
            counts: Counts { succeeded: 100, ..Counts::default() },
            ..Interval::default()
        };
        let within = |start, end| Ended::within((ms(start), ms(end)), [&interval].into_iter()).succeeded;
        assert_eq!(
            [within(0, 1_250), within(1_250, 3_000), within(0, 1_000), within(2_000, 3_000)],
            [25.0, 75.0, 0.0, 0.0]
        );
    }
}
