//! From a load to absolute intended instants: one file per load model, and one list ([`Schedule::new`]) that names
//! them.

mod constant_arrival_rate;
mod constant_vus;
mod per_vu_iterations;
mod ramp;
mod ramping_arrival_rate;
mod ramping_vus;
mod shared_iterations;

pub(crate) use ramp::exponential;

use plimsoll_record::{Leg, Load, Nanos, Part, seed_for};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

/// An event of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A virtual user begins its loop. `vu` counts from 0 within the segment.
    StartVu {
        /// The virtual user.
        vu: u32,
    },
    /// A virtual user ends after the iteration that it is in.
    StopVu {
        /// The virtual user.
        vu: u32,
    },
    /// A request is due, whatever became of those before.
    Arrival,
}

/// How many iterations virtual users make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iterations {
    /// Until they are stopped, or the load ends.
    Unlimited,
    /// Each this many.
    PerVu(u64),
    /// All of the segment together this many; whoever is free takes the next.
    Shared(u64),
}

/// Part `index` of `count` equal parts of a load. The parts are disjoint, and together they are the whole load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// 0-based, below `count`.
    pub index: u32,
    /// At least 1.
    pub count: u32,
}

impl Segment {
    /// The whole load.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Part `index` of `count` equal parts of this segment.
    pub fn part(self, index: usize, count: usize) -> Self {
        Self { index: self.index + self.count * index as u32, count: self.count * count as u32 }
    }

    /// How many of `total` things numbered from 0 are this segment's, if number k belongs to segment k mod `count`.
    pub fn share(self, total: u64) -> u64 {
        Part { number: self.index + 1, count: self.count }.share(total)
    }

    /// The number in the whole load of this segment's `local`-th thing.
    pub fn global(self, local: u32) -> u64 {
        u64::from(local) * u64::from(self.count) + u64::from(self.index)
    }

    /// Random numbers of this segment for `purpose`: neither another purpose nor another segment draws the same.
    pub(crate) fn rng(self, purpose: &str, seed: u64) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(seed_for(purpose, seed) ^ (u64::from(self.index) << 32))
    }
}

type Steps = Box<dyn Iterator<Item = (Nanos, Step)> + Send>;

/// One segment of a load as a stream of instants, counted from the start of the load.
pub struct Schedule {
    steps: std::iter::Peekable<Steps>,
    /// How many iterations each virtual user makes.
    pub iterations: Iterations,
    /// No iteration begins at or after this instant; none if the iterations end the load.
    pub end: Option<Nanos>,
    /// Where each stage but the last ends, ascending.
    stage_ends: Vec<Nanos>,
    /// Steps due at or after this instant are not taken any more.
    closed_at: Nanos,
}

impl Schedule {
    /// The part of `load` that belongs to `segment`. `seed` determines Poisson arrivals, which are the same for all
    /// segments.
    pub fn new(load: &Load, segment: Segment, seed: u64) -> Self {
        match load {
            Load::ConstantVus { vus, duration, .. } => constant_vus::schedule(*vus, *duration, segment),
            Load::RampingVus { .. } => ramping_vus::schedule(&load.legs(), segment),
            Load::SharedIterations { vus, iterations, max_duration, .. } => {
                shared_iterations::schedule(*vus, *iterations, *max_duration, segment)
            }
            Load::PerVuIterations { vus, iterations, ramp_up, max_duration, .. } => {
                per_vu_iterations::schedule(*vus, *iterations, *ramp_up, *max_duration, segment)
            }
            Load::ConstantArrivalRate { rate, duration, arrivals, .. } => {
                constant_arrival_rate::schedule(*rate, *duration, *arrivals, segment, seed)
            }
            Load::RampingArrivalRate { arrivals, .. } => {
                ramping_arrival_rate::schedule(load.legs(), *arrivals, segment, seed)
            }
        }
    }

    fn from_steps(steps: impl Iterator<Item = (Nanos, Step)> + Send + 'static) -> Self {
        let steps: Steps = Box::new(steps);
        Self {
            steps: steps.peekable(),
            iterations: Iterations::Unlimited,
            end: None,
            stage_ends: Vec::new(),
            closed_at: Nanos::MAX,
        }
    }

    fn iterations(self, iterations: Iterations) -> Self {
        Self { iterations, ..self }
    }

    fn end(self, end: Option<Nanos>) -> Self {
        Self { end, ..self }
    }

    /// A load that ramps: the legs are its stages.
    fn from_legs(legs: &[Leg], steps: impl Iterator<Item = (Nanos, Step)> + Send + 'static) -> Self {
        let mut stage_ends: Vec<Nanos> = legs.iter().map(|leg| leg.end()).collect();
        let end = stage_ends.pop();
        Self { stage_ends, end, ..Self::from_steps(steps) }
    }

    /// When the next step is due; none when all have been taken.
    pub fn next_due(&mut self) -> Option<Nanos> {
        self.steps.peek().map(|&(at, _)| at).filter(|&at| at < self.closed_at)
    }

    /// Takes the next step if it is due by `now`.
    pub fn take_due(&mut self, now: Nanos) -> Option<(Nanos, Step)> {
        self.steps.next_if(|&(at, _)| at <= now && at < self.closed_at)
    }

    /// Ends the load at `at`, unless it ends before: nothing begins from then on.
    pub fn close(&mut self, at: Nanos) {
        self.closed_at = self.closed_at.min(at);
        self.end = Some(self.end.map_or(at, |end| end.min(at)));
    }

    /// The stage that a request intended at `at` belongs to.
    pub fn stage_at(&self, at: Nanos) -> u32 {
        self.stage_ends.partition_point(|&end| end <= at) as u32
    }

    /// Whether an iteration may still begin at `at`.
    pub fn is_open_at(&self, at: Nanos) -> bool {
        self.end.is_none_or(|end| at < end)
    }
}

/// All virtual users of the segment, started at once.
fn start_at_once(vus: u32, segment: Segment) -> impl Iterator<Item = (Nanos, Step)> + Send + 'static {
    (0..segment.share(u64::from(vus)) as u32).map(|vu| (Nanos::ZERO, Step::StartVu { vu }))
}

#[cfg(test)]
mod tests;
