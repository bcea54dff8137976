//! A step as the search sees it, second by second: requests counted by the instants at which they were intended.

use plimsoll_record::{ARRIVAL_SLOT, ArrivalCounts, Interval, Nanos};
use plimsoll_search::{Criterion, Seen, Slot};

use crate::second::Joined;

/// Lateness allowed to the generator at the 99th percentile, as a share of the limit and relative to the resolution: a
/// limit that is met later by that much moves the line by less. Never below [`LATE_LEAST`].
const LATE_MOST: f64 = 0.5;
const LATE_LEAST: Nanos = Nanos::from_millis(2);
/// Lateness that is always allowed where no time is limited.
const LATE_WITHOUT_LIMIT: Nanos = Nanos::from_millis(50);
/// CPU of the generator's busiest thread, in percent of a core, from which on it is the limit.
const BUSY: f64 = 95.0;

/// Seconds of a step, put together from the intervals of all its requests.
pub struct Seconds {
    limits: Vec<Nanos>,
    criteria: Vec<Criterion>,
    is_single: bool,
    joined: Joined,
    arrivals: ArrivalCounts,
    /// Slots that the search has been shown.
    shown: u32,
    in_flight: u64,
    in_flight_most: u64,
    all: Interval,
    busiest: f64,
    /// Slots that were known after the search had seen enough.
    rest: Vec<Slot>,
}

impl Seconds {
    pub fn new(limits: &[Nanos], criteria: &[Criterion], is_single: bool) -> Self {
        Self {
            limits: limits.to_vec(),
            criteria: criteria.to_vec(),
            is_single,
            joined: Joined::new(if is_single { 1 } else { 2 }),
            arrivals: ArrivalCounts::new(),
            shown: 0,
            in_flight: 0,
            in_flight_most: 0,
            all: Interval::default(),
            busiest: 0.0,
            rest: Vec::new(),
        }
    }

    /// Takes in an interval. Returns the second that it completes.
    pub fn complete(&mut self, interval: Interval) -> Option<Interval> {
        self.joined.complete(interval)
    }

    /// Takes in a second. Returns what is known by then.
    pub fn add(&mut self, second: &Interval) -> Seen {
        let now = second.start + second.duration;
        let counts = &second.counts;
        self.arrivals.merge(&second.arrivals);
        self.in_flight = (self.in_flight + counts.offered)
            .saturating_sub(counts.succeeded + counts.failed + counts.dropped + counts.abandoned);
        self.in_flight_most = self.in_flight_most.max(self.in_flight);
        self.busiest = self.busiest.max(second.generator.busiest_worker_percent);
        self.all.merge(second);
        let known_after = self.criteria.iter().map(Criterion::known_after).fold(0.0, f64::max);
        let known = now.0.saturating_sub(Nanos::from_secs_f64(known_after).0) / ARRIVAL_SLOT.0;
        let slots = self.slots(u32::try_from(known).unwrap_or(u32::MAX));
        // A request that fails ends its iteration.
        let succeeded = if self.is_single { counts.succeeded } else { counts.iterations.saturating_sub(counts.failed) };
        Seen {
            slots,
            in_flight: vec![u32::try_from(self.in_flight).unwrap_or(u32::MAX)],
            // After the generator stood still an interval may be longer than a second.
            succeeded: vec![(succeeded as f64 / second.duration.as_secs_f64().max(1.0)).round() as u32],
            is_warming: false,
        }
    }

    /// Keeps what came after the search had seen enough: it is no part of what decides, but of the trial.
    pub fn keep_rest(&mut self, seen: Seen) {
        self.rest.extend(seen.slots);
    }

    /// Slots up to number `end` that have not been shown, and not beyond the last arrival: after it nothing is offered.
    fn slots(&mut self, end: u32) -> Vec<Slot> {
        let end = end.min(self.arrivals.slots().last().map_or(0, |slot| slot.slot + 1));
        let slots = plimsoll_analysis::line::slots(&self.arrivals, self.shown..end, &self.limits, &self.criteria);
        self.shown = self.shown.max(end);
        slots
    }

