//! Connections of HTTP/2, each shared by several slots: a slot has a stream of it while its request is in flight.
//!
//! Slots keep to their connection: number s to s ÷ streams. What all streams have to send in one turn goes out with one
//! action.

use std::{collections::VecDeque, fmt, num::NonZeroU32, ops::Range};

use plimsoll_record::{ErrorKind, Nanos};

use super::{Action, ConnectionId, Established, SlotId, Worker, WorkerOptions, words_of_end};
use crate::{
    http2::{Client, EncodedRequest, ErrorCode, Event, Fields, StreamFailure},
    recorder::Key,
    script::{Kept, Script},
    slot::{Connection as SlotConnection, Trace},
};

/// Times that a request is made again that the target said it had not begun with.
const RETRIES_MAX: u8 = 3;
const NOT_CHOSEN: &str =
    "the target speaks TLS but did not choose HTTP/2 (ALPN h2): switch it on there, or use HTTP/1.1";

/// All shared connections of a worker.
pub(super) struct Shared {
    streams: u32,
    /// By step of the script.
    requests: Vec<EncodedRequest>,
    connections: Vec<Connection>,
    /// By slot.
    places: Vec<Place>,
    /// What is being sent.
    sending: Vec<u8>,
}

/// A slot's place on its connection.
#[derive(Default)]
struct Place {
    /// The stream of its request; 0 while it waits for one.
    stream: u32,
    /// Since when it has waited.
    since: Nanos,
    retries: u8,
    /// Of its response; 0 before its head has come.
    status: u16,
    location: Option<Box<str>>,
}

struct Connection {
    state: State,
    /// Slots that wait for a stream.
    waiting: VecDeque<SlotId>,
    /// Requests so far.
    carried: u32,
    /// Since when it has had no stream.
    idle_since: Nanos,
    is_half_closed: bool,
    is_send_due: bool,
    /// Bytes of the output that are counted as sent.
    counted: usize,
    /// Of the request sent last: what belongs to no request is counted there.
    key: Key,
    /// What a connection that is to be closed still has to send.
    last_words: Vec<u8>,
}

enum State {
    Closed,
    /// Since this instant.
    Connecting(Nanos),
    Open(Box<Client>),
    /// Open, and what came is being read.
    Reading,
}

impl Shared {
    pub fn new(streams: NonZeroU32, script: &Script) -> Self {
        Self {
            streams: streams.get(),
            requests: script.steps().map(|step| EncodedRequest::new(&step.request)).collect(),
            connections: Vec::new(),
            places: Vec::new(),
            sending: Vec::new(),
        }
    }

    /// Makes a place for the next slot.
    pub fn new_slot(&mut self) -> SlotConnection {
        if self.places.len().is_multiple_of(self.streams as usize) {
            self.connections.push(Connection::new());
        }
        self.places.push(Place::default());
        SlotConnection::Shared
    }

    fn connection_of(&self, id: SlotId) -> ConnectionId {
        id / self.streams
    }

    fn slots_of(&self, number: ConnectionId) -> Range<SlotId> {
        let first = number * self.streams;
        first..(first + self.streams).min(self.places.len() as u32)
    }
}

impl Connection {
    fn new() -> Self {
        Self {
            state: State::Closed,
            waiting: VecDeque::new(),
            carried: 0,
            idle_since: Nanos::ZERO,
            is_half_closed: false,
            is_send_due: false,
            counted: 0,
            key: Key::default(),
            last_words: Vec::new(),
        }
    }

    /// Whether it is open and carries nothing, and is not to be used again.
    fn is_used_up(&self, options: &WorkerOptions, now: Nanos) -> bool {
        let State::Open(client) = &self.state else { return false };
        let is_stale = now - self.idle_since > options.idle_time;
        client.open_streams() == 0
            && (client.is_ending() || self.is_half_closed || is_stale || self.carried >= requests_max(options))
    }
}

/// Requests that a connection carries.
fn requests_max(options: &WorkerOptions) -> u32 {
    if options.keep_alive { options.max_requests } else { 1 }
}

/// What a slot asks of its connection.
impl Worker {
    /// The slot's request is to be sent on the next stream that there is.
    pub(super) fn await_stream(&mut self, id: SlotId, now: Nanos) {
        let Some(shared) = &mut self.shared else { return };
        let number = shared.connection_of(id);
        let place = &mut shared.places[id as usize];
        let is_first = self.slots[id as usize].exchange.is_some_and(|exchange| exchange.sent.is_none());
        *place = Place { since: now, retries: if is_first { 0 } else { place.retries }, ..Place::default() };
        shared.connections[number as usize].waiting.push_back(id);
        self.set_waiting_deadline(id, now);
        self.serve(number, now);
    }

