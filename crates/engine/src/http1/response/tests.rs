use proptest::prelude::*;

use super::*;

/// Result of feeding `text` in pieces of `piece` bytes: status, keep-alive, and bytes consumed.
fn read_in(text: &[u8], piece: usize, to_head: bool) -> Result<Option<(u16, bool, usize)>, ProtocolError> {
    let mut parser = ResponseParser::default();
    let mut fed = 0;
    for part in text.chunks(piece.max(1)) {
        if let Progress::Complete(used) = parser.feed(part, to_head)? {
            return Ok(Some((parser.status(), parser.keep_alive(), fed + used)));
        }
        fed += part.len();
    }
    Ok(None)
}

/// Result of feeding `text` whole to a parser that has read `last` before.
fn read_after(last: &mut LastHead, text: &[u8], to_head: bool) -> Result<Option<(u16, bool, usize)>, ProtocolError> {
    let mut parser = ResponseParser::default();
    Ok(match parser.feed_observed(&mut Unobserved, last, text, to_head)? {
        Progress::Complete(used) => Some((parser.status(), parser.keep_alive(), used)),
        Progress::Incomplete => None,
    })
}

/// Result of feeding `text` whole, after a response that was answered alike, and in pieces of every size: all must
/// agree.
fn read(text: &str, to_head: bool) -> Result<Option<(u16, bool, usize)>, ProtocolError> {
    let whole = read_in(text.as_bytes(), text.len(), to_head);
    let mut last = LastHead::default();
    for _ in 0..2 {
        assert_eq!(read_after(&mut last, text.as_bytes(), to_head), whole, "{text} after itself");
    }
    for piece in 1..text.len() {
        assert_eq!(read_in(text.as_bytes(), piece, to_head), whole, "in pieces of {piece}");
    }
    whole
}

#[test]
fn bodies_end_where_their_framing_says() {
    let rest = "HTTP/1.1 500";
    let complete = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", (200, true)),
        ("HTTP/1.1 200 OK\r\nConnection: foo, Close\r\nContent-Length: 0\r\n\r\n", (200, false)),
        ("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\n1", (200, false)),
        ("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\n1", (200, true)),
        ("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", (204, true)),
        ("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", (304, true)),
        (
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 201 C\r\ncontent-length: 1\r\n\r\n1",
            (201, true),
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=\"y\"\r\n0123456789\r\n0\r\n\r\n",
            (200, true),
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\nh\r\n0\r\nTrailer: a\r\nB: c\r\n\r\n",
            (200, true),
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n0\r\n\r\n", (200, false)),
    ];
    for (text, (status, keep_alive)) in complete {
        let found = read(&format!("{text}{rest}"), false);
        assert_eq!(found, Ok(Some((status, keep_alive, text.len()))), "{text}");
    }
}

#[test]
fn the_response_to_a_head_has_no_body() {
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
    assert_eq!(read(text, true), Ok(Some((200, true, text.len()))));
    assert_eq!(read(text, false), Ok(None));
    let mut last = LastHead::default();
    for to_head in [false, true, false] {
        assert_eq!(read_after(&mut last, text.as_bytes(), to_head).unwrap().is_some(), to_head);
    }
}

/// An observer that keeps all headers.
#[derive(Default)]
struct Headers(Vec<String>);

impl ResponseObserver for Headers {
    fn sees_headers(&self) -> bool {
        true
    }

    fn header(&mut self, name: &str, value: &[u8]) {
        self.0.push(format!("{name}: {}", String::from_utf8_lossy(value)));
    }

    fn data(&mut self, _: &[u8]) {}
}

#[test]
fn a_head_that_is_known_shows_its_headers_all_the_same() {
    let text = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nServer-Timing: a;dur=1\r\n\r\n";
    let mut last = LastHead::default();
    for _ in 0..2 {
        read_after(&mut last, text, false).unwrap();
        let mut headers = Headers::default();
        ResponseParser::default().feed_observed(&mut headers, &mut last, text, false).unwrap();
        assert_eq!(headers.0, ["Content-Length: 0", "Server-Timing: a;dur=1"]);
    }
}

