//! A search whose service turns slower: what was carried before says nothing any more.

use super::{
    LONG_RANGE, Search,
    faster::{AGAIN_MOST, AGAIN_SECONDS},
};
use crate::answer::End;

/// Twice the log-likelihood ratio from which on two lines, the later one lower, are believed. Only a handful of 14,000
/// looks at simulated servers that stay the same saw so much by chance.
const CLEAR: f64 = 18.0;
/// From so much on it is worth a look: by chance one in ten looks at a service that stays the same has it.
const DOUBTFUL: f64 = 6.0;
/// The part of the search's time after which a measurement may be outdated.
const OLD: f64 = 1.0 / 3.0;

impl Search {
    /// Forgets the trials from before the service turned slower, and probes it anew: the dispersion that is expected
    /// depends on its capacity.
    pub(super) fn find_turned_slower(&mut self) {
        let is_worth_it = self.settings.at_least.is_none() && self.time_left() > LONG_RANGE.1;
        if !is_worth_it || self.probes > AGAIN_MOST {
            return;
        }
        let (clearness, before) = self.goals[self.goal].turned_slower();
        if clearness < CLEAR {
            return;
        }
        self.trials.drain(..before);
        self.set_goals();
        self.has_turned_slower = true;
        self.probe.again(self.now + AGAIN_SECONDS);
    }

    /// Whether the service may have turned slower since the lower end was carried: then it is offered once more.
    pub(super) fn is_outdated(&self, lower: End) -> bool {
        let of_lower = self.trials.iter().filter(|trial| trial.rate == lower.rate);
        let carried = of_lower.map(|trial| trial.began).fold(self.probed, f64::max);
        carried < self.now - OLD * (self.now - self.probed) && self.goals[self.goal].turned_slower().0 >= DOUBTFUL
    }
}
