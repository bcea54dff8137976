//! The first requests, one by one.

use plimsoll_record::{ErrorKind, Load, Nanos, ThinkTime, TracedRequest};

use super::{Connects, Reply, Simulation, ok};
use crate::{Flow, Request, Script, Step};

const MS: Nanos = Nanos::from_millis(1);

fn load(vus: u32, iterations: u64) -> Load {
    Load::SharedIterations { vus, iterations, max_duration: None, think: ThinkTime::None }
}

fn traced(trace: u32, simulation: Simulation, load: &Load, mut reply: impl FnMut(u64) -> Reply) -> Vec<TracedRequest> {
    let mut simulation = simulation;
    simulation.options.trace = trace;
    let mut number = 0;
    let answered = simulation.run(load, &mut |at, _| {
        number += 1;
        vec![(at + Nanos(MS.0 * 10 * number), reply(number))]
    });
    let mut traced = answered.total.traced;
    traced.sort_by_key(TracedRequest::order);
    traced
}

#[test]
fn as_many_as_were_asked_for_are_told_and_no_more() {
    let all = |trace| traced(trace, Simulation::default(), &load(1, 20), |_| ok());
    assert_eq!(all(0), []);
    assert_eq!(all(30).len(), 20);
    let three = all(3);
    let times: Vec<Nanos> = three.iter().map(|it| it.done - it.intended).collect();
    assert_eq!(times, [Nanos(MS.0 * 10), Nanos(MS.0 * 20), Nanos(MS.0 * 30)], "each as long as it took");
    assert!(three.iter().all(|it| it.status == Some(200) && it.error.is_none() && it.first_byte.is_some()));
}

#[test]
fn what_fails_is_told_too() {
    let refused = Simulation { connects: Connects::Refused, ..Simulation::default() };
    let failed = traced(2, refused, &load(1, 5), |_| ok());
    assert_eq!(failed.len(), 2);
    assert_eq!((failed[0].sent, failed[0].status, failed[0].error), (None, None, Some(ErrorKind::Refused)));
    let status = |_| Reply::Bytes(b"HTTP/1.1 503 N\r\nContent-Length: 0\r\n\r\n".to_vec());
    let failed = traced(1, Simulation::default(), &load(1, 5), status);
    assert_eq!((failed[0].status, failed[0].error), (Some(503), Some(ErrorKind::Status5xx)));
}

#[test]
fn server_timing_is_kept_as_it_was_sent() {
    let timing = |_| {
        let timings = "server-timing: lease;dur=1.5\r\nServer-Timing: ttfb;dur=3";
        Reply::Bytes(format!("HTTP/1.1 200 OK\r\n{timings}\r\nContent-Length: 0\r\n\r\n").into_bytes())
    };
    let told = traced(1, Simulation::default(), &load(1, 1), timing);
    assert_eq!(told[0].server_timing.as_deref(), Some("lease;dur=1.5, ttfb;dur=3"));
}

#[test]
fn in_a_mix_each_says_which_request_it_was() {
    let step = |name: &str| Step::new(name, Request::get(format!("http://sim/{name}").parse().unwrap()));
    let script = Script::new(vec![Flow::new(1.0, vec![step("a"), step("b")])]);
    let simulation = Simulation { script, ..Simulation::default() };
    let told = traced(4, simulation, &load(1, 10), |_| ok());
    assert_eq!(told.iter().map(|it| it.request).collect::<Vec<_>>(), [0, 1, 0, 1]);
}
