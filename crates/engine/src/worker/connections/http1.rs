//! Connections of HTTP/1.1: each slot has one of its own, which carries one request at a time.

use plimsoll_record::Nanos;

use crate::{
    http1::{LastHead, Progress, ResponseParser},
    worker::{
        action::{Action, ConnectionId, Established, SlotId},
        requests::{Ended, Requests},
        unanswered::Unanswered,
    },
};

/// The connections of a worker, by slot.
#[derive(Default)]
pub(in crate::worker) struct Http1Connections {
    connections: Vec<Connection>,
    /// Head of the response that any of them read last.
    last_head: LastHead,
}

#[derive(Default)]
struct Connection {
    state: State,
    /// Requests that it has carried.
    carried: u32,
    /// Whether it is to be closed after this response.
    is_last: bool,
    /// Whether what comes next came before all of the request was sent.
    is_early: bool,
    parser: ResponseParser,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Closed,
    /// Being opened since this instant, for the slot's request.
    Connecting(Nanos),
    /// Open and without a request since this instant.
    Idle(Nanos),
    /// The slot's request is sent and not answered.
    Busy,
}

impl Http1Connections {
    pub fn add_slot(&mut self) {
        self.connections.push(Connection::default());
    }

    #[inline]
    pub fn dispatch(&mut self, requests: &mut Requests, id: SlotId, now: Nanos) {
        let connection = &mut self.connections[id as usize];
        connection.parser.reset();
        match connection.state {
            State::Idle(since) if now - since <= requests.options.idle_time => self.send(requests, id, now),
            State::Idle(_) => {
                self.close(requests, id);
                self.connect(requests, id, now);
            }
            State::Closed => self.connect(requests, id, now),
            State::Connecting(_) | State::Busy => unreachable!("a slot has one request at a time"),
        }
    }

    fn connect(&mut self, requests: &mut Requests, id: SlotId, now: Nanos) {
        let connection = &mut self.connections[id as usize];
        connection.state = State::Connecting(now);
        connection.carried = 0;
        connection.is_last = false;
        connection.is_early = false;
        // A redirect may need a new connection; the time for the response runs on.
        let sent = requests.slots[id as usize].exchange_in_flight().sent;
        let response_deadline = sent.map_or(Nanos::MAX, |sent| sent + requests.options.response_timeout);
        requests.set_deadline(id, response_deadline.min(now + requests.options.connect_timeout));
        requests.begin_connection(id);
    }

    #[inline]
    fn send(&mut self, requests: &mut Requests, id: SlotId, now: Nanos) {
        let connection = &mut self.connections[id as usize];
        connection.state = State::Busy;
        requests.sent(id, request_bytes(requests, id).len(), connection.carried > 0, now);
        connection.carried = connection.carried.saturating_add(1);
        requests.actions.push_back(Action::Send(id));
    }

    #[inline]
    pub fn status(&self, id: SlotId) -> u16 {
        self.connections[id as usize].parser.status()
    }

    #[inline]
    pub fn take_location(&mut self, id: SlotId) -> Option<Box<str>> {
        self.connections[id as usize].parser.take_location()
    }

    pub fn release(&mut self, requests: &mut Requests, id: SlotId) {
        self.close(requests, id);
    }

    pub fn timed_out(&mut self, requests: &mut Requests, id: SlotId, now: Nanos) {
        let options = &requests.options;
        let reason = match self.connections[id as usize].state {
            State::Connecting(since) if since + options.connect_timeout <= now => {
                Unanswered::Unconnected(options.connect_timeout)
            }
            _ => Unanswered::TimedOut(options.response_timeout),
        };
        self.end(requests, id, Err(reason));
    }

    pub fn connected(&mut self, requests: &mut Requests, id: ConnectionId, established: Established, now: Nanos) {
        let State::Connecting(since) = self.connections[id as usize].state else {
            unreachable!("only a connection that is being opened can become open");
        };
        let key = requests.slots[id as usize].exchange_in_flight().key;
        requests.recorder.connected(key, established);
        requests.recorder.at(key).connection_wait.record(now - since);
        self.send(requests, id, now);
    }

