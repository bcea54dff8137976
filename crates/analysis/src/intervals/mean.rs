//! The mean of a few rounds and its error: Student's t, with the extremes of many rounds left out.

use super::{Interval, Tails, student};

/// One round is left out at each end for every this many rounds.
const TRIMMED_FROM: usize = 10;

/// The probability that an interval turns out wider than was foreseen: 20 %, for the usual power of a test, 80 %.
const OUTDONE: f64 = 0.2;

/// A mean and its standard error.
pub(super) struct Mean {
    pub centre: f64,
    error: f64,
    rounds: usize,
    freedom: usize,
}

impl Mean {
    /// `values` is not empty.
    ///
    /// From ten rounds on a tenth of them is left out at each end, and the error is that of the trimmed mean, by the
    /// winsorised variance (Tukey & McLaughlin 1963; Yuen, Biometrika 61, 1974): one wild round in ten would double the
    /// interval otherwise. It costs 6 % of the width of ten rounds if none is wild.
    ///
    /// Rounding to multiples of a step hides a standard deviation of step/√12, that of a uniform distribution (Sheppard
    /// 1898). It is added, since few rounded values are alike too often: three equal rounds do not show that the next
    /// one will be equal.
    pub(super) fn of(mut values: Vec<f64>, step: f64, is_trimmed: bool) -> Self {
        values.sort_by(f64::total_cmp);
        let rounds = values.len();
        let trimmed = if is_trimmed { trimmed_of(rounds) } else { 0 };
        let kept = rounds - 2 * trimmed;
        let centre = mean(&values[trimmed..rounds - trimmed]);
        let (least, greatest) = (values[trimmed], values[rounds - 1 - trimmed]);
        let winsorised: Vec<f64> = values.iter().map(|value| value.clamp(least, greatest)).collect();
        let variance = variance(&winsorised) + step * step / 12.0;
        let shrunk = (rounds - 1) as f64 / (kept.max(2) - 1) as f64;
        Self { centre, error: (variance * shrunk / kept as f64).sqrt(), rounds, freedom: kept - 1 }
    }

    /// Its standard error.
    pub(super) const fn error(&self) -> f64 {
        self.error
    }

    /// Degrees of freedom of that error.
    pub(super) const fn freedom(&self) -> usize {
        self.freedom
    }

    pub(super) fn interval(&self, tails: Tails) -> Interval {
        let freedom = self.freedom;
        self.with(tails, |tail| student::quantile(tail, freedom) * self.error)
    }

    pub(super) fn foreseen(&self, rounds: usize, tails: Tails) -> Interval {
        let freedom = freedom_of(rounds);
        let error = self.error * (self.rounds as f64 / rounds as f64).sqrt();
        self.with(tails, |tail| (student::quantile(tail, freedom) + student::quantile(OUTDONE, freedom)) * error)
    }

    /// The probability that a mean is as far from zero by chance, if the truth is zero.
    #[cfg(any(test, feature = "testing"))]
    pub(super) fn chance(&self) -> f64 {
        2.0 * student::beyond((self.centre / self.error).abs(), self.freedom)
    }

    fn with(&self, tails: Tails, half: impl Fn(f64) -> f64) -> Interval {
        // Rounds without any scatter: zero times infinity is zero here.
        let half = |tail: f64| if self.error == 0.0 { 0.0 } else { half(tail) };
        Interval { estimate: self.centre, low: self.centre - half(tails.below), high: self.centre + half(tails.above) }
    }
}

/// How many rounds are left out at each end.
const fn trimmed_of(rounds: usize) -> usize {
    rounds / TRIMMED_FROM
}

const fn freedom_of(rounds: usize) -> usize {
    (rounds - 2 * trimmed_of(rounds)).saturating_sub(1)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The sample variance (÷ n − 1); zero for one value.
pub(crate) fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    if values.len() < 2 { 0.0 } else { squares / (values.len() - 1) as f64 }
}
