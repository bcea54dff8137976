//! A behaviour: what a peer does, when, and what must come of it.

use plimsoll_record::ErrorKind;

use crate::{frames::Frames, tls::Certificate};

/// Kinds of peers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// A target over HTTP/1.1.
    Http1,
    /// A target over HTTP/2, by prior knowledge.
    Http2,
    /// A target over TLS, and what its connection carries.
    Tls,
    /// An HTTP proxy that is asked for a tunnel.
    Proxy,
    /// A collector that metrics are pushed to.
    Collector,
    /// A client that asks for metrics.
    PrometheusClient,
}

impl Family {
    /// All of them, with the words that documents use.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Http1, "HTTP/1.1 targets"),
        (Self::Http2, "HTTP/2 targets"),
        (Self::Tls, "TLS targets"),
        (Self::Proxy, "proxies"),
        (Self::Collector, "OTLP collectors"),
        (Self::PrometheusClient, "clients of `--prometheus`"),
    ];

    /// Bytes that are kept of any connection of the family (docs/performance.md).
    pub const fn held_bytes_max(self) -> usize {
        match self {
            Self::Http1 | Self::Proxy | Self::Collector => HTTP1_BYTES,
            Self::PrometheusClient => REQUEST_BYTES,
            Self::Http2 => HTTP2_BYTES,
            Self::Tls => HTTP1_BYTES + TLS_BYTES,
        }
    }
}

/// A head whose rest is still to come.
pub(crate) const HTTP1_BYTES: usize = 64 * KIB;
/// Bytes that wait to be sent (1 MiB), a head whose rest is still to come, the one before, and three frames.
const HTTP2_BYTES: usize = 1_141 * KIB;
/// A request to the program's own server.
const REQUEST_BYTES: usize = 16 * KIB;
/// A record whose rest is still to come.
const TLS_BYTES: usize = 64 * KIB;
pub(crate) const KIB: usize = 1024;

/// An act on a socket.
#[derive(Clone, Debug)]
pub enum Step {
    /// Sends these bytes.
    Send(Vec<u8>),
    /// Sends these frames, of which the request's stream is told.
    Frames(fn(u32) -> Frames),
    /// Sends these bytes beneath TLS.
    SendRaw(Vec<u8>),
    /// Sends these bytes over and over, as long as they are taken.
    Flood(Vec<u8>),
    /// The same of frames; the peer reads nothing meanwhile.
    FloodFrames(fn(u32) -> Frames),
    /// Sends these bytes over and over, a little while between them, until the peer has left.
    Drip(Vec<u8>),
    /// Reads what comes first.
    Read,
    /// Reads until the peer has left.
    Wait,
    /// Neither reads nor sends any more, and keeps the connection.
    Freeze,
    /// Ends what it sends, and goes on reading.
    HalfClose,
    /// Ends the connection at once (RST).
    Reset,
    /// Ends the connection; over TLS without its goodbye.
    Close,
}

/// The instant at which a peer begins to misbehave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nobody listens: whoever connects is refused.
    Closed,
    /// Nobody accepts, and the queue of those who wait is full.
    Full,
    /// A connection was made; of a proxy: it was asked for a tunnel.
    Connected,
    /// A request came.
    Requested,
}

/// TLS on hostile connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// No TLS at all.
    None,
    /// TLS as it should be.
    Sound,
    /// TLS is expected, and the steps are played in its place.
    Missing,
    /// TLS with a certificate that must not be trusted, or that asks for one.
    Bad(Certificate),
}

/// Connections that a load makes whose every other request meets the behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connections {
    /// There are none, and no request succeeds.
    None,
    /// The one is kept.
    Kept,
    /// Each hostile answer costs one.
    Lost,
    /// Each hostile answer costs one, and may take the requests along that come after it on the same.
    Dragging,
    /// The target gives signs of life, and its connection is kept though no request on it succeeds.
    Captured,
    /// As many as it takes.
    Any,
}

/// Result that must come of it.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The error, which is one of these; none: the request succeeds.
    pub kinds: &'static [ErrorKind],
    /// Words of the error's example.
    pub words: &'static [&'static str],
    /// Its effect on connections.
    pub connections: Connections,
}

/// The time after which a request that met the behaviour has its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// As soon as what is sent has come.
    AtOnce,
    /// By a time-out of its client's, which the behaviour cannot put off.
    AtTimeOut,
    /// The behaviour stays as long as the server that it calls, whose own end does not wait for it.
    WithItsServer,
}

impl Ends {
    /// Words of documents.
    pub fn words(self) -> &'static str {
        match self {
            Self::AtOnce => "at once",
            Self::AtTimeOut => "at the time-out",
            Self::WithItsServer => "with the load",
        }
    }
}

