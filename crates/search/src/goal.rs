//! One line that is looked for: the highest rate at which all its criteria hold.

use crate::{
    criterion::Criterion,
    posterior::Posterior,
    reserve::Failures,
    stall::{self, Met},
    theory::Theory,
    trial::Trial,
};

/// A criterion does not decide where the line is if its requests beyond the limit stay below this part of those
/// allowed at a rate at which another criterion breaks.
const IDLE_PART: f64 = 0.3;

/// Requests beyond a criterion, and their share as a multiple of the share allowed, that no burst explains.
const HOPELESS_COUNT: f64 = 5.0;
const HOPELESS_PRESSURE: f64 = 3.0;

/// Knowledge of one line.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    criteria: Vec<(usize, Criterion)>,
    pub posteriors: Vec<Posterior>,
    /// Requests that follow from an arrival, on average.
    requests_per_arrival: f64,
}

impl Goal {
    /// A line with `criteria` (each with its index) on a server of this capacity, between these loads: requests per
    /// second, or users if `think`, the mean of their pauses in seconds, is given. An arrival brings
    /// `requests_per_arrival` on average.
    pub fn new(
        criteria: Vec<(usize, Criterion)>,
        capacity: f64,
        think: Option<f64>,
        range: (f64, f64),
        requests_per_arrival: f64,
    ) -> Self {
        // A user who makes three requests before each pause is one who pauses for a third of it after each.
        let of_users = think.map(|think| (capacity * requests_per_arrival, Some(think / requests_per_arrival)));
        let (capacity, think) = of_users.unwrap_or((capacity, None));
        let posterior = |&(index, criterion): &(usize, Criterion)| {
            let theory = Theory::new(criterion, capacity, think);
            Posterior::new(index, criterion.share, theory, range, requests_per_arrival == 1.0)
        };
        Self { posteriors: criteria.iter().map(posterior).collect(), criteria, requests_per_arrival }
    }

    pub fn learn(&mut self, trials: &[&Trial]) {
        self.posteriors.iter_mut().for_each(|posterior| posterior.learn(trials));
    }

    pub fn settle(&mut self, trials: &[&Trial]) {
        self.posteriors.iter_mut().for_each(|posterior| posterior.settle(trials));
    }

    /// The capacity that a server has at least, if it carries `rate`.
    pub fn least_capacity(&self, rate: f64) -> f64 {
        self.posteriors.iter().map(|posterior| posterior.theory().least_capacity(rate)).fold(rate, f64::max)
    }

    /// Its criteria, each with its number.
    pub fn criteria(&self) -> &[(usize, Criterion)] {
        &self.criteria
    }

    /// The criterion of failures, if there is one. None with users, who send less once answers take longer, and where
    /// an arrival brings several requests, since a failure ends those.
    pub fn failures(&self) -> Option<Failures> {
        let share = self.criteria.iter().map(|(_, criterion)| criterion.share).fold(1.0, f64::min);
        let all = self.posteriors.iter().zip(&self.criteria);
        let (posterior, &(criterion, _)) = all.into_iter().find(|(_, (_, criterion))| criterion.limit.is_none())?;
        if posterior.theory().is_of_users() || self.requests_per_arrival != 1.0 {
            return None;
        }
        // Any rate will do: the memory of failures does not depend on it.
        let (dispersion, settling) = (posterior.theory().dispersion(0.0), posterior.settling(0.0));
        Some(Failures { criterion, share, dispersion, settling })
    }

    /// The probability that the line is below `rate`.
    pub fn below(&self, rate: f64) -> f64 {
        1.0 - self.posteriors.iter().map(|posterior| 1.0 - posterior.below(rate)).product::<f64>()
    }

