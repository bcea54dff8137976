//! The generator's own health: whether it limited a load instead of the service.

use plimsoll_record::{ErrorKind, Histogram, Nanos, TracedRequest};

use crate::{
    first_requests, foreign, littles_law,
    measured::{Level, LevelRound},
    results::{GeneratorLimit, GeneratorResults, LittlesLaw},
    stats::median,
};

/// Share of a level's time in which a worker may have no CPU left, in percent.
const SATURATED_PERCENT_MOST: f64 = 10.0;
/// Levels that are shorter are not judged: opening the first connections takes as long.
const JUDGED_LEAST: Nanos = Nanos::from_millis(100);
/// A lag up to this is negligible.
const LAG_LEAST_MS: f64 = 1.0;
/// Fewer late requests are due to chance.
const LATE_LEAST: f64 = 10.0;
/// A lag up to this share of the median response time is negligible.
const LAG_LEAST_SHARE: f64 = 0.05;

/// The generator's health at a level; none if no round measured anything.
pub(crate) fn results(level: &Level, rounds: &[LevelRound]) -> Option<GeneratorResults> {
    if rounds.is_empty() {
        return None;
    }
    let most = |of: &dyn Fn(&LevelRound) -> f64| rounds.iter().map(of).fold(0.0, f64::max);
    let fewest = |of: &dyn Fn(&LevelRound) -> Option<u64>| rounds.iter().filter_map(of).min();
    let per_s = |count: u64, round: &LevelRound| count as f64 / round.duration.as_secs_f64().max(1e-9);
    let mut results = GeneratorResults {
        busiest_worker_percent: most(&|it| it.busiest_worker_percent),
        saturated_percent: most(&saturated_percent),
        involuntary_switches_per_s: most(&|it| per_s(it.merged.generator.involuntary_switches, it)),
        descriptors_left: fewest(&|it| it.merged.generator.descriptors_left),
        ports_left: fewest(&|it| it.merged.generator.ports_left),
        limits: Vec::new(),
    };
    let limits = [
        (GeneratorLimit::Cpu, is_saturated(&results)),
        (GeneratorLimit::SendLag, sends_late(level, rounds)),
        (GeneratorLimit::Ports, failed_by(rounds, ErrorKind::PortsExhausted) > 0),
        (GeneratorLimit::Descriptors, failed_by(rounds, ErrorKind::DescriptorsExhausted) > 0),
    ];
    results.limits = limits.into_iter().filter(|(_, is_reached)| *is_reached).map(|(limit, _)| limit).collect();
    Some(results)
}

/// Kinds of figures by what a late or busy generator does to them.
#[derive(Clone, Copy)]
pub(crate) enum FigureKind {
    /// Share of requests that failed. A slow generator does not make errors.
    Errors,
    /// Counts of others, and times that begin when a request is sent. Lateness does not change these.
    Observed,
    /// Per second.
    Rate,
    /// A statistic of response times, which begin when a request should have been sent.
    Response(fn(&Histogram) -> f64),
    /// The first traced request.
    First,
    /// The traced requests after the tenth.
    Rest,
}

/// True if such a figure of a level says more about the generator than about the service.
pub(crate) fn falsifies(kind: FigureKind, level: &Level, rounds: &[LevelRound]) -> bool {
    let lacking = [ErrorKind::PortsExhausted, ErrorKind::DescriptorsExhausted];
    let requests_failed = lacking.into_iter().any(|kind| failed_by(rounds, kind) > 0);
    let is_saturated = || results(level, rounds).is_some_and(|it| is_saturated(&it));
    let is_late = || match kind {
        FigureKind::Errors | FigureKind::Observed => false,
        FigureKind::Rate => rounds.iter().any(|round| share_waited(level, round) > LAG_LEAST_SHARE),
        FigureKind::Response(statistic) => late_statistic(statistic, rounds),
        FigureKind::First => late_call(first_requests::first, rounds),
        FigureKind::Rest => late_call(first_requests::rest, rounds),
    };
    // Requests held back by a limit on requests in flight were sent late on purpose.
    let is_late = || !is_held_back(level, &littles_law::of_level(level, rounds)) && is_late();
    requests_failed || !matches!(kind, FigureKind::Errors) && (is_saturated() || is_late())
}

type OfTraced = fn(&[TracedRequest], fn(&TracedRequest) -> f64) -> Option<f64>;

/// Judges by the lag of the very requests behind the figure. The time until one is sent may include a wait for its
/// connection, which is not the generator's doing: the level's longest lag bounds it.
fn late_call(of: OfTraced, rounds: &[LevelRound]) -> bool {
    let until_sent_s = |it: &TracedRequest| (it.sent.unwrap_or(it.intended) - it.intended).as_secs_f64();
    is_late_by(rounds.iter().filter_map(|round| {
        let lag_s = of(&round.traced, until_sent_s)?.min(round.merged.send_lag.max().as_secs_f64());
        Some((lag_s, of(&round.traced, first_requests::response_s)?))
    }))
}

