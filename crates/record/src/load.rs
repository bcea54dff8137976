//! How requests are offered over time: the parameters of every load model, under k6's names.
//!
//! This is data only; `plimsoll-engine` turns it into instants.

use serde::{Deserialize, Serialize};

use crate::units::Nanos;

/// One load. Closed models (the `Vus` and `Iterations` ones) send the next request of a virtual user
/// after its last one is done; open models (the `ArrivalRate` ones) send at instants that no response can
/// delay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "kebab-case")]
pub enum Load {
    /// `vus` virtual users, each in a loop, for `duration`.
    ConstantVus {
        /// Virtual users.
        vus: u32,
        /// How long new iterations start.
        #[serde(rename = "duration_ns")]
        duration: Nanos,
        /// Pause between one response and the next request.
        think: ThinkTime,
    },
    /// Virtual users ramp linearly from `start_vus` through `stages`.
    RampingVus {
        /// Virtual users at the start.
        start_vus: u32,
        /// Legs: `target` is a number of virtual users.
        stages: Vec<Stage>,
        /// Pause between one response and the next request.
        think: ThinkTime,
    },
    /// `iterations` in all, taken by `vus` virtual users as each becomes free (oha's `-n N -c C`).
    SharedIterations {
        /// Virtual users.
        vus: u32,
        /// Requests in all.
        iterations: u64,
        /// No iteration starts later than this, if given.
        #[serde(rename = "max_duration_ns")]
        max_duration: Option<Nanos>,
        /// Pause between one response and the next request.
        think: ThinkTime,
    },
    /// Each of `vus` virtual users makes `iterations`; their starts are spread evenly over `ramp_up`
    /// (JMeter's threads, loops and ramp-up period).
    PerVuIterations {
        /// Virtual users.
        vus: u32,
        /// Requests of each.
        iterations: u64,
        /// Virtual user k of n starts at k/n of this.
        #[serde(rename = "ramp_up_ns")]
        ramp_up: Nanos,
        /// No iteration starts later than this, if given.
        #[serde(rename = "max_duration_ns")]
        max_duration: Option<Nanos>,
        /// Pause between one response and the next request.
        think: ThinkTime,
    },
    /// `rate` requests per second for `duration`, whatever the responses do.
    ConstantArrivalRate {
        /// Requests per second.
        rate: f64,
        /// How long requests are offered.
        #[serde(rename = "duration_ns")]
        duration: Nanos,
        /// Spacing.
        arrivals: Arrivals,
        /// At most this many are in flight; the others wait, and are counted from their intended instant.
        max_in_flight: u32,
        /// Drop (and count) what `max_in_flight` holds back, instead of sending it late.
        drop_late: bool,
    },
    /// The rate ramps linearly from `start_rate` through `stages`.
    RampingArrivalRate {
        /// Requests per second at the start.
        start_rate: f64,
        /// Legs: `target` is a number of requests per second.
        stages: Vec<Stage>,
        /// Spacing.
        arrivals: Arrivals,
        /// As for the constant rate.
        max_in_flight: u32,
        /// As for the constant rate.
        drop_late: bool,
    },
}

impl Load {
    /// k6's name of the model.
    pub const fn model(&self) -> &'static str {
        match self {
            Self::ConstantVus { .. } => "constant-vus",
            Self::RampingVus { .. } => "ramping-vus",
            Self::SharedIterations { .. } => "shared-iterations",
            Self::PerVuIterations { .. } => "per-vu-iterations",
            Self::ConstantArrivalRate { .. } => "constant-arrival-rate",
            Self::RampingArrivalRate { .. } => "ramping-arrival-rate",
        }
    }

    /// Whether responses hold back requests.
    pub const fn is_closed(&self) -> bool {
        !matches!(self, Self::ConstantArrivalRate { .. } | Self::RampingArrivalRate { .. })
    }

    /// How long requests are offered at most, where the load itself says so.
    pub fn duration(&self) -> Option<Nanos> {
        match self {
            Self::ConstantVus { duration, .. } | Self::ConstantArrivalRate { duration, .. } => Some(*duration),
            Self::RampingVus { stages, .. } | Self::RampingArrivalRate { stages, .. } => {
                Some(stages.iter().fold(Nanos::ZERO, |sum, stage| sum + stage.duration))
            }
            Self::SharedIterations { max_duration, .. } | Self::PerVuIterations { max_duration, .. } => *max_duration,
        }
    }

    /// Pauses of its users; none for open models, whose arrivals are nobody's.
    pub const fn think_time(&self) -> Option<ThinkTime> {
        match self {
            Self::ConstantVus { think, .. }
            | Self::RampingVus { think, .. }
            | Self::SharedIterations { think, .. }
            | Self::PerVuIterations { think, .. } => Some(*think),
            Self::ConstantArrivalRate { .. } | Self::RampingArrivalRate { .. } => None,
        }
    }

    /// How many stages it reports apart from each other: one, but for the ramping models.
    pub fn stage_count(&self) -> usize {
        match self {
            Self::RampingVus { stages, .. } | Self::RampingArrivalRate { stages, .. } => stages.len(),
            _ => 1,
        }
    }

    /// The most requests that can be in flight at once.
    pub fn max_in_flight(&self) -> u32 {
        match self {
            Self::ConstantVus { vus, .. } | Self::SharedIterations { vus, .. } | Self::PerVuIterations { vus, .. } => {
                *vus
            }
            Self::RampingVus { start_vus, stages, .. } => {
                stages.iter().map(|stage| stage.target as u32).fold(*start_vus, u32::max)
            }
            Self::ConstantArrivalRate { max_in_flight, .. } | Self::RampingArrivalRate { max_in_flight, .. } => {
                *max_in_flight
            }
        }
    }
}

/// One leg of a ramp: from where the last one ended, linearly to `target`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// How long the leg takes.
    #[serde(rename = "duration_ns")]
    pub duration: Nanos,
    /// Virtual users, or requests per second, at its end.
    pub target: f64,
}

/// How the arrivals of an open model are spaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrivals {
    /// The k-th exactly when the rate's integral reaches k.
    #[default]
    Even,
    /// Independent, exponentially spaced: what many independent users make. Seeded.
    Poisson,
}

/// The pause of a virtual user between one response and its next request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ThinkTime {
    /// No pause.
    #[default]
    None,
    /// Always the same.
    Constant {
        /// The pause.
        #[serde(rename = "pause_ns")]
        pause: Nanos,
    },
    /// Uniform between two bounds.
    Uniform {
        /// The least.
        #[serde(rename = "min_ns")]
        min: Nanos,
        /// The most.
        #[serde(rename = "max_ns")]
        max: Nanos,
    },
    /// Exponential.
    Exponential {
        /// The mean.
        #[serde(rename = "mean_ns")]
        mean: Nanos,
    },
}

impl ThinkTime {
    /// How long it is on average.
    pub const fn mean(self) -> Nanos {
        match self {
            Self::None => Nanos::ZERO,
            Self::Constant { pause } => pause,
            Self::Uniform { min, max } => Nanos((min.0 + max.0) / 2),
            Self::Exponential { mean } => mean,
        }
    }
}
