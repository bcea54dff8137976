//! How likely a trial's count of requests beyond the limit is, if the line and the slope were this.
//!
//! Such requests come in bursts, one for each excursion of the queue: their number is Poisson's, their sizes are about
//! exponential, so that the count is a compound of both, and spread far more widely than by chance alone. Beside the
//! bursts a service has requests that are slow by themselves, at any rate, or in excursions that barely reach the
//! limit: the base.

use crate::trial::Counts;

/// Bursts whose requests in all have a variance of `dispersion` times their mean, however many they are.
///
/// How their sizes are distributed differs from server to server, between exponential (then their sum is compound
/// Poisson's) and logarithmic (negative binomial). The first makes it likelier to meet none at all, the second to meet
/// very many, so that either alone is too sure of itself on one side: each is taken with the same probability.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bursts {
    dispersion: f64,
    ln_dispersion: f64,
    /// ln(1 - 1/dispersion)
    ln_less: f64,
    /// Variance of exponential sizes: number × E[size²], which is 2 × size².
    size: f64,
    ln_size: f64,
}

/// A number of requests, not always a whole one, with what is needed of it again and again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    count: f64,
    ln: f64,
    ln_factorial: f64,
}

impl Count {
    pub fn new(count: f64) -> Self {
        Self { count, ln: count.ln(), ln_factorial: ln_gamma(count.max(0.0) + 1.0) }
    }
}

/// How many requests bursts have on average, in all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mean {
    mean: f64,
    ln: f64,
}

impl Mean {
    /// The mean, given its logarithm.
    pub fn of_ln(ln: f64) -> Self {
        let ln = ln.max(LEAST_LN_MEAN);
        Self { mean: ln.exp(), ln }
    }

    pub fn value(&self) -> f64 {
        self.mean
    }
}

/// The logarithm of 10⁻⁹: none at all.
const LEAST_LN_MEAN: f64 = -20.72;

impl Bursts {
    pub fn new(dispersion: f64) -> Self {
        let dispersion = dispersion.max(2.0);
        let size = dispersion / 2.0;
        Self {
            dispersion,
            ln_dispersion: dispersion.ln(),
            ln_less: (1.0 - 1.0 / dispersion).ln(),
            size,
            ln_size: size.ln(),
        }
    }

    /// The logarithm of the probability of no request at all.
    pub fn ln_none(&self, mean: Mean) -> f64 {
        let logarithmic = -mean.mean / (self.dispersion - 1.0) * self.ln_dispersion;
        ln_sum(-mean.mean / self.size, logarithmic) - std::f64::consts::LN_2
    }

    /// The logarithm of the probability of `count` requests in all.
    pub fn ln_probability(&self, mean: Mean, count: &Count) -> f64 {
        if count.count == 0.0 {
            return self.ln_none(mean);
        }
        ln_sum(self.of_exponential_sizes(mean, count), self.of_logarithmic_sizes(mean, count)) - std::f64::consts::LN_2
    }

    fn of_exponential_sizes(&self, mean: Mean, count: &Count) -> f64 {
        let at = 2.0 * (mean.mean * count.count).sqrt() / self.size;
        let ln_at = std::f64::consts::LN_2 + 0.5 * (mean.ln + count.ln) - self.ln_size;
        0.5 * (mean.ln - count.ln) - self.ln_size - (mean.mean + count.count) / self.size + ln_bessel_1(at, ln_at)
    }

    fn of_logarithmic_sizes(&self, mean: Mean, count: &Count) -> f64 {
        let size = mean.mean / (self.dispersion - 1.0);
        ln_gamma(count.count + size) - ln_gamma(size) - count.ln_factorial - size * self.ln_dispersion
            + count.count * self.ln_less
    }
}

