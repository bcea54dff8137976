//! Reasons for which a request gets no complete response.

use std::fmt;

use plimsoll_record::{ErrorKind, Nanos};

use crate::{
    http1::ProtocolError,
    http2::{ConnectionError, ErrorCode, StreamFailure},
};

/// Repetitions of a request that the target says it has not begun to process, at most.
pub(super) const RETRIES_MAX: u8 = 3;

/// Why a request got no complete response, as far as its connection knows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unanswered {
    /// No connection within this time.
    Unconnected(Nanos),
    /// No complete response within this time.
    TimedOut(Nanos),
    /// No free stream within this time.
    NoStream(Nanos),
    /// Nothing taken by the connection within this time, since the target reads nothing.
    Unread(Nanos),
    /// Nothing came over the connection for this time.
    Silent(Nanos),
    /// The connection ended without TLS's goodbye, where its end is the body's.
    Truncated,
    /// The target closed the connection before the response, or within it.
    Closed { has_begun: bool },
    /// The target closed the connection and said why.
    WentAway(ErrorCode),
    /// The target speaks TLS without HTTP/2.
    Http2NotChosen,
    /// The response breaks the rules of HTTP/1.1.
    Http1(ProtocolError),
    /// The connection breaks the rules of HTTP/2.
    Http2(ConnectionError),
    /// The stream ended before the response did.
    Stream(StreamFailure),
}

impl Unanswered {
    /// The kind under which it is counted.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Unconnected(_) => ErrorKind::ConnectTimeout,
            Self::TimedOut(_) | Self::NoStream(_) | Self::Unread(_) | Self::Silent(_) => ErrorKind::ResponseTimeout,
            Self::Closed { .. } | Self::WentAway(_) | Self::Truncated => ErrorKind::ClosedBeforeResponse,
            Self::Http2NotChosen => ErrorKind::Tls,
            Self::Stream(StreamFailure::NotProcessed(_) | StreamFailure::Reset(_)) => ErrorKind::Reset,
            Self::Http1(_) | Self::Http2(_) | Self::Stream(StreamFailure::Malformed(_)) => ErrorKind::Protocol,
        }
    }
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unconnected(limit) => write!(f, "no connection after {limit}"),
            Self::TimedOut(limit) => write!(f, "no complete response after {limit}"),
            Self::NoStream(limit) => {
                write!(f, "no stream was free for {limit}: the target allows too few at a time")
            }
            Self::Unread(limit) => {
                write!(f, "the connection took no request for {limit}: the target reads nothing")
            }
            Self::Silent(time) => {
                write!(f, "nothing came over the connection for {time}, not even an answer to PING: it was replaced")
            }
            Self::Truncated => {
                f.write_str("the connection ended without TLS's close_notify: the body may be cut short")
            }
            Self::Closed { has_begun: true } => f.write_str("connection closed within a response"),
            Self::Closed { has_begun: false } => f.write_str("connection closed before the first byte of a response"),
            Self::WentAway(code) => write!(f, "the target went away: {code}"),
            Self::Http2NotChosen => f.write_str(
                "the target speaks TLS but did not choose HTTP/2 (ALPN h2): switch it on there, or use HTTP/1.1",
            ),
            Self::Http1(error) => f.write_str(error.0),
            Self::Http2(error) => error.fmt(f),
            Self::Stream(StreamFailure::NotProcessed(code)) => {
                write!(f, "the target refused to process it {RETRIES_MAX} times and once more: {code}")
            }
            Self::Stream(StreamFailure::Reset(code)) => write!(f, "stream reset: {code}"),
            Self::Stream(StreamFailure::Malformed(what)) => write!(f, "HTTP/2: {what}"),
        }
    }
}