/// RFC 9112, section 5.2.
#[test]
fn a_folded_header_is_read_as_one_line() {
    let text = "HTTP/1.1 302 Found\r\nContent-Length:\r\n 2\r\nX: a\r\n\tb\r\nConnection: x,\n close\r\nLocation: /a\r\n b\r\n\r\nok";
    assert_eq!(read(text, false), Ok(Some((302, false, text.len()))));
    let (mut headers, mut parser) = (Headers::default(), ResponseParser::default());
    parser.feed_observed(&mut headers, &mut LastHead::default(), text.as_bytes(), false).unwrap();
    assert_eq!(headers.0, ["Content-Length: 2", "X: a  \tb", "Connection: x,  close", "Location: /a   b"]);
    assert_eq!(parser.take_location().as_deref(), Some("/a   b"));
}

/// RFC 9112, sections 6.1, 9.3 and 9.6.
#[test]
fn connections_that_must_be_closed_are_not_kept() {
    let keep_alive = |text: &str| read(text, false).map(|found| found.unwrap().1);
    let chunked = "Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n";
    assert_eq!(keep_alive(&format!("HTTP/1.1 200 OK\r\n{chunked}")), Ok(true));
    assert_eq!(keep_alive(&format!("HTTP/1.0 200 OK\r\n{chunked}")), Ok(false));
    let interim = "HTTP/1.1 103 Early\r\nConnection: close\r\n\r\n";
    assert_eq!(keep_alive(&format!("{interim}HTTP/1.1 200 OK\r\n{chunked}")), Ok(false));
    for has_no_body in ["204 No Content", "304 Not Modified"] {
        let both = "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n";
        assert_eq!(keep_alive(&format!("HTTP/1.1 {has_no_body}\r\n{both}")), Ok(false));
    }
    let both_to_head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n";
    assert_eq!(read(both_to_head, true), Ok(Some((200, false, both_to_head.len()))));
    let both = "Connection: keep-alive, close\r\nContent-Length: 0\r\n\r\n";
    assert_eq!(keep_alive(&format!("HTTP/1.0 200 OK\r\n{both}")), Ok(false));
}

#[test]
fn a_redirect_that_is_known_leads_on() {
    let text = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /b\r\n\r\n";
    let mut last = LastHead::default();
    for _ in 0..2 {
        let mut parser = ResponseParser::default();
        parser.feed_observed(&mut Unobserved, &mut last, text, false).unwrap();
        assert_eq!(parser.take_location().as_deref(), Some("/b"));
    }
}

#[test]
fn without_a_length_the_connection_ends_the_body() {
    let mut parser = ResponseParser::default();
    assert!(!parser.ends_with_connection());
    for part in ["HTTP/1.1 200 OK\r\n\r\n", "some", "more"] {
        assert_eq!(parser.feed(part.as_bytes(), false), Ok(Progress::Incomplete));
    }
    assert!(parser.ends_with_connection() && !parser.keep_alive());
}

#[test]
fn what_is_not_http_is_an_error() {
    let wrong = [
        "SSH-2.0-OpenSSH\r\n",
        "HTTP/2 200\r\n\r\n",
        "HTTP/1.1 101 Switching\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: \u{85}5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
    ];
    for text in wrong {
        assert!(read(text, false).is_err(), "{text}");
    }
}

