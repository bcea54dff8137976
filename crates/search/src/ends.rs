//! The ends of the interval: measured rates whose own share of requests beyond a criterion puts them on their side of
//! the line, and beyond which the line surely does not lie.

use crate::{answer::End, goal::Goal, trial::Trial};

/// Seconds that a rate must have been carried to be a lower end.
const LEAST_CARRIED: f64 = 4.0;
/// The share beyond a criterion that an upper end has at least, as a multiple of the share allowed.
const LEAST_BROKEN: f64 = 1.2;

/// All trials at one rate.
pub(crate) struct AtRate<'a> {
    pub rate: f64,
    pub trials: Vec<&'a Trial>,
}

/// The trials by rate, ascending.
pub(crate) fn by_rate<'a>(trials: &[&'a Trial]) -> Vec<AtRate<'a>> {
    let mut rates: Vec<AtRate<'a>> = Vec::new();
    for &trial in trials {
        match rates.iter_mut().find(|at| at.rate == trial.rate) {
            Some(at) => at.trials.push(trial),
            None => rates.push(AtRate { rate: trial.rate, trials: vec![trial] }),
        }
    }
    rates.sort_by(|a, b| a.rate.total_cmp(&b.rate));
    rates
}

/// For how long `rate` was offered, once its queue had time to fill.
pub(crate) fn seconds_at(goal: &Goal, rates: &[AtRate<'_>], rate: f64) -> f64 {
    rates.iter().find(|at| at.rate == rate).map_or(0.0, |at| goal.pressure(&at.trials).1)
}

/// The ends as far as they are known, the line being beyond each with a probability of at most `doubt`.
pub(crate) fn ends(goal: &Goal, rates: &[AtRate<'_>], doubt: f64) -> (Option<End>, Option<End>) {
    let end = |at: &AtRate<'_>| {
        let (pressure, seconds) = goal.pressure(&at.trials);
        End { rate: at.rate, seconds, pressure, dispersion: goal.dispersion(at.rate) }
    };
    let is_upper = |end: &End| end.pressure > LEAST_BROKEN;
    let upper = rates.iter().filter(|at| goal.below(at.rate) >= 1.0 - doubt).map(end).find(is_upper);
    // A rate higher than what is answered at the upper end was carried on a reserve.
    let beyond = upper.and_then(|end| rates.iter().find(|at| at.rate == end.rate));
    let most = beyond.and_then(|at| goal.failures()?.most(&at.trials, goal.criteria())).unwrap_or(f64::INFINITY);
    let is_lower = |end: &End| end.seconds >= LEAST_CARRIED && end.pressure <= 1.0 && end.rate <= most;
    let lower = rates.iter().rev().filter(|at| goal.below(at.rate) <= doubt).map(end).find(is_lower);
    (lower, upper)
}
