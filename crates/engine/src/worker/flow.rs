//! What follows what: the life of a virtual user, of an arrival, and of a request.

use std::fmt;

use plimsoll_record::{ErrorKind, Nanos};

use super::{Action, ConnectionId, SlotId, Waiting, Worker};
use crate::{
    schedule::Iterations,
    script::Failure,
    slot::{Connection, Exchange, OwnRequest, Pause, Trace, Vu},
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
        self.slots[vu as usize].vu = Vu::On { iterations_left, stopping: false };
        self.vus_running += 1;
        self.next_iteration(vu, at, now);
    }

    pub(super) fn stop_vu(&mut self, vu: u32) {
        let slot = &mut self.slots[vu as usize];
        let Vu::On { stopping, .. } = &mut slot.vu else { return };
        *stopping = true;
        if let Pause::BetweenIterations(_) = slot.pause {
            self.end_vu(vu);
        }
    }

    fn end_vu(&mut self, id: SlotId) {
        let slot = &mut self.slots[id as usize];
        slot.vu = Vu::Off;
        slot.pause = Pause::None;
        self.vus_running -= 1;
        self.close(id);
    }

    /// The next iteration of a virtual user, if there is one to make.
    fn next_iteration(&mut self, id: SlotId, intended: Nanos, now: Nanos) {
        let is_open = self.schedule.is_open_at(intended);
        let slot = &mut self.slots[id as usize];
        let Vu::On { iterations_left, stopping } = &mut slot.vu else { return };
        let left = match self.schedule.iterations {
            Iterations::Shared(_) => &mut self.iterations_shared_left,
            Iterations::PerVu(_) | Iterations::Unlimited => iterations_left,
        };
        if *stopping || *left == 0 || !is_open {
            return self.end_vu(id);
        }
        *left -= 1;
        let step = self.script.draw(&mut self.rng);
        self.recorder.offered(self.key(intended, step), intended);
        self.begin_iteration(id, intended, step, now);
    }

    /// The virtual user's iteration has ended: it pauses, goes on, or ends.
    fn continue_vu(&mut self, id: SlotId, now: Nanos) {
        let Some(pause) = think::draw(self.think, &mut self.rng) else { return self.next_iteration(id, now, now) };
        let until = now + pause;
        let is_open = self.schedule.is_open_at(until);
        let Vu::On { iterations_left, stopping } = self.slots[id as usize].vu else { return };
        let none_left = match self.schedule.iterations {
            Iterations::Shared(_) => self.iterations_shared_left == 0,
            Iterations::PerVu(_) | Iterations::Unlimited => iterations_left == 0,
        };
        if stopping || none_left || !is_open {
            return self.end_vu(id);
        }
        self.slots[id as usize].pause = Pause::BetweenIterations(until);
        self.thinking.push(until, id);
    }

    pub(super) fn pause_over(&mut self, id: SlotId, at: Nanos, now: Nanos) {
        let slot = &mut self.slots[id as usize];
        let pause = slot.pause;
        // An entry that is out of date belongs to a virtual user that was stopped and started again meanwhile.
        if pause == Pause::BetweenIterations(at) {
            slot.pause = Pause::None;
            self.next_iteration(id, at, now);
        } else if pause == Pause::BetweenSteps(at) {
            slot.pause = Pause::None;
            self.begin_step(id, at, now);
        }
    }
}

/// Arrivals of open models.
impl Worker {
    pub(super) fn arrive(&mut self, intended: Nanos, now: Nanos) {
        let step = self.script.draw(&mut self.rng);
        let key = self.key(intended, step);
        self.recorder.offered(key, intended);
        let slot = match self.idle.pop() {
            Some(id) => Some(id),
            None if self.slots.len() < self.slots_max => Some(self.new_slot()),
            None => None,
        };
        match slot {
            Some(id) => self.begin_iteration(id, intended, step, now),
            None if self.drops_late => self.recorder.counts(key).dropped += 1,
            None => self.waiting.push_back(Waiting { intended, step }),
        }
    }

    /// A slot has become free: the arrival that has waited longest gets it.
    fn serve_waiting(&mut self, id: SlotId, now: Nanos) {
        match self.waiting.pop_front() {
            Some(Waiting { intended, step }) => self.begin_iteration(id, intended, step, now),
            None => self.idle.push(id),
        }
    }
}

/// Iterations.
impl Worker {
    /// `step` is the first of its flow.
    fn begin_iteration(&mut self, id: SlotId, intended: Nanos, step: u32, now: Nanos) {
        self.iterations_running += 1;
        let slot = &mut self.slots[id as usize];
        slot.step = step;
        slot.iteration = intended;
        if self.script.needs_users {
            self.begin_users_iteration(id, now);
        }
        self.begin(id, intended, now);
    }

