//! An open load: requests come at a rate, whatever becomes of those before.

use std::collections::BTreeMap;

use plimsoll_record::{LevelData, Nanos};

/// Requests that an open load offered, and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct OpenLoad {
    /// Requests per second, as planned.
    pub rate_per_s: f64,
    /// Requests that were intended while it was offered.
    pub offered: f64,
    /// Requests that were dropped.
    pub dropped: f64,
    /// Requests that were in flight, on average after the first second.
    pub in_flight: f64,
    /// Requests that were intended and had not ended when the load did.
    pub left: f64,
}

impl OpenLoad {
    pub fn of(level: &LevelData) -> Self {
        let rate_per_s = level.plan.load.peak_target();
        let most = f64::from(level.plan.load.max_in_flight());
        // Requests by second: intended, and over.
        let mut seconds: BTreeMap<Nanos, (f64, f64)> = BTreeMap::new();
        let mut dropped = 0;
        for interval in &level.intervals {
            let (offered, over) = seconds.entry(interval.start).or_default();
            *offered += interval.counts.offered as f64;
            *over += (interval.ended() + interval.counts.dropped) as f64;
            dropped += interval.counts.dropped;
        }
        let mut load = Self { rate_per_s, dropped: dropped as f64, ..Self::default() };
        let mut means = Vec::new();
        let mut seconds: Vec<(Nanos, (f64, f64))> = seconds.into_iter().collect();
        // After the load requests in flight are awaited, and none are offered. It may end within a second.
        let is_awaited = |offered: f64| offered < 0.5 * rate_per_s;
        while seconds.len() > 1 && seconds.last().is_some_and(|(_, (offered, _))| is_awaited(*offered)) {
            seconds.pop();
        }
        for (start, (offered, over)) in seconds {
            let before = load.left;
            load.offered += offered;
            load.left = (before + offered - over).max(0.0);
            if start >= Nanos::from_secs(1) {
                means.push(f64::midpoint(before.min(most), load.left.min(most)));
            }
        }
        load.in_flight = means.iter().sum::<f64>() / (means.len() as f64).max(1.0);
        load
    }

    /// Whether it is carried: no more requests are left than are in flight if each takes `alone_ms`, plus those that
    /// may come together by chance.
    pub fn is_carried(&self, alone_ms: f64) -> bool {
        let natural = self.rate_per_s * alone_ms / 1e3;
        let by_chance = f64::max(5.0, 0.05 * self.offered);
        self.dropped <= 0.01 * self.offered && self.left <= 1.5 * natural + by_chance
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Arrivals, Interval, LevelPlan, Load, Phase};

    use super::*;

    /// `rate` requests per second for 5 s, of which at most `carried` end in each.
    fn offered(rate: u64, carried: u64, max_in_flight: u32) -> OpenLoad {
        let duration = Nanos::from_secs(5);
        let load = Load::ConstantArrivalRate {
            rate: rate as f64,
            duration,
            arrivals: Arrivals::Poisson,
            max_in_flight,
            drop_late: false,
        };
        let second = |second| {
            // The load is ended early in the sixth second.
            let offered = [rate, rate / 50, 0][usize::from(second >= 5) + usize::from(second >= 6)];
            let mut interval =
                Interval { start: Nanos::from_secs(second), duration: Nanos::from_secs(1), ..Interval::default() };
            (interval.counts.offered, interval.counts.succeeded) = (offered, carried.min(rate));
            interval
        };
        let (plan, intervals) = (LevelPlan::new("full", Phase::Measured, load), (0..8).map(second).collect());
        let (started, took, traced) = (Nanos::ZERO, Some(duration), Vec::new());
        OpenLoad::of(&LevelData { plan, started, took, intervals, traced })
    }

    #[test]
    fn a_queue_that_grows_is_counted_while_it_grows() {
        // 100 more are left each second: 100 after the first, 500 after the last.
        let beyond = offered(300, 200, 10_000);
        assert_eq!((beyond.offered, beyond.left, beyond.in_flight), (1_500.0, 500.0, 300.0));
        assert!(!beyond.is_carried(5.0));
        assert_eq!(offered(300, 200, 150).in_flight, 143.75, "more than are allowed are not sent");
        assert!(!offered(220, 200, 10_000).is_carried(5.0), "a tenth more than is carried");
    }

    #[test]
    fn what_ends_as_it_comes_is_carried() {
        assert!(offered(180, 200, 10_000).is_carried(5.0));
        let dropped = OpenLoad { dropped: 50.0, ..offered(180, 200, 10_000) };
        assert!(!dropped.is_carried(5.0));
        // Requests that take a second: as many are in flight as come in one.
        let slow = OpenLoad { left: 180.0, ..offered(180, 200, 10_000) };
        assert!(slow.is_carried(1_000.0) && !slow.is_carried(5.0));
    }
}
