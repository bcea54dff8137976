//! Frames that no server may send: they end the connection, with an error code that says why.

use super::{breaks, with};
use crate::{
    behaviour::{Behaviour, Place, not_http, send},
    frames::{
        Frames,
        flag::{self, END_HEADERS},
        kind,
    },
};

/// Indexed field 8 of the static table: `:status: 200`.
const STATUS_200: &[u8] = &[0x88];

pub fn behaviours() -> Vec<Behaviour> {
    [of_streams(), of_connections(), settings(), no_http2()].concat()
}

fn of_streams() -> Vec<Behaviour> {
    vec![
        breaks("DATA on no stream", |_| Frames::one(kind::DATA, 0, 0, b"x"), &["never opened", "(PROTOCOL_ERROR)"]),
        breaks("DATA on a stream of the server's", |_| Frames::one(kind::DATA, 0, 2, b"x"), &["never opened"]),
        breaks("DATA on a stream to come", |stream| Frames::one(kind::DATA, 0, stream + 2, b"x"), &["never opened"]),
        breaks(
            "padding longer than its frame",
            |stream| Frames::one(kind::DATA, flag::PADDED, stream, &[3, 0, 0]),
            &["padding", "(PROTOCOL_ERROR)"],
        ),
        breaks(
            "padding without its length",
            |stream| Frames::one(kind::DATA, flag::PADDED, stream, &[]),
            &["padding", "(PROTOCOL_ERROR)"],
        ),
        breaks(
            "padding longer than its head",
            |stream| Frames::one(kind::HEADERS, flag::PADDED | END_HEADERS, stream, &[9, 0x88]),
            &["padding", "(PROTOCOL_ERROR)"],
        ),
        breaks(
            "a head on a stream of the server's",
            |_| Frames::one(kind::HEADERS, END_HEADERS, 4, STATUS_200),
            &["never opened", "(PROTOCOL_ERROR)"],
        ),
        breaks(
            "a field of the dynamic table, which has none",
            |stream| Frames::one(kind::HEADERS, END_HEADERS, stream, &[0xbe]),
            &["dynamic table", "(COMPRESSION_ERROR)"],
        ),
        breaks("field 0", |stream| Frames::one(kind::HEADERS, END_HEADERS, stream, &[0x80]), &["(COMPRESSION_ERROR)"]),
        breaks(
            "a text longer than its block",
            |stream| Frames::one(kind::HEADERS, END_HEADERS, stream, &[0, 5, b'x']),
            &["(COMPRESSION_ERROR)"],
        ),
        breaks(
            "a length of more bytes than a length has",
            |stream| Frames::one(kind::HEADERS, END_HEADERS, stream, &[0, 0x7f, 255, 255, 255, 255, 255, 255, 1]),
            &["(COMPRESSION_ERROR)"],
        ),
        breaks(
            "Huffman's end of string within a text",
            |stream| Frames::one(kind::HEADERS, END_HEADERS, stream, &[0, 0x84, 255, 255, 255, 255, 0]),
            &["(COMPRESSION_ERROR)"],
        ),
        breaks(
            "a dynamic table that grows beyond what was allowed",
            |stream| Frames::one(kind::HEADERS, END_HEADERS, stream, &[0x3f, 0xe1, 0x1f, 0x88]),
            &["(COMPRESSION_ERROR)"],
        ),
        breaks(
            "half a priority",
            |stream| Frames::one(kind::HEADERS, flag::PRIORITY, stream, &[0, 0]),
            &["priority", "(FRAME_SIZE_ERROR)"],
        ),
        breaks(
            "a head that another frame interrupts",
            |stream| Frames::one(kind::HEADERS, 0, stream, STATUS_200).and(kind::PING, 0, 0, &[0; 8]),
            &["not continued", "(PROTOCOL_ERROR)"],
        ),
        breaks(
            "a head that goes on on another stream",
            |stream| Frames::one(kind::HEADERS, 0, stream, STATUS_200).and(kind::CONTINUATION, END_HEADERS, 3333, &[]),
            &["of nothing", "(PROTOCOL_ERROR)"],
        ),
        breaks(
            "the rest of a head that never began",
            |stream| Frames::one(kind::CONTINUATION, END_HEADERS, stream, STATUS_200),
            &["of nothing", "(PROTOCOL_ERROR)"],
        ),
        breaks(
            "a push that was ruled out",
            |stream| Frames::one(kind::PUSH_PROMISE, END_HEADERS, stream, &[0, 0, 0, 2, 0x82]),
            &["PUSH_PROMISE", "(PROTOCOL_ERROR)"],
        ),
        breaks("a reset of no stream", |_| Frames::one(kind::RST_STREAM, 0, 0, &[0; 4]), &["never opened"]),
        breaks(
            "a reset of a stream to come",
            |stream| Frames::one(kind::RST_STREAM, 0, stream + 2, &[0; 4]),
            &["never opened"],
        ),
        breaks(
            "a reset of three bytes",
            |stream| Frames::one(kind::RST_STREAM, 0, stream, &[0; 3]),
            &["4 bytes", "(FRAME_SIZE_ERROR)"],
        ),
        breaks(
            "a window of three bytes",
            |stream| Frames::one(kind::WINDOW_UPDATE, 0, stream, &[0; 3]),
            &["4 bytes", "(FRAME_SIZE_ERROR)"],
        ),
        breaks(
            "a window of a stream to come",
            |stream| Frames::one(kind::WINDOW_UPDATE, 0, stream + 8, &[0, 0, 0, 1]),
            &["never opened", "(PROTOCOL_ERROR)"],
        ),
    ]
}

