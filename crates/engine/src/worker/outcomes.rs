//! Requests from their intended instant to their one outcome, redirects included.

use std::fmt;

use plimsoll_record::{ErrorKind, Nanos};

use super::{
    Worker,
    action::SlotId,
    exchange::{Exchange, OwnRequest},
    trace::Trace,
};
use crate::{http1::RedirectError, script::Failure};

impl Worker {
    pub(super) fn begin(&mut self, id: SlotId, intended: Nanos, now: Nanos) {
        let key = self.key(intended, self.slot_step(id));
        self.requests.recorder.at(key).send_lag.record(now - intended);
        let is_traced = self.requests.trace_left > 0;
        let slot = self.slot(id);
        slot.exchange = Some(Exchange { intended, key, sent: None, first_byte: None });
        if is_traced {
            slot.trace = Some(Box::default());
            self.requests.trace_left -= 1;
        }
        if self.requests.script.needs_users && !self.requests.make_request(id, now) {
            return;
        }
        self.connections.dispatch(&mut self.requests, id, now);
    }

    /// The response to the slot's request is complete.
    pub(super) fn answered(&mut self, id: SlotId, now: Nanos) {
        let status = self.connections.status(id);
        if self.requests.script.needs_users {
            self.requests.keep_cookies(id, now);
        }
        if let Some(location) = self.connections.take_location(id)
            && self.requests.options.max_redirects > 0
            && matches!(status, 301 | 302 | 303 | 307 | 308)
        {
            return self.redirect(id, status, &location, now);
        }
        let slot = self.slot(id);
        let exchange = slot.exchange.take().expect("a response is that of a request in flight");
        let trace = slot.trace.take();
        let instants = exchange.instants(now).expect("a response comes only after its request was sent");
        let failure = self.requests.judge(id, status, &exchange, now);
        if let Some(trace) = trace {
            let told = trace.tell(&exchange, Some(status), failure.as_ref().map(Failure::kind), now);
            self.requests.recorder.at(exchange.key).traced.push(told);
        }
        let recorder = &mut self.requests.recorder;
        match &failure {
            None => recorder.succeeded(exchange.key, status, instants),
            Some(failure) => {
                recorder.failed(&exchange, failure.kind(), failure, Some(status), now);
            }
        }
        self.request_ended(id, failure.is_some(), now);
    }

    fn redirect(&mut self, id: SlotId, status: u16, location: &str, now: Nanos) {
        let options = self.requests.options;
        let slot = &mut self.requests.slots[id as usize];
        let hops = slot.own.as_ref().map_or(0, |own| own.hops) + 1;
        let most = options.max_redirects;
        if hops > most {
            let detail = format_args!("more redirects than {most}");
            return self.record_failure(id, ErrorKind::TooManyRedirects, &detail, Some(status), now);
        }
        let first = &self.requests.script.step(slot.step).request;
        let from = slot.own.as_ref().map_or(first, |own| &own.request);
        match from.redirected(status, location) {
            Ok(mut request) => {
                if let Some(user) = &mut slot.user {
                    self.requests.script.redirect(&mut request, user, options.epoch + now);
                }
                let bytes = request.encode(!options.keep_alive);
                slot.own = Some(Box::new(OwnRequest { request, bytes, hops }));
                // Only the last response counts.
                slot.exchange_in_flight().first_byte = None;
                slot.trace.iter_mut().for_each(|trace| **trace = Trace::default());
                self.connections.dispatch(&mut self.requests, id, now);
            }
            // The connection has answered: it carries the next request.
            Err(RedirectError::Invalid(words)) => {
                self.record_failure(id, ErrorKind::Protocol, &words, Some(status), now);
            }
            Err(RedirectError::Elsewhere(words)) => {
                self.record_failure(id, ErrorKind::RedirectElsewhere, &words, Some(status), now);
            }
        }
    }

    /// The request of a slot has failed together with its connection, or its stream of a shared one.
    pub(super) fn fail(&mut self, id: SlotId, kind: ErrorKind, detail: &dyn fmt::Display, now: Nanos) {
        let status = self.connections.status(id);
        self.connections.release(&mut self.requests, id);
        self.record_failure(id, kind, detail, Some(status).filter(|&status| status != 0), now);
    }

    /// The request of a slot has failed; `status` is that of what its connection read last, if it is known.
    fn record_failure(
        &mut self,
        id: SlotId,
        kind: ErrorKind,
        detail: &dyn fmt::Display,
        status: Option<u16>,
        now: Nanos,
    ) {
        let slot = self.slot(id);
        let exchange = slot.exchange.take().expect("only a request in flight can fail");
        let trace = slot.trace.take();
        let status = status.filter(|_| exchange.sent.is_some());
        if let Some(trace) = trace {
            let told = trace.tell(&exchange, status, Some(kind), now);
            self.requests.recorder.at(exchange.key).traced.push(told);
        }
        self.requests.recorder.failed(&exchange, kind, detail, status, now);
        self.request_ended(id, true, now);
    }

    pub(super) fn deadline_reached(&mut self, id: SlotId, at: Nanos, now: Nanos) {
        if !self.requests.is_deadline_reached(id, at, now) {
            return;
        }
        let connection = self.connections.connection_of(id);
        match self.slot(id).user.as_mut().and_then(|user| user.problem.take()) {
            // The connection was not asked for anything: it carries the next request.
            Some(problem) => self.record_failure(id, ErrorKind::CaptureFailed, &problem, None, now),
            None => self.connections.timed_out(&mut self.requests, id, now),
        }
        self.go_on(connection, now);
    }
}