/// RFC 9112, sections 2.2, 5 and 7.1: ends of lines, extensions and trailers that a lenient reader takes for something
/// else than a strict one does.
#[test]
fn chunked_framing_is_read_to_the_letter() {
    let wrong = [
        ("5\nhello\r\n0\r\n\r\n", "does not end in CR LF"),
        ("5;a\nhello\r\n0\r\n\r\n", "does not end in CR LF"),
        ("5\r+\nhello\r\n0\r\n\r\n", "does not end in CR LF"),
        ("5;a\r+\nhello\r\n0\r\n\r\n", "does not end in CR LF"),
        ("5 hello\r\n0\r\n\r\n", "not a hexadecimal number"),
        ("5;a=\"\u{7f}\"\r\nhello\r\n0\r\n\r\n", "control character"),
        ("5\r\nhello\n0\r\n\r\n", "longer than its size"),
        ("0\r\nno colon\r\n\r\n", "not a field"),
        ("0\r\nX : y\r\n\r\n", "not a field"),
        ("0\r\n: y\r\n\r\n", "not a field"),
        ("0\r\n folded onto nothing\r\n\r\n", "not a field"),
        ("0\r\nX: a\rb\r\n\r\n", "not a field"),
        ("0\r\nX: a\0b\r\n\r\n", "not a field"),
        ("0\r\n\r+\n", "empty line"),
    ];
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (body, words) in wrong {
        let found = read(&format!("{head}{body}"), false);
        assert!(matches!(found, Err(error) if error.0.contains(words)), "{body:?}: {found:?}");
    }
    for body in ["5 \t\r\nhello\r\n0 ;a\r\n\r\n", "0\r\nX: y\r\n folded\r\n\r\n", "0\r\nX: y\nZ:\n\n"] {
        let text = format!("{head}{body}");
        assert_eq!(read(&text, false), Ok(Some((200, true, text.len()))), "{body:?}");
    }
}

#[test]
fn memory_is_bounded_whatever_comes() {
    let mut parser = ResponseParser::default();
    parser.feed(b"HTTP/1.1 200 OK\r\nX: ", false).unwrap();
    let endless = (0..HEAD_BYTES_MAX).map(|_| parser.feed(b"aaaaaaaa", false)).find(Result::is_err);
    assert_eq!(endless, Some(Err(ProtocolError("response head longer than 64 KiB"))));
    let headers = format!("HTTP/1.1 200 OK\r\n{}\r\n", "X: y\r\n".repeat(HEADERS_MAX + 1));
    assert_eq!(read_in(headers.as_bytes(), headers.len(), false), Err(ProtocolError("more than 100 headers")));
    let size_line = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;{}", "a".repeat(20_000));
    assert!(read_in(size_line.as_bytes(), 100, false).is_err());
}

proptest! {
    #[test]
    fn garbage_gives_an_answer_that_does_not_depend_on_the_pieces(
        text in "(HTTP/1.[01] [1-5][0-9]{2} x\r\n)?((Content-Length|Transfer-Encoding|Connection): ([0-9]|chunked|close)\r\n){0,3}(\r\n)?[0-9a-f\r\n]{0,40}",
        piece in 1_usize..9,
    ) {
        let whole = read_in(text.as_bytes(), text.len(), false);
        let pieces = read_in(text.as_bytes(), piece, false);
        // An error may be seen earlier in pieces than a completion would be; all else must agree.
        prop_assert_eq!(whole, pieces);
    }
}

#[test]
fn interim_responses_without_end_are_an_error() {
    let interim = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
    let last = "HTTP/1.1 204 No Content\r\n\r\n";
    let enough = interim.repeat(100) + last;
    assert_eq!(read_in(enough.as_bytes(), 999, false), Ok(Some((204, true, enough.len()))));
    let error = Err(ProtocolError("more than 100 interim responses (1xx)"));
    assert_eq!(read_in(interim.repeat(101).as_bytes(), 999, false), error);
    assert_eq!(read("HTTP/1.1 000 What\r\n\r\n", false), Err(ProtocolError("status below 100")));
}

/// The limit is one of the head, not of how it came.
#[test]
fn a_head_may_be_as_long_as_it_says_and_no_longer() {
    let head = |length: usize| {
        let rest = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nX: \r\n\r\n";
        format!("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nX: {}\r\n\r\nb", "a".repeat(length - rest.len()))
    };
    for piece in [HEAD_BYTES_MAX + 10, 1_000] {
        let longest = head(HEAD_BYTES_MAX);
        assert_eq!(read_in(longest.as_bytes(), piece, false), Ok(Some((200, true, longest.len()))));
        let longer = head(HEAD_BYTES_MAX + 1);
        let error = Err(ProtocolError("response head longer than 64 KiB"));
        assert_eq!(read_in(longer.as_bytes(), piece, false), error);
    }
}

