//! The worker: follows a schedule, decides what each connection does next, reads responses, and records.
//!
//! It is told what happened and when, and answers with [`Action`]s. Each request goes *intended → sent → first byte →
//! done* and ends in exactly one outcome: succeeded, failed for one reason, dropped before it was sent, or abandoned
//! when the load was stopped.

mod action;
mod arrivals;
mod connections;
mod deadlines;
mod exchange;
mod iterations;
mod observers;
mod options;
mod outcomes;
mod recorder;
mod requests;
mod scripted;
mod slot;
mod think;
mod trace;
mod unanswered;
mod vus;

use std::{collections::VecDeque, fmt};

use plimsoll_record::{ErrorKind, Generator, Interval, Load, Nanos, ThinkTime};
use rand::rngs::Xoshiro256PlusPlus;

pub use self::{
    action::{Action, ConnectionId, Established, SlotId},
    options::{Reuse, WorkerOptions},
};
use self::{
    connections::Connections,
    deadlines::Deadlines,
    exchange::Key,
    requests::{Ended, Requests},
    slot::Slot,
};
use crate::{
    schedule::{Iterations, Schedule, Segment, Step},
    script::{Prepared, Script},
};

/// Bytes that are kept of a connection at most, beside its requests.
pub const HELD_BYTES_MAX: usize = crate::http2::Client::HELD_BYTES_MAX;

/// Steps of a schedule in one tick: where thousands begin at once, the first to connect must not wait for the last.
const STEPS_PER_TICK: usize = 32;

/// Connections that arrivals may begin to open in a tick. When the generator was kept from running, many arrivals are
/// due, but answers have come, too: read between ticks, they leave connections idle. Otherwise each such moment would
/// open a crowd of connections, and be the longer for it.
const OPENING_PER_TICK: usize = 4;

/// An arrival that a limit holds back.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    intended: Nanos,
    /// The first step of its iteration.
    step: u32,
}

/// One segment of a load, at work.
pub struct Worker {
    schedule: Schedule,
    is_closed_model: bool,
    think: ThinkTime,
    rng: Xoshiro256PlusPlus,
    slots_max: usize,
    drops_late: bool,
    requests: Requests,
    connections: Connections,
    /// Slots of an open model without a request, the one used last at the back.
    idle: VecDeque<SlotId>,
    /// Arrivals that the limit of requests in flight holds back.
    waiting: VecDeque<Waiting>,
    iterations_shared_left: u64,
    vus_running: u32,
    iterations_running: u32,
    /// Ends of pauses.
    thinking: Deadlines,
    /// Whether nothing is offered any more.
    is_finishing: bool,
    is_stopped: bool,
}

impl Worker {
    /// A worker for the `segment` of `load`, each iteration of it as `script` says.
    pub fn new(load: &Load, segment: Segment, script: &Script, options: WorkerOptions) -> Self {
        let schedule = Schedule::new(load, segment, options.seed);
        let prepared = Prepared::new(script, !options.keep_alive, segment, options.seed);
        Self {
            iterations_shared_left: if let Iterations::Shared(count) = schedule.iterations { count } else { 0 },
            schedule,
            is_closed_model: load.is_closed(),
            think: load.think_time().unwrap_or_default(),
            rng: segment.rng("choices", options.seed),
            slots_max: segment.share(u64::from(load.max_in_flight())).max(1) as usize,
            drops_late: load.drops_late(),
            requests: Requests::new(prepared, options),
            connections: Connections::new(script, &options),
            idle: VecDeque::new(),
            waiting: VecDeque::new(),
            vus_running: 0,
            iterations_running: 0,
            thinking: Deadlines::default(),
            is_finishing: false,
            is_stopped: false,
        }
    }

    /// Counts requests within these response times by the instant at which they were intended
    /// ([`Interval::arrivals`]).
    pub fn counting_within(mut self, limits: &[Nanos]) -> Self {
        self.requests.recorder.count_within(limits);
        self
    }

    /// Action to take next; to be asked after every other call until there is none.
    #[inline]
    pub fn next_action(&mut self) -> Option<Action> {
        self.requests.actions.pop_front()
    }

    /// Bytes to be sent over a connection; to be asked once for each [`Action::Send`].
    #[inline]
    pub fn request_bytes(&mut self, id: ConnectionId) -> &[u8] {
        self.connections.output(&mut self.requests, id)
    }

    /// Whether the rest of a request that could not be sent at once is kept here, as over HTTP/1.1. If not, all of
    /// [`Worker::request_bytes`] must be.
    #[inline]
    pub fn keeps_requests(&self) -> bool {
        self.connections.keep_requests()
    }

    /// The request of a connection from byte `from` on, where the worker keeps it.
    pub fn request_rest(&self, id: ConnectionId, from: usize) -> &[u8] {
        self.connections.rest(&self.requests, id, from)
    }

    /// Notes how many bytes of what was to be sent are unsent; to be called after each [`Action::Send`] and on each
    /// change. Returns whether something waits for room that there is now: [`Worker::go_on_sending`] sends it.
    #[inline]
    pub fn unsent(&mut self, id: ConnectionId, bytes: usize) -> bool {
        self.connections.unsent(&self.requests, id, bytes)
    }

    /// Sends what waited for room.
    pub fn go_on_sending(&mut self, id: ConnectionId, now: Nanos) {
        self.connections.serve(&mut self.requests, id, now);
    }

    /// Bytes that are kept of a connection, those that [`Worker::unsent`] told of among them, but for its requests:
    /// [`HELD_BYTES_MAX`] at most, whatever the target does.
    pub fn held_bytes(&self, id: ConnectionId) -> usize {
        self.connections.held_bytes(id)
    }

