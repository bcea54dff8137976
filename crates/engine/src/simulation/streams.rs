//! Loads over HTTP/2: streams that share connections.

use std::num::NonZeroU32;

use plimsoll_record::{Arrivals, ErrorKind, Load, Nanos, ThinkTime};
use proptest::prelude::*;

use super::{Connects, Reply, Simulated, Simulation};
use crate::{
    ConnectionId,
    http2::testing::{Frames, flag, frames_of, kind},
    script::{Body, FlowText, ScriptText, StepText},
};

const MS: Nanos = Nanos::from_millis(1);

/// Reaction of the server to a request: frames and ends, with their delays.
type Answer<'a> = &'a mut dyn FnMut(Asked) -> Vec<(Nanos, Reply)>;

/// A request that has come in whole.
#[derive(Clone, Copy, Debug)]
struct Asked {
    stream: u32,
    /// Number among all connections, counted from 1.
    number: u64,
    /// Bytes of its body.
    body: usize,
}

pub(super) fn http2(streams: u32) -> Simulation {
    let mut simulation = Simulation::default();
    simulation.options.http2_streams = NonZeroU32::new(streams);
    simulation
}

pub(super) fn iterations(vus: u32, iterations: u64) -> Load {
    Load::SharedIterations { vus, iterations, max_duration: None, think: ThinkTime::None }
}

pub(super) fn frames(delay: Nanos, frames: Frames) -> (Nanos, Reply) {
    (delay, Reply::Bytes(frames.0))
}

/// A 200 after ten milliseconds.
fn ok(asked: Asked) -> Vec<(Nanos, Reply)> {
    vec![frames(Nanos::from_millis(10), Frames::default().ok(asked.stream))]
}

/// Runs `load` against a server that begins each connection with `settings`.
fn run(simulation: &Simulation, load: &Load, settings: &[(u16, u32)], answer: Answer) -> Simulated {
    let mut number = 0;
    let mut bodies = std::collections::BTreeMap::<(ConnectionId, u32), usize>::new();
    simulation.run_raw(load, &mut |now, connection, bytes| {
        let mut replies = Vec::new();
        if bytes.starts_with(b"PRI") {
            replies.push(frames(Nanos::ZERO, Frames::settings(settings)));
        }
        for (frame, flags, stream, payload) in frames_of(bytes) {
            if !matches!(frame, kind::HEADERS | kind::DATA) {
                continue;
            }
            let body = bodies.entry((connection, stream)).or_default();
            if frame == kind::DATA {
                *body += payload.len();
                let increment = (payload.len() as u32).to_be_bytes();
                let update = Frames::default().and(kind::WINDOW_UPDATE, 0, 0, &increment).and(
                    kind::WINDOW_UPDATE,
                    0,
                    stream,
                    &increment,
                );
                replies.push(frames(MS, update));
            }
            if flags & flag::END_STREAM != 0 {
                number += 1;
                replies.extend(answer(Asked { stream, number, body: *body }));
                bodies.remove(&(connection, stream));
            }
        }
        replies.into_iter().map(|(delay, reply)| (now + delay, reply)).collect()
    })
}

pub(super) fn example(simulated: &Simulated, kind: ErrorKind) -> (u64, &str) {
    simulated.total.errors.get(&kind).map_or((0, ""), |error| (error.count, &error.example))
}

/// Each connection takes three requests, and the first of the first two is answered after ten seconds.
#[test]
fn nobody_waits_for_the_streams_of_two_connections_that_take_no_more() {
    let mut answer = |asked: Asked| match asked.number {
        1 | 4 => vec![frames(Nanos::from_secs(10), Frames::default().ok(asked.stream))],
        _ => ok(asked),
    };
    let mut limited = http2(3);
    limited.options.max_requests = 3;
    let simulated = run(&limited, &iterations(3, 600), &[], &mut answer);
    assert_eq!((simulated.total.counts.succeeded, simulated.total.counts.failed), (600, 0));
    assert!(simulated.ended < Nanos::from_millis(10_100), "{}", simulated.ended);
}

