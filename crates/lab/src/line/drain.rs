//! Waiting for what is in flight after a step, and a service that does not come to rest: it has not recovered from the
//! load, and is in a metastable failure.

use plimsoll_record::{Nanos, Unrecovered};
use plimsoll_search::Step;
use plimsoll_text::number::{count, in_full};

use super::{Ended, Searching, silence::Silence};

/// Longest wait after a load for requests in flight: a service that takes longer has not recovered from it. If the
/// objective allows long responses, [`DRAIN_OF_LIMIT`] times its limit.
const DRAIN: Nanos = Nanos::from_secs(30);
const DRAIN_OF_LIMIT: u64 = 10;
/// A drain that ends so shortly before its limit was ended by the time-out of responses, of 30 s as well.
const ABOUT: Nanos = Nanos::from_secs(1);
/// Restarts of a service that does not recover, at most.
const RESTARTS_MOST: u32 = 3;

impl Searching {
    /// Whether waiting for what is in flight has lasted for so long that it is to be abandoned.
    pub fn is_stuck(&self) -> bool {
        self.step.as_ref().is_some_and(|step| step.drained >= self.patience())
    }

    /// How long a drain takes at most.
    fn patience(&self) -> Nanos {
        let longest =
            self.criteria.iter().filter_map(|it| it.limit).map(Nanos::from_secs_f64).max().unwrap_or_default();
        if self.plan.cold.is_some() {
            // The next step has a fresh process, which requests in flight do not reach.
            return longest.max(ABOUT);
        }
        DRAIN.max(Nanos(longest.0.saturating_mul(DRAIN_OF_LIMIT)))
    }

    /// Whether the next step needs a process that has just been started; to be told by [`Searching::started_anew`].
    pub fn needs_fresh_process(&mut self) -> bool {
        let now = self.now();
        self.search.needs_fresh_process(now)
    }

    /// Notes that a fresh process was started.
    pub fn started_anew(&mut self) {
        self.silence = Silence::default();
    }

    /// Whether a service that has not recovered may be started anew, and the search go on.
    pub fn may_restart(&self) -> bool {
        self.unrecovered.is_some_and(|it| it.is_end && it.restarts < RESTARTS_MOST)
    }

    /// Notes that the service was started anew.
    pub fn restarted(&mut self) {
        if let Some(found) = &mut self.unrecovered {
            (found.restarts, found.is_end) = (found.restarts + 1, false);
        }
        self.silence = Silence::default();
        let now = self.now();
        self.search.restarted(now);
    }

    /// Ends a step that was driven to its end; nothing is in flight.
    pub fn end(&mut self) -> Ended {
        let lasted = self.step.as_ref().map(|step| (step.step, step.drained));
        let is_stuck = lasted.is_some_and(|(_, drained)| drained + ABOUT >= self.patience());
        let ended = self.end_step();
        match lasted {
            Some((step, drained)) if is_stuck && self.plan.cold.is_none() => self.not_recovered(step, drained, ended),
            _ => ended,
        }
    }

    /// Notes that the service has not recovered from a step.
    fn not_recovered(&mut self, step: Step, drained: Nanos, ended: Ended) -> Ended {
        let (load, is_users) = match step {
            Step::Open { rate } => (rate, false),
            Step::Users { users } | Step::Closed { users } => (f64::from(users), true),
            // The overload after the search has a verdict of its own.
            Step::Done => return ended,
        };
        let waited_s = drained.as_secs_f64();
        let first = Unrecovered { load, is_users, waited_s, restarts: 0, is_end: true };
        self.search.unrecovered();
        self.unrecovered = Some(Unrecovered { is_end: true, ..self.unrecovered.unwrap_or(first) });
        let load = if is_users { format!("{} users", count(load as u64)) } else { format!("{}/s", in_full(load, 4)) };
        let note = format!("the target did not recover from {load} within {waited_s:.0} s: a metastable failure");
        Ended::Unrecovered { note, is_spoilt: ended.is_spoilt() }
    }
}
