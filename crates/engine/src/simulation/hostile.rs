//! Loads over HTTP/2 against servers and networks that would exhaust the client, or that fall silent. Every simulation
//! asserts after each event that a connection keeps no more than is said.

use plimsoll_record::{Arrivals, ErrorKind, Load, Nanos};

use super::{
    Reply, Simulated, Simulation,
    streams::{example, frames, http2, iterations},
};
use crate::{
    Request, Script,
    http2::testing::{Frames, flag, frames_of, kind},
};

const MS: Nanos = Nanos::from_millis(1);

/// Runs 200 requests, four at a time, against a server that answers each frame of a kind, flags and stream by `answer`.
fn run(simulation: &Simulation, answer: &mut dyn FnMut(u8, u8, u32) -> Option<Frames>) -> Simulated {
    run_some(simulation, 200, answer)
}

fn run_some(
    simulation: &Simulation,
    requests: u64,
    answer: &mut dyn FnMut(u8, u8, u32) -> Option<Frames>,
) -> Simulated {
    simulation.run_raw(&iterations(4, requests), &mut |now, _, bytes| {
        let mut replies = Vec::new();
        if bytes.starts_with(b"PRI") {
            let windows = Frames::settings(&[(4, 0x7fff_ffff)]).and(kind::WINDOW_UPDATE, 0, 0, &[0x7f, 0xff, 0, 0]);
            replies.push(frames(now, windows));
        }
        for (frame, flags, stream, _) in frames_of(bytes) {
            replies.extend(answer(frame, flags, stream).map(|answer| frames(now + MS, answer)));
        }
        replies
    })
}

fn upload(simulation: Simulation, bytes: usize) -> Simulation {
    let get = Request::get("http://sim/upload".parse().unwrap());
    let script = Script::of(Request { method: "POST".to_owned(), body: vec![b'x'; bytes], ..get });
    Simulation { script, ..simulation }
}

fn is_request(frame: u8) -> bool {
    frame == kind::HEADERS
}

#[test]
fn a_network_that_takes_nothing_holds_back_bodies_and_requests() {
    let stuck = Simulation { is_stuck: true, ..http2(4) };
    let unanswered = run(&upload(stuck, 3_000_000), &mut |_, _, _| None);
    assert_eq!(unanswered.total.counts.failed, 200);
    let (count, words) = example(&unanswered, ErrorKind::ResponseTimeout);
    assert_eq!((count, words), (200, "no complete response after 30.0 s"));
    let reused = unanswered.total.counts.connections_reused;
    assert!(reused < 10, "the rest is not sent, or on connections that replaced the dead ones: {reused}");
}

#[test]
fn answers_that_nobody_reads_end_the_connection() {
    let stuck = Simulation { is_stuck: true, ..http2(4) };
    let flood = |stream| {
        let pings = (0..900).fold(Frames::default(), |frames, _| frames.and(kind::PING, 0, 0, &[0; 8]));
        pings.head(stream, &[(":status", "200")], false).data(stream, b"x", false)
    };
    // Each PING's answer brings as many.
    let simulated = run_some(&stuck, 20, &mut |frame, flags, stream| match frame {
        kind::HEADERS => Some(flood(stream)),
        kind::PING if flags & flag::ACK != 0 => {
            Some(Frames::default().and(kind::PING, 0, 0, &[0; 8]).and(kind::PING, 0, 0, &[0; 8]).data(1, b"x", false))
        }
        _ => None,
    });
    let (count, words) = example(&simulated, ErrorKind::Protocol);
    let expected = "HTTP/2: the target reads nothing: more than 1 MiB wait to be sent (ENHANCE_YOUR_CALM)";
    assert_eq!((count, words), (20, expected), "{:?}", simulated.total.errors);
}

#[test]
fn large_bodies_are_sent_in_pieces_through_windows_of_any_size() {
    let mut received = 0;
    let simulated = run(&upload(http2(4), 1_000_000), &mut |frame, flags, stream| {
        received += u64::from(frame == kind::DATA && flags & flag::END_STREAM != 0);
        (frame == kind::DATA && flags & flag::END_STREAM != 0).then(|| Frames::default().ok(stream))
    });
    assert_eq!((simulated.total.counts.succeeded, received), (200, 200), "{:?}", simulated.total.errors);
    assert!(simulated.total.counts.bytes_sent > 200_000_000);
}

