//! Servers that break the protocol, or never come to an end: each gives an error by kind, memory stays bounded, and the
//! same load goes on with what the server answers well.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use plimsoll_drive::{Job, Options, Request, Stop, drive};
use plimsoll_record::{ErrorKind, Interval, Load, Nanos, ThinkTime};
use rustix::net::{SendFlags, send, sockopt::set_socket_linger};

/// Requests of each load; the server is hostile to every other one.
const REQUESTS: u64 = 10;
/// Requests of a load whose hostile answers take as long as the time-out.
const REQUESTS_WITH_TIMEOUTS: u64 = 4;
/// Time enough for good answers on a busy machine.
const TIMEOUT: Nanos = Nanos::from_secs(2);
/// Memory that the process of these tests ever had, servers included; a sixth of it is used. (The backtrace of a test
/// that fails takes more.)
const PEAK_KB_MAX: u64 = 64 * 1024;
const WELL: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/// Behaviour of a server after a request has come, as long as somebody reads it.
type Hostility = fn(&mut TcpStream) -> std::io::Result<()>;

/// Answers every other request well. A hostile answer is followed by the connection's end, in order, unless the
/// client has left before.
fn serve(hostility: Hostility) -> url::Url {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
    let requests = Arc::new(AtomicU64::new(0));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, requests) = (stream.unwrap(), requests.clone());
            // A client that goes away ends its thread.
            thread::spawn(move || answer_each(stream, hostility, &requests));
        }
    });
    url
}

fn answer_each(stream: TcpStream, hostility: Hostility, requests: &AtomicU64) -> std::io::Result<()> {
    let mut out = stream.try_clone()?;
    let mut lines = BufReader::new(stream).lines();
    while let Some(line) = lines.next().transpose()? {
        if !line.is_empty() {
            continue;
        }
        if requests.fetch_add(1, Relaxed).is_multiple_of(2) {
            hostility(&mut out)?;
            return out.shutdown(Shutdown::Both);
        }
        out.write_all(WELL)?;
    }
    Ok(())
}

/// One request after another. Memory stays bounded.
fn load(hostility: Hostility, iterations: u64, response_timeout: Nanos) -> Interval {
    let load = Load::SharedIterations { vus: 1, iterations, max_duration: None, think: ThinkTime::None };
    let options = Options { response_timeout, ..Options::default() };
    let job = Job::single(load, Request::get(serve(hostility)), options);
    let mut total = Interval::default();
    drive(&job, &Stop::new(), &mut |_, interval| total.merge(&interval)).unwrap();
    assert_eq!(total.counts.offered, total.counts.succeeded + total.counts.failed, "{:?}", total.counts);
    assert!(peak_kb() < PEAK_KB_MAX, "{} kB", peak_kb());
    total
}

fn peak_kb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Every hostile answer is a failure of this kind, every other one a success.
fn assert_fails(hostility: Hostility, kind: ErrorKind, example: &str) {
    let is_timeout = kind == ErrorKind::ResponseTimeout;
    let (requests, timeout) =
        if is_timeout { (REQUESTS_WITH_TIMEOUTS, TIMEOUT) } else { (REQUESTS, Nanos::from_secs(30)) };
    let total = load(hostility, requests, timeout);
    let errors = &total.errors;
    assert_eq!(errors.get(&kind).map(|error| error.count), Some(requests / 2), "expected {kind}: {errors:?}");
    assert!(errors[&kind].example.contains(example), "expected `{example}`: {errors:?}");
    assert_eq!(total.counts.succeeded, requests / 2, "{errors:?}");
}

fn assert_not_http(hostility: Hostility, example: &str) {
    assert_fails(hostility, ErrorKind::Protocol, example);
}

fn assert_closes_early(hostility: Hostility, example: &str) {
    assert_fails(hostility, ErrorKind::ClosedBeforeResponse, example);
}

