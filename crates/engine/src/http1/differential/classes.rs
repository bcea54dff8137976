//! Reasons why this parser and llhttp differ: each is one line of the table, with the rule of HTTP that allows it.

use super::{Input, events, events::Event};

/// Bytes, and the first events in which the parsers differ.
pub struct Case<'a> {
    pub input: &'a Input,
    pub ours: &'a Event,
    pub theirs: &'a Event,
}

impl Case<'_> {
    /// Whether this parser alone refuses them, in these words.
    fn is_refused(&self, words: &str) -> bool {
        matches!(self.ours, Event::Error { why, .. } if why.contains(words))
    }

    /// Whether llhttp alone refuses them, in these words.
    fn they_refuse(&self, words: &str) -> bool {
        matches!(self.theirs, Event::Error { why, .. } if why.contains(words))
    }

    /// Whether llhttp alone refuses one of `bytes`; it tells of some errors by the byte after them.
    fn they_refuse_one_of(&self, bytes: &[u8]) -> bool {
        let Event::Error { at: Some(at), .. } = self.theirs else { return false };
        let found = &self.input.data[at.saturating_sub(1)..self.input.data.len().min(at + 1)];
        found.iter().any(|byte| bytes.contains(byte))
    }

    /// Whether this parser refuses them, too, once the line and the head that they end in are complete.
    fn is_refused_later(&self) -> bool {
        let ended = [&self.input.data[..], b"\r\n\r\n"].concat();
        let last = events::ours(&ended, self.input.to_head).pop();
        *self.ours == Event::Incomplete && matches!(last, Some(Event::Error { .. }))
    }

    fn has(&self, bytes: &[u8]) -> bool {
        self.input.data.windows(bytes.len()).any(|window| window == bytes)
    }

    fn has_bare_cr(&self) -> bool {
        self.input.data.windows(2).any(|pair| pair[0] == b'\r' && pair[1] != b'\n')
    }

    fn keep_alive(&self) -> (Option<bool>, Option<bool>) {
        let of = |event: &Event| match event {
            Event::Response { keep_alive, .. } => Some(*keep_alive),
            _ => None,
        };
        (of(self.ours), of(self.theirs))
    }
}

