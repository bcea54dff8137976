//! A search whose service carries more for a while than for ever.

use super::Search;
use crate::trial::Trial;

impl Search {
    /// Requests per second that the service goes on to answer, where it carries more for a while.
    pub fn lasting(&self) -> Option<f64> {
        self.lasting
    }

    /// Looks whether the last trial lived on a reserve. Once one did, trials beyond the rate that lasts count only from
    /// when their reserve is used up.
    pub(super) fn find_lasting(&mut self) {
        let goal = &self.goals[self.goal];
        let Some(failures) = goal.failures().filter(|_| self.settings.at_least.is_none()) else { return };
        let found = self.trials.last().and_then(|trial| failures.lasting(trial, goal.criteria()));
        self.lasting = found.or(self.lasting);
        let Some(lasting) = self.lasting else { return };
        let most = failures.carried(lasting);
        let lasts = |trial: Trial| if trial.rate > most { failures.without_reserve(trial) } else { Some(trial) };
        self.trials = std::mem::take(&mut self.trials).into_iter().filter_map(lasts).collect();
        self.capacity = most;
        self.set_goals();
    }
}
