//! The parsers alone: bytes in, events out.

use plimsoll_drive::Request;
use plimsoll_engine::{
    http1::{HEAD_BYTES_MAX, Progress, ResponseParser},
    http2::{Client, EncodedRequest, Event, StreamFailure},
};
use plimsoll_hostile::{Behaviour, Connections, Ends, Family, Place, Step, frames::Frames};
use plimsoll_record::ErrorKind;

/// Bytes that a flood brings here: more than any limit.
const FLOOD_BYTES: usize = 2 << 20;
/// Bytes that come at once.
const PIECE_BYTES: usize = 1_000;

/// Whether the parsers make of the bytes what is said, and keep no more of them than they may.
pub fn judge(behaviour: &Behaviour) -> Result<(), String> {
    if behaviour.place != Place::Requested {
        return Ok(());
    }
    let Some(bytes) = bytes_of(behaviour) else { return Ok(()) };
    match behaviour.family {
        Family::Http1 => http1(behaviour, &bytes),
        Family::Http2 => http2(behaviour, &bytes),
        _ => Ok(()),
    }
}

/// All that is sent, if it is known without a socket.
fn bytes_of(behaviour: &Behaviour) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for step in &behaviour.steps {
        match step {
            Step::Send(piece) => bytes.extend(piece),
            Step::Frames(frames) => bytes.extend(frames(1).0),
            Step::Flood(piece) => bytes.extend(piece.repeat(FLOOD_BYTES / piece.len())),
            Step::FloodFrames(frames) => {
                let piece = frames(1).0;
                bytes.extend(piece.repeat(FLOOD_BYTES / piece.len()));
            }
            _ => return None,
        }
    }
    Some(bytes)
}

fn http1(behaviour: &Behaviour, bytes: &[u8]) -> Result<(), String> {
    let mut parser = ResponseParser::default();
    for piece in bytes.chunks(PIECE_BYTES) {
        match parser.feed(piece, false) {
            Ok(Progress::Incomplete) => {}
            Ok(Progress::Complete(used)) => {
                let is_clean = parser.keep_alive() && used == piece.len();
                let is_kept = behaviour.outcome.connections == Connections::Kept;
                if !behaviour.outcome.kinds.is_empty() {
                    // The answer is whole; what fails is what it asks for.
                    return Ok(());
                }
                return (is_clean == is_kept)
                    .then_some(())
                    .ok_or_else(|| "the parser alone sees another end".to_owned());
            }
            Err(error) => return expect(behaviour, ErrorKind::Protocol, error.0),
        }
        assert_held(behaviour, parser.held_bytes())?;
    }
    ends_otherwise(behaviour)
}

/// No more than is said, and what is said is no more than there is.
fn assert_held(behaviour: &Behaviour, held: usize) -> Result<(), String> {
    let most = behaviour.bounds.held_bytes_max;
    if held <= most { Ok(()) } else { Err(format!("the parser holds {held} bytes, expected {most} at most")) }
}

/// All bytes came, and the parser waits for more: only a time-out or the connection's end can end that.
fn ends_otherwise(behaviour: &Behaviour) -> Result<(), String> {
    let outcome = &behaviour.outcome;
    let ends = [ErrorKind::ClosedBeforeResponse, ErrorKind::Reset];
    let by_the_connection = outcome.kinds.is_empty() || outcome.kinds.iter().any(|kind| ends.contains(kind));
    if by_the_connection || behaviour.bounds.ends != Ends::AtOnce {
        return Ok(());
    }
    Err("the parser alone waits for more".to_owned())
}

fn http2(behaviour: &Behaviour, bytes: &[u8]) -> Result<(), String> {
    let mut client = Client::new();
    let settings = Frames::default().settings(&[]).0;
    client.receive(&settings, |_, _| {}).map_err(|error| error.to_string())?;
    let request = Request::get("http://h/".parse().expect("a URL"));
    client.open(&EncodedRequest::new(&request), 0);
    let mut sent = Vec::new();
    let mut unread = 0;
    for piece in bytes.chunks(PIECE_BYTES) {
        let mut failed = None;
        let read = client.receive(piece, |_, event| {
            if let Event::Failed(StreamFailure::Malformed(what)) = event {
                failed = Some(what);
            }
        });
        if let Err(error) = read {
            // The target is told by GOAWAY: kind 7, and the code at its end.
            let told = client.output();
            let goaway = [7, 0, 0, 0, 0, 0];
            let is_told = told.windows(6).any(|window| window == goaway) && told.ends_with(&error.code.0.to_be_bytes());
            return if is_told {
                expect(behaviour, ErrorKind::Protocol, &error.to_string())
            } else {
                Err("no GOAWAY".into())
            };
        }
        if let Some(what) = failed {
            return expect(behaviour, ErrorKind::Protocol, what);
        }
        // Nobody reads what is sent.
        client.swap_output(&mut sent);
        unread += sent.len();
        sent.clear();
        client.set_unsent(unread);
        assert_held(behaviour, client.held_bytes())?;
    }
    ends_otherwise(behaviour)
}

#[test]
fn what_is_said_of_families_is_what_their_parsers_hold() {
    assert_eq!(Family::Http1.held_bytes_max(), HEAD_BYTES_MAX);
    let beyond = Family::Http2.held_bytes_max() - Client::HELD_BYTES_MAX;
    assert!(beyond < 1_024, "{beyond} bytes too many");
}

fn expect(behaviour: &Behaviour, kind: ErrorKind, said: &str) -> Result<(), String> {
    let outcome = &behaviour.outcome;
    let is_expected = outcome.kinds.contains(&kind) && outcome.words.iter().all(|words| said.contains(words));
    is_expected.then_some(()).ok_or_else(|| format!("the parser alone says `{said}`"))
}
