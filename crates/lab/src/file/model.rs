//! The load models: their keys, and the load that each makes of them.

use plimsoll_record::{Arrivals, Load, LoadUnit, Nanos, Stage, ThinkTime};

use super::decode::choice;

choice! {
    /// The load model.
    pub enum Model as "model" {
        /// At level n, n virtual users, each in a loop, for `duration`.
        ConstantVus = "constant-vus",
        /// The number of virtual users ramps through `stages`.
        RampingVus = "ramping-vus",
        /// At level n, n virtual users share n × `iterations-per-vu` requests: all at once, and whoever is free
        /// takes the next.
        SharedIterations = "shared-iterations",
        /// At level n, n virtual users make `iterations` requests each (JMeter's threads and loops).
        PerVuIterations = "per-vu-iterations",
        /// At level n, n requests per second for `duration`, whatever the responses do.
        ConstantArrivalRate = "constant-arrival-rate",
        /// The number of requests per second ramps through `stages`.
        RampingArrivalRate = "ramping-arrival-rate",
    }
}

impl Model {
    /// Its keys, beside `model`.
    pub const fn keys(self) -> &'static [&'static str] {
        match self {
            Self::ConstantVus => &["levels", "duration", "think-time"],
            Self::RampingVus => &["start-vus", "stages", "think-time"],
            Self::SharedIterations => &["levels", "iterations-per-vu", "max-duration", "think-time"],
            Self::PerVuIterations => &["levels", "iterations", "ramp-up", "max-duration", "think-time"],
            Self::ConstantArrivalRate => &["levels", "duration", "arrivals", "max-in-flight", "drop-late"],
            Self::RampingArrivalRate => &["start-rate", "stages", "arrivals", "max-in-flight", "drop-late"],
        }
    }

    /// The unit of its numbers.
    pub const fn unit(self) -> LoadUnit {
        match self {
            Self::ConstantArrivalRate | Self::RampingArrivalRate => LoadUnit::PerSecond,
            _ => LoadUnit::VirtualUsers,
        }
    }

    /// Whether it goes through stages, instead of levels.
    pub fn ramps(self) -> bool {
        self.keys().contains(&"stages")
    }

    /// The load of a level; `ramp_up` is the level's own.
    pub fn level(self, number: f64, ramp_up: Nanos, common: &CommonKeys) -> Load {
        let vus = number as u32;
        let CommonKeys { duration, max_duration, think, iterations, arrivals, max_in_flight, drop_late } = *common;
        match self {
            Self::ConstantVus | Self::RampingVus => Load::ConstantVus { vus, duration, think },
            Self::SharedIterations => {
                Load::SharedIterations { vus, iterations: u64::from(vus) * iterations, max_duration, think }
            }
            Self::PerVuIterations => Load::PerVuIterations { vus, iterations, ramp_up, max_duration, think },
            Self::ConstantArrivalRate | Self::RampingArrivalRate => {
                Load::ConstantArrivalRate { rate: number, duration, arrivals, max_in_flight, drop_late }
            }
        }
    }

    /// The load that ramps from `start` through the stages.
    pub fn ramp(self, start: f64, stages: Vec<Stage>, common: &CommonKeys) -> Load {
        let CommonKeys { think, arrivals, max_in_flight, drop_late, .. } = *common;
        match self {
            Self::RampingArrivalRate => {
                Load::RampingArrivalRate { start_rate: start, stages, arrivals, max_in_flight, drop_late }
            }
            _ => Load::RampingVus { start_vus: start as u32, stages, think },
        }
    }
}

/// The keys of a load that are alike for all its levels, checked.
pub(super) struct CommonKeys {
    pub duration: Nanos,
    pub max_duration: Option<Nanos>,
    pub think: ThinkTime,
    /// Iterations of each virtual user: in all, or on average.
    pub iterations: u64,
    pub arrivals: Arrivals,
    pub max_in_flight: u32,
    pub drop_late: bool,
}