/// Judges by the medians over rounds; `times`: a lag and a response time of each round, in seconds.
fn is_late_by(times: impl Iterator<Item = (f64, f64)>) -> bool {
    let (lags, responses): (Vec<f64>, Vec<f64>) = times.unzip();
    !responses.is_empty() && is_late(median(&lags) * 1e3, median(&responses) * 1e3)
}

/// Judges by the same statistic of the lag. The requests at some quantile need not be the late ones, so the mean lag
/// counts, too.
fn late_statistic(statistic: fn(&Histogram) -> f64, rounds: &[LevelRound]) -> bool {
    is_late_by(rounds.iter().filter_map(|round| {
        let lag = &round.merged.send_lag;
        Some((statistic(lag).max(lag.mean_ns() / 1e9), round.response(statistic)?))
    }))
}

/// The share of the time in which a closed load's users waited for the generator, and by which an open load ran behind.
fn share_waited(level: &Level, round: &LevelRound) -> f64 {
    let (lag, duration_s) = (&round.merged.send_lag, round.duration.as_secs_f64().max(1e-9));
    match level.plan.load.is_closed() {
        true => lag.mean_ns() / 1e9 * lag.count() as f64 / duration_s / level.max_in_flight(),
        false => lag.quantile(0.99).as_secs_f64() / duration_s,
    }
}

/// Zero for a round that cannot tell: it was too short, or most requests were refused, which ends them at once.
fn saturated_percent(round: &LevelRound) -> f64 {
    let refused = round.merged.errors.get(&ErrorKind::Refused).map_or(0, |error| error.count);
    let tells = round.duration >= JUDGED_LEAST && refused * 2 <= round.merged.counts.offered;
    if tells { round.saturated_percent } else { 0.0 }
}

fn is_saturated(results: &GeneratorResults) -> bool {
    results.saturated_percent > SATURATED_PERCENT_MOST
}

/// True if a lag is not negligible beside such a median response time.
pub(crate) fn is_late(lag_ms: f64, median_ms: f64) -> bool {
    lag_ms > LAG_LEAST_MS && lag_ms > median_ms * LAG_LEAST_SHARE
}

/// True if an open load's limit on requests in flight was near, so that requests had to wait for it.
pub(crate) fn is_held_back(level: &Level, law: &LittlesLaw) -> bool {
    !level.plan.load.is_closed() && law.in_flight >= 0.9 * law.allowed
}

/// Requests left late though no limit held them back, and no other process took the CPU.
fn sends_late(level: &Level, rounds: &[LevelRound]) -> bool {
    let is_held_back = is_held_back(level, &littles_law::of_level(level, rounds));
    let is_disturbed = foreign::disturbing_percent(rounds).is_some();
    !is_held_back && !is_disturbed && latest(rounds).is_some_and(|it| is_late(it.lag_ms, it.median_ms))
}

/// How late the latest requests of a round were sent.
pub(crate) struct Latest {
    pub round: u32,
    /// The share of its requests that were sent later than `lag_ms`.
    pub share_percent: f64,
    /// Send lag at that share.
    pub lag_ms: f64,
    /// Median response time of the round.
    pub median_ms: f64,
}

/// The round that sent latest, by the latest hundredth of its requests, but at least ten: fewer are due to chance. None
/// where too few were sent, or none succeeded, so that there is no response time to hold a lag against.
pub(crate) fn latest(rounds: &[LevelRound]) -> Option<Latest> {
    let of = |round: &LevelRound| {
        let (lag, response) = (&round.merged.send_lag, &round.merged.ok.response);
        let share = (LATE_LEAST / lag.count().max(1) as f64).max(0.01);
        (share <= 0.5 && !response.is_empty()).then(|| Latest {
            round: round.round,
            share_percent: share * 100.0,
            lag_ms: lag.quantile(1.0 - share).as_millis_f64(),
            median_ms: response.quantile(0.5).as_millis_f64(),
        })
    };
    rounds.iter().filter_map(of).max_by(|a, b| a.lag_ms.total_cmp(&b.lag_ms))
}

/// Requests that failed in that way, all rounds together.
pub(crate) fn failed_by(rounds: &[LevelRound], kind: ErrorKind) -> u64 {
    rounds.iter().filter_map(|it| it.merged.errors.get(&kind)).map(|error| error.count).sum()
}

#[cfg(test)]
mod tests {
    use std::slice;

    use plimsoll_record::{Arrivals, LevelData, Load, ThinkTime};

