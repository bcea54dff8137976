//! A whole load in virtual time: the worker against a simulated server. No sockets, no clock, no waiting.

mod arrivals;
mod finish;
mod gathered;
mod hostile;
mod invariants;
mod laws;
mod outcomes;
mod queue;
mod scripts;
mod segments;
mod streams;
mod traces;
mod values;

use std::collections::BTreeMap;

use plimsoll_record::{ErrorKind, Generator, Interval, Load, Nanos};

use crate::{
    Action, ConnectionId, Established, Request, Reuse, Script, Segment, Worker, WorkerOptions, worker::HELD_BYTES_MAX,
};

/// A simulated server: for a request that reaches it at an instant, the instants and kinds of its replies.
pub(crate) type Server<'a> = &'a mut dyn FnMut(Nanos, &str) -> Vec<(Nanos, Reply)>;

/// The same for bytes of a connection that are not text.
pub(crate) type RawServer<'a> = &'a mut dyn FnMut(Nanos, ConnectionId, &[u8]) -> Vec<(Nanos, Reply)>;

/// Reply of a server, as a connection sees it.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    Bytes(Vec<u8>),
    End,
    Reset,
}

/// A 200 with a body of two bytes.
pub(crate) fn ok() -> Reply {
    Reply::Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".to_vec())
}

/// How connects go.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Connects {
    After(Nanos),
    Refused,
    Never,
}

/// Result of a simulated load.
pub(crate) struct Simulated {
    pub total: Interval,
    pub intervals: Vec<Interval>,
    pub ended: Nanos,
    pub seen: Seen,
}

/// Counts of the other side of the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub connections: u64,
    pub requests: u64,
    pub bytes_in: u64,
    /// Bytes that were sent before the client closed.
    pub bytes_out: u64,
}

#[derive(Debug)]
pub(crate) struct Simulation {
    pub segment: Segment,
    pub options: WorkerOptions,
    pub connects: Connects,
    pub script: Script,
    pub stop_at: Option<Nanos>,
    /// When the load is ended softly.
    pub finish_at: Option<Nanos>,
    /// Limits within which requests are counted by the instant at which they were intended.
    pub limits: Vec<Nanos>,
    /// When the worker first gets to run.
    pub begins_at: Nanos,
    /// Length of an interval.
    pub interval: Nanos,
    /// Whether the network takes nothing of what is sent.
    pub is_stuck: bool,
}

impl Default for Simulation {
    fn default() -> Self {
        Self {
            segment: Segment::WHOLE,
            options: WorkerOptions {
                connect_timeout: Nanos::from_secs(1),
                response_timeout: Nanos::from_secs(30),
                max_redirects: 0,
                keep_alive: true,
                max_requests: u32::MAX,
                idle_time: Nanos::MAX,
                reuse: Reuse::Latest,
                http2_streams: None,
                trace: 0,
                is_staggered: false,
                seed: 7,
                epoch: Nanos::ZERO,
            },
            connects: Connects::After(Nanos::ZERO),
            script: Script::of(Request::get("http://sim/a".parse().unwrap())),
            stop_at: None,
            finish_at: None,
            limits: Vec::new(),
            begins_at: Nanos::ZERO,
            interval: Nanos::from_secs(1),
            is_stuck: false,
        }
    }
}

#[derive(Debug)]
enum Event {
    Connected(ConnectionId),
    Refused(ConnectionId),
    Reply(ConnectionId, Reply),
}

impl Simulation {
    /// Runs `load` to its end.
    pub fn run(&self, load: &Load, server: Server) -> Simulated {
        self.run_raw(load, &mut |now, _, bytes| server(now, str::from_utf8(bytes).unwrap()))
    }

    pub fn run_raw(&self, load: &Load, server: RawServer) -> Simulated {
        let mut worker = Worker::new(load, self.segment, &self.script, self.options).counting_within(&self.limits);
        let mut network = Network { connects: self.connects, is_stuck: self.is_stuck, ..Network::default() };
        let mut now = self.begins_at;
        let mut intervals = Vec::new();
        let mut next_cut = self.interval;
        loop {
            if self.finish_at.is_some_and(|at| at <= now) {
                worker.finish(now);
            }
            worker.tick(now);
            network.act(&mut worker, now, server);
            if self.stop_at.is_some_and(|at| at <= now) {
                worker.stop();
            }
            if worker.is_finished() {
                break;
            }
            let finish_at = self.finish_at.filter(|&at| at > now);
            let wakeups = [worker.next_wakeup(), network.next(), self.stop_at, finish_at, Some(next_cut)];
            let next = wakeups.into_iter().flatten().min().expect("there is always the next cut");
            assert!(next < Nanos::from_secs(100_000), "the load does not end: {} in the network", network.events.len());
            now = now.max(next);
            if now == next_cut {
                intervals.extend(worker.take_intervals(now, 0, &Generator::default()));
                next_cut = next_cut + self.interval;
            }
            network.deliver(&mut worker, now, server);
        }
        intervals.extend(worker.take_intervals(now, 0, &Generator::default()));
        let mut total = Interval::default();
        intervals.iter().for_each(|interval| total.merge(interval));
        let simulated = Simulated { total, intervals, ended: now, seen: network.seen };
        simulated.assert_that_nothing_is_left_out();
        simulated
    }
}