    /// All that is left, once nothing is in flight.
    pub fn finish(mut self) -> Seen {
        if let Some(second) = self.joined.finish() {
            let seen = self.add(&second);
            self.rest.extend(seen.slots);
        }
        let mut slots = std::mem::take(&mut self.rest);
        slots.extend(self.slots(u32::MAX));
        Seen { slots, ..Seen::default() }
    }

    /// Reason why the step says more about the generator than about the service. Lateness does not count if the load
    /// was carried all the same.
    pub fn spoilt(&self, resolution: f64, max_in_flight: u32, is_carried: bool) -> Option<String> {
        let lag = self.all.send_lag.quantile(0.99);
        let allowed = match self.criteria.iter().filter_map(|it| it.limit).reduce(f64::min) {
            Some(limit_s) => Nanos::from_secs_f64(limit_s * LATE_MOST * resolution),
            // Only failures count: requests may be late until they coincide with the next one.
            None => self.between_requests().max(LATE_WITHOUT_LIMIT),
        };
        let allowed = allowed.max(LATE_LEAST);
        if self.busiest >= BUSY {
            return Some(format!(
                "the generator was the limit: its busiest thread used {:.0} % of a core",
                self.busiest
            ));
        }
        // Requests that a limit of requests in flight holds back are late on purpose.
        let is_held_back = self.in_flight_most >= u64::from(max_in_flight);
        (lag > allowed && !is_held_back && !is_carried)
            .then(|| format!("the generator sent 1 % of requests more than {lag} late"))
    }

    /// Mean time from one request to the next.
    fn between_requests(&self) -> Nanos {
        Nanos(self.all.duration.0 / self.all.counts.offered.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 18 ms late, at a limit of 300 ms.
    #[test]
    fn what_is_late_counts_by_the_resolution() {
        let limit = Nanos::from_millis(300);
        let mut seconds = Seconds::new(&[limit], &[Criterion::percentile(0.95, 0.3)], true);
        let mut second = Interval { duration: Nanos::from_secs(1), ..Interval::default() };
        (0..100).for_each(|_| second.send_lag.record(Nanos::from_millis(18)));
        seconds.add(&second);
        assert!(seconds.spoilt(0.1, 100, false).is_some_and(|why| why.contains("18")));
        assert_eq!(seconds.spoilt(0.1, 100, true), None, "carried all the same");
        assert_eq!(seconds.spoilt(0.15, 100, false), None);
        assert_eq!(seconds.spoilt(0.1, 0, false), None, "held back on purpose");
    }

    #[test]
    fn what_succeeded_is_told_by_the_second_however_long_an_interval_is() {
        let mut seconds = Seconds::new(&[Nanos::from_secs(1)], &[Criterion::errors(0.1)], true);
        let mut long = Interval { duration: Nanos::from_secs(2), ..Interval::default() };
        long.counts.succeeded = 400;
        assert_eq!(seconds.add(&long).succeeded, [200]);
    }

    /// 80 ms late, at 20 and at 10 requests a second of which some fail.
    #[test]
    fn where_failures_alone_count_each_request_may_be_late_until_the_next_one() {
        let spoilt = |offered: u64| {
            let mut seconds = Seconds::new(&[Nanos::from_secs(1)], &[Criterion::errors(0.001)], true);
            let mut second = Interval { duration: Nanos::from_secs(1), ..Interval::default() };
            second.counts.offered = offered;
            (0..offered).for_each(|_| second.send_lag.record(Nanos::from_millis(80)));
            seconds.add(&second);
            seconds.spoilt(0.1, 100, false)
        };
        assert!(spoilt(20).is_some_and(|why| why.contains("80")));
        assert_eq!(spoilt(10), None);
    }
}