    /// The rate that the line is below with this probability.
    pub fn quantile(&self, probability: f64) -> f64 {
        let ranges = self.posteriors.iter().map(Posterior::range);
        let (mut low, mut high) = ranges.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1))).unwrap_or((1.0, 1.0));
        for _ in 0..40 {
            let middle = (low * high).sqrt();
            if self.below(middle) < probability { low = middle } else { high = middle }
        }
        (low * high).sqrt()
    }

    /// The longest time that a queue at `rate` remembers, in seconds.
    pub fn relaxation(&self, rate: f64) -> f64 {
        self.posteriors.iter().map(|posterior| posterior.theory().relaxation(rate)).fold(0.0, f64::max)
    }

    /// Seconds at the beginning of a trial at `rate` that do not count.
    pub fn settling(&self, rate: f64) -> f64 {
        self.posteriors.iter().map(|posterior| posterior.settling(rate)).fold(0.0, f64::max)
    }

    /// Seconds after which `rate` is surely below the line, if no request is beyond a limit by then. Failures count
    /// only if no criterion has a limit: an overload, which is tried as well, tells at once whether they decide.
    pub fn seconds_to_clear(&self, rate: f64) -> f64 {
        let theories = || self.posteriors.iter().map(Posterior::theory);
        let has_limit = theories().any(|theory| theory.has_limit());
        let of_times = theories().filter(|theory| theory.has_limit() == has_limit);
        of_times.map(|theory| theory.seconds_to_clear(rate)).fold(0.0, f64::max)
    }

    /// The longest limit of a response time, in seconds.
    pub fn limit(&self) -> f64 {
        self.criteria.iter().filter_map(|(_, criterion)| criterion.limit).fold(0.0, f64::max)
    }

    /// Twice the log-likelihood ratio of two lines, the later one lower, to one, by the criterion that shows it most;
    /// and the number of trials before the change.
    pub fn turned_slower(&self) -> (f64, usize) {
        let all = self.posteriors.iter().map(Posterior::turned_slower);
        all.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
    }

    /// The dispersion of requests beyond a time near a limit, at `rate`; none where there is none.
    pub fn dispersion(&self, rate: f64) -> Option<f64> {
        let of_time = self.posteriors.iter().zip(&self.criteria).find(|(_, (_, criterion))| criterion.limit.is_some());
        of_time.and_then(|(posterior, _)| posterior.dispersion_at(rate))
    }

    /// The times for which the service stood still in a trial.
    pub fn stalls(&self, trial: &Trial) -> Met {
        let is_far = self.posteriors.iter().all(|posterior| posterior.theory().is_far(trial.rate));
        let with_limit = || self.posteriors.iter().zip(&self.criteria).filter(|(_, (_, it))| it.limit.is_some());
        let late = with_limit().map(|(posterior, (index, _))| {
            stall::met(trial, *index, posterior.theory().relaxation(trial.rate), is_far)
        });
        let silent = stall::without_answer(trial).filter(|_| with_limit().next().is_some());
        let silent = silent.map(|seconds| Met { longest: seconds, all: seconds, count: 1 });
        late.chain(silent).reduce(Met::or).unwrap_or_default()
    }

    /// Seconds after a request's intended time by which its place is known for all criteria.
    pub fn known_after(&self) -> f64 {
        self.criteria.iter().map(|(_, criterion)| criterion.known_after()).fold(0.0, f64::max)
    }

    /// The line as theory expects it.
    pub fn expected(&self) -> f64 {
        self.posteriors.iter().map(|posterior| posterior.theory().line()).fold(f64::INFINITY, f64::min)
    }

    /// Seconds that it takes at best to know the line to `resolution`.
    pub fn seconds_needed(&self, resolution: f64) -> f64 {
        let theories = || self.posteriors.iter().map(Posterior::theory);
        let per_second = theories().map(Theory::per_second).fold(f64::INFINITY, f64::min);
        let per_arrival = if theories().any(Theory::is_of_users) { 1.0 } else { self.requests_per_arrival };
        theories().map(|theory| theory.requests_needed(resolution)).fold(0.0, f64::max) / (per_second * per_arrival)
    }

    /// The largest share beyond a criterion in `trials`, as a multiple of the share allowed, and the seconds counted.
    pub fn pressure(&self, trials: &[&Trial]) -> (f64, f64) {
        let mut greatest = (0.0, 0.0);
        for (posterior, (_, criterion)) in self.posteriors.iter().zip(&self.criteria) {
            let all = posterior.counts_of(trials);
            if all.share() / criterion.share >= greatest.0 {
                greatest = (all.share() / criterion.share, all.length);
            }
        }
        greatest
    }

    /// Whether far more requests than allowed are beyond a criterion, too many for chance.
    pub fn is_hopeless(&self, trials: &[&Trial]) -> bool {
        self.posteriors.iter().zip(&self.criteria).any(|(posterior, (_, criterion))| {
            let counts = posterior.counts_of(trials);
            counts.beyond >= HOPELESS_COUNT && counts.share() > HOPELESS_PRESSURE * criterion.share
        })
    }

    /// Leaves out the criteria that do not decide: those far from their limit at a rate that is surely too high for
    /// another one.
    pub fn leave_out_idle(&mut self, trials: &[&Trial]) {
        if self.posteriors.len() < 2 {
            return;
        }
        let breaks = |posterior: &Posterior, trial: &Trial| posterior.below(trial.rate) > 0.98;
        let broken: Vec<&Trial> = trials
            .iter()
            .copied()
            .filter(|trial| self.posteriors.iter().any(|posterior| breaks(posterior, trial)))
            .collect();
        let is_idle = |posterior: &Posterior, criterion: &Criterion| {
            broken.iter().any(|trial| {
                let counts = posterior.counts(trial);
                counts.offered * criterion.share > 5.0
                    && counts.share() < IDLE_PART * criterion.share
                    && posterior.below(trial.rate) < 0.5
            })
        };
        let idle: Vec<bool> = self
            .posteriors
            .iter()
            .zip(&self.criteria)
            .map(|(posterior, (_, criterion))| is_idle(posterior, criterion))
            .collect();
        if idle.iter().all(|&idle| idle) {
            return;
        }
        let mut idle_criteria = idle.iter();
        self.posteriors.retain(|_| !idle_criteria.next().copied().unwrap_or(false));
        let mut idle_criteria = idle.iter();
        self.criteria.retain(|_| !idle_criteria.next().copied().unwrap_or(false));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Seen, Slot};

    /// Each of 60 arrivals in a slot brings three requests: 600 arrivals a second, and not 1,800.
    #[test]
    fn requests_that_follow_from_an_arrival_are_none() {
        let middle = |requests: u32| {
            let criteria = vec![(0, Criterion::percentile(0.99, 0.1))];
            let mut goal = Goal::new(criteria, 800.0, None, (8.0, 896.0), f64::from(requests));
            let slots = (0..300).map(|slot| Slot {
                offered: 60 * requests,
                beyond: vec![if slot % 50 < 5 { 12 * requests } else { 0 }],
            });
            let seen = Seen { slots: slots.collect(), ..Seen::default() };
            goal.settle(&[&Trial { rate: 600.0, began: 0.0, seen }]);
            goal.quantile(0.5)
        };
        let (of_one, of_three) = (middle(1), middle(3));
        assert!((of_three / of_one - 1.0).abs() < 0.05, "{of_one} and {of_three}");
    }
}
