//! The load models: their keys, and the load that each makes of them.

use plimsoll_record::{Arrivals, Load, LoadUnit, Nanos, Stage, ThinkTime};

use super::{
    decode::{Whole, choice},
    load::{ArrivalsWord, LoadSection},
};

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
    pub fn level(self, number: f64, ramp_up: Nanos, common: &Common) -> Load {
        let (vus, section) = (number as u32, common.section);
        let Common { duration, max_duration, think, .. } = *common;
        match self {
            Self::ConstantVus | Self::RampingVus => Load::ConstantVus { vus, duration, think },
            Self::SharedIterations => {
                let iterations = u64::from(vus) * section.iterations_per_vu.map_or(1, |count| count.0);
                Load::SharedIterations { vus, iterations, max_duration, think }
            }
            Self::PerVuIterations => Load::PerVuIterations {
                vus,
                iterations: section.iterations.map_or(1, |count| count.0),
                ramp_up,
                max_duration,
                think,
            },
            Self::ConstantArrivalRate | Self::RampingArrivalRate => Load::ConstantArrivalRate {
                rate: number,
                duration,
                arrivals: arrivals(section),
                max_in_flight: max_in_flight(section),
                drop_late: section.drop_late.unwrap_or(false),
            },
        }
    }

    /// The load that ramps from `start` through the stages.
    pub fn ramp(self, start: f64, stages: Vec<Stage>, common: &Common) -> Load {
        let Common { section, think, .. } = *common;
        match self {
            Self::RampingArrivalRate => Load::RampingArrivalRate {
                start_rate: start,
                stages,
                arrivals: arrivals(section),
                max_in_flight: max_in_flight(section),
                drop_late: section.drop_late.unwrap_or(false),
            },
            _ => Load::RampingVus { start_vus: start as u32, stages, think },
        }
    }
}

/// The keys of a load that are alike for all its levels, checked.
pub(super) struct Common<'a> {
    pub section: &'a LoadSection,
    pub duration: Nanos,
    pub max_duration: Option<Nanos>,
    pub think: ThinkTime,
}

fn arrivals(load: &LoadSection) -> Arrivals {
    match load.arrivals {
        Some(ArrivalsWord::Poisson) => Arrivals::Poisson,
        Some(ArrivalsWord::Even) | None => Arrivals::Even,
    }
}

fn max_in_flight(load: &LoadSection) -> u32 {
    load.max_in_flight.map_or(Load::DEFAULT_MAX_IN_FLIGHT, Whole::narrow)
}