    /// When [`Worker::tick`] must be called at the latest; none if only the network can move things.
    pub fn next_wakeup(&mut self) -> Option<Nanos> {
        let waiting_given_up = self.given_up_at().filter(|_| !self.waiting.is_empty());
        [self.schedule.next_due(), self.thinking.next(), self.requests.deadlines.next(), waiting_given_up]
            .into_iter()
            .flatten()
            .min()
    }

    /// Does what is due: begins iterations and arrivals, ends pauses, expires time-outs.
    pub fn tick(&mut self, now: Nanos) {
        if self.is_stopped {
            return;
        }
        self.requests.opening = 0;
        let had_idle = !self.idle.is_empty();
        for _ in 0..STEPS_PER_TICK {
            let needs_answers = self.requests.opening >= OPENING_PER_TICK || (had_idle && self.idle.is_empty());
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
        while let Some((at, id)) = self.requests.deadlines.pop_due(now) {
            self.deadline_reached(id, at, now);
        }
        if self.given_up_at().is_some_and(|at| at <= now) {
            self.drop_waiting();
        }
    }

    /// Whether an arrival may find a connection that another request has left.
    fn may_reuse(&self) -> bool {
        !self.is_closed_model && self.connections.are_reused(&self.requests.options)
    }

    /// Ends the load softly: what is intended before `now` is offered and awaited, and nothing else. Iterations under
    /// way go on to their end. Requests that a limit holds back were offered: they are sent, or dropped one response
    /// time-out later. Another call changes nothing.
    pub fn finish(&mut self, now: Nanos) {
        if self.is_finishing {
            return;
        }
        self.is_finishing = true;
        self.schedule.close(now);
        self.end_pausing_vus();
    }

    /// Ends the load at once: what is in flight is abandoned, what waits is dropped. Nothing is to be told of
    /// connections after that.
    pub fn stop(&mut self) {
        self.is_stopped = true;
        let Requests { slots, recorder, .. } = &mut self.requests;
        for exchange in slots.iter_mut().filter_map(|slot| slot.exchange.take()) {
            let counts = recorder.counts(exchange.key);
            if exchange.sent.is_some() { counts.abandoned += 1 } else { counts.dropped += 1 }
        }
        self.drop_waiting();
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
        self.requests.recorder.take(now, stage, generator_cpu_ns, generator)
    }

    /// The first instant that a request was intended at and the last one that any ended at.
    pub fn span(&self) -> Option<(Nanos, Nanos)> {
        self.requests.recorder.span()
    }

    /// Key under which a request of `step` that is intended at `intended` is recorded.
    fn key(&self, intended: Nanos, step: u32) -> Key {
        Key { stage: self.schedule.stage_at(intended), request: step }
    }

    fn slot(&mut self, id: SlotId) -> &mut Slot {
        &mut self.requests.slots[id as usize]
    }

    fn new_slot(&mut self) -> SlotId {
        self.requests.slots.push(Slot::new());
        self.connections.add_slot();
        (self.requests.slots.len() - 1) as SlotId
    }
}

/// Events of connections.
///
/// # Panics
///
/// These panic where a driver tells of a connection what cannot be, such as bytes from one that was closed. No bytes
/// from a target make them panic.
impl Worker {
    /// The connection is open.
    pub fn connected(&mut self, id: ConnectionId, established: Established, now: Nanos) {
        self.connections.connected(&mut self.requests, id, established, now);
        self.go_on(id, now);
    }

    /// Bytes came.
    #[inline]
    pub fn received(&mut self, id: ConnectionId, bytes: &[u8], now: Nanos) {
        let ended = self.connections.received(&mut self.requests, id, bytes, now);
        self.go_on_after(ended, id, now);
    }

    /// The target will send no more after what is still to be received: the connection carries no other request, and
    /// those that wait for it go on with another one.
    pub fn half_closed(&mut self, id: ConnectionId, now: Nanos) {
        self.connections.half_closed(&mut self.requests, id);
        self.go_on(id, now);
    }

    /// Takes note that the bytes that are told next came though not all of [`Worker::request_bytes`] was sent.
    pub fn answers_early(&mut self, id: ConnectionId) {
        self.connections.answers_early(id);
    }

    /// The connection was closed by the target, in order.
    pub fn ended(&mut self, id: ConnectionId, now: Nanos) {
        self.connections.ended(&mut self.requests, id, false);
        self.go_on(id, now);
    }

    /// The connection was closed without the goodbye that its encryption asks for: by the target, or by somebody on the
    /// way who would cut a body short.
    pub fn truncated(&mut self, id: ConnectionId, now: Nanos) {
        self.connections.ended(&mut self.requests, id, true);
        self.go_on(id, now);
    }

    /// The connection failed, or could not be opened.
    pub fn failed(&mut self, id: ConnectionId, kind: ErrorKind, detail: &dyn fmt::Display, now: Nanos) {
        for slot in self.connections.lose(&mut self.requests, id) {
            self.fail(slot, kind, detail, now);
        }
        self.go_on(id, now);
    }

    fn go_on(&mut self, id: ConnectionId, now: Nanos) {
        self.go_on_after(None, id, now);
    }

    /// Goes on with the slots whose requests have ended, `first` and those that are kept, then has the connection serve
    /// those that wait for it.
    #[inline]
    fn go_on_after(&mut self, first: Option<Ended>, id: ConnectionId, now: Nanos) {
        let mut next = first.or_else(|| self.requests.ended.pop_front());
        while let Some((slot, outcome)) = next {
            match outcome {
                Ok(()) => self.answered(slot, now),
                Err(reason) => self.fail(slot, reason.kind(), &reason, now),
            }
            next = self.requests.ended.pop_front();
        }
        self.connections.serve(&mut self.requests, id, now);
    }
}
