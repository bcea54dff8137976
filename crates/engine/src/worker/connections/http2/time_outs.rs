//! Requests that are not answered in time, and connections that are dead.

use plimsoll_record::Nanos;

use super::{Http2Connections, State};
use crate::worker::{
    action::{ConnectionId, SlotId},
    requests::Requests,
    unanswered::Unanswered,
};

/// Time for an answer to PING.
const PING_PATIENCE: Nanos = Nanos::from_secs(5);

impl Http2Connections {
    pub fn timed_out(&mut self, requests: &mut Requests, id: SlotId, now: Nanos) {
        let number = self.connection_of(id);
        let options = requests.options;
        let was_sent = requests.slots[id as usize].exchange_in_flight().sent.is_some();
        let is_dead = self.is_dead(requests, id, now);
        let reason = match self.connections[number as usize].state {
            State::Connecting(since) if since + options.connect_timeout <= now => {
                return self.end_all(requests, number, Unanswered::Unconnected(options.connect_timeout));
            }
            _ if is_dead => {
                let silent = now - self.connections[number as usize].heard;
                return self.end_all(requests, number, Unanswered::Silent(silent));
            }
            _ if was_sent => Unanswered::TimedOut(options.response_timeout),
            State::Open(ref client) if client.is_congested() => Unanswered::Unread(options.response_timeout),
            State::Open(ref client) => {
                if client.open_streams() == 0 {
                    // The target has allowed no stream at all for so long: another connection may fare better.
                    self.close(requests, number);
                }
                Unanswered::NoStream(options.response_timeout)
            }
            _ => Unanswered::NoStream(options.response_timeout),
        };
        requests.ended.push_back((id, Err(reason)));
    }

    /// Whether the connection of a slot whose time is up is dead: nothing has come since the request was sent, nor
    /// since the target was asked for a sign of life, at a time-out before. A connection that a router has forgotten
    /// would fail one request after the other.
    fn is_dead(&mut self, requests: &mut Requests, id: SlotId, now: Nanos) -> bool {
        let number = self.connection_of(id);
        let sent = requests.slots[id as usize].exchange_in_flight().sent;
        let connection = &mut self.connections[number as usize];
        let State::Open(client) = &mut connection.state else { return false };
        if sent.is_none_or(|sent| connection.heard > sent) {
            return false;
        }
        let patience = PING_PATIENCE.min(requests.options.response_timeout);
        match connection.pinged {
            Some(pinged) => now >= pinged + patience,
            None => {
                client.ping();
                connection.pinged = Some(now);
                connection.flush(requests, number);
                false
            }
        }
    }

    /// Sets the instant by which a slot that waits must have a stream.
    pub(super) fn set_waiting_deadline(&self, requests: &mut Requests, id: SlotId, now: Nanos) {
        let sent = requests.slots[id as usize].exchange_in_flight().sent;
        let response_deadline = sent.unwrap_or(now) + requests.options.response_timeout;
        let at = match self.connections[self.connection_of(id) as usize].state {
            State::Connecting(since) => response_deadline.min(since + requests.options.connect_timeout),
            State::Closed | State::Open(_) => response_deadline,
        };
        requests.set_deadline(id, at);
    }

    pub(super) fn set_waiting_deadlines(&self, requests: &mut Requests, number: ConnectionId, now: Nanos) {
        for &id in &self.connections[number as usize].waiting {
            self.set_waiting_deadline(requests, id, now);
        }
    }
}