    /// The bytes from `from` on of the request that the connection carries.
    pub fn rest<'a>(&self, requests: &'a Requests, id: ConnectionId, from: usize) -> &'a [u8] {
        &request_bytes(requests, id)[from..]
    }

    /// Bytes that are kept of a response whose rest is still to come.
    pub fn held_bytes(&self, id: ConnectionId) -> usize {
        self.connections[id as usize].parser.held_bytes()
    }

    #[inline]
    pub fn output<'a>(&self, requests: &'a Requests, id: ConnectionId) -> &'a [u8] {
        request_bytes(requests, id)
    }

    #[inline]
    pub fn received(&mut self, requests: &mut Requests, id: ConnectionId, bytes: &[u8], now: Nanos) -> Option<Ended> {
        let connection = &mut self.connections[id as usize];
        match connection.state {
            State::Busy => {}
            // An unasked answer: the connection cannot be trusted with another request.
            State::Idle(_) => {
                self.close(requests, id);
                return None;
            }
            State::Connecting(_) | State::Closed => unreachable!("bytes come only over an open connection"),
        }
        let is_early = std::mem::take(&mut connection.is_early);
        let slot = &mut requests.slots[id as usize];
        let exchange = slot.exchange_in_flight();
        exchange.first_byte.get_or_insert(now);
        requests.recorder.counts(exchange.key).bytes_received += bytes.len() as u64;
        let is_head = requests.script.step(slot.step).is_head;
        match connection.parser.feed_observed(&mut slot.observers(), &mut self.last_head, bytes, is_head) {
            Ok(Progress::Incomplete) => None,
            Ok(Progress::Complete(used)) => {
                let may_carry_more = requests.options.keep_alive
                    && connection.carried < requests.options.max_requests
                    && !(connection.is_last || is_early);
                if used == bytes.len() && connection.parser.keep_alive() && may_carry_more {
                    connection.state = State::Idle(now);
                } else {
                    self.close(requests, id);
                }
                Some((id, Ok(())))
            }
            Err(error) => {
                self.close(requests, id);
                Some((id, Err(Unanswered::Http1(error))))
            }
        }
    }

    pub fn half_closed(&mut self, requests: &mut Requests, id: ConnectionId) {
        let connection = &mut self.connections[id as usize];
        connection.is_last = true;
        if let State::Idle(_) = connection.state {
            self.close(requests, id);
        }
    }

    pub fn answers_early(&mut self, id: ConnectionId) {
        self.connections[id as usize].is_early = true;
    }

    /// Takes in the connection's end. `is_cut`: it came without the goodbye that its encryption asks for.
    pub fn ended(&mut self, requests: &mut Requests, id: ConnectionId, is_cut: bool) {
        let connection = &self.connections[id as usize];
        match connection.state {
            State::Idle(_) => self.close(requests, id),
            State::Busy if connection.parser.ends_with_connection() => {
                let is_whole = if is_cut { Err(Unanswered::Truncated) } else { Ok(()) };
                self.end(requests, id, is_whole);
            }
            State::Busy => {
                let has_begun = requests.slots[id as usize].exchange_in_flight().first_byte.is_some();
                self.end(requests, id, Err(Unanswered::Closed { has_begun }));
            }
            State::Connecting(_) | State::Closed => unreachable!("only an open connection ends in order"),
        }
    }

    pub fn lose(&mut self, requests: &mut Requests, id: ConnectionId) -> Vec<SlotId> {
        let has_request = matches!(self.connections[id as usize].state, State::Connecting(_) | State::Busy);
        self.close(requests, id);
        if has_request { vec![id] } else { Vec::new() }
    }

    /// The slot's request ends, and its connection with it.
    fn end(&mut self, requests: &mut Requests, id: SlotId, outcome: Result<(), Unanswered>) {
        self.close(requests, id);
        requests.ended.push_back((id, outcome));
    }

    fn close(&mut self, requests: &mut Requests, id: SlotId) {
        let state = &mut self.connections[id as usize].state;
        if *state != State::Closed {
            *state = State::Closed;
            requests.actions.push_back(Action::Close(id));
        }
    }
}

/// The slot's request as bytes.
#[inline]
fn request_bytes(requests: &Requests, id: SlotId) -> &[u8] {
    let slot = &requests.slots[id as usize];
    match &slot.own {
        None => &requests.script.step(slot.step).bytes,
        Some(own) => &own.bytes,
    }
}
