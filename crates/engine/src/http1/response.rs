//! A response, read as its bytes come: where it ends, its status, and whether the connection may carry another.

use std::mem::MaybeUninit;

use super::{
    error::ProtocolError,
    head::{Fields, Framing, Head, says_close, unfolded},
    last_head::LastHead,
};

/// Bytes that a response's head may have.
pub const HEAD_BYTES_MAX: usize = 64 * 1024;
/// Headers that a response may have.
const HEADERS_MAX: usize = 100;
/// Interim responses (1xx) that may precede one: a server that sends them without end must not pass for a slow one.
const INTERIM_MAX: u8 = 100;

/// Progress of reading a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to come.
    Incomplete,
    /// It is complete; this many of the bytes given last belong to it.
    Complete(usize),
}

/// An observer of responses: told of headers and bodies as they come.
pub(crate) trait ResponseObserver {
    /// Whether it wants to see any header: a head that is known need not be read again where nobody does.
    fn sees_headers(&self) -> bool;

    /// A header of a final response came.
    fn header(&mut self, name: &str, value: &[u8]);

    /// A part of the body came.
    fn data(&mut self, data: &[u8]);
}

/// An observer for responses that nobody observes.
pub(super) struct Unobserved;

impl ResponseObserver for Unobserved {
    fn sees_headers(&self) -> bool {
        false
    }

    fn header(&mut self, _: &str, _: &[u8]) {}

    fn data(&mut self, _: &[u8]) {}
}

/// Reads one response after another.
#[derive(Debug, Default)]
pub struct ResponseParser {
    head: Head,
    /// Interim responses before it, so far.
    interim: u8,
    /// Whether one of them said that the connection closes.
    interim_closes: bool,
    /// The part of the head that came so far, if it did not come in one piece.
    partial_head: Vec<u8>,
    /// Bytes of it that were looked at. It is looked at again once another of its lines is whole.
    looked_at: usize,
    /// Times that heads were looked for.
    #[cfg(test)]
    looks: u32,
    location: Option<Box<str>>,
}

impl ResponseParser {
    /// Status of the response; 0 before its head is complete.
    pub fn status(&self) -> u16 {
        self.head.status
    }

    /// Whether the connection may carry another request after this response.
    pub fn keep_alive(&self) -> bool {
        self.head.keep_alive
    }

    /// The `Location` of a redirect, once.
    pub fn take_location(&mut self) -> Option<Box<str>> {
        self.location.take()
    }

    /// Bytes that it keeps of a head that is not complete: [`HEAD_BYTES_MAX`] at most.
    pub fn held_bytes(&self) -> usize {
        self.partial_head.len()
    }

    /// Makes ready for the next response.
    pub fn reset(&mut self) {
        self.head.framing = Framing::Head;
        self.head.status = 0;
        self.interim = 0;
        self.interim_closes = false;
        if self.partial_head.capacity() > 0 {
            self.partial_head = Vec::new();
        }
        self.location = None;
    }

    /// Reads the bytes that came next. `to_head` says that the request was a HEAD, whose response has no body.
    ///
    /// # Errors
    ///
    /// The rule that the response breaks; the connection is to be closed then.
    pub fn feed(&mut self, bytes: &[u8], to_head: bool) -> Result<Progress, ProtocolError> {
        self.feed_observed(&mut Unobserved, &mut LastHead::default(), bytes, to_head)
    }

