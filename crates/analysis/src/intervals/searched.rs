//! A load line of one search against that of another. Neither has rounds, but each search has an interval of its own
//! that holds the line of its process 95 times in 100, and the two are independent: on logarithms the squared half
//! width of the ratio's interval is the sum of the squared half widths of theirs (Howe, "Approximate confidence limits
//! on the mean of X + Y", Journal of the American Statistical Association 69, 1974).
//!
//! The ratio is that of two processes: the interval does not tell how one process of a service differs from the next.

use super::{ERROR, Interval, student};

/// Degrees of freedom with which Student's t equals a normal deviate to four digits.
const NORMAL: usize = 10_000;

/// The ends of both intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Searched {
    pub before: [f64; 2],
    pub after: [f64; 2],
}

impl Searched {
    /// The later line as a multiple of the earlier one, in an interval that misses the truth with probability `error`.
    pub(crate) fn interval(self, error: f64) -> Interval {
        let by = student::quantile(error / 2.0, NORMAL) / student::quantile(ERROR / 2.0, NORMAL);
        let (estimate, half) = (self.estimate(), by * self.half());
        Interval { estimate, low: estimate - half, high: estimate + half }.map(f64::exp)
    }

    /// The least error with which the interval excludes `bound`.
    pub(crate) fn chance(self, bound: f64) -> f64 {
        let away = (self.estimate() - bound.ln()).abs();
        if away == 0.0 {
            return 1.0;
        }
        let deviate = away / self.half() * student::quantile(ERROR / 2.0, NORMAL);
        2.0 * student::beyond(deviate, NORMAL)
    }

    /// The logarithm of after ÷ before.
    fn estimate(self) -> f64 {
        middle(self.after) - middle(self.before)
    }

    fn half(self) -> f64 {
        half(self.before).hypot(half(self.after))
    }
}

fn middle([low, high]: [f64; 2]) -> f64 {
    f64::midpoint(low.ln(), high.ln())
}

fn half([low, high]: [f64; 2]) -> f64 {
    0.5 * (high / low).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half widths of 3 % and 4 % make one of 5 %.
    #[test]
    fn half_widths_add_by_their_squares() {
        let around = |middle: f64, half: f64| [middle * (-half).exp(), middle * half.exp()];
        let found = Searched { before: around(100.0, 0.03), after: around(120.0, 0.04) }.interval(ERROR);
        for (end, expected) in [(found.estimate, 0.0), (found.low, -0.05), (found.high, 0.05)] {
            assert!((end / 1.2_f64 / f64::exp(expected) - 1.0).abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn the_chance_is_where_the_interval_begins_to_leave_the_bound_out() {
        let it = Searched { before: [100.0, 110.0], after: [111.0, 118.0] };
        let chance = it.chance(1.0);
        assert!((1e-4..0.05).contains(&chance), "{chance}");
        assert!(it.interval(chance * 1.01).low > 1.0 && it.interval(chance * 0.99).low < 1.0, "{chance}");
        let known = Searched { before: [100.0; 2], after: [100.0; 2] };
        assert_eq!((known.chance(1.0), known.chance(1.05)), (1.0, 0.0));
    }
}
