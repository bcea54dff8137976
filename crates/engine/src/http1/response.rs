//! A response, read as its bytes come: where it ends, its status, and whether the connection may carry another.

use std::mem::MaybeUninit;

use super::{chunked::Chunked, last_head::LastHead};
use crate::{script::Kept, slot::Trace};

/// Bytes that a response's head may have.
pub const HEAD_BYTES_MAX: usize = 64 * 1024;
/// Headers that a response may have.
const HEADERS_MAX: usize = 100;
/// Interim responses (1xx) that may precede one: a server that sends them without end must not pass for a slow one.
const INTERIM_MAX: u8 = 100;

/// What is wrong with a response, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProtocolError(pub &'static str);

/// How far a response has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to come.
    Incomplete,
    /// It is complete; this many of the bytes given last belong to it.
    Complete(usize),
}

/// How the end of a body is found (RFC 9112, section 6.3).
#[derive(Clone, Copy, Debug, Default)]
enum Framing {
    /// The head is still to be read, or in part.
    #[default]
    Head,
    /// This many bytes are still to come.
    Length(u64),
    Chunked(Chunked),
    /// The connection's end is the body's.
    UntilClose,
}

/// What the head of a final response says about what follows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meaning {
    framing: Framing,
    status: u16,
    keep_alive: bool,
}

/// Those who look at a response as it comes; most have none.
#[derive(Default)]
pub(crate) struct Lookers<'a> {
    pub kept: Option<&'a mut Kept>,
    pub trace: Option<&'a mut Trace>,
}

impl Lookers<'_> {
    fn see_no_headers(&self) -> bool {
        self.kept.is_none() && self.trace.is_none()
    }
}

/// Reads one response after another.
#[derive(Debug, Default)]
pub struct ResponseParser {
    meaning: Meaning,
    /// Interim responses before it, so far.
    interim: u8,
    /// The part of the head that came so far, if it did not come in one piece.
    partial_head: Vec<u8>,
    location: Option<Box<str>>,
}

impl ResponseParser {
    /// Status of the response; 0 before its head is complete.
    pub fn status(&self) -> u16 {
        self.meaning.status
    }

    /// Whether the connection may carry another request after this response.
    pub fn keep_alive(&self) -> bool {
        self.meaning.keep_alive
    }

    /// The `Location` of a redirect, once.
    pub fn take_location(&mut self) -> Option<Box<str>> {
        self.location.take()
    }

    /// How many bytes of a head that is not complete it keeps: [`HEAD_BYTES_MAX`] at most.
    pub fn held_bytes(&self) -> usize {
        self.partial_head.len()
    }

    /// Makes ready for the next response.
    pub fn reset(&mut self) {
        self.meaning.framing = Framing::Head;
        self.meaning.status = 0;
        self.interim = 0;
        if self.partial_head.capacity() > 0 {
            self.partial_head = Vec::new();
        }
        self.location = None;
    }

    /// Reads what came next. `to_head` says that the request was a HEAD, whose response has no body.
    pub fn feed(&mut self, bytes: &[u8], to_head: bool) -> Result<Progress, ProtocolError> {
        self.feed_shown_to(&mut Lookers::default(), &mut LastHead::default(), bytes, to_head)
    }

    /// The same, shown to whom it concerns, by one that has read `last` before.
    #[inline]
    pub(crate) fn feed_shown_to(
        &mut self,
        lookers: &mut Lookers<'_>,
        last: &mut LastHead,
        bytes: &[u8],
        to_head: bool,
    ) -> Result<Progress, ProtocolError> {
        let mut used = 0;
        if matches!(self.meaning.framing, Framing::Head) {
            let is_whole = self.partial_head.is_empty() && self.interim == 0 && lookers.see_no_headers();
            let known = if is_whole { last.recall(bytes, to_head) } else { None };
            if let Some((length, meaning)) = known {
                self.meaning = meaning;
                used = length;
            } else {
                match self.feed_head(lookers, bytes, to_head)? {
                    Some(consumed) => used = consumed,
                    None => return Ok(Progress::Incomplete),
                }
                if is_whole && self.interim == 0 && self.location.is_none() {
                    last.remember(&bytes[..used], to_head, self.meaning);
                }
            }
        }
        self.feed_body(lookers, &bytes[used..]).map(|complete| match complete {
            Some(consumed) => Progress::Complete(used + consumed),
            None => Progress::Incomplete,
        })
    }

    /// Whether the response is complete now that the connection has ended.
    pub fn ends_with_connection(&self) -> bool {
        matches!(self.meaning.framing, Framing::UntilClose)
    }

    /// The number of `bytes` that belong to the head, once it is complete.
    fn feed_head(
        &mut self,
        lookers: &mut Lookers<'_>,
        bytes: &[u8],
        to_head: bool,
    ) -> Result<Option<usize>, ProtocolError> {
        if self.partial_head.is_empty() {
            let read = self.read_heads(lookers, bytes, to_head)?;
            if let Heads::Incomplete { from } = read {
                self.partial_head.extend_from_slice(&bytes[from..]);
            }
            return Ok(read.consumed());
        }
        let mut held = std::mem::take(&mut self.partial_head);
        let before = held.len();
        held.extend_from_slice(bytes);
        match self.read_heads(lookers, &held, to_head)? {
            Heads::Complete { consumed } => Ok(Some(consumed - before)),
            Heads::Incomplete { from } => {
                held.drain(..from);
                self.partial_head = held;
                Ok(None)
            }
        }
    }