/// The second of two requests is the last one that a connection takes; the first is answered after ten seconds.
#[test]
fn nobody_waits_for_the_streams_of_a_connection_that_takes_no_more() {
    let last = |asked: Asked| [&asked.stream.to_be_bytes()[..], &[0; 4]].concat();
    let answer = |is_goodbye: bool| {
        move |asked: Asked| match asked.number {
            1 => vec![frames(Nanos::from_secs(10), Frames::default().ok(asked.stream))],
            2 if is_goodbye => {
                let goodbye = Frames::default().ok(asked.stream).and(kind::GOAWAY, 0, 0, &last(asked));
                vec![frames(Nanos::from_millis(10), goodbye)]
            }
            _ => ok(asked),
        }
    };
    let mut limited = http2(2);
    limited.options.max_requests = 500;
    for (simulation, is_goodbye) in [(http2(2), true), (limited, false)] {
        let simulated = run(&simulation, &iterations(2, 1_000), &[], &mut answer(is_goodbye));
        assert_eq!((simulated.total.counts.succeeded, simulated.total.counts.failed), (1_000, 0));
        assert!(simulated.ended < Nanos::from_millis(10_100), "{}", simulated.ended);
        assert_eq!(simulated.seen.connections, 2);
    }
}

#[test]
fn virtual_users_share_connections() {
    let load = Load::ConstantVus { vus: 70, duration: Nanos::from_secs(1), think: ThinkTime::None };
    let simulated = run(&http2(32), &load, &[], &mut ok);
    let counts = &simulated.total.counts;
    assert_eq!((counts.succeeded, counts.failed), (7_000, 0));
    assert_eq!((counts.connections_opened, counts.connections_reused), (3, 7_000 - 3));
    assert!(simulated.total.ok.service.max() < Nanos::from_micros(10_100), "{}", simulated.total.ok.service.max());
    assert_eq!(simulated.total.connection_wait.count(), 0, "connecting took no time, and streams were free");
}

#[test]
fn the_first_requests_are_told_with_what_their_fields_say() {
    let mut simulation = http2(4);
    simulation.options.trace = 2;
    let fields = [(":status", "200"), ("server-timing", "ttfb;dur=12")];
    let simulated = run(&simulation, &iterations(4, 40), &[], &mut |asked| {
        vec![frames(MS, Frames::default().head(asked.stream, &fields, true))]
    });
    let told = &simulated.total.traced;
    assert_eq!((told.len(), simulated.total.counts.succeeded), (2, 40));
    assert!(
        told.iter().all(|it| it.status == Some(200) && it.server_timing.as_deref() == Some("ttfb;dur=12")),
        "{told:?}"
    );
}

#[test]
fn bytes_are_counted_to_the_last_one() {
    let mut received = 0;
    let mut sent = 0;
    let simulated = http2(4).run_raw(&iterations(4, 40), &mut |now, _, bytes| {
        received += bytes.len() as u64;
        let mut answer = if bytes.starts_with(b"PRI") { Frames::settings(&[]) } else { Frames::default() };
        for (_, _, stream, _) in frames_of(bytes).into_iter().filter(|frame| frame.0 == kind::HEADERS) {
            answer = answer.ok(stream);
        }
        sent += answer.0.len() as u64;
        vec![(now + MS, Reply::Bytes(answer.0))]
    });
    assert_eq!(simulated.total.counts.succeeded, 40);
    assert_eq!(simulated.total.counts.bytes_received, sent);
    assert_eq!(simulated.total.counts.bytes_sent, received);
}

#[test]
fn what_a_target_allows_is_kept_to_and_waiting_is_measured() {
    const MAX_CONCURRENT_STREAMS: u16 = 3;
    let simulated = run(&http2(8), &iterations(8, 80), &[(MAX_CONCURRENT_STREAMS, 8)], &mut ok);
    assert_eq!((simulated.total.counts.succeeded, simulated.ended), (80, Nanos::from_millis(100)));
    let simulated = run(&http2(8), &iterations(8, 80), &[(MAX_CONCURRENT_STREAMS, 2)], &mut ok);
    assert_eq!(simulated.total.counts.succeeded, 80);
    assert!(simulated.total.connection_wait.count() > 60, "{}", simulated.total.connection_wait.count());
    assert!(simulated.ended > Nanos::from_millis(350), "two at a time: {}", simulated.ended);
}

