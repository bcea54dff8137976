//! The choice of the next trial.

use super::{DOUBT, DOUBT_AT_LAST, LONG_RANGE, Purpose, SHORT_RANGE, Search, pair::ASIDE};
use crate::{
    answer::{Answer, End, Outcome},
    ends::{AtRate, by_rate, ends},
    goal::Goal,
    hurry::{Known, quick_seconds},
    trial::Trial,
};

/// Rough trials, which are short, are made until the line is known to within so many resolutions.
const COARSE: f64 = 4.0;
/// Relaxation times for which a short trial counts.
const SHORT: f64 = 3.0;
/// The part of the time so far for which another trial counts.
const LONG: f64 = 0.2;
/// With little time left, a lower end below this part of where it shall be counts as none.
const FAR_BELOW: f64 = 0.7;
/// The last part of the time, in which missing ends are measured. An end counts as missing, too, if it lies outside the
/// range of the line by more than this part of that range, by logarithms.
const LAST_PART: f64 = 0.15;
const FAR: f64 = 0.25;
/// The first trial is made at this part of the capacity: objectives that do not hold there are no matter of load.
const AT_REST: f64 = 0.1;
/// The part of the time that rough trials may take, however little is known by then; so many seconds in any case.
const COARSE_PART: f64 = 0.15;
const COARSE_SECONDS: f64 = 60.0;
/// With time to spare rough trials are made where theory expects the line, but no higher than this quantile of it.
const LIKELY: f64 = 0.9;

/// A trial that may be made.
struct Offer {
    rate: f64,
    /// How long it takes, once its queue had time to fill.
    seconds: f64,
    purpose: Purpose,
}

impl Search {
    /// The next trial of the goal, or its answer.
    pub(super) fn next_trial(&mut self) -> Result<(f64, Purpose), Answer> {
        if self.settings.cold.is_some() {
            return self.next_fresh(self.goal);
        }
        let trials: Vec<&Trial> = self.trials.iter().collect();
        let goal = &mut self.goals[self.goal];
        goal.settle(&trials);
        let goal = &self.goals[self.goal];
        let (from, to) = self.range();
        let rates = by_rate(&trials);
        let (lower, upper) = ends(goal, &rates, DOUBT);
        if let Some(rate) = self.settings.at_least {
            return self.test(rate, self.is_tested(lower, upper));
        }
        let is_narrow = self.is_within(lower, upper);
        let carried = self.carried_for(self.goal);
        if let Some(end) = lower.filter(|end| is_narrow && end.seconds >= carried) {
            if self.is_outdated(end) && self.time_left() > goal.settling(end.rate) + LONG_RANGE.0 {
                return Ok((end.rate, Purpose::Long(LONG_RANGE.0)));
            }
            return Err(self.answer(self.goal, Outcome::Found, DOUBT));
        }
        let is_highest = |end: End| end.rate >= to * 0.999 && end.seconds >= carried;
        if self.settings.to.is_some_and(|most| most <= to * 1.001) && lower.is_some_and(is_highest) {
            return Err(self.answer(self.goal, Outcome::AlwaysHolds, DOUBT));
        }
        let at_rest = self.offered((AT_REST * self.top()).clamp(from, to));
        let is_hopeless = |at: &AtRate<'_>| at.rate <= at_rest && goal.is_hopeless(&at.trials);
        if rates.iter().any(is_hopeless) {
            let lowest = self.offered(from);
            match rates.iter().find(|at| at.rate <= lowest) {
                Some(at) if is_hopeless(at) => return Err(self.answer(self.goal, Outcome::NeverHolds, DOUBT)),
                Some(_) => {}
                None => return Ok((lowest, Purpose::Long(LONG_RANGE.1))),
            }
        }
        let middle = goal.quantile(0.5).clamp(from, to);
        let time_left = self.time_left();
        let (lower_at_last, upper_at_last) = ends(goal, &rates, DOUBT_AT_LAST);
        let hurried = Known {
            lower: lower_at_last,
            upper: upper_at_last,
            capacity: self.top(),
            most: self.overload(),
            is_exceeded: self.is_exceeded,
            time_left,
            is_short: self.is_short(),
        };
        let quickly = |rate: f64| Ok((rate, Purpose::Quick(quick_seconds(goal, rate))));
        if time_left < goal.settling(middle) + SHORT_RANGE.0 {
            let time_up = || Err(self.answer(self.goal, Outcome::TimeUp, DOUBT_AT_LAST));
            return hurried.quick(middle, goal).map_or_else(time_up, quickly);
        }
        if let Some(rate) = self.missing_end(goal, &rates).filter(|_| !is_narrow) {
            return Ok((rate.clamp(from, to), Purpose::Long(LONG_RANGE.0)));
        }
        if let Some(end) = lower.filter(|_| is_narrow) {
            // Where no time is enough, further trials tell how often it stands still.
            let missing = if carried.is_finite() { carried - end.seconds } else { LONG_RANGE.1 };
            return Ok((end.rate, Purpose::Long(missing.max(1.0))));
        }
        let offer = self.roughly(goal, &rates, middle).unwrap_or_else(|| self.closely(goal, &rates, middle, &hurried));
        let Offer { rate, seconds, purpose } = offer;
        hurried.instead_of(rate, seconds, goal).map_or(Ok((rate, purpose)), quickly)
    }