fn assert_times_out(hostility: Hostility) {
    assert_fails(hostility, ErrorKind::ResponseTimeout, "no complete response after 2.00 s");
}

/// The answer counts, but its connection carries no other request: each of the odd requests opens one.
fn assert_costs_the_connection(hostility: Hostility) {
    let total = load(hostility, REQUESTS, Nanos::from_secs(30));
    assert_eq!(total.counts.succeeded, REQUESTS, "{:?}", total.errors);
    assert_eq!(total.counts.connections_opened, REQUESTS / 2 + 1);
}

fn endlessly(out: &mut TcpStream, begin: &[u8], piece: &[u8]) -> std::io::Result<()> {
    out.write_all(begin)?;
    loop {
        out.write_all(piece)?;
    }
}

fn drip(out: &mut TcpStream, begin: &[u8], piece: &[u8]) -> std::io::Result<()> {
    out.write_all(begin)?;
    loop {
        out.write_all(piece)?;
        thread::sleep(Duration::from_millis(5));
    }
}

/// Returns when the client has closed the connection, or sent on it what it should not have.
fn wait_for_the_client(out: &mut TcpStream) -> std::io::Result<()> {
    out.read(&mut [0]).map(drop)
}

const CHUNKED: &[u8] = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

#[test]
fn heads_without_end() {
    assert_not_http(|out| endlessly(out, b"HTTP/1.1 200 OK\r\nX: ", &[b'a'; 1_000]), "head longer than 64 KiB");
    assert_not_http(|out| endlessly(out, b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"), "more than 100 headers");
    assert_not_http(|out| endlessly(out, b"", b"HTTP/1.1 100 Continue\r\n\r\n"), "more than 100 interim responses");
}

#[test]
fn chunked_framing_without_end() {
    assert_not_http(|out| endlessly(out, &[CHUNKED, b"1;"].concat(), &[b'x'; 1_000]), "longer than 16 KiB");
    assert_not_http(|out| endlessly(out, &[CHUNKED, b"0\r\n"].concat(), b"X: y\r\n"), "longer than 16 KiB");
}

#[test]
fn a_head_that_drips() {
    assert_times_out(|out| drip(out, b"HTTP/1.1 200 OK\r\nX: ", b"a"));
}

#[test]
fn a_body_that_drips() {
    assert_times_out(|out| drip(out, b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b"x"));
}

#[test]
fn chunks_that_drip() {
    assert_times_out(|out| drip(out, CHUNKED, b"1\r\nx\r\n"));
}

#[test]
fn silence() {
    assert_times_out(wait_for_the_client);
}

#[test]
fn a_body_without_end() {
    assert_times_out(|out| endlessly(out, b"HTTP/1.1 200 OK\r\n\r\n", &[b'x'; 10_000]));
}

#[test]
fn a_huge_chunk_without_end() {
    assert_times_out(|out| endlessly(out, &[CHUNKED, b"fffffffffffffff\r\n"].concat(), &[b'x'; 10_000]));
}

#[test]
fn ends_that_come_too_early() {
    assert_closes_early(|_| Ok(()), "before the first byte of a response");
    assert_closes_early(|out| out.write_all(b"HTTP/1.1 200 OK\r\nContent-Le"), "within a response");
    assert_closes_early(
        |out| out.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"),
        "within a response",
    );
    assert_closes_early(|out| out.write_all(&[CHUNKED, b"5\r\nhello\r\n"].concat()), "within a response");
    assert_closes_early(|out| out.write_all(&[CHUNKED, b"fffffffffffffff\r\nx"].concat()), "within a response");
}

#[test]
fn a_half_close_within_a_response() {
    assert_closes_early(
        |out| {
            out.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort")?;
            out.shutdown(Shutdown::Write)?;
            wait_for_the_client(out)
        },
        "within a response",
    );
}

#[test]
fn a_reset_within_the_body() {
    let hostility: Hostility = |out| {
        out.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort")?;
        set_socket_linger(&*out, Some(Duration::ZERO))?;
        Err(std::io::ErrorKind::ConnectionReset.into())
    };
    assert_fails(hostility, ErrorKind::Reset, "reset by peer");
}

#[test]
fn what_is_not_http() {
    assert_not_http(|out| out.write_all(b"garbage\r\n"), "status line is not that of HTTP/1");
    assert_not_http(|out| out.write_all(b"\x15\x03\x01\x00\x02\x02\x46"), "status line is not that of HTTP/1");
    assert_not_http(|out| out.write_all(b"PRI * HTTP/2.0\r\n\r\n"), "status line is not that of HTTP/1");
    assert_not_http(|out| out.write_all(b"HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n"), "head is not valid HTTP/1");
    assert_not_http(|out| out.write_all(b"HTTP/1.1 101 Switching\r\n\r\n"), "no upgrade was asked for");
}

#[test]
fn lengths_that_cannot_be() {
    assert_not_http(|out| out.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"), "is not a number");
    assert_not_http(
        |out| out.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
        "two Content-Lengths that differ",
    );
    assert_not_http(|out| out.write_all(&[CHUNKED, b"-5\r\nhello\r\n"].concat()), "not a hexadecimal number");
    assert_not_http(|out| out.write_all(&[CHUNKED, b"5\r\nhello!\r\n"].concat()), "chunk data longer than its size");
    assert_not_http(|out| out.write_all(&[CHUNKED, b"fffffffffffffffff\r\n"].concat()), "more than 15 hexadecimal");
}

#[test]
fn more_than_the_response() {
    assert_costs_the_connection(|out| {
        out.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokay")?;
        wait_for_the_client(out)
    });
    assert_costs_the_connection(|out| {
        out.write_all(&[CHUNKED, b"2\r\nok\r\n0\r\n\r\ngarbage"].concat())?;
        wait_for_the_client(out)
    });
}

/// The coding counts, as RFC 9112 has it (section 6.3), and the connection cannot be trusted any more.
#[test]
fn both_a_length_and_chunks() {
    assert_costs_the_connection(|out| {
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n";
        out.write_all(&[&head[..], b"2\r\nok\r\n0\r\n\r\n"].concat())?;
        wait_for_the_client(out)
    });
}

/// The end comes in one piece with the response's: one that comes later crosses the next request.
#[test]
fn a_half_close_with_a_response() {
    assert_costs_the_connection(|out| {
        send(&*out, WELL, SendFlags::MORE)?;
        out.shutdown(Shutdown::Write)?;
        wait_for_the_client(out)
    });
}

/// The URL of a server that treats each of its connections by `behave`.
fn each_connection(behave: impl Fn(TcpStream) -> std::io::Result<()> + Send + Sync + 'static) -> url::Url {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
    let behave = Arc::new(behave);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, behave) = (stream.unwrap(), behave.clone());
            thread::spawn(move || behave(stream));
        }
    });
    url
}

