//! Heads of responses: what their headers say of the body, and of the connection.

use std::borrow::Cow;

use super::{chunked::Chunked, error::ProtocolError};

/// Ways to find the end of a body (RFC 9112, section 6.3).
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Framing {
    /// The head is still to be read, or in part.
    #[default]
    Head,
    /// This many bytes are still to come.
    Length(u64),
    Chunked(Chunked),
    /// The connection's end is the body's.
    UntilClose,
}

/// The head of a final response, as far as it tells what follows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Head {
    pub framing: Framing,
    pub status: u16,
    pub keep_alive: bool,
}

impl Head {
    /// The head of a response with these `fields`; `to_head` says that the request was a HEAD.
    pub fn new(status: u16, is_http_1_1: bool, fields: &Fields<'_>, to_head: bool) -> Self {
        let framing = if to_head || status == 204 || status == 304 {
            Framing::Length(0)
        } else if fields.chunked {
            Framing::Chunked(Chunked::new())
        } else if fields.other_coding {
            Framing::UntilClose
        } else {
            fields.length.map_or(Framing::UntilClose, Framing::Length)
        };
        // RFC 9112, section 9.3: `close` wins over `keep-alive`.
        let lets_keep = !fields.close && (is_http_1_1 || fields.keep_alive);
        // Content-Length beside Transfer-Encoding can smuggle requests, and HTTP/1.0 knows no codings. RFC 9112,
        // section 6.1, has the connection closed in both cases, with a body or without.
        let has_coding = fields.chunked || fields.other_coding;
        let is_clear = !has_coding || (is_http_1_1 && fields.length.is_none());
        let has_end = !matches!(framing, Framing::UntilClose);
        Self { framing, status, keep_alive: lets_keep && has_end && is_clear }
    }
}

/// The headers that matter to a client that keeps no body.
#[derive(Default)]
pub(super) struct Fields<'a> {
    length: Option<u64>,
    chunked: bool,
    other_coding: bool,
    close: bool,
    keep_alive: bool,
    pub location: Option<&'a [u8]>,
}

impl<'a> Fields<'a> {
    /// Reads those of a head.
    pub fn read(headers: &[httparse::Header<'a>]) -> Result<Self, ProtocolError> {
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
        let text = std::str::from_utf8(value.trim_ascii()).unwrap_or_default();
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

/// Whether one of a head's `Connection` fields says that the connection closes.
pub(super) fn says_close(headers: &[httparse::Header<'_>]) -> bool {
    let mut options = headers.iter().filter(|header| header.name.eq_ignore_ascii_case("connection"));
    options.any(|header| tokens(header.value).any(|token| token.eq_ignore_ascii_case(b"close")))
}

/// A value without the line breaks of obs-fold, each of which RFC 9112, section 5.2, has a client replace by spaces.
pub(super) fn unfolded(value: &[u8]) -> Cow<'_, [u8]> {
    if !value.contains(&b'\n') {
        return Cow::Borrowed(value);
    }
    value.iter().map(|&byte| if matches!(byte, b'\r' | b'\n') { b' ' } else { byte }).collect()
}

fn tokens(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii)
}
