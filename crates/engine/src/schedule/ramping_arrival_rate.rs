//! `ramping-arrival-rate`: requests at a rate that goes linearly from target to target.

use plimsoll_record::{Arrivals, Leg};

use super::{Schedule, Segment, ramp::arrivals as arrivals_of};

pub(super) fn schedule(legs: Vec<Leg>, arrivals: Arrivals, segment: Segment, seed: u64) -> Schedule {
    Schedule::from_legs(&legs, arrivals_of(legs.clone(), arrivals, segment, seed))
}
