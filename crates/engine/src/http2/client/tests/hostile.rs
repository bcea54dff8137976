//! Violations of the protocol end the stream or the connection, and say how.

use super::*;

/// The error that ends a connection with two streams, and what its GOAWAY says.
fn error_after(frames: Frames) -> ConnectionError {
    let mut client = client_with(2);
    let error = events(&mut client, &frames.0).unwrap_err();
    let goaway = sent(&mut client).pop().unwrap();
    assert_eq!((goaway.0, &goaway.3[4..]), (kind::GOAWAY, &error.code.0.to_be_bytes()[..]), "{error}");
    error
}

#[test]
fn frames_that_no_server_may_send_end_the_connection() {
    let one = |kind, flags, stream, payload: &[u8]| Frames::default().and(kind, flags, stream, payload);
    let cases = [
        (one(kind::DATA, 0, 0, b"x"), ErrorCode::PROTOCOL, "never opened"),
        (one(kind::DATA, 0, 2, b"x"), ErrorCode::PROTOCOL, "never opened"),
        (one(kind::DATA, 0, 5, b"x"), ErrorCode::PROTOCOL, "never opened"),
        (one(kind::DATA, flag::PADDED, 1, &[3, 0, 0]), ErrorCode::PROTOCOL, "padding"),
        (one(kind::DATA, flag::PADDED, 1, &[]), ErrorCode::PROTOCOL, "padding"),
        (one(kind::HEADERS, flag::END_HEADERS, 4, &[0x88]), ErrorCode::PROTOCOL, "never opened"),
        (one(kind::HEADERS, flag::END_HEADERS, 1, &[0xbe]), ErrorCode::COMPRESSION, "dynamic table"),
        (one(kind::HEADERS, flag::PRIORITY, 1, &[0, 0]), ErrorCode::FRAME_SIZE, "priority"),
        (one(kind::HEADERS, 0, 1, &[0x88]).ok(3), ErrorCode::PROTOCOL, "not continued"),
        (one(kind::HEADERS, 0, 1, &[0x88]).and(kind::CONTINUATION, 4, 3, &[]), ErrorCode::PROTOCOL, "of nothing"),
        (one(kind::CONTINUATION, 4, 1, &[0x88]), ErrorCode::PROTOCOL, "of nothing"),
        (one(kind::PUSH_PROMISE, 4, 1, &[0, 0, 0, 2]), ErrorCode::PROTOCOL, "PUSH_PROMISE"),
        (one(kind::RST_STREAM, 0, 0, &[0; 4]), ErrorCode::PROTOCOL, "never opened"),
        (one(kind::RST_STREAM, 0, 1, &[0; 3]), ErrorCode::FRAME_SIZE, "4 bytes"),
        (one(kind::SETTINGS, 0, 1, &[]), ErrorCode::PROTOCOL, "SETTINGS on a stream"),
        (one(kind::SETTINGS, 0, 0, &[0; 5]), ErrorCode::FRAME_SIZE, "wrong length"),
        (one(kind::SETTINGS, flag::ACK, 0, &[0; 6]), ErrorCode::FRAME_SIZE, "wrong length"),
        (Frames::settings(&[(setting::ENABLE_PUSH, 1)]), ErrorCode::PROTOCOL, "ENABLE_PUSH"),
        (Frames::settings(&[(setting::MAX_FRAME_SIZE, 16_383)]), ErrorCode::PROTOCOL, "MAX_FRAME_SIZE"),
        (Frames::settings(&[(setting::MAX_FRAME_SIZE, 1 << 24)]), ErrorCode::PROTOCOL, "MAX_FRAME_SIZE"),
        (Frames::settings(&[(setting::INITIAL_WINDOW_SIZE, 1 << 31)]), ErrorCode::FLOW_CONTROL, "INITIAL_WINDOW"),
        (one(kind::PING, 0, 1, &[0; 8]), ErrorCode::PROTOCOL, "PING on a stream"),
        (one(kind::PING, 0, 0, &[0; 7]), ErrorCode::FRAME_SIZE, "8 bytes"),
        (one(kind::GOAWAY, 0, 1, &[0; 8]), ErrorCode::PROTOCOL, "GOAWAY on a stream"),
        (one(kind::GOAWAY, 0, 0, &[0; 7]), ErrorCode::FRAME_SIZE, "8 bytes"),
        (one(kind::WINDOW_UPDATE, 0, 0, &[0; 4]), ErrorCode::FLOW_CONTROL, "of nothing"),
        (one(kind::WINDOW_UPDATE, 0, 0, &[0x7f, 255, 255, 255]), ErrorCode::FLOW_CONTROL, "beyond"),
        (one(kind::WINDOW_UPDATE, 0, 1, &[0; 3]), ErrorCode::FRAME_SIZE, "4 bytes"),
        (one(kind::WINDOW_UPDATE, 0, 9, &[0, 0, 0, 1]), ErrorCode::PROTOCOL, "never opened"),
        (Frames(vec![0, 0x40, 1, 0, 0, 0, 0, 0, 1]), ErrorCode::FRAME_SIZE, "longer than 16 KiB"),
    ];
    for (frames, code, words) in cases {
        let error = error_after(frames);
        assert!(error.code == code && error.what.contains(words), "expected {code}, `{words}`; found {error}");
    }
}