fn of_connections() -> Vec<Behaviour> {
    vec![
        breaks("PING on a stream", |stream| Frames::one(kind::PING, 0, stream, &[0; 8]), &["PING on a stream"]),
        breaks("PING of seven bytes", |_| Frames::one(kind::PING, 0, 0, &[0; 7]), &["8 bytes", "(FRAME_SIZE_ERROR)"]),
        breaks("GOAWAY on a stream", |stream| Frames::one(kind::GOAWAY, 0, stream, &[0; 8]), &["GOAWAY on a stream"]),
        breaks(
            "GOAWAY of seven bytes",
            |_| Frames::one(kind::GOAWAY, 0, 0, &[0; 7]),
            &["8 bytes", "(FRAME_SIZE_ERROR)"],
        ),
        breaks(
            "a window of nothing",
            |_| Frames::one(kind::WINDOW_UPDATE, 0, 0, &[0; 4]),
            &["of nothing", "(FLOW_CONTROL_ERROR)"],
        ),
        breaks(
            "a window of more than 2^31 bytes",
            |_| Frames::one(kind::WINDOW_UPDATE, 0, 0, &[0x7f, 255, 255, 255]),
            &["beyond", "(FLOW_CONTROL_ERROR)"],
        ),
        breaks(
            "a frame longer than was allowed",
            |stream| Frames::one(kind::DATA, 0, stream, &vec![0; 16_385]),
            &["longer than 16 KiB", "(FRAME_SIZE_ERROR)"],
        ),
        breaks(
            "a frame that says it has 16 MiB",
            |stream| Frames([&[255, 255, 255, 0, 0][..], &stream.to_be_bytes()].concat()),
            &["longer than 16 KiB"],
        ),
        breaks(
            "an unknown frame longer than was allowed",
            |_| Frames::one(0x77, 0, 0, &vec![0; 16_385]),
            &["longer than 16 KiB"],
        ),
    ]
}

fn settings() -> Vec<Behaviour> {
    let with_settings = |name, frames, words| breaks(name, frames, words);
    vec![
        with_settings(
            "SETTINGS on a stream",
            |stream| Frames::one(kind::SETTINGS, 0, stream, &[]),
            &["SETTINGS on a stream"],
        ),
        with_settings(
            "SETTINGS of five bytes",
            |_| Frames::one(kind::SETTINGS, 0, 0, &[0; 5]),
            &["wrong length", "(FRAME_SIZE_ERROR)"],
        ),
        with_settings(
            "settings in an acknowledgement",
            |_| Frames::one(kind::SETTINGS, flag::ACK, 0, &[0; 6]),
            &["wrong length", "(FRAME_SIZE_ERROR)"],
        ),
        with_settings("pushes announced", |_| Frames::default().settings(&[(2, 1)]), &["ENABLE_PUSH"]),
        with_settings(
            "frames of less than 16 KiB",
            |_| Frames::default().settings(&[(5, 16_383)]),
            &["MAX_FRAME_SIZE"],
        ),
        with_settings("frames of 16 MiB", |_| Frames::default().settings(&[(5, 1 << 24)]), &["MAX_FRAME_SIZE"]),
        with_settings(
            "a first window of 2^31 bytes",
            |_| Frames::default().settings(&[(4, 1 << 31)]),
            &["INITIAL_WINDOW", "(FLOW_CONTROL_ERROR)"],
        ),
    ]
}

fn no_http2() -> Vec<Behaviour> {
    let speaks =
        |name, bytes: &[u8]| with(name, Place::Connected, vec![send(bytes)], not_http(&["does not speak HTTP/2 here"]));
    vec![
        speaks("HTTP/1.1 in place of SETTINGS", b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"),
        speaks("SSH in place of SETTINGS", b"SSH-2.0-OpenSSH_9.9\r\n"),
        speaks("PING in place of SETTINGS", &Frames::one(kind::PING, 0, 0, &[0; 8]).0),
        speaks("a TLS alert in place of SETTINGS", b"\x15\x03\x01\x00\x02\x02\x46\x15\x03\x01\x00\x02\x02\x46"),
        speaks("zeros in place of SETTINGS", &[0; 100]),
    ]
}
