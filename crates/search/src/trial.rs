//! One trial: an open load at one rate, or users, from an empty start, and what came of it.

use serde::{Deserialize, Serialize};

/// The length of a slot, in seconds.
pub const SLOT: f64 = 0.1;

/// Slots at the end of a trial that tell whether it is overrun, and seconds at its start that do not count if it is.
const OVERRUN_SLOTS: usize = 10;
const OVERRUN_SETTLING: f64 = 0.5;
/// Standard deviations of a count that chance does not exceed.
const CHANCE: f64 = 3.0;
/// Requests from which the randomness of their arrivals can be told.
const LEAST_ARRIVALS: f64 = 300.0;

/// Requests that were intended in one slot of a trial.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Slot {
    /// All of them.
    pub offered: u32,
    /// Requests beyond each criterion, in the order of the criteria.
    pub beyond: Vec<u32>,
}

/// Observations of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// Slots of a trial whose requests are all known, one after another from its beginning.
    pub slots: Vec<Slot>,
    /// Requests of a trial that are in flight at the end of each whole second.
    pub in_flight: Vec<u32>,
    /// Requests that succeeded in each whole second.
    pub succeeded: Vec<u32>,
    /// Whether the service is still making itself ready, as far as that can be seen: it compiles its code, or loads
    /// classes.
    pub is_warming: bool,
}

impl Seen {
    /// Adds observations that follow.
    pub fn extend(&mut self, next: Self) {
        self.slots.extend(next.slots);
        self.in_flight.extend(next.in_flight);
        self.succeeded.extend(next.succeeded);
    }
}

/// A trial that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Requests per second, or users.
    pub rate: f64,
    /// When it began, in seconds since the beginning of the search.
    pub began: f64,
    /// Its observations.
    pub seen: Seen,
}

/// Counts of a part of a trial, for one criterion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counts {
    pub offered: f64,
    pub beyond: f64,
    /// In seconds.
    pub length: f64,
}

impl Counts {
    pub fn share(&self) -> f64 {
        if self.offered > 0.0 { self.beyond / self.offered } else { 0.0 }
    }
}

impl Trial {
    /// Counts of `criterion` after the first `settling` seconds.
    pub(crate) fn counts(&self, criterion: usize, settling: f64) -> Counts {
        sum(self.settled(settling), criterion)
    }

    /// Counts of `criterion` in the first `seconds`, all of which count.
    pub(crate) fn first(&self, criterion: usize, seconds: f64) -> Counts {
        let slots = ((seconds / SLOT).round() as usize).min(self.seen.slots.len());
        sum(&self.seen.slots[..slots], criterion)
    }

    /// Counts after the first `settling` seconds in windows of `length` seconds each; no window is incomplete.
    pub(crate) fn windows(&self, criterion: usize, settling: f64, length: f64) -> impl Iterator<Item = Counts> + '_ {
        let slots = ((length / SLOT).round() as usize).max(1);
        self.settled(settling).chunks_exact(slots).map(move |window| sum(window, criterion))
    }

    /// Seconds of `settling` that do not count: fewer in an overrun trial, whose queue only grows and never settles.
    pub(crate) fn shortened(&self, settling: f64) -> f64 {
        if self.is_overrun() { settling.min(OVERRUN_SETTLING) } else { settling }
    }

    /// The part that counts, after the first `settling` seconds.
    pub(crate) fn settled(&self, settling: f64) -> &[Slot] {
        let first = ((settling / SLOT).ceil() as usize).min(self.seen.slots.len());
        &self.seen.slots[first..]
    }

    /// Whether most requests of its last second, and a fifth of all, are beyond a criterion, as where an overload ends.
    pub(crate) fn is_overrun(&self) -> bool {
        let slots = &self.seen.slots;
        let tail = &slots[slots.len().saturating_sub(OVERRUN_SLOTS)..];
        let criteria = slots.first().map_or(0, |slot| slot.beyond.len());
        (0..criteria).any(|criterion| sum(tail, criterion).share() > 0.5 && sum(slots, criterion).share() > 0.2)
    }

    /// Whether its queue grows: the requests in flight rise over all four quarters, by more than chance, to more than
    /// the longest limit `limit` (in seconds) allows. If not, the rate need not be carried.
    pub(crate) fn is_growing(&self, limit: f64) -> bool {
        let in_flight = &self.seen.in_flight;
        if in_flight.len() < 4 {
            return false;
        }
        let quarter = in_flight.len() / 4;
        let tail = &in_flight[in_flight.len() - 4 * quarter..];
        let means: Vec<f64> = tail
            .chunks_exact(quarter)
            .map(|part| part.iter().map(|&n| f64::from(n)).sum::<f64>() / quarter as f64)
            .collect();
        let (first, last) = (means[0], means[3]);
        means.windows(2).all(|pair| pair[0] < pair[1])
            && last - first > 6.0 * (first + last).sqrt()
            && last > self.rate * limit
    }

    /// Whether the requests in flight have not risen, but for chance, since its second second.
    pub(crate) fn is_level(&self) -> bool {
        let in_flight: Vec<f64> = self.seen.in_flight.iter().map(|&n| f64::from(n)).collect();
        let half = in_flight.len() / 2;
        if half < 2 {
            return false;
        }
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        let (first, last) = (mean(&in_flight[1..=half]), mean(&in_flight[in_flight.len() - half..]));
        last - first <= CHANCE * first.max(1.0).sqrt()
    }

    /// Requests per second that succeeded, less what chance may have added.
    pub(crate) fn surely_succeeded(&self) -> f64 {
        let succeeded = &self.seen.succeeded;
        let all: f64 = succeeded.iter().map(|&n| f64::from(n)).sum();
        (all - CHANCE * all.sqrt()).max(0.0) / succeeded.len().max(1) as f64
    }

    /// Requests per second that succeeded in the last `seconds` whole seconds.
    pub(crate) fn throughput(&self, seconds: usize) -> f64 {
        let succeeded = &self.seen.succeeded;
        let tail = &succeeded[succeeded.len().saturating_sub(seconds)..];
        tail.iter().map(|&n| f64::from(n)).sum::<f64>() / tail.len().max(1) as f64
    }
}

fn sum(slots: &[Slot], criterion: usize) -> Counts {
    let mut counts = Counts { length: slots.len() as f64 * SLOT, ..Counts::default() };
    for slot in slots {
        counts.offered += f64::from(slot.offered);
        counts.beyond += f64::from(slot.beyond[criterion]);
    }
    counts
}

/// The variance of the number of requests in a slot, divided by its mean.
pub(crate) fn dispersion_of_arrivals(trials: &[&Trial]) -> f64 {
    let (mut squares, mut means) = (0.0, 0.0);
    for trial in trials {
        let slots = &trial.seen.slots;
        let mean = slots.iter().map(|slot| f64::from(slot.offered)).sum::<f64>() / slots.len().max(1) as f64;
        squares += slots.iter().map(|slot| (f64::from(slot.offered) - mean).powi(2)).sum::<f64>();
        means += mean * slots.len() as f64;
    }
    if means < LEAST_ARRIVALS { 1.0 } else { squares / means }
}
