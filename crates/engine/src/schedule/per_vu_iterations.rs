//! `per-vu-iterations`: every virtual user makes the same number of iterations (JMeter's threads, loops and ramp-up).

use plimsoll_record::Nanos;

use super::{Iterations, Schedule, Segment, Step};

pub(super) fn schedule(
    vus: u32,
    iterations: u64,
    ramp_up: Nanos,
    max_duration: Option<Nanos>,
    segment: Segment,
) -> Schedule {
    let start = move |vu: u32| {
        let at = u128::from(ramp_up.0) * u128::from(segment.global(vu)) / u128::from(vus.max(1));
        (Nanos(at as u64), Step::StartVu { vu })
    };
    let begins = move |(at, _): &(Nanos, Step)| max_duration.is_none_or(|end| *at < end);
    Schedule::from_steps((0..segment.share(u64::from(vus)) as u32).map(start).take_while(begins))
        .iterations(Iterations::PerVu(iterations))
        .end(max_duration)
}
