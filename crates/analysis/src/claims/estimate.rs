//! Estimates from rounds: of a formula, and of one side of a claim against the other.

use super::{
    branches::{Branches, Said},
    expression::Operator,
    formula::Formula,
    metric::Scatter,
};
use crate::intervals::{Interval, Rounds, Scale, Tails};

/// Figures by round, and how they scatter.
pub(super) struct Estimator<'a> {
    /// Values by figure, then by round.
    pub figures: &'a [Vec<f64>],
    /// One for each figure.
    pub scatters: &'a [Scatter],
}

/// Both sides of a claim, left − right, taken apart.
pub(super) struct Sides {
    difference: Branches,
    /// Whether the sides are compared by their ratio; else by their difference.
    pub is_ratio: bool,
}

impl Sides {
    /// Both sides, compared by their ratio if all figures and operations in them are positive: a machine that slows a
    /// round down slows both sides by the same factor.
    pub fn of(estimator: &Estimator, left: &Formula, right: &Formula) -> Self {
        let difference = Formula::Binary(Operator::Subtract, Box::new(left.clone()), Box::new(right.clone()));
        let difference = Branches::of(&difference, estimator.figures);
        let is_ratio = !right.figures().is_empty()
            && difference.leaves().into_iter().all(|it| match it {
                Formula::Binary(Operator::Subtract, left, right) => {
                    [left, right].into_iter().all(|side| estimator.is_positive(side))
                }
                _ => false,
            });
        Self { difference, is_ratio }
    }
}

