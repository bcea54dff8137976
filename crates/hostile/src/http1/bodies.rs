//! Bodies that are framed badly.

use super::{SMALL, answer, chunks, holding};
use crate::behaviour::{Behaviour, Outcome, not_http};

const NO_SIZE: Outcome = not_http(&["chunk size is not a hexadecimal number"]);
const NO_LINE_END: Outcome = not_http(&["chunk size line does not end in CR LF"]);
const TOO_LONG: Outcome = not_http(&["chunk data longer than its size"]);
const TOO_MANY_DIGITS: Outcome = not_http(&["more than 15 hexadecimal digits"]);
const NO_TRAILER: Outcome = not_http(&["trailer that is not a field"]);

pub fn behaviours() -> Vec<Behaviour> {
    holding(SMALL, chunked())
}

fn chunked() -> Vec<Behaviour> {
    vec![
        chunks("a size of letters", "5\r\nhello\r\nhello\r\n", NO_SIZE),
        chunks("a negative size", "-5\r\nhello\r\n", NO_SIZE),
        chunks("a size with a sign", "+5\r\nhello\r\n", NO_SIZE),
        chunks("a size with a prefix", "0x5\r\nhello\r\n", NO_SIZE),
        chunks("an empty size", "\r\nhello\r\n", NO_SIZE),
        chunks("a space before a size", " 5\r\nhello\r\n", NO_SIZE),
        chunks("a size with a fraction", "5.0\r\nhello\r\n", NO_SIZE),
        chunks("an extension without a size", ";a=b\r\nhello\r\n", NO_SIZE),
        chunks("a word after a size", "5 bytes\r\nhello\r\n", NO_SIZE),
        chunks("a size of 16 digits", "ffffffffffffffff\r\n", TOO_MANY_DIGITS),
        chunks("a size of 17 digits, most of them zeros", "00000000000000005\r\nhello\r\n", TOO_MANY_DIGITS),
        chunks("a bare LF after a size", "5\nhello\r\n0\r\n\r\n", NO_LINE_END),
        chunks("a bare LF after an extension", "5;a\nhello\r\n0\r\n\r\n", NO_LINE_END),
        chunks("a bare CR after a size", "5\rhello\r\n0\r\n\r\n", NO_LINE_END),
        chunks("a bare CR in an extension", "5;a\rb\r\nhello\r\n0\r\n\r\n", NO_LINE_END),
        chunks("NUL in an extension", "5;a\0\r\nhello\r\n0\r\n\r\n", not_http(&["control character"])),
        chunks("more data than its size", "5\r\nhello!\r\n0\r\n\r\n", TOO_LONG),
        chunks("less data than its size", "6\r\nhello\r\n0\r\n\r\n", TOO_LONG),
        chunks("no line end after data", "5\r\nhello0\r\n\r\n", TOO_LONG),
        chunks("a bare LF after data", "5\r\nhello\n0\r\n\r\n", TOO_LONG),
        chunks("a trailer without a colon", "0\r\nno colon\r\n\r\n", NO_TRAILER),
        chunks("a trailer without a name", "0\r\n: y\r\n\r\n", NO_TRAILER),
        chunks("a trailer folded onto nothing", "0\r\n folded\r\n\r\n", NO_TRAILER),
        chunks("a bare CR in a trailer", "0\r\nX: a\rb\r\n\r\n", NO_TRAILER),
        chunks("NUL in a trailer", "0\r\nX: a\0b\r\n\r\n", NO_TRAILER),
        chunks("a bare CR at the end of chunks", "0\r\n\rok", not_http(&["does not end in an empty line"])),
        answer(
            "chunks that are announced and do not come",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{\"status\": \"ok\"}",
            NO_SIZE,
        ),
        answer(
            "a coding that is said twice",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\nhello",
            NO_SIZE,
        ),
    ]
}
