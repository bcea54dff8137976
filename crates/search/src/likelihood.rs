//! The likelihood of a trial's count of requests beyond the limit, for each assumption about the service.
//!
//! Such requests come in bursts, one for each excursion of the queue. The number of bursts has a Poisson distribution,
//! their sizes about an exponential one: the count is a compound of both, and varies far more than by chance alone.
//! The rest is the base: requests that are slow by themselves, at any rate, or in excursions that barely reach the
//! limit.
//!
//! All places of the line are computed in one loop without branches.

use std::f64::consts::LN_2;

use crate::{
    elementary::{exp, ln, polynomial},
    grid::{LINES, Places},
    trial::Counts,
};

/// Bursts of a given dispersion, for each place of the line: the variance of the number of requests in all bursts,
/// divided by its mean, however many bursts there are.
///
/// The distribution of their sizes differs from server to server, between exponential (then the sum is compound
/// Poisson) and logarithmic (negative binomial). The first makes it likelier to meet none at all, the second to meet
/// very many, so that either alone is too sure of itself on one side: each is taken with the same probability.
#[derive(Clone, Debug)]
pub(crate) struct Bursts {
    /// 1/size: the variance of exponential sizes is number × E[size²] = number × 2 size², so size = dispersion/2.
    per_size: Places,
    ln_size: Places,
    ln_dispersion: Places,
    /// 1/(dispersion - 1)
    per_more: Places,
    /// ln(1 - 1/dispersion)
    ln_less: Places,
}

/// The same for one place.
#[derive(Clone, Copy)]
struct Burst {
    per_size: f64,
    ln_size: f64,
    ln_dispersion: f64,
    per_more: f64,
    ln_less: f64,
}

/// A number of requests, not always a whole one, with functions of it that are needed again and again.
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

/// The mean number of requests in all bursts, for each place of the line.
#[derive(Clone, Debug)]
pub(crate) struct Means {
    mean: Places,
    ln: Places,
}

/// The logarithm of 10⁻⁹: none at all.
const LEAST_LN_MEAN: f64 = -20.72;

impl Means {
    /// The means, given their logarithms.
    pub fn of_ln(mut ln: Places) -> Self {
        let mut mean = [0.0; LINES];
        for (mean, ln) in mean.iter_mut().zip(&mut ln) {
            *ln = if *ln > LEAST_LN_MEAN { *ln } else { LEAST_LN_MEAN };
            *mean = exp(*ln);
        }
        Self { mean, ln }
    }

    pub fn values(&self) -> &Places {
        &self.mean
    }
}

/// The product `factor · exp(ln)`, which saves the logarithm of the factor.
#[derive(Clone, Copy)]
struct Part {
    factor: f64,
    ln: f64,
}

impl Bursts {
    pub fn new(dispersion: &Places) -> Self {
        let dispersion = dispersion.map(|it| it.max(2.0));
        Self {
            per_size: dispersion.map(|it| 2.0 / it),
            ln_size: dispersion.map(|it| ln(0.5 * it)),
            ln_dispersion: dispersion.map(ln),
            per_more: dispersion.map(|it| 1.0 / (it - 1.0)),
            ln_less: dispersion.map(|it| ln(1.0 - 1.0 / it)),
        }
    }

    /// Writes `of(burst, mean, ln(mean))` of each place to its cell.
    #[inline(always)]
    fn at_each(&self, means: &Means, cells: &mut Places, of: impl Fn(Burst, f64, f64) -> f64) {
        for (place, cell) in cells.iter_mut().enumerate() {
            let burst = Burst {
                per_size: self.per_size[place],
                ln_size: self.ln_size[place],
                ln_dispersion: self.ln_dispersion[place],
                per_more: self.per_more[place],
                ln_less: self.ln_less[place],
            };
            *cell = of(burst, means.mean[place], means.ln[place]);
        }
    }
}

impl Burst {
    /// The logarithms of the probability of no request at all: with exponential sizes, and with logarithmic ones.
    #[inline(always)]
    fn none(self, mean: f64) -> [f64; 2] {
        [-mean * self.per_size, -mean * self.per_more * self.ln_dispersion]
    }

    /// The logarithm of the probability of no request at all, both kinds of sizes being equally likely.
    #[inline(always)]
    fn ln_none(self, mean: f64) -> f64 {
        let [one, other] = self.none(mean);
        let (more, less) = if one > other { (one, other) } else { (other, one) };
        more + ln(1.0 + exp(less - more)) - LN_2
    }

    /// The probability of `count` requests in all: with exponential sizes, and with logarithmic ones.
    #[inline(always)]
    fn some(self, mean: f64, ln_mean: f64, count: &Count) -> [Part; 2] {
        [self.of_exponential_sizes(mean, ln_mean, count), self.of_logarithmic_sizes(mean, count)]
    }

