//! Claims about load lines by the intervals of the searches, each of which holds the line of its process 95 times in
//! 100. They judge where rounds do not tell, because they are too few or a search has an open side.

use plimsoll_record::Comparison;
use plimsoll_text::{
    counted,
    number::{in_full, with_unit},
};

use super::{
    dimension::Unit,
    expression::{Extreme, Operator},
    formula::Formula,
};
use crate::results::Verdict;

/// Lower and upper ends, by figure, then by round; zero or infinity where an end is not known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Searched {
    low: Vec<Vec<f64>>,
    high: Vec<Vec<f64>>,
}

/// The verdict on a comparison whose left and right side lie between two ends: whether it holds at both, at neither, or
/// may do either.
pub(super) fn verdict(comparison: Comparison, ends: [(f64, f64); 2]) -> Verdict {
    match ends.map(|(left, right)| comparison.holds(left, right)) {
        [true, true] => Verdict::Holds,
        [false, false] => Verdict::Fails,
        _ => Verdict::Undecided,
    }
}

/// A verdict with its figures, in base units.
pub(super) struct Weighed {
    pub verdict: Verdict,
    /// Interval of the left side; none with an open side.
    pub interval: Option<[f64; 2]>,
    /// The ends that are known.
    pub ends: [Option<f64>; 2],
    pub reason: String,
}

impl Searched {
    pub fn new(low: Vec<Vec<f64>>, high: Vec<Vec<f64>>) -> Self {
        Self { low, high }
    }

    pub fn is_open(&self) -> bool {
        self.low.iter().flatten().any(|&it| it == 0.0) || self.high.iter().flatten().any(|&it| it.is_infinite())
    }

    /// Judges one side of a claim against the other.
    pub fn weigh(&self, left: &Formula, comparison: Comparison, right: &Formula, told: &Telling) -> Weighed {
        let (left_range, right_range) = (self.range(left), self.range(right));
        let ends = [(left_range[0], right_range[1]), (left_range[1], right_range[0])];
        let verdict = verdict(comparison, ends);
        let rounds = counted(self.low.first().map_or(0, Vec::len) as u64, "round");
        let words = comparison.in_words();
        let threshold = told.range(right_range);
        let conclusion = match verdict {
            Verdict::Holds => format!("it is {words} {threshold}"),
            Verdict::Fails => format!("it is not {words} {threshold}"),
            Verdict::Undecided => format!(
                "it may be on either side of {threshold}; more time (`at-most`), a finer `resolution` or more rounds \
                 may tell"
            ),
        };
        Weighed {
            verdict,
            interval: left_range.iter().all(|end| end.is_finite()).then_some(left_range),
            ends: left_range.map(|end| Some(end).filter(|end| end.is_finite() && *end != 0.0)),
            reason: format!("{}, by the searches of {rounds}: {conclusion}", told.range(left_range)),
        }
    }

    /// The range of a formula over all rounds.
    fn range(&self, formula: &Formula) -> [f64; 2] {
        let rounds = self.low.first().map_or(0, Vec::len);
        let of_round = |round: usize| {
            let ends = self.low.iter().zip(&self.high).map(|(low, high)| [low[round], high[round]]);
            range(formula, &ends.collect::<Vec<_>>())
        };
        hull((0..rounds).flat_map(of_round))
    }
}

/// The context in which ranges are told.
pub(super) struct Telling<'a> {
    pub unit: &'a Unit,
}

impl Telling<'_> {
    fn range(&self, [low, high]: [f64; 2]) -> String {
        let shown = |value: f64| with_unit(in_full(value / self.unit.scale, 3), &self.unit.text);
        match (low.is_finite() && low != 0.0, high.is_finite()) {
            _ if low == high => shown(low),
            (true, true) => format!("{} to {}", shown(low), shown(high)),
            (true, false) => format!("at least {}", shown(low)),
            (false, true) => format!("at most {}", shown(high)),
            (false, false) => "unknown".to_owned(),
        }
    }
}

/// The range of a formula if each of its figures may be anywhere between its `ends`.
fn range(formula: &Formula, ends: &[[f64; 2]]) -> [f64; 2] {
    match formula {
        Formula::Constant(value) => [*value; 2],
        Formula::Figure(place) => ends[*place],
        Formula::Negative(inner) => negative(range(inner, ends)),
        Formula::Abs(inner) => {
            let [low, high] = range(inner, ends);
            [low.max(-high).max(0.0), high.max(-low)]
        }
        Formula::Extreme(extreme, of) => {
            let of: Vec<[f64; 2]> = of.iter().map(|it| range(it, ends)).collect();
            let all = |end: usize| extreme.of(of.iter().map(|it| it[end]));
            [all(0), all(1)]
        }
        Formula::Binary(operator, left, right) => {
            let (left, right) = (range(left, ends), range(right, ends));
            match operator {
                Operator::Add => [left[0] + right[0], left[1] + right[1]],
                Operator::Subtract => [left[0] - right[1], left[1] - right[0]],
                Operator::Multiply => of_corners(left, right, |a, b| a * b),
                Operator::Divide if right[0] < 0.0 && right[1] > 0.0 => [f64::NEG_INFINITY, f64::INFINITY],
                Operator::Divide => of_corners(left, right, |a, b| a / b),
            }
        }
    }
}

fn negative([low, high]: [f64; 2]) -> [f64; 2] {
    [-high, -low]
}

/// The range of an operation, from its values at the corners. Undefined ones, such as zero times infinity, lie between
/// the others.
fn of_corners(left: [f64; 2], right: [f64; 2], of: fn(f64, f64) -> f64) -> [f64; 2] {
    hull(left.into_iter().flat_map(|a| right.map(|b| of(a, b))).filter(|it| !it.is_nan()))
}

fn hull(values: impl Iterator<Item = f64> + Clone) -> [f64; 2] {
    [Extreme::Min.of(values.clone()), Extreme::Max.of(values)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(place: usize) -> Box<Formula> {
        Box::new(Formula::Figure(place))
    }

    #[test]
    fn a_quotient_of_intervals_has_the_quotients_of_their_ends_in_it() {
        let quotient = Formula::Binary(Operator::Divide, figure(0), figure(1));
        assert_eq!(range(&quotient, &[[90.0, 110.0], [45.0, 60.0]]), [1.5, 110.0 / 45.0]);
        assert_eq!(range(&quotient, &[[90.0, f64::INFINITY], [45.0, 60.0]]), [1.5, f64::INFINITY]);
        assert_eq!(range(&quotient, &[[90.0, f64::INFINITY], [0.0, 60.0]]), [1.5, f64::INFINITY]);
        assert_eq!(range(&quotient, &[[0.0, 110.0], [55.0, f64::INFINITY]]), [0.0, 2.0]);
        let distance = Formula::Abs(Box::new(Formula::Binary(Operator::Subtract, figure(0), figure(1))));
        assert_eq!(range(&distance, &[[1.0, 4.0], [2.0, 3.0]]), [0.0, 2.0]);
        assert_eq!(range(&distance, &[[1.0, 2.0], [5.0, 7.0]]), [3.0, 6.0]);
    }
}
