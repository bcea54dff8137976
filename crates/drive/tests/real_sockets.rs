//! Loads against a real server on the loopback address: what the driver counts is what the server saw.

mod load;
mod server;

use std::{
    io::{Read, Write},
    net::TcpListener,
    sync::atomic::Ordering::Relaxed,
    thread,
    time::{Duration, Instant},
};

use load::{first, job, plain, shared, total};
use plimsoll_drive::{DriveError, Job, Options, Request, Scenario, Script, Stop, drive};
use plimsoll_record::{Arrivals, Counts, ErrorKind, Load, Nanos, ThinkTime};
use server::{Server, Then};

/// Counts of a load and of its server, in the same order: connections, requests, bytes in, bytes out.
fn counted_and_seen(job: &Job, server: &Server) -> (Counts, [u64; 4]) {
    let seen = &server.seen;
    let now = || [&seen.connections, &seen.requests, &seen.bytes_in, &seen.bytes_out].map(|count| count.load(Relaxed));
    let before = now();
    let counts = total(job).counts;
    let after = now();
    (counts, std::array::from_fn(|index| after[index] - before[index]))
}

#[test]
fn counts_agree_with_what_the_server_saw() {
    let server = Server::start(|line, _| match line.split(' ').nth(1) {
        Some("/says-close") => {
            (b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx".to_vec(), Then::Close)
        }
        Some("/ends-by-close") => (b"HTTP/1.1 200 OK\r\n\r\nuntil the end".to_vec(), Then::Close),
        Some("/says-close-and-waits") => {
            (b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx".to_vec(), Then::KeepOpen)
        }
        _ => (plain("hello"), Then::KeepOpen),
    });
    for (path, keep_alive, connections) in [
        ("/", true, 20),
        ("/", false, 2_000),
        ("/says-close", true, 2_000),
        ("/says-close", false, 2_000),
        ("/says-close-and-waits", true, 2_000),
        ("/ends-by-close", true, 2_000),
    ] {
        for threads in [1, 3] {
            let mut job = job(shared(20, 2_000), server.url(path));
            job.options.threads = Some(threads);
            job.options.keep_alive = keep_alive;
            let (counts, seen) = counted_and_seen(&job, &server);
            assert_eq!(counts.succeeded, 2_000, "{path}");
            let counted = [counts.connections_opened, counts.sent, counts.bytes_sent, counts.bytes_received];
            assert_eq!(counted, seen, "{path}, keep-alive: {keep_alive}, {threads} threads");
            assert_eq!((counts.connections_opened, counts.connections_reused), (connections, 2_000 - connections));
        }
    }
}

/// A server that closes after each response without a word: a request may cross the end of its connection, and fails,
/// but no connection is counted that the server did not see, and none is left out.
#[test]
fn connections_agree_with_a_server_that_closes_without_a_word() {
    let server = Server::start(|_, _| (plain("bye"), Then::Close));
    let (counts, [connections, requests, ..]) = counted_and_seen(&job(shared(20, 2_000), server.url("/")), &server);
    assert_eq!(counts.connections_opened, connections);
    assert_eq!((counts.succeeded, counts.sent), (requests, 2_000));
}

#[test]
fn every_framing_is_read_to_its_end() {
    let big = "x".repeat(1_000_000);
    let chunked =
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nf4240\r\n{big}\r\n3\r\nabc\r\n0\r\n\r\n");
    let interim = b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n".to_vec();
    let server = Server::start(move |line, _| match line.split(' ').nth(1) {
        Some("/big") => (plain(&big), Then::KeepOpen),
        Some("/chunked") => (chunked.clone().into_bytes(), Then::KeepOpen),
        Some("/close") => (b"HTTP/1.1 200 OK\r\n\r\nuntil the end".to_vec(), Then::Close),
        Some("/named-close") => {
            (b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx".to_vec(), Then::Close)
        }
        Some("/interim") => (interim.clone(), Then::KeepOpen),
        _ => (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n".to_vec(), Then::KeepOpen),
    });
    for (path, connections) in [("/big", 3), ("/chunked", 3), ("/close", 30), ("/named-close", 30), ("/interim", 3)] {
        let counts = total(&job(shared(3, 30), server.url(path))).counts;
        assert_eq!((counts.succeeded, counts.connections_opened), (30, connections), "{path}");
    }
    let mut head = job(shared(3, 30), server.url("/head"));
    first(&mut head).method = "HEAD".to_owned();
    assert_eq!(total(&head).counts.succeeded, 30);
}

#[test]
fn a_request_larger_than_the_sockets_buffer_is_sent_whole() {
    let server = Server::start(|_, length| (plain(&length.to_string()), Then::KeepOpen));
    let mut job = job(shared(2, 4), server.url("/"));
    first(&mut job).method = "POST".to_owned();
    first(&mut job).body = vec![b'x'; 10_000_000];
    assert_eq!(total(&job).counts.succeeded, 4);
    assert!(server.seen.bytes_in.load(Relaxed) > 40_000_000);
}

/// The rest of a request that was answered early must not run into the next one on the same connection.
#[test]
fn an_answer_before_the_request_was_all_sent_costs_its_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
    thread::spawn(move || {
        let mut open = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            stream.read_exact(&mut [0; 100]).unwrap();
            stream.write_all(&plain("no need to read on")).unwrap();
            open.push(stream);
        }
    });
    let mut job = job(shared(1, 5), url);
    first(&mut job).method = "POST".to_owned();
    first(&mut job).body = vec![b'x'; 50_000_000];
    let counts = total(&job).counts;
    assert_eq!((counts.succeeded, counts.connections_opened), (5, 5));
}

#[test]
fn a_server_that_closes_without_a_word_is_counted_and_the_load_goes_on() {
    let server = Server::start(|_, _| (Vec::new(), Then::Close));
    let total = total(&job(shared(2, 50), server.url("/")));
    let lost: u64 = [ErrorKind::ClosedBeforeResponse, ErrorKind::Reset]
        .iter()
        .filter_map(|kind| total.errors.get(kind))
        .map(|error| error.count)
        .sum();
    assert_eq!(lost, 50, "{:?}", total.errors);
}

#[test]
fn a_port_where_nobody_listens_refuses() {
    // The discard port: one that was free a moment ago could be another test's by now, or meet itself.
    let nobody = "127.0.0.1:9";
    let total = total(&job(shared(2, 10), format!("http://{nobody}/").parse().unwrap()));
    let error = &total.errors[&ErrorKind::Refused];
    assert_eq!((error.count, total.counts.sent), (10, 0));
    assert!(error.example.contains(&format!("connect {nobody}: Connection refused")), "{}", error.example);
}

#[test]
fn an_open_load_offers_what_it_says_second_by_second() {
    let server = Server::start(|_, _| (plain("hello"), Then::KeepOpen));
    let load = Load::ConstantArrivalRate {
        rate: 200.0,
        duration: Nanos::from_millis(2_100),
        arrivals: Arrivals::Even,
        max_in_flight: 1_000,
        drop_late: false,
    };
    let measured = || {
        let mut intervals = Vec::new();
        let job = job(load.clone(), server.url("/"));
        let driven = drive(&job, &Stop::new(), &mut |_, it| intervals.push(it)).unwrap();
        assert_eq!(intervals.iter().map(|it| it.counts.succeeded).sum::<u64>(), 420);
        assert!(intervals.is_sorted_by_key(|it| it.start));
        assert!(driven.took[0] >= Nanos::from_millis(2_095) && !driven.stopped);
        intervals.len()
    };
    // The last answers may be late, and seconds through which the machine stood still have no interval.
    assert!((0..30).any(|_| measured() >= 3), "no load in three seconds");
}

#[test]
fn a_stop_ends_a_load_within_moments() {
    let server = Server::start(|_, _| (plain("hello"), Then::KeepOpen));
    let load = Load::ConstantVus { vus: 2, duration: Nanos::from_secs(3_600), think: ThinkTime::None };
    let stop = Stop::new();
    let mut ended = 0;
    let driven = drive(&job(load, server.url("/")), &stop, &mut |_, interval| {
        ended += interval.ended();
        stop.abandon();
    });
    assert!(driven.unwrap().stopped && ended > 0);
}

#[test]
fn what_cannot_be_loaded_is_refused_before_anything_is_sent() {
    let refusal = |url: &str| drive(&job(shared(1, 1), url.parse().unwrap()), &Stop::new(), &mut |_, _| {});
    assert!(matches!(refusal("ftp://127.0.0.1/"), Err(DriveError::Url { .. })));
    let many = job(shared(4_000_000_000, 4_000_000_000), "http://127.0.0.1:9/".parse().unwrap());
    assert!(matches!(drive(&many, &Stop::new(), &mut |_, _| {}), Err(DriveError::Limit(_))));
}

#[test]
fn scenarios_run_at_the_same_time_each_from_its_own_start() {
    let server = Server::start(|_, _| (plain("hello"), Then::KeepOpen));
    let load = |millis| Load::ConstantArrivalRate {
        rate: 100.0,
        duration: Nanos::from_millis(millis),
        arrivals: Arrivals::Even,
        max_in_flight: 1_000,
        drop_late: false,
    };
    let scenario = |start, millis, path| Scenario {
        name: String::new(),
        start: Nanos::from_millis(start),
        load: load(millis),
        script: Script::of(Request::get(server.url(path))),
        trace: 0,
        is_staggered: false,
        limits: Vec::new(),
    };
    let scenarios = vec![scenario(0, 1_500, "/a"), scenario(1_200, 500, "/b")];
    let job = Job { scenarios, options: Options::default() };
    let mut sent = [0, 0];
    let began = Instant::now();
    let driven = drive(&job, &Stop::new(), &mut |number, it| sent[number] += it.counts.sent).unwrap();
    assert_eq!((sent, driven.took.len()), ([150, 50], 2));
    assert!(began.elapsed() >= Duration::from_millis(1_690), "the second began at its start: {:?}", began.elapsed());
}
