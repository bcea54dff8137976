//! Figures watched beside the load of one variant at one level: sockets, JVM, upstream, the target's own metrics, and
//! the first requests.

use serde::Serialize;

use super::Figure;

/// Sockets of the target and counters of its network namespace, at one level. Each is none where it was not sampled.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SocketFigures {
    /// Most connections in `TIME_WAIT` at once, inbound and outbound together.
    pub peak_time_wait: Option<Figure>,
    /// Most connections that waited to be accepted.
    pub peak_accept_queue: Option<Figure>,
    /// Capacity of the accept queue: the listen backlog.
    pub accept_queue_max: Option<Figure>,
    /// Overflows of its own accept queue.
    pub listen_overflows: Option<Figure>,
    /// Overflows of other sockets' accept queues in its network namespace.
    pub overflows_elsewhere: Option<Figure>,
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

impl SocketFigures {
    /// Connections in `TIME_WAIT` that take a notable share of the 28,232 local ports that there are by default.
    pub const MANY_IN_TIME_WAIT: f64 = 1_000.0;

    /// Whether the accept queue filled by half or overflowed, segments were sent again, connects failed, or many
    /// connections are in `TIME_WAIT`.
    pub fn tell_something(&self) -> bool {
        let most = |figure: &Option<Figure>| figure.as_ref().map_or(0.0, |figure| figure.max);
        let events = [&self.listen_overflows, &self.listen_drops, &self.retransmits, &self.connect_failures];
        let limit = most(&self.accept_queue_max);
        events.iter().any(|figure| most(figure) > 0.0)
            || (limit > 0.0 && most(&self.peak_accept_queue) >= limit / 2.0)
            || most(&self.peak_time_wait) >= Self::MANY_IN_TIME_WAIT
    }
}

/// Counters of the JVM at one level. Each is none where it was not sampled, as for a native image.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JvmFigures {
    /// Classes loaded, those of an archive included.
    pub classes_loaded: Option<Figure>,
    /// Time in class loading.
    pub class_load_ms: Option<Figure>,
    /// Time in initialising classes.
    pub class_init_ms: Option<Figure>,
    /// Time in the JIT compilers, of all their threads.
    pub compile_ms: Option<Figure>,
    /// Time in garbage collections.
    pub gc_ms: Option<Figure>,
    /// Garbage collections.
    pub gcs: Option<Figure>,
    /// Time in which all threads were stopped.
    pub safepoint_ms: Option<Figure>,
    /// Platform threads started.
    pub threads_started: Option<Figure>,
}

/// Counters of an upstream at one level. Rounds in which it got no request have no figures per 1,000 requests.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UpstreamFigures {
    /// Requests that it received in full.
    pub requests: Figure,
    /// Connections that the target opened for 1,000 requests: 1,000 without any re-use, few with a good pool.
    pub connections_per_1000: Option<Figure>,
    /// The most requests that one connection has carried by the level's end; none in old records.
    pub requests_per_connection_max: Option<Figure>,
    /// TLS handshakes for 1,000 requests, resumed ones among them.
    pub handshakes_per_1000: Option<Figure>,
    /// Share of the TLS handshakes that resumed a session, in percent; none without any.
    pub resumed_percent: Option<Figure>,
    /// TLS handshakes that failed; none in old records.
    pub handshakes_failed: Option<Figure>,
    /// Connections that the target reset.
    pub resets: Figure,
    /// Most connections open at once.
    pub peak_connections: Figure,
    /// Most requests that waited for one of its servers at once.
    pub peak_waiting: Figure,
    /// Most requests that it served at once.
    pub peak_in_service: Figure,
}

/// One series of a target's own metrics at one level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TargetFigures {
    /// Mean of what was read while the level was driven; none if nothing was.
    pub mean: Option<Figure>,
    /// The highest value; none if nothing was read.
    pub peak: Option<Figure>,
    /// Growth: increase during the level; none if nothing was read before it.
    pub growth: Option<Figure>,
}

/// The first requests, in the order of sending.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstRequests {
    /// The traced requests.
    pub calls: Vec<FirstCall>,
    /// Median response time of those after the tenth, in milliseconds; none if there are none.
    pub rest_ms: Option<Figure>,
    /// Durations that responses to the first call report (`Server-Timing`).
    pub server_timing: Vec<TimingPart>,
    /// Counters of the JVM during the first call; none where the second followed too soon to tell them apart.
    pub jvm: JvmFigures,
}

/// One of the first requests.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstCall {
    /// Its number, from 1.
    pub call: u32,
    /// Response time where it succeeded, in milliseconds; none if it never did.
    pub response_ms: Option<Figure>,
    /// Rounds in which it failed.
    pub failed_rounds: u32,
}

/// A part of the time that a response took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimingPart {
    /// The name in the response.
    pub name: String,
    /// Duration in milliseconds.
    pub ms: Figure,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(value: f64) -> Option<Figure> {
        Some(Figure { median: value, min: 0.0, max: value, rounds: vec![0.0, value], interval: None })
    }

    fn quiet() -> SocketFigures {
        SocketFigures {
            peak_time_wait: counted(999.0),
            peak_accept_queue: counted(49.0),
            accept_queue_max: counted(100.0),
            listen_overflows: counted(0.0),
            overflows_elsewhere: counted(0.0),
            listen_drops: None,
            retransmits: counted(0.0),
            connections_opened: counted(5_000.0),
            connections_accepted: counted(5_000.0),
            connect_failures: None,
            connections_reset: None,
            resets_sent: counted(7.0),
        }
    }

    #[test]
    fn sockets_tell_something_where_a_queue_fills_or_anything_fails() {
        assert!(!quiet().tell_something());
        assert!(SocketFigures { peak_accept_queue: counted(50.0), ..quiet() }.tell_something());
        assert!(SocketFigures { listen_overflows: counted(1.0), ..quiet() }.tell_something());
        assert!(SocketFigures { retransmits: counted(1.0), ..quiet() }.tell_something());
        assert!(SocketFigures { connect_failures: counted(1.0), ..quiet() }.tell_something());
        assert!(SocketFigures { peak_time_wait: counted(1_000.0), ..quiet() }.tell_something());
    }
}