    /// Reads the head, and the interim ones (1xx) before it.
    fn read_heads(&mut self, lookers: &mut Lookers<'_>, bytes: &[u8], to_head: bool) -> Result<Heads, ProtocolError> {
        let mut from = 0;
        loop {
            let mut headers = [const { MaybeUninit::uninit() }; HEADERS_MAX];
            let mut head = httparse::Response::new(&mut []);
            let config = httparse::ParserConfig::default();
            // No more than a head may have is looked at, so that the limit does not depend on how the bytes were cut.
            let within = &bytes[from..bytes.len().min(from + HEAD_BYTES_MAX)];
            let parsed = config
                .parse_response_with_uninit_headers(&mut head, within, &mut headers)
                .map_err(|error| ProtocolError(describe(error)))?;
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
                100..200 => self.interim += 1,
                _ => {
                    self.take_head(status, &head, to_head)?;
                    if let Some(kept) = &mut lookers.kept {
                        head.headers.iter().for_each(|header| kept.header(header.name, header.value));
                    }
                    if let Some(trace) = &mut lookers.trace {
                        head.headers.iter().for_each(|header| trace.header(header.name.as_bytes(), header.value));
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
        self.meaning.status = status;
        self.meaning.keep_alive = if head.version == Some(1) { !fields.close } else { fields.keep_alive };
        if (300..400).contains(&status) {
            self.location = fields.location.and_then(|value| std::str::from_utf8(value).ok()).map(Into::into);
        }
        self.meaning.framing = if to_head || status == 204 || status == 304 {
            Framing::Length(0)
        } else if fields.chunked {
            // Both headers at once can smuggle: RFC 9112, section 6.1, has the connection closed then.
            self.meaning.keep_alive &= fields.length.is_none();
            Framing::Chunked(Chunked::new())
        } else if fields.other_coding {
            Framing::UntilClose
        } else {
            fields.length.map_or(Framing::UntilClose, Framing::Length)
        };
        if self.ends_with_connection() {
            self.meaning.keep_alive = false;
        }
        Ok(())
    }

    /// The number of `bytes` that belong to the body, once it is complete.
    fn feed_body(&mut self, lookers: &mut Lookers<'_>, bytes: &[u8]) -> Result<Option<usize>, ProtocolError> {
        let mut keep = |data: &[u8]| {
            if let Some(kept) = &mut lookers.kept {
                kept.data(data);
            }
        };
        match &mut self.meaning.framing {
            Framing::Head => Ok(None),
            Framing::UntilClose => {
                keep(bytes);
                Ok(None)
            }
            Framing::Chunked(chunked) => chunked.feed(bytes, keep),
            Framing::Length(remaining) => {
                keep(&bytes[..bytes.len().min(usize::try_from(*remaining).unwrap_or(usize::MAX))]);
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

/// What came of looking for a head.
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

/// The headers that matter to a client that keeps no body.
#[derive(Default)]
struct Fields<'a> {
    length: Option<u64>,
    chunked: bool,
    other_coding: bool,
    close: bool,
    keep_alive: bool,
    location: Option<&'a [u8]>,
}

impl<'a> Fields<'a> {
    fn read(headers: &[httparse::Header<'a>]) -> Result<Self, ProtocolError> {
        let mut fields = Self::default();
        for header in headers {
            // The length of a name rules out nearly all of them at once.
            match header.name.len() {
                14 if header.name.eq_ignore_ascii_case("content-length") => fields.take_length(header.value)?,
                17 if header.name.eq_ignore_ascii_case("transfer-encoding") => fields.take_coding(header.value),
                10 if header.name.eq_ignore_ascii_case("connection") => fields.take_connection(header.value),
                8 if header.name.eq_ignore_ascii_case("location") => fields.location = Some(header.value),
                _ => {}
            }
        }
        Ok(fields)
    }

    fn take_length(&mut self, value: &[u8]) -> Result<(), ProtocolError> {
        let text = std::str::from_utf8(value).unwrap_or_default().trim();
        let digits_only = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let length = text.parse().ok().filter(|_| digits_only);
        let Some(length) = length else { return Err(ProtocolError("Content-Length is not a number")) };
        if self.length.is_some_and(|before| before != length) {
            return Err(ProtocolError("two Content-Lengths that differ"));
        }
        self.length = Some(length);
        Ok(())
    }

    fn take_coding(&mut self, value: &[u8]) {
        let last = tokens(value).last();
        self.chunked = last.is_some_and(|coding| coding.eq_ignore_ascii_case(b"chunked"));
        self.other_coding = !self.chunked;
    }

    fn take_connection(&mut self, value: &[u8]) {
        for token in tokens(value) {
            self.close |= token.eq_ignore_ascii_case(b"close");
            self.keep_alive |= token.eq_ignore_ascii_case(b"keep-alive");
        }
    }
}

fn tokens(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii)
}

fn describe(error: httparse::Error) -> &'static str {
    match error {
        httparse::Error::TooManyHeaders => "more than 100 headers",
        httparse::Error::Status | httparse::Error::Version => "status line is not that of HTTP/1",
        _ => "response head is not valid HTTP/1",
    }
}

#[cfg(test)]
mod tests;
