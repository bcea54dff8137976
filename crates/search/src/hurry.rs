//! Rates to try while an end of the interval is not known, and there is no time for a trial near the line. A queue
//! remembers for long there: one trial would take all the time that is left, and may end undecided.

use crate::{answer::End, goal::Goal};

/// The part of the time left that a trial may take.
const PART: f64 = 1.0 / 3.0;
/// Seconds of a quick trial, once its queue had time to fill.
pub(crate) const QUICK: f64 = 6.0;
/// Rates below the line, as parts of it: the lower, the sooner the queue forgets.
const BELOW: [f64; 5] = [0.9, 0.8, 0.7, 0.6, NEAR];
const NEAR: f64 = 0.5;
/// A lower end is good enough if it is no lower than this part of the rate that a quick trial would try.
const GOOD_ENOUGH: f64 = 0.9;

/// Facts by which a rate is chosen.
pub(crate) struct Known {
    pub lower: Option<End>,
    pub upper: Option<End>,
    pub capacity: f64,
    /// The highest rate that may be offered.
    pub most: f64,
    /// Whether more than the capacity was carried: then an overload may be none.
    pub is_exceeded: bool,
    pub time_left: f64,
    /// Whether the search as a whole has time for a few trials only.
    pub is_short: bool,
}

impl Known {
    /// The rate of a quick trial in place of the planned one, which is at `rate` and counts for so many `seconds`. None
    /// if there is time for the planned one, or no quick one would tell more.
    pub fn instead_of(&self, rate: f64, seconds: f64, goal: &Goal) -> Option<f64> {
        // In a short search a trial near the line must be long enough to decide: there are few of them.
        let is_to_decide = self.is_short && rate >= NEAR * self.capacity;
        let seconds = if is_to_decide { seconds.max(goal.seconds_to_clear(rate)) } else { seconds };
        if takes(goal, rate, seconds) <= PART * self.time_left { None } else { self.quick(rate, goal) }
    }

    /// The rate of a quick trial where there is no time for one at `rate`; none if no quick one would tell more.
    pub fn quick(&self, rate: f64, goal: &Goal) -> Option<f64> {
        let line = rate.min(self.capacity);
        let is_known = |below: f64| self.lower.is_some_and(|end| end.rate >= GOOD_ENOUGH * below);
        // A queue that only grows shows itself within seconds.
        let overload = QUICK + goal.known_after();
        let above =
            (self.upper.is_none() && self.most > self.capacity && overload <= self.time_left).then_some(self.most);
        // No time is kept for an overload that may be none: a useful lower end comes first.
        let is_doubtful = self.is_exceeded && self.lower.is_none_or(|end| end.rate < NEAR * line);
        // Requests in flight at the end of a trial are awaited before the next one.
        let kept = if above.is_some() && !is_doubtful { overload + goal.known_after() } else { 0.0 };
        let is_affordable = |below: &f64| takes(goal, *below, quick_seconds(goal, *below)) <= self.time_left - kept;
        let below = BELOW.iter().map(|part| part * line).find(is_affordable);
        below.filter(|&below| !is_known(below)).or(above)
    }
}

/// How long a quick trial at `rate` counts.
pub(crate) fn quick_seconds(goal: &Goal, rate: f64) -> f64 {
    goal.seconds_to_clear(rate).max(QUICK)
}

/// How long a trial takes, in seconds.
fn takes(goal: &Goal, rate: f64, seconds: f64) -> f64 {
    goal.settling(rate) + seconds + goal.known_after()
}
