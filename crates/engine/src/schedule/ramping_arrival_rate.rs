//! `ramping-arrival-rate`: requests at a rate that goes linearly from target to target.

use plimsoll_record::{Arrivals, Stage};

use super::{
    Schedule, Segment,
    ramp::{Leg, arrivals as arrivals_of},
};

pub(super) fn schedule(start_rate: f64, stages: &[Stage], arrivals: Arrivals, segment: Segment, seed: u64) -> Schedule {
    let legs = Leg::of_stages(start_rate, stages);
    Schedule::from_steps(arrivals_of(legs, arrivals, segment, seed)).stages(stages)
}
