//! Why a claim came out as it did, in one sentence.

use plimsoll_text::{
    counted,
    number::{in_full, with_unit},
};

use super::expression::Comparison;
use crate::{bootstrap::LEAST_ROUNDS, results::Verdict};

/// The parts of the sentence; numbers are in `unit`.
pub(super) struct Wording<'a> {
    pub comparison: Comparison,
    pub unit: &'a str,
    pub value: f64,
    pub threshold: f64,
    pub interval: Option<[f64; 2]>,
    /// Where the threshold is measured too.
    pub difference: Option<[f64; 2]>,
    pub rounds: usize,
    pub verdict: Verdict,
}

impl Wording<'_> {
    pub fn reason(&self) -> String {
        match (self.interval, self.difference) {
            (None, _) if self.rounds < LEAST_ROUNDS => self.too_few_rounds(),
            (None, _) => "in some draws of rounds it divides by zero".to_owned(),
            (Some(interval), None) => self.against_constant(interval),
            (Some(_), Some(difference)) => self.against_figure(difference),
        }
    }

    fn too_few_rounds(&self) -> String {
        let [value, threshold] = self.shown([self.value, self.threshold]);
        let rounds = counted(self.rounds as u64, "round");
        let relation = self.relation(self.comparison.is_satisfied(self.value, self.threshold));
        format!(
            "{value} is {relation} {threshold}, but in {rounds}: at least {LEAST_ROUNDS} are needed for an interval"
        )
    }

    fn against_constant(&self, [low, high]: [f64; 2]) -> String {
        let [value, low, high, threshold] = self.shown([self.value, low, high, self.threshold]);
        let measured = format!("{value} (95 % interval {low} to {high})");
        match self.verdict {
            Verdict::Holds => format!("{measured} is {} {threshold}", self.relation(true)),
            Verdict::Fails => format!("{measured} is {} {threshold}", self.relation(false)),
            Verdict::Undecided => format!("{measured} may be on either side of {threshold}: more rounds may decide"),
        }
    }

    fn against_figure(&self, [low, high]: [f64; 2]) -> String {
        let [value, threshold] = self.shown([self.value, self.threshold]);
        let [difference, low, high] = self.shown([self.value - self.threshold, low, high]);
        let why = format!("the difference is {difference} (95 % interval {low} to {high})");
        match self.verdict {
            Verdict::Holds => format!("{value} is {} {threshold}: {why}", self.relation(true)),
            Verdict::Fails => format!("{value} is {} {threshold}: {why}", self.relation(false)),
            Verdict::Undecided => {
                format!("{value} against {threshold}: {why}, so either may be greater: more rounds may decide")
            }
        }
    }

    fn relation(&self, is_satisfied: bool) -> String {
        let words = self.comparison.in_words();
        if is_satisfied { words.to_owned() } else { format!("not {words}") }
    }

    /// With three significant digits, or as many as keep different numbers apart.
    fn shown<const N: usize>(&self, values: [f64; N]) -> [String; N] {
        let with = |digits| values.map(|value| in_full(value, digits));
        let is_distinct =
            |texts: &[String; N]| (0..N).all(|a| (0..a).all(|b| values[a] == values[b] || texts[a] != texts[b]));
        let texts = (3..8).map(with).find(is_distinct).unwrap_or_else(|| with(8));
        texts.map(|text| with_unit(text, self.unit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOLDS: Wording = Wording {
        comparison: Comparison::GreaterOrEqual,
        unit: "",
        value: 2.931,
        threshold: 2.8,
        interval: Some([2.853, 3.012]),
        difference: None,
        rounds: 3,
        verdict: Verdict::Holds,
    };

    #[test]
    fn against_a_number() {
        assert_eq!(HOLDS.reason(), "2.93 (95 % interval 2.85 to 3.01) is at least 2.8");
        let fails = Wording {
            verdict: Verdict::Fails,
            value: 190.06,
            threshold: 200.0,
            unit: "/s",
            interval: Some([189.9, 190.12]),
            ..HOLDS
        };
        assert_eq!(fails.reason(), "190.06/s (95 % interval 189.9/s to 190.12/s) is not at least 200/s");
        let undecided = Wording { verdict: Verdict::Undecided, interval: Some([2.7, 3.0]), ..HOLDS };
        assert_eq!(
            undecided.reason(),
            "2.93 (95 % interval 2.7 to 3) may be on either side of 2.8: more rounds may decide"
        );
    }

    #[test]
    fn against_another_figure() {
        let wording = Wording {
            comparison: Comparison::Less,
            unit: "ms",
            value: 1_200.0,
            threshold: 1_778.0,
            difference: Some([-600.0, -540.0]),
            ..HOLDS
        };
        assert_eq!(
            wording.reason(),
            "1,200 ms is less than 1,778 ms: the difference is -578 ms (95 % interval -600 ms to -540 ms)"
        );
    }

    #[test]
    fn too_few_rounds_say_so() {
        let one = Wording { interval: None, rounds: 1, verdict: Verdict::Undecided, ..HOLDS };
        assert_eq!(one.reason(), "2.93 is at least 2.8, but in 1 round: at least 3 are needed for an interval");
        let two = Wording { rounds: 2, value: 1.0, ..one };
        assert_eq!(two.reason(), "1 is not at least 2.8, but in 2 rounds: at least 3 are needed for an interval");
    }
}
