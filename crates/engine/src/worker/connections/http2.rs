//! Connections of HTTP/2, each shared by several slots: a slot has a stream of it while its request is in flight.
//!
//! Slots are in groups of as many as have streams of one connection. Where a connection is to carry no more requests,
//! but still has streams, the group goes on with another one: it has as many as slots, numbered next to each other.
//! Each that is no longer used has the stream of a slot, so that there is one left for a slot that waits. All that the
//! streams have to send in one turn goes out with one action.

mod reading;
mod time_outs;

use std::{collections::VecDeque, num::NonZeroU32};

use plimsoll_record::Nanos;

use self::reading::Reading;
use crate::{
    http2::{Client, EncodedRequest, ErrorCode, Event, OUTPUT_BYTES_HIGH},
    script::Script,
    worker::{
        action::{Action, ConnectionId, Established, SlotId},
        exchange::Key,
        options::WorkerOptions,
        requests::Requests,
        unanswered::Unanswered,
    },
};

/// Room of the buffer that goes from connection to connection; what one needed beyond it is given back.
const SENDING_BYTES_KEPT: usize = 2 * OUTPUT_BYTES_HIGH;

/// The connections of a worker.
pub(in crate::worker) struct Http2Connections {
    /// Slots to a group.
    streams: u32,
    /// Requests by step of the script.
    encoded: Vec<EncodedRequest>,
    /// As many of each group as it has slots, two at least.
    connections: Vec<Connection>,
    /// The one that is used, by group.
    current: Vec<ConnectionId>,
    /// Places by slot.
    places: Vec<Place>,
    /// Bytes that are being sent.
    sending: Vec<u8>,
}

/// A slot's place on its connection.
#[derive(Default)]
struct Place {
    connection: ConnectionId,
    /// The stream of its request; none while it waits for one.
    stream: Option<u32>,
    /// Instant since which it has waited.
    since: Nanos,
    retries: u8,
    /// Status of its response; 0 before its head has come.
    status: u16,
    location: Option<Box<str>>,
}

#[derive(Default)]
struct Connection {
    state: State,
    /// Slots that wait for a stream.
    waiting: VecDeque<SlotId>,
    /// Requests so far.
    carried: u32,
    /// Instant since which it has had no stream.
    idle_since: Nanos,
    /// When anything came over it last.
    heard: Nanos,
    /// When it was asked for a sign of life, if it has given none since.
    pinged: Option<Nanos>,
    is_half_closed: bool,
    is_send_due: bool,
    /// Bytes of the output that are counted as sent.
    counted: usize,
    /// Key of the request sent last: what belongs to no request is counted there.
    key: Key,
    /// Bytes that a connection still has to send before it is closed.
    last_words: Vec<u8>,
}

#[derive(Default)]
enum State {
    #[default]
    Closed,
    /// Being opened since this instant.
    Connecting(Nanos),
    Open(Box<Client>),
}

impl Connection {
    /// Whether it is open and carries no more requests than those that it has.
    fn is_full(&self, options: &WorkerOptions) -> bool {
        let State::Open(client) = &self.state else { return false };
        client.is_ending() || self.is_half_closed || self.carried >= requests_max(options)
    }

    /// Whether it is open and carries nothing, and is not to be used again.
    fn is_used_up(&self, options: &WorkerOptions, now: Nanos) -> bool {
        let State::Open(client) = &self.state else { return false };
        let is_stale = now - self.idle_since > options.idle_time;
        client.open_streams() == 0 && (is_stale || self.is_full(options))
    }
}

/// Requests that a connection carries.
fn requests_max(options: &WorkerOptions) -> u32 {
    if options.keep_alive { options.max_requests } else { 1 }
}

impl Http2Connections {
    pub fn new(streams: NonZeroU32, script: &Script) -> Self {
        Self {
            streams: streams.get(),
            encoded: script.steps().map(|step| EncodedRequest::new(&step.request)).collect(),
            connections: Vec::new(),
            current: Vec::new(),
            places: Vec::new(),
            sending: Vec::new(),
        }
    }