impl Estimator<'_> {
    /// The estimate, in base units, also where there are too few rounds for an interval.
    pub fn estimate(&self, formula: &Formula) -> Option<f64> {
        let of_plain = |formula: &Formula, _| self.plain(formula, &|rounds| rounds.estimate().map(Interval::at));
        let said = Said { of_plain: &of_plain, of_each_round: &|_, _| None };
        Some(Branches::of(formula, self.figures).interval(Tails::both(1.0), &said)?.estimate)
    }

    /// The interval, in base units.
    pub fn interval(&self, formula: &Formula, tails: Tails) -> Option<Interval> {
        let of_plain = |formula: &Formula, tails| self.within(formula, tails, None);
        let of_each_round = |branches: &Branches, tails| self.each_round(branches, false, tails, None);
        let said = Said { of_plain: &of_plain, of_each_round: &of_each_round };
        Branches::of(formula, self.figures).interval(tails, &said)
    }

    /// The logarithm of left ÷ right, or left − right in base units: below zero if the left is less. Over the rounds
    /// that are there, or over so many `foreseen` ones.
    pub fn compared(&self, sides: &Sides, tails: Tails, foreseen: Option<usize>) -> Option<Interval> {
        let of_plain = |formula: &Formula, tails| match formula {
            Formula::Binary(Operator::Subtract, left, right) => {
                self.one_against_other(formula, (left, right), sides.is_ratio, tails, foreseen)
            }
            other => self.within(other, tails, foreseen),
        };
        let of_each_round = |branches: &Branches, tails| self.each_round(branches, sides.is_ratio, tails, foreseen);
        sides.difference.interval(tails, &Said { of_plain: &of_plain, of_each_round: &of_each_round })
    }

    fn one_against_other(
        &self,
        difference: &Formula,
        (left, right): (&Formula, &Formula),
        is_ratio: bool,
        tails: Tails,
        foreseen: Option<usize>,
    ) -> Option<Interval> {
        if self.counts_events(difference) && difference.by_round(self.figures).iter().all(|&value| value == 0.0) {
            // No interval of a count excludes its neighbours; but a count that met its bound in every round has met it:
            // "no errors" is a statement about what was measured.
            return Some(Interval::at(0.0));
        }
        if is_ratio {
            let quotient = Formula::Binary(Operator::Divide, Box::new(left.clone()), Box::new(right.clone()));
            return Some(self.within(&quotient, tails, foreseen)?.map(f64::ln));
        }
        match right.straight() {
            (bound, _, None) => Some(self.within(left, tails, foreseen)?.map(|value| value - bound)),
            _ => self.within(difference, tails, foreseen),
        }
    }

    fn within(&self, formula: &Formula, tails: Tails, foreseen: Option<usize>) -> Option<Interval> {
        let (_, factor, _) = formula.straight();
        let tails = if factor < 0.0 { tails.exchanged() } else { tails };
        self.plain(formula, &|rounds| of_rounds(rounds, tails, foreseen))
    }

    /// The interval of the greatest or the least of each round. None if figures count events, whose intervals are made
    /// in another way, or if parts are compared with different bounds.
    fn each_round(
        &self,
        branches: &Branches,
        is_ratio: bool,
        tails: Tails,
        foreseen: Option<usize>,
    ) -> Option<Interval> {
        let leaves = branches.leaves();
        if leaves.iter().any(|leaf| self.has_events(leaf)) {
            return None;
        }
        let (bounds, cores): (Vec<f64>, Vec<Formula>) = leaves.iter().map(|it| core_of(it, is_ratio)).unzip();
        let bound = bounds[0];
        if bounds.iter().any(|&it| it != bound) {
            return None;
        }
        let is_positive = cores.iter().all(|core| self.is_positive(core));
        let scale = if is_positive { Scale::Logarithmic } else { Scale::Linear };
        let step = cores.iter().map(|core| self.step(core, scale)).fold(0.0, f64::max);
        let values = branches.by_round(&|leaf| core_of(leaf, is_ratio).1.by_round(self.figures));
        let found = of_rounds(Rounds { step, ..Rounds::of(&values, scale) }, tails, foreseen)?;
        Some(found.map(|value| if is_ratio { value.ln() } else { value - bound }))
    }

    /// The interval that `of` makes of the rounds of a formula's core, in terms of the formula.
    fn plain(&self, formula: &Formula, of: &dyn Fn(Rounds) -> Option<Interval>) -> Option<Interval> {
        let (offset, factor, core) = formula.straight();
        let Some(core) = core else { return Some(Interval::at(offset)) };
        let values = core.by_round(self.figures);
        let scale = self.scale(core);
        let (step, has_events) = (self.step(core, scale), self.has_events(core));
        let found = of(Rounds { step, has_events, ..Rounds::of(&values, scale) })?;
        let Interval { estimate, low, high } = found.map(|value| offset + factor * value);
        Some(Interval { estimate, low: low.min(high), high: low.max(high) })
    }

    fn scale(&self, core: &Formula) -> Scale {
        let events = match core {
            Formula::Figure(place) => self.scatters[*place].events,
            _ => None,
        };
        match events {
            Some(most) => Scale::Events { most },
            None if self.is_positive(core) => Scale::Logarithmic,
            None => Scale::Linear,
        }
    }

    /// Whether it is positive in every round, as a product or sum of positive figures.
    fn is_positive(&self, formula: &Formula) -> bool {
        let is_positive = |place: usize| self.figures[place].iter().all(|&value| value > 0.0 && value.is_finite());
        formula.is_multiplicative() && formula.figures().into_iter().all(is_positive)
    }

    fn has_events(&self, formula: &Formula) -> bool {
        formula.figures().into_iter().any(|place| self.scatters[place].events.is_some())
    }

    fn counts_events(&self, formula: &Formula) -> bool {
        formula.figures().into_iter().all(|place| self.scatters[place].events.is_some())
    }

    /// How far apart neighbouring values of a formula are, from those of its figures, as errors propagate.
    fn step(&self, core: &Formula, scale: Scale) -> f64 {
        let on_scale = |value: f64| if scale == Scale::Logarithmic { value.ln() } else { value };
        let mean = |figures: &[Vec<f64>]| {
            let values = core.by_round(figures);
            values.iter().map(|&value| on_scale(value)).sum::<f64>() / values.len() as f64
        };
        let mut places = core.figures();
        places.sort_unstable();
        places.dedup();
        let of_figure = |place: &usize| {
            let Scatter { step, relative, .. } = self.scatters[*place];
            if step == 0.0 && relative == 0.0 {
                return 0.0;
            }
            let mut figures = self.figures.to_vec();
            figures[*place].iter_mut().for_each(|value| *value += step + relative * value.abs());
            mean(&figures) - mean(self.figures)
        };
        let squared: f64 = places.iter().map(of_figure).filter(|it| it.is_finite()).map(|it| it * it).sum();
        squared.sqrt()
    }
}

fn of_rounds(rounds: Rounds, tails: Tails, foreseen: Option<usize>) -> Option<Interval> {
    match foreseen {
        Some(number) => rounds.foreseen(number, tails),
        None => rounds.interval(tails),
    }
}

