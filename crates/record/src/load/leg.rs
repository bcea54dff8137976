//! Stages of a load as legs: where each begins and ends, in time and in height.

use serde::{Deserialize, Serialize};

use crate::Nanos;

/// One stage of a ramp as it is written: from where the last one ended, linearly to `target`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// How long the leg takes.
    #[serde(rename = "duration_ns")]
    pub duration: Nanos,
    /// Virtual users, or requests per second, at its end.
    pub target: f64,
}

/// One stage of a ramp, placed: a straight line. Heights are virtual users, or requests per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// When it begins, counted from the start of the load.
    pub begin: Nanos,
    /// How long it takes; zero: a jump.
    pub duration: Nanos,
    /// The height at its begin.
    pub from: f64,
    /// The height at its end.
    pub to: f64,
}

impl Leg {
    /// When it ends, counted from the start of the load.
    pub fn end(self) -> Nanos {
        self.begin + self.duration
    }

    /// The greatest height on it.
    pub const fn peak(self) -> f64 {
        self.from.max(self.to)
    }

    /// The height at an instant of this leg.
    fn height_at(self, at: Nanos) -> f64 {
        self.from + (self.to - self.from) * (at - self.begin).as_secs_f64() / self.duration.as_secs_f64()
    }
}

/// The legs of a ramp that begins at `start` and goes linearly from target to target.
pub(super) fn linear(start: f64, stages: &[Stage]) -> Vec<Leg> {
    let mut at = (Nanos::ZERO, start);
    let leg = |stage: &Stage| {
        let (begin, from) = at;
        let leg = Leg { begin, duration: stage.duration, from, to: stage.target };
        at = (leg.end(), leg.to);
        leg
    };
    stages.iter().map(leg).collect()
}

/// Index of the leg at this instant; the last one after its end, none without legs.
pub(super) fn index_at(legs: &[Leg], at: Nanos) -> Option<usize> {
    Some(legs.partition_point(|leg| leg.end() <= at).min(legs.len().checked_sub(1)?))
}

/// The height at this instant; that of the end after it, none without legs.
pub(super) fn height_at(legs: &[Leg], at: Nanos) -> Option<f64> {
    let leg = legs[index_at(legs, at)?];
    Some(if at < leg.end() { leg.height_at(at) } else { leg.to })
}