    #[inline(always)]
    fn of_exponential_sizes(self, mean: f64, ln_mean: f64, count: &Count) -> Part {
        let at = 2.0 * (mean * count.count).sqrt() * self.per_size;
        let ln_at = LN_2 + 0.5 * (ln_mean + count.ln) - self.ln_size;
        let bessel = bessel_1(at, ln_at);
        let ln = 0.5 * (ln_mean - count.ln) - self.ln_size - (mean + count.count) * self.per_size + bessel.ln;
        Part { factor: bessel.factor, ln }
    }

    /// The negative binomial distribution: Γ(count + size) / (Γ(size) count!) and powers.
    #[inline(always)]
    fn of_logarithmic_sizes(self, mean: f64, count: &Count) -> Part {
        let size = mean * self.per_more;
        let all = count.count + size;
        // Stirling's series holds from 7 on.
        let (factor_all, factor_size) = (rising(all), rising(size));
        let (all, shifted) = (all + 7.0, size + 7.0);
        let inverse = 1.0 / (all * shifted);
        let rest = stirling_rest(inverse * shifted) - stirling_rest(inverse * all);
        let ln_ratio = (all - 0.5) * ln(all) - (shifted - 0.5) * ln(shifted) - count.count + rest;
        let ln = ln_ratio - count.ln_factorial - size * self.ln_dispersion + count.count * self.ln_less;
        Part { factor: factor_size / factor_all, ln }
    }
}

/// The logarithm of the sum of some products.
#[inline(always)]
fn ln_of_sum<const N: usize>(parts: [Part; N]) -> f64 {
    let most = parts.iter().fold(parts[0].ln, |most, part| if part.ln > most { part.ln } else { most });
    let sum = parts.iter().fold(0.0, |sum, part| sum + part.factor * exp(part.ln - most));
    most + ln(sum)
}

/// The modified Bessel function of the first kind and first order, to 10⁻⁶ (Abramowitz and Stegun, 9.8.3 and 9.8.4),
/// given the logarithm of `x` as well.
#[inline(always)]
fn bessel_1(x: f64, ln_x: f64) -> Part {
    const BORDER: f64 = 3.75;
    const SMALL: [f64; 7] = [0.5, 0.87890594, 0.51498869, 0.15084934, 0.02658733, 0.00301532, 0.00032411];
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
    let is_small = x < BORDER;
    let part = if is_small { x * (1.0 / BORDER) } else { BORDER / x };
    let (small, large) = (polynomial(SMALL, part * part), polynomial(LARGE, part));
    Part { factor: if is_small { small } else { large }, ln: if is_small { ln_x } else { x - 0.5 * ln_x } }
}

/// x (x + 1) … (x + 6), which is Γ(x + 7) / Γ(x).
#[inline(always)]
fn rising(x: f64) -> f64 {
    (x * (x + 1.0)) * ((x + 2.0) * (x + 3.0)) * ((x + 4.0) * (x + 5.0)) * (x + 6.0)
}

/// The rest of Stirling's series for the logarithm of the gamma function, given the inverse of its argument.
#[inline(always)]
fn stirling_rest(inverse: f64) -> f64 {
    let square = inverse * inverse;
    (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0)))) * inverse
}

/// The logarithm of the gamma function of a positive number, to 10⁻¹⁰ (Stirling's series, from 7 on).
fn ln_gamma(x: f64) -> f64 {
    let (mut at, mut product) = (x, 1.0);
    while at < 7.0 {
        product *= at;
        at += 1.0;
    }
    (at - 0.5) * at.ln() - at + HALF_LN_TWO_PI + stirling_rest(1.0 / at) - product.ln()
}

const HALF_LN_TWO_PI: f64 = 0.918_938_533_204_672_8;

/// The dispersion of requests that are slow by themselves: they come one by one, or a few together.
const BASE_DISPERSION: f64 = 4.0;

/// The part of a count that the base explains, for one size of the base.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base {
    mean: f64,
    ln_alone: f64,
    /// The part that is left for bursts.
    left: Option<Count>,
}

impl Base {
    /// `expected`: the mean number of requests that are slow by themselves.
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

    /// Writes the logarithm of the likelihood of the counts, if bursts with these means are expected beside the base.
    pub fn write_ln_likelihoods(&self, bursts: &Bursts, means: &Means, cells: &mut Places) {
        match &self.left {
            Some(all) if self.mean == 0.0 && all.count > 0.0 => {
                bursts.at_each(means, cells, |burst, mean, ln_mean| ln_of_sum(burst.some(mean, ln_mean, all)) - LN_2);
            }
            Some(left) if left.count > 0.0 => bursts.at_each(means, cells, |burst, mean, ln_mean| {
                let [one, other] = burst.none(mean).map(|ln| Part { factor: 1.0, ln: ln + self.ln_alone });
                let [small, large] = burst.some(mean, ln_mean, left);
                ln_of_sum([one, other, small, large]) - LN_2
            }),
            _ => bursts.at_each(means, cells, |burst, mean, _| burst.ln_none(mean) + self.ln_alone),
        }
    }
}

