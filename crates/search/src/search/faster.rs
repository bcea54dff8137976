//! A search whose service turns out faster than the probe found.

use super::{LONG_RANGE, Search};
use crate::trial::Trial;

/// The capacity is probed anew when it turns out higher by this factor.
const FASTER: f64 = 1.03;
/// Seconds that must count in a trial before the capacity is inferred from its rate by theory.
const LEAST_COUNTED: f64 = 3.0;
/// The capacity that is assumed of a service that carried an intended overload, as a multiple of its rate.
const AMPLE: f64 = 1.05;
/// How often the capacity is probed again, at most, and for how long each time, in seconds.
pub(super) const AGAIN_MOST: u32 = 4;
pub(super) const AGAIN_SECONDS: f64 = 12.0;

impl Search {
    /// Raises the capacity if the service turns out faster than probed. Trials that failed before say nothing then.
    pub(super) fn find_capacity_anew(&mut self) {
        let is_warm_now = self.cold_until.is_some_and(|until| self.now >= until);
        if is_warm_now {
            self.cold_until = None;
        }
        let seen = self.capacity_seen().filter(|&seen| seen > self.capacity);
        let is_faster = seen.is_some_and(|seen| seen >= FASTER * self.capacity);
        if let Some(seen) = seen {
            let is_rate = self.settings.think.is_none();
            let is_beyond = |trial: &Trial| trial.rate > self.capacity && !self.is_growing(trial);
            self.is_exceeded = is_rate && self.trials.last().is_some_and(is_beyond);
            self.capacity = seen;
        }
        if is_faster || is_warm_now {
            self.forget_failures();
        }
        if seen.is_some() || is_warm_now {
            self.set_goals();
        }
        let is_worth_it = self.settings.at_least.is_none() && self.time_left() > LONG_RANGE.1;
        if (is_faster || is_warm_now) && is_worth_it && self.probes <= AGAIN_MOST {
            self.probe.again(self.now + AGAIN_SECONDS);
        }
    }

    /// A lower bound of the capacity by the last trial; none where that tells none.
    fn capacity_seen(&self) -> Option<f64> {
        let trial = self.trials.last()?;
        let goal = &self.goals[self.goal];
        if self.settings.think.is_some() {
            return Some(trial.surely_succeeded()).filter(|&seen| seen > self.capacity);
        }
        if self.is_growing(trial) {
            return Some(trial.throughput(4)).filter(|&seen| seen >= FASTER * self.capacity);
        }
        let (pressure, seconds) = goal.pressure(&[trial]);
        if pressure > 1.0 {
            return None;
        }
        if self.is_short() && trial.rate > self.capacity && trial.is_level() {
            // The intended overload was none. At the capacity a queue would never settle: it is higher, and there is no
            // time to find it.
            return Some(AMPLE * trial.rate);
        }
        if seconds < LEAST_COUNTED {
            return Some(trial.throughput(4)).filter(|_| trial.rate > self.capacity);
        }
        Some(goal.least_capacity(trial.rate))
    }

    /// Forgets the trials that failed, except the last one.
    fn forget_failures(&mut self) {
        let Some(last) = self.trials.pop() else { return };
        let goal = &self.goals[self.goal];
        self.trials.retain(|trial| goal.pressure(&[trial]).0 <= 1.0);
        self.trials.push(last);
    }
}