    /// The status of the slot's response; 0 before its head has come.
    pub(super) fn status_on_stream(&self, id: SlotId) -> u16 {
        self.shared.as_ref().map_or(0, |shared| shared.places[id as usize].status)
    }

    /// The slot gives up its stream, or waiting for one.
    pub(super) fn leave_stream(&mut self, id: SlotId) {
        let Some(shared) = &mut self.shared else { return };
        let number = shared.connection_of(id);
        let stream = std::mem::take(&mut shared.places[id as usize].stream);
        let connection = &mut shared.connections[number as usize];
        if stream == 0 {
            return connection.waiting.retain(|&waiting| waiting != id);
        }
        if let State::Open(client) = &mut connection.state {
            client.cancel(stream);
            self.flush(number);
        }
    }

    /// What the slot has waited for has not happened in time.
    pub(super) fn stream_deadline_reached(&mut self, id: SlotId, now: Nanos) {
        let Some(shared) = &self.shared else { return };
        let number = shared.connection_of(id);
        let was_sent = self.slots[id as usize].exchange.is_some_and(|exchange| exchange.sent.is_some());
        match shared.connections[number as usize].state {
            State::Connecting(since) if since + self.options.connect_timeout <= now => {
                let limit = self.options.connect_timeout;
                return self.lose(
                    number,
                    ErrorKind::ConnectTimeout,
                    Some(&format_args!("no connection after {limit}")),
                    now,
                );
            }
            _ if was_sent => self.fail_unanswered(id, now),
            _ => {
                let limit = self.options.response_timeout;
                let detail = format_args!("no stream was free for {limit}: the target allows too few at a time");
                self.fail(id, ErrorKind::ResponseTimeout, &detail, now);
            }
        }
        self.serve(number, now);
    }

    /// By when a slot that waits must have a stream.
    fn set_waiting_deadline(&mut self, id: SlotId, now: Nanos) {
        let Some(shared) = &self.shared else { return };
        let sent = self.slots[id as usize].exchange.and_then(|exchange| exchange.sent);
        let response_deadline = sent.unwrap_or(now) + self.options.response_timeout;
        let at = match shared.connections[shared.connection_of(id) as usize].state {
            State::Connecting(since) => response_deadline.min(since + self.options.connect_timeout),
            _ => response_deadline,
        };
        self.set_deadline(id, at);
    }
}

/// What happens to a connection.
impl Worker {
    pub(super) fn shared_connected(&mut self, number: ConnectionId, established: Established, now: Nanos) {
        let Some(shared) = &mut self.shared else { return };
        let connection = &mut shared.connections[number as usize];
        let State::Connecting(_) = connection.state else { return };
        if established.tls.is_some() && !established.is_http2 {
            return self.lose(number, ErrorKind::Tls, Some(&NOT_CHOSEN), now);
        }
        let first = connection.waiting.front().and_then(|&id| self.slots[id as usize].exchange);
        let key = first.map_or(connection.key, |exchange| exchange.key);
        *connection = Connection {
            state: State::Open(Box::default()),
            waiting: std::mem::take(&mut connection.waiting),
            idle_since: now,
            key,
            ..Connection::new()
        };
        self.recorder.connected(key, established);
        self.serve(number, now);
        self.set_waiting_deadlines(number, now);
    }

    pub(super) fn shared_received(&mut self, number: ConnectionId, bytes: &[u8], now: Nanos) {
        let Some(shared) = &mut self.shared else { return };
        let connection = &mut shared.connections[number as usize];
        let mut client = match std::mem::replace(&mut connection.state, State::Reading) {
            State::Open(client) => client,
            other => return connection.state = other,
        };
        let open_before = client.open_streams();
        let mut of_no_body = bytes.len();
        let result = client.receive(bytes, |id, event| {
            if let Event::Data(data) = event {
                of_no_body = of_no_body.saturating_sub(data.len());
            }
            self.take_event(id, event, now);
        });
        let Some(shared) = &mut self.shared else { return };
        let connection = &mut shared.connections[number as usize];
        if client.open_streams() < open_before {
            connection.idle_since = now;
        }
        connection.state = State::Open(client);
        self.recorder.counts(connection.key).bytes_received += of_no_body as u64;
        match result {
            Ok(()) => self.serve(number, now),
            Err(error) => self.lose(number, ErrorKind::Protocol, Some(&error), now),
        }
    }

