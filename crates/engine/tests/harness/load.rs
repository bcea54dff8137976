//! A whole load against a server and a network that do what the data says: it ends, every request has one outcome, and
//! no state arises that the worker takes for impossible.

use std::num::NonZeroU32;

use plimsoll_engine::{
    Action, ConnectionId, Established, Request, Reuse, Script, Segment, Worker, WorkerOptions, worker::HELD_BYTES_MAX,
};
use plimsoll_record::{ErrorKind, Generator, Load, Nanos, ThinkTime};

const VUS: u32 = 5;
/// Requests and waits after the data's end: each virtual user has time for a few that time out.
const WAKEUPS_MAX: usize = 10_000;

/// Result of a load.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub succeeded: u64,
    pub failed: u64,
}

/// Puts a load over HTTP/2 to a server that `data` stands for.
///
/// # Panics
///
/// If an invariant is broken.
pub fn http2(data: &[u8]) -> Outcome {
    run(data, NonZeroU32::new(2))
}

/// The same over HTTP/1.1.
///
/// # Panics
///
/// If an invariant is broken.
pub fn http1(data: &[u8]) -> Outcome {
    run(data, None)
}

/// The first byte says how the load is; each other one begins something that happens.
fn run(data: &[u8], http2_streams: Option<NonZeroU32>) -> Outcome {
    let (&settings, mut events) = data.split_first().unwrap_or((&0, &[]));
    let mut load = FuzzedLoad::new(settings, http2_streams);
    while !events.is_empty() && !load.worker.is_finished() {
        load.happen(&mut events);
    }
    load.finish()
}

/// State of a connection in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    Closed,
    Connecting,
    Open,
}

struct FuzzedLoad {
    worker: Worker,
    now: Nanos,
    links: Vec<Link>,
    is_http2: bool,
}

impl FuzzedLoad {
    fn new(settings: u8, http2_streams: Option<NonZeroU32>) -> Self {
        let load = Load::ConstantVus { vus: VUS, duration: Nanos::from_secs(3), think: ThinkTime::None };
        let options = WorkerOptions {
            connect_timeout: Nanos::from_millis(500),
            response_timeout: Nanos::from_secs(1),
            max_redirects: u32::from(settings & 3),
            keep_alive: settings & 4 == 0,
            max_requests: if settings & 8 == 0 { u32::MAX } else { 3 },
            idle_time: if settings & 16 == 0 { Nanos::MAX } else { Nanos::from_millis(10) },
            reuse: Reuse::default(),
            http2_streams,
            trace: 5,
            is_staggered: false,
            seed: 7,
            epoch: Nanos::ZERO,
        };
        let get = Request::get("http://fuzz/".parse().expect("a URL"));
        let method = if settings & 32 == 0 { "GET" } else { "HEAD" };
        let body = if settings & 64 == 0 { Vec::new() } else { vec![b'x'; 100_000] };
        let script = Script::of(Request { method: method.to_owned(), body, ..get });
        let worker = Worker::new(&load, Segment::WHOLE, &script, options);
        let mut load = Self { worker, now: Nanos::ZERO, links: Vec::new(), is_http2: http2_streams.is_some() };
        load.worker.tick(load.now);
        load.act();
        load
    }

    /// Takes what happens next from `events`.
    fn happen(&mut self, events: &mut &[u8]) {
        let event = take(events);
        // So that a few connections have most of it.
        let id = ConnectionId::from(event >> 4) % VUS;
        match (event & 15, self.links.get(id as usize)) {
            (0, _) => self.now = self.now + Nanos::from_millis(u64::from(take(events)) * 10),
            (1, Some(Link::Connecting)) => self.connect(id),
            (2, Some(Link::Connecting | Link::Open)) => self.worker.failed(id, ErrorKind::Reset, &"failed", self.now),
            (3, Some(Link::Open)) => self.worker.ended(id, self.now),
            (4, Some(Link::Open)) => self.worker.half_closed(id, self.now),
            (5, Some(Link::Open)) => self.worker.answers_early(id),
            (6, Some(Link::Open)) => self.respond(id, take(events)),
            (7, Some(Link::Open)) => self.send_frame(id, events),
            (8.., Some(Link::Open)) => {
                let bytes = take_part(events);
                self.worker.received(id, bytes, self.now);
            }
            _ => {}
        }
        self.act();
        self.worker.tick(self.now);
        self.act();
    }

