//! What TCP said of a target while it was loaded.

use serde::Serialize;

use super::Figure;

/// Sockets of the target and counters of its network namespace, at one level. Each is none where it was not sampled.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SocketFigures {
    /// Most connections in `TIME_WAIT` at once, inbound and outbound together.
    pub peak_time_wait: Option<Figure>,
    /// Most connections that waited to be accepted.
    pub peak_accept_queue: Option<Figure>,
    /// How many may wait: the listen backlog.
    pub accept_queue_max: Option<Figure>,
    /// Times that a connection found the accept queue full.
    pub listen_overflows: Option<Figure>,
    /// SYNs and handshakes that listening sockets dropped.
    pub listen_drops: Option<Figure>,
    /// Segments sent again.
    pub retransmits: Option<Figure>,
    /// Connects begun in the network namespace: the load's own are among them where it is in the same one.
    pub connections_opened: Option<Figure>,
    /// Handshakes completed by listening sockets.
    pub connections_accepted: Option<Figure>,
    /// Connects that failed.
    pub connect_failures: Option<Figure>,
    /// Established connections that ended with a reset.
    pub connections_reset: Option<Figure>,
    /// Resets sent.
    pub resets_sent: Option<Figure>,
}