    /// The same for a reader of many responses: `observer` sees them, and `last` is the head that was read before.
    #[inline]
    pub(crate) fn feed_observed(
        &mut self,
        observer: &mut impl ResponseObserver,
        last: &mut LastHead,
        bytes: &[u8],
        to_head: bool,
    ) -> Result<Progress, ProtocolError> {
        let mut used = 0;
        if matches!(self.head.framing, Framing::Head) {
            let is_whole = self.partial_head.is_empty() && self.interim == 0 && !observer.sees_headers();
            let known = if is_whole { last.recall(bytes, to_head) } else { None };
            if let Some((length, head)) = known {
                self.head = head;
                used = length;
            } else {
                match self.feed_head(observer, bytes, to_head)? {
                    Some(consumed) => used = consumed,
                    None => return Ok(Progress::Incomplete),
                }
                if is_whole && self.interim == 0 && self.location.is_none() {
                    last.remember(&bytes[..used], to_head, self.head);
                }
            }
        }
        self.feed_body(observer, &bytes[used..]).map(|complete| match complete {
            Some(consumed) => Progress::Complete(used + consumed),
            None => Progress::Incomplete,
        })
    }

    /// Whether the response is complete now that the connection has ended.
    pub fn ends_with_connection(&self) -> bool {
        matches!(self.head.framing, Framing::UntilClose)
    }

    /// The number of `bytes` that belong to the head, once it is complete.
    fn feed_head(
        &mut self,
        observer: &mut impl ResponseObserver,
        bytes: &[u8],
        to_head: bool,
    ) -> Result<Option<usize>, ProtocolError> {
        if self.partial_head.is_empty() {
            let read = self.read_heads(observer, bytes, to_head)?;
            if let Heads::Incomplete { from } = read {
                self.partial_head.extend_from_slice(&bytes[from..]);
                self.looked_at = whole_lines(&self.partial_head).len();
            }
            return Ok(read.consumed());
        }
        let mut held = std::mem::take(&mut self.partial_head);
        let before = held.len();
        held.extend_from_slice(bytes);
        if held.len() <= HEAD_BYTES_MAX && whole_lines(&held).len() == self.looked_at {
            self.partial_head = held;
            return Ok(None);
        }
        match self.read_heads(observer, &held, to_head)? {
            Heads::Complete { consumed } => Ok(Some(consumed - before)),
            Heads::Incomplete { from } => {
                held.drain(..from);
                self.looked_at = whole_lines(&held).len();
                self.partial_head = held;
                Ok(None)
            }
        }
    }

    /// Reads the head, and the interim ones (1xx) before it.
    fn read_heads(
        &mut self,
        observer: &mut impl ResponseObserver,
        bytes: &[u8],
        to_head: bool,
    ) -> Result<Heads, ProtocolError> {
        #[cfg(test)]
        {
            self.looks += 1;
        }
        let mut from = 0;
        loop {
            let mut headers = [const { MaybeUninit::uninit() }; HEADERS_MAX];
            let mut head = httparse::Response::new(&mut []);
            // No more than a head may have is looked at, so that the limit does not depend on how the bytes were cut.
            let within = &bytes[from..bytes.len().min(from + HEAD_BYTES_MAX)];
            let parsed = match config().parse_response_with_uninit_headers(&mut head, within, &mut headers) {
                // A line is judged once its end has come, so that the result does not depend on how the bytes were cut.
                Err(_) if is_beginning(whole_lines(within)) => httparse::Status::Partial,
                parsed => parsed.map_err(|error| ProtocolError(describe(error, within)))?,
            };
            let httparse::Status::Complete(length) = parsed else {
                return if bytes.len() - from > HEAD_BYTES_MAX {
                    Err(ProtocolError("response head longer than 64 KiB"))
                } else {
                    Ok(Heads::Incomplete { from })
                };
            };
            from += length;
            let status = head.code.unwrap_or(0);
            match status {
                ..100 => return Err(ProtocolError("status below 100")),
                101 => return Err(ProtocolError("status 101 though no upgrade was asked for")),
                100..200 if self.interim == INTERIM_MAX => {
                    return Err(ProtocolError("more than 100 interim responses (1xx)"));
                }
                100..200 => {
                    self.interim += 1;
                    self.interim_closes |= says_close(head.headers);
                }
                _ => {
                    self.take_head(status, &head, to_head)?;
                    if observer.sees_headers() {
                        head.headers.iter().for_each(|header| observer.header(header.name, &unfolded(header.value)));
                    }
                    return Ok(Heads::Complete { consumed: from });
                }
            }
        }
    }

