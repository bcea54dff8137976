//! Laws that hold for any bytes.

use proptest::prelude::*;

use super::*;

/// A valid conversation on four streams: heads, bodies, trailers, padding, pings, and all that may lie between.
fn conversation() -> Vec<u8> {
    let fields = [(":status", "200"), ("content-type", "text/plain"), ("x-long", &"v".repeat(300))];
    Frames::settings(&[(setting::MAX_CONCURRENT_STREAMS, 128), (setting::INITIAL_WINDOW_SIZE, 70_000)])
        .and(kind::SETTINGS, flag::ACK, 0, &[])
        .head(3, &[(":status", "103")], false)
        .head(3, &fields, false)
        .head(1, &fields, false)
        .data(1, b"interleaved", false)
        .and(kind::DATA, flag::PADDED, 3, &[4, b'p', b'q', 0, 0, 0, 0])
        .and(kind::PING, 0, 0, b"pingping")
        .and(kind::HEADERS, 0, 5, &block(&fields)[..3])
        .and(kind::CONTINUATION, flag::END_HEADERS, 5, &block(&fields)[3..])
        .and(0x77, 3, 5, b"unknown")
        .data(5, &[b'z'; 1_000], true)
        .and(kind::WINDOW_UPDATE, 0, 0, &[0, 0, 16, 0])
        .data(1, b"", true)
        .head(3, &[("trailer", "t")], true)
        .and(kind::GOAWAY, 0, 0, &[0, 0, 0, 5, 0, 0, 0, 0, b'b', b'y', b'e'])
        .0
}

fn fresh_client() -> Client {
    let mut client = Client::new();
    for token in 0..4 {
        client.open(&encoded("POST", &[7; 100]), token);
    }
    client.output.clear();
    client
}

/// All events of `bytes` fed in the given pieces, the error that ended them, and the output.
fn outcome(bytes: &[u8], cuts: &[usize]) -> (Vec<String>, Option<ConnectionError>, Vec<u8>) {
    let mut client = fresh_client();
    let mut told = Vec::new();
    let mut from = 0;
    let mut error = None;
    for &to in cuts.iter().chain([&bytes.len()]).filter(|&&to| to <= bytes.len()) {
        if to < from || error.is_some() {
            continue;
        }
        match events(&mut client, &bytes[from..to]) {
            Ok(more) => told.extend(more),
            Err(found) => error = Some(found),
        }
        from = to;
    }
    (told, error, client.output().to_vec())
}

/// No stream is told of after its end, and what is kept stays small.
fn check(client: &mut Client, bytes: &[u8]) {
    let mut ended = [false; 4];
    let _ = client.receive(bytes, |token, event| {
        assert!(!ended[token as usize], "{token} had ended");
        ended[token as usize] = matches!(event, Event::Complete | Event::Failed(_));
    });
    assert!(client.held.len() < frame::HEADER_BYTES + PAYLOAD_BYTES_MAX);
    assert!(client.output().len() <= 64 + 17 * bytes.len() / 9 + 400, "{} from {}", client.output().len(), bytes.len());
    assert!(client.streams.len() + ended.iter().filter(|&&ended| ended).count() <= 4);
}

fn any_frame() -> impl Strategy<Value = Vec<u8>> {
    let kind = prop_oneof![8 => 0_u8..10, 1 => any::<u8>()];
    let flags = prop_oneof![Just(0), Just(1), Just(4), Just(5), any::<u8>()];
    let block = Just(block(&[(":status", "200")]));
    let payload =
        prop_oneof![block, prop::collection::vec(any::<u8>(), 0..40), Just(vec![0; 8]), Just(vec![0, 0, 0, 9])];
    (kind, flags, 0_u32..10, payload)
        .prop_map(|(kind, flags, stream, payload)| Frames::default().and(kind, flags, stream, &payload).0)
}

#[test]
fn the_conversation_is_valid() {
    let (told, error, _) = outcome(&conversation(), &[]);
    assert_eq!(error, None);
    assert_eq!(told.iter().filter(|event| event.ends_with("complete")).count(), 3, "{told:?}");
    assert_eq!(told.last().unwrap(), "3: not processed, NO_ERROR");
}

#[test]
fn byte_by_byte_is_the_same_as_all_at_once() {
    let bytes = conversation();
    assert_eq!(outcome(&bytes, &(0..bytes.len()).collect::<Vec<_>>()), outcome(&bytes, &[]));
}

proptest! {
    #[test]
    fn wherever_it_is_cut_the_same_comes(mut cuts in prop::collection::vec(0_usize..2_200, 0..20)) {
        cuts.sort_unstable();
        let bytes = conversation();
        prop_assert_eq!(outcome(&bytes, &cuts), outcome(&bytes, &[]));
    }

    #[test]
    fn a_damaged_conversation_is_told_to_its_end(damage in prop::collection::vec(any::<(usize, u8)>(), 1..6)) {
        let mut bytes = conversation();
        for (at, byte) in damage {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        check(&mut fresh_client(), &bytes);
    }

    #[test]
    fn any_frames_are_told_to_their_end(frames in prop::collection::vec(any_frame(), 0..40)) {
        let bytes = [Frames::settings(&[]).0, frames.concat()].concat();
        check(&mut fresh_client(), &bytes);
    }

    #[test]
    fn any_bytes_are_told_to_their_end(bytes in prop::collection::vec(any::<u8>(), 0..2_000), begins_well: bool) {
        let first = if begins_well { Frames::settings(&[]).0 } else { Vec::new() };
        check(&mut fresh_client(), &[first, bytes].concat());
    }
}
