//! What the simulated upstream of a target counted while the target was loaded.

use serde::Serialize;

use super::Figure;

/// At one level. Figures per 1,000 requests are none in rounds in which the upstream got no request.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UpstreamFigures {
    /// Requests that it received in full.
    pub requests: Figure,
    /// Connections that the target opened for 1,000 requests: 1,000 without any re-use, few with a good pool.
    pub connections_per_1000: Option<Figure>,
    /// The most requests that one connection has carried by the level's end; none in records of old.
    pub requests_per_connection_max: Option<Figure>,
    /// TLS handshakes for 1,000 requests, resumed ones among them.
    pub handshakes_per_1000: Option<Figure>,
    /// Share of the TLS handshakes that resumed a session, in percent; none without any.
    pub resumed_percent: Option<Figure>,
    /// TLS handshakes that failed; none in records of old.
    pub handshakes_failed: Option<Figure>,
    /// Connections that the target reset.
    pub resets: Figure,
    /// Most connections open at once.
    pub peak_connections: Figure,
    /// Most requests that waited for a server of it at once.
    pub peak_waiting: Figure,
    /// Most requests that it served at once.
    pub peak_in_service: Figure,
}
