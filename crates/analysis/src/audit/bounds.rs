//! Figures as intervals: a figure printed to n digits was rounded or cut, which must not be held against it.

use plimsoll_record::PrintedFigure;

use crate::results::Figure;

/// A figure and where the true value lies. Never negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    /// The value as printed.
    pub value: f64,
    /// Lower bound of the true value.
    pub low: f64,
    /// Upper bound of the true value.
    pub high: f64,
}

/// Our histograms keep three digits.
const OUR_RESOLUTION: f64 = 0.001;

impl Bounds {
    pub const fn exact(value: f64) -> Self {
        Self { value, low: value, high: value }
    }

    /// Bounds of a printed figure: tools either round to the last digit or cut after it.
    pub fn printed(figure: &PrintedFigure) -> Self {
        let PrintedFigure { value, step, .. } = *figure;
        Self { value, low: (value - step / 2.0).max(0.0), high: value + step }
    }

    /// Bounds of our figure, over all rounds: medians of several figures need not come from the same round.
    pub fn measured(figure: &Figure) -> Self {
        let Figure { median, min, max, .. } = *figure;
        Self { value: median, low: min * (1.0 - OUR_RESOLUTION), high: max * (1.0 + OUR_RESOLUTION) }
    }

    pub fn map(self, of: impl Fn(f64) -> f64) -> Self {
        Self { value: of(self.value), low: of(self.low), high: of(self.high) }
    }

    pub fn scaled(self, factor: f64) -> Self {
        self.map(|value| value * factor)
    }

    pub fn plus(self, other: Self) -> Self {
        Self { value: self.value + other.value, low: self.low + other.low, high: self.high + other.high }
    }

    /// The difference, cut off at zero, as it is an amount, too.
    pub fn minus(self, other: Self) -> Self {
        Self {
            value: (self.value - other.value).max(0.0),
            low: (self.low - other.high).max(0.0),
            high: (self.high - other.low).max(0.0),
        }
    }

    pub fn times(self, other: Self) -> Self {
        Self { value: self.value * other.value, low: self.low * other.low, high: self.high * other.high }
    }

    pub fn over(self, other: Self) -> Self {
        Self { value: self.value / other.value, low: self.low / other.high, high: self.high / other.low }
    }

    /// Whether both can be the same value.
    pub fn meets(self, other: Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Statistic;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_rounded_or_cut_is_within(value in 0.0..1e5_f64, decimals in 0..4_i32, is_cut: bool) {
            let step = 0.1_f64.powi(decimals);
            let digits = if is_cut { (value / step).floor() } else { (value / step).round() };
            let bounds = Bounds::printed(&PrintedFigure { statistic: Statistic::Mean, value: digits * step, step });
            prop_assert!(bounds.low <= value + 1e-9 && value <= bounds.high + 1e-9, "{value} in {bounds:?}");
        }

        #[test]
        fn arithmetic_keeps_the_true_values_within(
            a in 1.0..1e3_f64, b in 1.0..1e3_f64, more in 0.0..1.0_f64, less in 0.0..1.0_f64,
        ) {
            let around = |value: f64| Bounds { value, low: value - less, high: value + more };
            let holds = |bounds: Bounds, value: f64| bounds.low <= value + 1e-9 && value <= bounds.high + 1e-9;
            prop_assert!(holds(around(a).plus(around(b)), a + b));
            prop_assert!(holds(around(a).minus(around(b)), (a - b).max(0.0)));
            prop_assert!(holds(around(a).times(around(b)), a * b));
            prop_assert!(holds(around(a).over(around(b)), a / b) || b - less <= 0.0);
            prop_assert!(around(a).meets(around(a + more)));
        }
    }
}
