//! Frames of an HTTP/2 server: what is told of streams does not depend on how the bytes are cut, each stream ends once,
//! no more of a body is sent than the windows allow, and memory is bounded.

use std::sync::OnceLock;

use plimsoll_engine::{
    Request,
    http2::{Client, EncodedRequest, Event, StreamFailure},
};

use super::random::{Cuts, Random};

const BODY_BYTES: usize = 100_000;
/// The requests that are open: a GET, a HEAD, and a POST whose body needs more than one window.
const STREAMS: usize = 3;
const PREFACE_BYTES: usize = 24;
const FRAME_HEADER_BYTES: usize = 9;

/// An event of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    Interim,
    Head(u16),
    Data(usize),
    Complete,
    Failed(StreamFailure),
}

/// Result of reading.
#[derive(Debug, PartialEq, Eq)]
pub struct Reading {
    pub events: Vec<(u32, Seen)>,
    /// Error of the connection, if there was one.
    pub error: Option<&'static str>,
    /// Bytes that the client sent, its preface included.
    pub output: Vec<u8>,
}

impl Reading {
    /// Number of streams with a complete response.
    pub fn completed(&self) -> usize {
        self.events.iter().filter(|(_, seen)| *seen == Seen::Complete).count()
    }
}

/// Reads `data` as all that a server sends to a client with three requests under way, whole and cut in several ways.
///
/// # Panics
///
/// If an invariant is broken.
pub fn frames(data: &[u8], cuts: Cuts) -> Reading {
    let whole = read(data, || usize::MAX);
    let mut random = Random::of(data);
    for longest in cuts.of(data, &mut random) {
        assert_eq!(read(data, || random.up_to(longest)), whole, "in pieces of up to {longest} bytes");
    }
    assert_streams_end_once(&whole);
    assert_output_is_allowed(&whole.output, data);
    whole
}

fn read(data: &[u8], mut next_length: impl FnMut() -> usize) -> Reading {
    let mut client = Client::new();
    for (token, request) in (0..).zip(requests()) {
        client.open(request, token);
    }
    let mut reading = Reading { events: Vec::new(), error: None, output: Vec::new() };
    let mut at = 0;
    while at < data.len() && reading.error.is_none() {
        let piece = &data[at..][..next_length().min(data.len() - at)];
        at += piece.len();
        let result = client.receive(piece, |token, event| reading.events.push((token, seen(&event))));
        reading.error = result.err().map(|error| error.what);
        assert!(client.held_bytes() <= Client::HELD_BYTES_MAX, "{} bytes are held", client.held_bytes());
    }
    let ended = reading.events.iter().filter(|(_, seen)| is_end(seen)).count();
    assert_eq!(client.open_streams(), STREAMS - ended);
    client.swap_output(&mut reading.output);
    reading
}

/// Made once.
fn requests() -> &'static [EncodedRequest; STREAMS] {
    static REQUESTS: OnceLock<[EncodedRequest; STREAMS]> = OnceLock::new();
    REQUESTS.get_or_init(|| {
        let get = Request::get("http://fuzz/".parse().expect("a URL"));
        let head = Request { method: "HEAD".to_owned(), ..get.clone() };
        let post = Request { method: "POST".to_owned(), body: vec![b'x'; BODY_BYTES], ..get.clone() };
        [get, head, post].map(|request| EncodedRequest::new(&request))
    })
}

fn seen(event: &Event<'_>) -> Seen {
    match *event {
        Event::Interim => Seen::Interim,
        Event::Head { status, fields } => {
            assert!(fields.into_iter().all(|field| field.is_ok()), "a head is told after it was read");
            Seen::Head(status)
        }
        Event::Data(data) => Seen::Data(data.len()),
        Event::Complete => Seen::Complete,
        Event::Failed(failure) => Seen::Failed(failure),
    }
}

fn is_end(seen: &Seen) -> bool {
    matches!(seen, Seen::Complete | Seen::Failed(_))
}

/// After a stream's end nothing is told of it, and before a body there is a head.
fn assert_streams_end_once(reading: &Reading) {
    for token in 0..STREAMS as u32 {
        let events: Vec<_> = reading.events.iter().filter(|(of, _)| *of == token).map(|(_, seen)| seen).collect();
        let ends = events.iter().position(|seen| is_end(seen)).unwrap_or(events.len());
        assert!(ends + 1 >= events.len(), "{events:?}");
        let heads = events.iter().filter(|seen| matches!(seen, Seen::Head(_))).count();
        assert!(heads <= 1, "{events:?}");
        let needs_head = |seen: &&&Seen| matches!(seen, Seen::Data(_) | Seen::Complete);
        let head_at = events.iter().position(|seen| matches!(seen, Seen::Head(_)));
        if let Some(first) = events.iter().position(|seen| needs_head(&seen)) {
            assert!(head_at.is_some_and(|at| at < first), "{events:?}");
        }
    }
}

/// The output is whole frames, and the body in it is no longer than what `received` allows to send.
fn assert_output_is_allowed(output: &[u8], received: &[u8]) {
    let mut sent = 0;
    for (kind, flags, stream, payload) in whole_frames(&output[PREFACE_BYTES..]) {
        assert!(payload.len() <= 16_384);
        if kind == 0 {
            assert_eq!(stream, 5, "only the third request has a body");
            sent += payload.len();
            assert_eq!(flags & 1 == 1, sent == BODY_BYTES, "the last part ends the stream");
        }
    }
    let granted: u64 = whole_frames(received)
        .filter(|&(kind, _, stream, payload)| kind == 8 && stream == 0 && payload.len() == 4)
        .map(|(.., payload)| u64::from(u32::from_be_bytes(payload.try_into().expect("four bytes")) & 0x7fff_ffff))
        .sum();
    assert!(sent as u64 <= 65_535 + granted, "{sent} bytes sent");
}

/// Kind, flags, stream and payload of the whole frames that `bytes` begin with.
fn whole_frames(mut bytes: &[u8]) -> impl Iterator<Item = (u8, u8, u32, &[u8])> {
    std::iter::from_fn(move || {
        let (header, rest) = bytes.split_first_chunk::<FRAME_HEADER_BYTES>()?;
        let &[a, b, c, kind, flags, s0, s1, s2, s3] = header;
        let (payload, after) = rest.split_at_checked(u32::from_be_bytes([0, a, b, c]) as usize)?;
        bytes = after;
        Some((kind, flags, u32::from_be_bytes([s0, s1, s2, s3]) & 0x7fff_ffff, payload))
    })
}
