//! `constant-arrival-rate`: requests at a constant rate, whatever the responses do.

use plimsoll_record::{Arrivals, Leg, Nanos};

use super::{Schedule, Segment, ramp::arrivals as arrivals_of};

pub(super) fn schedule(rate: f64, duration: Nanos, arrivals: Arrivals, segment: Segment, seed: u64) -> Schedule {
    let legs = vec![Leg { begin: Nanos::ZERO, from: rate, to: rate, duration }];
    Schedule::from_steps(arrivals_of(legs, arrivals, segment, seed)).end(Some(duration))
}