/// The bound that is subtracted, and the part of `left − right` that varies: the ratio, or the side that is measured.
fn core_of(leaf: &Formula, is_ratio: bool) -> (f64, Formula) {
    match leaf {
        Formula::Binary(Operator::Subtract, left, right) if is_ratio => {
            (0.0, Formula::Binary(Operator::Divide, left.clone(), right.clone()))
        }
        Formula::Binary(Operator::Subtract, left, right) => match right.straight() {
            (bound, _, None) => (bound, left.as_ref().clone()),
            _ => (0.0, leaf.clone()),
        },
        other => (0.0, other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

    use super::*;
    use crate::claims::expression::Extreme;

    const FIGURES: usize = 8;

    fn max() -> Formula {
        Formula::Extreme(Extreme::Max, (0..FIGURES).map(Formula::Figure).collect())
    }

    /// Shares of 95 % intervals of the greatest of eight figures: those that end below the truth, and those that begin
    /// above.
    fn errors(rounds: usize, truth: impl Fn(usize) -> f64, noise: impl Fn(usize) -> f64) -> (f64, f64) {
        const EXPERIMENTS: u32 = 2_000;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        // Nearly normal: the sum of twelve uniform numbers.
        let mut normal = || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
        let continuous = Scatter { events: None, step: 0.0, relative: 0.0 };
        let greatest = (0..FIGURES).map(&truth).fold(0.0, f64::max);
        let (mut below, mut above) = (0, 0);
        for _ in 0..EXPERIMENTS {
            let mut series = |figure| (0..rounds).map(|_| truth(figure) * (noise(figure) * normal()).exp()).collect();
            let figures: Vec<Vec<f64>> = (0..FIGURES).map(&mut series).collect();
            let estimator = Estimator { figures: &figures, scatters: &[continuous; FIGURES] };
            let interval = estimator.interval(&max(), Tails::both(0.05)).unwrap();
            below += u32::from(interval.high < greatest);
            above += u32::from(interval.low > greatest);
        }
        (f64::from(below) / f64::from(EXPERIMENTS), f64::from(above) / f64::from(EXPERIMENTS))
    }

    #[test]
    fn the_greatest_of_several_lies_in_its_interval_as_often_as_it_says() {
        for rounds in [3, 5, 10] {
            for (low, high) in [
                errors(rounds, |_| 1.0, |_| 0.05),
                errors(rounds, |figure| 1.0 + figure as f64 / 50.0, |_| 0.05),
                errors(rounds, |figure| 1.0 + figure as f64 / 50.0, |figure| if figure < 4 { 0.5 } else { 0.01 }),
            ] {
                assert!(low <= 0.033 && high <= 0.033, "{rounds} rounds: {low} and {high}");
            }
        }
    }

    /// One figure that hardly varies against the greatest of four that do: noise makes the greater of them greater in
    /// each round, however many rounds there are.
    #[test]
    fn the_greatest_of_few_is_not_called_less_than_the_greatest_of_many() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut normal = || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
        let continuous = Scatter { events: None, step: 0.0, relative: 0.0 };
        let greatest =
            |figures: std::ops::Range<usize>| Formula::Extreme(Extreme::Max, figures.map(Formula::Figure).collect());
        let mut is_called = || {
            let mut series = |noise: f64| (0..10).map(|_| (noise * normal()).exp()).collect::<Vec<f64>>();
            let figures: Vec<Vec<f64>> = [0.01, 0.01, 0.05, 0.05, 0.05, 0.05].map(&mut series).to_vec();
            let estimator = Estimator { figures: &figures, scatters: &[continuous; 6] };
            let sides = Sides::of(&estimator, &greatest(0..2), &greatest(2..6));
            estimator.compared(&sides, Tails::both(0.05), None).unwrap().high < 0.0
        };
        let called = (0..500).filter(|_| is_called()).count();
        assert!(called <= 500 / 30, "{called} of 500");
    }

    #[test]
    fn one_round_with_many_errors_is_not_left_out_of_a_difference() {
        let figures = [vec![0.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0], vec![0.0; 10]];
        let scatters = [Scatter { events: Some(100.0), step: 0.01, relative: 0.0 }; 2];
        let estimator = Estimator { figures: &figures, scatters: &scatters };
        let difference =
            Formula::Binary(Operator::Subtract, Box::new(Formula::Figure(0)), Box::new(Formula::Figure(1)));
        let interval = estimator.interval(&difference, Tails::both(0.05)).unwrap();
        assert!((interval.estimate - 0.5).abs() < 1e-9 && interval.high > 0.5, "{interval:?}");
    }

    #[test]
    fn a_part_that_varies_widely_but_is_never_the_greatest_leaves_the_interval_narrow() {
        let steady = [vec![190.0, 191.0, 190.5], vec![180.0, 80.0, 181.0]];
        let scatters = [Scatter { events: None, step: 0.0, relative: 0.0 }; 2];
        let estimator = Estimator { figures: &steady, scatters: &scatters };
        let both = Formula::Extreme(Extreme::Max, vec![Formula::Figure(0), Formula::Figure(1)]);
        let interval = estimator.interval(&both, Tails::both(0.05)).unwrap();
        assert!(interval.high < 193.0, "{interval:?}");
        let sides = Sides::of(&estimator, &both, &Formula::Constant(200.0));
        assert!(estimator.compared(&sides, Tails::both(0.05), None).unwrap().high < 0.0);
        // The least of ratios, by the same rule.
        let ratio = |bottom| Formula::Binary(Operator::Divide, Box::new(Formula::Figure(0)), Box::new(bottom));
        let sides = Sides::of(&estimator, &ratio(both), &Formula::Constant(0.98));
        assert!(estimator.compared(&sides, Tails::both(0.05), None).unwrap().low > 0.0);
    }
}
