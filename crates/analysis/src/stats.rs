//! The median of rounds, and where it lies among them.

use crate::results::Figure;

/// The median: of an even number of values the mean of the two in the middle. Zero when empty.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        length if length % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

impl Figure {
    /// Takes one value per round; all zeros without rounds.
    pub(crate) fn of(rounds: Vec<f64>) -> Self {
        let min = rounds.iter().copied().min_by(f64::total_cmp).unwrap_or_default();
        let max = rounds.iter().copied().max_by(f64::total_cmp).unwrap_or_default();
        Self { median: median(&rounds), min, max, rounds }
    }

    /// Takes one value per round; none without rounds.
    pub(crate) fn of_some(rounds: Vec<f64>) -> Option<Self> {
        (!rounds.is_empty()).then(|| Self::of(rounds))
    }

    /// Greatest minus least round, as a share of the median; zero if the median is.
    pub(crate) fn relative_range(&self) -> f64 {
        if self.median == 0.0 { 0.0 } else { (self.max - self.min) / self.median }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_in_whatever_order_they_came() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(median(&[7.0]), 7.0);
        assert_eq!(median(&[]), 0.0);
    }

    #[test]
    fn a_figure_keeps_rounds_in_their_order() {
        let figure = Figure::of(vec![30.0, 10.0, 20.0]);
        assert_eq!(figure, Figure { median: 20.0, min: 10.0, max: 30.0, rounds: vec![30.0, 10.0, 20.0] });
        assert_eq!(figure.relative_range(), 1.0);
        assert_eq!(Figure::of_some(Vec::new()), None);
    }
}
