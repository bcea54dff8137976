//! An upstream as its clients meet it, on real sockets.

mod client;

use std::{
    io::{ErrorKind, Read, Write},
    time::{Duration, Instant},
};

use client::{Client, Running};
use plimsoll_record::{Distribution, Freeze, KeepAlive, Nanos, StatusShare, UpstreamPlan, UpstreamTls};

const fn ms(ms: u64) -> Nanos {
    Nanos::from_millis(ms)
}

fn plan() -> UpstreamPlan {
    UpstreamPlan::default()
}

#[test]
fn it_answers_as_late_as_it_should_and_never_early() {
    let latency = Distribution::Constant(ms(50));
    let upstream = Running::start(&UpstreamPlan { latency, body_time: Distribution::Constant(ms(60)), ..plan() });
    let mut client = Client::connect(&upstream);
    for _ in 0..3 {
        let sent = Instant::now();
        let answer = client.get("/any/path?at=all");
        assert!(sent.elapsed() >= Duration::from_millis(110), "{:?}", sent.elapsed());
        assert!(answer.first_byte - sent >= Duration::from_millis(50), "{:?}", answer.first_byte - sent);
        assert_eq!((answer.status, answer.body.len()), (200, 100));
    }
    let counts = upstream.stop();
    assert_eq!((counts.connections_opened, counts.requests, counts.requests_per_connection_max), (1, 3, 3));
}

