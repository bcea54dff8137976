//! One worker's thread: epoll, edge-triggered, and the worker's actions carried out at once.
//!
//! A request costs one `recv`, one `send` and its share of an `epoll_pwait2`: the read that would only say EAGAIN is
//! left out, since a read that did not fill the buffer has emptied the socket, and an edge tells of what comes later.

mod clock;
mod failing;
mod link;
mod opening;
mod reading;
mod secure;
mod sending;
mod watching;

use std::{num::NonZeroU64, time::Instant};

use plimsoll_engine::{Action, SlotId, Worker};
use plimsoll_record::{Interval, Nanos};
use rustix::{
    buffer::spare_capacity,
    event::epoll::{self, EventData, EventFlags},
    fd::OwnedFd,
    io::Errno,
    thread::set_current_timer_slack,
    time::Timespec,
};

use self::{
    clock::Clock,
    failing::Failure,
    link::{Link, Step, join, split},
};
use crate::{
    DriveError,
    lingering::Lingering,
    meter::Meter,
    observer::Observer,
    resolver::Resolver,
    sources::Sources,
    stop::Stop,
    target::{End, Route},
};

const INTERVAL: Nanos = Nanos::from_secs(1);
/// The longest wait, so that `stop` is seen.
const WAIT_MAX: Nanos = Nanos::from_millis(100);
const EVENTS_MAX: usize = 512;
const BUFFER_BYTES: usize = 64 * 1024;
/// From one try to connect to a Unix socket with a full backlog to the next.
const AGAIN_PAUSE: Nanos = Nanos::from_millis(1);
/// Number that events of the resolver carry; no slot has it.
const RESOLVED: u64 = u64::MAX;
/// Events after which nothing more will come.
const ENDS: EventFlags = EventFlags::RDHUP.union(EventFlags::HUP).union(EventFlags::ERR);

/// A worker with its sockets.
pub(crate) struct EventLoop {
    worker: Worker,
    route: Route,
    /// Whether a connection carries more than one request.
    keep_alive: bool,
    clock: Clock,
    epoll: OwnedFd,
    links: Vec<Link>,
    buffer: Box<[u8]>,
    /// Buffers for what TLS has just decrypted, and for what it has encrypted.
    plain: Vec<u8>,
    sealed: Vec<u8>,
    sources: Sources,
    /// Whether connections came from several addresses though none was asked for.
    is_spread: bool,
    /// If names are resolved for each connection.
    resolver: Option<Resolver>,
    addresses_taken: usize,
    /// Connections that carry no more requests.
    lingering: Lingering,
    observer: Option<Observer>,
    /// Failures that came at once. They are told in the next turn: a worker that tries again at once would never end
    /// its turn.
    failures: Vec<Failure>,
    /// Connections to be tried again, and the earliest instant for it.
    again: Vec<(SlotId, u32)>,
    again_at: Nanos,
    /// Sockets that had more to read than one turn takes; there is no new edge for them.
    unread: Vec<(SlotId, u32)>,
}

/// Result of a worker's load, beside its intervals.
pub(crate) struct Ended {
    /// First intended and last ended instant of the requests.
    pub span: Option<(Nanos, Nanos)>,
    /// Error that ended it early.
    pub error: Option<DriveError>,
    /// Whether connections came from several addresses though none was asked for.
    pub is_spread: bool,
    /// From the start of the load until it began to work.
    pub late: Nanos,
}

impl EventLoop {
    /// An event loop for `worker`, whose connections take `route` and come from `sources`.
    pub fn new(worker: Worker, route: &Route, sources: Sources, keep_alive: bool) -> Result<Self, DriveError> {
        let system = |what| move |error: Errno| DriveError::System { what, source: error.into() };
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(system("create an epoll instance"))?;
        let mut route = route.clone();
        route.secure = route.secure.map(|secure| secure.with_own_tickets(route.is_resuming));
        let resolver = match &route.end {
            End::Name(host, port) => {
                let resolver = Resolver::start(host, *port).map_err(system("start the resolver"))?;
                epoll::add(&epoll, resolver.wake(), EventData::new_u64(RESOLVED), EventFlags::IN)
                    .map_err(system("listen to the resolver"))?;
                Some(resolver)
            }
            End::Address(_) | End::Unix(..) => None,
        };
        Ok(Self {
            worker,
            route,
            keep_alive,
            clock: Clock { origin: Instant::now() },
            epoll,
            links: Vec::new(),
            buffer: vec![0; BUFFER_BYTES].into_boxed_slice(),
            plain: Vec::new(),
            sealed: Vec::new(),
            sources,
            is_spread: false,
            resolver,
            addresses_taken: 0,
            lingering: Lingering::default(),
            observer: None,
            failures: Vec::new(),
            again: Vec::new(),
            again_at: Nanos::ZERO,
            unread: Vec::new(),
        })
    }

