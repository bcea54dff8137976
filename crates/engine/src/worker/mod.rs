//! The worker: follows a schedule, decides what each connection does next, reads responses, and records.
//!
//! It is told what happened and when, and answers with [`Action`]s. Each request goes *intended → sent → first byte →
//! done* and ends in exactly one outcome: succeeded, failed for one reason, dropped before it was sent, or abandoned
//! when the load was stopped.

mod flow;
mod shared;
mod trace;
mod user;

use std::{collections::VecDeque, fmt, num::NonZeroU32};

use plimsoll_record::{ErrorKind, Generator, Interval, Load, Nanos, ThinkTime};
use rand::rngs::Xoshiro256PlusPlus;

use crate::{
    deadlines::Deadlines,
    http1::{LastHead, Lookers, Progress},
    recorder::{Key, Recorder},
    schedule::{Iterations, Schedule, Segment, Step},
    script::{Prepared, Script},
    slot::{Connection, Slot, Vu},
    worker::shared::Shared,
};

/// Number of a slot, counted from 0: a place for one request in flight, and its connection.
pub type SlotId = u32;

/// Number of a connection, counted from 0: that of its slot, or where streams share connections, one of its own.
pub type ConnectionId = u32;

/// Where thousands begin at the same instant, those who have connected are not to wait until the last one has begun to.
const STEPS_PER_TICK: usize = 32;

/// Connections that arrivals may begin to open in a tick. Where many are due because the generator was kept from
/// running, answers have come meanwhile: they are read between ticks, and leave their connections idle. Otherwise each
/// such moment would make a crowd of connections, and be the longer for it.
const OPENING_PER_TICK: usize = 4;

/// What is to be done to a connection, in the order given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Begin to open one; then tell [`Worker::connected`] or [`Worker::failed`].
    Connect(ConnectionId),
    /// Write all of [`Worker::request_bytes`].
    Send(ConnectionId),
    /// Close it; nothing more is told of it.
    Close(ConnectionId),
}

/// How a connection came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Established {
    /// Name resolution, if it was made for this connection.
    pub dns: Option<Nanos>,
    /// From the first packet until the connection, to a proxy's answer if there is one.
    pub connect: Nanos,
    /// TLS handshake, if there is TLS.
    pub tls: Option<Nanos>,
    /// Whether the handshake resumed a session.
    pub is_resumed: bool,
    /// Whether the handshake agreed on HTTP/2 (ALPN `h2`).
    pub is_http2: bool,
}

/// An arrival that a limit holds back.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    intended: Nanos,
    /// The first step of its iteration.
    step: u32,
}

/// How requests are sent.
#[derive(Clone, Copy, Debug)]
pub struct WorkerOptions {
    /// For the TCP connection.
    pub connect_timeout: Nanos,
    /// From sent to done, redirects included.
    pub response_timeout: Nanos,
    /// How many redirects to follow; 0: a redirect is a response like any other.
    pub max_redirects: u32,
    /// Whether a connection carries more than one request; one of HTTP/2 always does.
    pub keep_alive: bool,
    /// Requests that a connection carries at most; `u32::MAX`: as many as the target allows.
    pub max_requests: u32,
    /// A connection that was unused for longer is closed rather than used; [`Nanos::MAX`]: never.
    pub idle_time: Nanos,
    /// HTTP/2, with at most that many streams at a time on a connection; none: HTTP/1.1.
    pub http2_streams: Option<NonZeroU32>,
    /// How many of the first requests are told one by one.
    pub trace: u32,
    /// Of arrivals, think times and values that are filled in.
    pub seed: u64,
    /// Unix time at the start of the load.
    pub epoch: Nanos,
}

/// One segment of a load, at work.
pub struct Worker {
    schedule: Schedule,
    is_closed_model: bool,
    think: ThinkTime,
    rng: Xoshiro256PlusPlus,
    slots_max: usize,
    drops_late: bool,
    script: Prepared,
    options: WorkerOptions,
    slots: Vec<Slot>,
    /// If slots share connections.
    shared: Option<Box<Shared>>,
    /// Slots of an open model without a request, the one used last on top: connections in use stay few and warm.
    idle: Vec<SlotId>,
    /// What the limit of requests in flight holds back.
    waiting: VecDeque<Waiting>,
    /// Of responses.
    last_head: LastHead,
    /// Connections that were begun in this tick.
    opening: usize,
    iterations_shared_left: u64,
    vus_running: u32,
    iterations_running: u32,
    deadlines: Deadlines,
    thinking: Deadlines,
    actions: VecDeque<Action>,
    recorder: Recorder,
    /// How many requests are still to be traced.
    trace_left: u32,
    is_stopped: bool,
}

