//! `ramping-vus`: the number of virtual users goes linearly from target to target.

use plimsoll_record::{Leg, Nanos};

use super::{Schedule, Segment, Step};

pub(super) fn schedule(legs: &[Leg], segment: Segment) -> Schedule {
    let most = legs.iter().map(|leg| leg.peak()).fold(0.0, f64::max) as u64;
    let mut steps: Vec<(Nanos, Step)> =
        (0..segment.share(most) as u32).flat_map(|vu| steps_of(vu, segment.global(vu), legs)).collect();
    steps.sort_by_key(|&(at, _)| at);
    Schedule::from_legs(legs, steps.into_iter())
}

/// Virtual user number `global` is there while the ramp is at `global + 1` or above.
fn steps_of(vu: u32, global: u64, legs: &[Leg]) -> Vec<(Nanos, Step)> {
    let threshold = (global + 1) as f64;
    let mut steps = Vec::new();
    let mut running = false;
    for leg in legs {
        // An instant jump between legs (a stage of zero length) takes effect at its instant.
        if !running && leg.from >= threshold {
            running = true;
            steps.push((leg.begin, Step::StartVu { vu }));
        } else if running && leg.from < threshold {
            running = false;
            steps.push((leg.begin, Step::StopVu { vu }));
        }
        if running != (leg.to >= threshold) {
            running = !running;
            let share = (threshold - leg.from) / (leg.to - leg.from);
            let at = leg.begin + Nanos((leg.duration.0 as f64 * share).round() as u64);
            steps.push((at, if running { Step::StartVu { vu } } else { Step::StopVu { vu } }));
        }
    }
    steps
}