/// A kind of difference.
pub struct Class {
    pub name: &'static str,
    /// Why it is right, or allowed, to differ.
    pub reason: &'static str,
    pub has: fn(&Case<'_>) -> bool,
}

/// Words of limits that this parser has and llhttp has not.
const LIMITS: [&str; 5] = ["more than 100 headers", "more than 100 interim", "than 15 hex", "16 KiB", "64 KiB"];

/// Every kind of difference; the first that has a case explains it.
pub const CLASSES: &[Class] = &[
    Class {
        name: "limits",
        reason: "A target must not make the generator grow: at most 100 headers, 100 interim responses, 64 KiB of head, \
                 16 KiB of a size line or of trailers, 15 digits of a size (RFC 9112, 7.1, asks for such a limit). \
                 llhttp leaves most limits to its callers",
        has: |case| LIMITS.iter().any(|limit| case.is_refused(limit)),
    },
    Class {
        name: "status-101",
        reason: "No upgrade is ever asked for, and a server may not switch by itself (RFC 9110, 7.8): refused",
        has: |case| case.is_refused("no upgrade was asked for"),
    },
    Class {
        name: "status-below-100",
        reason: "No such status exists (RFC 9110, 15); as a failure it counts either way, and `protocol` says more than \
                 the 5xx that the section has a client take it for",
        has: |case| case.is_refused("status below 100"),
    },
    Class {
        name: "reason-phrase",
        reason: "A reason phrase holds no control characters (RFC 9112, 4): refused",
        has: |case| case.is_refused("status line") && case.input.data.iter().any(|&byte| is_control(byte)),
    },
    Class {
        name: "bare-cr",
        reason: "A bare CR ends no line, and is no part of one (RFC 9112, 2.2): refused. llhttp passes over it before a \
                 response and after a status line",
        has: |case| (case.is_refused("head is not valid") || case.is_refused("status line")) && case.has_bare_cr(),
    },
    Class {
        name: "refused-earlier",
        reason: "Bytes that cannot become a status line of HTTP/1 any more are refused at once; llhttp waits for more",
        has: |case| case.is_refused("status line") && *case.theirs == Event::Incomplete,
    },
    Class {
        name: "close-in-interim",
        reason: "A response whose interim one said `close` is read, and then its connection is closed (RFC 9112, 9.6)",
        has: |case| case.they_refuse("Data after `Connection: close`") && case.has(b"HTTP/1.1 10"),
    },
    Class {
        name: "folded-field",
        reason: "A client replaces a fold by spaces (RFC 9112, 5.2); llhttp refuses it where it is not told to be lenient",
        has: |case| {
            let is_empty_before = case.they_refuse("Invalid header value char") && case.they_refuse_one_of(b" \t");
            case.they_refuse("Unexpected whitespace after header value") || is_empty_before
        },
    },
    Class {
        name: "bare-lf",
        reason: "A recipient may take a bare LF for the end of a start line, of a field, of the head (RFC 9112, 2.2)",
        has: |case| {
            let in_head = ["response line", "response status", "after header value", "header field char", "value char"];
            case.they_refuse_one_of(b"\n") && in_head.iter().any(|place| case.they_refuse(place))
        },
    },
    Class {
        name: "padded-chunk-size",
        reason: "White space after a size is passed over, as Netty, Go and curl do: old servers pad sizes, and no other \
                 length can be read from it. RFC 9112, 7.1.1, has it before extensions only",
        has: |case| case.they_refuse("Invalid character in chunk size") && case.they_refuse_one_of(b" \t"),
    },
    Class {
        name: "chunk-extension",
        reason: "An extension that is not known is passed over (RFC 9112, 7.1.1), without a look at its syntax, but for \
                 control characters",
        has: |case| case.they_refuse("in chunk extensions"),
    },
    Class {
        name: "framing-in-trailers",
        reason: "Fields that frame the message, or speak of the connection, mean nothing in trailers (RFC 9110, 6.5.1): \
                 passed over",
        has: |case| {
            let has_two = case.they_refuse("can't be present with") && case.keep_alive().0 == Some(true);
            has_two || case.they_refuse("Data after `Connection: close`")
        },
    },
    Class {
        name: "length-and-coding",
        reason: "The coding counts, and the connection is closed after it, whatever it answers (RFC 9112, 6.1, 6.3)",
        has: |case| case.they_refuse("can't be present with") && case.keep_alive().0 != Some(true),
    },
    Class {
        name: "same-length-twice",
        reason: "A recipient may take equal Content-Lengths for one (RFC 9110, 8.6); those that differ are refused",
        has: |case| case.they_refuse("Duplicate Content-Length") && !case.is_refused_later(),
    },
    Class {
        name: "tab-after-value",
        reason: "White space around a value is no part of it, and a tab is white space (RFC 9112, 5; RFC 9110, 5.6.3)",
        has: |case| {
            let of_length = case.they_refuse("Invalid character in Content-Length") && case.they_refuse_one_of(b"\t");
            let of_coding = matches!(case.theirs, Event::UntilClose { .. }) && case.has(b"chunked\t\r\n");
            of_length || of_coding
        },
    },
    Class {
        name: "refused-later",
        reason: "A line is judged when it is whole, and fields when the head is, so that it does not matter how the bytes \
                 were cut; then it is refused as well",
        has: |case| case.is_refused_later() && matches!(case.theirs, Event::Error { .. }),
    },
    Class {
        name: "kept-after-head",
        reason: "The response to a HEAD ends with its head, whatever its fields say (RFC 9112, 6.3): the connection can be \
                 kept. llhttp says whether it can before its caller says that it was a HEAD",
        has: |case| case.input.to_head && case.keep_alive() == (Some(true), Some(false)),
    },
    Class {
        name: "connection-options",
        reason: "`close` and `keep-alive` count wherever they are in the list, whatever white space is around them, and \
                 `close` beside `keep-alive` (RFC 9112, 9.3; RFC 9110, 5.6.1)",
        has: |case| matches!(case.keep_alive(), (Some(ours), Some(theirs)) if ours != theirs),
    },
];

fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t' | b'\r' | b'\n')
}
