//! Requests counted by the instant at which they were intended.

use plimsoll_record::{ArrivalSlot, Arrivals, Load, Nanos, ThinkTime};

use super::{Reply, Simulation, ok};
use crate::{Flow, Request, Script, Step};

const MS: Nanos = Nanos::from_millis(1);
const LIMIT: Nanos = Nanos::from_millis(50);

fn open_load(seconds: u64, max_in_flight: u32, drop_late: bool) -> Load {
    Load::ConstantArrivalRate {
        rate: 1_000.0,
        duration: Nanos::from_secs(seconds),
        arrivals: Arrivals::Even,
        max_in_flight,
        drop_late,
    }
}

fn counting() -> Simulation {
    Simulation { limits: vec![LIMIT], ..Simulation::default() }
}

fn slot(slot: u32, counts: [u32; 3], within: u32) -> ArrivalSlot {
    let [offered, ended, failed] = counts;
    ArrivalSlot { slot, offered, ended, failed, within: vec![within] }
}

/// Answers 1 ms after a request came, but stands still for the first second.
fn freezing(at: Nanos) -> Vec<(Nanos, Reply)> {
    vec![(at.max(Nanos::from_secs(1)) + MS, ok())]
}

/// With few connections requests are sent late: they count where they were intended all the same.
#[test]
fn late_requests_count_in_the_slot_of_their_arrival() {
    for max_in_flight in [2_000, 1_000] {
        let simulated = counting().run(&open_load(3, max_in_flight, false), &mut |at, _| freezing(at));
        let late = |number| slot(number, [100, 100, 0], 0);
        // The last ones of the frozen second wait for 50 ms: 1 ms for the answer, 49 ms until the thaw.
        let thawing = slot(9, [100, 100, 0], 49);
        let timely = |number| slot(number, [100, 100, 0], 100);
        let expected: Vec<_> = (0..9).map(late).chain([thawing]).chain((10..30).map(timely)).collect();
        assert_eq!(simulated.total.arrivals.slots(), expected);
    }
}

/// While nothing has ended, the first second's report says that requests are late.
#[test]
fn an_overload_is_seen_before_anything_has_ended() {
    let simulated = counting().run(&open_load(3, 10_000, false), &mut |at, _| vec![(at + Nanos::from_secs(20), ok())]);
    let first = &simulated.intervals[0];
    assert_eq!((first.ended(), first.arrivals.slots().len()), (0, 10));
    assert!(first.arrivals.slots().iter().all(|it| *it == slot(it.slot, [100, 0, 0], 0)));
}

#[test]
fn dropped_and_abandoned_requests_were_offered_and_never_end() {
    let dropping = counting().run(&open_load(1, 100, true), &mut |at, _| freezing(at));
    // The first hundred have a slot, all others of the frozen second none, but for the last one.
    assert_eq!(dropping.total.counts.dropped, 900);
    assert_eq!(dropping.total.arrivals.slots()[0], slot(0, [100, 100, 0], 0));
    assert_eq!(dropping.total.arrivals.slots()[5], slot(5, [100, 0, 0], 0));
    let simulation = Simulation { stop_at: Some(Nanos::from_millis(300)), ..counting() };
    let stopped = simulation.run(&open_load(1, 1_000, false), &mut |at, _| freezing(at));
    // The last one waits for its connection.
    assert_eq!((stopped.total.counts.abandoned, stopped.total.counts.dropped), (300, 1));
    let slots = stopped.total.arrivals.slots();
    assert_eq!((slots.len(), slots[3].clone()), (4, slot(3, [1, 0, 0], 0)));
}

#[test]
fn failures_are_late_however_fast() {
    let simulated = counting().run(&open_load(1, 10, false), &mut |at, _| {
        vec![(at + MS, Reply::Bytes(b"HTTP/1.1 503 S\r\nContent-Length: 0\r\n\r\n".to_vec()))]
    });
    assert!(simulated.total.arrivals.slots().iter().all(|it| *it == slot(it.slot, [100, 100, 100], 0)));
}

/// Each request of a script counts where it was itself intended; a redirect is part of its request.
#[test]
fn requests_of_a_script_count_each_by_their_own_instant() {
    let request = |path: &str| Request::get(format!("http://sim/{path}").parse().unwrap());
    let pause = ThinkTime::Constant { pause: Nanos::from_millis(200) };
    let step = |path: &str| Step { pause, ..Step::new(path, request(path)) };
    let mut simulation = Simulation { limits: vec![LIMIT, LIMIT + LIMIT], ..counting() };
    simulation.script = Script::new(vec![Flow::new(1.0, vec![step("a"), step("b")])]);
    simulation.options.max_redirects = 1;
    let load = Load::PerVuIterations {
        vus: 3,
        iterations: 1,
        ramp_up: Nanos::ZERO,
        max_duration: None,
        think: ThinkTime::None,
    };
    let simulated = simulation.run(&load, &mut |at, request| {
        let moved = b"HTTP/1.1 302 F\r\nLocation: /c\r\nContent-Length: 0\r\n\r\n".to_vec();
        let answer = if request.starts_with("GET /b") { Reply::Bytes(moved) } else { ok() };
        vec![(at + Nanos::from_millis(30), answer)]
    });
    // `a` takes 30 ms from 0 on, `b` with its redirect 60 ms from 230 ms on.
    let of = |slot, within: [u32; 2]| ArrivalSlot { slot, offered: 3, ended: 3, failed: 0, within: within.to_vec() };
    assert_eq!(simulated.total.arrivals.slots(), [of(0, [3, 3]), of(2, [0, 3])]);
    let apart: Vec<(u32, usize)> =
        simulated.intervals.iter().map(|it| (it.request, it.arrivals.slots().len())).collect();
    assert_eq!(apart, [(0, 1), (1, 1)], "and in the interval of its own request");
}

#[test]
fn without_limits_nothing_is_counted_by_arrival() {
    let simulated = Simulation::default().run(&open_load(1, 10, false), &mut |at, _| vec![(at + MS, ok())]);
    assert!(simulated.total.counts.succeeded == 1_000 && simulated.total.arrivals.is_empty());
}

/// A thousand users who pause for a second on average make a hundred requests in each tenth of a second.
#[test]
fn staggered_users_are_not_in_step() {
    let think = ThinkTime::Exponential { mean: Nanos::from_secs(1) };
    let load = Load::ConstantVus { vus: 1_000, duration: Nanos::from_secs(3), think };
    let offered = |is_staggered| {
        let mut simulation = counting();
        simulation.options.is_staggered = is_staggered;
        let simulated = simulation.run(&load, &mut |at, _| vec![(at + MS, ok())]);
        let slots: Vec<u32> = simulated.total.arrivals.slots().iter().map(|slot| slot.offered).collect();
        slots
    };
    let slots = offered(true);
    assert_eq!(slots.len(), 30);
    assert!(slots.iter().all(|count| (50..150).contains(count)), "{slots:?}");
    assert!(offered(false)[0] > 1_000);
}
