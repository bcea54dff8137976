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
}

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
}

impl Behaviour {
    /// Whether it lasts as long as its peer waits.
    pub fn lasts(&self) -> bool {
        self.outcome.kinds.iter().any(|kind| matches!(kind, ErrorKind::ResponseTimeout | ErrorKind::ConnectTimeout))
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