impl Worker {
    /// The `segment` of `load`, each iteration of it as `script` says.
    pub fn new(load: &Load, segment: Segment, script: &Script, options: WorkerOptions) -> Self {
        let (think, drops_late) = match load {
            Load::ConstantVus { think, .. }
            | Load::RampingVus { think, .. }
            | Load::SharedIterations { think, .. }
            | Load::PerVuIterations { think, .. } => (*think, false),
            Load::ConstantArrivalRate { drop_late, .. } | Load::RampingArrivalRate { drop_late, .. } => {
                (ThinkTime::None, *drop_late)
            }
        };
        let schedule = Schedule::new(load, segment, options.seed);
        Self {
            iterations_shared_left: if let Iterations::Shared(count) = schedule.iterations { count } else { 0 },
            schedule,
            is_closed_model: load.is_closed(),
            think,
            rng: segment.rng("choices", options.seed),
            slots_max: segment.share(u64::from(load.max_in_flight())).max(1) as usize,
            drops_late,
            script: Prepared::new(script, !options.keep_alive, segment, options.seed),
            options,
            slots: Vec::new(),
            shared: options.http2_streams.map(|streams| Box::new(Shared::new(streams, script))),
            idle: Vec::new(),
            waiting: VecDeque::new(),
            last_head: LastHead::default(),
            opening: 0,
            vus_running: 0,
            iterations_running: 0,
            deadlines: Deadlines::default(),
            thinking: Deadlines::default(),
            actions: VecDeque::new(),
            recorder: Recorder::new(),
            trace_left: options.trace,
            is_stopped: false,
        }
    }

    /// What to do next; to be asked after every other call until there is nothing.
    #[inline]
    pub fn next_action(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }

    /// What is to be sent on a connection; to be asked once for each [`Action::Send`].
    #[inline]
    pub fn request_bytes(&mut self, slot: ConnectionId) -> &[u8] {
        if self.shared.is_some() {
            return self.take_output(slot);
        }
        let slot = &self.slots[slot as usize];
        match &slot.own {
            None => &self.script.step(slot.step).bytes,
            Some(own) => &own.bytes,
        }
    }

    /// When [`Worker::tick`] must be called at the latest; none if only the network can move things.
    pub fn next_wakeup(&mut self) -> Option<Nanos> {
        let waiting_given_up = self.given_up_at().filter(|_| !self.waiting.is_empty());
        [self.schedule.next_due(), self.thinking.next(), self.deadlines.next(), waiting_given_up]
            .into_iter()
            .flatten()
            .min()
    }

    /// Does what is due: begins iterations and arrivals, ends pauses, expires time-outs.
    pub fn tick(&mut self, now: Nanos) {
        if self.is_stopped {
            return;
        }
        self.opening = 0;
        let had_idle = !self.idle.is_empty();
        for _ in 0..STEPS_PER_TICK {
            let needs_answers = self.opening >= OPENING_PER_TICK || (had_idle && self.idle.is_empty());
            if needs_answers && self.may_reuse() {
                break;
            }
            let Some((at, step)) = self.schedule.take_due(now) else { break };
            match step {
                Step::StartVu { vu } => self.start_vu(vu, at, now),
                Step::StopVu { vu } => self.stop_vu(vu),
                Step::Arrival => self.arrive(at, now),
            }
        }
        while let Some((at, id)) = self.thinking.pop_due(now) {
            self.pause_over(id, at, now);
        }
        while let Some((at, id)) = self.deadlines.pop_due(now) {
            self.deadline_reached(id, at, now);
        }
        if self.given_up_at().is_some_and(|at| at <= now) {
            self.drop_waiting();
        }
    }

    /// Whether an arrival may find a connection that another request has left.
    fn may_reuse(&self) -> bool {
        !self.is_closed_model && (self.options.keep_alive || self.shared.is_some())
    }

    /// The connection is open.
    pub fn connected(&mut self, id: ConnectionId, established: Established, now: Nanos) {
        if self.shared.is_some() {
            return self.shared_connected(id, established, now);
        }
        let slot = &mut self.slots[id as usize];
        let (Connection::Connecting(since), Some(exchange)) = (slot.connection, &slot.exchange) else { return };
        slot.connection = Connection::Open;
        slot.carried = 0;
        slot.is_half_closed = false;
        let key = exchange.key;
        self.recorder.connected(key, established);
        self.recorder.at(key).connection_wait.record(now - since);
        self.send(id, now);
    }

    /// Bytes came.
    #[inline]
    pub fn received(&mut self, id: ConnectionId, bytes: &[u8], now: Nanos) {
        if self.shared.is_some() {
            return self.shared_received(id, bytes, now);
        }
        let slot = &mut self.slots[id as usize];
        let Some(exchange) = slot.exchange.as_mut() else {
            // Nobody asked for this: the connection cannot be trusted with another request.
            return self.close(id);
        };
        exchange.first_byte.get_or_insert(now);
        self.recorder.counts(exchange.key).bytes_received += bytes.len() as u64;
        let is_head = self.script.step(slot.step).is_head;
        let kept = slot.user.as_mut().map(|user| &mut user.kept);
        let mut lookers = Lookers { kept, trace: slot.trace.as_deref_mut() };
        match slot.parser.feed_shown_to(&mut lookers, &mut self.last_head, bytes, is_head) {
            Ok(Progress::Incomplete) => {}
            Ok(Progress::Complete(used)) => {
                let all_used = used == bytes.len();
                let may_carry_more = self.options.keep_alive && slot.carried < self.options.max_requests;
                let reusable = all_used && slot.parser.keep_alive() && may_carry_more && !slot.is_half_closed;
                self.respond(id, reusable, now);
            }
            Err(error) => self.fail(id, ErrorKind::Protocol, &error.0, now),
        }
    }

