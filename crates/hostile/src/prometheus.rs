//! Clients that ask for metrics, or seem to. The load goes on, others get their metrics, and its end waits for nobody.

use crate::behaviour::{Behaviour, Family, HARMLESS, Place, Security, Step, drip, flood, send};

pub fn behaviours() -> Vec<Behaviour> {
    let with = |name, steps| {
        Behaviour::new(Family::PrometheusClient, name, (Place::Connected, Security::None), steps, HARMLESS)
    };
    const ASKS: &str = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
    let posts = |length: &str| format!("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n");
    vec![
        with("silence", vec![Step::Freeze]),
        with("an end at once", vec![]),
        with("a reset at once", vec![Step::Reset]),
        with("a head that drips", vec![send("GET /metrics HTTP/1.1\r\nX: "), drip("y")]),
        with("half a head", vec![send("GET /metrics HTTP/1.1\r\nX: "), Step::Freeze]),
        with("a header without end", vec![send("GET /metrics HTTP/1.1\r\nX: "), flood("y")]),
        with("headers without end", vec![send("GET /metrics HTTP/1.1\r\n"), flood("X: y\r\n")]),
        with("a path without end", vec![send("GET /"), flood("a")]),
        with("empty lines without end", vec![flood("\r\n")]),
        with("a body of 100 TB", vec![send(posts("99999999999999")), Step::Freeze]),
        with("a body of 100 TB that comes", vec![send(posts("99999999999999")), flood("x")]),
        with("a length of 65 bits", vec![send(posts("18446744073709551616")), Step::Wait]),
        with("a negative length", vec![send(posts("-1")), Step::Wait]),
        with("a body that never comes", vec![send(posts("10")), Step::Freeze]),
        with("a body that drips", vec![send(posts("100000")), drip("x")]),
        with(
            "chunks without end",
            vec![send("POST /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"), flood("1\r\nx\r\n")],
        ),
        with(
            "a chunk of 2^60 bytes",
            vec![
                send("POST /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n"),
                Step::Freeze,
            ],
        ),
        with("requests without end, and no answer read", vec![flood(ASKS)]),
        with("a request, and no answer read", vec![send(ASKS), Step::Freeze]),
        with("a request, and a reset", vec![send(ASKS), Step::Reset]),
        with("a request, and a half-close", vec![send(ASKS), Step::HalfClose, Step::Wait]),
        with("garbage", vec![send("garbage\r\n\r\n"), Step::Wait]),
        with("TLS", vec![send(b"\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03"), Step::Wait]),
        with("HTTP/2", vec![send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), send(b"\0\0\0\x04\0\0\0\0\0"), Step::Wait]),
        with(
            "another protocol",
            vec![
                send("GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
                Step::Wait,
            ],
        ),
        with(
            "a file that it must not read",
            vec![send("GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n"), Step::Wait],
        ),
        with("a proxy that it is not", vec![send("CONNECT 127.0.0.1:9 HTTP/1.1\r\nHost: x\r\n\r\n"), Step::Wait]),
    ]
}
