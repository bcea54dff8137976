//! Heads that are none, lie, or have no end.

use plimsoll_record::ErrorKind;

use super::{CHUNKED, SMALL, answer, holding, with};
use crate::behaviour::{Behaviour, Connections, Outcome, fails, flood, not_http, send};

const NO_STATUS_LINE: Outcome = not_http(&["status line is not that of HTTP/1"]);
const HTTP2: Outcome = not_http(&["ask by --http2"]);
const TLS: Outcome = not_http(&["ask by https://"]);
const NO_HEAD: Outcome = not_http(&["head is not valid HTTP/1"]);

pub fn behaviours() -> Vec<Behaviour> {
    let small = [no_http(), broken(), lengths(), redirects()].concat();
    [without_end(), lines_without_end(), large(), holding(SMALL, small)].concat()
}

fn without_end() -> Vec<Behaviour> {
    let too_long = not_http(&["head longer than 64 KiB"]);
    vec![
        with("a header without end", vec![send("HTTP/1.1 200 OK\r\nX: "), flood("a")], too_long),
        with("a header's name without end", vec![send("HTTP/1.1 200 OK\r\n"), flood("a")], too_long),
        with("headers without end", vec![send("HTTP/1.1 200 OK\r\n"), flood("X: y\r\n")], not_http(&["100 headers"])),
        with("a fold without end", vec![send("HTTP/1.1 200 OK\r\nX: y\r\n"), flood(" folded\r\n")], too_long),
        with("a reason phrase without end", vec![send("HTTP/1.1 200 "), flood("a")], too_long),
        with("empty lines without end before a head", vec![flood("\r\n")], too_long),
        with(
            "interim responses without end",
            vec![flood("HTTP/1.1 100 Continue\r\n\r\n")],
            not_http(&["more than 100 interim responses"]),
        ),
        with(
            "an interim response without end",
            vec![send("HTTP/1.1 103 Early Hints\r\n"), flood("Link: </a>\r\n")],
            not_http(&["100 headers"]),
        ),
    ]
}

/// Lines of chunked bodies, which are counted and not kept.
fn lines_without_end() -> Vec<Behaviour> {
    let lines = vec![
        with("an extension of a chunk without end", vec![send([CHUNKED, "1;"].concat()), flood("x")], LONG_LINE),
        with("white space without end after a size", vec![send([CHUNKED, "1"].concat()), flood(" ")], LONG_LINE),
        with("a trailer without end", vec![send([CHUNKED, "0\r\nX: "].concat()), flood("y")], LONG_LINE),
        with("trailers without end", vec![send([CHUNKED, "0\r\n"].concat()), flood("X: y\r\n")], LONG_LINE),
        with("zeros without end in a size", vec![send(CHUNKED), flood("0")], not_http(&["more than 15 hexadecimal"])),
    ];
    holding(SMALL, lines)
}

fn large() -> Vec<Behaviour> {
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "X: y\r\n".repeat(101));
    let large = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "y".repeat(70_000));
    vec![
        answer("101 headers", many, not_http(&["more than 100 headers"])).holding(2 * SMALL),
        answer("a header of 70,000 bytes", large, not_http(&["head longer than 64 KiB"])),
    ]
}

const LONG_LINE: Outcome = not_http(&["longer than 16 KiB"]);

