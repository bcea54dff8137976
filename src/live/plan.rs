//! What a load plans at an instant: what is shown beside what is achieved.

use plimsoll_record::{Load, Nanos, Stage};

/// Virtual users of a closed model, or requests per second of an open one, `at` after its start; zero before and after
/// it, where its end is known.
pub fn planned_at(load: &Load, at: Nanos) -> f64 {
    if load.duration().is_some_and(|duration| at > duration) {
        return 0.0;
    }
    match load {
        Load::ConstantVus { vus, .. } | Load::SharedIterations { vus, .. } | Load::PerVuIterations { vus, .. } => {
            f64::from(*vus)
        }
        Load::ConstantArrivalRate { rate, .. } => *rate,
        Load::RampingVus { start_vus, stages, .. } => on_ramp(f64::from(*start_vus), stages, at).round(),
        Load::RampingArrivalRate { start_rate, stages, .. } => on_ramp(*start_rate, stages, at),
    }
}

/// The stages of a ramp; empty for the others.
pub fn stages(load: &Load) -> &[Stage] {
    match load {
        Load::RampingVus { stages, .. } | Load::RampingArrivalRate { stages, .. } => stages,
        _ => &[],
    }
}

/// Index of the stage at this instant; the last one after its end.
pub fn stage_at(stages: &[Stage], at: Nanos) -> usize {
    let mut end = Nanos::ZERO;
    let ends = stages.iter().map(|stage| {
        end = end + stage.duration;
        end
    });
    ends.take_while(|&end| end <= at).count().min(stages.len().saturating_sub(1))
}

fn on_ramp(start: f64, stages: &[Stage], at: Nanos) -> f64 {
    let (mut from, mut begun) = (start, Nanos::ZERO);
    for stage in stages {
        let end = begun + stage.duration;
        if at < end {
            return from + (stage.target - from) * (at - begun).as_secs_f64() / stage.duration.as_secs_f64();
        }
        (from, begun) = (stage.target, end);
    }
    from
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Arrivals, ThinkTime};

    use super::*;

    #[test]
    fn a_ramp_is_followed_leg_by_leg() {
        let leg = |s, target| Stage { duration: Nanos::from_secs(s), target };
        let load = Load::RampingVus {
            start_vus: 10,
            stages: vec![leg(10, 20.0), leg(10, 20.0), leg(0, 50.0), leg(10, 0.0)],
            think: ThinkTime::None,
        };
        let at = |s| planned_at(&load, Nanos::from_secs(s));
        assert_eq!([at(0), at(5), at(10), at(19), at(20), at(25), at(31)], [10.0, 15.0, 20.0, 20.0, 50.0, 25.0, 0.0]);
        let stage = |s| stage_at(stages(&load), Nanos::from_secs(s));
        assert_eq!([stage(0), stage(10), stage(20), stage(99)], [0, 1, 3, 3]);
    }

    #[test]
    fn a_constant_load_is_what_it_is_until_it_ends() {
        let duration = Nanos::from_secs(5);
        let (arrivals, max_in_flight) = (Arrivals::Even, 9);
        let load = Load::ConstantArrivalRate { rate: 7.5, duration, arrivals, max_in_flight, drop_late: false };
        assert_eq!(planned_at(&load, Nanos::from_secs(4)), 7.5);
        assert_eq!(planned_at(&load, Nanos::from_secs(6)), 0.0);
    }
}