    use super::*;
    use crate::{
        measured::levels,
        testing::{Request, level as level_data, level_plan, run, traced},
    };

    const fn ms(ms: u64) -> Nanos {
        Nanos::from_millis(ms)
    }

    /// Five seconds of a request each 10 ms, sent `lag_ms` late, answered in 20 ms.
    fn data(load: Load, lag_ms: u64) -> LevelData {
        let requests: Vec<Request> = (0..500)
            .map(|k| Request { sent: ms(k * 10 + lag_ms), ..Request::ok(ms(k * 10), ms(k * 10 + lag_ms + 20)) })
            .collect();
        level_data(&level_plan("x", load), ms(0), &requests)
    }

    fn of(data: LevelData) -> GeneratorResults {
        let plan = data.plan.clone();
        let level = &levels::split(&plan)[0];
        let round = LevelRound::of(level, &run(0, 0, ms(0), vec![data])).unwrap();
        results(level, &[round]).unwrap()
    }

    fn open(max_in_flight: u32) -> Load {
        let arrivals = Arrivals::Even;
        Load::ConstantArrivalRate { rate: 100.0, duration: ms(5_000), arrivals, max_in_flight, drop_late: false }
    }

    #[test]
    fn a_late_generator_is_told_from_a_limit_on_requests_in_flight() {
        assert!(of(data(open(100), 0)).limits.is_empty());
        assert!(of(data(open(2), 50)).limits.is_empty());
        let late = of(data(open(100), 50));
        assert_eq!(late.limits, [GeneratorLimit::SendLag], "{late:?}");
        let closed = Load::ConstantVus { vus: 10, duration: ms(5_000), think: ThinkTime::None };
        assert!(of(data(closed.clone(), 1)).limits.is_empty());
        assert_eq!(of(data(closed, 50)).limits.len(), 1);
    }

    #[test]
    fn a_worker_without_time_is_a_limit_unless_it_is_for_a_moment() {
        let busy = |seconds| {
            let mut data = data(open(100), 0);
            for interval in data.intervals.iter_mut().take(seconds) {
                interval.generator.busiest_worker_percent = 99.0;
                interval.generator.involuntary_switches = 10;
                interval.generator.ports_left = Some(7);
            }
            of(data)
        };
        let saturated = busy(4);
        assert_eq!(saturated.limits, [GeneratorLimit::Cpu]);
        assert!((saturated.saturated_percent - 80.0).abs() < 0.5, "{saturated:?}");
        assert_eq!((saturated.ports_left, saturated.involuntary_switches_per_s.round()), (Some(7), 8.0));
        assert!((busy(2).busiest_worker_percent - 39.6).abs() < 0.5, "{:?}", busy(2));
        assert!(busy(0).limits.is_empty());
    }

    #[test]
    fn a_moment_and_refusals_do_not_make_the_generator_the_limit() {
        let burst = |requests: &[Request]| {
            let load = Load::ConstantVus { vus: 5, duration: ms(5_000), think: ThinkTime::None };
            let mut data = level_data(&level_plan("x", load), ms(0), requests);
            data.intervals.iter_mut().for_each(|it| it.generator.busiest_worker_percent = 99.0);
            of(data).limits
        };
        let ok = |k: u64, took: u64| Request::ok(ms(k * took), ms((k + 1) * took));
        let refused = |k: u64| Request::failed(ms(k * 100), ms(k * 100 + 1), ErrorKind::Refused);
        assert_eq!(burst(&(0..20).map(|k| ok(k, 100)).collect::<Vec<_>>()), [GeneratorLimit::Cpu]);
        assert_eq!(burst(&(0..20).map(|k| ok(k, 1)).collect::<Vec<_>>()), []);
        assert_eq!(burst(&(0..20).map(refused).collect::<Vec<_>>()), []);
    }

