//! Bodies and the windows that hold them back.

use super::*;

/// Lengths of the DATA frames of a stream, and whether the last one ended it.
fn data_of(frames: &[(u8, u8, u32, Vec<u8>)], of: u32) -> (Vec<usize>, bool) {
    let data = frames.iter().filter(|(kind, _, stream, _)| (*kind, *stream) == (kind::DATA, of));
    let ends = data.clone().any(|(_, flags, ..)| flags & flag::END_STREAM != 0);
    (data.map(|(.., payload)| payload.len()).collect(), ends)
}

fn window_update(stream: u32, increment: u32) -> Vec<u8> {
    Frames::default().and(kind::WINDOW_UPDATE, 0, stream, &increment.to_be_bytes()).0
}

#[test]
fn a_body_that_fits_is_sent_at_once() {
    let mut client = client_with(0);
    client.open(&encoded("POST", b"hello"), 1);
    let frames = sent(&mut client);
    assert_eq!(frames[0].1, flag::END_HEADERS);
    assert_eq!(frames[1..], [(kind::DATA, flag::END_STREAM, 1, b"hello".to_vec())]);
}

#[test]
fn a_body_waits_for_both_windows() {
    let mut client = client_with(0);
    client.open(&encoded("POST", &vec![1; 100_000]), 1);
    assert_eq!(data_of(&sent(&mut client), 1), (vec![16_384, 16_384, 16_384, 16_383], false));
    client.receive(&window_update(1, 1_000_000), |_, _| {}).unwrap();
    assert_eq!(sent(&mut client), [], "the connection's window is used up");
    client.receive(&window_update(0, 10_000), |_, _| {}).unwrap();
    assert_eq!(data_of(&sent(&mut client), 1), (vec![10_000], false));
    client.open(&encoded("POST", b"behind"), 2);
    client.receive(&window_update(0, 24_465 + 6), |_, _| {}).unwrap();
    let frames = sent(&mut client);
    assert_eq!(data_of(&frames, 1), (vec![16_384, 8_081], true));
    assert_eq!(data_of(&frames, 3), (vec![6], true));
    assert!(client.blocked.is_empty());
}

#[test]
fn a_change_of_the_initial_window_reaches_open_streams() {
    let mut client = client_with(0);
    let window = |bytes| Frames::settings(&[(setting::INITIAL_WINDOW_SIZE, bytes)]).0;
    client.receive(&window(10), |_, _| {}).unwrap();
    client.open(&encoded("POST", &[1; 100]), 1);
    assert_eq!(data_of(&sent(&mut client), 1), (vec![10], false));
    client.receive(&window(4), |_, _| {}).unwrap();
    client.receive(&window_update(1, 6), |_, _| {}).unwrap();
    assert_eq!(data_of(&sent(&mut client), 1), (vec![], false), "the window had become negative");
    client.receive(&window(200), |_, _| {}).unwrap();
    assert_eq!(data_of(&sent(&mut client), 1), (vec![90], true));
}

#[test]
fn an_early_answer_ends_the_request() {
    let mut client = client_with(0);
    client.open(&encoded("POST", &vec![1; 100_000]), 1);
    client.output.clear();
    assert_eq!(events(&mut client, &Frames::default().ok(1).0).unwrap(), ["1: 200", "1: ok", "1: complete"]);
    assert_eq!(sent(&mut client), [(kind::RST_STREAM, 0, 1, vec![0, 0, 0, 8])]);
    assert!(client.blocked.is_empty());
}

#[test]
fn windows_for_the_target_are_opened_again_in_time() {
    let mut client = client_with(1);
    events(&mut client, &Frames::default().head(1, &[(":status", "200")], false).0).unwrap();
    let frame = Frames::default().data(1, &[0; PAYLOAD_BYTES_MAX], false).0;
    for _ in 0..(RECEIVE_WINDOW / 2) as usize / PAYLOAD_BYTES_MAX {
        client.receive(&frame, |_, _| {}).unwrap();
    }
    assert_eq!(sent(&mut client), []);
    client.receive(&frame, |_, _| {}).unwrap();
    let increment = (RECEIVE_WINDOW / 2 + 1).next_multiple_of(PAYLOAD_BYTES_MAX as u32).to_be_bytes().to_vec();
    let expected = [(kind::WINDOW_UPDATE, 0, 0, increment.clone()), (kind::WINDOW_UPDATE, 0, 1, increment)];
    assert_eq!(sent(&mut client), expected);
}

#[test]
fn a_long_head_is_continued() {
    let mut client = client_with(0);
    let url: url::Url = "http://h/".parse().unwrap();
    let headers = vec![("x".to_owned(), "y".repeat(40_000))];
    let request = Request { url, method: "GET".to_owned(), headers, body: Vec::new() };
    client.open(&EncodedRequest::new(&request), 1);
    let shapes: Vec<_> = sent(&mut client).into_iter().map(|(kind, flags, id, _)| (kind, flags, id)).collect();
    assert_eq!(shapes, [(1, flag::END_STREAM, 1), (9, 0, 1), (9, flag::END_HEADERS, 1)]);
}