#[test]
fn a_target_that_does_not_speak_http2_is_told_apart() {
    let answers: [&[u8]; 3] = [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-OpenSSH_9\r\n", b"\0\0\0\x06\0\0\0\0\0"];
    for answer in answers {
        let error = events(&mut Client::new(), answer).unwrap_err();
        assert!(error.what.contains("does not speak HTTP/2 here"), "{error}");
    }
}

#[test]
fn malformed_responses_end_their_stream_alone() {
    let status = (":status", "200");
    let none = Frames::default;
    let cases = [
        (none().data(1, b"x", false), "body before its head"),
        (none().head(1, &[("x", "y")], false), "head without :status"),
        (none().head(1, &[(":status", "abc")], false), ":status that is not"),
        (none().head(1, &[(":status", "101")], false), "status 101"),
        (none().head(1, &[(":status", "100")], true), "interim response that ends"),
        (none().head(1, &[status, (":method", "GET")], false), "pseudo-header"),
        (none().head(1, &[status], false).head(1, &[status], false), "a second head"),
        (none().head(1, &[status], false).head(1, &[status], true), ":status in trailers"),
        (
            none().head(1, &[status, ("content-length", "1")], false).data(1, b"xy", true),
            "longer than its Content-Length",
        ),
        (
            none().head(1, &[status, ("content-length", "3")], false).data(1, b"xy", true),
            "shorter than its Content-Length",
        ),
        (none().head(1, &[status, ("content-length", "3")], true), "shorter than its Content-Length"),
        (none().head(1, &[(":status", "204")], false).data(1, b"x", true), "longer than its Content-Length"),
        (none().and(kind::WINDOW_UPDATE, 0, 1, &[0; 4]), "WINDOW_UPDATE of nothing"),
        (none().head(1, &[status, ("X", "y")], true), "field name with a capital letter"),
        (none().head(1, &[status, ("x", "a\r\nSet-Cookie: b")], true), "NUL or a line break"),
        (none().head(1, &[status, ("x", "a\0")], true), "NUL or a line break"),
        (none().head(1, &[status, ("x", " a")], true), "white space around it"),
        (none().head(1, &[status, ("connection", "close")], true), "field of a connection of HTTP/1.1"),
        (none().head(1, &[status, ("transfer-encoding", "chunked")], true), "field of a connection of HTTP/1.1"),
        (none().head(1, &[("x", "y"), status], true), "pseudo-header field after another field"),
        (none().head(1, &[status], false).head(1, &[("X", "y")], true), "field name with a capital letter"),
    ];
    for (frames, words) in cases {
        let mut client = client_with(2);
        let told = events(&mut client, &frames.ok(3).0).unwrap();
        let failure = &told[told.len() - 4];
        assert!(failure.starts_with("100: malformed") && failure.contains(words), "expected `{words}`: {told:?}");
        assert_eq!(told[told.len() - 3..], ["101: 200", "101: ok", "101: complete"], "the other goes on");
    }
}

#[test]
fn floods_end_the_connection() {
    let floods = [
        (kind::PING, 0, 0, vec![0; 8], "flood"),
        (kind::SETTINGS, 0, 0, vec![], "flood"),
        (kind::CONTINUATION, 0, 1, vec![0x88; 1_000], "64 KiB"),
    ];
    for (kind, flags, stream, payload, words) in floods {
        let mut client = client_with(1);
        if kind == kind::CONTINUATION {
            events(&mut client, &Frames::default().and(kind::HEADERS, 0, 1, &[0x88]).0).unwrap();
        }
        let frame = Frames::default().and(kind, flags, stream, &payload).0;
        let error = (0..5_000).find_map(|_| events(&mut client, &frame).err()).unwrap();
        assert_eq!(error.code, ErrorCode::ENHANCE_YOUR_CALM);
        assert!(error.what.contains(words), "{error}");
        assert!(client.output().len() < 64 * 1024);
    }
}

#[test]
fn pings_between_responses_are_no_flood() {
    let mut client = client_with(0);
    for _ in 0..3_000 {
        let (stream, _) = client.open(&encoded("GET", b""), 1);
        events(&mut client, &Frames::default().and(kind::PING, 0, 0, &[0; 8]).ok(stream).0).unwrap();
        client.output.clear();
    }
}

#[test]
fn more_data_than_a_window_allows_is_an_error() {
    let mut window = ReceiveWindow::default();
    assert_eq!(window.take(RECEIVE_WINDOW as usize / 2), Ok(None));
    assert!(window.take(RECEIVE_WINDOW as usize).is_err());
}

/// Takes the output for a socket that takes nothing; how much waits there by now.
fn take_for_nobody(client: &mut Client) -> usize {
    let waiting = client.unsent + client.output.len();
    client.output.clear();
    client.set_unsent(waiting);
    waiting
}

/// The error that ends a connection whose server sends `frames` over and over and reads nothing; 20 GETs are under way,
/// and another is made wherever there is room. The connection keeps no more than is said.
fn error_of_endless(frames: impl Fn(u32) -> Frames) -> Option<ConnectionError> {
    let mut client = client_with(20);
    let mut last = 39;
    for round in 0..200_000 {
        if let Err(error) = events(&mut client, &frames(last).0) {
            assert!(client.held_bytes() <= Client::HELD_BYTES_MAX, "{} bytes", client.held_bytes());
            return Some(error);
        }
        take_for_nobody(&mut client);
        while client.can_open() && client.open_streams() < 20 {
            last = client.open(&encoded("GET", b""), round).0;
        }
        assert!(client.held_bytes() <= Client::HELD_BYTES_MAX, "{} bytes", client.held_bytes());
    }
    None
}

#[test]
fn what_nobody_reads_does_not_grow() {
    let ping = || Frames::default().and(kind::PING, 0, 0, &[0; 8]);
    let settings = || Frames::settings(&[]);
    let said = |frames: &dyn Fn(u32) -> Frames| error_of_endless(frames).map(|error| (error.code, error.what));
    let calm = ErrorCode::ENHANCE_YOUR_CALM;
    let nothing = Some((calm, "a flood of frames that bring nothing, and no response"));
    let unread = Some((calm, "the target reads nothing: more than 1 MiB wait to be sent"));
    let begun = |frames: Frames| frames.head(1, &[(":status", "200")], false);
    assert_eq!(said(&|_| ping().data(1, b"", false)), nothing, "empty DATA before a head ends its stream, once");
    assert_eq!(said(&|_| begun(ping()).data(1, b"", false)), nothing);
    assert_eq!(said(&|last| settings().head(last, &[(":status", "103")], false)), nothing);
    assert_eq!(said(&|_| Frames::default().and(2, 0, 1, &[0; 5])), nothing, "PRIORITY");
    assert_eq!(
        said(&|_| Frames::default().and(kind::RST_STREAM, 0, 1, &[0; 4])),
        nothing,
        "of a stream that has ended"
    );
    assert_eq!(said(&|last| ping().ok(last)), nothing, "once no request is made any more");
    let mut client = client_with(1);
    events(&mut client, &begun(Frames::default()).0).unwrap();
    let each = (0..500).fold(Frames::default(), |frames, _| frames.and(kind::PING, 0, 0, &[0; 8])).data(1, b"x", false);
    let error = (0..1_000).find_map(|_| {
        take_for_nobody(&mut client);
        events(&mut client, &each.0).err()
    });
    assert_eq!(error.map(|error| (error.code, error.what)), unread);
    assert!(client.held_bytes() <= Client::HELD_BYTES_MAX);
}

#[test]
fn requests_wait_where_nobody_reads_them() {
    let mut client = client_with(0);
    let mut opened = 0;
    while client.can_open() && opened < 10_000 {
        let (stream, _) = client.open(&encoded("GET", b""), 1);
        events(&mut client, &Frames::default().head(stream, &[("x", "y")], true).0).unwrap();
        take_for_nobody(&mut client);
        opened += 1;
    }
    assert!((1_000..10_000).contains(&opened), "heads and RST_STREAMs: {opened}");
    client.set_unsent(0);
    assert!(client.can_open());
}

#[test]
fn a_huge_window_is_no_reason_to_copy_a_body() {
    const BODY_BYTES: usize = 10_000_000;
    let mut client = client_with(0);
    let huge = Frames::settings(&[(setting::INITIAL_WINDOW_SIZE, 0x7fff_ffff)]).and(
        kind::WINDOW_UPDATE,
        0,
        0,
        &0x7fff_0000_u32.to_be_bytes(),
    );
    client.receive(&huge.0, |_, _| {}).unwrap();
    client.output.clear();
    client.open(&encoded("POST", &vec![1; BODY_BYTES]), 1);
    let mut sent_bytes = 0;
    loop {
        assert!(client.output.len() < OUTPUT_BYTES_HIGH + PAYLOAD_BYTES_MAX + 2 * frame::HEADER_BYTES);
        sent_bytes +=
            sent(&mut client).iter().filter(|frame| frame.0 == kind::DATA).map(|frame| frame.3.len()).sum::<usize>();
        assert!(!client.set_unsent(OUTPUT_BYTES_HIGH), "no room for it");
        if !client.set_unsent(0) {
            break;
        }
        client.send_held_back();
    }
    assert_eq!((sent_bytes, client.blocked.len()), (BODY_BYTES, 0));
}

#[test]
fn interim_responses_have_an_end() {
    let mut client = client_with(2);
    let interim = Frames::default().head(1, &[(":status", "103")], false).0;
    for _ in 0..100 {
        assert_eq!(events(&mut client, &interim).unwrap(), ["100: interim"]);
    }
    let told = events(&mut client, &interim).unwrap();
    assert_eq!(told, ["100: malformed, more than 100 interim responses (1xx)"]);
    assert_eq!(events(&mut client, &Frames::default().ok(3).0).unwrap().len(), 3);
}
