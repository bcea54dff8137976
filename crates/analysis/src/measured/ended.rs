//! The counts and the time whose quotients are rates.

use plimsoll_record::{Interval, LevelData, Load, Nanos};

/// Counts of requests that ended in a window, the only ones that can be divided by its length: requests of a stage may
/// end in the next one, and the last requests of a load may be answered long after it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ended {
    pub succeeded: f64,
    pub bytes_received: f64,
    pub bytes_sent: f64,
}

/// The time in which requests of a whole level were offered: the planned one, if the load has a duration, though the
/// last response may come before its end, or long after; otherwise that of the whole level.
pub(crate) fn window(load: &Load, data: &LevelData) -> Nanos {
    let covered = || data.intervals.iter().map(|it| it.start + it.duration).max().unwrap_or_default();
    match (load.duration(), data.took) {
        (Some(planned), Some(took)) if load.iterations().is_none() || took > planned => planned,
        (Some(planned), None) => covered().min(planned),
        (_, took) => took.unwrap_or_else(covered),
    }
}

/// The time in which requests of a whole level were offered, as seen: a level that ends once enough is known has no
/// planned duration.
pub(crate) fn offered(data: &LevelData) -> Nanos {
    let offered = data.intervals.iter().filter(|it| it.counts.offered > 0);
    offered.map(|it| it.start + it.duration).max().unwrap_or_else(|| data.took.unwrap_or_default())
}

impl Ended {
    /// Counts of `intervals` that ended in the window; a second that lies in it in part counts by that part.
    pub(crate) fn within<'a>((start, end): (Nanos, Nanos), intervals: impl Iterator<Item = &'a Interval>) -> Self {
        intervals.fold(Self::default(), |sum, interval| {
            let shared = (interval.start + interval.duration).min(end) - interval.start.max(start).min(end);
            sum.plus(interval, shared.as_secs_f64() / interval.duration.as_secs_f64().max(1e-9))
        })
    }

    /// Counts of `intervals` in a window that nothing precedes: requests that ended in it, and for those under way at
    /// its end the share of their time that lies in it. Without these shares the rate would be too low by a request
    /// for each user.
    pub(crate) fn by<'a>(window: Nanos, intervals: impl Iterator<Item = &'a Interval>) -> Self {
        intervals.fold(Self::default(), |sum, interval| {
            let end = interval.start + interval.duration;
            if end <= window {
                return sum.plus(interval, 1.0);
            }
            let before = if interval.start < window { window - interval.start } else { Nanos::ZERO };
            let part = before.as_secs_f64() / interval.duration.as_secs_f64().max(1e-9);
            let after_s = (interval.start.max(window) - window + end - window).as_secs_f64() / 2.0;
            sum.plus(interval, part + (1.0 - part) * share_before(interval.ok.response.mean_ns() / 1e9, after_s))
        })
    }

    fn plus(self, interval: &Interval, part: f64) -> Self {
        Self {
            succeeded: self.succeeded + interval.counts.succeeded as f64 * part,
            bytes_received: self.bytes_received + interval.counts.bytes_received as f64 * part,
            bytes_sent: self.bytes_sent + interval.counts.bytes_sent as f64 * part,
        }
    }
}

/// The share of their time that requests spent in a window, if they took `took_s` and ended `after_s` after it. All
/// began in it: if they took less than `after_s`, its end lies anywhere in their time, in the middle on average.
fn share_before(took_s: f64, after_s: f64) -> f64 {
    if after_s < took_s { 1.0 - after_s / took_s } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::ThinkTime;

    use super::*;
    use crate::testing::{Request, level, level_plan};

    fn ms(ms: u64) -> Nanos {
        Nanos::from_millis(ms)
    }

    /// Requests that succeed, by their beginning and end, of users that are there for 10 s.
    fn data(requests: &[(u64, u64)]) -> LevelData {
        let load = Load::ConstantVus { vus: 1, duration: ms(10_000), think: ThinkTime::None };
        let requests: Vec<Request> = requests.iter().map(|&(begin, end)| Request::ok(ms(begin), ms(end))).collect();
        level(&level_plan("x", load), ms(0), &requests)
    }

    fn rate(data: &LevelData) -> f64 {
        let window = window(&data.plan.load, data);
        Ended::by(window, data.intervals.iter()).succeeded / window.as_secs_f64()
    }

    #[test]
    fn a_user_that_is_served_once_a_second_makes_one_request_per_second() {
        let each = 1_003;
        let found = rate(&data(&(0..10).map(|k| (k * each, (k + 1) * each)).collect::<Vec<_>>()));
        assert!((found * 1.003 - 1.0).abs() < 0.005, "{found}");
    }

    #[test]
    fn what_is_answered_long_after_the_window_is_not_of_its_rate() {
        // 100 per second, but for one user that waits for 40 s: a quarter of its request lies in the window.
        let mut requests: Vec<(u64, u64)> = (0..999).map(|k| (k * 10, (k + 1) * 10)).collect();
        requests.push((0, 46_000));
        let (data, found) = (data(&requests), rate(&data(&requests)));
        assert_eq!((window(&data.plan.load, &data), data.took), (ms(10_000), Some(ms(46_000))));
        assert!((99.9..100.0).contains(&found), "{found}");
    }

    #[test]
    fn a_load_that_was_cut_short_has_the_time_that_it_had() {
        let mut data = data(&[(0, 400), (0, 2_500)]);
        data.took = None;
        assert_eq!(window(&data.plan.load, &data), ms(2_500));
        assert!((rate(&data) - 0.8).abs() < 0.001);
    }

    #[test]
    fn a_number_of_requests_takes_as_long_as_it_takes() {
        let mut data = data(&[(0, 400), (0, 2_500)]);
        data.plan.load = Load::SharedIterations { vus: 2, iterations: 2, max_duration: None, think: ThinkTime::None };
        assert!((rate(&data) - 0.8).abs() < 0.001);
    }
}
