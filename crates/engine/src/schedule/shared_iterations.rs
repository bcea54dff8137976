//! `shared-iterations`: a number of iterations, taken by whichever virtual user is free (oha's `-n N -c C`).

use plimsoll_record::Nanos;

use super::{Iterations, Schedule, Segment, start_at_once};

pub(super) fn schedule(vus: u32, iterations: u64, max_duration: Option<Nanos>, segment: Segment) -> Schedule {
    Schedule::from_steps(start_at_once(vus, segment))
        .iterations(Iterations::Shared(share(vus, iterations, segment)))
        .end(max_duration)
}

/// The segment's part of the iterations: for each of its virtual users k those between k/`vus` and (k + 1)/`vus` of
/// all. So the parts add up however a load is split, also if some of its parts are split again and others are not.
fn share(vus: u32, iterations: u64, segment: Segment) -> u64 {
    let before = |vu: u64| (u128::from(iterations) * u128::from(vu) / u128::from(vus.max(1))) as u64;
    let of_vu = |local: u64| {
        let vu = segment.global(local as u32);
        before(vu + 1) - before(vu)
    };
    (0..segment.share(u64::from(vus))).map(of_vu).sum()
}
