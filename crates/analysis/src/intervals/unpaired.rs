//! A figure against the same figure of another execution, whose rounds were made at another time and cannot be paired
//! with its own. The interval is Welch's ("The generalization of Student's problem when several different population
//! variances are involved", Biometrika 34, 1947), with the extremes of many rounds left out as Yuen does (Biometrika
//! 61, 1974). For rare events it is put together from those of both sides (MOVER: Zou & Donner, Statistics in Medicine
//! 27, 2008).

use super::{Interval, LEAST_ROUNDS, Rounds, Scale, Tails, student};

/// The least error that is tried for [`Unpaired::chance`]: far below what any correction asks for.
const LEAST_ERROR: f64 = 1e-9;
/// Bisections of the error's logarithm: they find it to a thousandth.
const HALVINGS: u32 = 14;
/// The most rounds that are worth naming.
const ROUNDS_MAX: usize = 200;

/// How far the later execution is from the earlier one: a factor on a logarithmic scale, an amount on the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unpaired<'a> {
    pub before: Rounds<'a>,
    pub after: Rounds<'a>,
}

impl Unpaired<'_> {
    /// The interval that misses the truth with probability `error`; none with too few rounds of either, or where a
    /// value has no place on the scale.
    pub(crate) fn interval(&self, error: f64) -> Option<Interval> {
        if self.before.values.len().min(self.after.values.len()) < LEAST_ROUNDS {
            return None;
        }
        let found = match self.before.scale {
            Scale::Events { .. } => self.of_events(error)?,
            Scale::Logarithmic => self.welch(error)?.map(f64::exp),
            Scale::Linear => self.welch(error)?,
        };
        found.is_finite().then_some(found)
    }

    /// The least error with which the interval excludes `bound`: the probability of missing it by chance.
    pub(crate) fn chance(&self, bound: f64) -> Option<f64> {
        let leaves_out = |error| self.interval(error).is_some_and(|it| bound < it.low || it.high < bound);
        self.interval(super::ERROR)?;
        let (mut sure, mut doubtful) = (LEAST_ERROR.ln(), 0.0_f64);
        if leaves_out(sure.exp()) {
            return Some(LEAST_ERROR);
        }
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(sure, doubtful);
            *(if leaves_out(middle.exp()) { &mut doubtful } else { &mut sure }) = middle;
        }
        Some(doubtful.exp())
    }

    /// The number of rounds of each that would give an interval no wider than `half` to either side (on a logarithmic
    /// scale a logarithm), going by the spread seen. None if hundreds, or if no spread is known.
    pub(crate) fn rounds_for(&self, half: f64) -> Option<u32> {
        let (before, after) = (self.before.mean()?, self.after.mean()?);
        let deviation = |mean: &super::Mean, rounds: usize| mean.error() * (rounds as f64).sqrt();
        let [a, b] = [(&before, self.before.values.len()), (&after, self.after.values.len())]
            .map(|(mean, rounds)| deviation(mean, rounds));
        let is_enough = |rounds: usize| {
            let error = ((a * a + b * b) / rounds as f64).sqrt();
            student::quantile(super::ERROR / 2.0, 2 * (rounds - 1)) * error <= half
        };
        if self.before.values.len().min(self.after.values.len()) < 2 || a + b == 0.0 {
            return None;
        }
        (LEAST_ROUNDS..=ROUNDS_MAX).find(|&rounds| is_enough(rounds)).and_then(|rounds| u32::try_from(rounds).ok())
    }

    fn welch(&self, error: f64) -> Option<Interval> {
        let (before, after) = (self.before.mean()?, self.after.mean()?);
        let scale = |rounds: &Rounds<'_>| match rounds.scale {
            Scale::Logarithmic => rounds.unit().ln(),
            Scale::Linear | Scale::Events { .. } => 0.0,
        };
        let estimate = (after.centre + scale(&self.after)) - (before.centre + scale(&self.before));
        let (a, b) = (before.error().powi(2), after.error().powi(2));
        // Rounds without any scatter: zero times infinity is zero here.
        if a + b == 0.0 {
            return Some(Interval::at(estimate));
        }
        let freedom = (a + b).powi(2) / (a * a / before.freedom() as f64 + b * b / after.freedom() as f64);
        let half = student::quantile(error / 2.0, freedom.floor().max(1.0) as usize) * (a + b).sqrt();
        Some(Interval { estimate, low: estimate - half, high: estimate + half })
    }

    fn of_events(&self, error: f64) -> Option<Interval> {
        let (before, after) = (self.before.interval(Tails::both(error))?, self.after.interval(Tails::both(error))?);
        let estimate = after.estimate - before.estimate;
        let below = (after.estimate - after.low).hypot(before.high - before.estimate);
        let above = (after.high - after.estimate).hypot(before.estimate - before.low);
        Some(Interval { estimate, low: estimate - below, high: estimate + above })
    }
}

