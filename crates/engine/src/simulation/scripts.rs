//! Iterations of several requests, and mixes of them.

use plimsoll_record::{Arrivals, ErrorKind, Load, Nanos, ThinkTime};

use super::{Reply, Simulated, Simulation, ok};
use crate::{Flow, Request, Script, Step};

const MS: Nanos = Nanos::from_millis(1);

fn flow(weight: f64, paths: &[&str], pause: ThinkTime) -> Flow {
    let request = |path: &str| Request::get(format!("http://sim/{path}").parse().unwrap());
    let step = |path: &&str| Step { pause, ..Step::new(*path, request(path)) };
    Flow::new(weight, paths.iter().map(step).collect())
}

fn simulation(flows: Vec<Flow>) -> Simulation {
    Simulation { script: Script::new(flows), ..Simulation::default() }
}

/// How often each request succeeded.
fn succeeded(simulated: &Simulated, requests: u32) -> Vec<u64> {
    let of = |request| {
        let intervals = simulated.intervals.iter().filter(move |interval| interval.request == request);
        intervals.map(|interval| interval.counts.succeeded).sum()
    };
    (0..requests).map(of).collect()
}

/// Arrivals ask for a flow regardless of when they come: were both drawn from one stream, the one flow would always
/// follow the long gaps.
#[test]
fn what_is_chosen_does_not_depend_on_when_it_arrives() {
    let simulation = simulation(vec![flow(1.0, &["a"], ThinkTime::None), flow(1.0, &["b"], ThinkTime::None)]);
    let load = Load::ConstantArrivalRate {
        rate: 1_000.0,
        duration: Nanos::from_secs(20),
        arrivals: Arrivals::Poisson,
        max_in_flight: 100,
        drop_late: false,
    };
    let (mut gaps, mut before) = ([Vec::new(), Vec::new()], Nanos::ZERO);
    simulation.run(&load, &mut |at, text| {
        gaps[usize::from(text.starts_with("GET /b"))].push((at - before).as_secs_f64());
        before = at;
        vec![(at, ok())]
    });
    let [a, b] = gaps.map(|gaps| gaps.iter().sum::<f64>() / gaps.len() as f64);
    assert!((a / b - 1.0).abs() < 0.1, "{a} s before `a`, {b} s before `b`");
}

#[test]
fn steps_follow_each_other_with_their_pauses() {
    let pause = ThinkTime::Constant { pause: Nanos::from_millis(10) };
    let simulation = simulation(vec![flow(1.0, &["a", "b", "c"], pause)]);
    let load = Load::PerVuIterations {
        vus: 2,
        iterations: 5,
        ramp_up: Nanos::ZERO,
        max_duration: None,
        think: ThinkTime::None,
    };
    let mut seen = Vec::new();
    let simulated = simulation.run(&load, &mut |at, request| {
        seen.push(request.as_bytes()[5] as char);
        vec![(at + MS, ok())]
    });
    assert_eq!(seen.iter().take(6).collect::<String>(), "aabbcc");
    assert_eq!(succeeded(&simulated, 3), [10, 10, 10]);
    assert_eq!(simulated.total.counts.iterations, 10);
    // Three answers and the two pauses between them, five times.
    assert_eq!(simulated.ended, Nanos::from_millis(5 * 23));
    let iteration = &simulated.total.iteration;
    assert_eq!((iteration.count(), iteration.max().0 / MS.0), (10, 23));
    assert_eq!(simulated.total.ok.response.max().0 / MS.0, 1, "a pause is not in any response time");
}

#[test]
fn a_failed_step_ends_its_iteration() {
    let simulation = simulation(vec![flow(1.0, &["a", "b"], ThinkTime::None)]);
    let load = Load::SharedIterations { vus: 1, iterations: 8, max_duration: None, think: ThinkTime::None };
    let simulated = simulation.run(&load, &mut |at, request| {
        let failed = Reply::Bytes(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n".to_vec());
        vec![(at + MS, if request.starts_with("GET /a") { failed } else { ok() })]
    });
    assert_eq!((simulated.errors(ErrorKind::Status5xx), simulated.total.counts.offered), (8, 8));
    assert_eq!(simulated.total.counts.iterations, 8);
}

#[test]
fn arrivals_begin_flows_and_a_limit_holds_whole_flows_back() {
    let simulation = simulation(vec![flow(1.0, &["a", "b"], ThinkTime::None)]);
    let load = Load::ConstantArrivalRate {
        rate: 100.0,
        duration: Nanos::from_secs(2),
        arrivals: Arrivals::Even,
        max_in_flight: 1,
        drop_late: false,
    };
    // A flow takes 20 ms, one is due every 10 ms: the last begins 2 s late.
    let simulated = simulation.run(&load, &mut |at, _| vec![(at + Nanos(10 * MS.0), ok())]);
    assert_eq!(succeeded(&simulated, 2), [200, 200]);
    assert_eq!(simulated.ended, Nanos::from_secs(4));
}

#[test]
fn a_mix_has_its_weights() {
    let flows = vec![flow(9.0, &["a"], ThinkTime::None), flow(1.0, &["b", "c"], ThinkTime::None)];
    let load = Load::SharedIterations { vus: 10, iterations: 10_000, max_duration: None, think: ThinkTime::None };
    let simulated = simulation(flows).run(&load, &mut |at, _| vec![(at + MS, ok())]);
    let [a, b, c] = succeeded(&simulated, 3)[..] else { unreachable!("three requests") };
    assert_eq!((a + b, b), (10_000, c));
    assert!((900..1_100).contains(&b), "{b}");
}