    /// Adds an observer of what connections carry.
    pub fn watched_by(self, observer: Option<Observer>) -> Self {
        Self { observer, ..self }
    }

    /// Runs until the load is over; `origin` is its start.
    pub fn run(mut self, origin: Instant, stop: &Stop, mut on_second: impl FnMut(u64, Vec<Interval>)) -> Ended {
        // Timers may be late by 1 ns instead of 50 µs. If that is refused, only the send lag is larger.
        let _ = set_current_timer_slack(NonZeroU64::new(1));
        self.clock = Clock { origin };
        self.clock.await_origin(stop);
        let late = self.clock.now();
        if stop.is_asked() {
            // Nothing begins, not even what is due at the very start.
            self.worker.finish(Nanos::ZERO);
        }
        let mut meter = Meter::start(self.route.source_count());
        let mut second = 0;
        let mut events = Vec::with_capacity(EVENTS_MAX);
        let error = loop {
            let now = self.clock.now();
            self.tell_failures(now);
            self.open_again(now);
            if stop.is_finishing() {
                self.worker.finish(now);
            }
            self.worker.tick(now);
            self.act();
            if stop.is_abandoned() {
                self.worker.stop();
            }
            if self.worker.is_finished() {
                break None;
            }
            if now.0 >= (second + 1) * INTERVAL.0 {
                on_second(second, meter.cut(&mut self.worker, now, self.is_spread));
                second = now.0 / INTERVAL.0;
                self.lingering.close_expired(now);
            }
            let until = Nanos((second + 1) * INTERVAL.0);
            if let Err(source) = self.wait(&mut events, until) {
                break Some(DriveError::System { what: "wait for events", source: source.into() });
            }
            let unread = std::mem::take(&mut self.unread);
            for event in events.drain(..) {
                self.handle(event);
            }
            for (id, generation) in unread {
                self.read_on(id, generation);
            }
        };
        on_second(second, meter.cut(&mut self.worker, self.clock.now(), self.is_spread));
        Ended { span: self.worker.span(), error, is_spread: self.is_spread, late }
    }

    /// Waits for events until the worker wants to be woken, `until` at the latest.
    fn wait(&mut self, events: &mut Vec<epoll::Event>, until: Nanos) -> Result<(), Errno> {
        let now = self.clock.now();
        let wake = self.worker.next_wakeup().map_or(until, |wakeup| wakeup.min(until));
        let is_idle = self.failures.is_empty() && self.unread.is_empty();
        let longest = if self.again.is_empty() { WAIT_MAX } else { AGAIN_PAUSE };
        let wait = if is_idle { (wake - now).min(longest) } else { Nanos::ZERO };
        let timeout = Timespec { tv_sec: 0, tv_nsec: wait.0 as _ };
        match epoll::wait(&self.epoll, spare_capacity(events), Some(&timeout)) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn handle(&mut self, event: epoll::Event) {
        let flags = event.flags;
        if event.data.u64() == RESOLVED {
            return self.take_addresses();
        }
        let (id, generation) = split(event.data);
        if !self.is_current(id, generation) {
            if flags.intersects(ENDS) {
                self.lingering.close(event.data.u64());
            }
            return;
        }
        let link = &mut self.links[id as usize];
        if link.opening.as_ref().is_some_and(|opening| matches!(opening.step, Step::Socket)) {
            if self.is_socket_connected(id, flags) {
                self.socket_connected(id);
            }
            self.act();
        } else if link.is_sending() && flags.contains(EventFlags::OUT) {
            self.send_rest(id);
        }
        if flags.intersects(EventFlags::IN | ENDS) {
            // Its turn is to come: an endless response must not get another one for each edge.
            match &mut self.links[id as usize].unread {
                Some(unread) => *unread |= flags,
                None => self.read(id, generation, flags),
            }
        }
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

    fn close(&mut self, id: SlotId) {
        self.say_goodbye(id);
        let link = &mut self.links[id as usize];
        let was_open = link.opening.take().is_none();
        link.forget_unsent();
        link.request_from = None;
        link.unread = None;
        if let Some(socket) = link.socket.take()
            && was_open
            && !self.keep_alive
            && !link.is_ended
        {
            self.lingering.add(join(id, link.generation).u64(), socket, self.clock.now());
        }
        self.failures.retain(|failure| failure.id != id);
    }
}

#[cfg(test)]
mod tests;