    /// How closely the line is known: the width of the range in which it lies with a probability of 96 %.
    fn known(goal: &Goal) -> f64 {
        goal.quantile(1.0 - DOUBT) / goal.quantile(DOUBT) - 1.0
    }

    /// Whether there is hardly time for more than rough trials, all in all.
    pub(super) fn is_short(&self) -> bool {
        self.settings.at_most < COARSE_SECONDS
    }

    fn spent(&self) -> f64 {
        (self.now - self.probed).max(1.0)
    }

    /// A short trial, as long as little is known.
    fn roughly(&self, goal: &Goal, rates: &[AtRate<'_>], middle: f64) -> Option<Offer> {
        let most = (COARSE_PART * self.settings.at_most).max(COARSE_SECONDS);
        if Self::known(goal) <= COARSE * self.settings.resolution || self.spent() >= most {
            return None;
        }
        let rate = match rates.len() {
            0 => AT_REST * self.top(),
            1 => self.at_first(goal),
            _ if self.time_left() > COARSE_SECONDS => goal.expected().min(goal.quantile(LIKELY)).max(middle),
            _ => middle,
        };
        let (from, to) = self.range();
        let rate = rate.clamp(from, to);
        Some(Offer { rate, seconds: self.short_seconds(rate), purpose: Purpose::Short })
    }

    /// A longer trial, on one side of the middle.
    fn closely(&self, goal: &Goal, rates: &[AtRate<'_>], middle: f64, hurried: &Known) -> Offer {
        let (from, to) = self.range();
        let time_left = self.time_left();
        // The width that will be known when time is up, if it goes on like that.
        let foreseen = 0.8 * Self::known(goal) * (self.spent() / self.settings.at_most).sqrt();
        let pair = self.pair(goal, rates, middle, foreseen.max(self.settings.resolution));
        let seconds = (LONG * self.now).clamp(LONG_RANGE.0, LONG_RANGE.1);
        // Time is kept for an end that this trial may take away.
        let overhead = goal.settling(middle) + goal.known_after();
        let left = time_left - overhead;
        let reserve = LONG_RANGE.0 + overhead;
        let seconds = seconds.min(if left > 2.0 * reserve { left - reserve } else { left.max(1.0) });
        let is_far = |end: End| end.rate < FAR_BELOW * pair.low;
        let (rate, seconds) = if time_left < COARSE_SECONDS && hurried.lower.is_none_or(is_far) {
            // A lower end that is missing or far away is looked for first.
            let is_measured = rates.iter().any(|at| (FAR_BELOW * pair.low..=pair.low).contains(&at.rate));
            (if is_measured { FAR_BELOW.sqrt() * pair.low } else { pair.low }, seconds)
        } else {
            let (rate, missing) = self.doubtful(goal, rates, pair);
            (rate, seconds.max(missing.min(left - reserve)))
        };
        Offer { rate: rate.clamp(from, to), seconds, purpose: Purpose::Long(seconds) }
    }

    /// The first trial after the one at rest. The number of users that theory expects is so near to the line that a
    /// trial there passes by chance, half of the time: it is made below.
    fn at_first(&self, goal: &Goal) -> f64 {
        match self.settings.think {
            Some(_) => goal.expected() / (1.0 + self.settings.resolution).powf(ASIDE),
            None => goal.expected(),
        }
    }

    /// How long a short trial at `rate` takes at most, once its queue had time to fill.
    pub(super) fn short_seconds(&self, rate: f64) -> f64 {
        (SHORT * self.goals[self.goal].relaxation(rate)).clamp(SHORT_RANGE.0, SHORT_RANGE.1)
    }

    /// When time is nearly up, a rate that can be an end, if one is missing or much farther away than the line may be.
    fn missing_end(&self, goal: &Goal, rates: &[AtRate<'_>]) -> Option<f64> {
        if self.time_left() > LAST_PART * self.settings.at_most {
            return None;
        }
        let (lower, upper) = ends(goal, rates, DOUBT_AT_LAST);
        let (low, high) = (goal.quantile(0.5 * DOUBT_AT_LAST), goal.quantile(1.0 - 0.5 * DOUBT_AT_LAST));
        let far = (high / low).powf(FAR);
        if lower.is_none_or(|end| end.rate * far < low) {
            return Some(low);
        }
        upper.is_none_or(|end| end.rate > high * far).then_some(high)
    }

    /// The next trial at the only rate that is tested.
    fn test(&self, rate: f64, is_decided: bool) -> Result<(f64, Purpose), Answer> {
        if is_decided {
            return Err(self.answer(self.goal, Outcome::Found, DOUBT));
        }
        if self.time_left() < self.goals[self.goal].settling(rate) + SHORT_RANGE.0 {
            return Err(self.answer(self.goal, Outcome::TimeUp, DOUBT));
        }
        Ok((rate, Purpose::Long(self.time_left())))
    }
}
