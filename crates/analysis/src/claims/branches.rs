//! A formula taken apart where it branches: `max`, `min` and `abs`.
//!
//! The greatest of several noisy figures is greater than the greatest true value, and the absolute value of a noisy
//! difference is not zero even if there is none: evaluated round by round, both are biased however many rounds there
//! are. So only formulas without branches are estimated from rounds, and their intervals are joined. The bias has one
//! use: an upper bound of the greatest of each round is one of the greatest true value, too, unless a part of it is the
//! least of others, whose bias goes the other way.

use super::{
    expression::{Extreme, Operator},
    formula::Formula,
};
use crate::intervals::{Interval, Tails};

/// Intervals that rounds give.
pub(super) struct Said<'a> {
    /// The interval of a formula without branches.
    pub of_plain: &'a dyn Fn(&Formula, Tails) -> Option<Interval>,
    /// The interval of the greatest, or the least, of each round; none if there is none.
    pub of_each_round: &'a dyn Fn(&Branches, Tails) -> Option<Interval>,
}

/// The most formulas into which one is taken apart.
const MOST: usize = 1_000;

/// A formula as the greatest or the least of formulas without branches.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Branches {
    /// A formula without branches, as far as they could be taken apart.
    Plain(Formula),
    /// The greatest or the least of several.
    Extreme {
        extreme: Extreme,
        of: Vec<Self>,
        /// Whether it is a number and its negative, only one of which can err on the wrong side.
        is_absolute: bool,
    },
}

impl Branches {
    /// The branches of a formula; `figures`, by round, tell the signs of its factors.
    pub fn of(formula: &Formula, figures: &[Vec<f64>]) -> Self {
        let apart = apart(formula, figures);
        if apart.size() > MOST { Self::Plain(formula.clone()) } else { apart }
    }

    fn size(&self) -> usize {
        match self {
            Self::Plain(_) => 1,
            Self::Extreme { of, .. } => of.iter().map(Self::size).sum(),
        }
    }

    /// Every formula without branches.
    pub fn leaves(&self) -> Vec<&Formula> {
        match self {
            Self::Plain(formula) => vec![formula],
            Self::Extreme { of, .. } => of.iter().flat_map(Self::leaves).collect(),
        }
    }

    /// Its value in each round, where the formulas without branches have the values of `of_plain`.
    pub fn by_round(&self, of_plain: &dyn Fn(&Formula) -> Vec<f64>) -> Vec<f64> {
        match self {
            Self::Plain(formula) => of_plain(formula),
            Self::Extreme { extreme, of, .. } => {
                let all: Vec<Vec<f64>> = of.iter().map(|it| it.by_round(of_plain)).collect();
                (0..all[0].len()).map(|round| extreme.of(all.iter().map(|values| values[round]))).collect()
            }
        }
    }

    /// The interval, from those of the formulas without branches.
    ///
    /// The upper end of the greatest is the greatest upper end: it errs only if that of the truly greatest one does,
    /// however many there are. The lower end errs if any of theirs does, so that each gets its part of the probability
    /// (intersection–union and union–intersection: Berger, Technometrics 24, 1982; Bonferroni).
    ///
    /// A part that varies widely makes that upper end useless, even if it was never the greatest. The upper end of the
    /// interval of each round's greatest holds, too, if all that it is made of is biased upwards: the lower of both is
    /// taken, at half the probability each.
    pub fn interval(&self, tails: Tails, said: &Said) -> Option<Interval> {
        let (extreme, of, is_absolute) = match self {
            Self::Plain(formula) => return (said.of_plain)(formula, tails),
            Self::Extreme { extreme, of, is_absolute } => (*extreme, of, *is_absolute),
        };
        let halved = match extreme {
            Extreme::Max => Tails { above: tails.above / 2.0, ..tails },
            Extreme::Min => Tails { below: tails.below / 2.0, ..tails },
        };
        let is_of_one_bias = !is_absolute && of.iter().all(|it| it.has_no_other_than(extreme));
        let by_round = if is_of_one_bias { (said.of_each_round)(self, halved) } else { None };
        let tails = if by_round.is_some() { halved } else { tails };
        let parts = if is_absolute { 1.0 } else { of.len() as f64 };
        let tails = match extreme {
            Extreme::Max => Tails { below: tails.below / parts, ..tails },
            Extreme::Min => Tails { above: tails.above / parts, ..tails },
        };
        let intervals = of.iter().map(|it| it.interval(tails, said)).collect::<Option<Vec<_>>>()?;
        let all = |of: fn(&Interval) -> f64| extreme.of(intervals.iter().map(of));
        let joined = Interval { estimate: all(|it| it.estimate), low: all(|it| it.low), high: all(|it| it.high) };
        Some(match (by_round, extreme) {
            (Some(by_round), Extreme::Max) => Interval { high: joined.high.min(by_round.high), ..joined },
            (Some(by_round), Extreme::Min) => Interval { low: joined.low.max(by_round.low), ..joined },
            (None, _) => joined,
        })
    }

