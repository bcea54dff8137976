//! Loads that are offered: rates, or whole users, and the range of them.

use super::Search;
use crate::{
    answer::{End, is_near},
    trial::Trial,
};

/// The range in which a line is looked for, as parts of the capacity.
const LOWEST: f64 = 0.01;
const HIGHEST: f64 = 1.12;
/// The load that surely overloads a service that was still warming up when it was probed, as a multiple of what it did
/// then.
const COLD: f64 = 1.5;
/// The lowest load at most, as a part of the highest.
const NARROWEST: f64 = 0.99;
/// Users that are tried in any case.
const FEWEST: f64 = 4.0;
/// Seconds that stand for a limit where there is none.
const NO_LIMIT: f64 = 1.0;

impl Search {
    /// The most that is offered, once the probe is over.
    pub fn most(&self) -> Option<f64> {
        self.found.map(|_| HIGHEST * self.top())
    }

    /// The capacity; or the number of users whose mean response time is the limit of the loosest line. The most that is
    /// offered is a little more.
    pub(super) fn top(&self) -> f64 {
        let Some(think) = self.settings.think else { return self.capacity };
        let limit_of = |line: &Vec<usize>| {
            let limits = line.iter().filter_map(|&index| self.settings.criteria[index].limit);
            limits.reduce(f64::min).unwrap_or(NO_LIMIT)
        };
        let limit = self.settings.lines.iter().map(limit_of).fold(0.0, f64::max);
        self.capacity * (think + limit * self.settings.requests_per_arrival)
    }

    pub(super) fn range(&self) -> (f64, f64) {
        let tested = self.settings.at_least.unwrap_or(self.top());
        let to = self.settings.to.unwrap_or(f64::INFINITY);
        let from = self.settings.from.unwrap_or(LOWEST * self.top().min(tested));
        let highest = HIGHEST * self.top().max(tested).max(self.settings.from.unwrap_or(0.0));
        if self.settings.think.is_none() {
            let to = to.min(highest);
            return (from.min(NARROWEST * to), to);
        }
        let to = to.min(highest.max(FEWEST)).floor().max(1.0);
        (from.ceil().min(NARROWEST * to), to)
    }

    /// A load that shows itself to be too much within seconds, where time is short; no less than the highest of the
    /// range.
    pub(super) fn overload(&self) -> f64 {
        let (_, to) = self.range();
        let is_steady = self.found.is_none_or(|found| found.is_steady);
        if is_steady || self.settings.think.is_some() || !self.is_short() {
            return to;
        }
        (COLD * self.top()).min(self.settings.to.unwrap_or(f64::INFINITY))
    }

    /// The load that is offered in place of `load`: a rate that people can read and type, or whole users.
    pub(super) fn offered(&self, load: f64) -> f64 {
        let (from, to) = (self.settings.from.unwrap_or(0.0), self.settings.to.unwrap_or(f64::INFINITY));
        match self.settings.think {
            Some(_) => load.round().max(from.ceil()).min(to.floor()).max(1.0),
            None => short(load).max(from).min(to),
        }
    }

    /// Whether the queue of a trial only grows; that of users does not.
    pub(super) fn is_growing(&self, trial: &Trial) -> bool {
        self.settings.think.is_none()
            && self
                .goals
                .get(self.goal)
                .is_some_and(|goal| trial.is_growing(goal.limit() * self.settings.requests_per_arrival))
    }

    /// Whether two ends are as near to each other as wanted, or as they can be.
    pub(super) fn is_within(&self, lower: Option<End>, upper: Option<End>) -> bool {
        let (Some(lower), Some(upper)) = (lower, upper) else { return false };
        is_near(lower.rate, upper.rate, self.settings.resolution, self.settings.think.is_some())
    }
}

/// A rate of four digits, which people can read and type.
fn short(rate: f64) -> f64 {
    let unit = 10f64.powf(rate.log10().floor() - 3.0);
    // Dividing by a whole number gives the nearest number to the decimal; multiplying by a fraction may miss it.
    if unit < 1.0 { (rate / unit).round() / (1.0 / unit).round() } else { (rate / unit).round() * unit }
}
