//! Frames of HTTP/2, written by hand: those of a server that keeps no rule.

/// Kinds of frames (RFC 9113, section 6).
pub mod kind {
    #![allow(missing_docs, reason = "their names are the standard's")]
    pub const DATA: u8 = 0;
    pub const HEADERS: u8 = 1;
    pub const PRIORITY: u8 = 2;
    pub const RST_STREAM: u8 = 3;
    pub const SETTINGS: u8 = 4;
    pub const PUSH_PROMISE: u8 = 5;
    pub const PING: u8 = 6;
    pub const GOAWAY: u8 = 7;
    pub const WINDOW_UPDATE: u8 = 8;
    pub const CONTINUATION: u8 = 9;
}

/// Flags of frames.
pub mod flag {
    #![allow(missing_docs, reason = "their names are the standard's")]
    pub const ACK: u8 = 1;
    pub const END_STREAM: u8 = 1;
    pub const END_HEADERS: u8 = 4;
    pub const PADDED: u8 = 8;
    pub const PRIORITY: u8 = 0x20;
}

/// Bytes before a frame's payload.
pub const HEADER_BYTES: usize = 9;
/// The first bytes of a client.
pub const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Bytes that a server sends.
#[derive(Clone, Debug, Default)]
pub struct Frames(pub Vec<u8>);

impl Frames {
    /// One frame of this `kind`, and nothing before it.
    pub fn one(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Self {
        Self::default().and(kind, flags, stream, payload)
    }

    /// Adds a frame.
    pub fn and(mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Self {
        let [_, a, b, c] = (payload.len() as u32).to_be_bytes();
        self.0.extend([a, b, c, kind, flags]);
        self.0.extend(stream.to_be_bytes());
        self.0.extend(payload);
        self
    }

    /// Adds SETTINGS.
    pub fn settings(self, settings: &[(u16, u32)]) -> Self {
        let payload: Vec<u8> =
            settings.iter().flat_map(|(key, value)| [&key.to_be_bytes()[..], &value.to_be_bytes()].concat()).collect();
        self.and(kind::SETTINGS, 0, 0, &payload)
    }

    /// Adds a head; it `ends` the stream or not.
    pub fn head(self, stream: u32, fields: &[(&str, &str)], ends: bool) -> Self {
        let flags = flag::END_HEADERS | if ends { flag::END_STREAM } else { 0 };
        self.and(kind::HEADERS, flags, stream, &block(fields))
    }

    /// Adds a part of a body.
    pub fn data(self, stream: u32, data: &[u8], ends: bool) -> Self {
        self.and(kind::DATA, if ends { flag::END_STREAM } else { 0 }, stream, data)
    }

    /// Adds the head of a 200 that is to have a body.
    pub fn begin(self, stream: u32) -> Self {
        self.head(stream, &[(":status", "200")], false)
    }

    /// Adds a whole 200.
    pub fn ok(self, stream: u32) -> Self {
        self.begin(stream).data(stream, b"ok", true)
    }

    /// The same frames so many times.
    pub fn times(self, count: usize) -> Self {
        Self(self.0.repeat(count))
    }
}

/// A block of fields, each a literal that is never indexed (RFC 7541, section 6.2.2).
pub fn block(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in fields {
        block.push(0);
        for text in [name, value] {
            push_length(&mut block, text.len());
            block.extend(text.bytes());
        }
    }
    block
}

/// An integer with a prefix of seven bits (RFC 7541, section 5.1).
fn push_length(block: &mut Vec<u8>, length: usize) {
    if length < 0x7f {
        return block.push(length as u8);
    }
    block.push(0x7f);
    let mut rest = length - 0x7f;
    while rest >= 0x80 {
        block.push(0x80 | (rest % 0x80) as u8);
        rest /= 0x80;
    }
    block.push(rest as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 7541, section 5.1, with a prefix of seven bits: 1,337 - 127 = 1,210 = 9 * 128 + 58.
    #[test]
    fn lengths_are_written_as_the_standard_says() {
        let mut block = Vec::new();
        push_length(&mut block, 1_337);
        push_length(&mut block, 126);
        assert_eq!(block, [0x7f, 0x80 | 58, 9, 126]);
    }

    #[test]
    fn a_frame_has_its_length_kind_flags_and_stream() {
        assert_eq!(Frames::one(kind::PING, flag::ACK, 0, &[7; 8]).0[..10], [0, 0, 8, 6, 1, 0, 0, 0, 0, 7]);
    }
}