    /// The target will send no more after what is still to be received: the connection carries no other request.
    pub fn half_closed(&mut self, id: ConnectionId) {
        if self.shared.is_some() {
            return self.shared_half_closed(id);
        }
        let slot = &mut self.slots[id as usize];
        slot.is_half_closed = true;
        if slot.exchange.is_none() {
            self.close(id);
        }
    }

    /// There is something to be read though not all of [`Worker::request_bytes`] is sent. Of HTTP/1.1 that is an answer
    /// before the request's end, whose rest must not run into the next one.
    pub fn answers_early(&mut self, id: ConnectionId) {
        if self.shared.is_none() {
            self.half_closed(id);
        }
    }

    /// The connection was closed by the target, in order.
    pub fn ended(&mut self, id: ConnectionId, now: Nanos) {
        if self.shared.is_some() {
            return self.shared_ended(id, now);
        }
        let slot = &self.slots[id as usize];
        if slot.exchange.is_none() {
            self.close(id);
        } else if slot.parser.ends_with_connection() {
            self.respond(id, false, now);
        } else {
            let begun = slot.exchange.is_some_and(|exchange| exchange.first_byte.is_some());
            self.fail(id, ErrorKind::ClosedBeforeResponse, &words_of_end(begun), now);
        }
    }

    /// The connection failed, or could not be opened.
    pub fn failed(&mut self, id: ConnectionId, kind: ErrorKind, detail: &dyn fmt::Display, now: Nanos) {
        if self.shared.is_some() {
            return self.lose(id, kind, Some(detail), now);
        }
        if self.slots[id as usize].exchange.is_none() {
            self.close(id);
        } else {
            self.fail(id, kind, detail, now);
        }
    }

    /// Ends the load at once: what is in flight is abandoned, what waits is dropped.
    pub fn stop(&mut self) {
        self.is_stopped = true;
        for slot in &mut self.slots {
            let Some(exchange) = slot.exchange.take() else { continue };
            let counts = self.recorder.counts(exchange.key);
            if exchange.sent.is_some() { counts.abandoned += 1 } else { counts.dropped += 1 }
        }
        self.drop_waiting();
    }

    fn drop_waiting(&mut self) {
        for Waiting { intended, step } in std::mem::take(&mut self.waiting) {
            let key = self.key(intended, step);
            self.recorder.counts(key).dropped += 1;
        }
    }

    /// Whether every request has ended and none will begin.
    pub fn is_finished(&mut self) -> bool {
        let all_ended = self.vus_running == 0 && self.iterations_running == 0 && self.waiting.is_empty();
        self.is_stopped || (all_ended && self.schedule.next_due().is_none())
    }

    /// Ends the interval: what was measured since the last call, one per stage and request that something happened in,
    /// at least one. `generator_cpu_ns` is the CPU time of the worker since then, `generator` how it was.
    pub fn take_intervals(&mut self, now: Nanos, generator_cpu_ns: u64, generator: &Generator) -> Vec<Interval> {
        let stage = self.schedule.stage_at(now);
        self.recorder.take(now, stage, generator_cpu_ns, generator)
    }

    /// The first instant that a request was intended at and the last one that any ended at.
    pub fn span(&self) -> Option<(Nanos, Nanos)> {
        self.recorder.span()
    }

    /// When requests that still wait for a slot are given up: one response time-out after the last was intended.
    fn given_up_at(&self) -> Option<Nanos> {
        self.schedule.end.map(|end| end + self.options.response_timeout)
    }

    /// Under what a request of `step` that is intended at `intended` is recorded.
    fn key(&self, intended: Nanos, step: u32) -> Key {
        Key { stage: self.schedule.stage_at(intended), request: step }
    }

    fn new_slot(&mut self) -> SlotId {
        let connection = match &mut self.shared {
            None => Connection::Closed,
            Some(shared) => shared.new_slot(),
        };
        self.slots.push(Slot::new(connection));
        (self.slots.len() - 1) as SlotId
    }

    fn is_on(&self, id: SlotId) -> bool {
        matches!(self.slots[id as usize].vu, Vu::On { .. })
    }
}

/// How a connection was closed that still had a request; `begun` says whether its response had.
fn words_of_end(begun: bool) -> &'static str {
    if begun { "connection closed within a response" } else { "connection closed before the first byte of a response" }
}