/// The logarithm of the modified Bessel function of the first kind and first order, to 10⁻⁶ (Abramowitz and Stegun,
/// 9.8.3 and 9.8.4), given the logarithm of `x` as well.
fn ln_bessel_1(x: f64, ln_x: f64) -> f64 {
    let polynomial = |coefficients: &[f64], t: f64| coefficients.iter().rev().fold(0.0, |sum, next| sum * t + next);
    if x < 3.75 {
        const SMALL: [f64; 7] = [0.5, 0.87890594, 0.51498869, 0.15084934, 0.02658733, 0.00301532, 0.00032411];
        return ln_x + polynomial(&SMALL, (x / 3.75).powi(2)).ln();
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
    x - 0.5 * ln_x + polynomial(&LARGE, 3.75 / x).ln()
}

/// The logarithm of the gamma function of a positive number, to 10⁻¹⁰ (Stirling's series, from 7 on); several times
/// faster than libm's, which is what a search would spend most of its time with.
fn ln_gamma(x: f64) -> f64 {
    let (mut at, mut product) = (x, 1.0);
    while at < 7.0 {
        product *= at;
        at += 1.0;
    }
    let ln_product = if product == 1.0 { 0.0 } else { product.ln() };
    let square = 1.0 / (at * at);
    let rest = (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0))) / at;
    (at - 0.5) * at.ln() - at + HALF_LN_TWO_PI + rest - ln_product
}

const HALF_LN_TWO_PI: f64 = 0.918_938_533_204_672_8;

/// The dispersion of requests that are slow by themselves: they come one by one, or a few together.
const BASE_DISPERSION: f64 = 4.0;

/// The part of a count that the base explains, for one share of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base {
    mean: f64,
    ln_alone: f64,
    /// The part that is left for bursts.
    left: Option<Count>,
}

impl Base {
    /// `expected`: how many are slow by themselves.
    pub fn new(expected: f64, counts: &Counts) -> Self {
        if expected == 0.0 {
            return Self { mean: 0.0, ln_alone: 0.0, left: Some(Count::new(counts.beyond)) };
        }
        let ln_alone = ln_negative_binomial(counts.beyond, expected, BASE_DISPERSION);
        let left = (counts.beyond > expected).then(|| Count::new(counts.beyond - expected));
        Self { mean: expected, ln_alone, left }
    }

    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The logarithm of the likelihood of the counts, if bursts with `mean` are expected beside the base.
    pub fn ln_likelihood(&self, bursts: &Bursts, mean: Mean) -> f64 {
        match &self.left {
            Some(all) if self.mean == 0.0 => bursts.ln_probability(mean, all),
            Some(left) => ln_sum(bursts.ln_none(mean) + self.ln_alone, bursts.ln_probability(mean, left)),
            None => bursts.ln_none(mean) + self.ln_alone,
        }
    }
}

/// The logarithm of the probability of a count with this mean, and a variance that is `dispersion` times the mean.
fn ln_negative_binomial(count: f64, mean: f64, dispersion: f64) -> f64 {
    let size = mean / (dispersion - 1.0);
    ln_gamma(count + size) - ln_gamma(size) - ln_gamma(count + 1.0) - size * dispersion.ln()
        + count * (1.0 - 1.0 / dispersion).ln()
}

/// The logarithm of a part that no floating-point number can show beside the whole.
const NOTHING_BESIDE: f64 = -37.0;

/// The logarithm of the sum of two numbers, given theirs.
fn ln_sum(a: f64, b: f64) -> f64 {
    let (large, small) = if a > b { (a, b) } else { (b, a) };
    if small - large < NOTHING_BESIDE { large } else { large + (1.0 + (small - large).exp()).ln() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_have_the_mean_and_the_dispersion_that_are_asked_for() {
        for (mean, dispersion) in [(3.0, 10.0), (50.0, 40.0), (200.0, 30.0)] {
            let (bursts, of) = (Bursts::new(dispersion), Mean::of_ln(f64::ln(mean)));
            let probability = |count: u32| bursts.ln_probability(of, &Count::new(f64::from(count))).exp();
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
        let (bursts, mean) = (Bursts::new(200.0), Mean::of_ln(f64::ln(50.0)));
        let with = Base::new(10.0, &counts).ln_likelihood(&bursts, mean);
        let without = Base::new(0.0, &counts).ln_likelihood(&bursts, mean);
        assert!(with > without, "{with} {without}");
        assert!(Base::new(40.0, &counts).ln_likelihood(&bursts, mean) < with);
    }

    #[test]
    fn the_gamma_function_is_that_of_libm() {
        for exponent in -60..60 {
            let x = 1.3f64.powi(exponent);
            let expected = libm::lgamma(x);
            assert!((ln_gamma(x) - expected).abs() < 1e-9 * expected.abs().max(1.0), "{x}: {expected}");
        }
    }
}
