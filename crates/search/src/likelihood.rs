//! How likely a trial's count of requests beyond the limit is, if the line and the slope were this.
//!
//! Such requests come in bursts, one for each excursion of the queue: their number is Poisson's, their sizes are about
//! exponential, so that the count is a compound of both, and spread far more widely than by chance alone. Beside the
//! bursts a service has requests that are slow by themselves, at any rate, or in excursions that barely reach the
//! limit: the base.

use crate::trial::Counts;

/// Bursts, as many and as large as a mean and a dispersion say.
///
/// How their sizes are distributed differs from server to server, between exponential (then their sum is compound
/// Poisson's) and logarithmic (negative binomial). The first makes it likelier to meet none at all, the second to meet
/// very many, so that either alone is too sure of itself on one side: each is taken with the same probability.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bursts {
    mean: f64,
    dispersion: f64,
    ln_gamma_size: f64,
}

impl Bursts {
    /// Bursts of which the requests in all have this mean, and a variance of `dispersion` times the mean.
    pub fn new(mean: f64, dispersion: f64) -> Self {
        let (mean, dispersion) = (mean.max(1e-9), dispersion.max(2.0));
        Self { mean, dispersion, ln_gamma_size: libm::lgamma(mean / (dispersion - 1.0)) }
    }

    /// The logarithm of the probability of `count` requests in all, which need not be a whole number.
    pub fn ln_probability(&self, count: f64) -> f64 {
        if count < 0.0 {
            return f64::NEG_INFINITY;
        }
        ln_sum(self.of_exponential_sizes(count), self.of_logarithmic_sizes(count)) - std::f64::consts::LN_2
    }

    fn of_exponential_sizes(&self, count: f64) -> f64 {
        // The variance is number × E[size²], and 2 × size² is that of exponential sizes.
        let size = self.dispersion / 2.0;
        let number = self.mean / size;
        if count == 0.0 {
            return -number;
        }
        let at = 2.0 * (number * count / size).sqrt();
        0.5 * (number / (size * count)).ln() - number - count / size + ln_bessel_1(at)
    }

    fn of_logarithmic_sizes(&self, count: f64) -> f64 {
        let size = self.mean / (self.dispersion - 1.0);
        let none = -size * self.dispersion.ln();
        if count == 0.0 {
            return none;
        }
        libm::lgamma(count + size) - self.ln_gamma_size - libm::lgamma(count + 1.0)
            + none
            + count * (1.0 - 1.0 / self.dispersion).ln()
    }
}

/// The logarithm of the modified Bessel function of the first kind and first order, to 10⁻⁶ (Abramowitz and Stegun,
/// 9.8.3 and 9.8.4).
fn ln_bessel_1(x: f64) -> f64 {
    let polynomial = |coefficients: &[f64], t: f64| coefficients.iter().rev().fold(0.0, |sum, next| sum * t + next);
    if x < 3.75 {
        const SMALL: [f64; 7] = [0.5, 0.87890594, 0.51498869, 0.15084934, 0.02658733, 0.00301532, 0.00032411];
        return (x * polynomial(&SMALL, (x / 3.75).powi(2))).ln();
    }
    const LARGE: [f64; 9] = [
        0.39894228,
        -0.03988024,
        -0.00362018,
        0.00163801,
        -0.01031555,
        0.02282967,
        -0.02895312,
        0.01787654,
        -0.00420059,
    ];
    x - 0.5 * x.ln() + polynomial(&LARGE, 3.75 / x).ln()
}

/// The dispersion of requests that are slow by themselves: they come one by one, or a few together.
const BASE_DISPERSION: f64 = 4.0;

/// What the base explains of a count, for one share of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base {
    mean: f64,
    ln_alone: f64,
}

impl Base {
    /// `expected`: how many are slow by themselves.
    pub fn new(expected: f64, counts: &Counts) -> Self {
        let ln_alone = match expected > 0.0 {
            true => ln_negative_binomial(counts.beyond, expected, BASE_DISPERSION),
            false if counts.beyond == 0.0 => 0.0,
            false => f64::NEG_INFINITY,
        };
        Self { mean: expected, ln_alone }
    }

    /// The logarithm of the likelihood of `counts`, if `bursts` are expected beside the base.
    pub fn ln_likelihood(&self, bursts: &Bursts, counts: &Counts) -> f64 {
        if self.mean == 0.0 {
            return bursts.ln_probability(counts.beyond);
        }
        let none = bursts.ln_probability(0.0) + self.ln_alone;
        let some = if counts.beyond > self.mean {
            bursts.ln_probability(counts.beyond - self.mean)
        } else {
            f64::NEG_INFINITY
        };
        ln_sum(none, some)
    }
}

/// The logarithm of the probability of a count with this mean, and a variance that is `dispersion` times the mean.
fn ln_negative_binomial(count: f64, mean: f64, dispersion: f64) -> f64 {
    let size = mean / (dispersion - 1.0);
    libm::lgamma(count + size) - libm::lgamma(size) - libm::lgamma(count + 1.0) - size * dispersion.ln()
        + count * (1.0 - 1.0 / dispersion).ln()
}

/// The logarithm of the sum of two numbers, given theirs.
pub(crate) fn ln_sum(a: f64, b: f64) -> f64 {
    let (large, small) = if a > b { (a, b) } else { (b, a) };
    if small == f64::NEG_INFINITY { large } else { large + (small - large).exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_have_the_mean_and_the_dispersion_that_are_asked_for() {
        for (mean, dispersion) in [(3.0, 10.0), (50.0, 40.0), (200.0, 30.0)] {
            let bursts = Bursts::new(mean, dispersion);
            let probability = |count: u32| bursts.ln_probability(f64::from(count)).exp();
            let sum = |of: &dyn Fn(f64) -> f64| (0..5_000).map(|n| probability(n) * of(f64::from(n))).sum::<f64>();
            let (all, first, second) = (sum(&|_| 1.0), sum(&|n| n), sum(&|n| n * n));
            // Exponential sizes are no whole numbers: within some percent.
            assert!((all - 1.0).abs() < 0.05, "{mean}: {all}");
            assert!((first / mean - 1.0).abs() < 0.05, "{mean}: {first}");
            let spread = (second - first * first) / first;
            assert!((spread / dispersion - 1.0).abs() < 0.15, "{mean}: {spread}");
        }
    }

    #[test]
    fn the_base_explains_a_few_and_never_more_than_there_are() {
        let counts = Counts { offered: 10_000.0, beyond: 10.0, length: 10.0 };
        let bursts = Bursts::new(50.0, 200.0);
        let with = Base::new(10.0, &counts).ln_likelihood(&bursts, &counts);
        let without = Base::new(0.0, &counts).ln_likelihood(&bursts, &counts);
        assert!(with > without, "{with} {without}");
        assert!(Base::new(40.0, &counts).ln_likelihood(&bursts, &counts) < with);
    }
}