    pub fn connection_of(&self, id: SlotId) -> ConnectionId {
        self.places[id as usize].connection
    }

    /// Connections of a group: the last of its slots may need another one while its stream is ended.
    fn per_group(&self) -> u32 {
        self.streams.max(2)
    }

    fn group_of(&self, number: ConnectionId) -> u32 {
        number / self.per_group()
    }

    /// Slots that have a stream of a connection.
    fn carried_by(&self, number: ConnectionId) -> impl Iterator<Item = SlotId> {
        let first = self.group_of(number) * self.streams;
        let group = first..(first + self.streams).min(self.places.len() as u32);
        let is_carried = move |place: &Place| place.connection == number && place.stream.is_some();
        group.filter(move |&id| is_carried(&self.places[id as usize]))
    }
}

/// Calls about a slot.
impl Http2Connections {
    pub fn add_slot(&mut self) {
        if self.places.len().is_multiple_of(self.streams as usize) {
            self.current.push(self.connections.len() as ConnectionId);
            self.connections.extend((0..self.per_group()).map(|_| Connection::default()));
        }
        let connection = self.current[self.places.len() / self.streams as usize];
        self.places.push(Place { connection, ..Place::default() });
    }

    pub fn dispatch(&mut self, requests: &mut Requests, id: SlotId, now: Nanos) {
        let number = self.current[(id / self.streams) as usize];
        self.places[id as usize] = Place { connection: number, since: now, ..Place::default() };
        self.connections[number as usize].waiting.push_back(id);
        self.set_waiting_deadline(requests, id, now);
        self.serve(requests, number, now);
    }

    pub fn status(&self, id: SlotId) -> u16 {
        self.places[id as usize].status
    }

    pub fn take_location(&mut self, id: SlotId) -> Option<Box<str>> {
        self.places[id as usize].location.take()
    }

    pub fn release(&mut self, requests: &mut Requests, id: SlotId) {
        let number = self.connection_of(id);
        let connection = &mut self.connections[number as usize];
        let Some(stream) = self.places[id as usize].stream.take() else {
            return connection.waiting.retain(|&waiting| waiting != id);
        };
        let State::Open(client) = &mut connection.state else { unreachable!("streams are those of open connections") };
        client.cancel(stream);
        connection.flush(requests, number);
    }
}

/// Events of a connection.
impl Http2Connections {
    pub fn connected(&mut self, requests: &mut Requests, number: ConnectionId, established: Established, now: Nanos) {
        let connection = &mut self.connections[number as usize];
        let State::Connecting(_) = connection.state else {
            unreachable!("only a connection that is being opened can become open");
        };
        if established.tls.is_some() && !established.is_http2 {
            return self.end_all(requests, number, Unanswered::Http2NotChosen);
        }
        // The slots that it was opened for may have given up meanwhile.
        let first = connection.waiting.front().map(|&id| requests.slots[id as usize].exchange_in_flight().key);
        let key = first.unwrap_or(connection.key);
        let waiting = std::mem::take(&mut connection.waiting);
        let state = State::Open(Box::default());
        *connection = Connection { state, waiting, idle_since: now, heard: now, key, ..Connection::default() };
        requests.recorder.connected(key, established);
        self.serve(requests, number, now);
        self.set_waiting_deadlines(requests, number, now);
    }

    pub fn received(&mut self, requests: &mut Requests, number: ConnectionId, bytes: &[u8], now: Nanos) {
        let Connection { state, waiting, idle_since, heard, pinged, key, .. } = &mut self.connections[number as usize];
        (*heard, *pinged) = (now, None);
        let State::Open(client) = state else { unreachable!("bytes come only over an open connection") };
        let open_before = client.open_streams();
        let mut outside_bodies = bytes.len();
        let mut reading = Reading { places: &mut self.places, waiting, requests, now };
        let result = client.receive(bytes, |id, event| {
            if let Event::Data(data) = event {
                outside_bodies = outside_bodies.saturating_sub(data.len());
            }
            reading.take(id, event);
        });
        if client.open_streams() < open_before {
            *idle_since = now;
        }
        requests.recorder.counts(*key).bytes_received += outside_bodies as u64;
        if let Err(error) = result {
            self.end_all(requests, number, Unanswered::Http2(error));
        }
    }

