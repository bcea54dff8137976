//! What rounds say of a formula, and of one side of a claim against the other.

use super::{branches::Branches, expression::Operator, formula::Formula, metric::Scatter};
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
    /// Whether they are compared by their ratio; else by their difference.
    pub is_ratio: bool,
}

impl Sides {
    /// By the ratio if all that is compared is positive by its making: a machine that slows a round down slows both
    /// sides by the same factor.
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
        Some(Branches::of(formula, self.figures).interval(Tails::both(1.0), &of_plain)?.estimate)
    }

    /// The interval, in base units.
    pub fn interval(&self, formula: &Formula, tails: Tails) -> Option<Interval> {
        let of_plain = |formula: &Formula, tails| self.within(formula, tails, None);
        Branches::of(formula, self.figures).interval(tails, &of_plain)
    }

    /// Left against right: below zero where the left is less. The logarithm of the ratio, or the difference in base
    /// units. Of the rounds that are there, or of so many foreseen ones.
    pub fn compared(&self, sides: &Sides, tails: Tails, foreseen: Option<usize>) -> Option<Interval> {
        let of_plain = |formula: &Formula, tails| match formula {
            Formula::Binary(Operator::Subtract, left, right) => {
                self.one_against_other(formula, (left, right), sides.is_ratio, tails, foreseen)
            }
            other => self.within(other, tails, foreseen),
        };
        sides.difference.interval(tails, &of_plain)
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
            // No interval of a count ever excludes its neighbours; but a count that met its bound in every round has
            // met it. "No errors" is said of what was measured.
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
        self.plain(formula, &|rounds| match foreseen {
            Some(number) => rounds.foreseen(number, tails),
            None => rounds.interval(tails),
        })
    }

    /// What `of` says of the rounds of a formula's core, in terms of the formula.
    fn plain(&self, formula: &Formula, of: &dyn Fn(Rounds) -> Option<Interval>) -> Option<Interval> {
        let (offset, factor, core) = formula.straight();
        let Some(core) = core else { return Some(Interval::at(offset)) };
        let values = core.by_round(self.figures);
        let scale = self.scale(core);
        let found = of(Rounds { values: &values, scale, step: self.step(core, scale) })?;
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

    /// Whether it is positive by its making, in every round.
    fn is_positive(&self, formula: &Formula) -> bool {
        let is_positive = |place: usize| self.figures[place].iter().all(|&value| value > 0.0 && value.is_finite());
        formula.is_multiplicative() && formula.figures().into_iter().all(is_positive)
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