fn no_http() -> Vec<Behaviour> {
    vec![
        answer("a line of garbage", "garbage\r\n", NO_STATUS_LINE),
        answer("HTML without a head, as HTTP/0.9 has it", "<html>hello</html>\r\n", NO_STATUS_LINE),
        answer("JSON without a head", "{\"status\": \"ok\"}\r\n", NO_STATUS_LINE),
        answer("a TLS alert", b"\x15\x03\x01\x00\x02\x02\x46", TLS),
        answer("HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", NO_STATUS_LINE),
        answer("HTTP/2's SETTINGS", b"\0\0\0\x04\0\0\0\0\0", HTTP2),
        answer("the greeting of SSH", "SSH-2.0-OpenSSH_9.9\r\n", NO_STATUS_LINE),
        answer("SSH, and garbage after it", b"SSH-2.0-OpenSSH_9.9\r\n\0\x01\x02\x03\xff\xfe\r\n\r\n", NO_STATUS_LINE),
        answer("the greeting of SMTP", "220 mail.example.org ESMTP\r\n", NO_STATUS_LINE),
        answer("an answer of RTSP", "RTSP/1.0 200 OK\r\n\r\n", NO_STATUS_LINE),
        answer("zeros", [0; 100], HTTP2),
        answer("a request in place of an answer", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", NO_STATUS_LINE),
        answer("UTF-16", b"\xff\xfeH\0T\0T\0P\0/\x001\0.\x001\0", NO_STATUS_LINE),
        answer("version 2.0", "HTTP/2.0 200 OK\r\n\r\n", NO_STATUS_LINE),
        answer("version 0.9", "HTTP/0.9 200 OK\r\n\r\n", NO_STATUS_LINE),
        answer("a version without its minor number", "HTTP/1 200 OK\r\n\r\n", NO_STATUS_LINE),
        answer("a version in lower case", "http/1.1 200 OK\r\n\r\n", NO_STATUS_LINE),
        answer("a space before the status line", " HTTP/1.1 200 OK\r\n\r\n", NO_STATUS_LINE),
        answer("no status", "HTTP/1.1 OK\r\nContent-Length: 0\r\n\r\n", NO_STATUS_LINE),
        answer("a status of letters", "HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n", NO_STATUS_LINE),
        answer("a status of two digits", "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n", NO_STATUS_LINE),
        answer("a status of four digits", "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n", NO_STATUS_LINE),
        answer("a negative status", "HTTP/1.1 -20 OK\r\nContent-Length: 0\r\n\r\n", NO_STATUS_LINE),
        answer("a status below 100", "HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n", not_http(&["status below 100"])),
        answer("a reason phrase with NUL", "HTTP/1.1 200 O\0K\r\nContent-Length: 0\r\n\r\n", NO_STATUS_LINE),
    ]
}

fn broken() -> Vec<Behaviour> {
    vec![
        answer("NUL in a header", "HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n", NO_HEAD),
        answer("NUL in a header's name", "HTTP/1.1 200 OK\r\nX\0: b\r\n\r\n", NO_HEAD),
        answer("a bare CR in a header", "HTTP/1.1 200 OK\r\nX: a\rY: b\r\n\r\n", NO_HEAD),
        answer("an escape in a header", "HTTP/1.1 200 OK\r\nX: \x1b[2J\r\n\r\n", NO_HEAD),
        answer("a space before a colon", "HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n", NO_HEAD),
        answer("a header without a colon", "HTTP/1.1 200 OK\r\nContent-Length 0\r\n\r\n", NO_HEAD),
        answer("a header without a name", "HTTP/1.1 200 OK\r\n: 0\r\n\r\n", NO_HEAD),
        answer("a header's name in brackets", "HTTP/1.1 200 OK\r\n(X): 0\r\n\r\n", NO_HEAD),
        answer("a header's name in UTF-8", "HTTP/1.1 200 OK\r\nÜber: 0\r\n\r\n", NO_HEAD),
        answer("a fold of nothing", "HTTP/1.1 200 OK\r\n folded\r\nContent-Length: 0\r\n\r\n", NO_HEAD),
        answer("a bare CR for an empty line", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\rok\r\n", NO_HEAD),
        answer(
            "another protocol that nobody asked for",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: bank\r\nConnection: Upgrade\r\n\r\n",
            not_http(&["no upgrade was asked for"]),
        ),
        answer(
            "another protocol after an interim response",
            "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n",
            not_http(&["no upgrade was asked for"]),
        ),
    ]
}

fn lengths() -> Vec<Behaviour> {
    let no_number = |name, value: &str| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {value}\r\n\r\nhello");
        answer(name, head, not_http(&["Content-Length is not a number"]))
    };
    vec![
        no_number("a negative length", "-5"),
        no_number("a length with a sign", "+5"),
        no_number("a length in hexadecimal", "0x5"),
        no_number("a length in words", "five"),
        no_number("a length with a fraction", "5.0"),
        no_number("an empty length", ""),
        no_number("a list of lengths", "5, 5"),
        no_number("a length of 65 bits", "18446744073709551616"),
        no_number("a length of 1,000 digits", &"9".repeat(1_000)),
        no_number("a length with a space within", "1 0"),
        answer(
            "two lengths that differ",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
            not_http(&["two Content-Lengths that differ"]),
        ),
    ]
}

/// Answers that are whole, but lead nowhere: their connections carry the next request.
fn redirects() -> Vec<Behaviour> {
    let kept = |outcome| Outcome { connections: Connections::Kept, ..outcome };
    let elsewhere = kept(fails(&[ErrorKind::RedirectElsewhere], &[]));
    let leads = |name, to: &str, outcome| {
        let head = format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n");
        answer(name, head, outcome)
    };
    vec![
        leads("a redirect to another host", "http://example.org/", elsewhere),
        leads("a redirect to another port", "http://127.0.0.1:9/", elsewhere),
        leads("a redirect to another scheme", "ftp://127.0.0.1/", elsewhere),
        leads("a redirect to a host that none can have", "http://[/", kept(not_http(&[]))),
    ]
}