impl Simulated {
    /// Every request that was intended ends in exactly one outcome.
    fn assert_that_nothing_is_left_out(&self) {
        let counts = &self.total.counts;
        assert_eq!(counts.offered, counts.succeeded + counts.failed + counts.dropped + counts.abandoned, "{counts:?}");
        assert_eq!(self.total.ok.response.count(), counts.succeeded);
        assert_eq!(self.total.errors.values().map(|error| error.count).sum::<u64>(), counts.failed);
    }

    pub fn errors(&self, kind: ErrorKind) -> u64 {
        self.total.errors.get(&kind).map_or(0, |error| error.count)
    }
}

/// Traffic between worker and server.
struct Network {
    connects: Connects,
    /// By instant, then in the order in which they came about.
    events: BTreeMap<(Nanos, u64), (Event, u64)>,
    sequence: u64,
    /// Connections so far, by number: what belongs to one that was closed is lost.
    generations: Vec<u64>,
    is_stuck: bool,
    /// Bytes of each connection that it has not taken.
    unsent: Vec<usize>,
    seen: Seen,
}

impl Default for Network {
    fn default() -> Self {
        Self {
            connects: Connects::Never,
            events: BTreeMap::new(),
            sequence: 0,
            generations: Vec::new(),
            is_stuck: false,
            unsent: Vec::new(),
            seen: Seen::default(),
        }
    }
}

impl Network {
    fn next(&self) -> Option<Nanos> {
        self.events.keys().next().map(|&(at, _)| at)
    }

    fn push(&mut self, id: ConnectionId, at: Nanos, event: Event) {
        self.sequence += 1;
        self.events.insert((at, self.sequence), (event, self.generations[id as usize]));
    }

    fn act(&mut self, worker: &mut Worker, now: Nanos, server: RawServer) {
        while let Some(action) = worker.next_action() {
            match action {
                Action::Connect(id) => {
                    self.generations.resize(self.generations.len().max(id as usize + 1), 0);
                    self.unsent.resize(self.generations.len(), 0);
                    self.unsent[id as usize] = 0;
                    match self.connects {
                        Connects::After(delay) => self.push(id, now + delay, Event::Connected(id)),
                        Connects::Refused => self.push(id, now, Event::Refused(id)),
                        Connects::Never => {}
                    }
                }
                Action::Send(id) => {
                    let bytes = worker.request_bytes(id);
                    self.seen.requests += 1;
                    self.seen.bytes_in += bytes.len() as u64;
                    if self.is_stuck {
                        self.unsent[id as usize] += bytes.len();
                    }
                    for (at, reply) in server(now, id, bytes) {
                        self.push(id, at, Event::Reply(id, reply));
                    }
                    if worker.unsent(id, self.unsent[id as usize]) {
                        worker.go_on_sending(id, now);
                    }
                    self.assert_bounded(worker, id);
                }
                Action::Close(id) => self.generations[id as usize] += 1,
            }
        }
    }

    /// A connection keeps no more than is said, whatever the server does.
    fn assert_bounded(&self, worker: &Worker, id: ConnectionId) {
        let held = worker.held_bytes(id);
        assert!(held <= HELD_BYTES_MAX, "connection {id} keeps {held} bytes");
    }

    fn deliver(&mut self, worker: &mut Worker, now: Nanos, server: RawServer) {
        while self.next().is_some_and(|at| at <= now) {
            let (_, (event, generation)) = self.events.pop_first().expect("there is a next one");
            let (Event::Connected(id) | Event::Refused(id) | Event::Reply(id, _)) = event;
            if generation != self.generations[id as usize] {
                continue;
            }
            match event {
                Event::Connected(id) => {
                    self.seen.connections += 1;
                    let Connects::After(connect) = self.connects else { unreachable!("only then it connects") };
                    worker.connected(id, Established { connect, ..Established::default() }, now);
                }
                Event::Refused(id) => worker.failed(id, ErrorKind::Refused, &"refused", now),
                Event::Reply(id, Reply::Bytes(bytes)) => {
                    self.seen.bytes_out += bytes.len() as u64;
                    worker.received(id, &bytes, now);
                }
                Event::Reply(id, Reply::End) => {
                    // Told as by the driver: before what is left is read, and after it.
                    worker.half_closed(id, now);
                    self.act(worker, now, server);
                    if generation == self.generations[id as usize] {
                        worker.ended(id, now);
                    }
                }
                Event::Reply(id, Reply::Reset) => worker.failed(id, ErrorKind::Reset, &"reset", now),
            }
            self.act(worker, now, server);
            self.assert_bounded(worker, id);
        }
    }
}
