use plimsoll_record::{Arrivals, Stage, ThinkTime};
use proptest::prelude::*;

use super::*;

fn all(load: &Load, segment: Segment) -> Vec<(Nanos, Step)> {
    let mut schedule = Schedule::new(load, segment, 42);
    std::iter::from_fn(|| schedule.take_due(Nanos::MAX)).collect()
}

fn stage(ms: u64, target: f64) -> Stage {
    Stage { duration: Nanos::from_millis(ms), target }
}

fn arrivals_at(load: &Load) -> Vec<u64> {
    all(load, Segment::WHOLE).into_iter().map(|(at, _)| at.0).collect()
}

#[test]
fn even_arrivals_fall_where_the_integral_of_the_rate_is_whole() {
    let load = Load::ConstantArrivalRate {
        rate: 4.0,
        duration: Nanos::from_secs(1),
        arrivals: Arrivals::Even,
        max_in_flight: 1,
        drop_late: false,
    };
    assert_eq!(arrivals_at(&load), [0, 250_000_000, 500_000_000, 750_000_000]);
    // From 0 to 8/s in 1 s and back: the integral at t is 4·t², so number k comes at √(k/4) s.
    let load = Load::RampingArrivalRate {
        start_rate: 0.0,
        stages: vec![stage(1_000, 8.0), stage(0, 2.0), stage(500, 2.0)],
        arrivals: Arrivals::Even,
        max_in_flight: 1,
        drop_late: false,
    };
    let expected = [0.0, 0.5, 0.5_f64.sqrt(), 0.75_f64.sqrt(), 1.0].map(|s| Nanos::from_secs_f64(s).0);
    assert_eq!(arrivals_at(&load), expected);
}

/// The gaps of a Poisson process are exponential: the greatest distance between their distribution and the exponential
/// one (Kolmogorov–Smirnov) stays below its 1 % critical value, 1.63/√n.
#[test]
fn poisson_arrivals_have_exponential_gaps() {
    let load = Load::ConstantArrivalRate {
        rate: 1_000.0,
        duration: Nanos::from_secs(20),
        arrivals: Arrivals::Poisson,
        max_in_flight: 1,
        drop_late: false,
    };
    let at = arrivals_at(&load);
    let mut gaps: Vec<f64> = at.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / 1e6).collect();
    gaps.sort_by(f64::total_cmp);
    let n = gaps.len() as f64;
    let distance = (1..).zip(&gaps).map(|(k, gap)| (f64::from(k) / n - (1.0 - (-gap).exp())).abs()).fold(0.0, f64::max);
    assert!(distance < 1.63 / n.sqrt(), "{distance} for {n} gaps");
}

#[test]
fn virtual_users_ramp_linearly_up_and_down() {
    let load = Load::RampingVus {
        start_vus: 1,
        stages: vec![stage(2_000, 3.0), stage(1_000, 3.0), stage(0, 1.0), stage(1_000, 0.0)],
        think: ThinkTime::None,
    };
    let at = |ms, step| (Nanos::from_millis(ms), step);
    let expected = [
        at(0, Step::StartVu { vu: 0 }),
        at(1_000, Step::StartVu { vu: 1 }),
        at(2_000, Step::StartVu { vu: 2 }),
        at(3_000, Step::StopVu { vu: 1 }),
        at(3_000, Step::StopVu { vu: 2 }),
        at(3_000, Step::StopVu { vu: 0 }),
    ];
    let mut found = all(&load, Segment::WHOLE);
    found[3..].sort_by_key(|&(at, step)| (at, step != Step::StopVu { vu: 1 }, step == Step::StopVu { vu: 0 }));
    assert_eq!(found, expected);
}

fn think() -> ThinkTime {
    ThinkTime::None
}

fn loads() -> impl Strategy<Value = Load> {
    let duration = (1_u64..3_000).prop_map(Nanos::from_millis);
    let ramp = prop::collection::vec((0_u64..2_000, 0_u32..40).prop_map(|(ms, n)| stage(ms, f64::from(n))), 1..5);
    let spacing = prop_oneof![Just(Arrivals::Even), Just(Arrivals::Poisson)];
    let (vus, rate) = (1_u32..60, 0.1_f64..300.0);
    prop_oneof![
        (vus.clone(), duration.clone()).prop_map(|(vus, duration)| Load::ConstantVus { vus, duration, think: think() }),
        (0_u32..40, ramp.clone()).prop_map(|(start_vus, stages)| Load::RampingVus {
            start_vus,
            stages,
            think: think()
        }),
        (vus.clone(), 0_u64..500).prop_map(|(vus, iterations)| Load::SharedIterations {
            vus,
            iterations,
            max_duration: None,
            think: think()
        }),
        (vus, 0_u64..9, duration.clone()).prop_map(|(vus, iterations, ramp_up)| Load::PerVuIterations {
            vus,
            iterations,
            ramp_up,
            max_duration: None,
            think: think()
        }),
        (rate, duration, spacing.clone()).prop_map(|(rate, duration, arrivals)| Load::ConstantArrivalRate {
            rate,
            duration,
            arrivals,
            max_in_flight: 1,
            drop_late: false
        }),
        (0.0..40.0, ramp, spacing).prop_map(|(start_rate, stages, arrivals)| Load::RampingArrivalRate {
            start_rate,
            stages,
            arrivals,
            max_in_flight: 1,
            drop_late: false
        }),
    ]
}

/// Numbers of virtual users as in the whole load.
fn global(segment: Segment, (at, step): (Nanos, Step)) -> (Nanos, &'static str, u64) {
    match step {
        Step::StartVu { vu } => (at, "start", segment.global(vu)),
        Step::StopVu { vu } => (at, "stop", segment.global(vu)),
        Step::Arrival => (at, "arrival", 0),
    }
}

fn shared_of(load: &Load, segment: Segment) -> u64 {
    match Schedule::new(load, segment, 42).iterations {
        Iterations::Shared(count) => count,
        Iterations::PerVu(_) | Iterations::Unlimited => 0,
    }
}

proptest! {
    /// Each part of a load is split again by the threads that its machine has cores for.
    #[test]
    fn the_segments_of_every_model_together_are_the_whole(
        load in loads(),
        threads in prop::collection::vec(1_usize..5, 1..9),
    ) {
        let split = |(index, &threads): (u32, &usize), count| {
            (0..threads).map(move |thread| Segment { index, count }.part(thread, threads))
        };
        let count = threads.len() as u32;
        let segments: Vec<Segment> = (0..).zip(&threads).flat_map(|part| split(part, count)).collect();
        let steps = |&part: &Segment| all(&load, part).into_iter().map(move |step| global(part, step));
        let mut parts: Vec<_> = segments.iter().flat_map(steps).collect();
        let mut whole: Vec<_> = steps(&Segment::WHOLE).collect();
        parts.sort_unstable();
        whole.sort_unstable();
        prop_assert_eq!(parts, whole);
        let shared = segments.iter().map(|&part| shared_of(&load, part)).sum::<u64>();
        prop_assert_eq!(shared, shared_of(&load, Segment::WHOLE));
    }

    #[test]
    fn every_model_gives_ascending_instants_within_its_duration(load in loads()) {
        let steps = all(&load, Segment::WHOLE);
        prop_assert!(steps.is_sorted_by_key(|&(at, _)| at));
        if let Some(duration) = load.duration() {
            prop_assert!(steps.iter().all(|&(at, _)| at <= duration));
        }
    }
}
