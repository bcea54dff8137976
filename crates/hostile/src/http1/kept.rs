//! Answers that count: some cost their connection, and some look worse than they are.

use super::{CHUNKED, SMALL, answer, chunks, holding, with};
use crate::behaviour::{Behaviour, COSTS_THE_CONNECTION, HARMLESS, Step, send};

pub fn behaviours() -> Vec<Behaviour> {
    holding(4 * SMALL, [costly(), odd()].concat())
}

/// A behaviour that waits after its answer, which shows whether the connection is closed.
fn costs(name: &'static str, bytes: &str) -> Behaviour {
    with(name, vec![send(bytes), Step::Wait], COSTS_THE_CONNECTION)
}

fn costly() -> Vec<Behaviour> {
    const SMUGGLED: &str = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled";
    vec![
        costs("more than its length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokay"),
        costs("a second answer", &["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", SMUGGLED].concat()),
        costs("garbage after chunks", &[CHUNKED, "2\r\nok\r\n0\r\n\r\ngarbage"].concat()),
        costs("a body with a 204", &["HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", SMUGGLED].concat()),
        costs("chunks with a 304", "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        costs(
            "a length and chunks",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        ),
        costs(
            "chunks and a length",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        ),
        costs(
            "a length and chunks with a 204",
            "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
        ),
        costs(
            "chunks over HTTP/1.0",
            "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        ),
        costs(
            "close in an interim response",
            "HTTP/1.1 103 Early Hints\r\nConnection: close\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        ),
        costs(
            "close beside keep-alive",
            "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nConnection: x, Close\r\nContent-Length: 2\r\n\r\nok",
        ),
        costs("HTTP/1.0 without keep-alive", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        with(
            "an answer whose connection ends with it",
            vec![
                send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"),
                Step::HalfClose,
                Step::Wait,
            ],
            COSTS_THE_CONNECTION,
        ),
        answer("a body that the connection's end ends", "HTTP/1.1 200 OK\r\n\r\nok", COSTS_THE_CONNECTION),
        answer(
            "a coding that is not known",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nok",
            COSTS_THE_CONNECTION,
        ),
        answer(
            "a coding after chunks",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\nok",
            COSTS_THE_CONNECTION,
        ),
    ]
}

fn odd() -> Vec<Behaviour> {
    let harmless = |name, bytes: &str| answer(name, bytes, HARMLESS);
    let interim = "HTTP/1.1 102 Processing\r\n\r\n".repeat(100);
    let headers = "X: y\r\n".repeat(99);
    vec![
        harmless("99 headers and a length", &format!("HTTP/1.1 200 OK\r\n{headers}Content-Length: 2\r\n\r\nok")),
        harmless("100 interim responses", &format!("{interim}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")),
        harmless("a folded header", "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nok"),
        harmless("bare LFs in a head", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok"),
        harmless("an empty line before a head", "\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        harmless("the same length twice", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok"),
        harmless("a length with zeros before it", "HTTP/1.1 200 OK\r\nContent-Length: 0002\r\n\r\nok"),
        harmless("a header in Latin-1", "HTTP/1.1 200 OK\r\nX: \u{e9}\r\nContent-Length: 2\r\n\r\nok"),
        harmless("no reason phrase", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"),
        harmless("names in odd case", "HTTP/1.1 200 OK\r\ncOnTeNt-LeNgTh: 2\r\n\r\nok"),
        harmless("a length with a 304", "HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n"),
        chunks("extensions of chunks", "2;a=b;c=\"d;e\"\r\nok\r\n0;last\r\n\r\n", HARMLESS),
        chunks("padded sizes", "2   \r\nok\r\n0 \r\n\r\n", HARMLESS),
        chunks("sizes with zeros before them", "000002\r\nok\r\n000\r\n\r\n", HARMLESS),
        chunks("trailers that frame", "2\r\nok\r\n0\r\nContent-Length: 9\r\nConnection: close\r\n\r\n", HARMLESS),
        with(
            "an answer in single bytes",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".bytes().map(|byte| send([byte])).collect(),
            HARMLESS,
        ),
    ]
}
