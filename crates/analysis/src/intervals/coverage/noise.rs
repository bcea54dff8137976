//! Noise that real runs show: what one round of an experiment gives.

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::super::Scale;

type Random = Xoshiro256PlusPlus;

/// A kind of experiment.
pub struct Cell {
    /// In words, for tables.
    pub name: &'static str,
    pub(super) scale: Scale,
    pub(super) step: f64,
    round: fn(&mut Random, f64) -> f64,
    truth: Truth,
}

/// The truth that an interval is to hold.
enum Truth {
    Known(f64),
    /// The geometric mean of all rounds but the least and the greatest tenth: the typical round.
    Typical,
    /// The geometric mean of all.
    Mean,
}

impl Cell {
    /// The value of each round.
    pub(super) fn experiment(&self, rounds: u32, random: &mut Random) -> Vec<f64> {
        (0..rounds).map(|round| (self.round)(random, f64::from(round))).collect()
    }

    pub(super) fn truth(&self) -> f64 {
        const MANY: usize = 400_000;
        let logarithms = || {
            let mut random = Random::seed_from_u64(99);
            let mut all: Vec<f64> = (0..MANY).map(|_| (self.round)(&mut random, 0.0).ln()).collect();
            all.sort_by(f64::total_cmp);
            all
        };
        let mean = |values: &[f64]| (values.iter().sum::<f64>() / values.len() as f64).exp();
        match self.truth {
            Truth::Known(truth) => truth,
            Truth::Typical => mean(&logarithms()[MANY / 10..MANY - MANY / 10]),
            Truth::Mean => mean(&logarithms()),
        }
    }
}

/// Every kind. Ratios are of two variants within a round.
pub const CELLS: &[Cell] = &[
    ratio("ratio, each 1 %", |random, _| factor(random, 0.01) / factor(random, 0.01)),
    ratio("ratio, each 5 %", |random, _| factor(random, 0.05) / factor(random, 0.05)),
    ratio("ratio, each 20 %", |random, _| factor(random, 0.2) / factor(random, 0.2)),
    ratio("ratio, 2 % against 15 %", |random, _| factor(random, 0.02) / factor(random, 0.15)),
    ratio("ratio, each 3 %, both drift by 10 %", |random, round| {
        let drift = factor(random, 0.1) * (1.0 + 0.02 * round);
        (drift * factor(random, 0.03)) / (drift * factor(random, 0.03))
    }),
    ratio("ratio, each 5 %, 1 run in 10 slow by 20–60 %", |random, _| {
        factor(random, 0.05) * wild(random) / (factor(random, 0.05) * wild(random))
    }),
    Cell {
        truth: Truth::Typical,
        ..ratio("ratio, the same, only one of them has slow runs", |random, _| {
            factor(random, 0.05) * wild(random) / factor(random, 0.05)
        })
    },
    ratio("ratio, heavy tails (t of 3 degrees)", |random, _| (0.05 * heavy(random)).exp()),
    Cell { step: 0.1, ..ratio("ratio, each 5 %, in steps of 10 %", |random, _| stepped(random, 0.0)) },
    Cell { step: 0.1, truth: Truth::Mean, ..ratio("the same, truth between steps", |random, _| stepped(random, 0.04)) },
    ratio("figure, 10 %", |random, _| factor(random, 0.1)),
    Cell {
        truth: Truth::Typical,
        ..ratio("figure, 5 %, 1 run in 10 slow", |random, _| factor(random, 0.05) * wild(random))
    },
    Cell { truth: Truth::Known(-50.0), ..difference("difference of 100 and 150, each 10 %") },
    count("count of 0.3 a round", 0.3, |random, _| poisson(random, 0.3)),
    count("count of 1 a round", 1.0, |random, _| poisson(random, 1.0)),
    count("count of 5 a round", 5.0, |random, _| poisson(random, 5.0)),
    count("count of 50 a round", 50.0, |random, _| poisson(random, 50.0)),
    Cell {
        scale: Scale::Events { most: 100.0 },
        step: 0.01,
        ..count("errors, 0.02 % of 10,000", 0.02, |random, _| poisson(random, 2.0) / 100.0)
    },
];

const fn ratio(name: &'static str, round: fn(&mut Random, f64) -> f64) -> Cell {
    Cell { name, scale: Scale::Logarithmic, step: 0.0, round, truth: Truth::Known(1.0) }
}

const fn difference(name: &'static str) -> Cell {
    Cell {
        name,
        scale: Scale::Linear,
        step: 0.0,
        round: |random, _| 100.0 * even(random) - 150.0 * even(random),
        truth: Truth::Known(0.0),
    }
}

const fn count(name: &'static str, mean: f64, round: fn(&mut Random, f64) -> f64) -> Cell {
    Cell { name, scale: Scale::Events { most: f64::INFINITY }, step: 1.0, round, truth: Truth::Known(mean) }
}

pub(super) fn normal(random: &mut Random) -> f64 {
    let [radius, angle] = [1.0 - random.random::<f64>(), random.random::<f64>()];
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// Log-normal about 1.
pub(super) fn factor(random: &mut Random, spread: f64) -> f64 {
    (spread * normal(random)).exp()
}

/// Normal about 1, by 10 %.
fn even(random: &mut Random) -> f64 {
    1.0 + 0.1 * normal(random)
}

/// One in ten is 20 to 60 % more.
pub(super) fn wild(random: &mut Random) -> f64 {
    if random.random::<f64>() < 0.1 { random.random_range(1.2..1.6) } else { 1.0 }
}

fn heavy(random: &mut Random) -> f64 {
    let squares: f64 = (0..3).map(|_| normal(random).powi(2)).sum();
    normal(random) / (squares / 3.0).sqrt()
}

/// A ratio read off in steps of 10 %, whose logarithm is `middle` before.
fn stepped(random: &mut Random, middle: f64) -> f64 {
    let logarithm = middle + 0.05 * normal(random) - 0.05 * normal(random);
    ((logarithm / 0.1).round() * 0.1).exp()
}

/// A Poisson variable, by counting arrivals (Knuth).
pub(super) fn poisson(random: &mut Random, mean: f64) -> f64 {
    let mut left = mean;
    let mut events = 0.0;
    loop {
        left += (1.0 - random.random::<f64>()).ln();
        if left < 0.0 {
            return events;
        }
        events += 1.0;
    }
}
