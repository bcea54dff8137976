//! Every way in which a request can end.

use plimsoll_record::{Arrivals, ErrorKind, Load, Nanos, ThinkTime};

use super::{Connects, Reply, Simulated, Simulation, ok};
use crate::{Action, ConnectionId, Established, Reuse, Segment, Worker, WorkerOptions};

const MS: Nanos = Nanos::from_millis(1);

/// `count` requests of one virtual user.
fn one_by_one(count: u64) -> Load {
    Load::SharedIterations { vus: 1, iterations: count, max_duration: None, think: ThinkTime::None }
}

fn bytes(text: &str) -> Reply {
    Reply::Bytes(text.as_bytes().to_vec())
}

/// Ten requests, each answered by `replies` a millisecond apart.
fn ten_times(simulation: &Simulation, replies: &[Reply]) -> Simulated {
    let answer = |at: Nanos| (1_u64..).zip(replies).map(|(k, reply)| (at + Nanos(MS.0 * k), reply.clone())).collect();
    simulation.run(&one_by_one(10), &mut |at, _| answer(at))
}

fn assert_all_fail(simulated: &Simulated, kind: ErrorKind, example: &str) {
    assert_eq!(simulated.errors(kind), 10, "{:?}", simulated.total.errors);
    assert!(simulated.total.errors[&kind].example.contains(example), "{:?}", simulated.total.errors);
}

#[test]
fn failures_are_counted_by_kind_and_the_load_goes_on() {
    let simulation = Simulation::default();
    let half = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhal";
    for (replies, kind, example) in [
        (vec![Reply::End], ErrorKind::ClosedBeforeResponse, "before the first byte"),
        (vec![bytes(half), Reply::End], ErrorKind::ClosedBeforeResponse, "within a response"),
        (vec![bytes(half), Reply::Reset], ErrorKind::Reset, "reset"),
        (vec![bytes("garbage\r\n")], ErrorKind::Protocol, "status line is not that of HTTP/1"),
        (vec![bytes("HTTP/1.1 404 N\r\nContent-Length: 0\r\n\r\n")], ErrorKind::Status4xx, "status 404"),
        (vec![bytes("HTTP/1.1 503 N\r\nContent-Length: 0\r\n\r\n")], ErrorKind::Status5xx, "status 503"),
        (vec![bytes("HTTP/1.1 599 N\r\nContent-Length: 0\r\n\r\n")], ErrorKind::Status5xx, "status 599"),
        (vec![bytes("HTTP/1.1 999 N\r\nContent-Length: 0\r\n\r\n")], ErrorKind::Protocol, "status 999, beyond 599"),
        (vec![], ErrorKind::ResponseTimeout, "no complete response after 30.0 s"),
        (vec![bytes(half)], ErrorKind::ResponseTimeout, "30.0 s"),
    ] {
        assert_all_fail(&ten_times(&simulation, &replies), kind, example);
    }
}

