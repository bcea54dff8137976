//! Responses that break the rules of their stream: it fails, and the connection goes on.

use plimsoll_record::ErrorKind;

use super::{answer, malformed};
use crate::{
    behaviour::{Behaviour, Connections, HARMLESS, Outcome},
    frames::{Frames, block, flag, kind},
};

const STATUS: (&str, &str) = (":status", "200");

fn none() -> Frames {
    Frames::default()
}

pub fn behaviours() -> Vec<Behaviour> {
    [heads(), fields(), lengths(), resets(), odd()].concat()
}

fn heads() -> Vec<Behaviour> {
    vec![
        malformed("a body before its head", |stream| none().data(stream, b"x", false), &["body before its head"]),
        malformed("an end before a head", |stream| none().data(stream, b"", true), &["body before its head"]),
        malformed(
            "a head without a status",
            |stream| none().head(stream, &[("x", "y")], false),
            &["head without :status"],
        ),
        malformed("an empty head", |stream| none().head(stream, &[], true), &["head without :status"]),
        malformed(
            "a status of letters",
            |stream| none().head(stream, &[(":status", "abc")], true),
            &[":status that is not"],
        ),
        malformed(
            "a status of two digits",
            |stream| none().head(stream, &[(":status", "20")], true),
            &[":status that is not"],
        ),
        malformed(
            "a status of four digits",
            |stream| none().head(stream, &[(":status", "2000")], true),
            &[":status that is not"],
        ),
        malformed("a status twice", |stream| none().head(stream, &[STATUS, STATUS], true), &["two :status"]),
        malformed("another protocol", |stream| none().head(stream, &[(":status", "101")], false), &["status 101"]),
        malformed(
            "an interim response that ends",
            |stream| none().head(stream, &[(":status", "100")], true),
            &["interim response that ends"],
        ),
        malformed(
            "101 interim responses",
            |stream| none().head(stream, &[(":status", "103")], false).times(101),
            &["more than 100 interim"],
        ),
        malformed("a second head", |stream| none().begin(stream).begin(stream), &["a second head"]),
        malformed(
            "a status in trailers",
            |stream| none().begin(stream).head(stream, &[STATUS], true),
            &[":status in trailers"],
        ),
    ]
}

fn fields() -> Vec<Behaviour> {
    const OF_HTTP_1: &[&str] = &["field of a connection of HTTP/1.1"];
    vec![
        malformed(
            "a request's field",
            |stream| none().head(stream, &[STATUS, (":method", "GET")], false),
            &["pseudo-header"],
        ),
        malformed(
            "a pseudo-field that nobody knows",
            |stream| none().head(stream, &[STATUS, (":x", "y")], false),
            &["pseudo-header"],
        ),
        malformed(
            "a status after other fields",
            |stream| none().head(stream, &[("x", "y"), STATUS], true),
            &["pseudo-header field after another field"],
        ),
        malformed(
            "a capital in a name",
            |stream| none().head(stream, &[STATUS, ("X", "y")], true),
            &["field name with a capital letter"],
        ),
        malformed(
            "a capital in a trailer's name",
            |stream| none().begin(stream).head(stream, &[("X", "y")], true),
            &["field name with a capital letter"],
        ),
        malformed(
            "a line break in a value",
            |stream| none().head(stream, &[STATUS, ("x", "a\r\nSet-Cookie: b")], true),
            &["NUL or a line break"],
        ),
        malformed(
            "NUL in a value",
            |stream| none().head(stream, &[STATUS, ("x", "a\0")], true),
            &["NUL or a line break"],
        ),
        malformed(
            "a space before a value",
            |stream| none().head(stream, &[STATUS, ("x", " a")], true),
            &["white space around it"],
        ),
        malformed(
            "a tab after a value",
            |stream| none().head(stream, &[STATUS, ("x", "a\t")], true),
            &["white space around it"],
        ),
        malformed("a space in a name", |stream| none().head(stream, &[STATUS, ("x y", "a")], true), &["name"]),
        malformed("an empty name", |stream| none().head(stream, &[STATUS, ("", "a")], true), &["name"]),
        malformed("Connection", |stream| none().head(stream, &[STATUS, ("connection", "close")], true), OF_HTTP_1),
        malformed("Keep-Alive", |stream| none().head(stream, &[STATUS, ("keep-alive", "1")], true), OF_HTTP_1),
        malformed(
            "Transfer-Encoding",
            |stream| none().head(stream, &[STATUS, ("transfer-encoding", "chunked")], true),
            OF_HTTP_1,
        ),
        malformed("Upgrade", |stream| none().head(stream, &[STATUS, ("upgrade", "h2c")], true), OF_HTTP_1),
        malformed("a list of fields that unfolds to 80 KiB", unfolding, &["64 KiB"]),
    ]
}

/// 2,000 fields in 2,001 bytes: field 17 of the static table, `accept-encoding: gzip, deflate`.
fn unfolding(stream: u32) -> Frames {
    let block = [&[0x88][..], &[0x90; 2_000]].concat();
    Frames::one(kind::HEADERS, flag::END_HEADERS | flag::END_STREAM, stream, &block)
}