#[test]
fn a_target_that_allows_no_stream_is_a_failure() {
    let simulated = run(&http2(2), &iterations(4, 6), &[(3, 0)], &mut ok);
    let (count, words) = example(&simulated, ErrorKind::ResponseTimeout);
    // The first ones were sent before the target had said so.
    assert_eq!(count + simulated.total.counts.succeeded, 6);
    assert!(words.contains("no stream was free for 30.0 s"), "{words}");
}

#[test]
fn a_target_that_goes_away_loses_nothing() {
    // As nginx does after so many requests: it finishes what it has, and begins nothing more.
    let simulated = run(&http2(4), &iterations(4, 100), &[], &mut |asked| {
        let mut answer = Frames::default();
        if asked.stream == 19 {
            answer = answer.and(kind::GOAWAY, 0, 0, &[0, 0, 0, 19, 0, 0, 0, 0]);
        }
        if asked.stream > 19 {
            return Vec::new();
        }
        vec![frames(Nanos(MS.0 * u64::from(1 + asked.stream % 3)), answer.ok(asked.stream))]
    });
    let counts = &simulated.total.counts;
    assert_eq!((counts.succeeded, counts.failed, counts.sent), (100, 0, 100), "{:?}", simulated.total.errors);
    assert_eq!(counts.connections_opened, 10);
}

/// The target refuses the first request, and then any other, before it says that it will send no more.
#[test]
fn a_request_that_waits_goes_on_where_its_connection_is_half_closed() {
    const MAX_CONCURRENT_STREAMS: u16 = 3;
    let simulated = run(&http2(1), &iterations(1, 5), &[], &mut |asked| match asked.number {
        1 => {
            let refusal = Frames::settings(&[(MAX_CONCURRENT_STREAMS, 0)]);
            let refusal = refusal.and(kind::RST_STREAM, 0, asked.stream, &[0, 0, 0, 7]);
            vec![frames(MS, refusal), (Nanos::from_millis(2), Reply::End)]
        }
        _ => ok(asked),
    });
    assert_eq!((simulated.total.counts.succeeded, simulated.total.counts.connections_opened), (5, 2));
    assert_eq!(simulated.ended, Nanos::from_millis(2 + 5 * 10), "it waits for no time-out");
}

#[test]
fn connections_carry_no_more_requests_than_they_may_and_are_not_used_when_stale() {
    let opened = |options: &dyn Fn(&mut crate::WorkerOptions), think| {
        let mut simulation = http2(2);
        options(&mut simulation.options);
        let load = Load::SharedIterations { vus: 2, iterations: 20, max_duration: None, think };
        let counts = run(&simulation, &load, &[], &mut ok).total.counts;
        assert_eq!(counts.succeeded, 20);
        counts.connections_opened
    };
    assert_eq!(opened(&|options| options.max_requests = 5, ThinkTime::None), 4);
    assert_eq!(opened(&|options| options.keep_alive = false, ThinkTime::None), 20);
    let pause = ThinkTime::Constant { pause: Nanos::from_secs(2) };
    assert_eq!(opened(&|options| options.idle_time = Nanos::from_secs(1), pause), 10);
    assert_eq!(opened(&|options| options.idle_time = Nanos::from_secs(3), pause), 1);
}

#[test]
fn a_time_out_ends_its_stream_and_not_the_connection() {
    let simulated = run(&http2(4), &iterations(4, 1_000), &[], &mut |asked| {
        if asked.number == 10 { Vec::new() } else { ok(asked) }
    });
    assert_eq!(example(&simulated, ErrorKind::ResponseTimeout), (1, "no complete response after 30.0 s"));
    assert_eq!((simulated.total.counts.succeeded, simulated.total.counts.connections_opened), (999, 1));
}

#[test]
fn a_lost_connection_fails_what_it_carried_by_kind() {
    for (reply, kind, words) in [
        (Reply::Reset, ErrorKind::Reset, "reset"),
        (Reply::End, ErrorKind::ClosedBeforeResponse, "before the first byte"),
        (Reply::Bytes(vec![0, 0, 4, 5, 4, 0, 0, 0, 1, 0, 0, 0, 2]), ErrorKind::Protocol, "PUSH_PROMISE"),
        (Reply::Bytes(b"\xff\xff\xff garbage".to_vec()), ErrorKind::Protocol, "longer than 16 KiB"),
    ] {
        let simulated = run(&http2(4), &iterations(8, 100), &[], &mut |asked| {
            if asked.number == 13 { vec![(MS, reply.clone())] } else { ok(asked) }
        });
        let (count, example) = example(&simulated, kind);
        assert_eq!((count, simulated.total.counts.succeeded), (4, 96), "{:?}", simulated.total.errors);
        assert!(example.contains(words), "{example}");
        assert_eq!(simulated.total.counts.connections_opened, 3);
    }
}

