//! Rates to try while an end of the interval is not known, and there is no time for a trial near the line: there a
//! queue remembers for long, so that one trial would take all the time that is left, and may end undecided.

use crate::{answer::End, goal::Goal};

/// The part of the time left that a trial may take.
const PART: f64 = 1.0 / 3.0;
/// Seconds of a quick trial, once its queue had time to fill.
pub(crate) const QUICK: f64 = 6.0;
/// Rates below the line, as parts of it: the lower, the sooner the queue forgets.
const BELOW: [f64; 5] = [0.9, 0.8, 0.7, 0.6, 0.5];
/// A lower end is good enough that is not below this part of what a quick trial would try.
const GOOD_ENOUGH: f64 = 0.9;

/// What is known when a rate is chosen.
pub(crate) struct Known {
    pub lower: Option<End>,
    pub upper: Option<End>,
    pub capacity: f64,
    /// The highest rate that may be offered.
    pub most: f64,
    pub time_left: f64,
}

impl Known {
    /// Another rate than `rate`, at which the trial that is planned would take so many `seconds` once its queue had
    /// time to fill; none if there is time, or nothing quicker would tell more.
    pub fn instead_of(&self, rate: f64, seconds: f64, goal: &Goal) -> Option<f64> {
        let allowed = PART * self.time_left;
        if takes(goal, rate, seconds) <= allowed { None } else { self.quick(rate, goal, allowed) }
    }

    /// What may still be tried where there is no time for a trial at `rate`.
    pub fn at_last(&self, rate: f64, goal: &Goal) -> Option<f64> {
        self.quick(rate, goal, self.time_left)
    }

    fn quick(&self, rate: f64, goal: &Goal, allowed: f64) -> Option<f64> {
        let line = rate.min(self.capacity);
        let is_known = |below: f64| self.lower.is_some_and(|end| end.rate >= GOOD_ENOUGH * below);
        let affordable = BELOW.iter().map(|part| part * line).find(|&below| takes(goal, below, QUICK) <= allowed);
        let below = affordable.filter(|&below| !is_known(below));
        // A queue that only grows shows itself within seconds; there is time for one trial more.
        let overload = QUICK + goal.known_after();
        let is_last = self.time_left < 2.0 * overload;
        let above =
            (self.upper.is_none() && self.most > self.capacity && overload <= self.time_left).then_some(self.most);
        if is_last { above.or(below) } else { below.or(above) }
    }
}

/// How long a trial takes, in seconds.
fn takes(goal: &Goal, rate: f64, seconds: f64) -> f64 {
    goal.settling(rate) + seconds + goal.known_after()
}
