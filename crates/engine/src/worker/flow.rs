//! What follows what: the life of a virtual user, of an arrival, and of a request.

use std::fmt;

use plimsoll_record::{ErrorKind, Nanos};

use super::{Action, SlotId, Worker};
use crate::{
    schedule::Iterations,
    slot::{Connection, Exchange, Redirected, Vu},
    think,
};

/// Virtual users of closed models.
impl Worker {
    pub(super) fn start_vu(&mut self, vu: u32, at: Nanos, now: Nanos) {
        while self.slots.len() <= vu as usize {
            self.new_slot();
        }
        if let Vu::On { stopping, .. } = &mut self.slots[vu as usize].vu {
            *stopping = false;
            return;
        }
        let iterations_left = match self.schedule.iterations {
            Iterations::PerVu(count) => count,
            Iterations::Shared(_) | Iterations::Unlimited => u64::MAX,
        };
        self.slots[vu as usize].vu = Vu::On { iterations_left, stopping: false, thinking_until: None };
        self.vus_running += 1;
        self.begin_iteration(vu, at, now);
    }

    pub(super) fn stop_vu(&mut self, vu: u32) {
        let Vu::On { stopping, thinking_until, .. } = &mut self.slots[vu as usize].vu else { return };
        *stopping = true;
        if thinking_until.is_some() {
            self.end_vu(vu);
        }
    }

    fn end_vu(&mut self, id: SlotId) {
        self.slots[id as usize].vu = Vu::Off;
        self.vus_running -= 1;
        self.close(id);
    }

    /// The next iteration of a virtual user, if there is one to make.
    fn begin_iteration(&mut self, id: SlotId, intended: Nanos, now: Nanos) {
        let is_open = self.schedule.is_open_at(intended);
        let Vu::On { iterations_left, stopping, thinking_until } = &mut self.slots[id as usize].vu else { return };
        *thinking_until = None;
        let left = match self.schedule.iterations {
            Iterations::Shared(_) => &mut self.iterations_shared_left,
            Iterations::PerVu(_) | Iterations::Unlimited => iterations_left,
        };
        if *stopping || *left == 0 || !is_open {
            return self.end_vu(id);
        }
        *left -= 1;
        let stage = self.schedule.stage_at(intended);
        self.recorder.offered(stage, intended);
        self.begin(id, intended, stage, now);
    }

    /// The virtual user's request has ended: it pauses, goes on, or ends.
    fn continue_vu(&mut self, id: SlotId, now: Nanos) {
        let Some(pause) = think::draw(self.think, &mut self.rng) else { return self.begin_iteration(id, now, now) };
        let until = now + pause;
        let is_open = self.schedule.is_open_at(until);
        let Vu::On { iterations_left, stopping, thinking_until } = &mut self.slots[id as usize].vu else { return };
        let none_left = match self.schedule.iterations {
            Iterations::Shared(_) => self.iterations_shared_left == 0,
            Iterations::PerVu(_) | Iterations::Unlimited => *iterations_left == 0,
        };
        if *stopping || none_left || !is_open {
            return self.end_vu(id);
        }
        *thinking_until = Some(until);
        self.thinking.push(until, id);
    }

    pub(super) fn pause_over(&mut self, id: SlotId, at: Nanos, now: Nanos) {
        let Vu::On { thinking_until, .. } = self.slots[id as usize].vu else { return };
        // An entry that is out of date belongs to a virtual user that was stopped and started again meanwhile.
        if thinking_until == Some(at) {
            self.begin_iteration(id, at, now);
        }
    }
}

/// Arrivals of open models.
impl Worker {
    pub(super) fn arrive(&mut self, intended: Nanos, now: Nanos) {
        let stage = self.schedule.stage_at(intended);
        self.recorder.offered(stage, intended);
        let slot = match self.idle.pop() {
            Some(id) => Some(id),
            None if self.slots.len() < self.slots_max => Some(self.new_slot()),
            None => None,
        };
        match slot {
            Some(id) => self.begin(id, intended, stage, now),
            None if self.drops_late => self.recorder.counts(stage).dropped += 1,
            None => self.waiting.push_back(intended),
        }
    }

    /// A slot has become free: the request that has waited longest gets it.
    fn serve_waiting(&mut self, id: SlotId, now: Nanos) {
        match self.waiting.pop_front() {
            Some(intended) => self.begin(id, intended, self.schedule.stage_at(intended), now),
            None => self.idle.push(id),
        }
    }
}

/// Requests.
impl Worker {
    fn begin(&mut self, id: SlotId, intended: Nanos, stage: u32, now: Nanos) {
        self.in_flight += 1;
        self.recorder.at(stage).send_lag.record(now - intended);
        let slot = &mut self.slots[id as usize];
        slot.exchange = Some(Exchange { intended, stage, sent: None, first_byte: None });
        match slot.connection {
            Connection::Open => self.send(id, now),
            Connection::Closed | Connection::Connecting(_) => self.connect(id, now),
        }
    }

