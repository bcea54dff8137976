//! The client against a server written frame by frame.

mod bodies;
mod hostile;
mod laws;

use super::*;
use crate::{
    Request,
    http2::{
        hpack,
        testing::{Frames, block, frames_of, settings_payload},
    },
};

fn encoded(method: &str, body: &[u8]) -> EncodedRequest {
    let url = "http://h:1/a?b=c".parse().unwrap();
    EncodedRequest::new(&Request { url, method: method.to_owned(), headers: Vec::new(), body: body.to_vec() })
}

/// A client with that many GETs under way, tokens 100, 101 …; what it has sent so far is cleared.
fn client_with(streams: u32) -> Client {
    let mut client = Client::new();
    client.receive(&Frames::settings(&[]).0, |_, _| panic!("nothing came on a stream")).unwrap();
    for token in 0..streams {
        client.open(&encoded("GET", b""), 100 + token);
    }
    client.output.clear();
    client
}

/// Events as text, e.g. `100: 200`.
fn events(client: &mut Client, bytes: &[u8]) -> Result<Vec<String>, ConnectionError> {
    let mut events = Vec::new();
    client.receive(bytes, |token, event| {
        events.push(match event {
            Event::Interim => format!("{token}: interim"),
            Event::Head { status, .. } => format!("{token}: {status}"),
            Event::Data(data) => format!("{token}: {}", String::from_utf8_lossy(data)),
            Event::Complete => format!("{token}: complete"),
            Event::Failed(StreamFailure::NotProcessed(code)) => format!("{token}: not processed, {code}"),
            Event::Failed(StreamFailure::Reset(code)) => format!("{token}: reset, {code}"),
            Event::Failed(StreamFailure::Malformed(what)) => format!("{token}: malformed, {what}"),
        });
    })?;
    Ok(events)
}

/// Frames that the client has to send, as kind, flags, stream and payload; they count as sent.
fn sent(client: &mut Client) -> Vec<(u8, u8, u32, Vec<u8>)> {
    let frames = frames_of(client.output());
    client.output.clear();
    frames
}

