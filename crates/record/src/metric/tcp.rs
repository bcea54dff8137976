//! TCP figures of a target: its connections by state, its accept queue, and the counters of its network namespace.

use super::Metric;

const fn metric(name: &'static str, title: &'static str, meaning: &'static str) -> Metric {
    Metric { name, title, meaning }
}

/// Connections that the target accepted, by state: those whose local port is one it listens on.
pub const INBOUND: &[Metric] = &[
    metric("inbound_established", "established", "inbound connections that carry data both ways"),
    metric("inbound_syn_recv", "SYN received", "inbound connections whose handshake is under way"),
    metric("inbound_fin_wait1", "FIN wait 1", "inbound connections the target closed, its FIN not yet acknowledged"),
    metric("inbound_fin_wait2", "FIN wait 2", "inbound connections the target closed and the client has not"),
    metric("inbound_time_wait", "TIME_WAIT", "inbound connections the target closed first, kept for 60 s"),
    metric("inbound_close_wait", "CLOSE_WAIT", "inbound connections the client closed and the target has not"),
    metric("inbound_last_ack", "last ACK", "inbound connections both have closed, the target last"),
    metric("inbound_closing", "closing", "inbound connections both closed at the same time"),
];

/// Connections that the target opened, by state: those to a remote port that it connects to.
pub const OUTBOUND: &[Metric] = &[
    metric("outbound_established", "established", "outbound connections that carry data both ways"),
    metric("outbound_syn_sent", "SYN sent", "outbound connections that wait for the answer to their SYN"),
    metric("outbound_fin_wait1", "FIN wait 1", "outbound connections the target closed, its FIN not yet acknowledged"),
    metric("outbound_fin_wait2", "FIN wait 2", "outbound connections the target closed and the other side has not"),
    metric(
        "outbound_time_wait",
        "TIME_WAIT",
        "outbound connections the target closed first: each holds a port for 60 s",
    ),
    metric("outbound_close_wait", "CLOSE_WAIT", "outbound connections the other side closed and the target has not"),
    metric("outbound_last_ack", "last ACK", "outbound connections both have closed, the target last"),
    metric("outbound_closing", "closing", "outbound connections both closed at the same time"),
];

/// `TIME_WAIT` of [`INBOUND`].
pub const INBOUND_TIME_WAIT: &str = "inbound_time_wait";
/// `TIME_WAIT` of [`OUTBOUND`].
pub const OUTBOUND_TIME_WAIT: &str = "outbound_time_wait";

/// Connections that wait to be accepted.
pub const ACCEPT_QUEUE: Metric = metric(
    "accept_queue",
    "Accept queue",
    "connections that are established and wait for the target to accept them (sock_diag, LISTEN sockets)",
);
/// The most that may wait.
pub const ACCEPT_QUEUE_MAX: Metric = metric(
    "accept_queue_max",
    "Accept queue, limit",
    "the listen backlog: how many connections may wait to be accepted (sock_diag, LISTEN sockets)",
);
/// Connections that the target's own sockets refused.
pub const ACCEPT_QUEUE_DROPS: Metric = metric(
    "accept_queue_drops",
    "Accept queue, drops",
    "SYNs and handshakes that the target's own listening sockets dropped, nearly all of them because the accept queue \
     was full (sock_diag, SK_MEMINFO_DROPS)",
);
/// CPU cost of counting, where it is so high that connections are counted less often.
pub const SOCKET_COUNT_MS: Metric = metric(
    "socket_count_ms",
    "Counting sockets, ms",
    "CPU time it took to count the sockets, where it took so much that they are counted less often than all else",
);

/// Connections that found an accept queue full, the target's or another's.
pub const LISTEN_OVERFLOWS: Metric = metric(
    "listen_overflows",
    "Listen overflows",
    "times that an accept queue of the network namespace, the target's or another's, was full when a connection came \
     for it (ListenOverflows)",
);
/// Connections that a listening socket did not take, for whatever reason.
pub const LISTEN_DROPS: Metric =
    metric("listen_drops", "Listen drops", "SYNs and handshakes that listening sockets dropped (ListenDrops)");
/// Segments sent again.
pub const RETRANSMITS: Metric =
    metric("retransmits", "Retransmits", "segments that were sent again, SYNs included (RetransSegs)");
/// SYNs and SYN-ACKs sent again.
pub const SYN_RETRANSMITS: Metric =
    metric("syn_retransmits", "SYN retransmits", "SYNs and SYN-ACKs that were sent again (TCPSynRetrans)");
/// Retransmission timers that ran out.
pub const TCP_TIMEOUTS: Metric =
    metric("tcp_timeouts", "TCP time-outs", "retransmission timers that ran out (TCPTimeouts)");
/// Connects begun.
pub const CONNECTIONS_OPENED: Metric = metric(
    "connections_opened",
    "Connections opened",
    "connects begun, those of the load included where it is in the same network namespace (ActiveOpens)",
);
/// Connections that came from outside.
pub const CONNECTIONS_ACCEPTED: Metric =
    metric("connections_accepted", "Connections accepted", "handshakes completed by listening sockets (PassiveOpens)");
/// Connects that failed.
pub const CONNECT_FAILURES: Metric =
    metric("connect_failures", "Connects failed", "connections that ended before they were established (AttemptFails)");
/// Connections that ended with a reset.
pub const CONNECTIONS_RESET: Metric =
    metric("connections_reset", "Connections reset", "established connections that ended with a reset (EstabResets)");
/// Resets sent.
pub const RESETS_SENT: Metric = metric("resets_sent", "Resets sent", "segments sent with RST (OutRsts)");

/// Counters of the target's network namespace, not of the target alone, since the first sample of the run
/// (/proc/PID/net/netstat and snmp).
pub const COUNTERS: &[Metric] = &[
    LISTEN_OVERFLOWS,
    LISTEN_DROPS,
    RETRANSMITS,
    SYN_RETRANSMITS,
    TCP_TIMEOUTS,
    CONNECTIONS_OPENED,
    CONNECTIONS_ACCEPTED,
    CONNECT_FAILURES,
    CONNECTIONS_RESET,
    RESETS_SENT,
];

/// The accept queue, and what looking costs.
pub const QUEUES: &[Metric] = &[ACCEPT_QUEUE, ACCEPT_QUEUE_MAX, ACCEPT_QUEUE_DROPS, SOCKET_COUNT_MS];
