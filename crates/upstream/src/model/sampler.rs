//! Draws from distributions.

use plimsoll_record::Distribution;
use rand::{Rng, RngExt};
use rand_distr::{Distribution as _, Exp, LogNormal};

/// The 99th percentile of the standard normal distribution.
const NORMAL_P99: f64 = 2.326_347_874_040_840_8;

/// A distribution, ready to be drawn from; values are whole numbers of its unit.
pub enum Sampler {
    Constant(u64),
    Uniform(u64, u64),
    Exponential(Exp<f64>),
    LogNormal(LogNormal<f64>),
    /// Values, each with the count of those up to it.
    Measured(Vec<(u64, u64)>),
}

impl Sampler {
    /// Sampler of a distribution that was checked; `number` takes away the unit.
    pub fn new<T: Copy>(distribution: &Distribution<T>, number: impl Fn(T) -> u64) -> Self {
        const CHECKED: &str = "figures of a distribution that was checked";
        match distribution {
            Distribution::Constant(value) => Self::Constant(number(*value)),
            Distribution::Uniform { min, max } => Self::Uniform(number(*min), number(*max)),
            Distribution::Exponential { mean } => {
                Self::Exponential(Exp::new(1.0 / number(*mean) as f64).expect(CHECKED))
            }
            Distribution::LogNormal { median, p99 } => {
                let (median, p99) = (number(*median) as f64, number(*p99) as f64);
                let sigma = (p99 / median).ln() / NORMAL_P99;
                Self::LogNormal(LogNormal::new(median.ln(), sigma).expect(CHECKED))
            }
            Distribution::Histogram { counts, .. } => {
                let up_to = counts.iter().scan(0, |up_to, (value, count)| {
                    *up_to += count;
                    Some((number(*value), *up_to))
                });
                Self::Measured(up_to.collect())
            }
        }
    }

    /// One value.
    pub fn sample(&self, random: &mut impl Rng) -> u64 {
        match self {
            Self::Constant(value) => *value,
            Self::Uniform(min, max) => random.random_range(*min..=*max),
            Self::Exponential(exponential) => exponential.sample(random).round() as u64,
            Self::LogNormal(log_normal) => log_normal.sample(random).round() as u64,
            Self::Measured(values) => {
                let all = values.last().map_or(1, |(_, up_to)| *up_to);
                let nth = random.random_range(0..all);
                let index = values.partition_point(|(_, up_to)| *up_to <= nth);
                values.get(index).map_or(0, |(value, _)| *value)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

    use super::*;

    const DRAWN: usize = 100_000;

    fn drawn(distribution: &Distribution<u64>) -> Vec<u64> {
        let sampler = Sampler::new(distribution, |value| value);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut values: Vec<u64> = (0..DRAWN).map(|_| sampler.sample(&mut random)).collect();
        values.sort_unstable();
        values
    }

    /// The Kolmogorov-Smirnov distance to `cdf` is within what chance allows once in a thousand times.
    fn assert_follows(distribution: &Distribution<u64>, cdf: impl Fn(f64) -> f64) {
        let values = drawn(distribution);
        let n = values.len() as f64;
        let distance = values.iter().enumerate().map(|(rank, &value)| (cdf(value as f64) - rank as f64 / n).abs());
        let distance = distance.fold(0.0, f64::max);
        assert!(distance < 1.95 / n.sqrt(), "{distribution:?}: {distance}");
    }

    #[test]
    fn what_is_drawn_follows_the_distribution() {
        let (min, max) = (100_000_000, 300_000_000);
        assert_follows(&Distribution::Uniform { min, max }, |x| (x - min as f64) / (max - min) as f64);
        let mean = 100_000_000;
        assert_follows(&Distribution::Exponential { mean }, |x| 1.0 - (-x / mean as f64).exp());
    }

    #[test]
    fn half_of_a_log_normal_is_below_its_median_and_one_percent_above_its_p99() {
        let (median, p99) = (20_000_000, 200_000_000);
        let values = drawn(&Distribution::LogNormal { median, p99 });
        let below = |limit: u64| values.partition_point(|&value| value < limit) as f64 / DRAWN as f64;
        assert!((below(median) - 0.5).abs() < 0.005, "{}", below(median));
        assert!((below(p99) - 0.99).abs() < 0.001, "{}", below(p99));
        // Closed form of the mean: median · exp(σ²/2).
        let mean = values.iter().map(|&value| value as f64).sum::<f64>() / DRAWN as f64;
        let sigma = 10.0_f64.ln() / NORMAL_P99;
        assert!((mean / (median as f64 * (sigma * sigma / 2.0).exp()) - 1.0).abs() < 0.02, "{mean}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 16, ..ProptestConfig::default() })]

        #[test]
        fn measured_values_come_back_as_often_as_they_were(counts in prop::collection::vec(0..50_u64, 1..8)) {
            let all: u64 = counts.iter().sum();
            prop_assume!(all > 0);
            let listed: Vec<(u64, u64)> = (10..).zip(counts.iter().copied()).collect();
            let values = drawn(&Distribution::Histogram { source: String::new(), counts: listed.clone() });
            for (value, count) in listed {
                let share = values.iter().filter(|&&it| it == value).count() as f64 / DRAWN as f64;
                prop_assert!((share - count as f64 / all as f64).abs() < 0.01, "{value}: {share}");
            }
        }
    }
}
