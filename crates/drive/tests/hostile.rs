//! Targets whose harm is in what they do with requests: they read none of it, or little, or answer one without end.
//! (Their answers are in the table of `plimsoll-hostile`, which `behaviours.rs` goes through.)

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use plimsoll_drive::{Job, Options, Request, Stop, drive};
use plimsoll_hostile::memory_kb;
use plimsoll_record::{ErrorKind, Interval, Load, Nanos, ThinkTime};

/// Time enough for good answers on a busy machine.
const TIMEOUT: Nanos = Nanos::from_secs(2);
/// Memory that the process of these tests ever had, servers included; a sixth of it is used. (The backtrace of a test
/// that fails takes more.)
const PEAK_KB_MAX: u64 = 64 * 1024;
const WELL: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const CHUNKED: &[u8] = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

/// Returns when the client has closed the connection, or sent on it what it should not have.
fn wait_for_the_client(out: &mut TcpStream) -> std::io::Result<()> {
    out.read(&mut [0]).map(drop)
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
    assert!(memory_kb("self").unwrap() < PEAK_KB_MAX, "{} kB", memory_kb("self").unwrap());
    total
}

fn frame(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
    let [_, a, b, c] = (payload.len() as u32).to_be_bytes();
    [&[a, b, c, kind, flags, 0, 0, 0, stream], payload].concat()
}

const LONG: Nanos = Nanos::from_secs(60);

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
    let total = total(Request::get(url), (10, OTHERS + 1), 0, Nanos::from_secs(600));
    assert_eq!(total.counts.succeeded, OTHERS + 1, "{:?}", total.errors);
}