/// The logarithm of the probability of a count with this mean, and a variance that is `dispersion` times the mean.
fn ln_negative_binomial(count: f64, mean: f64, dispersion: f64) -> f64 {
    let size = mean / (dispersion - 1.0);
    ln_gamma(count + size) - ln_gamma(size) - ln_gamma(count + 1.0) - size * dispersion.ln()
        + count * (1.0 - 1.0 / dispersion).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Probabilities of so many requests in bursts, of the first place.
    fn probability(mean: f64, dispersion: f64, count: u32) -> f64 {
        let counts = Counts { offered: 1e6, beyond: f64::from(count), length: 10.0 };
        ln_likelihood(mean, dispersion, 0.0, &counts).exp()
    }

    fn ln_likelihood(mean: f64, dispersion: f64, expected: f64, counts: &Counts) -> f64 {
        let (bursts, means) = (Bursts::new(&[dispersion; LINES]), Means::of_ln([mean.ln(); LINES]));
        let mut cells = [0.0; LINES];
        Base::new(expected, counts).write_ln_likelihoods(&bursts, &means, &mut cells);
        assert!(cells.iter().all(|cell| *cell == cells[0]));
        cells[0]
    }

    #[test]
    fn bursts_have_the_mean_and_the_dispersion_that_are_asked_for() {
        for (mean, dispersion) in [(3.0, 10.0), (50.0, 40.0), (200.0, 30.0)] {
            let probabilities: Vec<f64> = (0..5_000).map(|count| probability(mean, dispersion, count)).collect();
            let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
                probabilities.iter().enumerate().map(|(n, probability)| probability * of(n as f64)).sum()
            };
            let (all, first, second) = (sum(&|_| 1.0), sum(&|n| n), sum(&|n| n * n));
            // Exponential sizes are no whole numbers: within some percent.
            assert!((all - 1.0).abs() < 0.05, "{mean}: {all}");
            assert!((first / mean - 1.0).abs() < 0.05, "{mean}: {first}");
            let spread = (second - first * first) / first;
            assert!((spread / dispersion - 1.0).abs() < 0.15, "{mean}: {spread}");
        }
    }

    /// Both by their definitions: a Poisson number of exponential sizes has the density of gamma distributions, each as
    /// likely as its number; logarithmic sizes make the negative binomial distribution.
    #[test]
    fn both_kinds_of_bursts_are_as_defined() {
        let ln_poisson = |n: f64, mean: f64| n * mean.ln() - mean - libm::lgamma(n + 1.0);
        let cases = [
            (3.0, 10.0, 1),
            (3.0, 10.0, 25),
            (1e-6, 40.0, 12),
            (900.0, 60.0, 700),
            (40.0, 500.0, 3),
            (300.0, 2.5, 330),
        ];
        for (mean, dispersion, count) in cases {
            let (size, all) = (0.5 * dispersion, f64::from(count));
            let exponential = |n: f64| {
                (ln_poisson(n, mean / size) - libm::lgamma(n) - n * size.ln() + (n - 1.0) * all.ln() - all / size).exp()
            };
            let exponential: f64 = (1..400).map(|n| exponential(f64::from(n))).sum();
            let successes = mean / (dispersion - 1.0);
            let choices = libm::lgamma(all + successes) - libm::lgamma(successes) - libm::lgamma(all + 1.0);
            let logarithmic = (choices - successes * dispersion.ln() + all * (1.0 - 1.0 / dispersion).ln()).exp();
            let (found, expected) = (probability(mean, dispersion, count), 0.5 * (exponential + logarithmic));
            assert!((found / expected - 1.0).abs() < 1e-6, "{mean} {dispersion} {count}: {found} {expected}");
        }
    }

    #[test]
    fn counts_that_cannot_be_are_told_apart_still() {
        let ln = |mean| ln_likelihood(mean, 2.0, 0.0, &Counts { offered: 1e6, beyond: 30_000.0, length: 10.0 });
        assert!(ln(1e-9) < -9_000.0 && ln(10.0) > ln(1e-9) + 10.0, "{} {}", ln(1e-9), ln(10.0));
    }

    #[test]
    fn the_base_explains_a_few_and_never_more_than_there_are() {
        let counts = Counts { offered: 10_000.0, beyond: 10.0, length: 10.0 };
        let of = |expected| ln_likelihood(50.0, 200.0, expected, &counts);
        assert!(of(10.0) > of(0.0), "{} {}", of(10.0), of(0.0));
        assert!(of(40.0) < of(10.0));
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