/// A connection that a router has forgotten: the first request is answered, and nothing after it.
#[test]
fn a_connection_that_fell_silent_is_replaced() {
    let mut opened = 0;
    let simulated = http2(4).run_raw(&iterations(4, 200), &mut |now, _, bytes| {
        opened += u64::from(bytes.starts_with(b"PRI"));
        let begin = if bytes.starts_with(b"PRI") { Frames::settings(&[]) } else { Frames::default() };
        let is_answered = |stream: u32| opened > 1 || stream == 1;
        let requests = frames_of(bytes).into_iter().filter(|frame| is_request(frame.0) && is_answered(frame.2));
        let answers = requests.fold(begin, |frames, (_, _, stream, _)| frames.ok(stream));
        if answers.0.is_empty() { Vec::new() } else { vec![(now + MS, Reply::Bytes(answers.0))] }
    });
    let (count, words) = example(&simulated, ErrorKind::ResponseTimeout);
    assert_eq!((count, words), (8, "no complete response after 30.0 s"), "{:?}", simulated.total.errors);
    assert_eq!((simulated.total.counts.succeeded, simulated.total.counts.connections_opened), (192, 2));
    assert!(simulated.ended < Nanos::from_secs(61), "{}", simulated.ended);
}

/// A target that is slow, and lives.
#[test]
fn a_connection_whose_target_answers_ping_is_kept() {
    let mut pings = 0;
    let simulated = run(&http2(4), &mut |frame, flags, stream| match frame {
        kind::HEADERS if stream == 1 => Some(Frames::default().ok(1)),
        kind::PING if flags & flag::ACK == 0 => {
            pings += 1;
            Some(Frames::default().and(kind::PING, flag::ACK, 0, &[0; 8]))
        }
        _ => None,
    });
    assert_eq!((simulated.total.counts.succeeded, simulated.total.counts.connections_opened), (1, 1));
    assert_eq!(simulated.errors(ErrorKind::ResponseTimeout), 199);
    assert!(pings > 10, "{pings}");
}

/// Time-outs at different times: the first one sends a PING; only one long after it gives the connection up.
#[test]
fn a_silent_connection_is_given_time_to_answer() {
    let arrivals = Load::ConstantArrivalRate {
        rate: 1.0,
        duration: Nanos::from_secs(60),
        arrivals: Arrivals::Even,
        max_in_flight: 100,
        drop_late: false,
    };
    let simulated = http2(100).run_raw(&arrivals, &mut |_, _, _| Vec::new());
    let error = &simulated.total.errors[&ErrorKind::ResponseTimeout];
    assert_eq!((error.count, simulated.total.counts.connections_opened), (60, 2), "{error:?}");
    assert_eq!(error.example, "no complete response after 30.0 s");
    let dead = "nothing came over the connection for 35.0 s, not even an answer to PING: it was replaced";
    assert!(simulated.intervals.iter().flat_map(|it| it.errors.values()).any(|error| error.example == dead));
}

/// The first request is sent before the target says so; the next one waits for a stream in vain.
#[test]
fn a_connection_on_which_no_stream_is_allowed_is_replaced() {
    let mut opened = 0;
    let simulated = http2(1).run_raw(&iterations(1, 5), &mut |now, _, bytes| {
        opened += u32::from(bytes.starts_with(b"PRI"));
        let streams = if opened == 1 { 0 } else { 100 };
        let begin = if bytes.starts_with(b"PRI") { Frames::settings(&[(3, streams)]) } else { Frames::default() };
        let requests = frames_of(bytes).into_iter().filter(|frame| is_request(frame.0) && opened > 1);
        let answers = requests.fold(begin, |frames, (_, _, stream, _)| frames.ok(stream));
        if answers.0.is_empty() { Vec::new() } else { vec![(now + MS, Reply::Bytes(answers.0))] }
    });
    assert_eq!(simulated.errors(ErrorKind::ResponseTimeout), 2, "{:?}", simulated.total.errors);
    assert_eq!((simulated.total.counts.succeeded, simulated.total.counts.connections_opened), (3, 2));
}
