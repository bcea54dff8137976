//! Intervals over rounds that keep their promise: one of 95 % holds the truth 95 times in 100, with three rounds as
//! with thirty. Every verdict goes through here; `docs/statistics.md` has the reasons and the tables of coverage, which
//! [`coverage`] makes.
//!
//! A round is the unit, never a request: requests of one run share a process, its heap, its compiled code and its place
//! in memory, so they say nothing about how the next process will fare (Kalibera & Jones, "Rigorous benchmarking in
//! reasonable time", ISMM 2013). Variants are compared within rounds: a machine that gets slower gets slower for every
//! variant of that round, and a ratio within a round does not see it.

#[cfg(any(test, feature = "testing"))]
pub mod coverage;
mod events;
pub mod looks;
mod mean;
mod searched;
mod series;
mod student;
#[cfg(test)]
mod tests;
mod unpaired;

pub(crate) use self::series::{Series, common_rounds};
use mean::Mean;
pub(crate) use mean::variance;
pub(crate) use searched::Searched;
pub(crate) use unpaired::{Unpaired, holm};

/// The fewest rounds that have an interval.
pub(crate) const LEAST_ROUNDS: usize = 3;

/// How often an interval may miss the truth: 95 % hold it.
pub(crate) const ERROR: f64 = 0.05;

/// Probabilities that the truth lies below an interval, and above it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tails {
    pub below: f64,
    pub above: f64,
}

impl Tails {
    /// Both ends err equally often, `error` of the time together.
    pub(crate) const fn both(error: f64) -> Self {
        Self { below: error / 2.0, above: error / 2.0 }
    }

    pub(crate) const fn exchanged(self) -> Self {
        Self { below: self.above, above: self.below }
    }
}

/// An estimate and where the truth lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    pub estimate: f64,
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub(crate) const fn at(value: f64) -> Self {
        Self { estimate: value, low: value, high: value }
    }

    pub(crate) const fn ends(self) -> [f64; 2] {
        [self.low, self.high]
    }

    /// The interval with `of` applied to each number; `of` never falls.
    pub(crate) fn map(self, of: impl Fn(f64) -> f64) -> Self {
        Self { estimate: of(self.estimate), low: of(self.low), high: of(self.high) }
    }

    fn is_finite(self) -> bool {
        self.estimate.is_finite() && self.low.is_finite() && self.high.is_finite()
    }
}

/// How rounds vary about the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scale {
    /// By factors: times, rates, memory, and what is made of them by multiplying and dividing.
    Logarithmic,
    /// By amounts: differences.
    Linear,
    /// As counts of rare events: never negative, zero in many rounds, and at most `most`.
    Events { most: f64 },
}

/// A figure in every round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds<'a> {
    pub values: &'a [f64],
    pub scale: Scale,
    /// Distance of neighbouring values, on the scale: 1 for counts, relative on a logarithmic scale; zero if the figure
    /// can have any value, or that is not known.
    pub step: f64,
    /// Whether counts of rare events are in it: the one round in ten that has many of them counts in full, then.
    pub has_events: bool,
}

impl<'a> Rounds<'a> {
    /// With any value between neighbouring ones.
    pub(crate) const fn of(values: &'a [f64], scale: Scale) -> Self {
        Self { values, scale, step: 0.0, has_events: matches!(scale, Scale::Events { .. }) }
    }

    /// The interval; none with too few rounds, or if a value has no place on the scale.
    pub(crate) fn interval(&self, tails: Tails) -> Option<Interval> {
        if self.values.len() < LEAST_ROUNDS {
            return None;
        }
        let mean = self.mean()?;
        let interval = self.back(mean.interval(tails));
        let interval = match self.scale {
            Scale::Events { most } => events::widened(interval, self.values, self.step, most, tails),
            Scale::Logarithmic | Scale::Linear => interval,
        };
        interval.is_finite().then_some(interval)
    }

    /// The interval that so many rounds would give if they scattered as those that are there. Its ends are moved out so
    /// far that four in five such experiments have a narrower one.
    pub(crate) fn foreseen(&self, rounds: usize, tails: Tails) -> Option<Interval> {
        let interval = self.back(self.mean()?.foreseen(rounds, tails));
        interval.is_finite().then_some(interval)
    }

    /// The interval's estimate, also with too few rounds for an interval; none if a value has no place on the scale.
    pub(crate) fn estimate(&self) -> Option<f64> {
        Some(self.back(Interval::at(self.mean()?.centre)).estimate).filter(|estimate| estimate.is_finite())
    }

    fn mean(&self) -> Option<Mean> {
        if self.values.is_empty() {
            return None;
        }
        let values: Vec<f64> = match self.scale {
            Scale::Logarithmic => self.values.iter().map(|value| (value / self.unit()).ln()).collect(),
            Scale::Linear | Scale::Events { .. } => self.values.to_vec(),
        };
        values.iter().all(|value| value.is_finite()).then(|| Mean::of(values, self.step, !self.has_events))
    }

    fn back(&self, interval: Interval) -> Interval {
        match self.scale {
            Scale::Logarithmic => interval.map(|it| it.exp() * self.unit()),
            Scale::Linear | Scale::Events { .. } => interval,
        }
    }

    /// The unit of logarithms: one of the values, so that equal values come out of their logarithms exactly. A bound
    /// may be that very value.
    fn unit(&self) -> f64 {
        self.values[0]
    }
}

/// The typical ratio within a round of a figure to that of another variant, in rounds that have both, with its interval
/// if there are enough rounds. None if a ratio is not defined.
pub(crate) fn ratio(over: &[f64], under: &[f64], error: f64) -> Option<(f64, Option<[f64; 2]>)> {
    let values: Vec<f64> = over.iter().zip(under).map(|(over, under)| over / under).collect();
    let is_positive = values.iter().all(|&ratio| ratio > 0.0);
    let scale = if is_positive { Scale::Logarithmic } else { Scale::Linear };
    let rounds = Rounds::of(&values, scale);
    Some((rounds.estimate()?, rounds.interval(Tails::both(error)).map(Interval::ends)))
}
