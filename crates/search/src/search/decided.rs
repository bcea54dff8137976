//! When a trial has told enough.

use super::{DOUBT, DOUBT_AT_LAST, Purpose, SHORT_RANGE, Search};
use crate::{
    ends::{by_rate, ends},
    hurry::QUICK,
};

/// A doubt that nothing exceeds: a rate is an end by its own share alone, wherever the line may be.
const CERTAINLY: f64 = 1.0;
/// A short trial is over once its rate is above the line with this probability.
const SURE: f64 = 0.99;
/// The share beyond a criterion, as a multiple of the share allowed, from which on it may end a trial.
const BROKEN: f64 = 1.5;

impl Search {
    /// Whether the trial under way has told enough. The line is computed anew only where the answer depends on it.
    pub(super) fn is_decided(&mut self, purpose: Purpose) -> bool {
        let Some((trial, _)) = &self.current else { return true };
        let Some(goal) = self.goals.get(self.goal) else { return true };
        let elapsed = self.now - trial.began;
        let counted = elapsed - goal.settling(trial.rate) - goal.known_after();
        let rate = trial.rate;
        // A growing queue ends a trial; a quick one, for which there is no second try, only once it counts as overrun.
        let is_growing = self.is_growing(trial) && (trial.is_overrun() || !matches!(purpose, Purpose::Quick(_)));
        if is_growing || self.time_left() <= 0.0 {
            return true;
        }
        match purpose {
            Purpose::Short => counted >= self.short_seconds(rate) || (counted >= 1.0 && self.is_sure(rate, counted)),
            Purpose::Quick(_) if rate > self.capacity => elapsed - goal.known_after() >= QUICK,
            Purpose::Quick(most) | Purpose::Long(most) => {
                counted >= most || (counted >= SHORT_RANGE.0 && (self.is_found() || self.is_broken()))
            }
        }
    }

    /// Whether it is known on which side of the line `rate` is.
    fn is_sure(&mut self, rate: f64, counted: f64) -> bool {
        self.learn();
        let below = self.goals[self.goal].below(rate);
        below > SURE || (below < DOUBT_AT_LAST && counted >= SHORT_RANGE.0)
    }

    /// Whether the trial under way has made the interval as narrow as wanted, its lower end carried for long enough.
    fn is_found(&mut self) -> bool {
        if !self.is_enough(CERTAINLY) {
            return false;
        }
        self.learn();
        self.is_enough(DOUBT)
    }

    /// Whether the rate under way is surely an upper end: then time is better spent on the lower one.
    fn is_broken(&mut self) -> bool {
        let Some((trial, _)) = &self.current else { return false };
        let rate = trial.rate;
        let goal = &self.goals[self.goal];
        if self.settings.at_least.is_some() || goal.pressure(&[trial]).0 < BROKEN {
            return false;
        }
        self.learn();
        self.goals[self.goal].below(rate) >= 1.0 - DOUBT
    }

    fn is_enough(&self, doubt: f64) -> bool {
        let trials = self.all_trials();
        let (lower, upper) = ends(&self.goals[self.goal], &by_rate(&trials), doubt);
        if self.settings.at_least.is_some() {
            return self.is_tested(lower, upper);
        }
        self.is_within(lower, upper)
            && lower.is_some_and(|lower| {
                let is_lower = self.current.as_ref().is_some_and(|(trial, _)| trial.rate == lower.rate);
                !is_lower || lower.seconds >= self.carried_for(self.goal) || doubt >= CERTAINLY
            })
    }
}
