//! HTTP/1.1 responses: what is read does not depend on how the bytes were cut, nothing is consumed that was not given,
//! and memory is bounded.

use plimsoll_engine::http1::{HEAD_BYTES_MAX, Progress, ProtocolError, ResponseParser};

use super::random::{Cuts, Random};

/// Responses read one after another from the same bytes.
const RESPONSES_MAX: usize = 16;

/// A complete response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub status: u16,
    pub keep_alive: bool,
    pub location: Option<String>,
    /// Where it ends, counted from the first byte of all.
    pub end: usize,
}

/// Result of reading: the responses, and the rest after the last.
#[derive(Debug, PartialEq, Eq)]
pub struct Reading {
    pub responses: Vec<Seen>,
    pub rest: Rest,
}

/// Rest after the last complete response.
#[derive(Debug, PartialEq, Eq)]
pub enum Rest {
    /// Nothing, or a part of a response; the connection's end completes it or does not.
    Incomplete { is_complete_at_end: bool },
    /// Bytes that are no response, and why.
    Wrong(ProtocolError),
    /// More responses than are looked at.
    Unread,
}

/// Reads `data` as responses to GETs and to HEADs, whole and cut in several ways, which must agree.
///
/// # Panics
///
/// If an invariant is broken.
pub fn responses(data: &[u8], cuts: Cuts) -> Reading {
    assert_same_however_cut(data, true, cuts);
    assert_same_however_cut(data, false, cuts)
}

/// Reads `data` as the body of a response in the chunked transfer coding, whole and cut in several ways.
///
/// # Panics
///
/// If an invariant is broken.
pub fn chunked(data: &[u8], cuts: Cuts) -> Reading {
    let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    assert_same_however_cut(&[head, data].concat(), false, cuts)
}

fn assert_same_however_cut(data: &[u8], to_head: bool, cuts: Cuts) -> Reading {
    let whole = read(data, to_head, || usize::MAX);
    let mut random = Random::of(data);
    for longest in cuts.of(data, &mut random) {
        let pieces = read(data, to_head, || random.up_to(longest));
        assert_eq!(pieces, whole, "in pieces of up to {longest} bytes");
    }
    whole
}

/// Reads `data` in pieces whose lengths `next_length` gives. A piece that holds the end of a response and more is cut
/// there, as if the rest had come later.
fn read(data: &[u8], to_head: bool, mut next_length: impl FnMut() -> usize) -> Reading {
    let mut parser = ResponseParser::default();
    let mut responses = Vec::new();
    let mut at = 0;
    while at < data.len() && responses.len() < RESPONSES_MAX {
        let piece = &data[at..][..next_length().min(data.len() - at)];
        let progress = parser.feed(piece, to_head);
        assert!(parser.held_bytes() <= HEAD_BYTES_MAX, "{} bytes of a head are held", parser.held_bytes());
        match progress {
            Err(error) => return Reading { responses, rest: Rest::Wrong(error) },
            Ok(Progress::Incomplete) => at += piece.len(),
            Ok(Progress::Complete(used)) => {
                assert!(used <= piece.len(), "{used} of {} bytes consumed", piece.len());
                at += used;
                responses.push(seen(&mut parser, at));
                parser.reset();
            }
        }
    }
    let is_complete_at_end = parser.ends_with_connection();
    let is_read = responses.len() < RESPONSES_MAX;
    Reading { responses, rest: if is_read { Rest::Incomplete { is_complete_at_end } } else { Rest::Unread } }
}

fn seen(parser: &mut ResponseParser, end: usize) -> Seen {
    assert!((200..1_000).contains(&parser.status()), "status {}", parser.status());
    assert!(!parser.ends_with_connection(), "only the connection's end completes it");
    let location = parser.take_location().map(String::from);
    Seen { status: parser.status(), keep_alive: parser.keep_alive(), location, end }
}
