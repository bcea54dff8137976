//! Two executions whose truth is known.

use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use super::noise::{factor, normal, poisson, wild};
use crate::intervals::{
    ERROR, Rounds, Scale,
    unpaired::{Unpaired, holm},
};

type Random = Xoshiro256PlusPlus;

/// A figure in two executions.
pub struct Pair {
    /// In words, for tables.
    pub name: &'static str,
    scale: Scale,
    step: f64,
    before: fn(&mut Random) -> f64,
    after: fn(&mut Random) -> f64,
    /// After against before: a factor, or an amount of events.
    truth: f64,
}

/// Every kind.
pub const PAIRS: &[Pair] = &[
    factors("each 5 %, alike", 1.0, |it| factor(it, 0.05), |it| factor(it, 0.05)),
    factors("each 20 %, by a third more", 4.0 / 3.0, |it| factor(it, 0.2), |it| 4.0 / 3.0 * factor(it, 0.2)),
    factors("2 % against 15 %", 1.0, |it| factor(it, 0.02), |it| factor(it, 0.15)),
    factors(
        "each 5 %, 1 run in 10 slow by 20–60 %",
        1.0,
        |it| factor(it, 0.05) * wild(it),
        |it| factor(it, 0.05) * wild(it),
    ),
    Pair {
        name: "errors, 0.02 % of 10,000 against 0.1 %",
        scale: Scale::Events { most: 100.0 },
        step: 0.01,
        before: |it| poisson(it, 2.0) / 100.0,
        after: |it| poisson(it, 10.0) / 100.0,
        truth: 0.08,
    },
];

const fn factors(
    name: &'static str,
    truth: f64,
    before: fn(&mut Random) -> f64,
    after: fn(&mut Random) -> f64,
) -> Pair {
    Pair { name, scale: Scale::Logarithmic, step: 0.0, before, after, truth }
}

/// Share of `experiments` of so many rounds each whose interval holds the truth.
pub fn of_pairs(pair: &Pair, rounds: u32, experiments: u32, seed: u64) -> f64 {
    let mut random = Random::seed_from_u64(seed);
    let holds = (0..experiments).filter(|_| {
        let [before, after] =
            [pair.before, pair.after].map(|of| (0..rounds).map(|_| of(&mut random)).collect::<Vec<_>>());
        let of = |values| Rounds { step: pair.step, ..Rounds::of(values, pair.scale) };
        let interval = Unpaired { before: of(&before), after: of(&after) }.interval(ERROR);
        interval.is_some_and(|it| it.low <= pair.truth && pair.truth <= it.high)
    });
    holds.count() as f64 / f64::from(experiments)
}

/// Share of `experiments`, each a comparison of so many figures that do not differ, in which one is called different.
pub fn falsely_called(figures: u32, rounds: u32, experiments: u32, seed: u64) -> f64 {
    let mut random = Random::seed_from_u64(seed);
    let called = (0..experiments).filter(|_| {
        let chance = |_| {
            let [before, after] =
                [(); 2].map(|()| (0..rounds).map(|_| (0.05 * normal(&mut random)).exp()).collect::<Vec<_>>());
            let of = |values| Rounds::of(values, Scale::Logarithmic);
            Unpaired { before: of(&before), after: of(&after) }.chance(1.0).unwrap_or(1.0)
        };
        let chances: Vec<f64> = (0..figures).map(chance).collect();
        holm(&chances).into_iter().any(|it| it)
    });
    called.count() as f64 / f64::from(experiments)
}