fn lengths() -> Vec<Behaviour> {
    const LONGER: &[&str] = &["longer than its Content-Length"];
    const SHORTER: &[&str] = &["shorter than its Content-Length"];
    fn of(stream: u32, length: &str) -> Frames {
        none().head(stream, &[STATUS, ("content-length", length)], false)
    }
    vec![
        malformed("a body longer than its length", |stream| of(stream, "1").data(stream, b"xy", true), LONGER),
        malformed("a body shorter than its length", |stream| of(stream, "3").data(stream, b"xy", true), SHORTER),
        malformed(
            "no body for its length",
            |stream| none().head(stream, &[STATUS, ("content-length", "3")], true),
            SHORTER,
        ),
        malformed(
            "trailers before the length is full",
            |stream| of(stream, "3").data(stream, b"xy", false).head(stream, &[("x", "y")], true),
            SHORTER,
        ),
        malformed(
            "a body with a 204",
            |stream| none().head(stream, &[(":status", "204")], false).data(stream, b"x", true),
            LONGER,
        ),
        malformed("a length of letters", |stream| of(stream, "two").data(stream, b"ok", true), &["not a number"]),
        malformed("a negative length", |stream| of(stream, "-2").data(stream, b"ok", true), &["not a number"]),
        malformed(
            "lengths that differ",
            |stream| {
                let lengths = [STATUS, ("content-length", "2"), ("content-length", "3")];
                none().head(stream, &lengths, false).data(stream, b"ok", true)
            },
            &["two Content-Lengths that differ"],
        ),
        malformed(
            "a window of nothing for a stream",
            |stream| Frames::one(kind::WINDOW_UPDATE, 0, stream, &[0; 4]),
            &["WINDOW_UPDATE of nothing"],
        ),
    ]
}

fn resets() -> Vec<Behaviour> {
    fn reset(stream: u32, code: u32) -> Frames {
        Frames::one(kind::RST_STREAM, 0, stream, &code.to_be_bytes())
    }
    let fails = |words| Outcome { kinds: &[ErrorKind::Reset], words, connections: Connections::Kept };
    vec![
        answer("INTERNAL_ERROR", |stream| reset(stream, 2), fails(&["INTERNAL_ERROR"])),
        answer("CANCEL", |stream| reset(stream, 8), fails(&["CANCEL"])),
        answer("ENHANCE_YOUR_CALM", |stream| reset(stream, 11), fails(&["ENHANCE_YOUR_CALM"])),
        answer("HTTP_1_1_REQUIRED", |stream| reset(stream, 13), fails(&["HTTP_1_1_REQUIRED"])),
        answer("a code that nobody knows", |stream| reset(stream, 0xdead_beef), fails(&["0xdeadbeef"])),
        answer("NO_ERROR before an answer", |stream| reset(stream, 0), fails(&["NO_ERROR"])),
        answer(
            "RST_STREAM within a body",
            |stream| Frames(([none().begin(stream).data(stream, b"x", false).0, reset(stream, 2).0]).concat()),
            fails(&["INTERNAL_ERROR"]),
        ),
        answer("REFUSED_STREAM, which is made again", |stream| reset(stream, 7), HARMLESS),
    ]
}

fn odd() -> Vec<Behaviour> {
    vec![
        answer(
            "padding to its end",
            |stream| {
                none().begin(stream).and(kind::DATA, flag::PADDED | flag::END_STREAM, stream, &[2, b'o', b'k', 0, 0])
            },
            HARMLESS,
        ),
        answer(
            "a head in single bytes",
            |stream| {
                let block = block(&[STATUS, ("x", "y")]);
                let first = Frames::one(kind::HEADERS, flag::END_STREAM, stream, &block[..1]);
                let rest =
                    block[1..].iter().fold(first, |frames, &byte| frames.and(kind::CONTINUATION, 0, stream, &[byte]));
                rest.and(kind::CONTINUATION, flag::END_HEADERS, stream, &[])
            },
            HARMLESS,
        ),
        answer("frames that nobody knows", |stream| Frames::one(0xbe, 0xff, stream, b"?").ok(stream), HARMLESS),
        answer("settings that nobody knows", |stream| none().settings(&[(99, 1)]).ok(stream), HARMLESS),
        answer("a priority", |stream| Frames::one(kind::PRIORITY, 0, stream, &[0, 0, 0, 0, 9]).ok(stream), HARMLESS),
        answer(
            "100 interim responses",
            |stream| none().head(stream, &[(":status", "103")], false).times(100).ok(stream),
            HARMLESS,
        ),
        answer(
            "trailers",
            |stream| none().begin(stream).data(stream, b"ok", false).head(stream, &[("checksum", "1")], true),
            HARMLESS,
        ),
        answer(
            "empty frames within a body",
            |stream| none().begin(stream).data(stream, b"", false).data(stream, b"ok", false).data(stream, b"", true),
            HARMLESS,
        ),
        answer(
            "a window that closes and opens again",
            |stream| none().settings(&[(4, 0)]).settings(&[(4, 65_535)]).ok(stream),
            HARMLESS,
        ),
        answer("a PING before an answer", |stream| Frames::one(kind::PING, 0, 0, b"12345678").ok(stream), HARMLESS),
        answer(
            "the answer to a PING that nobody sent",
            |stream| Frames::one(kind::PING, flag::ACK, 0, b"12345678").ok(stream),
            HARMLESS,
        ),
        answer(
            "a reset after an answer",
            |stream| none().ok(stream).and(kind::RST_STREAM, 0, stream, &[0; 4]),
            HARMLESS,
        ),
        answer(
            "an answer after a reset of the client's",
            |stream| none().data(stream, b"x", false).ok(stream),
            Outcome { kinds: &[ErrorKind::Protocol], words: &["body before its head"], connections: Connections::Kept },
        ),
    ]
}
