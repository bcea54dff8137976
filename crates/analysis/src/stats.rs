//! The median of rounds, and where it lies among them.

use crate::{
    intervals::{ERROR, Rounds, Scale, Tails},
    results::Figure,
};

/// The median; for an even number of values the mean of the two in the middle. Zero when empty.
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
        let on_logarithms = Rounds::of(&rounds, Scale::Logarithmic);
        let is_positive = rounds.iter().all(|&round| round > 0.0);
        let interval = on_logarithms.interval(Tails::both(ERROR)).filter(|_| is_positive);
        Self { median: median(&rounds), min, max, interval: interval.map(|it| it.ends()), rounds }
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
        assert_eq!((figure.median, figure.min, figure.max), (20.0, 10.0, 30.0));
        assert_eq!(figure.rounds, [30.0, 10.0, 20.0]);
        assert_eq!(figure.relative_range(), 1.0);
        assert_eq!(Figure::of_some(Vec::new()), None);
    }

    /// ln 100, ln 110 and ln 121 have a standard deviation of ln 1.1; t of two degrees is 4.303.
    #[test]
    fn three_rounds_have_an_interval_on_logarithms_and_fewer_or_zeros_none() {
        let [low, high] = Figure::of(vec![121.0, 100.0, 110.0]).interval.unwrap();
        let factor = (4.302_652_73 * 1.1_f64.ln() / 3.0_f64.sqrt()).exp();
        assert!(
            (low * factor / 110.0 - 1.0).abs() < 1e-6 && (high / factor / 110.0 - 1.0).abs() < 1e-6,
            "{low} {high}"
        );
        assert_eq!(Figure::of(vec![7.0; 3]).interval, Some([7.0; 2]));
        for none in [vec![100.0, 110.0], vec![0.0, 1.0, 2.0], vec![0.0; 3]] {
            assert_eq!(Figure::of(none).interval, None);
        }
    }
}
