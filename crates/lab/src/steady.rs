//! When a load is steady.

use std::collections::VecDeque;

use plimsoll_record::{Histogram, Interval, Nanos};

/// Seconds in each of the two spans that are compared.
const SPAN: usize = 3;
/// How far throughput may be apart, relative to the earlier span.
const TOLERANCE: f64 = 0.05;
/// How far response times may fall from span to span, by quantile: the farther out, the more chance is in it.
const FALL: [(f64, f64); 2] = [(0.5, 0.1), (0.9, 0.2)];
/// Response times differ by this for reasons that are none of the service's: timers, the scheduler.
const LEAST_FALL: Nanos = Nanos::from_micros(500);

/// The last seconds of a load.
#[derive(Debug, Default)]
pub struct Steadiness {
    /// Throughput in successes per second and their response times, for each second, oldest first.
    seconds: VecDeque<(f64, Histogram)>,
}

impl Steadiness {
    /// Takes in the next second.
    pub fn add(&mut self, second: &Interval) {
        let length_s = second.duration.as_secs_f64();
        let throughput = if length_s > 0.0 { second.counts.succeeded as f64 / length_s } else { 0.0 };
        self.seconds.push_back((throughput, second.ok.response.clone()));
        if self.seconds.len() > 2 * SPAN {
            self.seconds.pop_front();
        }
    }

    /// The last three seconds carried as much as the three before them, within 5 %, and were no faster: their median
    /// fell by 10 % at most, their 90th percentile by 20 %. Spans are compared, not single seconds, so that chance
    /// alone does not keep a short request from being steady, and a slow climb of 2 % a second still shows. None if so,
    /// else why not.
    pub fn why_not(&self) -> Option<&'static str> {
        if self.seconds.len() < 2 * SPAN {
            return Some("too little time had passed to tell");
        }
        let mean = |from: usize| self.seconds.range(from..from + SPAN).map(|it| it.0).sum::<f64>() / SPAN as f64;
        let (before, after) = (mean(0), mean(SPAN));
        if before <= 0.0 || (after - before).abs() > TOLERANCE * before {
            return Some("its throughput still changed");
        }
        let times = |from: usize| {
            let mut all = Histogram::new();
            self.seconds.range(from..from + SPAN).for_each(|it| all.merge(&it.1));
            all
        };
        let (before, after) = (times(0), times(SPAN));
        let falls = FALL.iter().any(|&(quantile, share)| {
            let (before, after) = (before.quantile(quantile), after.quantile(quantile));
            let fall = before.max(after) - after;
            fall > LEAST_FALL && fall.as_secs_f64() > share * before.as_secs_f64()
        });
        falls.then_some("its response times still fell")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds with so many requests, each of which took so long.
    fn after(seconds: &[(u64, Nanos)]) -> Steadiness {
        let mut steadiness = Steadiness::default();
        for &(succeeded, took) in seconds {
            let mut second = Interval { duration: Nanos::from_secs(1), ..Interval::default() };
            second.counts.succeeded = succeeded;
            (0..succeeded).for_each(|_| second.ok.response.record(took));
            steadiness.add(&second);
        }
        steadiness
    }

    fn is_steady(throughput: &[u64]) -> bool {
        let seconds: Vec<_> = throughput.iter().map(|&succeeded| (succeeded, Nanos::from_millis(1))).collect();
        after(&seconds).why_not().is_none()
    }

    #[test]
    fn too_short_is_not_steady() {
        assert!(!is_steady(&[]));
        assert!(!is_steady(&[100; 5]));
        assert!(is_steady(&[100; 6]));
    }

    #[test]
    fn a_climb_is_not_steady_and_its_plateau_is() {
        let climb: Vec<u64> = (0..20).map(|second| (1_000.0 * 1.02_f64.powi(second)) as u64).collect();
        assert!((6..=20).all(|seconds| !is_steady(&climb[..seconds])));
        assert!(is_steady(&[10, 500, 990, 1_000, 1_010, 1_000, 1_005, 1_020]));
    }

    #[test]
    fn noise_around_a_mean_is_steady() {
        assert!(is_steady(&[90, 110, 100, 108, 91, 104]));
    }

    #[test]
    fn a_fall_and_a_standstill_are_not_steady() {
        assert!(!is_steady(&[100, 100, 100, 90, 90, 90]));
        assert!(!is_steady(&[0; 10]));
    }

    #[test]
    fn at_a_rate_that_is_carried_response_times_tell() {
        let of = |before: Nanos, later: Nanos| after(&[vec![(100, before); 3], vec![(100, later); 3]].concat());
        let ms = Nanos::from_millis;
        assert_eq!(of(ms(10), ms(8)).why_not(), Some("its response times still fell"));
        assert_eq!(of(ms(10), ms(10)).why_not(), None);
        assert_eq!(of(ms(10), ms(12)).why_not(), None, "nothing becomes slower by warming up");
        let (one, other) = (Nanos::from_micros(700), Nanos::from_micros(300));
        assert_eq!(of(one, other).why_not(), None, "too small a difference to be the service's");
    }
}