    fn connect(&mut self, id: ConnectionId) {
        self.links[id as usize] = Link::Open;
        self.worker.connected(id, Established::default(), self.now);
        self.act();
        if self.is_http2 && self.links[id as usize] == Link::Open {
            self.worker.received(id, &frame(4, 0, 0, &[]), self.now);
        }
    }

    /// Sends a whole response: with HTTP/2 on the stream of that number.
    fn respond(&mut self, id: ConnectionId, stream: u8) {
        let found: &[u8] = if self.is_http2 {
            // `:status: 200`, from the static table.
            &frame(1, 5, stream.into(), &[0x88])
        } else {
            b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        };
        self.worker.received(id, found, self.now);
    }

    /// Sends a frame of the kind, flags and stream that the data says, whose length is right.
    fn send_frame(&mut self, id: ConnectionId, events: &mut &[u8]) {
        let (kind, flags, stream) = (take(events), take(events), take(events));
        let payload = take_part(events);
        self.worker.received(id, &frame(kind, flags, stream.into(), payload), self.now);
    }

    /// Carries out what the worker wants.
    fn act(&mut self) {
        while let Some(action) = self.worker.next_action() {
            match action {
                Action::Connect(id) => {
                    self.links.resize(self.links.len().max(id as usize + 1), Link::Closed);
                    assert_eq!(self.links[id as usize], Link::Closed, "opened twice");
                    self.links[id as usize] = Link::Connecting;
                }
                Action::Send(id) => {
                    assert_eq!(self.links[id as usize], Link::Open, "sent where there is no connection");
                    assert!(!self.worker.request_bytes(id).is_empty(), "nothing to send");
                    if self.worker.unsent(id, 0) {
                        self.worker.go_on_sending(id, self.now);
                    }
                    let held = self.worker.held_bytes(id);
                    assert!(held <= HELD_BYTES_MAX, "{held} bytes are kept");
                }
                Action::Close(id) => {
                    assert_ne!(self.links[id as usize], Link::Closed, "closed twice");
                    self.links[id as usize] = Link::Closed;
                }
            }
        }
    }

    /// Lets time pass, in which nothing comes, until the load is over.
    fn finish(mut self) -> Outcome {
        for _ in 0..WAKEUPS_MAX {
            if self.worker.is_finished() {
                return self.outcome();
            }
            self.now = self.worker.next_wakeup().expect("a load that is not finished waits for something");
            self.worker.tick(self.now);
            self.act();
        }
        panic!("the load does not end");
    }

    fn outcome(mut self) -> Outcome {
        let intervals = self.worker.take_intervals(self.now, 0, &Generator::default());
        let sum =
            |of: fn(&plimsoll_record::Counts) -> u64| intervals.iter().map(|found| of(&found.counts)).sum::<u64>();
        let (succeeded, failed) = (sum(|counts| counts.succeeded), sum(|counts| counts.failed));
        assert_eq!(sum(|counts| counts.offered), succeeded + failed, "every request has one outcome");
        assert!(sum(|counts| counts.sent) >= succeeded, "only what was sent succeeds");
        let traced = intervals.iter().map(|interval| interval.traced.len() as u64).sum::<u64>();
        assert_eq!(traced, (succeeded + failed).min(5), "the first are told one by one");
        Outcome { succeeded, failed }
    }
}

/// The first byte, which is taken; 0 where there is none.
fn take(bytes: &mut &[u8]) -> u8 {
    bytes.split_off_first().copied().unwrap_or(0)
}

/// As many bytes as the first one says, as far as they are there.
fn take_part<'a>(bytes: &mut &'a [u8]) -> &'a [u8] {
    let length = usize::from(take(bytes)).min(bytes.len());
    let (part, rest) = bytes.split_at(length);
    *bytes = rest;
    part
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let [_, a, b, c] = (payload.len() as u32).to_be_bytes();
    [&[a, b, c, kind, flags], &stream.to_be_bytes()[..], payload].concat()
}
