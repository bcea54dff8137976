//! Requests in flight while a rate was offered: their mean, and how fast they grew.

use plimsoll_record::{Interval, LevelData, Nanos};

use crate::results::Queue;

/// The first part of each trial, which begins with nothing in flight, is left out.
const SETTLING: f64 = 1.0 / 3.0;

/// A queue grows if it takes in at least this share of the rate.
const LEAST_OF_RATE: f64 = 0.01;

/// It must also grow, while it is watched, by at least this share of the requests in flight on average.
const LEAST_OF_IN_FLIGHT: f64 = 0.5;

/// The queue of all trials at one rate; none if less than three seconds of a trial can be looked at.
pub(super) fn of(trials: &[&LevelData], rate_per_s: f64) -> Option<Queue> {
    let trends: Vec<Trend> = trials.iter().filter_map(|trial| Trend::of(&trial.intervals)).collect();
    of_trends(&trends, rate_per_s)
}

fn of_trends(trends: &[Trend], rate_per_s: f64) -> Option<Queue> {
    let seconds: f64 = trends.iter().map(|it| it.seconds).sum();
    let mean = |of: fn(&Trend) -> f64| trends.iter().map(|it| of(it) * it.seconds).sum::<f64>() / seconds;
    let (in_flight, slope) = (mean(|it| it.in_flight), mean(|it| it.per_s));
    let watched = seconds / trends.len() as f64;
    let grows = slope >= LEAST_OF_RATE * rate_per_s && slope * watched >= LEAST_OF_IN_FLIGHT * in_flight;
    (seconds > 0.0).then_some(Queue { in_flight, grew_per_s: if grows { slope } else { 0.0 } })
}

/// A straight line through requests in flight.
struct Trend {
    in_flight: f64,
    per_s: f64,
    seconds: f64,
}

impl Trend {
    fn of(intervals: &[Interval]) -> Option<Self> {
        let points = in_flight(intervals);
        let points = &points[(points.len() as f64 * SETTLING).ceil() as usize..];
        let (first, last) = (points.first()?, points.last()?);
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (at, in_flight) = (mean(|it| it.0), mean(|it| it.1));
        let along: f64 = points.iter().map(|it| (it.0 - at) * (it.1 - in_flight)).sum();
        let across: f64 = points.iter().map(|it| (it.0 - at).powi(2)).sum();
        (points.len() >= 3).then(|| Self { in_flight, per_s: along / across, seconds: last.0 - first.0 })
    }
}

/// Points (seconds, requests in flight): at the end of each whole interval in which requests were offered.
fn in_flight(intervals: &[Interval]) -> Vec<(f64, f64)> {
    let mut points: Vec<(Nanos, i64)> = Vec::new();
    let mut now = 0;
    for interval in intervals {
        let counts = &interval.counts;
        now += counts.offered as i64 - (interval.ended() + counts.dropped + counts.abandoned) as i64;
        let end = interval.start + interval.duration;
        match points.last_mut() {
            // The last of several intervals that end at the same instant has counted all requests.
            Some(last) if last.0 == end => last.1 = now,
            _ => points.push((end, now)),
        }
    }
    let offered_until = intervals.iter().filter(|it| it.counts.offered > 0).map(|it| it.start).max();
    // The load may have ended within the last interval.
    points.retain(|&(end, _)| offered_until.is_some_and(|until| end <= until));
    points.into_iter().map(|(end, count)| (end.as_secs_f64(), count as f64)).collect()
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Counts;

    use super::*;

    /// A second each of so many requests that came, and that ended.
    fn seconds(counts: &[(u64, u64)]) -> Vec<Interval> {
        let interval = |(second, &(offered, succeeded)): (usize, &(u64, u64))| Interval {
            start: Nanos::from_secs(second as u64),
            duration: Nanos::from_secs(1),
            counts: Counts { offered, succeeded, ..Counts::default() },
            ..Interval::default()
        };
        counts.iter().enumerate().map(interval).collect()
    }

    fn trend(counts: &[(u64, u64)]) -> Option<Trend> {
        Trend::of(&seconds(counts))
    }

    #[test]
    fn a_queue_takes_in_what_is_not_served() {
        let growing = trend(&[(100, 60), (100, 70), (100, 70), (100, 70), (100, 70), (100, 70), (0, 190)]).unwrap();
        assert!((growing.per_s - 30.0).abs() < 1e-9 && growing.seconds == 2.0, "{}", growing.per_s);
        // 40, 70, 100, 130, 160; the first two are left out.
        assert!((growing.in_flight - 130.0).abs() < 1e-9);
    }

    #[test]
    fn steady_is_steady_however_many_are_in_flight() {
        let steady = trend(&[(100, 50), (100, 100), (101, 100), (99, 100), (100, 101), (100, 99), (0, 50)]).unwrap();
        assert!(steady.per_s.abs() <= 1.0 && (steady.in_flight - 50.0).abs() < 1.0);
        assert!(trend(&[(100, 50), (100, 100), (0, 50)]).is_none());
        assert!(trend(&[]).is_none());
    }

    #[test]
    fn a_queue_grows_if_that_is_much_of_the_rate_and_of_what_is_in_flight() {
        let grew = |in_flight, per_s, rate| {
            let trend = || Trend { in_flight, per_s, seconds: 10.0 };
            of_trends(&[trend(), trend()], rate).unwrap().grew_per_s
        };
        assert_eq!(grew(400.0, 31.0, 1_900.0), 31.0);
        assert_eq!(grew(400.0, 31.0, 4_000.0), 0.0, "too little of the rate");
        assert_eq!(grew(900.0, 31.0, 1_900.0), 0.0, "too little of what is in flight");
        assert_eq!(grew(400.0, -31.0, 1_900.0), 0.0);
        assert!(of_trends(&[], 100.0).is_none());
    }
}