/// A body, framed somehow.
fn framed() -> impl Strategy<Value = (&'static str, Vec<u8>)> {
    let body = || prop::collection::vec(any::<u8>(), 0..200);
    let length =
        body().prop_map(|body| ("", [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), &body].concat()));
    let extension = prop_oneof![Just(""), Just(";a=b"), Just(" "), Just(" ; c=\"d;e\"\t")];
    let trailers = prop_oneof![Just(""), Just("X: y\r\n"), Just("X: y\r\nZ:\r\n")];
    let chunks = prop::collection::vec((body(), extension, any::<bool>()), 0..5);
    let chunked = (chunks, trailers).prop_map(|(chunks, trailers)| {
        let mut bytes = b"\r\n".to_vec();
        for (data, extension, upper) in chunks.iter().filter(|(data, ..)| !data.is_empty()) {
            let size = if *upper { format!("{:X}", data.len()) } else { format!("0{:x}", data.len()) };
            bytes.extend(format!("{size}{extension}\r\n").bytes());
            bytes.extend(data);
            bytes.extend(b"\r\n");
        }
        bytes.extend(format!("0\r\n{trailers}\r\n").bytes());
        ("Transfer-Encoding: chunked\r\n", bytes)
    });
    prop_oneof![length, chunked]
}

proptest! {
    #[test]
    fn a_response_is_read_to_its_end_and_no_further(
        status in 200_u16..=999,
        interim in 0_usize..4,
        header in "(X-[a-z]{1,9}: [ -~]{0,30}\r\n)?",
        (coding, body) in framed(),
        rest in prop::collection::vec(any::<u8>(), 0..20),
        piece in 1_usize..300,
    ) {
        prop_assume!(status != 204 && status != 304);
        let interim = "HTTP/1.1 100 Continue\r\n\r\n".repeat(interim);
        let head = format!("{interim}HTTP/1.1 {status} x\r\n{header}{coding}");
        let response = [head.as_bytes(), &body].concat();
        let all = [&response[..], &rest].concat();
        prop_assert_eq!(read_in(&all, piece, false), Ok(Some((status, true, response.len()))));
    }
}

#[test]
fn a_head_that_drips_is_looked_at_once_a_line() {
    let text = format!("HTTP/1.1 200 OK\r\nA: {}\r\nB: b\r\nContent-Length: 0\r\n\r\n", "x".repeat(5_000));
    let mut parser = ResponseParser::default();
    let complete = text.as_bytes().chunks(1).filter(|byte| parser.feed(byte, false) == Ok(Progress::Complete(1)));
    assert_eq!(complete.count(), 1);
    // At the first byte, until it is known to be a status line, and at the end of each line.
    assert_eq!(parser.looks, "HTTP/1.1 200 OK\r\n".len() as u32 + 4);
}

/// Half a line is judged when its end has come, in whatever pieces it came.
#[test]
fn a_line_is_judged_when_it_is_whole() {
    let wrong = Err(ProtocolError("response head is not valid HTTP/1"));
    assert_eq!(read("HTTP/1.1 200 OK\r\nA b\r\n", false), wrong);
    assert_eq!(read("HTTP/1.1 200 OK\r\nA b", false), Ok(None));
    assert_eq!(read("no HTTP", false), Err(ProtocolError("status line is not that of HTTP/1")));
}

/// Settings, with which servers that speak HTTP/2 alone answer whatever they are asked; and an alert of TLS.
#[test]
fn another_protocol_is_named_with_how_to_speak_it() {
    let settings = "\0\0\x12\x04\0\0\0\0\0\0\x03";
    for piece in [settings, &settings[..1]] {
        let ProtocolError(why) = read(piece, false).unwrap_err();
        assert_eq!(why, "the answer is not HTTP/1; if it is HTTP/2, ask by --http2");
    }
    let ProtocolError(why) = read("\x15\x03\x01\0\x02\x02\x46", false).unwrap_err();
    assert_eq!(why, "the answer is not HTTP, but TLS: ask by https://");
}
