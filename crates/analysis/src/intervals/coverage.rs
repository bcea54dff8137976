//! How often intervals hold the truth, counted on experiments whose truth is known. `benches/intervals` prints it;
//! `docs/statistics.md` has what it printed.

mod noise;
mod pairs;

use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

pub use self::{
    noise::{CELLS, Cell},
    pairs::{PAIRS, Pair, falsely_called, of_pairs},
};
use super::{Interval, Rounds, Scale, Tails, looks, mean::Mean};

/// The share of experiments whose interval held the truth, and the interval's width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    /// Share of the experiments.
    pub covered: f64,
    /// Median width: high ÷ low − 1 of a factor, else in units of the figure.
    pub width: f64,
}

/// Intervals of `experiments` of so many rounds.
pub fn coverage(cell: &Cell, rounds: u32, experiments: u32, seed: u64) -> Coverage {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let truth = cell.truth();
    let intervals: Vec<Interval> =
        (0..experiments).filter_map(|_| interval(cell, &cell.experiment(rounds, &mut random), super::ERROR)).collect();
    let covered = intervals.iter().filter(|it| holds(it, truth)).count();
    let mut widths: Vec<f64> = intervals.iter().map(|it| width(it, cell.scale)).collect();
    widths.sort_by(f64::total_cmp);
    Coverage { covered: covered as f64 / f64::from(experiments), width: widths[widths.len() / 2] }
}

fn interval(cell: &Cell, values: &[f64], error: f64) -> Option<Interval> {
    Rounds { step: cell.step, ..Rounds::of(values, cell.scale) }.interval(Tails::both(error))
}

/// Whether an interval holds the truth, rounding errors aside.
fn holds(interval: &Interval, truth: f64) -> bool {
    let slack = 1e-12 * truth.abs();
    interval.low <= truth + slack && truth <= interval.high + slack
}

fn width(interval: &Interval, scale: Scale) -> f64 {
    if scale == Scale::Logarithmic { interval.high / interval.low - 1.0 } else { interval.high - interval.low }
}

/// Experiments that end once they are decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decided {
    /// Share of experiments whose last interval does not hold the bound.
    pub called: f64,
    /// Rounds that half of the decided ones took at most; zero if none was decided.
    pub rounds: u32,
}

/// Looks at `experiments` after each round from `at_least` on, until they are decided or `at_most` rounds were made. An
/// experiment is decided once its interval does not hold the bound, which is `times` the truth.
pub fn until_decided(cell: &Cell, (at_least, at_most): (u32, u32), times: f64, experiments: u32, seed: u64) -> Decided {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let bound = cell.truth() * times;
    let error = looks::error_per_look(at_least, at_most);
    let decided = |_| {
        let values = cell.experiment(at_most, &mut random);
        let is_decided = |rounds: &u32| {
            let found = interval(cell, &values[..*rounds as usize], error);
            found.is_some_and(|found| !holds(&found, bound))
        };
        (at_least..=at_most).find(is_decided)
    };
    let mut rounds: Vec<u32> = (0..experiments).filter_map(decided).collect();
    rounds.sort_unstable();
    let called = rounds.len() as f64 / f64::from(experiments);
    Decided { called, rounds: rounds.get(rounds.len() / 2).copied().unwrap_or(0) }
}

/// The table of [`looks::error_per_look`]: for each first look, by the last look, from `experiments` of normal noise.
pub fn errors_per_look(experiments: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (fewest, most) = (looks::FEWEST as usize, looks::MOST as usize);
    // The probability by which chance exceeds the t of each look, by look, then by experiment.
    let mut chances = vec![Vec::with_capacity(experiments); most + 1];
    for _ in 0..experiments {
        let values: Vec<f64> = (0..most).map(|_| noise::normal(&mut random)).collect();
        for rounds in fewest..=most {
            chances[rounds].push(Mean::of(values[..rounds].to_vec(), 0.0, true).chance() as f32);
        }
    }
    let row = |first: usize| {
        let mut least = vec![1.0_f32; experiments];
        let of_last = |last: usize| {
            least.iter_mut().zip(&chances[last]).for_each(|(least, chance)| *least = least.min(*chance));
            let mut sorted = least.clone();
            f64::from(*sorted.select_nth_unstable_by(experiments / 20, f32::total_cmp).1)
        };
        (first..=most).map(of_last).collect()
    };
    (fewest..=most).map(row).collect()
}
