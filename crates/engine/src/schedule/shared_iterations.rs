//! `shared-iterations`: a number of iterations, taken by whichever virtual user is free (oha's `-n N -c C`).

use plimsoll_record::Nanos;

use super::{Iterations, Schedule, Segment, start_at_once};

pub(super) fn schedule(vus: u32, iterations: u64, max_duration: Option<Nanos>, segment: Segment) -> Schedule {
    Schedule::from_steps(start_at_once(vus, segment))
        .iterations(Iterations::Shared(share(vus, iterations, segment)))
        .end(max_duration)
}

/// The segment's part of the iterations, in proportion to its part of the virtual users: a segment without
/// virtual users gets none, and the parts add up.
fn share(vus: u32, iterations: u64, segment: Segment) -> u64 {
    let before: u64 = (0..segment.index).map(|index| Segment { index, ..segment }.share(u64::from(vus))).sum();
    let upto = |vus_counted: u64| (u128::from(iterations) * u128::from(vus_counted) / u128::from(vus.max(1))) as u64;
    upto(before + segment.share(u64::from(vus))) - upto(before)
}
