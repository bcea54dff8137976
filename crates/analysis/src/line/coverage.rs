//! How often a line over rounds holds the truth, counted on simulated servers, each round a process of a speed of its
//! own. `benches/line rounds` prints it; `docs/line.md` has what it printed.

use plimsoll_search::testing::{System, search_on, systems};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use rand_distr::{Distribution, StandardNormal};

use super::estimate::{Ends, of};
use crate::intervals::{ERROR, LEAST_ROUNDS};

/// Seconds that each search has.
const AT_MOST_S: f64 = 600.0;

/// Experiments on 8 workers of 10 ms, exponential.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Experiments {
    /// Standard deviation of the logarithm of a process's speed.
    pub spread: f64,
    /// Processes of an experiment.
    pub rounds: u64,
    /// Resolution of each search.
    pub resolution: f64,
}

/// The result of one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Whether its interval holds the line of the service; of one round, that of its process.
    pub holds: bool,
    /// The upper end divided by the lower one, less 1.
    pub width: f64,
}

/// The results of many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    /// Share of the experiments whose interval holds the line.
    pub covered: f64,
    /// Median of the widths.
    pub width: f64,
}

impl Coverage {
    /// Counts the results of experiments.
    pub fn of(found: &[Found]) -> Self {
        let mut widths: Vec<f64> = found.iter().map(|it| it.width).collect();
        widths.sort_by(f64::total_cmp);
        let covered = found.iter().filter(|it| it.holds).count() as f64 / found.len().max(1) as f64;
        Self { covered, width: widths.get(widths.len() / 2).copied().unwrap_or(f64::INFINITY) }
    }
}

impl Experiments {
    /// Makes experiment `number`: the same every time.
    pub fn make(&self, number: u64) -> Found {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(number);
        let mut truth = line_of(1.0);
        let ends: Vec<Ends> = (0..self.rounds)
            .map(|round| {
                let slowness = slowness(self.spread, &mut random);
                if self.rounds == 1 {
                    truth = line_of(slowness);
                }
                search(slowness, self.resolution, number * 100 + round)
            })
            .collect();
        let line = of(&ends, LEAST_ROUNDS, ERROR);
        let holds = line.low_per_s.is_none_or(|low| low <= truth) && line.high_per_s.is_none_or(|high| truth <= high);
        let width = line.high_per_s.zip(line.low_per_s).map_or(f64::INFINITY, |(high, low)| high / low - 1.0);
        Found { holds, width }
    }
}

/// How many times as long the requests of another process take, if the logarithms of speeds differ by `spread`.
pub(super) fn slowness(spread: f64, random: &mut Xoshiro256PlusPlus) -> f64 {
    let normal: f64 = StandardNormal.sample(random);
    (spread * normal).exp()
}

/// A search on such a process.
pub(super) fn search(slowness: f64, resolution: f64, seed: u64) -> Ends {
    let found = search_on(&system(slowness), resolution, AT_MOST_S, seed).answer;
    Ends { low: found.lower.map(|end| end.rate), high: found.upper.map(|end| end.rate) }
}

/// A process whose requests take so many times as long.
fn system(slowness: f64) -> System {
    let mut system = systems().swap_remove(2);
    system.service.mean *= slowness;
    system
}

/// Its line: the rate at which a hundredth of the requests take longer than the limit, by Erlang's formula.
fn line_of(slowness: f64) -> f64 {
    let system = system(slowness);
    let service = 1.0 / system.service.mean;
    let (mut low, mut high) = (0.0, f64::from(system.service.workers) * service);
    for _ in 0..60 {
        let rate = 0.5 * (low + high);
        let late = late(system.service.workers, service, rate, system.criterion.limit.unwrap_or(f64::INFINITY));
        if late > system.criterion.share { high = rate } else { low = rate }
    }
    low
}

/// The probability that a request takes longer than `limit`, of `workers` that serve `service` a second each.
fn late(workers: u32, service: f64, rate: f64, limit: f64) -> f64 {
    let offered = rate / service;
    // Erlang B by its recursion, then C.
    let blocked = (1..=workers).fold(1.0, |blocked, n| offered * blocked / (f64::from(n) + offered * blocked));
    let load = offered / f64::from(workers);
    let waits = blocked / (1.0 - load * (1.0 - blocked));
    let drain = f64::from(workers) * service - rate;
    let alone = (-service * limit).exp();
    let queued = (drain * alone - service * (-drain * limit).exp()) / (drain - service);
    (1.0 - waits) * alone + waits * queued
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_that_of_the_system() {
        assert!((line_of(1.0) / system(1.0).line - 1.0).abs() < 0.002, "{}", line_of(1.0));
        assert!(line_of(1.1) < 0.92 * line_of(1.0));
    }
}
