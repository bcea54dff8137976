//! Loads over HTTP/2 against a real server, with and without TLS.

mod load;
mod server;

use std::{
    net::SocketAddr,
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use load::{first, shared, total};
use plimsoll_drive::{Job, Observer, Seen, connection::Tls};
use plimsoll_hostile::tls::{Authority, Speaks};
use plimsoll_record::{ErrorKind, Interval, Nanos};
use server::http2::{Behaviour, start};

/// A load of `iterations` by `vus` virtual users, so many `streams` on a connection.
fn job(address: SocketAddr, path: &str, (vus, streams): (u32, u32), iterations: u64) -> Job {
    let mut job = load::job(shared(vus, iterations), format!("http://{address}{path}").parse().unwrap());
    job.options.connection.http2_streams = NonZeroU32::new(streams);
    job.options.threads = Some(1);
    job
}

fn only_error(total: &Interval) -> (ErrorKind, u64, &str) {
    assert_eq!(total.errors.len(), 1, "{:?}", total.errors);
    let (kind, error) = total.errors.first_key_value().unwrap();
    (*kind, error.count, &error.example)
}

#[test]
fn streams_share_connections_and_counts_agree_with_what_the_server_saw() {
    let (address, seen) = start(Behaviour::default());
    // Three threads have 21 or 22 virtual users each, and so three connections.
    for (threads, connections) in [(1, 8), (2, 8), (3, 9)] {
        let mut job = job(address, "/", (64, 8), 5_000);
        job.options.threads = Some(threads);
        let before = [&seen.connections, &seen.requests].map(|count| count.load(Relaxed));
        let counts = total(&job).counts;
        let after = [&seen.connections, &seen.requests].map(|count| count.load(Relaxed));
        assert_eq!((counts.succeeded, counts.sent), (5_000, 5_000));
        assert_eq!(counts.connections_opened, connections, "{threads} threads");
        assert_eq!([after[0] - before[0], after[1] - before[1]], [counts.connections_opened, 5_000]);
        assert_eq!(counts.connections_reused, 5_000 - counts.connections_opened);
    }
}

#[test]
fn bodies_of_any_size_come_and_go() {
    let (address, _) = start(Behaviour::default());
    let counts = total(&job(address, "/big", (8, 4), 100)).counts;
    assert_eq!(counts.succeeded, 100);
    assert!(counts.bytes_received > 100_000_000, "{}", counts.bytes_received);
    let mut upload = job(address, "/", (8, 4), 50);
    first(&mut upload).method = "POST".to_owned();
    first(&mut upload).body = vec![b'y'; 1_000_000];
    let counts = total(&upload).counts;
    assert_eq!(counts.succeeded, 50);
    assert!(counts.bytes_sent > 50_000_000, "{}", counts.bytes_sent);
}

#[test]
fn heads_redirects_and_failures_are_what_they_are_over_http1() {
    let (address, _) = start(Behaviour::default());
    let mut head = job(address, "/", (2, 2), 20);
    first(&mut head).method = "HEAD".to_owned();
    // The server sends a body all the same, as a careless one would.
    assert_eq!(only_error(&total(&head)).0, ErrorKind::Protocol);
    let mut moved = job(address, "/moved", (2, 2), 20);
    moved.options.max_redirects = 1;
    assert_eq!(total(&moved).counts.succeeded, 20);
    let missing = total(&job(address, "/missing", (2, 2), 20));
    assert_eq!(only_error(&missing), (ErrorKind::Status4xx, 20, "status 404"));
    let reset = total(&job(address, "/reset", (2, 2), 20));
    assert_eq!(only_error(&reset), (ErrorKind::Reset, 20, "stream reset: INTERNAL_ERROR"));
    assert_eq!(reset.counts.connections_opened, 1);
}

#[test]
fn an_observer_sees_every_byte_and_takes_none() {
    let (address, server) = start(Behaviour::default());
    for tls in [false, true] {
        let authority = Authority::new("one");
        let config = Speaks { alpn: &["h2"], ..Speaks::by(&authority.issue("127.0.0.1")) }.config();
        let secure = start(Behaviour { tls: Some(config), ..Behaviour::default() }).0;
        let mut watched = job(if tls { secure } else { address }, "/", (1, 1), 5);
        watched.options.response_timeout = Nanos::from_secs(60);
        if tls {
            first(&mut watched).url = format!("https://{secure}/").parse().unwrap();
            watched.options.connection.tls = Tls { ca_cert: Some(authority.file()), ..Tls::default() };
        }
        let seen = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
        let counted = seen.clone();
        watched.options.observer = Some(Observer::new(move |_, what| {
            let (count, bytes) = match what {
                Seen::Sent(bytes) => (0, bytes.len()),
                Seen::Received(bytes) => (1, bytes.len()),
                Seen::Opened { .. } | Seen::Closed => return,
            };
            counted[count].fetch_add(bytes as u64, Relaxed);
        }));
        let total = total(&watched);
        assert_eq!((total.counts.succeeded, total.counts.failed), (5, 0), "{:?}", total.errors);
        let seen = [&seen[0], &seen[1]].map(|count| count.load(Relaxed));
        assert_eq!(seen, [total.counts.bytes_sent, total.counts.bytes_received], "TLS: {tls}");
    }
    assert_eq!(server.requests.load(Relaxed), 5);
}

#[test]
fn a_server_that_goes_away_now_and_then_costs_no_request() {
    let (address, seen) = start(Behaviour { requests_max: Some(100), streams_max: Some(5), ..Behaviour::default() });
    let total = total(&job(address, "/", (16, 8), 5_000));
    assert_eq!((total.counts.succeeded, total.counts.failed), (5_000, 0), "{:?}", total.errors);
    assert!(seen.connections.load(Relaxed) > 20);
    assert!(total.connection_wait.count() > 0, "five streams for eight");
}

#[test]
fn tls_agrees_on_http2() {
    let authority = Authority::new("one");
    let shown = authority.issue("127.0.0.1");
    let serve =
        |alpn| start(Behaviour { tls: Some(Speaks { alpn, ..Speaks::by(&shown) }.config()), ..Behaviour::default() });
    let secure = |address: SocketAddr| {
        let mut job = job(address, "/", (8, 4), 200);
        first(&mut job).url = format!("https://{address}/").parse().unwrap();
        job.options.connection.tls = Tls { ca_cert: Some(authority.file()), ..Tls::default() };
        total(&job)
    };
    let (address, seen) = serve(&["h2"]);
    let agreed = secure(address);
    assert_eq!((agreed.counts.succeeded, agreed.counts.tls_handshakes), (200, 2), "{:?}", agreed.errors);
    assert_eq!(seen.requests.load(Relaxed), 200);
    let silent = secure(serve(&[]).0);
    let (kind, count, words) = only_error(&silent);
    assert_eq!((kind, count), (ErrorKind::Tls, 200));
    assert!(words.contains("did not choose HTTP/2"), "{words}");
    let other = secure(serve(&["http/1.1"]).0);
    assert_eq!(only_error(&other).0, ErrorKind::Tls, "{:?}", other.errors);
}
