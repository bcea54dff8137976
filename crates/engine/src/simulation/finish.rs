//! Loads that end softly before their time: nothing is offered any more, and what is in flight is awaited.

use std::num::NonZeroU32;

use plimsoll_record::{Arrivals, ErrorKind, Load, Nanos, Stage, ThinkTime};

use super::{Reply, Simulated, Simulation, ok};
use crate::{
    Flow, Request, Script, Step,
    http2::testing::{Frames, flag, frames_of, kind},
};

const SECOND: Nanos = Nanos::from_secs(1);
const AT: Nanos = Nanos::from_millis(2_500);
/// When the last of an open load's 250 requests is intended.
const LAST: Nanos = Nanos::from_millis(2_490);

fn finishing() -> Simulation {
    Simulation { finish_at: Some(AT), ..Simulation::default() }
}

fn open_load(max_in_flight: u32) -> Load {
    Load::ConstantArrivalRate {
        rate: 100.0,
        duration: Nanos::from_secs(60),
        arrivals: Arrivals::Even,
        max_in_flight,
        drop_late: false,
    }
}

/// Succeeded, failed, dropped, abandoned; and when it was over.
fn outcome(simulated: &Simulated) -> ([u64; 4], Nanos) {
    let counts = &simulated.total.counts;
    ([counts.succeeded, counts.failed, counts.dropped, counts.abandoned], simulated.ended)
}

#[test]
fn an_open_load_offers_no_more_and_awaits_what_is_in_flight() {
    let simulated = finishing().run(&open_load(1_000), &mut |at, _| vec![(at + SECOND, ok())]);
    assert_eq!(outcome(&simulated), ([250, 0, 0, 0], LAST + SECOND));
}

#[test]
fn a_ramp_ends_too() {
    let stages = vec![Stage { duration: Nanos::from_secs(60), target: 100.0 }];
    let load = Load::RampingVus { start_vus: 10, stages, think: ThinkTime::None };
    let simulated = finishing().run(&load, &mut |at, _| vec![(at + SECOND, ok())]);
    // A user more every two thirds of a second: three of them by then.
    assert_eq!(outcome(&simulated).0, [10 * 3 + 2 + 2 + 1, 0, 0, 0]);
    assert!(simulated.ended <= AT + SECOND, "{}", simulated.ended);
}

#[test]
fn virtual_users_end_after_their_iteration_and_at_once_in_a_pause() {
    let think = ThinkTime::Constant { pause: Nanos::from_secs(30) };
    for (think, expected) in [(ThinkTime::None, ([30, 0, 0, 0], Nanos::from_secs(3))), (think, ([10, 0, 0, 0], AT))] {
        let load = Load::ConstantVus { vus: 10, duration: Nanos::from_secs(60), think };
        let simulated = finishing().run(&load, &mut |at, _| vec![(at + SECOND, ok())]);
        assert_eq!(outcome(&simulated), expected, "{think:?}");
    }
    // Without an end of its own, and with users that are yet to begin.
    let shared = Load::SharedIterations { vus: 10, iterations: 1_000, max_duration: None, think: ThinkTime::None };
    let simulated = finishing().run(&shared, &mut |at, _| vec![(at + SECOND, ok())]);
    assert_eq!(outcome(&simulated), ([30, 0, 0, 0], Nanos::from_secs(3)));
    let load = Load::PerVuIterations {
        vus: 10,
        iterations: 1_000,
        ramp_up: Nanos::from_secs(10),
        max_duration: None,
        think: ThinkTime::None,
    };
    let simulated = finishing().run(&load, &mut |at, _| vec![(at + SECOND, ok())]);
    assert_eq!(outcome(&simulated), ([3 + 2 + 1, 0, 0, 0], Nanos::from_secs(3)));
}

#[test]
fn iterations_under_way_go_on_to_their_end() {
    let step = |path: &str| {
        let pause = ThinkTime::Constant { pause: SECOND };
        Step { pause, ..Step::new(path, Request::get(format!("http://sim/{path}").parse().unwrap())) }
    };
    let script = Script::new(vec![Flow::new(1.0, vec![step("a"), step("b"), step("c")])]);
    let simulation = Simulation { script, ..finishing() };
    let simulated = simulation.run(&open_load(1_000), &mut |at, _| vec![(at + SECOND, ok())]);
    assert_eq!(outcome(&simulated), ([3 * 250, 0, 0, 0], LAST + Nanos::from_secs(5)));
    assert_eq!(simulated.total.counts.iterations, 250);
}

/// Requests held back were offered: to leave them out would make the load look better than it was.
#[test]
fn requests_that_a_limit_holds_back_are_sent_or_given_up_a_time_out_later() {
    let simulated = finishing().run(&open_load(10), &mut |at, _| vec![(at + SECOND, ok())]);
    // Ten a second: the last ten of 250 are sent in the 25th.
    assert_eq!(outcome(&simulated), ([250, 0, 0, 0], Nanos::from_millis(25_090)));
    let mut simulation = finishing();
    simulation.options.response_timeout = Nanos::from_secs(3);
    let simulated = simulation.run(&open_load(10), &mut |at, _| vec![(at + SECOND, ok())]);
    // Sent until 5.5 s: ten in the first tenth of each second.
    assert_eq!(outcome(&simulated), ([60, 0, 190, 0], Nanos::from_millis(6_090)));
}

#[test]
fn a_target_that_never_answers_is_awaited_for_the_response_time_out() {
    let simulated = finishing().run(&open_load(1_000), &mut |_, _| Vec::new());
    assert_eq!(outcome(&simulated), ([0, 250, 0, 0], LAST + Nanos::from_secs(30)));
    assert_eq!(simulated.errors(ErrorKind::ResponseTimeout), 250);
}

#[test]
fn a_stop_ends_what_is_awaited() {
    let simulation = Simulation { stop_at: Some(Nanos::from_secs(3)), ..finishing() };
    let simulated = simulation.run(&open_load(1_000), &mut |at, _| vec![(at + SECOND, ok())]);
    // Requests intended after 2 s.
    let awaited = 49;
    assert_eq!(outcome(&simulated), ([250 - awaited, 0, 0, awaited], Nanos::from_secs(3)));
}

#[test]
fn streams_of_http2_are_awaited() {
    let mut simulation = finishing();
    simulation.options.http2_streams = NonZeroU32::new(8);
    let simulated = simulation.run_raw(&open_load(1_000), &mut |now, _, bytes| {
        let greeting = bytes.starts_with(b"PRI").then(|| (now, Reply::Bytes(Frames::settings(&[]).0)));
        let asked = frames_of(bytes).into_iter().filter(|it| it.0 == kind::HEADERS && it.1 & flag::END_STREAM != 0);
        let answers = asked.map(|(_, _, stream, _)| (now + SECOND, Reply::Bytes(Frames::default().ok(stream).0)));
        greeting.into_iter().chain(answers).collect()
    });
    assert_eq!(outcome(&simulated), ([250, 0, 0, 0], LAST + SECOND));
}
