//! Violations of the protocol end the stream or the connection, and say how.

use super::*;

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
fn bodies_that_nobody_wants_have_an_end() {
    let mut client = client_with(2);
    events(&mut client, &Frames::default().head(1, &[(":status", "200")], false).0).unwrap();
    client.cancel(1);
    let stray = Frames::default().data(1, &[0; PAYLOAD_BYTES_MAX], false).0;
    let mut frames_until =
        |limit: usize| (0..limit).find_map(|count| client.receive(&stray, |_, _| {}).err().zip(Some(count)));
    assert_eq!(frames_until(4_000), None, "what was under way when it was reset");
    let (error, more) = frames_until(4_000).unwrap();
    assert_eq!(error.code, ErrorCode::ENHANCE_YOUR_CALM);
    assert_eq!((4_000 + more + 1) * PAYLOAD_BYTES_MAX, (64 << 20) + PAYLOAD_BYTES_MAX, "{error}");
}

#[test]
fn bodies_that_nobody_wants_are_none_where_others_come() {
    let mut client = client_with(2);
    let head = |stream| Frames::default().head(stream, &[(":status", "200")], false);
    events(&mut client, &[head(1).0, head(3).0].concat()).unwrap();
    client.cancel(1);
    let both = Frames::default().data(1, &[0; PAYLOAD_BYTES_MAX], false).data(3, b"x", false).0;
    for _ in 0..10_000 {
        client.receive(&both, |_, _| {}).unwrap();
    }
}
