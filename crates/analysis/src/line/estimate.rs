//! A line over rounds, from the intervals of the searches.

use plimsoll_record::LineFound;

use crate::{
    intervals::{Rounds, Scale, Tails, variance},
    results::{LineEnd, LineEstimate, SearchResults},
    stats::median,
};

/// The ends of a search's interval, as far as they are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ends {
    pub low: Option<f64>,
    pub high: Option<f64>,
}

impl Ends {
    pub(super) fn of(search: &SearchResults) -> Self {
        let load = |end: &Option<LineEnd>| end.as_ref().map(LineEnd::load);
        Self { low: load(&search.lower), high: load(&search.upper) }
    }

    pub(super) fn found(found: &LineFound) -> Self {
        Self { low: found.lower.map(|end| end.rate), high: found.upper.map(|end| end.rate) }
    }

    /// The geometric middle; none with an open side.
    pub(crate) fn middle(self) -> Option<f64> {
        Some((self.low? * self.high?).sqrt())
    }

    /// The interval of this line as a multiple of the other.
    pub(crate) fn by(self, other: Self) -> Self {
        let quotient = |line: Option<f64>, by: Option<f64>| Some(line? / by?);
        Self { low: quotient(self.low, other.high), high: quotient(self.high, other.low) }
    }

    /// The upper end by the lower one, less 1.
    pub(crate) fn width(self) -> Option<f64> {
        Some(self.high? / self.low? - 1.0)
    }
}

/// The line over rounds: by Student's t on logarithms of the middles, if there are enough rounds and none has an open
/// side; else the interval that encloses all of theirs.
pub(super) fn of(searches: &[Ends], least_rounds: usize, error: f64) -> LineEstimate {
    let middles: Option<Vec<f64>> = searches.iter().map(|it| it.middle()).collect();
    let middles = middles.unwrap_or_default();
    let widths: Vec<f64> = searches.iter().filter_map(|it| it.width()).collect();
    let within = (!widths.is_empty()).then(|| median(&widths));
    let step = within.unwrap_or(0.0).ln_1p();
    let rounds = Rounds { step, ..Rounds::of(&middles, Scale::Logarithmic) };
    let over_rounds = rounds.interval(Tails::both(error)).filter(|_| middles.len() >= least_rounds);
    let all = |end: fn(&Ends) -> Option<f64>| searches.iter().map(end).collect::<Option<Vec<f64>>>();
    let lowest = all(|it| it.low).and_then(|lows| lows.into_iter().reduce(f64::min));
    let highest = all(|it| it.high).and_then(|highs| highs.into_iter().reduce(f64::max));
    LineEstimate {
        per_s: rounds.estimate(),
        low_per_s: over_rounds.map(|it| it.low).or(lowest),
        high_per_s: over_rounds.map(|it| it.high).or(highest),
        is_over_rounds: over_rounds.is_some(),
        within_percent: within.map(|width| width * 100.0),
        between_percent: spread(&middles).map(|spread| spread * 100.0),
        ..LineEstimate::default()
    }
}

/// Standard deviation of logarithms.
fn spread(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    Some(variance(&logs).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(low: f64, high: f64) -> Ends {
        Ends { low: Some(low), high: Some(high) }
    }

    #[test]
    fn one_search_is_its_own_interval() {
        let line = of(&[search(100.0, 121.0)], 3, 0.05);
        assert_eq!((line.low_per_s, line.high_per_s, line.is_over_rounds), (Some(100.0), Some(121.0), false));
        assert!((line.per_s.unwrap() - 110.0).abs() < 1e-9 && line.between_percent.is_none());
        let two = of(&[search(100.0, 121.0), search(90.0, 100.0)], 3, 0.05);
        assert_eq!((two.low_per_s, two.high_per_s), (Some(90.0), Some(121.0)));
    }

    /// Middles 100, 110, 121 have a mean of 110 on logarithms. Its standard error is ln 1.1 / √3, and for what a search
    /// of a width of 21 % cannot tell ln 1.21 / √12 / √3; both times the t of two degrees of freedom, 4.303.
    #[test]
    fn three_rounds_have_the_interval_of_student_on_logarithms() {
        let searches = [100.0, 110.0, 121.0].map(|middle: f64| search(middle / 1.1, middle * 1.1));
        let line = of(&searches, 3, 0.05);
        let error = (1.1_f64.ln().powi(2) + 1.21_f64.ln().powi(2) / 12.0).sqrt() / 3.0_f64.sqrt();
        let factor = (4.302_652_73 * error).exp();
        assert!((line.low_per_s.unwrap() / (110.0 / factor) - 1.0).abs() < 1e-6, "{line:?}");
        assert!((line.high_per_s.unwrap() / (110.0 * factor) - 1.0).abs() < 1e-6, "{line:?}");
        assert!(line.is_over_rounds);
        assert!((line.within_percent.unwrap() - 21.0).abs() < 1e-6);
        assert!((line.between_percent.unwrap() - 1.1_f64.ln() * 100.0).abs() < 1e-6);
    }

    #[test]
    fn an_open_side_leaves_a_bound_and_no_figure() {
        let open = Ends { low: Some(80.0), high: None };
        let line = of(&[search(100.0, 121.0), search(90.0, 100.0), open], 3, 0.05);
        assert_eq!((line.per_s, line.low_per_s, line.high_per_s), (None, Some(80.0), None));
        assert!(!line.is_over_rounds);
        let unknown = of(&[Ends { low: None, high: None }], 3, 0.05);
        assert_eq!((unknown.low_per_s, unknown.high_per_s), (None, None));
        assert_eq!(of(&[], 3, 0.05), LineEstimate::default());
    }
}
