//! The turns of sockets, made one by one.

use std::{io::Write, net::TcpListener, thread};

use plimsoll_engine::{Request, Script, Segment};
use plimsoll_record::{Load, ThinkTime};

use super::*;
use crate::{Options, Scenario, connection::Connection, worker_options};

/// An event loop whose only request goes to `url`.
fn event_loop(url: &url::Url) -> EventLoop {
    let load = Load::SharedIterations { vus: 1, iterations: 1, max_duration: None, think: ThinkTime::None };
    let scenario = Scenario::new(load, Script::of(Request::get(url.clone())));
    let options = worker_options(&Options::default(), &scenario, Nanos::ZERO);
    let worker = Worker::new(&scenario.load, Segment::WHOLE, &scenario.script, options);
    let route = Route::new(url, &Connection::default()).unwrap();
    EventLoop::new(worker, &route, Sources::new(&[], 1, 0), true).unwrap()
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
    let mut event_loop = event_loop(&endless());
    let mut events = Vec::with_capacity(EVENTS_MAX);
    event_loop.worker.tick(Nanos::ZERO);
    event_loop.act();
    while event_loop.unread.is_empty() {
        event_loop.wait(&mut events, INTERVAL).unwrap();
        events.drain(..).for_each(|event| event_loop.handle(event));
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