#[test]
fn streams_fail_alone_and_by_kind() {
    let reset = |code: u8| move |stream| Frames::default().and(kind::RST_STREAM, 0, stream, &[0, 0, 0, code]);
    let headless = |stream| Frames::default().data(stream, b"x", true);
    let status = |status: &'static str| move |stream| Frames::default().head(stream, &[(":status", status)], true);
    let cases: [(&dyn Fn(u32) -> Frames, _, _); 5] = [
        (&reset(2), ErrorKind::Reset, "stream reset: INTERNAL_ERROR"),
        (&reset(7), ErrorKind::Reset, "the target refused to process it 3 times and once more: REFUSED_STREAM"),
        (&headless, ErrorKind::Protocol, "HTTP/2: body before its head"),
        (&status("404"), ErrorKind::Status4xx, "status 404"),
        (&status("503"), ErrorKind::Status5xx, "status 503"),
    ];
    for (answer, kind, words) in cases {
        let simulated = run(&http2(4), &iterations(4, 12), &[], &mut |asked| vec![frames(MS, answer(asked.stream))]);
        assert_eq!(example(&simulated, kind), (12, words));
        assert_eq!((simulated.total.counts.connections_opened, simulated.total.counts.sent), (1, 12));
    }
}

#[test]
fn connections_that_do_not_come_about_fail_all_who_wait_for_them() {
    let connects = |connects| Simulation { connects, ..http2(4) };
    let refused = run(&connects(Connects::Refused), &iterations(8, 20), &[], &mut ok);
    assert_eq!(example(&refused, ErrorKind::Refused), (20, "refused"));
    let never = run(&connects(Connects::Never), &iterations(8, 20), &[], &mut ok);
    assert_eq!(example(&never, ErrorKind::ConnectTimeout), (20, "no connection after 1.00 s"));
    assert_eq!(never.ended, Nanos::from_secs(3));
    let slow = run(&connects(Connects::After(Nanos::from_millis(70))), &iterations(8, 20), &[], &mut ok);
    assert_eq!((slow.total.counts.succeeded, slow.total.connection_wait.count()), (20, 8));
}

#[test]
fn redirects_are_followed_on_the_connection() {
    let mut simulation = http2(2);
    simulation.options.max_redirects = 3;
    let moved = [(":status", "302"), ("location", "/next")];
    let simulated = run(&simulation, &iterations(2, 10), &[], &mut |asked| {
        if asked.number % 2 == 1 {
            vec![frames(MS, Frames::default().head(asked.stream, &moved, true))]
        } else {
            ok(asked)
        }
    });
    assert_eq!((simulated.total.counts.succeeded, simulated.total.counts.connections_opened), (10, 1));
    assert_eq!(simulated.total.counts.sent, 10, "a redirect is part of its request");
    let endless = run(&simulation, &iterations(2, 10), &[], &mut |asked| {
        vec![frames(MS, Frames::default().head(asked.stream, &moved, true))]
    });
    assert_eq!(example(&endless, ErrorKind::TooManyRedirects), (10, "more redirects than 3"));
}

#[test]
fn bodies_of_requests_are_sent_as_the_windows_open() {
    let mut simulation = http2(3);
    let mut request = crate::Request::get("http://sim/upload".parse().unwrap());
    request.method = "POST".to_owned();
    request.body = vec![b'x'; 200_000];
    simulation.script = crate::Script::of(request);
    let mut bodies = Vec::new();
    let simulated = run(&simulation, &iterations(3, 9), &[], &mut |asked| {
        bodies.push(asked.body);
        ok(asked)
    });
    assert_eq!((simulated.total.counts.succeeded, bodies), (9, vec![200_000; 9]));
}