#[test]
fn a_connection_begins_with_the_preface_and_settings() {
    let mut client = Client::new();
    assert!(client.output().starts_with(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    let settings = settings_payload(&[(1, 0), (2, 0), (4, RECEIVE_WINDOW), (6, 65_536)]);
    let window = (RECEIVE_WINDOW - 65_535).to_be_bytes().to_vec();
    assert_eq!(sent(&mut client), [(4, 0, 0, settings), (8, 0, 0, window)]);
}

#[test]
fn a_request_is_its_fields_and_its_stream() {
    let mut client = client_with(2);
    let (stream, bytes) = client.open(&encoded("GET", b""), 7);
    assert_eq!((stream, bytes), (5, client.output().len()));
    let frames = sent(&mut client);
    let [(kind::HEADERS, flags, 5, block)] = frames.as_slice() else { panic!("{frames:?}") };
    assert_eq!(*flags, flag::END_HEADERS | flag::END_STREAM);
    let text = |text: hpack::Text<'_>| String::from_utf8(text.to_bytes().unwrap()).unwrap();
    let fields = Fields::new(block).flatten().map(|field| format!("{} {}", text(field.name), text(field.value)));
    let agent = concat!("user-agent plimsoll/", env!("CARGO_PKG_VERSION"));
    let expected =
        [":method GET", ":scheme http", ":authority h:1", ":path /a?b=c", agent, "accept */*"].map(str::to_owned);
    assert_eq!(fields.collect::<Vec<_>>(), expected);
}

#[test]
fn responses_come_in_any_order_and_in_pieces() {
    let mut client = client_with(2);
    let frames = Frames::default()
        .head(3, &[(":status", "404")], true)
        .head(1, &[(":status", "103")], false)
        .head(1, &[(":status", "200")], false)
        .data(1, b"he", false)
        .data(1, b"", false)
        .data(1, b"llo", false)
        .head(1, &[("checksum", "1")], true);
    let expected = ["101: 404", "101: complete", "100: interim", "100: 200", "100: he", "100: llo", "100: complete"];
    assert_eq!(events(&mut client, &frames.0).unwrap(), expected);
    assert_eq!((client.open_streams(), client.output().len()), (0, 0));
}

#[test]
fn padding_priorities_continuations_and_what_is_unknown_are_read_over() {
    let mut client = client_with(2);
    let fields = block(&[(":status", "200"), ("x", "y")]);
    let padded = [&[3, 0, 0, 0, 0, 9], &fields[..], &[0, 0, 0]].concat();
    let all_flags = flag::END_HEADERS | flag::PADDED | flag::PRIORITY;
    let frames = Frames::default()
        .and(2, 0, 1, &[0, 0, 0, 0, 9])
        .and(kind::HEADERS, all_flags, 1, &padded)
        .and(kind::DATA, flag::PADDED | flag::END_STREAM, 1, &[2, b'a', 0, 0])
        .and(0xbe, 0xff, 0, b"an extension")
        .and(kind::HEADERS, flag::END_STREAM, 3, &fields[..1])
        .and(kind::CONTINUATION, 0, 3, &[])
        .and(kind::CONTINUATION, flag::END_HEADERS, 3, &fields[1..]);
    let expected = ["100: 200", "100: a", "100: complete", "101: 200", "101: complete"];
    assert_eq!(events(&mut client, &frames.0).unwrap(), expected);
}

#[test]
fn fields_can_be_had_when_the_head_comes() {
    let mut client = client_with(1);
    let mut location = None;
    let frames = Frames::default().head(1, &[(":status", "302"), ("location", "/next")], true);
    let read = client.receive(&frames.0, |_, event| {
        if let Event::Head { fields, .. } = event {
            location = fields.get("location").map(|value| value.to_bytes().unwrap());
        }
    });
    assert_eq!((read, location), (Ok(()), Some(b"/next".to_vec())));
}

#[test]
fn a_response_to_head_and_one_without_a_body_may_announce_a_length() {
    let mut client = client_with(0);
    client.open(&encoded("HEAD", b""), 1);
    client.open(&encoded("GET", b""), 2);
    let frames = Frames::default().head(1, &[(":status", "200"), ("content-length", "9")], true).head(
        3,
        &[(":status", "304"), ("content-length", "9")],
        true,
    );
    assert_eq!(events(&mut client, &frames.0).unwrap(), ["1: 200", "1: complete", "2: 304", "2: complete"]);
}

#[test]
fn settings_and_pings_are_acknowledged() {
    let mut client = client_with(0);
    let frames = Frames::settings(&[(99, 1)])
        .and(kind::SETTINGS, flag::ACK, 0, &[])
        .and(kind::PING, 0, 0, b"01234567")
        .and(kind::PING, flag::ACK, 0, b"01234567");
    events(&mut client, &frames.0).unwrap();
    let acks = [(kind::SETTINGS, flag::ACK, 0, vec![]), (kind::PING, flag::ACK, 0, b"01234567".to_vec())];
    assert_eq!(sent(&mut client), acks);
}

#[test]
fn no_more_streams_are_open_than_the_target_allows() {
    let mut client = client_with(3);
    assert!(client.can_open());
    events(&mut client, &Frames::settings(&[(setting::MAX_CONCURRENT_STREAMS, 3)]).0).unwrap();
    assert!(!client.can_open() && !client.is_ending());
    events(&mut client, &Frames::default().ok(3).0).unwrap();
    assert!(client.can_open());
}

#[test]
fn what_a_target_that_goes_away_has_not_begun_can_be_made_again() {
    let mut client = client_with(3);
    let frames = Frames::default().and(kind::GOAWAY, 0, 0, &[0, 0, 0, 1, 0, 0, 0, 0]).ok(1);
    let expected =
        ["101: not processed, NO_ERROR", "102: not processed, NO_ERROR", "100: 200", "100: ok", "100: complete"];
    assert_eq!(events(&mut client, &frames.0).unwrap(), expected);
    assert!(!client.can_open() && client.is_ending());
    assert_eq!((client.open_streams(), client.going_away()), (0, Some(ErrorCode(0))));
}

#[test]
fn a_reset_says_whether_the_request_was_begun() {
    let mut client = client_with(2);
    let frames =
        Frames::default().and(kind::RST_STREAM, 0, 1, &[0, 0, 0, 7]).and(kind::RST_STREAM, 0, 3, &[0, 0, 0, 2]);
    let expected = ["100: not processed, REFUSED_STREAM", "101: reset, INTERNAL_ERROR"];
    assert_eq!(events(&mut client, &frames.0).unwrap(), expected);
    assert!(client.output().is_empty() && client.can_open());
}

#[test]
fn nothing_is_told_of_a_stream_that_was_given_up() {
    let mut client = client_with(1);
    client.cancel(1);
    client.cancel(1);
    assert_eq!(sent(&mut client), [(kind::RST_STREAM, 0, 1, vec![0, 0, 0, 8])]);
    assert_eq!(events(&mut client, &Frames::default().ok(1).0).unwrap(), [""; 0]);
}

#[test]
fn a_connection_ends_when_the_numbers_of_streams_are_used_up() {
    let mut client = client_with(0);
    client.next_stream = STREAM_ID_MAX;
    let (last, _) = client.open(&encoded("GET", b""), 1);
    assert!(last == STREAM_ID_MAX && client.is_ending() && !client.can_open());
    assert_eq!(events(&mut client, &Frames::default().ok(last).0).unwrap().len(), 3);
}
