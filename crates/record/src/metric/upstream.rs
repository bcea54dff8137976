//! Counts of a simulated upstream beside a load.

use super::Metric;

/// Connections opened.
pub const CONNECTIONS_OPENED: Metric = Metric {
    name: "upstream_connections_opened",
    title: "Upstream connections opened",
    meaning: "connections that the simulated upstream has accepted since its start",
};
/// Connections open.
pub const CONNECTIONS_OPEN: Metric = Metric {
    name: "upstream_connections_open",
    title: "Upstream connections",
    meaning: "connections that the simulated upstream holds",
};
/// Requests.
pub const REQUESTS: Metric = Metric {
    name: "upstream_requests",
    title: "Upstream requests",
    meaning: "requests that the simulated upstream has received in full since its start",
};
/// Requests on one connection.
pub const REQUESTS_PER_CONNECTION_MAX: Metric = Metric {
    name: "upstream_requests_per_connection_max",
    title: "Upstream requests per connection",
    meaning: "the most requests that one connection to the simulated upstream has carried since its start",
};
/// TLS handshakes.
pub const TLS_HANDSHAKES: Metric = Metric {
    name: "upstream_tls_handshakes",
    title: "Upstream TLS handshakes",
    meaning: "TLS handshakes that the simulated upstream has completed since its start",
};
/// TLS handshakes that resumed a session.
pub const TLS_RESUMED: Metric = Metric {
    name: "upstream_tls_resumed",
    title: "Upstream TLS sessions resumed",
    meaning: "those of its TLS handshakes that resumed a session",
};
/// TLS handshakes that failed.
pub const TLS_FAILED: Metric = Metric {
    name: "upstream_tls_failed",
    title: "Upstream TLS handshakes failed",
    meaning: "TLS handshakes with the simulated upstream that have failed since its start",
};
/// Resets.
pub const RESETS: Metric = Metric {
    name: "upstream_resets",
    title: "Upstream resets",
    meaning: "connections that were reset from the client's side since the start of the simulated upstream",
};
/// The queue.
pub const WAITING: Metric = Metric {
    name: "upstream_waiting",
    title: "Upstream queue",
    meaning: "requests that wait for a server of the simulated upstream",
};
/// Being served.
pub const IN_SERVICE: Metric = Metric {
    name: "upstream_in_service",
    title: "Upstream in service",
    meaning: "requests that the simulated upstream serves",
};

/// All of them.
pub const ALL: &[Metric] = &[
    CONNECTIONS_OPENED,
    CONNECTIONS_OPEN,
    REQUESTS,
    REQUESTS_PER_CONNECTION_MAX,
    TLS_HANDSHAKES,
    TLS_RESUMED,
    TLS_FAILED,
    RESETS,
    WAITING,
    IN_SERVICE,
];
