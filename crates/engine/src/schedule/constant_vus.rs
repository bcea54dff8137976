//! `constant-vus`: every virtual user from the start to the end.

use plimsoll_record::Nanos;

use super::{Schedule, Segment, start_at_once};

pub(super) fn schedule(vus: u32, duration: Nanos, segment: Segment) -> Schedule {
    Schedule::from_steps(start_at_once(vus, segment)).end(Some(duration))
}
