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