/// Requests of `vus` virtual users on one thread, over HTTP/2 if it is to be. Memory stays bounded.
fn total(request: Request, (vus, iterations): (u32, u64), streams: u32, response_timeout: Nanos) -> Interval {
    let load = Load::SharedIterations { vus, iterations, max_duration: None, think: ThinkTime::None };
    let mut options = Options { response_timeout, threads: Some(1), ..Options::default() };
    options.connection.http2_streams = NonZeroU32::new(streams);
    let mut total = Interval::default();
    drive(&Job::single(load, request, options), &Stop::new(), &mut |_, interval| total.merge(&interval)).unwrap();
    assert!(peak_kb() < PEAK_KB_MAX, "{} kB", peak_kb());
    total
}

fn frame(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
    let [_, a, b, c] = (payload.len() as u32).to_be_bytes();
    [&[a, b, c, kind, flags, 0, 0, 0, stream], payload].concat()
}

const LONG: Nanos = Nanos::from_secs(60);

/// Each PING is to be answered, and nobody reads the answers.
#[test]
fn an_http2_target_that_pings_and_reads_nothing() {
    let url = each_connection(|mut out| {
        out.read_exact(&mut [0; 90])?;
        let pings = frame(6, 0, 0, &[0; 8]).repeat(500);
        let head = [frame(4, 0, 0, &[]), frame(1, 4, 1, &[0x88])].concat();
        endlessly(&mut out, &head, &[pings, frame(0, 0, 1, b"x")].concat())
    });
    let total = total(Request::get(url), (1, 1), 1, LONG);
    let error = &total.errors.get(&ErrorKind::Protocol).expect("the connection is ended").example;
    assert_eq!(error, "HTTP/2: the target reads nothing: more than 1 MiB wait to be sent (ENHANCE_YOUR_CALM)");
}