    #[test]
    fn lateness_falsifies_what_it_is_a_part_of() {
        const MEAN: FigureKind = FigureKind::Response(|it| it.mean_ns() / 1e9);
        const P99: FigureKind = FigureKind::Response(|it| it.quantile(0.99).as_secs_f64());
        let falsified = |load: Load, late: fn(u64) -> u64| {
            let requests: Vec<Request> = (0..500)
                .map(|k| (ms(k * 10), ms(k * 10 + late(k))))
                .map(|(due, sent)| Request { sent, ..Request::ok(due, sent + ms(20)) })
                .collect();
            let plan = level_plan("x", load);
            let level = &levels::split(&plan)[0];
            let round = LevelRound::of(level, &run(0, 0, ms(0), vec![level_data(&plan, ms(0), &requests)])).unwrap();
            [FigureKind::Errors, FigureKind::Observed, FigureKind::Rate, MEAN, P99]
                .map(|kind| falsifies(kind, level, slice::from_ref(&round)))
        };
        let closed = || Load::ConstantVus { vus: 3, duration: ms(5_000), think: ThinkTime::None };
        assert_eq!(falsified(open(100), |_| 0), [false; 5]);
        // One request in fifty is 10 ms late: the 99th percentile shows it, the mean is only 0.2 ms.
        let seldom = |k: u64| if k.is_multiple_of(50) { 10 } else { 0 };
        assert_eq!(falsified(open(100), seldom), [false, false, false, false, true]);
        // All are 50 ms late: an open load still offers as much, users of a closed one cannot.
        assert_eq!(falsified(open(100), |_| 50), [false, false, false, true, true]);
        // The lag grows to half a second of five; without a verdict where a limit holds requests back.
        assert!(falsified(open(100), |k| k)[2] && !falsified(open(2), |k| k)[2]);
        assert_eq!(falsified(closed(), |_| 50), [false, false, true, true, true]);
    }

    #[test]
    fn lateness_of_other_calls_does_not_falsify_the_first() {
        let plan = level_plan("x", open(100));
        let level = &levels::split(&plan)[0];
        let falsified = |late_ms: [u64; 2]| {
            let mut data = data(open(100), 5);
            let call = |number: u64, late_ms: u64| TracedRequest {
                sent: Some(ms(number * 100 + late_ms)),
                ..traced(ms(number * 100), ms(20 + late_ms))
            };
            data.traced =
                (0..12).map(|number| call(number, if number == 0 { late_ms[0] } else { late_ms[1] })).collect();
            let round = LevelRound::of(level, &run(0, 0, ms(0), vec![data])).unwrap();
            [FigureKind::First, FigureKind::Rest].map(|kind| falsifies(kind, level, slice::from_ref(&round)))
        };
        assert_eq!(falsified([0, 5]), [false, true]);
        assert_eq!(falsified([5, 0]), [true, false]);
    }

    #[test]
    fn what_the_generator_lacks_falsifies_everything_but_a_busy_one_makes_no_errors() {
        let falsified = |change: fn(&mut LevelData)| {
            let mut data = data(open(100), 0);
            change(&mut data);
            let plan = data.plan.clone();
            let level = &levels::split(&plan)[0];
            let round = LevelRound::of(level, &run(0, 0, ms(0), vec![data])).unwrap();
            [FigureKind::Errors, FigureKind::Observed, FigureKind::Rate]
                .map(|kind| falsifies(kind, level, slice::from_ref(&round)))
        };
        let without_ports =
            |data: &mut LevelData| data.intervals[0].errors.entry(ErrorKind::PortsExhausted).or_default().count = 3;
        assert_eq!(falsified(without_ports), [true; 3]);
        let busy = |data: &mut LevelData| {
            data.intervals.iter_mut().for_each(|it| it.generator.busiest_worker_percent = 99.0);
        };
        assert_eq!(falsified(busy), [false, true, true]);
    }

    #[test]
    fn neither_refused_connections_nor_five_requests_nor_other_processes_are_the_generator() {
        let late = || data(open(100), 50);
        assert_eq!(of(late()).limits, [GeneratorLimit::SendLag]);
        let requests = |count: u64, kind: Option<ErrorKind>| {
            let request = |k: u64| match kind {
                Some(kind) => Request { sent: ms(k * 10 + 50), ..Request::failed(ms(k * 10), ms(k * 10 + 50), kind) },
                None => Request { sent: ms(k * 10 + 50), ..Request::ok(ms(k * 10), ms(k * 10 + 70)) },
            };
            level_data(&level_plan("x", open(100)), ms(0), &(0..count).map(request).collect::<Vec<_>>())
        };
        assert!(of(requests(500, Some(ErrorKind::Refused))).limits.is_empty());
        assert!(of(requests(5, None)).limits.is_empty());
        assert_eq!(of(requests(50, None)).limits, [GeneratorLimit::SendLag]);
        let plan = late().plan;
        let mut beside = run(0, 0, ms(0), vec![late()]);
        let metric = plimsoll_record::metric::FOREIGN_CPU_PERCENT.name.to_owned();
        beside.samples = vec![plimsoll_record::Sample { at: ms(2_000), metric, value: 54.0 }];
        let level = &levels::split(&plan)[0];
        assert!(results(level, &[LevelRound::of(level, &beside).unwrap()]).unwrap().limits.is_empty());
    }

    #[test]
    fn exhausted_ports_are_a_limit() {
        let mut data = data(open(100), 0);
        data.intervals[0].errors.entry(ErrorKind::PortsExhausted).or_default().count = 3;
        assert_eq!(of(data).limits, [GeneratorLimit::Ports]);
    }
}
