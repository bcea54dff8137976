//! Requests in flight, by slot: what connections carry, and where it is recorded.

use std::collections::VecDeque;

use plimsoll_record::Nanos;

use super::{
    action::{Action, ConnectionId, SlotId},
    deadlines::Deadlines,
    options::WorkerOptions,
    recorder::Recorder,
    slot::Slot,
    unanswered::Unanswered,
};
use crate::script::Prepared;

/// A slot whose response is complete, or will never be for this reason.
pub(super) type Ended = (SlotId, Result<(), Unanswered>);

/// A worker's requests, apart from the load that asks for them and from the connections that carry them.
pub(super) struct Requests {
    pub options: WorkerOptions,
    pub script: Prepared,
    pub slots: Vec<Slot>,
    pub recorder: Recorder,
    pub actions: VecDeque<Action>,
    pub deadlines: Deadlines,
    /// Connections that were begun in this tick.
    pub opening: usize,
    /// Number of requests that are still to be traced.
    pub trace_left: u32,
    /// Slots whose requests have ended: the worker goes on with them once the connection that tells of them has read
    /// all that came.
    pub ended: VecDeque<Ended>,
}

impl Requests {
    pub fn new(script: Prepared, options: WorkerOptions) -> Self {
        Self {
            options,
            script,
            slots: Vec::new(),
            recorder: Recorder::new(),
            actions: VecDeque::new(),
            deadlines: Deadlines::default(),
            opening: 0,
            trace_left: options.trace,
            ended: VecDeque::new(),
        }
    }

    /// Has a connection opened.
    pub fn begin_connection(&mut self, id: ConnectionId) {
        self.opening += 1;
        self.actions.push_back(Action::Connect(id));
    }

    /// The slot's request goes out, `length` bytes long, on a connection that has carried others if it `is_reused`.
    #[inline]
    pub fn sent(&mut self, id: SlotId, length: usize, is_reused: bool, now: Nanos) {
        let exchange = self.slots[id as usize].exchange_in_flight();
        let is_first = exchange.sent.is_none();
        let sent = *exchange.sent.get_or_insert(now);
        let counts = self.recorder.counts(exchange.key);
        counts.sent += u64::from(is_first);
        counts.connections_reused += u64::from(is_reused);
        counts.bytes_sent += length as u64;
        self.set_deadline(id, sent + self.options.response_timeout);
    }

    #[inline]
    pub fn set_deadline(&mut self, id: SlotId, at: Nanos) {
        let slot = &mut self.slots[id as usize];
        slot.deadline = at;
        if at < slot.deadline_entry {
            slot.deadline_entry = at;
            self.deadlines.push(at, id);
        }
    }

    /// Whether the slot's deadline is reached, now that its entry of instant `at` is due; an entry may be out of date.
    pub fn is_deadline_reached(&mut self, id: SlotId, at: Nanos, now: Nanos) -> bool {
        let slot = &mut self.slots[id as usize];
        if slot.deadline_entry != at {
            return false;
        }
        slot.deadline_entry = Nanos::MAX;
        let deadline = slot.deadline;
        if deadline > now && deadline != Nanos::MAX {
            self.set_deadline(id, deadline);
        }
        deadline <= now
    }
}
