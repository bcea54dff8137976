//! Targets over TLS: handshakes and certificates that are bad, and what is said after them.

use plimsoll_record::ErrorKind;

use crate::{
    behaviour::{
        Behaviour, COSTS_THE_CONNECTION, Connections, Family, HARMLESS, Outcome, Place, Security, Step, TIMED_OUT,
        closed, drip, fails, flood, not_http, send,
    },
    http1::large_part,
    tls::Certificate,
};

const REFUSED: Outcome = fails(&[ErrorKind::Tls], &[]);
const ENDED: Outcome = fails(&[ErrorKind::Tls], &["within the TLS handshake"]);
const UNCONNECTED: Outcome = fails(&[ErrorKind::ConnectTimeout], &["no connection after"]);
/// Record of a handshake with 200 bytes of content to come.
const RECORD: &[u8] = &[22, 3, 3, 0, 200];

pub fn behaviours() -> Vec<Behaviour> {
    [handshakes(), certificates(), afterwards()].concat()
}

fn handshakes() -> Vec<Behaviour> {
    let shakes =
        |name, steps, outcome| Behaviour::new(Family::Tls, name, (Place::Connected, Security::Missing), steps, outcome);
    let plain = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
    vec![
        shakes(
            "plain HTTP in place of a handshake",
            vec![send(plain), Step::HalfClose, Step::Wait],
            fails(&[ErrorKind::Tls], &["does it speak plain HTTP"]),
        ),
        shakes("SSH in place of a handshake", vec![send("SSH-2.0-OpenSSH_9.9\r\n"), Step::Wait], REFUSED),
        shakes("a handshake of garbage", vec![send([RECORD, &[0xaa; 200]].concat()), Step::Wait], REFUSED),
        shakes(
            "an alert in place of a handshake",
            vec![send(b"\x15\x03\x03\x00\x02\x02\x28"), Step::Wait],
            fails(&[ErrorKind::Tls], &["HandshakeFailure"]),
        ),
        shakes(
            "an alert that the version is too old",
            vec![send(b"\x15\x03\x03\x00\x02\x02\x46"), Step::Wait],
            REFUSED,
        ),
        shakes("data in place of a handshake", vec![send(b"\x17\x03\x03\x00\x02ok"), Step::Wait], REFUSED),
        shakes("a record of 65,535 bytes", vec![send([22, 3, 3, 255, 255]), flood([0; 1_000])], REFUSED),
        shakes("an empty record", vec![send([22, 3, 3, 0, 0]), Step::Wait], REFUSED),
        shakes("a handshake of SSL 2", vec![send(b"\x80\x2e\x04\x00\x01\x00\x02"), Step::Wait], REFUSED),
        shakes("an end in place of a handshake", vec![Step::Wait; 0], ENDED),
        shakes("an end within a handshake", vec![send(RECORD)], ENDED),
        shakes("a half-close in place of a handshake", vec![Step::HalfClose, Step::Wait], ENDED),
        shakes("a reset in place of a handshake", vec![Step::Reset], fails(&[ErrorKind::Tls, ErrorKind::Reset], &[])),
        shakes("silence in place of a handshake", vec![Step::Wait], UNCONNECTED),
        shakes("silence within a handshake", vec![send(RECORD), Step::Wait], UNCONNECTED),
        shakes(
            "a handshake that drips",
            vec![send([22, 3, 3, 60, 0]), drip("\x02")],
            fails(&[ErrorKind::ConnectTimeout, ErrorKind::Tls], &[]),
        ),
    ]
}

fn certificates() -> Vec<Behaviour> {
    let shows = |name, certificate, words| {
        let at = (Place::Connected, Security::Bad(certificate));
        Behaviour::new(Family::Tls, name, at, vec![Step::Wait], fails(&[ErrorKind::Tls], words))
    };
    vec![
        shows("a certificate that has expired", Certificate::Expired, &["has expired", "--insecure"]),
        shows("a certificate that is not valid yet", Certificate::Early, &["--insecure"]),
        shows("a certificate of another host", Certificate::OfAnotherHost, &["is not for 127.0.0.1, but for "]),
        shows(
            "a certificate of a stranger",
            Certificate::OfAStranger,
            &["the issuer of the target's certificate is unknown"],
        ),
        shows("a certificate of a namesake", Certificate::OfANamesake, &["is the file of --cacert an old one?"]),
        shows("a certificate that is asked for", Certificate::Demanding, &["--cert"]),
    ]
}

fn afterwards() -> Vec<Behaviour> {
    const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
    const UNTIL_CLOSE: &str = "HTTP/1.1 200 OK\r\n\r\nok";
    let answers =
        |name, steps, outcome| Behaviour::new(Family::Tls, name, (Place::Requested, Security::Sound), steps, outcome);
    vec![
        answers(
            "a body that ends without goodbye",
            vec![send(UNTIL_CLOSE), Step::Close],
            closed(&["without TLS's close_notify: the body may be cut short"]),
        ),
        answers("a body that ends with goodbye", vec![send(UNTIL_CLOSE)], COSTS_THE_CONNECTION),
        answers(
            "an end without goodbye after an answer",
            vec![send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"), Step::Close],
            COSTS_THE_CONNECTION,
        ),
        answers("an end with goodbye within a body", vec![send(HEAD)], closed(&["within a response"])),
        answers("an end without goodbye within a body", vec![send(HEAD), Step::Close], closed(&["within a response"])),
        answers("a reset within a body", vec![send(HEAD), Step::Reset], fails(&[ErrorKind::Reset], &[])),
        answers("silence within a body", vec![send(HEAD), Step::Wait], TIMED_OUT),
        answers("silence within a large body", vec![send(large_part()), Step::Wait], TIMED_OUT),
        answers("a reset within a large body", vec![send(large_part()), Step::Reset], fails(&[ErrorKind::Reset], &[])),
        answers("a socket that is read no more", vec![Step::Freeze], TIMED_OUT),
        answers("a head that drips", vec![send("HTTP/1.1 200 OK\r\nX: "), drip("a")], TIMED_OUT),
        answers("a body that drips", vec![send(HEAD), drip("x")], TIMED_OUT),
        answers("a body without end", vec![send("HTTP/1.1 200 OK\r\n\r\n"), flood([b'x'; 10_000])], TIMED_OUT),
        answers(
            "a header without end",
            vec![send("HTTP/1.1 200 OK\r\nX: "), flood("a")],
            not_http(&["head longer than 64 KiB"]),
        ),
        answers("plain text after a handshake", vec![Step::SendRaw(b"HTTP/1.1 200 OK\r\n\r\n".to_vec())], REFUSED),
        answers(
            "a record that nobody can read",
            vec![Step::SendRaw([&[23, 3, 3, 0, 100][..], &[7; 100]].concat())],
            REFUSED,
        ),
        answers(
            "half a record",
            vec![Step::SendRaw([&[23, 3, 3, 0, 100][..], &[7; 10]].concat()), Step::Wait],
            TIMED_OUT,
        ),
        answers(
            "records of single bytes",
            vec![
                Step::Send(b"HTTP/1.1 200 OK\r\n".to_vec()),
                send("C"),
                send("o"),
                send("ntent-Length: 2\r\n\r\no"),
                send("k"),
            ],
            Outcome { connections: Connections::Kept, ..HARMLESS },
        ),
    ]
}