/// The windows allow to send all bodies at once.
#[test]
fn an_http2_target_that_opens_its_windows_and_reads_nothing() {
    let url = each_connection(|mut out| {
        out.read_exact(&mut [0; 24])?;
        out.write_all(&frame(4, 0, 0, &[0, 4, 0x7f, 0xff, 0xff, 0xff]))?;
        out.write_all(&frame(8, 0, 0, &[0x7f, 0xff, 0, 0]))?;
        thread::sleep(Duration::from_nanos(LONG.0));
        Ok(())
    });
    let upload = Request { method: "POST".to_owned(), body: vec![b'x'; 1 << 20], ..Request::get(url) };
    let total = total(upload, (100, 100), 100, TIMEOUT);
    assert_eq!(total.errors.get(&ErrorKind::ResponseTimeout).map(|error| error.count), Some(100), "{:?}", total.errors);
}

/// A request that the socket does not take at once is taken up where it was left.
#[test]
fn a_large_request_is_read_in_small_pieces() {
    const BODY_BYTES: usize = 4 << 20;
    let byte_at = |at: usize| (at % 251) as u8;
    let url = each_connection(move |mut out| {
        let mut input = BufReader::with_capacity(1_000, out.try_clone()?);
        while !matches!(input.by_ref().lines().next().transpose()?.as_deref(), Some("") | None) {}
        let mut body = vec![0; BODY_BYTES];
        input.read_exact(&mut body)?;
        let is_whole = body.iter().enumerate().all(|(at, &byte)| byte == byte_at(at));
        out.write_all(if is_whole { WELL } else { b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n" })?;
        wait_for_the_client(&mut out)
    });
    let body = (0..BODY_BYTES).map(byte_at).collect();
    let total = total(Request { method: "POST".to_owned(), body, ..Request::get(url) }, (1, 1), 0, LONG);
    assert_eq!(total.counts.succeeded, 1, "{:?}", total.errors);
}

/// The endless response ends only when all others were answered: it must leave them their turns. Its small chunks come
/// faster than they are read.
#[test]
fn an_endless_response_leaves_others_their_turns() {
    const OTHERS: u64 = 3_000;
    let (requests, answered) = (AtomicU64::new(0), AtomicU64::new(0));
    let url = each_connection(move |mut out| {
        let mut lines = BufReader::new(out.try_clone()?).lines();
        while let Some(line) = lines.next().transpose()? {
            if !line.is_empty() {
                continue;
            }
            if requests.fetch_add(1, Relaxed) == 0 {
                out.write_all(CHUNKED)?;
                let chunks = b"1\r\nx\r\n".repeat(100_000);
                while answered.load(Relaxed) < OTHERS {
                    out.write_all(&chunks)?;
                }
                out.write_all(b"0\r\n\r\n")?;
                return wait_for_the_client(&mut out);
            }
            answered.fetch_add(1, Relaxed);
            out.write_all(WELL)?;
        }
        Ok(())
    });
    let total = total(Request::get(url), (10, OTHERS + 1), 0, LONG);
    assert_eq!(total.counts.succeeded, OTHERS + 1, "{:?}", total.errors);
}
