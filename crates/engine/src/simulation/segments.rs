//! The parts of a load together do what the whole load does, also where iterations have several requests.

use plimsoll_record::{Arrivals, Interval, Load, Nanos, Stage, ThinkTime};

use super::{Simulation, ok};
use crate::{Flow, Request, Script, Segment, Step};

pub(super) const ANSWER: Nanos = Nanos::from_millis(3);

/// One of each model.
pub(super) fn loads() -> [Load; 6] {
    let (think, duration) = (ThinkTime::Constant { pause: Nanos::from_millis(5) }, Nanos::from_secs(2));
    let stages = |high, low| {
        let stage = |target| Stage { duration: Nanos::from_secs(1), target };
        vec![stage(high), stage(low)]
    };
    let (max_in_flight, drop_late, arrivals) = (100, false, Arrivals::Poisson);
    [
        Load::ConstantVus { vus: 11, duration, think },
        Load::RampingVus { start_vus: 2, stages: stages(13.0, 4.0), think },
        Load::SharedIterations { vus: 7, iterations: 1_000, max_duration: None, think },
        Load::PerVuIterations { vus: 7, iterations: 20, ramp_up: duration, max_duration: None, think },
        Load::ConstantArrivalRate { rate: 200.0, duration, arrivals, max_in_flight, drop_late },
        Load::RampingArrivalRate { start_rate: 10.0, stages: stages(300.0, 0.0), arrivals, max_in_flight, drop_late },
    ]
}

pub(super) fn flow(weight: f64, paths: &[&str]) -> Flow {
    let pause = ThinkTime::Constant { pause: Nanos::from_millis(1) };
    let request = |path: &str| Request::get(format!("http://sim/{path}").parse().unwrap());
    let step = |path: &&str| Step { pause, ..Step::new(*path, request(path)) };
    Flow::new(weight, paths.iter().map(step).collect())
}

/// All that `segments` of a load measured together.
fn sum(load: &Load, flows: &[Flow], segments: &[Segment]) -> Interval {
    let mut sum = Interval::default();
    for &segment in segments {
        let script = Script::new(flows.to_vec());
        let simulation = Simulation { segment, script, ..Simulation::default() };
        sum.merge(&simulation.run(load, &mut |at, _| vec![(at + ANSWER, ok())]).total);
    }
    sum
}

/// Two machines, of which one has a thread and the other three.
fn parts() -> Vec<Segment> {
    let machine = |index| Segment { index, count: 2 };
    (0..3).map(|thread| machine(1).part(thread, 3)).chain([machine(0)]).collect()
}

#[test]
fn parts_of_flows_make_every_request_of_the_whole() {
    for load in loads() {
        let flows = [flow(1.0, &["a", "b"])];
        let (whole, sum) = (sum(&load, &flows, &[Segment::WHOLE]), sum(&load, &flows, &parts()));
        assert!(whole.counts.succeeded > 200 && whole.counts.iterations * 2 == whole.counts.offered, "{load:?}");
        let counts = |it: &Interval| (it.counts.offered, it.counts.succeeded, it.counts.iterations);
        assert_eq!(counts(&sum), counts(&whole), "{load:?}");
        assert_eq!((sum.ok.response, sum.iteration), (whole.ok.response, whole.iteration), "{load:?}");
    }
}

#[test]
fn parts_of_a_mix_draw_apart_and_begin_as_many_iterations_as_the_whole() {
    // Both kinds take the same time, so that the draws do not change how many there are.
    let flows = [flow(3.0, &["a"]), flow(1.0, &["b"])];
    for load in loads() {
        let (whole, sum) = (sum(&load, &flows, &[Segment::WHOLE]), sum(&load, &flows, &parts()));
        assert_eq!(sum.counts.iterations, whole.counts.iterations, "{load:?}");
    }
}
