//! A request as frames, made once: every stream sends the same bytes but for its number.

use std::sync::Arc;

use super::{
    frame::{self, FLAGS_AT, HEADER_BYTES, PAYLOAD_BYTES_MAX, STREAM_AT, flag, kind},
    hpack,
};
use crate::http1::Request;

/// The frames of a request's head, and its body.
#[derive(Clone, Debug)]
pub struct EncodedRequest {
    frames: Vec<u8>,
    pub(super) body: Arc<[u8]>,
    pub(super) is_head: bool,
}

/// Fields that speak of a connection of HTTP/1.1 and must not be sent (RFC 9113, section 8.2.2), and those that have
/// become pseudo-header fields.
const NOT_SENT: [&str; 6] = ["connection", "host", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"];

impl EncodedRequest {
    /// The frames of `request`. Headers are sent as they are given, in lower case; those that only make sense on a
    /// connection of HTTP/1.1 (`Connection`, `Transfer-Encoding` …) are left out, and `Host` becomes `:authority`.
    pub fn new(request: &Request) -> Self {
        let block = header_block(request);
        let mut frames = Vec::with_capacity(block.len() + HEADER_BYTES);
        let mut fragments = block.chunks(PAYLOAD_BYTES_MAX).peekable();
        let mut kind = kind::HEADERS;
        while let Some(fragment) = fragments.next() {
            let flags = if fragments.peek().is_none() { flag::END_HEADERS } else { 0 };
            frame::write(&mut frames, kind, flags, 0, fragment);
            kind = kind::CONTINUATION;
        }
        if request.body.is_empty() {
            frames[FLAGS_AT] |= flag::END_STREAM;
        }
        Self { frames, body: request.body.as_slice().into(), is_head: request.method == "HEAD" }
    }

    /// Appends the frames of the head as `stream`.
    pub(super) fn write_head(&self, stream: u32, output: &mut Vec<u8>) {
        let mut at = output.len();
        output.extend_from_slice(&self.frames);
        while let Some(length) = frame::Frame::length(&output[at..]) {
            output[at + STREAM_AT..at + HEADER_BYTES].copy_from_slice(&stream.to_be_bytes());
            at += length;
        }
    }
}

fn header_block(request: &Request) -> Vec<u8> {
    let given = |name: &str| request.headers.iter().find(|(given, _)| given.eq_ignore_ascii_case(name));
    let authority = given("host").map_or_else(|| request.host(), |(_, value)| value.clone());
    let path = &request.url[url::Position::BeforePath..url::Position::AfterQuery];
    // No dynamic table is used, and each block says so: peers whose table is smaller than 4,096 bytes insist on hearing
    // of it (RFC 7541, section 4.2).
    let mut block = vec![hpack::NO_DYNAMIC_TABLE];
    let mut field = |name: &str, value: &str| hpack::encode_field(name, value.trim().as_bytes(), &mut block);
    field(":method", &request.method);
    field(":scheme", request.url.scheme());
    field(":authority", &authority);
    field(":path", path);
    for (name, value) in [("user-agent", crate::http1::USER_AGENT), ("accept", "*/*")] {
        if given(name).is_none() {
            field(name, value);
        }
    }
    if request.announces_length() && given("content-length").is_none() {
        field("content-length", &request.body.len().to_string());
    }
    for (name, value) in &request.headers {
        let name = name.to_ascii_lowercase();
        // Trailers are all that TE may ask for.
        let is_sent = !NOT_SENT.contains(&name.as_str()) && (name != "te" || value.eq_ignore_ascii_case("trailers"));
        if is_sent {
            field(&name, value);
        }
    }
    block
}
