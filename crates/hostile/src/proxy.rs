//! Proxies that are asked for a tunnel, and open none, or another one than they say.

use plimsoll_record::ErrorKind;

use crate::behaviour::{Behaviour, Family, Outcome, Place, Security, Step, closed, drip, fails, flood, not_http, send};

const CLOSED: Outcome = fails(&[ErrorKind::Proxy], &["closed the connection instead of answering CONNECT"]);
const TOO_LATE: Outcome = fails(&[ErrorKind::ConnectTimeout], &["no connection after"]);
const NOT_HTTP: Outcome = fails(&[ErrorKind::Proxy], &["not HTTP"]);
const OPEN: &str = "HTTP/1.1 200 Connection established\r\n\r\n";

const fn refused(words: &'static [&'static str]) -> Outcome {
    fails(&[ErrorKind::Proxy], words)
}

pub fn behaviours() -> Vec<Behaviour> {
    let with =
        |name, steps, outcome| Behaviour::new(Family::Proxy, name, (Place::Connected, Security::None), steps, outcome);
    let answers = |name, bytes: &str, outcome| with(name, vec![send(bytes)], outcome);
    vec![
        answers("a password that is asked for", "HTTP/1.1 407 Who\r\n\r\n", refused(&["`407 Who`", "user:password@"])),
        answers("a refusal", "HTTP/1.1 403 Forbidden\r\n\r\n", refused(&["`403 Forbidden`"])),
        answers("a gateway that is bad", "HTTP/1.1 502 Bad Gateway\r\n\r\n", refused(&["`502 Bad Gateway`"])),
        answers("a redirect", "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\n\r\n", refused(&["`302 Found`"])),
        answers("another protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n", refused(&["`101 "])),
        answers("an interim response", "HTTP/1.1 103 Early Hints\r\n\r\n", refused(&["`103 "])),
        answers("SSH", "SSH-2.0-OpenSSH_9.9\r\n", NOT_HTTP),
        answers("SOCKS", "\x05\x00", NOT_HTTP),
        answers("NUL in a head", "HTTP/1.1 200 OK\r\nX: \0\r\n\r\n", NOT_HTTP),
        answers(
            "a target that speaks at once",
            &[OPEN, "HTTP/1.1 200 OK\r\n"].concat(),
            refused(&["more than its answer"]),
        ),
        answers("an end within an answer", "HTTP/1.1 200 Conn", CLOSED),
        answers(
            "a tunnel that ends at once",
            OPEN,
            Outcome {
                // Whether the request was sent by then is chance.
                kinds: &[ErrorKind::ClosedBeforeResponse, ErrorKind::Reset],
                ..closed(&[])
            },
        ),
        with("an end in place of an answer", vec![], CLOSED),
        with("a half-close in place of an answer", vec![Step::HalfClose, Step::Wait], CLOSED),
        with("a reset in place of an answer", vec![Step::Reset], refused(&["broke the connection"])),
        with("silence", vec![Step::Wait], TOO_LATE),
        with("silence within an answer", vec![send("HTTP/1.1 200 Conn"), Step::Wait], TOO_LATE),
        with("an answer that drips", vec![send("HTTP/1.1 200 OK\r\nX: "), drip("y")], TOO_LATE),
        with("a header without end", vec![send("HTTP/1.1 200 OK\r\nX: "), flood("y")], refused(&["not a response"])),
        with("headers without end", vec![send("HTTP/1.1 200 OK\r\n"), flood("X: y\r\n")], refused(&[])),
        with("empty lines without end", vec![flood("\r\n")], refused(&[])),
        with(
            "a tunnel to a target that is silent",
            vec![send(OPEN), Step::Wait],
            Outcome { kinds: &[ErrorKind::ResponseTimeout], ..TOO_LATE_WORDS },
        ),
        with(
            "a tunnel to a target that is not HTTP",
            vec![send(OPEN), Step::Read, send("SSH-2.0-OpenSSH_9.9\r\n")],
            not_http(&["status line is not that of HTTP/1"]),
        ),
    ]
}

const TOO_LATE_WORDS: Outcome = fails(&[ErrorKind::ResponseTimeout], &["no complete response after"]);
