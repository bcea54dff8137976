//! Words between a worker and its driver: what is to be done to connections, and how they came about.

use plimsoll_record::Nanos;

/// Number of a slot, counted from 0: a place for one request in flight.
pub type SlotId = u32;

/// Number of a connection, counted from 0: that of its slot, or where streams share connections, one of its own.
pub type ConnectionId = u32;

/// Order about a connection; orders are carried out one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Begin to open one; then tell [`Worker::connected`](super::Worker::connected) or
    /// [`Worker::failed`](super::Worker::failed).
    Connect(ConnectionId),
    /// Write all of [`Worker::request_bytes`](super::Worker::request_bytes).
    Send(ConnectionId),
    /// Close it; nothing more is told of it.
    Close(ConnectionId),
}

/// Account of how a connection came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Established {
    /// Name resolution, if it was made for this connection.
    pub dns: Option<Nanos>,
    /// From the first packet until the connection, to a proxy's answer if there is one.
    pub connect: Nanos,
    /// TLS handshake, if there is TLS.
    pub tls: Option<Nanos>,
    /// Whether the handshake resumed a session.
    pub is_resumed: bool,
    /// Whether the handshake agreed on HTTP/2 (ALPN `h2`).
    pub is_http2: bool,
}