    pub(super) fn shared_half_closed(&mut self, number: ConnectionId) {
        let Some(shared) = &mut self.shared else { return };
        let connection = &mut shared.connections[number as usize];
        connection.is_half_closed = true;
        if connection.is_used_up(&self.options, Nanos::ZERO) {
            self.close_shared(number);
        }
    }

    pub(super) fn shared_ended(&mut self, number: ConnectionId, now: Nanos) {
        let Some(shared) = &self.shared else { return };
        let reason = match &shared.connections[number as usize].state {
            State::Open(client) => client.going_away().filter(|&code| code != ErrorCode(0)),
            _ => None,
        };
        let words = reason.map(|code| format!("the target went away: {code}"));
        let detail = words.as_ref().map(|words| words as &dyn fmt::Display);
        self.lose(number, ErrorKind::ClosedBeforeResponse, detail, now);
    }

    /// The connection is lost, and with it all that it carried; what has not been sent yet goes on to the next one,
    /// unless this one was never open. Without `detail` it was closed.
    pub(super) fn lose(
        &mut self,
        number: ConnectionId,
        kind: ErrorKind,
        detail: Option<&dyn fmt::Display>,
        now: Nanos,
    ) {
        let Some(shared) = &mut self.shared else { return };
        let connection = &mut shared.connections[number as usize];
        let refused = match connection.state {
            State::Open(_) | State::Reading => VecDeque::new(),
            State::Connecting(_) | State::Closed => std::mem::take(&mut connection.waiting),
        };
        let carried = shared.slots_of(number).filter(|&id| shared.places[id as usize].stream != 0);
        let lost: Vec<SlotId> = carried.chain(refused).collect();
        self.close_shared(number);
        for id in lost {
            let begun = self.slots[id as usize].exchange.is_some_and(|exchange| exchange.first_byte.is_some());
            self.fail(id, kind, detail.unwrap_or(&words_of_end(begun)), now);
        }
        self.serve(number, now);
    }
}

/// The connection at work.
impl Worker {
    /// Gives streams to slots that wait, as far as there are any, or opens a connection for them.
    fn serve(&mut self, number: ConnectionId, now: Nanos) {
        let Some(shared) = &mut self.shared else { return };
        let connection = &mut shared.connections[number as usize];
        if connection.is_used_up(&self.options, now) {
            self.close_shared(number);
        }
        let Some(shared) = &mut self.shared else { return };
        let connection = &mut shared.connections[number as usize];
        match connection.state {
            State::Closed if !connection.waiting.is_empty() => {
                connection.state = State::Connecting(now);
                self.begin_connection(number);
                self.set_waiting_deadlines(number, now);
            }
            State::Open(_) if !connection.is_half_closed => {
                while self.open_stream(number, now) {}
                self.flush(number);
            }
            _ => {}
        }
    }

    /// Sends the request of the slot that has waited longest, if there is a stream for it.
    fn open_stream(&mut self, number: ConnectionId, now: Nanos) -> bool {
        let Some(shared) = &mut self.shared else { return false };
        let connection = &mut shared.connections[number as usize];
        let State::Open(client) = &mut connection.state else { return false };
        if !client.can_open() || connection.carried >= requests_max(&self.options) {
            return false;
        }
        let Some(id) = connection.waiting.pop_front() else { return false };
        let (slot, place) = (&mut self.slots[id as usize], &mut shared.places[id as usize]);
        let Some(exchange) = &mut slot.exchange else { return true };
        let (stream, bytes) = match &slot.own {
            None => client.open(&shared.requests[slot.step as usize], id),
            Some(own) => client.open(&EncodedRequest::new(&own.request), id),
        };
        place.stream = stream;
        connection.counted += bytes;
        connection.key = exchange.key;
        let is_first = exchange.sent.is_none();
        let sent = *exchange.sent.get_or_insert(now);
        let interval = self.recorder.at(exchange.key);
        interval.counts.sent += u64::from(is_first);
        interval.counts.connections_reused += u64::from(connection.carried > 0);
        interval.counts.bytes_sent += bytes as u64;
        if now > place.since {
            interval.connection_wait.record(now - place.since);
        }
        connection.carried = connection.carried.saturating_add(1);
        self.set_deadline(id, sent + self.options.response_timeout);
        true
    }

