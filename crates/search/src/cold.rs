//! The line of cold processes: the rate that half of all processes carry in their first seconds. Each trial has a
//! process of its own; its outcome is whether the objectives held over all of these seconds. Only outcomes tell of the
//! line: a JVM compiles meanwhile, so that nothing within a trial is stationary, and processes differ.

use crate::trial::{Counts, Trial};

/// Places at which the line may be, evenly spaced by their logarithms.
const LINES: usize = 600;
/// Standard deviations that the logarithm of a process's own line may have. Each is as likely as any other.
const SPREADS: [f64; 6] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.4];
/// The share of outcomes that have nothing to do with the rate.
const CHANCE: f64 = 0.01;
/// With this factor the logistic function is the normal distribution function, to within 0.01.
const LOGISTIC: f64 = 1.702;
/// The highest place of the line, as a multiple of the highest rate that is offered.
const BEYOND: f64 = 1.5;

/// Knowledge of one line.
#[derive(Clone, Debug)]
pub(crate) struct Cold {
    criteria: Vec<(usize, f64)>,
    requests_per_arrival: f64,
    /// Logarithm of the lowest place, and of the step from one to the next.
    from: f64,
    step: f64,
    /// Logarithms of the likelihood, by place and spread.
    cells: Vec<[f64; SPREADS.len()]>,
    outcomes: Vec<Outcome>,
}

/// The end of one trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Outcome {
    pub rate: f64,
    /// The share of requests beyond a criterion, as a multiple of the share allowed; the greatest of all criteria.
    pub pressure: f64,
}

impl Outcome {
    pub fn is_carried(&self) -> bool {
        self.pressure <= 1.0
    }
}

impl Cold {
    /// A line between these rates, not known closer. `criteria`: the index of each, and the share it allows.
    /// Each arrival makes `requests_per_arrival` on average.
    pub fn new(criteria: Vec<(usize, f64)>, (from, to): (f64, f64), requests_per_arrival: f64) -> Self {
        let (from, to) = (from.ln(), (BEYOND * to).ln());
        let step = (to - from) / (LINES - 1) as f64;
        let cells = vec![[0.0; SPREADS.len()]; LINES];
        Self { criteria, requests_per_arrival, from, step, cells, outcomes: Vec::new() }
    }

    /// Takes in a trial that came to its end.
    pub fn learn(&mut self, trial: &Trial, seconds: f64) {
        self.add(Outcome { rate: trial.rate, pressure: self.pressure(trial, seconds) });
    }

    fn add(&mut self, outcome: Outcome) {
        for (place, cells) in self.cells.iter_mut().enumerate() {
            let line = self.from + self.step * place as f64;
            for (cell, spread) in cells.iter_mut().zip(SPREADS) {
                let carried = 1.0 / (1.0 + (-LOGISTIC * (line - outcome.rate.ln()) / spread).exp());
                let seen = if outcome.is_carried() { carried } else { 1.0 - carried };
                *cell += (0.5 * CHANCE + (1.0 - CHANCE) * seen).ln();
            }
        }
        self.outcomes.push(outcome);
    }

    /// [`Outcome::pressure`] of a trial of so many `seconds`.
    pub fn pressure(&self, trial: &Trial, seconds: f64) -> f64 {
        let of = |&(criterion, share): &(usize, f64)| trial.first(criterion, seconds).share() / share;
        self.criteria.iter().map(of).fold(0.0, f64::max)
    }

    /// Whether a trial of so many `seconds` has already missed more than its rest can make good.
    pub fn is_lost(&self, trial: &Trial, seconds: f64) -> bool {
        self.criteria.iter().any(|&(criterion, share)| {
            let Counts { beyond, .. } = trial.first(criterion, seconds);
            let allowed = share * seconds * trial.rate * self.requests_per_arrival;
            beyond > allowed + 4.0 * allowed.sqrt()
        })
    }

    /// The probability that the line is below `rate`.
    pub fn below(&self, rate: f64) -> f64 {
        let places = self.places();
        let reached = (rate.ln() - self.from) / self.step + 0.5;
        let whole = reached.clamp(0.0, LINES as f64);
        let part = places.get(whole as usize).map_or(0.0, |it| it * whole.fract());
        places[..whole as usize].iter().sum::<f64>() + part
    }

    /// The rate that the line is below with this probability.
    pub fn quantile(&self, probability: f64) -> f64 {
        let mut sum = 0.0;
        for (place, weight) in self.places().into_iter().enumerate() {
            if sum + weight >= probability {
                let part = (probability - sum) / weight.max(f64::MIN_POSITIVE);
                return (self.from + self.step * (place as f64 - 0.5 + part)).exp();
            }
            sum += weight;
        }
        (self.from + self.step * (LINES - 1) as f64).exp()
    }

    /// The probability of each place.
    fn places(&self) -> Vec<f64> {
        let most = self.cells.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> =
            self.cells.iter().map(|cells| cells.iter().map(|cell| (cell - most).exp()).sum()).collect();
        let all: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / all).collect()
    }

    /// All trials at `rate`: how many there were, and the median of their pressures.
    pub fn at(&self, rate: f64) -> Option<(usize, f64)> {
        let mut pressures: Vec<f64> = self.outcomes.iter().filter(|it| it.rate == rate).map(|it| it.pressure).collect();
        pressures.sort_by(f64::total_cmp);
        let middle = *pressures.get(pressures.len().checked_sub(1)? / 2)?;
        Some((pressures.len(), middle))
    }

    /// The rates that were offered, each once, ascending.
    pub fn rates(&self) -> Vec<f64> {
        let mut rates: Vec<f64> = self.outcomes.iter().map(|it| it.rate).collect();
        rates.sort_by(f64::total_cmp);
        rates.dedup();
        rates
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::SmallRng};
    use rand_distr::{Distribution, Normal};

    use super::*;

    /// A search of `trials` trials, each at the middle of what is known, on processes that differ by `spread`.
    fn searched(line: f64, spread: f64, trials: u32, seed: u64) -> Cold {
        let mut rng = SmallRng::seed_from_u64(seed);
        let processes = Normal::new(line.ln(), spread).unwrap();
        let mut cold = Cold::new(vec![(0, 0.01)], (10.0, 1_120.0), 1.0);
        for _ in 0..trials {
            let rate = cold.quantile(rng.random_range(0.3..0.7));
            let is_carried = rate.ln() < processes.sample(&mut rng);
            cold.add(Outcome { rate, pressure: if is_carried { 0.5 } else { 2.0 } });
        }
        cold
    }

    #[test]
    fn the_rate_that_half_of_the_processes_carry_lies_within_what_is_known() {
        for (spread, wide) in [(0.001, 0.25), (0.05, 0.5), (0.15, 1.0)] {
            let found: Vec<Cold> = (0..100).map(|seed| searched(437.0, spread, 16, seed)).collect();
            let holding = found.iter().filter(|it| (0.02..0.98).contains(&it.below(437.0))).count();
            assert!(holding >= 93, "{spread}: {holding} of 100");
            let mut widths: Vec<f64> = found.iter().map(|it| it.quantile(0.98) / it.quantile(0.02) - 1.0).collect();
            widths.sort_by(f64::total_cmp);
            assert!(widths[50] < wide, "{spread}: {}", widths[50]);
        }
    }

    #[test]
    fn quantiles_and_probabilities_are_each_other_s_inverse() {
        let cold = searched(200.0, 0.05, 6, 1);
        for probability in [0.02, 0.3, 0.5, 0.98] {
            assert!((cold.below(cold.quantile(probability)) - probability).abs() < 1e-6, "{probability}");
        }
    }
}