    fn take_head(
        &mut self,
        status: u16,
        head: &httparse::Response<'_, '_>,
        to_head: bool,
    ) -> Result<(), ProtocolError> {
        let fields = Fields::read(head.headers)?;
        self.head = Head::new(status, head.version == Some(1), &fields, to_head);
        self.head.keep_alive &= !self.interim_closes;
        if (300..400).contains(&status) {
            let location = fields.location.map(unfolded);
            self.location = location.and_then(|value| std::str::from_utf8(&value).ok().map(Into::into));
        }
        Ok(())
    }

    /// The number of `bytes` that belong to the body, once it is complete.
    fn feed_body(
        &mut self,
        observer: &mut impl ResponseObserver,
        bytes: &[u8],
    ) -> Result<Option<usize>, ProtocolError> {
        match &mut self.head.framing {
            Framing::Head => Ok(None),
            Framing::UntilClose => {
                observer.data(bytes);
                Ok(None)
            }
            Framing::Chunked(chunked) => chunked.feed(bytes, |data| observer.data(data)),
            Framing::Length(remaining) => {
                observer.data(&bytes[..bytes.len().min(usize::try_from(*remaining).unwrap_or(usize::MAX))]);
                if *remaining <= bytes.len() as u64 {
                    let consumed = *remaining as usize;
                    *remaining = 0;
                    return Ok(Some(consumed));
                }
                *remaining -= bytes.len() as u64;
                Ok(None)
            }
        }
    }
}

/// Result of looking for a head.
enum Heads {
    /// It ends here.
    Complete { consumed: usize },
    /// Everything from here on is its beginning.
    Incomplete { from: usize },
}

impl Heads {
    fn consumed(&self) -> Option<usize> {
        match self {
            Self::Complete { consumed } => Some(*consumed),
            Self::Incomplete { .. } => None,
        }
    }
}

/// The whole lines of a head; where there is none, the first bytes, as many as a status line has.
fn whole_lines(head: &[u8]) -> &[u8] {
    const STATUS_LINE_BYTES: usize = 64;
    let end = head.iter().rposition(|&byte| byte == b'\n').map_or(STATUS_LINE_BYTES, |at| at + 1);
    &head[..head.len().min(end)]
}

/// Whether a head may begin with these lines.
fn is_beginning(lines: &[u8]) -> bool {
    let mut headers = [const { MaybeUninit::uninit() }; HEADERS_MAX];
    let mut head = httparse::Response::new(&mut []);
    config().parse_response_with_uninit_headers(&mut head, lines, &mut headers).is_ok()
}

/// A client must read folded headers: RFC 9112, section 5.2.
fn config() -> httparse::ParserConfig {
    let mut config = httparse::ParserConfig::default();
    config.allow_obsolete_multiline_headers_in_responses(true);
    config
}

/// The length of a frame of HTTP/2, which a server begins with, is below 2^16.
const HTTP2_BEGINS: u8 = 0;
/// The type of TLS's alerts (RFC 8446, section 5.1).
const TLS_ALERT_BEGINS: u8 = 0x15;

/// Names the error. Other protocols are known by the first byte, which is there however the bytes were cut.
fn describe(error: httparse::Error, head: &[u8]) -> &'static str {
    match error {
        _ if head.first() == Some(&HTTP2_BEGINS) => "the answer is not HTTP/1; if it is HTTP/2, ask by --http2",
        _ if head.first() == Some(&TLS_ALERT_BEGINS) => "the answer is not HTTP, but TLS: ask by https://",
        httparse::Error::TooManyHeaders => "more than 100 headers",
        httparse::Error::Status | httparse::Error::Version => "status line is not that of HTTP/1",
        _ => "response head is not valid HTTP/1",
    }
}

#[cfg(test)]
mod tests;
