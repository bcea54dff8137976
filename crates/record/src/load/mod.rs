//! How requests are offered over time: the parameters of every load model, under k6's names, and everything that
//! follows from them by arithmetic: legs, targets at an instant, labels.
//!
//! Others ask a load by these questions instead of matching its variants, so that a new model is answered for here.
//! `plimsoll-engine` turns it into instants.

mod label;
mod leg;
mod think;

use serde::{Deserialize, Serialize};

pub use self::{
    label::{Amount, LoadUnit, NotAnAmount, label_for_people, stage_of_scenario},
    leg::{Leg, Stage},
    think::ThinkTime,
};
use crate::Nanos;

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
    /// Requests that an open load has in flight at most, unless it says otherwise.
    pub const DEFAULT_MAX_IN_FLIGHT: u32 = 10_000;

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

    /// The unit of its numbers.
    pub const fn unit(&self) -> LoadUnit {
        match self {
            Self::ConstantArrivalRate { .. } | Self::RampingArrivalRate { .. } => LoadUnit::PerSecond,
            _ => LoadUnit::VirtualUsers,
        }
    }

    /// Whether responses hold back requests.
    pub const fn is_closed(&self) -> bool {
        matches!(self.unit(), LoadUnit::VirtualUsers)
    }

    /// Virtual users, or requests per second, at its start.
    fn start_target(&self) -> f64 {
        match self {
            Self::ConstantVus { vus, .. } | Self::SharedIterations { vus, .. } | Self::PerVuIterations { vus, .. } => {
                f64::from(*vus)
            }
            Self::RampingVus { start_vus, .. } => f64::from(*start_vus),
            Self::ConstantArrivalRate { rate, .. } => *rate,
            Self::RampingArrivalRate { start_rate, .. } => *start_rate,
        }
    }

    /// The stages of a ramp, placed in time; each is reported apart. Empty for loads that stay as they start.
    pub fn legs(&self) -> Vec<Leg> {
        match self {
            Self::RampingVus { stages, .. } | Self::RampingArrivalRate { stages, .. } => {
                leg::linear(self.start_target(), stages)
            }
            _ => Vec::new(),
        }
    }

    /// How long requests are offered at most, where the load itself says so.
    pub fn duration(&self) -> Option<Nanos> {
        match self {
            Self::ConstantVus { duration, .. } | Self::ConstantArrivalRate { duration, .. } => Some(*duration),
            Self::SharedIterations { max_duration, .. } | Self::PerVuIterations { max_duration, .. } => *max_duration,
            Self::RampingVus { .. } | Self::RampingArrivalRate { .. } => {
                Some(self.legs().last().map_or(Nanos::ZERO, |leg| leg.end()))
            }
        }
    }

    /// The same users, or the same rate, for as long as `duration`; none of a ramp, which has no load that lasts.
    pub fn held(&self, duration: Nanos) -> Option<Self> {
        match self {
            Self::ConstantVus { vus, think, .. }
            | Self::SharedIterations { vus, think, .. }
            | Self::PerVuIterations { vus, think, .. } => {
                Some(Self::ConstantVus { vus: *vus, duration, think: *think })
            }
            &Self::ConstantArrivalRate { rate, arrivals, max_in_flight, drop_late, .. } => {
                Some(Self::ConstantArrivalRate { rate, duration, arrivals, max_in_flight, drop_late })
            }
            Self::RampingVus { .. } | Self::RampingArrivalRate { .. } => None,
        }
    }

    /// The load that one of its stages offers, if that lasts; none where it rises or falls.
    pub fn plateau(&self, stage: usize) -> Option<Self> {
        let leg = *self.legs().get(stage)?;
        let (duration, is_flat) = (leg.duration, (leg.from - leg.to).abs() < f64::EPSILON);
        let lasts = is_flat && duration > Nanos::ZERO && leg.to > 0.0;
        match self {
            _ if !lasts => None,
            Self::RampingVus { think, .. } => {
                Some(Self::ConstantVus { vus: leg.to.round() as u32, duration, think: *think })
            }
            &Self::RampingArrivalRate { arrivals, max_in_flight, drop_late, .. } => {
                Some(Self::ConstantArrivalRate { rate: leg.to, duration, arrivals, max_in_flight, drop_late })
            }
            _ => None,
        }
    }

    /// Virtual users of a closed model, or requests per second of an open one, `at` after its start; zero after its
    /// end, where that is known.
    pub fn target_at(&self, at: Nanos) -> f64 {
        if self.duration().is_some_and(|duration| at > duration) {
            return 0.0;
        }
        let target = leg::height_at(&self.legs(), at).unwrap_or_else(|| self.start_target());
        if self.is_closed() { target.round() } else { target }
    }

    /// Index of its stage `at` after its start: the last one after its end, none if it has no stages.
    pub fn stage_at(&self, at: Nanos) -> Option<usize> {
        leg::index_at(&self.legs(), at)
    }

    /// The most virtual users, or requests per second, at any time.
    pub fn peak_target(&self) -> f64 {
        self.legs().into_iter().map(Leg::peak).fold(self.start_target(), f64::max)
    }

    /// Iterations in all, where the load says how many.
    pub fn iterations(&self) -> Option<u64> {
        match self {
            Self::SharedIterations { iterations, .. } => Some(*iterations),
            Self::PerVuIterations { vus, iterations, .. } => Some(u64::from(*vus) * iterations),
            _ => None,
        }
    }

    /// How many iterations each virtual user makes; none where they are shared, or time ends the load.
    pub const fn iterations_each(&self) -> Option<u64> {
        match self {
            Self::PerVuIterations { iterations, .. } => Some(*iterations),
            _ => None,
        }
    }

    /// The time over which virtual users begin, one after the other; none where they begin at once.
    pub fn ramp_up(&self) -> Option<Nanos> {
        match self {
            Self::PerVuIterations { ramp_up, .. } => Some(*ramp_up).filter(|&it| it > Nanos::ZERO),
            _ => None,
        }
    }

    /// Pauses of its users; none for open models, whose arrivals belong to no user.
    pub const fn think_time(&self) -> Option<ThinkTime> {
        match self {
            Self::ConstantVus { think, .. }
            | Self::RampingVus { think, .. }
            | Self::SharedIterations { think, .. }
            | Self::PerVuIterations { think, .. } => Some(*think),
            Self::ConstantArrivalRate { .. } | Self::RampingArrivalRate { .. } => None,
        }
    }

    /// The spacing of arrivals; none for closed models.
    pub const fn arrivals(&self) -> Option<Arrivals> {
        match self {
            Self::ConstantArrivalRate { arrivals, .. } | Self::RampingArrivalRate { arrivals, .. } => Some(*arrivals),
            _ => None,
        }
    }

    /// Whether arrivals or pauses are drawn, and so depend on a seed.
    pub fn is_random(&self) -> bool {
        self.arrivals() == Some(Arrivals::Poisson) || self.think_time().is_some_and(ThinkTime::is_random)
    }

    /// Whether it drops what [`max_in_flight`](Self::max_in_flight) holds back, instead of sending it late.
    pub const fn drops_late(&self) -> bool {
        match self {
            Self::ConstantArrivalRate { drop_late, .. } | Self::RampingArrivalRate { drop_late, .. } => *drop_late,
            _ => false,
        }
    }

    /// The most requests that can be in flight at once.
    pub fn max_in_flight(&self) -> u32 {
        match self {
            Self::ConstantArrivalRate { max_in_flight, .. } | Self::RampingArrivalRate { max_in_flight, .. } => {
                *max_in_flight
            }
            _ => self.peak_target() as u32,
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(s: u64, target: f64) -> Stage {
        Stage { duration: Nanos::from_secs(s), target }
    }

    #[test]
    fn a_ramp_is_followed_leg_by_leg() {
        let stages = vec![stage(10, 20.0), stage(10, 20.0), stage(0, 50.0), stage(10, 0.0)];
        let load = Load::RampingVus { start_vus: 10, stages, think: ThinkTime::None };
        let at = |s| load.target_at(Nanos::from_secs(s));
        assert_eq!([at(0), at(5), at(10), at(19), at(20), at(25), at(31)], [10.0, 15.0, 20.0, 20.0, 50.0, 25.0, 0.0]);
        let stage = |s| load.stage_at(Nanos::from_secs(s)).unwrap();
        assert_eq!([stage(0), stage(10), stage(20), stage(99)], [0, 1, 3, 3]);
        assert_eq!((load.peak_target(), load.max_in_flight()), (50.0, 50));
        assert_eq!(load.duration(), Some(Nanos::from_secs(30)));
    }

    #[test]
    fn what_does_not_ramp_can_be_held() {
        let (vus, duration, think) = (9, Nanos::from_secs(60), ThinkTime::Constant { pause: Nanos::from_secs(1) });
        let users = Load::ConstantVus { vus, duration, think };
        let shared = Load::SharedIterations { vus, iterations: 90, max_duration: None, think };
        let (iterations, ramp_up) = (5, Nanos::from_secs(1));
        let each = Load::PerVuIterations { vus, iterations, ramp_up, max_duration: None, think };
        assert_eq!([&shared, &each].map(|load| load.held(duration)), [Some(users.clone()), Some(users)]);
        let stages = vec![stage(1, 5.0), stage(3, 5.0), stage(0, 9.0)];
        let ramp = Load::RampingVus { start_vus: 1, stages, think };
        assert_eq!(ramp.held(duration), None);
        let plateau = Load::ConstantVus { vus: 5, duration: Nanos::from_secs(3), think };
        assert_eq!([0, 1, 2, 3].map(|stage| ramp.plateau(stage)), [None, Some(plateau), None, None]);
    }

    #[test]
    fn a_constant_load_is_what_it_is_until_it_ends() {
        let duration = Nanos::from_secs(5);
        let (arrivals, max_in_flight) = (Arrivals::Even, 9);
        let load = Load::ConstantArrivalRate { rate: 7.5, duration, arrivals, max_in_flight, drop_late: false };
        assert_eq!(load.target_at(Nanos::from_secs(4)), 7.5);
        assert_eq!(load.target_at(Nanos::from_secs(6)), 0.0);
        assert_eq!((load.stage_at(Nanos::ZERO), load.peak_target(), load.max_in_flight()), (None, 7.5, 9));
    }
}