    /// Whether it is made of such extremes alone.
    fn has_no_other_than(&self, wanted: Extreme) -> bool {
        match self {
            Self::Plain(_) => true,
            Self::Extreme { extreme, of, .. } => *extreme == wanted && of.iter().all(|it| it.has_no_other_than(wanted)),
        }
    }

    /// Replaces each formula by `of` it; `falls`: whether that turns the greatest into the least.
    fn map(self, falls: bool, of: &dyn Fn(Formula) -> Self) -> Self {
        match self {
            Self::Plain(formula) => of(formula),
            Self::Extreme { extreme, of: parts, is_absolute } => Self::Extreme {
                extreme: if falls { extreme.opposite() } else { extreme },
                of: parts.into_iter().map(|part| part.map(falls, of)).collect(),
                is_absolute,
            },
        }
    }

    /// The sign that all formulas have in all rounds: 1, −1, or 0 if it is not the same.
    fn sign(&self, figures: &[Vec<f64>]) -> i32 {
        let signs: Vec<i32> = self.leaves().into_iter().map(|formula| sign(formula, figures)).collect();
        if signs.iter().all(|&it| it == signs[0]) { signs[0] } else { 0 }
    }
}

fn sign(formula: &Formula, figures: &[Vec<f64>]) -> i32 {
    let values = formula.by_round(figures);
    match () {
        () if values.iter().all(|&value| value >= 0.0) => 1,
        () if values.iter().all(|&value| value <= 0.0) => -1,
        () => 0,
    }
}

fn apart(formula: &Formula, figures: &[Vec<f64>]) -> Branches {
    match formula {
        Formula::Constant(_) | Formula::Figure(_) => Branches::Plain(formula.clone()),
        Formula::Negative(inner) => apart(inner, figures).map(true, &|it| Branches::Plain(negative(it))),
        Formula::Abs(inner) => {
            let inner = apart(inner, figures);
            match inner.sign(figures) {
                // The sign of something that is negative in no round is known only if nothing is subtracted.
                1 if inner.leaves().into_iter().all(Formula::is_multiplicative) => inner,
                _ => {
                    let negative = inner.clone().map(true, &|it| Branches::Plain(negative(it)));
                    Branches::Extreme { extreme: Extreme::Max, of: vec![inner, negative], is_absolute: true }
                }
            }
        }
        Formula::Extreme(extreme, of) => {
            let of: Vec<Branches> = of.iter().map(|it| apart(it, figures)).collect();
            match <[Branches; 1]>::try_from(of) {
                Ok([only]) => only,
                Err(of) => Branches::Extreme { extreme: *extreme, of, is_absolute: false },
            }
        }
        Formula::Binary(operator, left, right) => {
            let (left_apart, right_apart) = (apart(left, figures), apart(right, figures));
            let falls = |is_left: bool| falls(*operator, is_left, &left_apart, &right_apart, figures);
            let is_plain = |it: &Branches| matches!(it, Branches::Plain(_));
            let (Some(left_falls), Some(right_falls)) = (
                if is_plain(&left_apart) { Some(false) } else { falls(true) },
                if is_plain(&right_apart) { Some(false) } else { falls(false) },
            ) else {
                return Branches::Plain(formula.clone());
            };
            if left_apart.size().saturating_mul(right_apart.size()) > MOST {
                return Branches::Plain(formula.clone());
            }
            left_apart.clone().map(left_falls, &|left| {
                right_apart.clone().map(right_falls, &|right| {
                    Branches::Plain(Formula::Binary(*operator, Box::new(left.clone()), Box::new(right)))
                })
            })
        }
    }
}

fn negative(formula: Formula) -> Formula {
    match formula {
        Formula::Negative(inner) => *inner,
        other => Formula::Negative(Box::new(other)),
    }
}

