//! `ramping-vus`: the number of virtual users goes linearly from target to target.

use plimsoll_record::{Nanos, Stage};

use super::{Schedule, Segment, Step, ramp::Leg};

pub(super) fn schedule(start_vus: u32, stages: &[Stage], segment: Segment) -> Schedule {
    let legs = Leg::of_stages(f64::from(start_vus), stages);
    let most = stages.iter().map(|stage| stage.target).fold(f64::from(start_vus), f64::max) as u64;
    let mut steps: Vec<(Nanos, Step)> =
        (0..segment.share(most) as u32).flat_map(|vu| steps_of(vu, segment.global(vu), &legs)).collect();
    steps.sort_by_key(|&(at, _)| at);
    Schedule::from_steps(steps.into_iter()).stages(stages)
}

/// Virtual user number `global` is there while the ramp is at `global + 1` or above.
fn steps_of(vu: u32, global: u64, legs: &[Leg]) -> Vec<(Nanos, Step)> {
    let threshold = (global + 1) as f64;
    let mut steps = Vec::new();
    let mut running = false;
    let mut begin = Nanos::ZERO;
    for leg in legs {
        // An instant jump between legs (a stage of zero length) takes effect at its instant.
        if !running && leg.from >= threshold {
            running = true;
            steps.push((begin, Step::StartVu { vu }));
        } else if running && leg.from < threshold {
            running = false;
            steps.push((begin, Step::StopVu { vu }));
        }
        if running != (leg.to >= threshold) {
            running = !running;
            let share = (threshold - leg.from) / (leg.to - leg.from);
            let at = begin + Nanos((leg.duration.0 as f64 * share).round() as u64);
            steps.push((at, if running { Step::StartVu { vu } } else { Step::StopVu { vu } }));
        }
        begin = begin + leg.duration;
    }
    steps
}
