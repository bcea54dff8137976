//! A server written frame by frame, for tests.

pub(crate) use super::frame::{flag, kind};
use super::{frame, hpack};

/// Bytes that a server sends.
#[derive(Clone, Default)]
pub(crate) struct Frames(pub Vec<u8>);

impl Frames {
    /// The server's first frame, with these settings.
    pub fn settings(settings: &[(u16, u32)]) -> Self {
        Self::default().and(kind::SETTINGS, 0, 0, &settings_payload(settings))
    }

    pub fn and(mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Self {
        frame::write(&mut self.0, kind, flags, stream, payload);
        self
    }

    pub fn head(self, stream: u32, fields: &[(&str, &str)], ends: bool) -> Self {
        let flags = flag::END_HEADERS | if ends { flag::END_STREAM } else { 0 };
        self.and(kind::HEADERS, flags, stream, &block(fields))
    }

    pub fn data(self, stream: u32, data: &[u8], ends: bool) -> Self {
        self.and(kind::DATA, if ends { flag::END_STREAM } else { 0 }, stream, data)
    }

    /// A 200 with a body of two bytes.
    pub fn ok(self, stream: u32) -> Self {
        self.head(stream, &[(":status", "200"), ("content-length", "2")], false).data(stream, b"ok", true)
    }
}

pub(crate) fn settings_payload(settings: &[(u16, u32)]) -> Vec<u8> {
    settings.iter().flat_map(|(key, value)| [&key.to_be_bytes()[..], &value.to_be_bytes()].concat()).collect()
}

pub(crate) fn block(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = Vec::new();
    fields.iter().for_each(|(name, value)| hpack::encode_field(name, value.as_bytes(), &mut block));
    block
}

/// Kind, flags, stream and payload of all whole frames, without the client's preface.
pub(crate) fn frames_of(bytes: &[u8]) -> Vec<(u8, u8, u32, Vec<u8>)> {
    let mut rest = bytes.strip_prefix(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").unwrap_or(bytes);
    let mut frames = Vec::new();
    while let Some(length) = frame::Frame::length(rest) {
        let frame = frame::Frame::read(&rest[..length]);
        frames.push((frame.kind, frame.flags, frame.stream, frame.payload.to_vec()));
        rest = &rest[length..];
    }
    assert!(rest.is_empty(), "whole frames");
    frames
}