    fn connect(&mut self, id: SlotId, now: Nanos) {
        let slot = &mut self.slots[id as usize];
        slot.connection = Connection::Connecting(now);
        // A redirect may need a new connection; the time for the response runs on.
        let sent = slot.exchange.and_then(|exchange| exchange.sent);
        let response_deadline = sent.map_or(Nanos::MAX, |sent| sent + self.options.response_timeout);
        self.set_deadline(id, response_deadline.min(now + self.options.connect_timeout));
        self.actions.push_back(Action::Connect(id));
    }

    pub(super) fn send(&mut self, id: SlotId, now: Nanos) {
        let length = self.request_bytes(id).len() as u64;
        let slot = &mut self.slots[id as usize];
        let Some(exchange) = &mut slot.exchange else { return };
        let is_first = exchange.sent.is_none();
        let sent = *exchange.sent.get_or_insert(now);
        let counts = self.recorder.counts(exchange.stage);
        counts.sent += u64::from(is_first);
        counts.connections_reused += u64::from(slot.carried);
        counts.bytes_sent += length;
        slot.carried = true;
        slot.parser.reset();
        self.set_deadline(id, sent + self.options.response_timeout);
        self.actions.push_back(Action::Send(id));
    }

    /// A whole response is there.
    pub(super) fn respond(&mut self, id: SlotId, reusable: bool, now: Nanos) {
        if !reusable {
            self.close(id);
        }
        let slot = &mut self.slots[id as usize];
        let status = slot.parser.status();
        let is_redirect = matches!(status, 301 | 302 | 303 | 307 | 308) && slot.parser.location().is_some();
        if is_redirect && self.options.max_redirects > 0 {
            return self.redirect(id, status, now);
        }
        let Some(exchange) = slot.exchange.take() else { return };
        match (status, exchange.instants(now)) {
            (..400, Some(instants)) => self.recorder.succeeded(exchange.stage, status, instants),
            (_, instants) => {
                let kind = if status < 500 { ErrorKind::Status4xx } else { ErrorKind::Status5xx };
                let detail = format_args!("status {status}");
                self.recorder.failed(exchange.stage, kind, &detail, Some(status), now, instants);
            }
        }
        self.free(id, now);
    }

    fn redirect(&mut self, id: SlotId, status: u16, now: Nanos) {
        let slot = &mut self.slots[id as usize];
        let hops = slot.redirected.as_ref().map_or(0, |before| before.hops) + 1;
        let most = self.options.max_redirects;
        if hops > most {
            return self.fail(id, ErrorKind::TooManyRedirects, &format_args!("more redirects than {most}"), now);
        }
        let from = slot.redirected.as_ref().map_or(&self.request, |before| &before.request);
        match from.redirected(status, slot.parser.location().unwrap_or_default()) {
            Ok(request) => {
                let bytes = request.encode(!self.options.keep_alive);
                slot.redirected = Some(Box::new(Redirected { request, bytes, hops }));
                slot.parser.reset();
                if slot.connection == Connection::Open { self.send(id, now) } else { self.connect(id, now) }
            }
            Err(detail) => self.fail(id, ErrorKind::TooManyRedirects, &detail, now),
        }
    }

    /// The request of a slot has failed together with its connection.
    pub(super) fn fail(&mut self, id: SlotId, kind: ErrorKind, detail: &dyn fmt::Display, now: Nanos) {
        self.close(id);
        let slot = &mut self.slots[id as usize];
        let Some(exchange) = slot.exchange.take() else { return };
        let status = Some(slot.parser.status()).filter(|&status| status != 0 && exchange.sent.is_some());
        self.recorder.failed(exchange.stage, kind, detail, status, now, exchange.instants(now));
        self.free(id, now);
    }

    /// The slot's request has ended.
    fn free(&mut self, id: SlotId, now: Nanos) {
        self.in_flight -= 1;
        let slot = &mut self.slots[id as usize];
        slot.deadline = Nanos::MAX;
        slot.redirected = None;
        if !self.is_closed_model {
            self.serve_waiting(id, now);
        } else if self.is_on(id) {
            self.continue_vu(id, now);
        }
    }

    pub(super) fn close(&mut self, id: SlotId) {
        let slot = &mut self.slots[id as usize];
        if slot.connection != Connection::Closed {
            slot.connection = Connection::Closed;
            self.actions.push_back(Action::Close(id));
        }
    }

    fn set_deadline(&mut self, id: SlotId, at: Nanos) {
        let slot = &mut self.slots[id as usize];
        slot.deadline = at;
        if at < slot.deadline_entry {
            slot.deadline_entry = at;
            self.deadlines.push(at, id);
        }
    }

    pub(super) fn deadline_reached(&mut self, id: SlotId, at: Nanos, now: Nanos) {
        let slot = &mut self.slots[id as usize];
        if slot.deadline_entry != at {
            return;
        }
        slot.deadline_entry = Nanos::MAX;
        if slot.deadline > now {
            let deadline = slot.deadline;
            if deadline != Nanos::MAX {
                self.set_deadline(id, deadline);
            }
            return;
        }
        if let Connection::Connecting(_) = slot.connection {
            let limit = self.options.connect_timeout;
            self.fail(id, ErrorKind::ConnectTimeout, &format_args!("no connection after {limit}"), now);
        } else {
            let limit = self.options.response_timeout;
            self.fail(id, ErrorKind::ResponseTimeout, &format_args!("no complete response after {limit}"), now);
        }
    }
}