    pub fn half_closed(&mut self, requests: &mut Requests, number: ConnectionId) {
        let connection = &mut self.connections[number as usize];
        connection.is_half_closed = true;
        if connection.is_used_up(&requests.options, Nanos::ZERO) {
            self.close(requests, number);
        }
    }

    pub fn ended(&mut self, requests: &mut Requests, number: ConnectionId) {
        let State::Open(client) = &self.connections[number as usize].state else {
            unreachable!("only an open connection ends in order");
        };
        let reason = client.going_away().filter(|&code| code != ErrorCode(0)).map(Unanswered::WentAway);
        for id in self.lose(requests, number) {
            let has_begun = requests.slots[id as usize].exchange_in_flight().first_byte.is_some();
            requests.ended.push_back((id, Err(reason.unwrap_or(Unanswered::Closed { has_begun }))));
        }
    }

    /// Loses a connection, and with it the requests that it carried. Requests that are not sent yet go on to the next
    /// one, unless this one was never open.
    pub fn lose(&mut self, requests: &mut Requests, number: ConnectionId) -> Vec<SlotId> {
        let connection = &mut self.connections[number as usize];
        let refused = match connection.state {
            State::Open(_) => VecDeque::new(),
            State::Connecting(_) | State::Closed => std::mem::take(&mut connection.waiting),
        };
        let lost = self.carried_by(number).chain(refused).collect();
        self.close(requests, number);
        lost
    }

    fn end_all(&mut self, requests: &mut Requests, number: ConnectionId, reason: Unanswered) {
        for id in self.lose(requests, number) {
            requests.ended.push_back((id, Err(reason)));
        }
    }
}

/// The connection at work.
impl Http2Connections {
    /// Gives streams to slots that wait, as far as there are any, or opens a connection for them.
    pub fn serve(&mut self, requests: &mut Requests, number: ConnectionId, now: Nanos) {
        if self.connections[number as usize].is_used_up(&requests.options, now) {
            self.close(requests, number);
        }
        let current = self.current[self.group_of(number) as usize];
        if current != number && !self.connections[number as usize].waiting.is_empty() {
            // Streams that it did not process.
            self.hand_over(number, current);
            self.serve(requests, current, now);
        }
        let connection = &mut self.connections[number as usize];
        match connection.state {
            State::Closed if !connection.waiting.is_empty() => {
                connection.state = State::Connecting(now);
                requests.begin_connection(number);
                self.set_waiting_deadlines(requests, number, now);
            }
            State::Open(ref mut client) if !connection.is_half_closed => {
                client.send_held_back();
                while self.open_stream(requests, number, now) {}
                self.connections[number as usize].flush(requests, number);
            }
            State::Closed | State::Connecting(_) | State::Open(_) => {}
        }
        self.go_on(requests, number, now);
    }

    /// Has the group go on with another connection where this one carries no more requests: they need not wait until
    /// the streams that it still has are ended.
    fn go_on(&mut self, requests: &mut Requests, number: ConnectionId, now: Nanos) {
        let this = &self.connections[number as usize];
        if !this.is_full(&requests.options) || this.waiting.is_empty() {
            return;
        }
        let group = self.group_of(number);
        let first = group * self.per_group();
        let is_free = |it: &ConnectionId| matches!(self.connections[*it as usize].state, State::Closed);
        if let Some(other) = (first..first + self.per_group()).find(is_free) {
            self.current[group as usize] = other;
            self.hand_over(number, other);
            self.serve(requests, other, now);
        }
    }

