//! Arrivals of an open load.

use rand::rngs::SmallRng;
use rand_distr::{Distribution, Exp1};

/// How arrivals are spaced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arrivals {
    /// Independent of each other.
    Poisson,
    /// Each after the same time.
    Even,
    /// So many at once, the groups independent of each other.
    Batches(u32),
}

impl Arrivals {
    /// The time from one arrival to the next, in seconds; `index` is the number of the next.
    pub fn gap(self, rate: f64, index: u64, rng: &mut SmallRng) -> f64 {
        let exponential = |rng: &mut SmallRng| -> f64 { Exp1.sample(rng) };
        match self {
            Self::Poisson => exponential(rng) / rate,
            Self::Even => 1.0 / rate,
            Self::Batches(size) if index.is_multiple_of(u64::from(size)) => exponential(rng) * f64::from(size) / rate,
            Self::Batches(_) => 0.0,
        }
    }
}