/// Whether each of several differences that are judged together is one, by their `chances`: in at most 5 % of such
/// comparisons a difference is called where there is none (Holm, "A simple sequentially rejective multiple test
/// procedure", Scandinavian Journal of Statistics 6, 1979).
pub(crate) fn holm(chances: &[f64]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|&a, &b| chances[a].total_cmp(&chances[b]));
    let mut is_called = vec![false; chances.len()];
    for (rank, index) in order.into_iter().enumerate() {
        if chances[index] > super::ERROR / (chances.len() - rank) as f64 {
            break;
        }
        is_called[index] = true;
    }
    is_called
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intervals::coverage;

    fn of<'a>(before: &'a [f64], after: &'a [f64], scale: Scale) -> Unpaired<'a> {
        let rounds = |values| Rounds::of(values, scale);
        Unpaired { before: rounds(before), after: rounds(after) }
    }

    #[test]
    fn the_interval_is_that_of_welch() {
        let (before, after) = ([27.1, 22.0, 20.8], [20.4, 24.2, 15.4, 21.4, 20.2]);
        let found = of(&before, &after, Scale::Linear).interval(0.05).unwrap();
        assert!((found.estimate + 2.98).abs() < 1e-2, "{found:?}");
        let errors = [variance(&before) / 3.0, variance(&after) / 5.0];
        let sum: f64 = errors.iter().sum();
        let freedom = sum.powi(2) / (errors[0].powi(2) / 2.0 + errors[1].powi(2) / 4.0);
        assert!((4.0..5.0).contains(&freedom), "{freedom}");
        // Four degrees, by the tables: whole ones, which makes it a little wider.
        let half = 2.776_445_105 * sum.sqrt();
        assert!(((found.high - found.estimate) / half - 1.0).abs() < 1e-8, "{found:?}");
    }

    fn variance(values: &[f64]) -> f64 {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64
    }

    #[test]
    fn a_factor_is_found_whatever_the_unit() {
        let found = of(&[1.0, 1.1, 0.9], &[2.0, 2.2, 1.8], Scale::Logarithmic).interval(0.05).unwrap();
        assert!((found.estimate - 2.0).abs() < 1e-9 && found.low < 2.0 && found.high > 2.0, "{found:?}");
        assert!(of(&[1.0, 1.1], &[2.0, 2.2, 1.8], Scale::Logarithmic).interval(0.05).is_none());
        assert!(of(&[1.0, 0.0, 2.0], &[2.0, 2.2, 1.8], Scale::Logarithmic).interval(0.05).is_none());
    }

    #[test]
    fn the_chance_is_where_the_interval_begins_to_leave_the_bound_out() {
        let it = of(&[1.0, 1.1, 0.9], &[1.3, 1.4, 1.25], Scale::Logarithmic);
        let chance = it.chance(1.0).unwrap();
        let leaves_out = |error| it.interval(error).is_some_and(|it| it.low > 1.0);
        assert!(leaves_out(chance * 1.01) && !leaves_out(chance * 0.99), "{chance}");
    }

    #[test]
    fn of_many_chances_holm_calls_those_that_stay_small() {
        assert_eq!(holm(&[0.04, 0.01, 0.03]), [false, true, false]);
        assert_eq!(holm(&[0.04, 0.01, 0.02]), [true, true, true]);
        assert_eq!(holm(&[0.06]), [false]);
        assert_eq!(holm(&[]), Vec::<bool>::new());
    }

    #[test]
    fn more_rounds_are_asked_for_where_rounds_scatter_more() {
        let rounds = |spread: f64| {
            let values = [1.0 - spread, 1.0, 1.0 + spread];
            of(&values, &values, Scale::Logarithmic).rounds_for(1.05_f64.ln())
        };
        assert!(rounds(0.02).unwrap() < rounds(0.05).unwrap(), "{:?} {:?}", rounds(0.02), rounds(0.05));
        assert_eq!(rounds(0.9), None);
    }

    #[test]
    fn intervals_of_two_executions_hold_the_truth_as_often_as_they_say() {
        for cell in coverage::PAIRS {
            for rounds in [3, 5, 10] {
                let found = coverage::of_pairs(cell, rounds, 2_000, 11);
                // Standard errors of half a percent.
                assert!(found >= 0.935, "{}, {rounds} rounds: {found}", cell.name);
            }
        }
    }

    #[test]
    fn of_many_comparisons_without_any_difference_few_call_one() {
        let called = coverage::falsely_called(20, 3, 1_000, 5);
        assert!(called <= 0.065, "{called}");
    }
}