#[test]
fn all_methods_and_bodies_are_taken() {
    let statuses = vec![StatusShare { status: 503, weight: 1.0 }];
    let upstream = Running::start(&UpstreamPlan { statuses, answer_bytes: Distribution::Constant(200_000), ..plan() });
    let mut client = Client::connect(&upstream);
    let answer = client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
    assert_eq!((answer.status, answer.body.len()), (503, 200_000));
    let answer = client.send("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
    assert_eq!(answer.status, 503);
    assert_eq!(upstream.stop().requests, 2);
}

#[test]
fn servers_are_shared_first_come_first_served() {
    let latency = Distribution::Constant(ms(100));
    let upstream = Running::start(&UpstreamPlan { latency, servers: Some(1), ..plan() });
    let mut clients: Vec<Client> = (0..4).map(|_| Client::connect(&upstream)).collect();
    let deadline = Instant::now() + Duration::from_secs(60);
    // A machine that stands still counts nobody while they wait: then once more.
    while upstream.lines().iter().all(|counts| counts.waiting == 0) {
        assert!(Instant::now() < deadline, "nobody ever waits");
        let begun = Instant::now();
        clients.iter_mut().for_each(|client| client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
        clients.iter_mut().for_each(|client| assert_eq!(client.read_answer().status, 200));
        assert!(begun.elapsed() >= Duration::from_millis(400), "{:?}", begun.elapsed());
    }
}

#[test]
fn nothing_is_answered_in_a_freeze() {
    let freeze = Some(Freeze { length: ms(600), every: ms(1_000) });
    let upstream = Running::start(&UpstreamPlan { freeze, ..plan() });
    let mut client = Client::connect(&upstream);
    let begun = Instant::now();
    let mut slowest = Duration::ZERO;
    // A client that sleeps through a freeze meets the next one.
    while slowest < Duration::from_millis(500) {
        let sent = Instant::now();
        client.get("/");
        slowest = slowest.max(sent.elapsed());
        assert!(begun.elapsed() < Duration::from_secs(60), "no freeze in a minute: {slowest:?}");
    }
}

#[test]
fn idle_connections_are_closed_without_a_word() {
    let keep_alive = KeepAlive { idle_time: Some(ms(5_500)), is_announced: true, ..KeepAlive::default() };
    let upstream = Running::start(&UpstreamPlan { keep_alive: keep_alive.clone(), ..plan() });
    let (mut unused, mut used) = (Client::connect(&upstream), Client::connect(&upstream));
    let begun = Instant::now();
    let answer = used.get("/");
    assert_eq!(answer.header("keep-alive"), Some("timeout=5"), "whole seconds");
    assert_eq!(answer.header("connection"), None);
    assert!(used.is_closed_by_peer());
    assert!(begun.elapsed() >= Duration::from_millis(5_500), "{:?}", begun.elapsed());
    assert!(unused.is_closed_by_peer(), "also one that never carried a request");
    assert_eq!(upstream.stop().connections_open, 0);

    let busy = UpstreamPlan { keep_alive, latency: Distribution::Constant(ms(6_000)), ..plan() };
    let upstream = Running::start(&busy);
    assert_eq!(Client::connect(&upstream).get("/").status, 200, "one that waits for its answer is not idle");
}

#[test]
fn another_time_may_be_announced_than_connections_are_kept_for() {
    let announced_idle_time = Some(ms(7_000));
    let keep_alive = KeepAlive { is_announced: true, announced_idle_time, ..KeepAlive::default() };
    let upstream = Running::start(&UpstreamPlan { keep_alive, ..plan() });
    assert_eq!(Client::connect(&upstream).get("/").header("keep-alive"), Some("timeout=7"));
}

#[test]
fn the_last_answer_of_a_connection_says_so_unless_it_should_not() {
    for (closes_silently, bytes) in [(false, 100), (true, 100), (true, 0), (true, 300_000)] {
        let keep_alive = KeepAlive { requests_max: Some(2), closes_silently, ..KeepAlive::default() };
        let upstream =
            Running::start(&UpstreamPlan { keep_alive, answer_bytes: Distribution::Constant(bytes), ..plan() });
        let mut client = Client::connect(&upstream);
        assert_eq!(client.get("/").header("connection"), None);
        let last = client.get("/");
        assert_eq!(last.body.len() as u64, bytes);
        assert_eq!(last.header("connection"), (!closes_silently).then_some("close"), "silently: {closes_silently}");
        assert!(client.is_closed_by_peer());
        assert_eq!(upstream.stop().requests_per_connection_max, 2);
    }
    let keep_alive = KeepAlive { enabled: false, ..KeepAlive::default() };
    let upstream = Running::start(&UpstreamPlan { keep_alive, ..plan() });
    assert_eq!(Client::connect(&upstream).get("/").header("connection"), Some("close"));
}

#[test]
fn beyond_its_connections_it_does_not_accept() {
    let upstream = Running::start(&UpstreamPlan { connections_max: Some(1), ..plan() });
    let mut first = Client::connect(&upstream);
    assert_eq!(first.get("/").status, 200);
    let mut second = Client::connect(&upstream);
    second.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    second.stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    let refused = second.stream.read(&mut [0]).unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{refused}");
    assert_eq!(upstream.snapshot().connections_opened, 1);
    drop(first);
    second.stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    assert_eq!(second.read_answer().status, 200, "there is room now");
}

#[test]
fn a_client_that_resets_is_counted() {
    let upstream = Running::start(&UpstreamPlan { answer_bytes: Distribution::Constant(50_000_000), ..plan() });
    let mut client = Client::connect(&upstream);
    client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    client.stream.read_exact(&mut [0; 100]).unwrap();
    // With bytes unread, closing resets.
    drop(client);
    let until = Instant::now() + Duration::from_secs(60);
    while upstream.snapshot().resets == 0 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    let counts = upstream.stop();
    assert_eq!((counts.resets, counts.connections_open), (1, 0));
}

#[test]
fn thousands_of_connections_are_held() {
    const CONNECTIONS: usize = 3_000;
    let upstream = Running::start(&plan());
    // Both ends are in this process, and the client has a second descriptor for its buffer.
    let connections = CONNECTIONS.min(client::allowed_descriptors().saturating_sub(200) / 3);
    let mut clients: Vec<Client> = (0..connections).map(|_| Client::connect(&upstream)).collect();
    clients.iter_mut().for_each(|client| client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    clients.iter_mut().for_each(|client| assert_eq!(client.read_answer().status, 200));
    let counts = upstream.stop();
    assert_eq!((counts.connections_open, counts.requests), (connections as u64, connections as u64));
}

#[test]
fn tls_sessions_are_resumed_if_they_may_be() {
    for resumption in [true, false] {
        let tls = Some(UpstreamTls { resumption, ..UpstreamTls::default() });
        let upstream = Running::start(&UpstreamPlan { tls, ..plan() });
        let config = client::tls_config(&upstream, &[]);
        for _ in 0..3 {
            let mut stream = client::tls_connect(&upstream, &config);
            stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
            let mut text = String::new();
            // The other side may close without a word of TLS.
            let _ = stream.read_to_string(&mut text);
            assert!(text.starts_with("HTTP/1.1 200 OK\r\n"), "{text}");
        }
        let counts = upstream.stop();
        assert_eq!((counts.tls_handshakes, counts.tls_resumed), (3, if resumption { 2 } else { 0 }));
    }
}

#[test]
fn mutual_tls_wants_a_certificate_that_it_issued() {
    let tls = Some(UpstreamTls { is_mutual: true, ..UpstreamTls::default() });
    let upstream = Running::start(&UpstreamPlan { tls, ..plan() });
    let mut with = client::tls_connect(&upstream, &client::tls_config(&upstream, &[]));
    with.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut start = [0; 15];
    with.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"HTTP/1.1 200 OK");
    let mut without = client::tls_connect(&upstream, &client::tls_config_without_identity(&upstream));
    let refused = without.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").and_then(|()| without.read(&mut [0]));
    assert!(refused.is_err(), "{refused:?}");
    let folder = upstream.certificates.path().to_owned();
    assert!(folder.join("client-key.pem").exists());
    let counts = upstream.stop();
    assert_eq!((counts.tls_handshakes, counts.tls_failed), (1, 1));
    assert!(!folder.exists(), "removed, as it should be");
}

#[test]
fn http2_is_spoken_to_those_who_ask_for_it() {
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    let upstream = Running::start(&UpstreamPlan { http2: true, ..plan() });
    let mut client = Client::connect(&upstream);
    client.stream.write_all(preface).unwrap();
    let mut frame = [0; 9];
    client.stream.read_exact(&mut frame).unwrap();
    assert_eq!(frame[3], 4, "SETTINGS is the first frame: {frame:?}");
    assert_eq!(Client::connect(&upstream).get("/").status, 200, "HTTP/1.1 as well");
    drop(upstream);

    let upstream = Running::start(&UpstreamPlan { http2: true, tls: Some(UpstreamTls::default()), ..plan() });
    for (offered, chosen) in [(&["h2", "http/1.1"][..], "h2"), (&["http/1.1"], "http/1.1")] {
        let stream = client::tls_connect(&upstream, &client::tls_config(&upstream, offered));
        assert_eq!(stream.conn.alpn_protocol(), Some(chosen.as_bytes()));
    }
    drop(upstream);

    let upstream = Running::start(&plan());
    let mut client = Client::connect(&upstream);
    client.stream.write_all(preface).unwrap();
    let mut text = String::new();
    let _ = client.stream.read_to_string(&mut text);
    assert!(!text.contains("200"), "not if it was not told to: {text}");
}

#[test]
fn what_cannot_be_is_refused() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let error = client::refused(&UpstreamPlan { port, ..plan() });
    assert!(error.starts_with(&format!("cannot listen on 127.0.0.1:{port}: ")), "{error}");
    let error = client::refused(&UpstreamPlan { servers: Some(0), ..plan() });
    assert!(error.starts_with("`servers`: expected at least 1"), "{error}");
    let error = client::refused(&UpstreamPlan { connections_max: Some(u32::MAX), ..plan() });
    assert!(error.contains("ulimit -Hn"), "{error}");
}