    /// Something came on the stream of a slot.
    fn take_event(&mut self, id: SlotId, event: Event<'_>, now: Nanos) {
        let Some(shared) = &mut self.shared else { return };
        let place = &mut shared.places[id as usize];
        let slot = &mut self.slots[id as usize];
        let Some(exchange) = &mut slot.exchange else { return };
        let kept = slot.user.as_mut().map(|user| &mut user.kept);
        match event {
            Event::Interim => drop(exchange.first_byte.get_or_insert(now)),
            Event::Head { status, fields } => {
                exchange.first_byte.get_or_insert(now);
                place.status = status;
                if let Some(kept) = kept {
                    keep_fields(fields, kept);
                }
                if let Some(trace) = &mut slot.trace {
                    trace_fields(fields, trace);
                }
                if (300..400).contains(&status) {
                    let location = fields.get("location").and_then(|value| value.to_bytes().ok());
                    place.location = location.and_then(|bytes| String::from_utf8(bytes).ok()).map(Into::into);
                }
            }
            Event::Data(data) => {
                if let Some(kept) = kept {
                    kept.data(data);
                }
                self.recorder.counts(exchange.key).bytes_received += data.len() as u64;
            }
            Event::Complete => {
                place.stream = 0;
                let (status, location) = (place.status, place.location.take());
                self.answered(id, status, location, now);
            }
            Event::Failed(failure) => {
                place.stream = 0;
                self.stream_failed(id, failure, now);
            }
        }
    }

    fn stream_failed(&mut self, id: SlotId, failure: StreamFailure, now: Nanos) {
        let Some(shared) = &mut self.shared else { return };
        let place = &mut shared.places[id as usize];
        match failure {
            StreamFailure::NotProcessed(_) if place.retries < RETRIES_MAX => {
                place.retries += 1;
                self.await_stream(id, now);
            }
            StreamFailure::NotProcessed(code) => {
                let detail = format_args!("the target refused to process it {RETRIES_MAX} times and once more: {code}");
                self.fail(id, ErrorKind::Reset, &detail, now);
            }
            StreamFailure::Reset(code) => self.fail(id, ErrorKind::Reset, &format_args!("stream reset: {code}"), now),
            StreamFailure::Malformed(what) => self.fail(id, ErrorKind::Protocol, &format_args!("HTTP/2: {what}"), now),
        }
    }

    fn set_waiting_deadlines(&mut self, number: ConnectionId, now: Nanos) {
        let Some(shared) = &self.shared else { return };
        for id in shared.connections[number as usize].waiting.clone() {
            self.set_waiting_deadline(id, now);
        }
    }

    /// Has the output sent, once in a turn.
    fn flush(&mut self, number: ConnectionId) {
        let Some(shared) = &mut self.shared else { return };
        let connection = &mut shared.connections[number as usize];
        let State::Open(client) = &connection.state else { return };
        if !client.output().is_empty() && !connection.is_send_due {
            connection.is_send_due = true;
            self.actions.push_back(Action::Send(number));
        }
    }

    /// The output, which counts as sent.
    pub(super) fn take_output(&mut self, number: ConnectionId) -> &[u8] {
        let Some(shared) = &mut self.shared else { return &[] };
        let connection = &mut shared.connections[number as usize];
        connection.is_send_due = false;
        shared.sending.clear();
        match &mut connection.state {
            State::Open(client) => client.swap_output(&mut shared.sending),
            _ => std::mem::swap(&mut shared.sending, &mut connection.last_words),
        }
        let uncounted = shared.sending.len() - std::mem::take(&mut connection.counted);
        self.recorder.counts(connection.key).bytes_sent += uncounted as u64;
        &shared.sending
    }

    fn close_shared(&mut self, number: ConnectionId) {
        self.flush(number);
        let Some(shared) = &mut self.shared else { return };
        let connection = &mut shared.connections[number as usize];
        match std::mem::replace(&mut connection.state, State::Closed) {
            State::Closed => return,
            State::Open(mut client) => client.swap_output(&mut connection.last_words),
            State::Connecting(_) | State::Reading => {}
        }
        for id in shared.slots_of(number) {
            shared.places[id as usize].stream = 0;
        }
        self.actions.push_back(Action::Close(number));
    }
}

fn trace_fields(fields: Fields<'_>, trace: &mut Trace) {
    for field in fields.flatten() {
        if let (Ok(name), Ok(value)) = (field.name.to_bytes(), field.value.to_bytes()) {
            trace.header(&name, &value);
        }
    }
}

/// Keeps what somebody will look at. Fields that cannot be read have been refused before.
fn keep_fields(fields: Fields<'_>, kept: &mut Kept) {
    for field in fields.flatten() {
        if let (Ok(name), Ok(value)) = (field.name.to_bytes(), field.value.to_bytes()) {
            kept.header(&String::from_utf8_lossy(&name), &value);
        }
    }
}