/// Whether the result falls while one of the operands rises; none if it may do either.
fn falls(operator: Operator, is_left: bool, left: &Branches, right: &Branches, figures: &[Vec<f64>]) -> Option<bool> {
    let by_sign = |sign: i32| (sign != 0).then_some(sign < 0);
    match (operator, is_left) {
        (Operator::Add, _) | (Operator::Subtract, true) => Some(false),
        (Operator::Subtract, false) => Some(true),
        (Operator::Multiply, true) | (Operator::Divide, true) => by_sign(right.sign(figures)),
        (Operator::Multiply, false) => by_sign(left.sign(figures)),
        // 1/x falls on either side of zero, but not across it.
        (Operator::Divide, false) => {
            if right.sign(figures) == 0 {
                None
            } else {
                by_sign(left.sign(figures)).map(|falls| !falls)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Formula = Formula::Figure(0);
    const B: Formula = Formula::Figure(1);

    fn binary(operator: Operator, left: Formula, right: Formula) -> Formula {
        Formula::Binary(operator, Box::new(left), Box::new(right))
    }

    /// `A` lies in 1 to 3, `B` in 2 to 5.
    fn interval(formula: &Formula) -> Interval {
        let figures = [vec![2.0; 3], vec![4.0; 3]];
        let of_plain = |formula: &Formula, _: Tails| {
            let ends = [[1.0, 2.0], [1.0, 5.0], [3.0, 2.0], [3.0, 5.0]].map(|it| formula.value(&it));
            let (low, high) =
                ends.iter().fold((f64::MAX, f64::MIN), |(low, high), end| (low.min(*end), high.max(*end)));
            Some(Interval { estimate: formula.value(&[2.0, 4.0]), low, high })
        };
        let said = Said { of_plain: &of_plain, of_each_round: &|_, _| None };
        Branches::of(formula, &figures).interval(Tails::both(0.05), &said).unwrap()
    }

    #[test]
    fn intervals_of_branches_are_joined() {
        let max = Formula::Extreme(Extreme::Max, vec![A, B]);
        assert_eq!(interval(&max), Interval { estimate: 4.0, low: 2.0, high: 5.0 });
        let ten = || Formula::Constant(10.0);
        let under = binary(Operator::Divide, ten(), max.clone());
        assert_eq!(interval(&under), Interval { estimate: 2.5, low: 2.0, high: 5.0 });
        let less = binary(Operator::Subtract, ten(), max);
        assert_eq!(interval(&less), Interval { estimate: 6.0, low: 5.0, high: 8.0 });
        let distance = Formula::Abs(Box::new(binary(Operator::Subtract, A, B)));
        assert_eq!(interval(&distance), Interval { estimate: 2.0, low: -1.0, high: 4.0 });
    }

    /// The greatest over the greatest is the greatest of the least: noise makes it greater or less.
    #[test]
    fn rounds_bound_extremes_of_one_kind_alone() {
        let is_asked = |formula: &Formula| {
            let asked = std::cell::Cell::new(false);
            let of_plain = |_: &Formula, _: Tails| Some(Interval::at(0.0));
            let all = Branches::of(formula, &[vec![1.0], vec![2.0]]);
            let of_each_round = |of: &Branches, _: Tails| {
                asked.set(asked.get() || *of == all);
                None
            };
            all.interval(Tails::both(0.05), &Said { of_plain: &of_plain, of_each_round: &of_each_round });
            asked.get()
        };
        let max = |of: [Formula; 2]| Formula::Extreme(Extreme::Max, of.to_vec());
        let min = |of: [Formula; 2]| Formula::Extreme(Extreme::Min, of.to_vec());
        assert!(is_asked(&max([A, B])));
        assert!(is_asked(&max([max([A, B]), B])));
        assert!(!is_asked(&max([min([A, B]), min([B, A])])));
        assert!(is_asked(&binary(Operator::Subtract, max([A, B]), min([A, B]))));
        assert!(!is_asked(&Formula::Abs(Box::new(binary(Operator::Subtract, A, B)))));
    }

    #[test]
    fn each_of_several_gets_its_part_of_what_may_err() {
        let tails = |extreme| {
            let seen = std::cell::Cell::new(Tails::both(0.0));
            let formula = Formula::Extreme(extreme, vec![A, B]);
            let of_plain = |_: &Formula, tails: Tails| {
                seen.set(tails);
                Some(Interval::at(0.0))
            };
            let said = Said { of_plain: &of_plain, of_each_round: &|_, _| None };
            Branches::of(&formula, &[vec![1.0], vec![2.0]]).interval(Tails::both(0.05), &said);
            seen.get()
        };
        assert_eq!(tails(Extreme::Max), Tails { below: 0.0125, above: 0.025 });
        assert_eq!(tails(Extreme::Min), Tails { below: 0.025, above: 0.0125 });
    }
}
