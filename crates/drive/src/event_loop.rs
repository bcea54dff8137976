//! One worker's thread: epoll, edge-triggered, and the worker's actions carried out at once.
//!
//! A request costs one `recv`, one `send` and its share of an `epoll_pwait2`: the read that would only say EAGAIN is
//! left out, since a read that did not fill the buffer has emptied the socket, and an edge tells of what comes later.

use std::{
    net::SocketAddr,
    num::NonZeroU64,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use plimsoll_engine::{Action, Established, SlotId, Worker};
use plimsoll_record::{Generator, Interval, Nanos};
use rustix::{
    buffer::spare_capacity,
    event::epoll::{self, EventData, EventFlags},
    fd::OwnedFd,
    io::Errno,
    net::{RecvFlags, SendFlags, recv, send, sockopt},
    thread::set_current_timer_slack,
    time::{ClockId, Timespec, clock_gettime},
};

use crate::{
    DriveError,
    socket::{begin_connect, kind_of},
};

const INTERVAL: Nanos = Nanos::from_secs(1);
/// The longest wait, so that `stop` is seen.
const WAIT_MAX: Nanos = Nanos::from_millis(100);
const EVENTS_MAX: usize = 512;
/// Reads of one socket in a turn: an endless response must not keep the others, nor the clock, waiting.
const READS_MAX: usize = 16;
const BUFFER_BYTES: usize = 64 * 1024;

/// A slot's connection.
#[derive(Default)]
struct Link {
    socket: Option<OwnedFd>,
    /// Raised with every connection, so that an event of the one before is known as stale.
    generation: u32,
    is_connected: bool,
    /// When the connect began.
    since: Nanos,
    /// The rest of a request that did not fit into the socket's buffer.
    unsent: Vec<u8>,
}

/// A worker with its sockets.
pub(crate) struct EventLoop {
    worker: Worker,
    address: SocketAddr,
    clock: Clock,
    epoll: OwnedFd,
    links: Vec<Link>,
    buffer: Box<[u8]>,
    /// Failures that came at once. They are told in the next turn: a worker that tries again at once would never let
    /// go.
    failures: Vec<(SlotId, &'static str, Errno)>,
    /// Sockets that had more to read than one turn takes; there is no new edge for them.
    unread: Vec<(SlotId, u32, EventFlags)>,
}

impl EventLoop {
    pub fn new(worker: Worker, address: SocketAddr) -> Result<Self, DriveError> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)
            .map_err(|error| DriveError::System { what: "create an epoll instance", source: error.into() })?;
        let buffer = vec![0; BUFFER_BYTES].into_boxed_slice();
        Ok(Self {
            worker,
            address,
            clock: Clock { origin: Instant::now() },
            epoll,
            links: Vec::new(),
            buffer,
            failures: Vec::new(),
            unread: Vec::new(),
        })
    }

    /// Runs until the load is over; `origin` is its start. The span of the requests, and the error that ended it early.
    pub fn run(
        mut self,
        origin: Instant,
        stop: &AtomicBool,
        mut on_second: impl FnMut(u64, Vec<Interval>),
    ) -> (Option<(Nanos, Nanos)>, Option<DriveError>) {
        // 1 ns instead of 50 µs by which timers may be late; without it the send lag is only larger.
        let _ = set_current_timer_slack(NonZeroU64::new(1));
        let clock = Clock { origin };
        self.clock = clock;
        clock.await_origin(stop);
        let mut meter = Meter::start();
        let mut second = 0;
        let mut events = Vec::with_capacity(EVENTS_MAX);
        let error = loop {
            let now = clock.now();
            self.tell_failures(now);
            self.worker.tick(now);
            self.act();
            if stop.load(Ordering::Relaxed) {
                self.worker.stop();
            }
            if self.worker.is_finished() {
                break None;
            }
            if now.0 >= (second + 1) * INTERVAL.0 {
                on_second(second, meter.cut(&mut self.worker, now));
                second = now.0 / INTERVAL.0;
            }
            let until = Nanos((second + 1) * INTERVAL.0);
            if let Err(source) = self.wait(&mut events, &clock, until) {
                break Some(DriveError::System { what: "wait for events", source: source.into() });
            }
            for (id, generation, flags) in std::mem::take(&mut self.unread) {
                self.read(id, generation, flags, &clock);
            }
            for event in events.drain(..) {
                self.handle(event, &clock);
            }
        };
        on_second(second, meter.cut(&mut self.worker, clock.now()));
        (self.worker.span(), error)
    }

    /// Waits for events until the worker wants to be woken, `until` at the latest.
    fn wait(&mut self, events: &mut Vec<epoll::Event>, clock: &Clock, until: Nanos) -> Result<(), Errno> {
        let now = clock.now();
        let wake = self.worker.next_wakeup().map_or(until, |wakeup| wakeup.min(until));
        let is_idle = self.failures.is_empty() && self.unread.is_empty();
        let wait = if is_idle { (wake - now).min(WAIT_MAX) } else { Nanos::ZERO };
        let timeout = Timespec { tv_sec: 0, tv_nsec: wait.0 as _ };
        match epoll::wait(&self.epoll, spare_capacity(events), Some(&timeout)) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn handle(&mut self, event: epoll::Event, clock: &Clock) {
        let (id, generation) = split(event.data);
        let flags = event.flags;
        let link = &mut self.links[id as usize];
        if link.generation != generation {
            return;
        }
        let Some(socket) = &link.socket else { return };
        if !link.is_connected {
            let error = sockopt::socket_error(socket).and_then(|result| result).err();
            match error {
                Some(error) => {
                    self.worker.failed(id, kind_of(error), &failure("connect", self.address, error), clock.now())
                }
                None if flags.contains(EventFlags::OUT) => {
                    link.is_connected = true;
                    let now = clock.now();
                    let established = Established { connect: now - link.since, ..Established::default() };
                    self.worker.connected(id, established, now);
                }
                None => return,
            }
            self.act();
        } else if !link.unsent.is_empty() && flags.contains(EventFlags::OUT) {
            self.send_rest(id);
        }
        let readable = EventFlags::IN | EventFlags::RDHUP | EventFlags::HUP | EventFlags::ERR;
        if flags.intersects(readable) {
            self.read(id, generation, flags, clock);
        }
    }

    /// Reads until the socket is empty, or until others must have their turn.
    fn read(&mut self, id: SlotId, generation: u32, flags: EventFlags, clock: &Clock) {
        let ends = flags.intersects(EventFlags::RDHUP | EventFlags::HUP | EventFlags::ERR);
        if ends {
            self.worker.half_closed(id);
            self.act();
        }
        for _ in 0..READS_MAX {
            let link = &self.links[id as usize];
            let Some(socket) = link.socket.as_ref().filter(|_| link.generation == generation) else { return };
            if !link.unsent.is_empty() {
                // Answered before the request was all sent: its rest must not run into the next one.
                self.worker.half_closed(id);
            }
            let read = recv(socket, &mut self.buffer[..], RecvFlags::empty());
            let now = clock.now();
            let is_emptied = match read {
                Ok((0, _)) => {
                    self.worker.ended(id, now);
                    true
                }
                Ok((length, _)) => {
                    self.worker.received(id, &self.buffer[..length], now);
                    length < self.buffer.len() && !ends
                }
                Err(Errno::AGAIN) => true,
                Err(Errno::INTR) => false,
                Err(error) => {
                    self.worker.failed(id, kind_of(error), &failure("receive from", self.address, error), now);
                    true
                }
            };
            self.act();
            if is_emptied {
                return;
            }
        }
        self.unread.push((id, generation, flags));
    }

    /// Carries out what the worker wants.
    #[inline]
    fn act(&mut self) {
        while let Some(action) = self.worker.next_action() {
            match action {
                Action::Send(id) => self.send(id),
                Action::Connect(id) => self.connect(id),
                Action::Close(id) => self.close(id),
            }
        }
    }

    fn connect(&mut self, id: SlotId) {
        if self.links.len() <= id as usize {
            self.links.resize_with(id as usize + 1, Link::default);
        }
        let link = &mut self.links[id as usize];
        link.generation = link.generation.wrapping_add(1);
        link.is_connected = false;
        link.since = self.clock.now();
        let interest = EventFlags::IN | EventFlags::OUT | EventFlags::RDHUP | EventFlags::ET;
        let begun = begin_connect(self.address).and_then(|socket| {
            epoll::add(&self.epoll, &socket, join(id, link.generation), interest)?;
            Ok(socket)
        });
        match begun {
            Ok(socket) => link.socket = Some(socket),
            Err(error) => self.failures.push((id, "connect", error)),
        }
    }

    fn send(&mut self, id: SlotId) {
        let link = &mut self.links[id as usize];
        let Some(socket) = &link.socket else { return };
        let bytes = self.worker.request_bytes(id);
        match send(socket, bytes, SendFlags::NOSIGNAL) {
            Ok(length) if length == bytes.len() => {}
            Ok(length) => link.unsent.extend_from_slice(&bytes[length..]),
            Err(Errno::AGAIN | Errno::INTR) => link.unsent.extend_from_slice(bytes),
            Err(error) => self.failures.push((id, "send to", error)),
        }
    }

    fn send_rest(&mut self, id: SlotId) {
        let link = &mut self.links[id as usize];
        let Some(socket) = &link.socket else { return };
        match send(socket, &link.unsent, SendFlags::NOSIGNAL) {
            Ok(length) => drop(link.unsent.drain(..length)),
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(error) => self.failures.push((id, "send to", error)),
        }
    }

    fn close(&mut self, id: SlotId) {
        let link = &mut self.links[id as usize];
        link.socket = None;
        link.unsent.clear();
        self.failures.retain(|&(failed, ..)| failed != id);
    }

    fn tell_failures(&mut self, now: Nanos) {
        for (id, what, error) in std::mem::take(&mut self.failures) {
            self.worker.failed(id, kind_of(error), &failure(what, self.address, error), now);
        }
    }
}

/// What the worker's thread has used.
struct Meter {
    cpu_ns: u64,
    at: Nanos,
}

impl Meter {
    fn start() -> Self {
        Self { cpu_ns: thread_cpu_ns(), at: Nanos::ZERO }
    }

    /// Ends the worker's interval.
    fn cut(&mut self, worker: &mut Worker, now: Nanos) -> Vec<Interval> {
        let cpu_ns = thread_cpu_ns();
        let used_ns = cpu_ns - std::mem::replace(&mut self.cpu_ns, cpu_ns);
        let length_ns = (now - std::mem::replace(&mut self.at, now)).0.max(1);
        let busiest_worker_percent = used_ns as f64 / length_ns as f64 * 100.0;
        worker.take_intervals(now, used_ns, &Generator { busiest_worker_percent, ..Generator::default() })
    }
}

/// Instants of the load.
#[derive(Clone, Copy)]
struct Clock {
    origin: Instant,
}

impl Clock {
    /// Waits for the start of the load.
    fn await_origin(self, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            let left = self.origin.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(Duration::from_nanos(WAIT_MAX.0)));
        }
    }

    #[inline]
    fn now(&self) -> Nanos {
        Nanos(self.origin.elapsed().as_nanos() as u64)
    }
}

fn thread_cpu_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn failure(what: &'static str, address: SocketAddr, error: Errno) -> impl std::fmt::Display {
    std::fmt::from_fn(move |f| write!(f, "{what} {address}: {}", std::io::Error::from(error)))
}

fn join(id: SlotId, generation: u32) -> EventData {
    EventData::new_u64(u64::from(generation) << 32 | u64::from(id))
}

fn split(data: EventData) -> (SlotId, u32) {
    let data = data.u64();
    (data as u32, (data >> 32) as u32)
}
