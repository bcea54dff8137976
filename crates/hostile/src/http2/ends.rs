//! Connections that come to no end, or to one too early.

use plimsoll_record::ErrorKind;

use super::{answer, with};
use crate::{
    behaviour::{Behaviour, Connections, Outcome, Place, RESET, Step, closed, send},
    frames::{Frames, flag, kind},
};

/// The time is up; the connection is kept as long as its target is asked by PING.
const TIMED_OUT: Outcome = Outcome {
    kinds: &[ErrorKind::ResponseTimeout],
    words: &["no complete response after"],
    connections: Connections::Any,
};
/// The same where the next request meets it, too.
const DRAGS: Outcome = Outcome { words: &[], connections: Connections::Dragging, ..TIMED_OUT };
/// The same where the target seems to answer PING, and may be slow.
const CAPTURED: Outcome = Outcome { connections: Connections::Captured, ..DRAGS };
const BEFORE: Outcome = closed(&["before the first byte of a response"]);
const WITHIN: Outcome = closed(&["within a response"]);

pub fn behaviours() -> Vec<Behaviour> {
    [silent(), cut(), going_away()].concat()
}

fn begun(stream: u32) -> Frames {
    Frames::default().begin(stream)
}

fn silent() -> Vec<Behaviour> {
    let waits = |name, steps| with(name, Place::Requested, steps, TIMED_OUT);
    let drags = |name, steps, outcome| with(name, Place::Requested, steps, outcome);
    let drip = Frames::one(kind::PING, flag::ACK, 0, &[0; 8]).0;
    vec![
        waits("silence", vec![]),
        waits("silence after a head", vec![Step::Frames(begun)]),
        waits("silence within a body", vec![Step::Frames(|stream| begun(stream).data(stream, b"x", false))]),
        drags(
            "silence within a frame",
            vec![Step::Frames(|stream| Frames(begun(stream).0[..10].to_vec())), Step::Wait],
            DRAGS,
        ),
        drags(
            "silence within a head that goes on",
            vec![Step::Frames(|stream| Frames::one(kind::HEADERS, 0, stream, &[0x88])), Step::Wait],
            DRAGS,
        ),
        waits(
            "silence after an interim response",
            vec![Step::Frames(|stream| Frames::default().head(stream, &[(":status", "103")], false))],
        ),
        drags("a socket that is read no more", vec![Step::Freeze], DRAGS),
        drags("frames that drip and bring nothing", vec![Step::Drip(drip)], CAPTURED),
        with("no SETTINGS, and silence", Place::Connected, vec![Step::Wait], DRAGS),
        with("half of SETTINGS", Place::Connected, vec![send(b"\0\0\x06\x04\0\0\0\0\0\0\x03"), Step::Wait], DRAGS),
        with(
            "no stream allowed",
            Place::Connected,
            vec![send(Frames::default().settings(&[(3, 0)]).0), Step::Wait],
            DRAGS,
        ),
    ]
}

fn cut() -> Vec<Behaviour> {
    let ends = |name, steps, outcome| with(name, Place::Requested, steps, outcome);
    vec![
        ends("an end in place of an answer", vec![Step::Close], BEFORE),
        ends("an end after a head", vec![Step::Frames(begun), Step::Close], WITHIN),
        ends(
            "an end within a body",
            vec![Step::Frames(|stream| begun(stream).data(stream, b"x", false)), Step::Close],
            WITHIN,
        ),
        ends(
            "an end within a frame",
            vec![Step::Frames(|stream| Frames(begun(stream).0[..10].to_vec())), Step::Close],
            BEFORE,
        ),
        ends("a half-close in place of an answer", vec![Step::HalfClose], BEFORE),
        ends("a reset in place of an answer", vec![Step::Reset], RESET),
        ends(
            "a reset within a body",
            vec![Step::Frames(|stream| begun(stream).data(stream, b"x", false)), Step::Reset],
            RESET,
        ),
        with("an end in place of SETTINGS", Place::Connected, vec![], BEFORE),
        with("an end within SETTINGS", Place::Connected, vec![send(b"\0\0\x06\x04\0\0\0\0\0\0\x03")], BEFORE),
        with("a reset in place of SETTINGS", Place::Connected, vec![Step::Reset], RESET),
    ]
}

fn going_away() -> Vec<Behaviour> {
    fn goaway(last: u32, code: u32) -> Frames {
        Frames::one(kind::GOAWAY, 0, 0, &[last.to_be_bytes(), code.to_be_bytes()].concat())
    }
    let again = Outcome { kinds: &[], words: &[], connections: Connections::Any };
    vec![
        answer("GOAWAY that leaves the request out, which is made again", |_| goaway(0, 0), again),
        answer("GOAWAY for an error that leaves the request out", |_| goaway(0, 2), again),
        answer(
            "GOAWAY after an answer",
            |stream| Frames([Frames::default().ok(stream).0, goaway(stream, 0).0].concat()),
            Outcome { connections: Connections::Lost, ..again },
        ),
        answer(
            "GOAWAY before an answer",
            |stream| Frames([goaway(stream, 0).0, Frames::default().ok(stream).0].concat()),
            Outcome { connections: Connections::Lost, ..again },
        ),
        with(
            "GOAWAY that counts the request in, and an end",
            Place::Requested,
            vec![Step::Frames(|stream| goaway(stream, 11)), Step::Close],
            closed(&["the target went away: ENHANCE_YOUR_CALM"]),
        ),
        with("GOAWAY, and silence", Place::Requested, vec![Step::Frames(|stream| goaway(stream, 0))], TIMED_OUT),
    ]
}
