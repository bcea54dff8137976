//! MLRsearch (draft-ietf-bmwg-mlrsearch, and the package of FD.io): the goal loss ratio is the share that may be beyond
//! the limit, the exceed ratio one half. Trials grow from 1 s to 20 s and widths shrink from four resolutions to one in
//! three targets; at the last of them a rate is judged by trials of 60 s in all.
//!
//! Simplified: rates are not rounded to a grid; where both bounds are known the next rate is their middle, without
//! preferring one nearer to a bound of the target before, and without halving before both bounds are measured anew.

use super::{AT_MOST, HIGHEST, Interval, LOWEST, load::Load};

const EXCEED: f64 = 0.5;
const FIRST: Target = Target { trial: 1.0, sum: 1.0, widths: 4.0 };
const LAST: Target = Target { trial: 20.0, sum: 60.0, widths: 1.0 };

#[derive(Clone, Copy, Debug)]
struct Target {
    /// Length of a trial, and of all trials of a rate, in seconds.
    trial: f64,
    sum: f64,
    /// The width of the interval, in resolutions.
    widths: f64,
}

#[derive(Clone, Copy, Debug)]
struct Trial {
    rate: f64,
    seconds: f64,
    is_kept: bool,
}

pub(super) fn find(load: &mut Load<'_>, resolution: f64) -> Interval {
    let middle = (FIRST.sum * LAST.sum).sqrt();
    let targets = [FIRST, Target { trial: middle.min(LAST.trial), sum: middle, widths: 2.0 }, LAST];
    let mut search = Search { trials: Vec::new(), load };
    let mut bounds = search.begin();
    for target in targets {
        bounds = search.reach(target, bounds, target.widths * resolution);
    }
    bounds
}

struct Search<'a, 'b> {
    trials: Vec<Trial>,
    load: &'a mut Load<'b>,
}

impl Search<'_, '_> {
    /// Three trials: at the highest rate, at what came back in time of it, and once more of that.
    fn begin(&mut self) -> Interval {
        let mut rate = HIGHEST * self.load.capacity();
        let mut bounds = Interval { lower: rate, upper: f64::INFINITY };
        for _ in 0..3 {
            let back = self.measure(rate, FIRST.trial);
            bounds = Interval { lower: back.min(bounds.lower), upper: rate };
            if back >= rate {
                break;
            }
            rate = back;
        }
        bounds
    }

    /// Makes one trial. The rate that came back in time, divided by the share of requests that must.
    fn measure(&mut self, rate: f64, seconds: f64) -> f64 {
        let sample = self.load.trial(rate, seconds);
        self.trials.push(Trial { rate, seconds, is_kept: sample.is_kept });
        let share = 1.0 - f64::from(sample.beyond) / f64::from(sample.offered.max(1));
        (rate * share / (1.0 - self.load.share())).max(LOWEST * self.load.capacity())
    }

    /// Measures until both bounds of `target` are known and near enough; `before` are those of the target before.
    fn reach(&mut self, target: Target, before: Interval, width: f64) -> Interval {
        let (lowest, highest) = (LOWEST * self.load.capacity(), HIGHEST * self.load.capacity());
        let mut step = 1.0 + width;
        loop {
            let bounds = bounds(&self.trials, target);
            let is_over = bounds.width() <= width || bounds.lower >= highest || bounds.upper <= lowest;
            if is_over || self.load.seconds() >= AT_MOST {
                return bounds;
            }
            let rate = match (bounds.lower > 0.0, bounds.upper.is_finite()) {
                (true, true) => (bounds.lower * bounds.upper).sqrt(),
                // The bounds of the target before are first, then ever wider steps.
                (_, false) if before.upper.is_finite() && before.upper > bounds.lower => before.upper,
                (false, true) if before.lower > 0.0 && before.lower < bounds.upper => before.lower,
                (true, false) => bounds.lower * grow(&mut step),
                (false, true) => bounds.upper / grow(&mut step),
                (false, false) => highest,
            };
            self.decide(rate.clamp(lowest, highest), target);
        }
    }

    /// Offers `rate` until nothing that follows could change what it is for `target`.
    fn decide(&mut self, rate: f64, target: Target) {
        while is_lower(&self.trials, rate, target).is_none() && self.load.seconds() < AT_MOST {
            self.measure(rate, target.trial);
        }
    }
}

/// The width of this step; the next is twice as wide.
fn grow(step: &mut f64) -> f64 {
    let now = *step;
    *step *= now;
    now
}

/// The lowest rate that is too high, and the highest below it that is not.
fn bounds(trials: &[Trial], target: Target) -> Interval {
    let rates = |is: bool| {
        let of = move |trial: &Trial| is_lower(trials, trial.rate, target) == Some(is);
        trials.iter().filter(move |trial| of(trial)).map(|trial| trial.rate)
    };
    let upper = rates(false).fold(f64::INFINITY, f64::min);
    Interval { lower: rates(true).filter(|&rate| rate < upper).fold(0.0, f64::max), upper }
}

/// Whether `rate` is a lower bound, once its trials have told: half of the time at it may exceed the goal loss ratio,
/// and trials shorter than those of `target` count only as far as more of them do than do not.
fn is_lower(trials: &[Trial], rate: f64, target: Target) -> Option<bool> {
    let sum = |is_long: bool, is_kept: bool| -> f64 {
        let is_of = |trial: &&Trial| {
            trial.rate == rate && trial.is_kept == is_kept && (trial.seconds >= target.trial) == is_long
        };
        trials.iter().filter(is_of).map(|trial| trial.seconds).sum()
    };
    let short_excess = sum(false, false) - sum(false, true) * EXCEED / (1.0 - EXCEED);
    let excess = sum(true, false) + short_excess.max(0.0);
    let kept = sum(true, true);
    let all = (kept + excess).max(target.sum);
    let (optimistic, pessimistic) = (excess <= all * EXCEED, all - kept <= all * EXCEED);
    (optimistic == pessimistic).then_some(optimistic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(trials: &[(f64, bool)]) -> Option<bool> {
        let trials: Vec<Trial> =
            trials.iter().map(|&(seconds, is_kept)| Trial { rate: 100.0, seconds, is_kept }).collect();
        is_lower(&trials, 100.0, LAST)
    }

    #[test]
    fn a_rate_is_judged_once_the_trials_that_are_missing_cannot_change_it() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[(20.0, true)]), None);
        assert_eq!(of(&[(20.0, true), (20.0, true)]), Some(true));
        assert_eq!(of(&[(20.0, true), (20.0, false)]), None);
        assert_eq!(of(&[(20.0, false), (20.0, false)]), Some(false));
    }

    #[test]
    fn short_trials_count_against_a_rate_only() {
        assert_eq!(of(&[(1.0, true); 90]), None);
        assert_eq!(of(&[(1.0, false); 31]), Some(false));
        assert_eq!(of(&[[(1.0, false); 31], [(1.0, true); 31]].concat()), None);
    }

    #[test]
    fn a_lower_bound_above_an_upper_one_is_none() {
        let trial = |rate, is_kept| Trial { rate, seconds: 1.0, is_kept };
        let trials = [trial(80.0, true), trial(90.0, false), trial(95.0, true), trial(99.0, false)];
        assert_eq!(bounds(&trials, FIRST), Interval { lower: 80.0, upper: 90.0 });
    }
}