    /// Has slots wait for a stream of another connection.
    fn hand_over(&mut self, from: ConnectionId, to: ConnectionId) {
        let waiting = std::mem::take(&mut self.connections[from as usize].waiting);
        waiting.iter().for_each(|&id| self.places[id as usize].connection = to);
        self.connections[to as usize].waiting.extend(waiting);
    }

    /// Sends the request of the slot that has waited longest, if there is a stream for it.
    fn open_stream(&mut self, requests: &mut Requests, number: ConnectionId, now: Nanos) -> bool {
        let connection = &mut self.connections[number as usize];
        let State::Open(client) = &mut connection.state else { unreachable!("streams are those of open connections") };
        if !client.can_open() || connection.carried >= requests_max(&requests.options) {
            return false;
        }
        let Some(id) = connection.waiting.pop_front() else { return false };
        let (slot, place) = (&mut requests.slots[id as usize], &mut self.places[id as usize]);
        let (stream, length) = match &slot.own {
            None => client.open(&self.encoded[slot.step as usize], id),
            Some(own) => client.open(&EncodedRequest::new(&own.request), id),
        };
        place.stream = Some(stream);
        connection.counted += length;
        connection.key = slot.exchange_in_flight().key;
        requests.sent(id, length, connection.carried > 0, now);
        if now > place.since {
            requests.recorder.at(connection.key).connection_wait.record(now - place.since);
        }
        connection.carried = connection.carried.saturating_add(1);
        true
    }

    /// Notes how many bytes that were taken for sending are unsent. Returns whether something waits for room that there
    /// is now: [`Http2Connections::serve`] sends it.
    pub fn unsent(&mut self, requests: &Requests, number: ConnectionId, bytes: usize) -> bool {
        let connection = &mut self.connections[number as usize];
        let State::Open(client) = &mut connection.state else { return false };
        let has_room_for_body = client.set_unsent(bytes);
        let may_open = !connection.waiting.is_empty()
            && !connection.is_half_closed
            && connection.carried < requests_max(&requests.options)
            && client.can_open();
        has_room_for_body || may_open
    }

    /// Bytes that are kept of a connection, but for its requests.
    pub fn held_bytes(&self, number: ConnectionId) -> usize {
        let connection = &self.connections[number as usize];
        let open = if let State::Open(client) = &connection.state { client.held_bytes() } else { 0 };
        open + connection.last_words.len()
    }

    /// The output, which counts as sent.
    pub fn output(&mut self, requests: &mut Requests, number: ConnectionId) -> &[u8] {
        let connection = &mut self.connections[number as usize];
        connection.is_send_due = false;
        self.sending.clear();
        self.sending.shrink_to(SENDING_BYTES_KEPT);
        match &mut connection.state {
            State::Open(client) => client.swap_output(&mut self.sending),
            State::Closed | State::Connecting(_) => std::mem::swap(&mut self.sending, &mut connection.last_words),
        }
        let uncounted = self.sending.len() - std::mem::take(&mut connection.counted);
        requests.recorder.counts(connection.key).bytes_sent += uncounted as u64;
        &self.sending
    }

    fn close(&mut self, requests: &mut Requests, number: ConnectionId) {
        let connection = &mut self.connections[number as usize];
        connection.flush(requests, number);
        match std::mem::take(&mut connection.state) {
            State::Closed => return,
            State::Open(mut client) => client.swap_output(&mut connection.last_words),
            State::Connecting(_) => {}
        }
        for id in self.carried_by(number).collect::<Vec<_>>() {
            self.places[id as usize].stream = None;
        }
        requests.actions.push_back(Action::Close(number));
    }
}

impl Connection {
    /// Has the output sent, once in a turn.
    fn flush(&mut self, requests: &mut Requests, number: ConnectionId) {
        let State::Open(client) = &self.state else { return };
        if !client.output().is_empty() && !self.is_send_due {
            self.is_send_due = true;
            requests.actions.push_back(Action::Send(number));
        }
    }
}