/// Cost of meeting the behaviour, at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The time that it takes.
    pub ends: Ends,
    /// Bytes that are kept of its connection: of what came, and of what waits to be sent.
    pub held_bytes_max: usize,
}

/// A way to be hostile, or broken.
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// The kind of the peer.
    pub family: Family,
    /// Its name: what it does, in words.
    pub name: &'static str,
    /// When it begins.
    pub place: Place,
    /// TLS on hostile connections.
    pub security: Security,
    /// Its acts. The connection ends afterwards, unless the outcome says that it is kept.
    pub steps: Vec<Step>,
    /// Result that must come of it.
    pub outcome: Outcome,
    /// Its cost at most.
    pub bounds: Bounds,
}

impl Behaviour {
    /// One with the bounds of its family, which tables narrow.
    pub(crate) fn new(
        family: Family,
        name: &'static str,
        (place, security): (Place, Security),
        steps: Vec<Step>,
        outcome: Outcome,
    ) -> Self {
        let is_time_out = |kind: &ErrorKind| matches!(kind, ErrorKind::ResponseTimeout | ErrorKind::ConnectTimeout);
        let ends = match family {
            Family::PrometheusClient => Ends::WithItsServer,
            _ if outcome.kinds.iter().any(is_time_out) => Ends::AtTimeOut,
            _ => Ends::AtOnce,
        };
        let bounds = Bounds { ends, held_bytes_max: family.held_bytes_max() };
        Self { family, name, place, security, steps, outcome, bounds }
    }

    /// The same, with at most `bytes` kept: fewer than for others of its family.
    pub(crate) fn holding(mut self, bytes: usize) -> Self {
        assert!(bytes < self.bounds.held_bytes_max, "{}: {bytes} bytes are no less", self.name);
        self.bounds.held_bytes_max = bytes;
        self
    }

    /// The same, which `ends` so.
    pub(crate) fn ending(mut self, ends: Ends) -> Self {
        self.bounds.ends = ends;
        self
    }

    /// Whether it lasts as long as its peer waits.
    pub fn lasts(&self) -> bool {
        self.bounds.ends == Ends::AtTimeOut
    }

    /// Whether a whole head of a final response over HTTP/1.1 is among what it sends.
    pub fn sends_head(&self) -> bool {
        let mut sent = Vec::new();
        for step in &self.steps {
            match step {
                Step::Send(bytes) | Step::Flood(bytes) => sent.extend(bytes),
                _ => {}
            }
        }
        let text = String::from_utf8_lossy(&sent);
        let is_interim = |head: &&str| head.trim_start().starts_with("HTTP/1.1 1");
        text.split_inclusive("\r\n\r\n").find(|head| !is_interim(head)).is_some_and(|head| head.ends_with("\r\n\r\n"))
    }

    /// Its acts as text that differs where deeds do.
    pub fn deeds(&self) -> Vec<String> {
        let deed = |step: &Step| match step {
            Step::Frames(frames) => format!("Frames {:?}", frames(1).0),
            Step::FloodFrames(frames) => format!("FloodFrames {:?}", frames(1).0),
            other => format!("{other:?}"),
        };
        self.steps.iter().map(deed).collect()
    }
}

/// A request fails so, and its connection is lost.
pub(crate) const fn fails(kinds: &'static [ErrorKind], words: &'static [&'static str]) -> Outcome {
    Outcome { kinds, words, connections: Connections::Lost }
}

/// The response breaks a rule of HTTP.
pub(crate) const fn not_http(words: &'static [&'static str]) -> Outcome {
    fails(&[ErrorKind::Protocol], words)
}

/// The connection ends too early.
pub(crate) const fn closed(words: &'static [&'static str]) -> Outcome {
    fails(&[ErrorKind::ClosedBeforeResponse], words)
}

pub(crate) const RESET: Outcome = fails(&[ErrorKind::Reset], &["reset by peer"]);
pub(crate) const TIMED_OUT: Outcome = fails(&[ErrorKind::ResponseTimeout], &["no complete response after"]);
/// The answer counts, and its connection carries no other request.
pub(crate) const COSTS_THE_CONNECTION: Outcome = fails(&[], &[]);
/// The answer counts, and its connection goes on.
pub(crate) const HARMLESS: Outcome = Outcome { kinds: &[], words: &[], connections: Connections::Kept };

pub(crate) fn send(bytes: impl AsRef<[u8]>) -> Step {
    Step::Send(bytes.as_ref().to_vec())
}

pub(crate) fn flood(bytes: impl AsRef<[u8]>) -> Step {
    Step::Flood(bytes.as_ref().to_vec())
}

pub(crate) fn drip(bytes: impl AsRef<[u8]>) -> Step {
    Step::Drip(bytes.as_ref().to_vec())
}