    /// The slot's request has ended. One that failed ends its iteration: what follows it was meant to build on it.
    fn request_ended(&mut self, id: SlotId, has_failed: bool, now: Nanos) {
        let slot = &mut self.slots[id as usize];
        slot.deadline = Nanos::MAX;
        slot.idle_since = now;
        slot.own = None;
        let step = self.script.step(slot.step);
        if !step.has_next || has_failed {
            return self.end_iteration(id, now);
        }
        slot.step += 1;
        match think::draw(step.pause, &mut self.rng) {
            None => self.begin_step(id, now, now),
            Some(pause) => {
                slot.pause = Pause::BetweenSteps(now + pause);
                self.thinking.push(now + pause, id);
            }
        }
    }

    /// Begins the step of its iteration that the slot is at.
    fn begin_step(&mut self, id: SlotId, intended: Nanos, now: Nanos) {
        let key = self.key(intended, self.slots[id as usize].step);
        self.recorder.offered(key, intended);
        self.begin(id, intended, now);
    }

    fn end_iteration(&mut self, id: SlotId, now: Nanos) {
        self.iterations_running -= 1;
        let slot = &self.slots[id as usize];
        let is_of_several = self.script.step(slot.step).is_of_several;
        self.recorder.iteration_ended(self.key(slot.iteration, slot.step), slot.iteration, now, is_of_several);
        if !self.is_closed_model {
            self.serve_waiting(id, now);
        } else if self.is_on(id) {
            self.continue_vu(id, now);
        }
    }
}

/// Requests.
impl Worker {
    fn begin(&mut self, id: SlotId, intended: Nanos, now: Nanos) {
        let key = self.key(intended, self.slots[id as usize].step);
        self.recorder.at(key).send_lag.record(now - intended);
        let slot = &mut self.slots[id as usize];
        slot.exchange = Some(Exchange { intended, key, sent: None, first_byte: None });
        if self.trace_left > 0 {
            self.begin_trace(id);
        }
        if self.script.needs_users && !self.make_request(id, now) {
            return;
        }
        let slot = &self.slots[id as usize];
        if slot.connection == Connection::Open && now - slot.idle_since > self.options.idle_time {
            self.close(id);
        }
        self.dispatch(id, now);
    }

    /// Sends the slot's request as soon as there is a connection for it.
    fn dispatch(&mut self, id: SlotId, now: Nanos) {
        match self.slots[id as usize].connection {
            Connection::Open => self.send(id, now),
            Connection::Closed | Connection::Connecting(_) => self.connect(id, now),
            Connection::Shared => self.await_stream(id, now),
        }
    }

    fn connect(&mut self, id: SlotId, now: Nanos) {
        let slot = &mut self.slots[id as usize];
        slot.connection = Connection::Connecting(now);
        // A redirect may need a new connection; the time for the response runs on.
        let sent = slot.exchange.and_then(|exchange| exchange.sent);
        let response_deadline = sent.map_or(Nanos::MAX, |sent| sent + self.options.response_timeout);
        self.set_deadline(id, response_deadline.min(now + self.options.connect_timeout));
        self.begin_connection(id);
    }

    pub(super) fn begin_connection(&mut self, id: ConnectionId) {
        self.opening += 1;
        self.actions.push_back(Action::Connect(id));
    }

    pub(super) fn send(&mut self, id: SlotId, now: Nanos) {
        let length = self.request_bytes(id).len() as u64;
        let slot = &mut self.slots[id as usize];
        let Some(exchange) = &mut slot.exchange else { return };
        let is_first = exchange.sent.is_none();
        let sent = *exchange.sent.get_or_insert(now);
        let counts = self.recorder.counts(exchange.key);
        counts.sent += u64::from(is_first);
        counts.connections_reused += u64::from(slot.carried > 0);
        counts.bytes_sent += length;
        slot.carried = slot.carried.saturating_add(1);
        slot.parser.reset();
        self.set_deadline(id, sent + self.options.response_timeout);
        self.actions.push_back(Action::Send(id));
    }

    /// A whole response is there.
    pub(super) fn respond(&mut self, id: SlotId, reusable: bool, now: Nanos) {
        if !reusable {
            self.close(id);
        }
        let parser = &mut self.slots[id as usize].parser;
        let (status, location) = (parser.status(), parser.take_location());
        self.answered(id, status, location, now);
    }