#[test]
fn a_status_that_fails_keeps_its_connection_and_a_protocol_error_does_not() {
    let opened = |reply: &str| ten_times(&Simulation::default(), &[bytes(reply)]).total.counts.connections_opened;
    assert_eq!(opened("HTTP/1.1 503 N\r\nContent-Length: 0\r\n\r\n"), 1);
    assert_eq!(opened("garbage\r\n"), 10);
    assert_eq!(opened("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"), 10);
    assert_eq!(opened("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nunasked"), 10);
    assert_eq!(opened("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), 1);
}

/// Pieces of an answer, and whether each comes before all of the request was sent.
#[test]
fn a_request_that_was_sent_by_the_end_of_its_answer_keeps_its_connection() {
    let (interim, head) = ("HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n");
    for (pieces, is_kept) in [
        ([(interim, false), (head, false), ("ok", false)], true),
        ([(interim, true), (head, false), ("ok", false)], true),
        ([(interim, true), (head, true), ("ok", false)], true),
        ([(interim, true), (head, true), ("ok", true)], false),
    ] {
        let Simulation { script, options, .. } = Simulation::default();
        let mut worker = Worker::new(&one_by_one(2), Segment::WHOLE, &script, options);
        worker.tick(Nanos::ZERO);
        worker.connected(0, Established::default(), Nanos::ZERO);
        let before = std::iter::from_fn(|| worker.next_action()).collect::<Vec<_>>();
        assert_eq!(before, [Action::Connect(0), Action::Send(0)]);
        for (piece, is_early) in pieces {
            if is_early {
                worker.answers_early(0);
            }
            worker.received(0, piece.as_bytes(), MS);
        }
        let next = std::iter::from_fn(|| worker.next_action()).collect::<Vec<_>>();
        let expected = if is_kept { vec![Action::Send(0)] } else { vec![Action::Close(0), Action::Connect(0)] };
        assert_eq!(next, expected, "{pieces:?}");
    }
}

#[test]
fn without_keep_alive_every_request_has_its_own_connection_and_says_so() {
    let mut simulation = Simulation::default();
    simulation.options.keep_alive = false;
    let mut asked_to_close = 0;
    let total = simulation.run(&one_by_one(10), &mut |at, request| {
        asked_to_close += usize::from(request.contains("Connection: close\r\n"));
        vec![(at + MS, ok())]
    });
    assert_eq!((total.total.counts.connections_opened, total.total.counts.connections_reused), (10, 0));
    assert_eq!(asked_to_close, 10);
}

#[test]
fn a_connection_carries_as_many_requests_as_it_may() {
    for (max_requests, connections) in [(1, 10), (3, 4), (10, 1)] {
        let mut simulation = Simulation::default();
        simulation.options.max_requests = max_requests;
        let counts = ten_times(&simulation, &[ok()]).total.counts;
        assert_eq!((counts.succeeded, counts.connections_opened), (10, connections));
        assert_eq!(counts.connections_reused, 10 - connections);
    }
}

#[test]
fn a_connection_that_was_idle_for_too_long_is_not_used_again() {
    let pauses = |pause| Load::SharedIterations {
        vus: 1,
        iterations: 10,
        max_duration: None,
        think: ThinkTime::Constant { pause },
    };
    let mut simulation = Simulation::default();
    simulation.options.idle_time = Nanos(5 * MS.0);
    for (pause, connections) in [(5 * MS.0, 1), (5 * MS.0 + 1, 10)] {
        let simulated = simulation.run(&pauses(Nanos(pause)), &mut |at, _| vec![(at + MS, ok())]);
        let counts = simulated.total.counts;
        assert_eq!((counts.succeeded, counts.connections_opened), (10, connections));
    }
}

#[test]
fn arrivals_take_the_connection_that_they_are_told_to() {
    let load = Load::ConstantArrivalRate {
        rate: 100.0,
        duration: Nanos::from_secs(1),
        arrivals: Arrivals::Even,
        max_in_flight: 10,
        drop_late: false,
    };
    // The first requests overlap, so that there are four connections; then one would do.
    let used = |reuse| {
        let mut simulation = Simulation::default();
        simulation.options.reuse = reuse;
        let mut used = Vec::new();
        simulation.run_raw(&load, &mut |at, id, _| {
            let took = if at < Nanos(25 * MS.0) { Nanos(35 * MS.0) } else { MS };
            used.push(id);
            vec![(at + took, ok())]
        });
        let late: Vec<ConnectionId> = used.split_off(used.len() - 30);
        let in_turn = late.windows(5).all(|five| five[0] == five[4]);
        let changes = late.windows(2).filter(|two| two[0] != two[1]).count();
        (in_turn, changes)
    };
    assert_eq!(used(Reuse::Latest), (true, 0), "always the same");
    assert_eq!(used(Reuse::Oldest), (true, 29), "one after the other");
    let (in_turn, changes) = used(Reuse::Random);
    assert!(!in_turn && (5..29).contains(&changes), "{changes}");
}

#[test]
fn a_body_may_end_with_its_connection() {
    let simulated =
        ten_times(&Simulation::default(), &[bytes("HTTP/1.0 200 OK\r\n\r\nall"), bytes("of it"), Reply::End]);
    assert_eq!(simulated.total.counts.succeeded, 10);
    assert_eq!(simulated.total.counts.connections_opened, 10);
}

#[test]
fn connects_that_fail_are_failures_of_requests_never_sent() {
    let simulation = Simulation { connects: Connects::Refused, ..Simulation::default() };
    let refused = ten_times(&simulation, &[ok()]);
    assert_all_fail(&refused, ErrorKind::Refused, "refused");
    assert_eq!((refused.total.counts.sent, refused.total.failed.response.count()), (0, 0));
    let simulation = Simulation { connects: Connects::Never, ..Simulation::default() };
    let timed_out = ten_times(&simulation, &[ok()]);
    assert_all_fail(&timed_out, ErrorKind::ConnectTimeout, "no connection after 1.00 s");
    assert_eq!(timed_out.ended, Nanos::from_secs(10));
}

#[test]
fn an_idle_connection_that_the_target_closes_is_no_failure() {
    let pause = ThinkTime::Constant { pause: Nanos::from_secs(1) };
    let load = Load::SharedIterations { vus: 1, iterations: 5, max_duration: None, think: pause };
    let answer = |at: Nanos| vec![(at + MS, ok()), (at + Nanos::from_millis(500), Reply::End)];
    let total = Simulation::default().run(&load, &mut |at, _| answer(at)).total;
    assert_eq!((total.counts.succeeded, total.counts.connections_opened), (5, 5));
}

#[test]
fn redirects_are_responses_unless_they_are_to_be_followed() {
    let moved = bytes("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n");
    let answer =
        |at: Nanos, request: &str| vec![(at + MS, if request.starts_with("GET /b") { ok() } else { moved.clone() })];
    let mut simulation = Simulation::default();
    let plain = simulation.run(&one_by_one(10), &mut |at, request| answer(at, request)).total;
    assert_eq!((plain.statuses[&302], plain.counts.succeeded), (10, 10));
    simulation.options.max_redirects = 1;
    let followed = simulation.run(&one_by_one(10), &mut |at, request| answer(at, request)).total;
    assert_eq!((followed.statuses[&200], followed.counts.succeeded, followed.counts.sent), (10, 10, 10));
    assert!(followed.ok.service.min() > Nanos::from_micros(1_990), "both hops are in it");
    let endless = simulation.run(&one_by_one(10), &mut |at, _| vec![(at + MS, moved.clone())]);
    assert_all_fail(&endless, ErrorKind::TooManyRedirects, "more redirects than 1");
    let away = bytes("HTTP/1.1 301 M\r\nLocation: http://other/\r\nContent-Length: 0\r\n\r\n");
    let elsewhere = ten_times(&simulation, &[away]);
    assert_all_fail(&elsewhere, ErrorKind::RedirectElsewhere, "leaves http://sim");
    let connections = [endless, elsewhere].map(|it| it.total.counts.connections_opened);
    assert_eq!(connections, [1, 1], "each response leaves its connection as it is");
    let nowhere = bytes("HTTP/1.1 301 M\r\nLocation: http://[\r\nContent-Length: 0\r\n\r\n");
    assert_all_fail(&ten_times(&simulation, &[nowhere]), ErrorKind::Protocol, "which is not a URL");
}

/// The time-out counts from the first send, whatever connections the hops need.
#[test]
fn a_redirect_to_a_new_connection_has_what_is_left_of_the_response_time() {
    let moved = bytes("HTTP/1.1 302 F\r\nLocation: /b\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    let mut simulation = Simulation::default();
    simulation.options.max_redirects = 1;
    let answered_after = |simulation: &Simulation, seconds| {
        simulation.run(&one_by_one(1), &mut |at, request| {
            let is_second = request.starts_with("GET /b");
            vec![if is_second { (at + Nanos::from_secs(seconds), ok()) } else { (at + MS, moved.clone()) }]
        })
    };
    assert_eq!(answered_after(&simulation, 12).total.counts.succeeded, 1, "longer than a connect may take");
    assert_eq!(answered_after(&simulation, 31).errors(ErrorKind::ResponseTimeout), 1);
    assert_eq!(answered_after(&simulation, 31).ended, Nanos::from_secs(30));
}

#[test]
fn a_stop_abandons_what_is_in_flight() {
    let simulation = Simulation { stop_at: Some(Nanos::from_millis(2_500)), ..Simulation::default() };
    let load = Load::ConstantVus { vus: 10, duration: Nanos::from_secs(60), think: ThinkTime::None };
    let simulated = simulation.run(&load, &mut |at, _| vec![(at + Nanos::from_secs(1), ok())]);
    assert_eq!((simulated.total.counts.succeeded, simulated.total.counts.abandoned), (20, 10));
    assert_eq!(simulated.ended, Nanos::from_millis(2_500));
}

#[test]
fn the_end_of_the_load_waits_for_what_is_in_flight_and_begins_nothing() {
    let load = Load::ConstantVus { vus: 10, duration: Nanos::from_millis(2_500), think: ThinkTime::None };
    let simulated = Simulation::default().run(&load, &mut |at, _| vec![(at + Nanos::from_secs(1), ok())]);
    assert_eq!(simulated.total.counts.succeeded, 30);
    assert_eq!(simulated.ended, Nanos::from_secs(3));
}

#[test]
fn a_generator_that_was_held_up_does_not_catch_up_by_a_crowd_of_connections() {
    let load = Load::ConstantArrivalRate {
        rate: 1_000.0,
        duration: Nanos::from_secs(1),
        arrivals: Arrivals::Even,
        max_in_flight: 1_000,
        drop_late: false,
    };
    let simulation = Simulation { begins_at: Nanos::from_millis(900), ..Simulation::default() };
    let simulated = simulation.run(&load, &mut |at, _| vec![(at, ok())]);
    assert_eq!((simulated.total.counts.succeeded, simulated.seen.connections), (1_000, 4));
    // Without keep-alive there is nothing to wait for.
    let options = WorkerOptions { keep_alive: false, ..simulation.options };
    let one_each = Simulation { options, begins_at: simulation.begins_at, ..Simulation::default() };
    assert_eq!(one_each.run(&load, &mut |at, _| vec![(at, ok())]).seen.connections, 1_000);
    // A target that does not answer meanwhile gets them all the same, each on a connection of its own.
    let simulated = simulation.run(&load, &mut |at, _| vec![(at + Nanos::from_secs(1), ok())]);
    assert_eq!((simulated.total.counts.succeeded, simulated.seen.connections), (1_000, 1_000));
}
