//! Answers that come to no end, or to one too early.

use plimsoll_record::ErrorKind;

use super::{CHUNKED, SMALL, holding, with};
use crate::behaviour::{Behaviour, Outcome, RESET, Step, TIMED_OUT, closed, drip, fails, flood, send};

const WITH_A_LENGTH: &str = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n";
const WITHIN: Outcome = closed(&["within a response"]);

pub fn behaviours() -> Vec<Behaviour> {
    holding(SMALL, [silent(), dripping(), endless(), cut(), reset()].concat())
}

fn silent() -> Vec<Behaviour> {
    let waits = |name, before: &str| with(name, vec![send(before), Step::Wait], TIMED_OUT);
    vec![
        with("silence", vec![Step::Wait], TIMED_OUT),
        with("a socket that is read no more", vec![Step::Freeze], TIMED_OUT),
        waits("silence within a status line", "HTTP/1.1 20"),
        waits("silence within a head", "HTTP/1.1 200 OK\r\nContent-Ty"),
        waits("silence after an interim response", "HTTP/1.1 100 Continue\r\n\r\n"),
        waits("silence after a head", WITH_A_LENGTH),
        waits("silence after a head without a length", "HTTP/1.1 200 OK\r\n\r\n"),
        waits("silence within a large body", &large_part()),
        waits("silence after a size", &[CHUNKED, "5\r\n"].concat()),
        waits("silence within a chunk", &[CHUNKED, "5\r\nhel"].concat()),
        waits("silence between chunks", &[CHUNKED, "5\r\nhello\r\n"].concat()),
        waits("silence in place of the last empty line", &[CHUNKED, "5\r\nhello\r\n0\r\n"].concat()),
    ]
}

/// A fifth of a body of 500,000 bytes, with its head.
pub(crate) fn large_part() -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n{}", "x".repeat(100_000))
}

fn dripping() -> Vec<Behaviour> {
    let drips = |name, before: &str, piece: &str| with(name, vec![send(before), drip(piece)], TIMED_OUT);
    vec![
        drips("a head that drips", "HTTP/1.1 200 OK\r\nX: ", "a"),
        drips("a reason phrase that drips", "HTTP/1.1 200 ", "a"),
        drips("a body that drips", WITH_A_LENGTH, "x"),
        drips("a body without a length that drips", "HTTP/1.1 200 OK\r\n\r\n", "x"),
        drips("chunks that drip", CHUNKED, "1\r\nx\r\n"),
        drips("an extension that drips", &[CHUNKED, "1;"].concat(), "x"),
        drips("a trailer that drips", &[CHUNKED, "0\r\nX: "].concat(), "y"),
        drips("empty lines that drip before a head", "", "\r\n"),
    ]
}

fn endless() -> Vec<Behaviour> {
    let body = [b'x'; 10_000];
    vec![
        with("a body without end", vec![send("HTTP/1.1 200 OK\r\n\r\n"), flood(body)], TIMED_OUT),
        with(
            "a body of 2^63 bytes",
            vec![send("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\n"), flood(body)],
            TIMED_OUT,
        ),
        with("a chunk of 2^60 bytes", vec![send([CHUNKED, "fffffffffffffff\r\n"].concat()), flood(body)], TIMED_OUT),
        with("small chunks without end", vec![send(CHUNKED), flood("1\r\nx\r\n")], TIMED_OUT),
        with("small chunks with extensions without end", vec![send(CHUNKED), flood("1;a=b\r\nx\r\n")], TIMED_OUT),
    ]
}

fn cut() -> Vec<Behaviour> {
    let ends = |name, before: &str| with(name, vec![send(before)], WITHIN);
    vec![
        with("an end in place of an answer", vec![], closed(&["before the first byte of a response"])),
        ends("an end within a status line", "HTTP/1.1 20"),
        ends("an end within a head", "HTTP/1.1 200 OK\r\nContent-Le"),
        ends("an end before the empty line", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"),
        ends("an end after an interim response", "HTTP/1.1 103 Early Hints\r\n\r\n"),
        ends("an end after a head", WITH_A_LENGTH),
        ends("an end within a body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"),
        ends("an end one byte before a body's", "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nshort"),
        ends("an end after chunks", &[CHUNKED, "5\r\nhello\r\n"].concat()),
        ends("an end within a chunk", &[CHUNKED, "5\r\nhel"].concat()),
        ends("an end within a huge chunk", &[CHUNKED, "fffffffffffffff\r\nx"].concat()),
        ends("an end within a size", &[CHUNKED, "5"].concat()),
        ends("an end within trailers", &[CHUNKED, "0\r\nX: y\r\n"].concat()),
        ends("an end in place of the last empty line", &[CHUNKED, "5\r\nhello\r\n0\r\n"].concat()),
        with(
            "a half-close in place of an answer",
            vec![Step::HalfClose, Step::Wait],
            closed(&["before the first byte of a response"]),
        ),
        with(
            "a half-close within a body",
            vec![send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"), Step::HalfClose, Step::Wait],
            WITHIN,
        ),
        with(
            "a half-close within chunks",
            vec![send([CHUNKED, "5\r\nh"].concat()), Step::HalfClose, Step::Wait],
            WITHIN,
        ),
    ]
}

fn reset() -> Vec<Behaviour> {
    let resets = |name, before: &str| with(name, vec![send(before), Step::Reset], RESET);
    vec![
        with("a reset in place of an answer", vec![Step::Reset], RESET),
        resets("a reset within a head", "HTTP/1.1 200 OK\r\nContent-Ty"),
        resets("a reset after an interim response", "HTTP/1.1 100 Continue\r\n\r\n"),
        resets("a reset within a body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"),
        resets("a reset within a body without a length", "HTTP/1.1 200 OK\r\n\r\nshort"),
        resets("a reset within a large body", &large_part()),
        resets("a reset within chunks", &[CHUNKED, "5\r\nhello\r\n"].concat()),
        with(
            "a reset after what is not HTTP",
            vec![send("SSH-2.0-OpenSSH_9.9\r\n"), Step::Reset],
            // A reset can overtake what was sent before it.
            fails(&[ErrorKind::Protocol, ErrorKind::Reset], &[]),
        ),
    ]
}
