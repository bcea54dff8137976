//! Connections of a worker, of either protocol behind one interface.
//!
//! A connection is told of its events by the driver, and of requests by the worker. It answers through [`Requests`]:
//! with actions, records, and the slots whose requests have ended.

mod http1;
mod http2;

use plimsoll_record::Nanos;

use self::{http1::Http1Connections, http2::Http2Connections};
use super::{
    action::{ConnectionId, Established, SlotId},
    options::WorkerOptions,
    requests::{Ended, Requests},
};
use crate::script::Script;

/// All connections of a worker.
pub(super) enum Connections {
    /// One for each slot.
    Http1(Http1Connections),
    /// Shared by slots, each with a stream of its own.
    Http2(Http2Connections),
}

/// Makes the same call whatever the protocol.
macro_rules! either {
    ($self:ident, $connections:ident => $call:expr) => {
        match $self {
            Self::Http1($connections) => $call,
            Self::Http2($connections) => $call,
        }
    };
}

impl Connections {
    pub fn new(script: &Script, options: &WorkerOptions) -> Self {
        match options.http2_streams {
            None => Self::Http1(Http1Connections::default()),
            Some(streams) => Self::Http2(Http2Connections::new(streams, script)),
        }
    }

    /// Whether a request may find a connection that another one has left.
    pub fn are_reused(&self, options: &WorkerOptions) -> bool {
        options.keep_alive || matches!(self, Self::Http2(_))
    }
}

/// Calls about a slot, made by the worker.
impl Connections {
    /// Makes room for the next slot.
    pub fn add_slot(&mut self) {
        either!(self, connections => connections.add_slot());
    }

    /// Sends the slot's request as soon as there is a connection for it. The slot has none in flight.
    #[inline]
    pub fn dispatch(&mut self, requests: &mut Requests, id: SlotId, now: Nanos) {
        either!(self, connections => connections.dispatch(requests, id, now));
    }

    /// Status of the response to the slot's request; 0 before its head has come.
    #[inline]
    pub fn status(&self, id: SlotId) -> u16 {
        either!(self, connections => connections.status(id))
    }

    /// The `Location` of the slot's response if it is a redirect, once.
    #[inline]
    pub fn take_location(&mut self, id: SlotId) -> Option<Box<str>> {
        either!(self, connections => connections.take_location(id))
    }

    /// The slot needs its connection no more, or gives up what it was to carry.
    pub fn release(&mut self, requests: &mut Requests, id: SlotId) {
        either!(self, connections => connections.release(requests, id));
    }

    /// The slot's deadline is up.
    pub fn timed_out(&mut self, requests: &mut Requests, id: SlotId, now: Nanos) {
        either!(self, connections => connections.timed_out(requests, id, now));
    }

    /// The connection that the slot's requests go over.
    pub fn connection_of(&self, id: SlotId) -> ConnectionId {
        match self {
            Self::Http1(_) => id,
            Self::Http2(connections) => connections.connection_of(id),
        }
    }
}

/// Calls about a connection, made by the driver.
impl Connections {
    /// The connection is open.
    pub fn connected(&mut self, requests: &mut Requests, id: ConnectionId, established: Established, now: Nanos) {
        either!(self, connections => connections.connected(requests, id, established, now));
    }

    /// Bytes that are to be sent, which count as sent.
    #[inline]
    pub fn output<'a>(&'a mut self, requests: &'a mut Requests, id: ConnectionId) -> &'a [u8] {
        either!(self, connections => connections.output(requests, id))
    }

    /// Takes in bytes. Over HTTP/1.1 it returns the end of the connection's one request directly: the way through
    /// [`Requests::ended`] would cost every request.
    #[inline]
    pub fn received(&mut self, requests: &mut Requests, id: ConnectionId, bytes: &[u8], now: Nanos) -> Option<Ended> {
        match self {
            Self::Http1(connections) => connections.received(requests, id, bytes, now),
            Self::Http2(connections) => {
                connections.received(requests, id, bytes, now);
                None
            }
        }
    }

    /// The target will send no more after what is still to be received.
    pub fn half_closed(&mut self, requests: &mut Requests, id: ConnectionId) {
        either!(self, connections => connections.half_closed(requests, id));
    }

    /// The bytes that are told next came before all of the output was sent. Over HTTP/1.1 the rest of a request must
    /// not run into the next one: if they are the end of its answer, the connection is closed.
    pub fn answers_early(&mut self, id: ConnectionId) {
        match self {
            Self::Http1(connections) => connections.answers_early(id),
            Self::Http2(_) => {}
        }
    }

    /// The target has closed the connection, in order unless it `is_cut`: over HTTP/2 there is no body that ends so.
    pub fn ended(&mut self, requests: &mut Requests, id: ConnectionId, is_cut: bool) {
        match self {
            Self::Http1(connections) => connections.ended(requests, id, is_cut),
            Self::Http2(connections) => connections.ended(requests, id),
        }
    }

    /// Whether what is to be sent can be asked for again.
    #[inline]
    pub fn keep_requests(&self) -> bool {
        matches!(self, Self::Http1(_))
    }

    /// The rest of what is to be sent, where it can be asked for again.
    pub fn rest<'a>(&self, requests: &'a Requests, id: ConnectionId, from: usize) -> &'a [u8] {
        match self {
            Self::Http1(connections) => connections.rest(requests, id, from),
            Self::Http2(_) => &[],
        }
    }

    /// Notes how much of the output is unsent. Returns whether something waits for room that there is now.
    #[inline]
    pub fn unsent(&mut self, requests: &Requests, id: ConnectionId, bytes: usize) -> bool {
        match self {
            Self::Http1(_) => false,
            Self::Http2(connections) => connections.unsent(requests, id, bytes),
        }
    }

    /// Bytes that are kept of a connection, but for its requests.
    pub fn held_bytes(&self, id: ConnectionId) -> usize {
        either!(self, connections => connections.held_bytes(id))
    }

    /// The connection is lost or could not be opened: the slots whose requests are lost with it.
    pub fn lose(&mut self, requests: &mut Requests, id: ConnectionId) -> Vec<SlotId> {
        either!(self, connections => connections.lose(requests, id))
    }

    /// Has a connection serve the slots that wait for it; to be called after its events.
    #[inline]
    pub fn serve(&mut self, requests: &mut Requests, id: ConnectionId, now: Nanos) {
        match self {
            // Nobody waits for another slot's connection.
            Self::Http1(_) => {}
            Self::Http2(connections) => connections.serve(requests, id, now),
        }
    }
}
