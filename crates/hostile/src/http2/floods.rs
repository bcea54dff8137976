//! Frames that bring nothing, without end.

use plimsoll_record::ErrorKind;

use super::with;
use crate::{
    behaviour::{Behaviour, Connections, Outcome, Place, Step, not_http},
    frames::{Frames, flag, kind},
};

const NOTHING: Outcome = not_http(&["a flood of frames that bring nothing", "(ENHANCE_YOUR_CALM)"]);

pub fn behaviours() -> Vec<Behaviour> {
    let floods = |name, first: fn(u32) -> Frames, again: fn(u32) -> Frames, outcome| {
        with(name, Place::Requested, vec![Step::Frames(first), Step::FloodFrames(again)], outcome)
    };
    let nothing = |_| Frames::default();
    let begun = |stream| Frames::default().begin(stream);
    vec![
        floods("PINGs without end", nothing, |_| Frames::one(kind::PING, 0, 0, &[0; 8]), NOTHING),
        floods("answers to PINGs without end", nothing, |_| Frames::one(kind::PING, flag::ACK, 0, &[0; 8]), NOTHING),
        floods("SETTINGS without end", nothing, |_| Frames::default().settings(&[]), NOTHING),
        floods("changes of windows without end", nothing, |_| Frames::default().settings(&[(4, 70_000)]), NOTHING),
        floods("acknowledgements without end", nothing, |_| Frames::one(kind::SETTINGS, flag::ACK, 0, &[]), NOTHING),
        floods("priorities without end", nothing, |stream| Frames::one(kind::PRIORITY, 0, stream, &[0; 5]), NOTHING),
        floods("frames that nobody knows without end", nothing, |_| Frames::one(0xbe, 0, 0, b"?"), NOTHING),
        floods(
            "empty frames within a body without end",
            begun,
            |stream| Frames::default().data(stream, b"", false),
            NOTHING,
        ),
        floods(
            "padding without end",
            begun,
            |stream| Frames::one(kind::DATA, flag::PADDED, stream, &[3, 0, 0, 0]),
            NOTHING,
        ),
        floods(
            "interim responses between SETTINGS without end",
            nothing,
            |stream| Frames::default().settings(&[]).head(stream, &[(":status", "103")], false),
            Outcome { words: &[], connections: Connections::Dragging, ..NOTHING },
        ),
        floods(
            "a head that goes on without end",
            |stream| Frames::one(kind::HEADERS, 0, stream, &[0x88]),
            |stream| Frames::one(kind::CONTINUATION, 0, stream, &[0x88; 1_000]),
            not_http(&["64 KiB", "(ENHANCE_YOUR_CALM)"]),
        ),
        floods(
            "a head that goes on in nothing without end",
            |stream| Frames::one(kind::HEADERS, 0, stream, &[0x88]),
            |stream| Frames::one(kind::CONTINUATION, 0, stream, &[]),
            not_http(&["(ENHANCE_YOUR_CALM)"]),
        ),
        floods(
            "PINGs between pieces of a body, and nobody reads",
            begun,
            |stream| Frames::one(kind::PING, 0, 0, &[0; 8]).times(500).data(stream, b"x", false),
            not_http(&["the target reads nothing: more than 1 MiB wait to be sent", "(ENHANCE_YOUR_CALM)"]),
        ),
        floods(
            "a body without end",
            begun,
            |stream| Frames::default().data(stream, &[b'x'; 1_000], false),
            Outcome {
                kinds: &[ErrorKind::ResponseTimeout, ErrorKind::Protocol],
                words: &[],
                connections: Connections::Dragging,
            },
        ),
    ]
}
