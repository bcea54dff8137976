//! The turns of sockets, made one by one.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    sync::{Arc, mpsc},
    thread,
};

use plimsoll_engine::{Request, Script, Segment};
use plimsoll_hostile::tls::{Authority, Speaks};
use plimsoll_record::{Load, ThinkTime};
use rustls::{ServerConfig, ServerConnection, StreamOwned, version::TLS13};

use super::*;
use crate::{
    Options, Scenario,
    connection::{Connection, Tls},
    worker_options,
};

/// An event loop of one virtual user, who makes so many requests.
fn event_loop(request: Request, iterations: u64, connection: &Connection) -> EventLoop {
    let load = Load::SharedIterations { vus: 1, iterations, max_duration: None, think: ThinkTime::None };
    let route = Route::new(&request.url, connection).unwrap();
    let scenario = Scenario::new(load, Script::of(request));
    let response_timeout = Nanos::from_secs(60);
    let options = worker_options(&Options { response_timeout, ..Options::default() }, &scenario, Nanos::ZERO);
    let worker = Worker::new(&scenario.load, Segment::WHOLE, &scenario.script, options);
    EventLoop::new(worker, &route, Sources::new(&[], 1, 0), true).unwrap()
}

/// Waits for events, and handles them; all of their flags.
fn turn(event_loop: &mut EventLoop) -> EventFlags {
    let mut events = Vec::with_capacity(EVENTS_MAX);
    event_loop.wait(&mut events, Nanos::MAX).unwrap();
    let flags = events.iter().map(|event| event.flags).collect();
    events.into_iter().for_each(|event| event_loop.handle(event));
    flags
}

/// Chunks of a byte: they come faster than they are read.
fn endless() -> url::Url {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
    thread::spawn(move || {
        let (mut out, _) = listener.accept().unwrap();
        out.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").unwrap();
        let chunks = b"1\r\nx\r\n".repeat(100_000);
        while out.write_all(&chunks).is_ok() {}
    });
    url
}

#[test]
fn a_socket_with_more_to_read_has_one_turn_however_many_events_come() {
    let mut event_loop = event_loop(Request::get(endless()), 1, &Connection::default());
    event_loop.worker.tick(Nanos::ZERO);
    event_loop.act();
    while event_loop.unread.is_empty() {
        turn(&mut event_loop);
    }
    let (id, generation) = event_loop.unread[0];
    for flags in [EventFlags::IN, EventFlags::IN | EventFlags::RDHUP, EventFlags::IN] {
        event_loop.handle(epoll::Event { flags, data: join(id, generation) });
    }
    assert_eq!(event_loop.unread, [(id, generation)]);
    let unread = event_loop.links[id as usize].unread;
    assert!(unread.is_some_and(|flags| flags.contains(EventFlags::RDHUP)), "no end is forgotten: {unread:?}");
    event_loop.unread.clear();
    event_loop.read_on(id, generation.wrapping_add(1));
    assert!(event_loop.links[id as usize].unread.is_some(), "another connection's turn is not its");
}

/// More than sockets take that nobody reads.
const LARGE_BYTES: usize = 32_000_000;

/// Serves one connection: it sends its tickets at the first word, and reads two large requests after the second.
fn serve_late(listener: &TcpListener, config: Arc<ServerConfig>, words: &mpsc::Receiver<()>) {
    let (mut stream, _) = listener.accept().unwrap();
    let mut tls = ServerConnection::new(config).unwrap();
    while tls.is_handshaking() {
        tls.complete_io(&mut stream).unwrap();
    }
    words.recv().unwrap();
    while tls.wants_write() {
        tls.write_tls(&mut stream).unwrap();
    }
    words.recv().unwrap();
    let mut input = BufReader::new(StreamOwned::new(tls, stream));
    for _ in 0..2 {
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            input.read_line(&mut line).unwrap();
        }
        input.read_exact(&mut vec![0; LARGE_BYTES]).unwrap();
        input.get_mut().write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap();
    }
}

#[test]
fn tickets_that_come_within_a_request_cost_no_connection() {
    let authority = Authority::new("one");
    let config = Speaks { versions: vec![&TLS13], ..Speaks::by(&authority.issue("127.0.0.1")) }.config();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/", listener.local_addr().unwrap()).parse().unwrap();
    let (say, words) = mpsc::channel();
    let server = thread::spawn(move || serve_late(&listener, config, &words));
    let request = Request { method: "POST".to_owned(), body: vec![b'x'; LARGE_BYTES], ..Request::get(url) };
    let tls = Tls { ca_cert: Some(authority.file()), ..Tls::default() };
    let mut event_loop = event_loop(request, 2, &Connection { tls, ..Connection::default() });
    event_loop.worker.tick(Nanos::ZERO);
    event_loop.act();
    while event_loop.links[0].opening.is_some() {
        turn(&mut event_loop);
    }
    say.send(()).unwrap();
    while !turn(&mut event_loop).contains(EventFlags::IN) {}
    assert!(event_loop.links[0].is_sending(), "nobody reads the request yet");
    say.send(()).unwrap();
    let (origin, mut total) = (event_loop.clock.origin, Interval::default());
    event_loop.run(origin, &Stop::new(), |_, intervals| intervals.iter().for_each(|interval| total.merge(interval)));
    assert_eq!((total.counts.succeeded, total.counts.connections_opened), (2, 1), "{:?}", total.errors);
    server.join().unwrap();
}
