//! Why a claim came out as it did, in one sentence.

use plimsoll_record::Comparison;
use plimsoll_text::{
    counted,
    number::{in_full, with_unit},
};

use crate::results::Verdict;

/// The parts of the sentence; numbers are in `unit`.
pub(super) struct Wording<'a> {
    pub comparison: Comparison,
    pub unit: &'a str,
    pub value: f64,
    pub threshold: f64,
    pub interval: Option<[f64; 2]>,
    /// The comparison of both sides, if the threshold is measured, too.
    pub compared: Option<Compared>,
    pub rounds: usize,
    /// Rounds that a verdict takes.
    pub least_rounds: usize,
    /// Rounds that would decide; none if they would be too many.
    pub rounds_needed: Option<usize>,
    pub verdict: Verdict,
}

/// One side against the other: the estimate, and its interval.
#[derive(Clone, Copy)]
pub(super) enum Compared {
    Ratio(f64, [f64; 2]),
    Difference(f64, [f64; 2]),
}

impl Wording<'_> {
    pub fn reason(&self) -> String {
        match (self.interval, self.compared) {
            _ if self.rounds < self.least_rounds => self.too_few_rounds(),
            (_, Some(compared)) => self.against_figure(compared),
            (Some(interval), None) => self.against_constant(interval),
            (None, None) => "in some rounds it divides by zero".to_owned(),
        }
    }

    fn too_few_rounds(&self) -> String {
        let [value, threshold] = self.shown([self.value, self.threshold]);
        let rounds = counted(self.rounds as u64, "round");
        let relation = self.relation(self.comparison.holds(self.value, self.threshold));
        let least = self.least_rounds;
        let enough = match self.rounds_needed {
            Some(needed) if needed > least => format!(", and {}", self.would_do()),
            _ => String::new(),
        };
        format!(
            "{value} is {relation} {threshold}, but in {rounds}: at least {least} are needed for an interval{enough}"
        )
    }

    /// How many rounds would decide, as far as the spread seen tells.
    fn would_do(&self) -> String {
        match self.rounds_needed {
            Some(needed) => format!("about {needed} rounds would do"),
            None => "it would take hundreds of rounds, for it lies too near".to_owned(),
        }
    }

    fn against_constant(&self, [low, high]: [f64; 2]) -> String {
        let [value, low, high, threshold] = self.shown([self.value, low, high, self.threshold]);
        let measured = format!("{value} (95 % interval {low} to {high})");
        match self.verdict {
            Verdict::Holds => format!("{measured} is {} {threshold}", self.relation(true)),
            Verdict::Fails => format!("{measured} is {} {threshold}", self.relation(false)),
            Verdict::Undecided => format!("{measured} may be on either side of {threshold}: {}", self.would_do()),
        }
    }

    fn against_figure(&self, compared: Compared) -> String {
        let [value, threshold] = self.shown([self.value, self.threshold]);
        let why = match compared {
            Compared::Ratio(ratio, [low, high]) => {
                let [ratio, low, high] = apart([ratio, low, high]);
                format!("the ratio is {ratio} (95 % interval {low} to {high})")
            }
            Compared::Difference(difference, [low, high]) => {
                let [difference, low, high] = self.shown([difference, low, high]);
                format!("the difference is {difference} (95 % interval {low} to {high})")
            }
        };
        match self.verdict {
            Verdict::Holds => format!("{value} is {} {threshold}: {why}", self.relation(true)),
            Verdict::Fails => format!("{value} is {} {threshold}: {why}", self.relation(false)),
            Verdict::Undecided => {
                format!("{value} against {threshold}: {why}, so either may be greater: {}", self.would_do())
            }
        }
    }

    fn relation(&self, holds: bool) -> String {
        let words = self.comparison.in_words();
        if holds { words.to_owned() } else { format!("not {words}") }
    }

    fn shown<const N: usize>(&self, values: [f64; N]) -> [String; N] {
        apart(values).map(|text| with_unit(text, self.unit))
    }
}

/// Numbers with three significant digits, or as many as keep different ones apart.
fn apart<const N: usize>(values: [f64; N]) -> [String; N] {
    let with = |digits| values.map(|value| in_full(value, digits));
    let is_distinct =
        |texts: &[String; N]| (0..N).all(|a| (0..a).all(|b| values[a] == values[b] || texts[a] != texts[b]));
    (3..8).map(with).find(is_distinct).unwrap_or_else(|| with(8))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOLDS: Wording = Wording {
        comparison: Comparison::AtLeast,
        unit: "",
        value: 2.931,
        threshold: 2.8,
        interval: Some([2.853, 3.012]),
        compared: None,
        rounds: 3,
        least_rounds: 3,
        rounds_needed: None,
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
            "2.93 (95 % interval 2.7 to 3) may be on either side of 2.8: it would take hundreds of rounds, for it lies too \
             near"
        );
        let reason = Wording { rounds_needed: Some(12), ..undecided }.reason();
        assert!(reason.ends_with("of 2.8: about 12 rounds would do"), "{reason}");
    }

    #[test]
    fn against_another_figure() {
        let wording = Wording {
            comparison: Comparison::Less,
            unit: "ms",
            value: 1_200.0,
            threshold: 1_778.0,
            compared: Some(Compared::Difference(-578.0, [-600.0, -540.0])),
            ..HOLDS
        };
        assert_eq!(
            wording.reason(),
            "1,200 ms is less than 1,778 ms: the difference is -578 ms (95 % interval -600 ms to -540 ms)"
        );
        let ratio = Wording { compared: Some(Compared::Ratio(0.6749, [0.651, 0.701])), ..wording };
        assert_eq!(ratio.reason(), "1,200 ms is less than 1,778 ms: the ratio is 0.675 (95 % interval 0.651 to 0.701)");
    }

    #[test]
    fn too_few_rounds_say_so() {
        let one = Wording { interval: None, rounds: 1, verdict: Verdict::Undecided, ..HOLDS };
        assert_eq!(one.reason(), "2.93 is at least 2.8, but in 1 round: at least 3 are needed for an interval");
        let two = Wording { rounds: 2, value: 1.0, ..one };
        assert_eq!(two.reason(), "1 is not at least 2.8, but in 2 rounds: at least 3 are needed for an interval");
        let known = Wording { rounds_needed: Some(8), ..two };
        assert!(known.reason().ends_with("needed for an interval, and about 8 rounds would do"), "{}", known.reason());
    }
}