    /// The response to the slot's request has this status, and leads to `location` if it is a redirect.
    pub(super) fn answered(&mut self, id: SlotId, status: u16, location: Option<Box<str>>, now: Nanos) {
        if self.script.needs_users {
            self.keep_cookies(id, now);
        }
        if let Some(location) = location
            && self.options.max_redirects > 0
            && matches!(status, 301 | 302 | 303 | 307 | 308)
        {
            return self.redirect(id, status, &location, now);
        }
        let Some(exchange) = self.slots[id as usize].exchange.take() else { return };
        let failure = self.judge(id, status, &exchange, now);
        let instants = exchange.instants(now);
        let has_failed = failure.is_some() || instants.is_none();
        if self.slots[id as usize].trace.is_some() {
            let unsent = || instants.is_none().then_some(ErrorKind::Protocol);
            self.end_trace(id, &exchange, Some(status), failure.as_ref().map(Failure::kind).or_else(unsent), now);
        }
        match (failure, instants) {
            (None, Some(instants)) => self.recorder.succeeded(exchange.key, status, instants),
            (Some(failure), instants) => {
                self.recorder.failed(exchange.key, failure.kind(), &failure, Some(status), now, instants);
            }
            (None, None) => {
                let detail = "a response before the request was sent";
                self.recorder.failed(exchange.key, ErrorKind::Protocol, &detail, Some(status), now, None);
            }
        }
        self.request_ended(id, has_failed, now);
    }

    fn redirect(&mut self, id: SlotId, status: u16, location: &str, now: Nanos) {
        let slot = &mut self.slots[id as usize];
        let hops = slot.own.as_ref().map_or(0, |own| own.hops) + 1;
        let most = self.options.max_redirects;
        if hops > most {
            return self.fail(id, ErrorKind::TooManyRedirects, &format_args!("more redirects than {most}"), now);
        }
        let first = &self.script.step(slot.step).request;
        let from = slot.own.as_ref().map_or(first, |own| &own.request);
        match from.redirected(status, location) {
            Ok(mut request) => {
                if let Some(user) = &mut slot.user {
                    self.script.redirect(&mut request, user, self.options.epoch + now);
                }
                let bytes = request.encode(!self.options.keep_alive);
                slot.own = Some(Box::new(OwnRequest { request, bytes, hops }));
                // What counts is said by the last response.
                slot.trace.iter_mut().for_each(|trace| **trace = Trace::default());
                slot.parser.reset();
                self.dispatch(id, now);
            }
            Err(detail) => self.fail(id, ErrorKind::TooManyRedirects, &detail, now),
        }
    }

    /// The request of a slot has failed together with its connection, or its stream of a shared one.
    pub(super) fn fail(&mut self, id: SlotId, kind: ErrorKind, detail: &dyn fmt::Display, now: Nanos) {
        let status = match self.slots[id as usize].connection {
            Connection::Shared => self.status_on_stream(id),
            _ => self.slots[id as usize].parser.status(),
        };
        self.close(id);
        let slot = &mut self.slots[id as usize];
        let Some(exchange) = slot.exchange.take() else { return };
        let status = Some(status).filter(|&status| status != 0 && exchange.sent.is_some());
        if self.slots[id as usize].trace.is_some() {
            self.end_trace(id, &exchange, status, Some(kind), now);
        }
        self.recorder.failed(exchange.key, kind, detail, status, now, exchange.instants(now));
        self.request_ended(id, true, now);
    }

    pub(super) fn close(&mut self, id: SlotId) {
        let slot = &mut self.slots[id as usize];
        match slot.connection {
            Connection::Closed => {}
            Connection::Shared => self.leave_stream(id),
            Connection::Connecting(_) | Connection::Open => {
                slot.connection = Connection::Closed;
                self.actions.push_back(Action::Close(id));
            }
        }
    }

    pub(super) fn set_deadline(&mut self, id: SlotId, at: Nanos) {
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
        if let Some(problem) = slot.user.as_mut().and_then(|user| user.problem.take()) {
            return self.fail(id, ErrorKind::CaptureFailed, &problem, now);
        }
        match slot.connection {
            Connection::Connecting(_) => {
                let limit = self.options.connect_timeout;
                self.fail(id, ErrorKind::ConnectTimeout, &format_args!("no connection after {limit}"), now);
            }
            Connection::Shared => self.stream_deadline_reached(id, now),
            Connection::Closed | Connection::Open => self.fail_unanswered(id, now),
        }
    }

    pub(super) fn fail_unanswered(&mut self, id: SlotId, now: Nanos) {
        let limit = self.options.response_timeout;
        self.fail(id, ErrorKind::ResponseTimeout, &format_args!("no complete response after {limit}"), now);
    }
}