#[test]
fn what_is_stopped_is_abandoned() {
    let load = Load::ConstantVus { vus: 5, duration: Nanos::from_secs(9), think: ThinkTime::None };
    let simulation = Simulation { stop_at: Some(Nanos::from_millis(5)), ..http2(2) };
    let counts = run(&simulation, &load, &[], &mut ok).total.counts;
    assert_eq!((counts.offered, counts.abandoned, counts.succeeded), (5, 5, 0));
}

/// Anything that a server may do with a request.
fn any_reply(stream: u32, choice: u8) -> Vec<(Nanos, Reply)> {
    let one = |frames_| vec![frames(MS, frames_)];
    let none = Frames::default;
    match choice {
        0..8 => vec![frames(Nanos::from_millis(10), none().ok(stream))],
        8 => Vec::new(),
        9 => vec![(MS, Reply::End)],
        10 => vec![(MS, Reply::Reset)],
        11 => one(none().and(kind::GOAWAY, 0, 0, &[0; 8])),
        12 => one(none().and(kind::RST_STREAM, 0, stream, &[0, 0, 0, 7])),
        13 => one(none().head(stream, &[(":status", "200")], false)),
        14 => one(none().ok(stream).ok(stream)),
        15 => vec![(MS, Reply::Bytes(vec![0, 0, 9])), (Nanos::from_millis(2), Reply::Bytes(vec![7; 40]))],
        _ => one(none().and(kind::GOAWAY, 0, 0, &[[0, 0, 0, 99], [0, 0, 0, 11]].concat()).ok(stream)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, ..ProptestConfig::default() })]

    /// Every simulation asserts that nothing is left out.
    #[test]
    fn whatever_the_server_does_the_load_ends(
        choices in prop::collection::vec(0_u8..17, 1..30),
        streams in 1_u32..6,
        allowed in 1_u32..8,
        is_open: bool,
    ) {
        let mut simulation = http2(streams);
        simulation.options.response_timeout = Nanos::from_secs(1);
        let load = if is_open {
            let seconds = Nanos::from_secs(1);
            Load::ConstantArrivalRate {
                rate: 100.0,
                duration: seconds,
                arrivals: Arrivals::Even,
                max_in_flight: 7,
                drop_late: false,
            }
        } else {
            iterations(7, 100)
        };
        let simulated = run(&simulation, &load, &[(3, allowed)], &mut |asked| {
            any_reply(asked.stream, choices[asked.number as usize % choices.len()])
        });
        prop_assert_eq!(simulated.total.counts.offered, 100);
    }
}

/// Values, captures and checks are the same as over HTTP/1.1: here the length of a body is that of a header
/// before it.
#[test]
fn values_are_filled_in_and_responses_are_looked_at() {
    let give = StepText {
        captures: vec![("padding".to_owned(), "header x-padding".to_owned())],
        checks: vec!["body == hello".to_owned(), "cookie id exists".to_owned()],
        ..StepText::default()
    };
    let take = StepText { body: Body::Text("{{padding}}".to_owned()), ..StepText::default() };
    let script = ScriptText {
        flows: vec![FlowText { weight: 1.0, steps: vec![give, take] }],
        cookies: true,
        ..ScriptText::default()
    };
    let mut simulation = http2(8);
    simulation.script = script.resolve(&"http://sim/".parse().unwrap()).unwrap();
    let simulated = run(&simulation, &iterations(8, 40), &[], &mut |asked| {
        assert!(matches!(asked.body, 0 | 7), "a body of {}", asked.body);
        let fields = [(":status", "200"), ("x-padding", "1234567"), ("set-cookie", "id=1"), ("content-length", "5")];
        let head = Frames::default().head(asked.stream, &fields, false);
        vec![
            frames(MS, head.data(asked.stream, b"hel", false)),
            frames(Nanos::from_millis(2), Frames::default().data(asked.stream, b"lo", true)),
        ]
    });
    assert_eq!(
        (simulated.total.counts.succeeded, simulated.total.counts.failed),
        (80, 0),
        "{:?}",
        simulated.total.errors
    );
    assert_eq!(simulated.total.checks["body == hello"].passed, 40);
    assert_eq!(simulated.total.checks["cookie id exists"].passed, 40);
}
