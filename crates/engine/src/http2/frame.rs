//! Frames (RFC 9113, section 4.1).

use super::error::{ConnectionError, ErrorCode};

pub(super) const HEADER_BYTES: usize = 9;
/// The largest payload that every implementation takes, and that this one allows.
pub(super) const PAYLOAD_BYTES_MAX: usize = 16_384;
/// Offsets of flags and stream in a frame's header.
pub(super) const FLAGS_AT: usize = 4;
pub(super) const STREAM_AT: usize = 5;

pub(crate) mod kind {
    pub const DATA: u8 = 0;
    pub const HEADERS: u8 = 1;
    pub const RST_STREAM: u8 = 3;
    pub const SETTINGS: u8 = 4;
    pub const PUSH_PROMISE: u8 = 5;
    pub const PING: u8 = 6;
    pub const GOAWAY: u8 = 7;
    pub const WINDOW_UPDATE: u8 = 8;
    pub const CONTINUATION: u8 = 9;
}

pub(crate) mod flag {
    pub const ACK: u8 = 0x1;
    pub const END_STREAM: u8 = 0x1;
    pub const END_HEADERS: u8 = 0x4;
    pub const PADDED: u8 = 0x8;
    pub const PRIORITY: u8 = 0x20;
}

/// A whole frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    pub kind: u8,
    pub flags: u8,
    pub stream: u32,
    pub payload: &'a [u8],
}

impl<'a> Frame<'a> {
    /// The length of the frame that `bytes` begin with, its header included; none if too little of it is there.
    pub fn length(bytes: &[u8]) -> Option<usize> {
        let &[a, b, c] = bytes.get(..HEADER_BYTES)?.first_chunk()?;
        Some(HEADER_BYTES + u32::from_be_bytes([0, a, b, c]) as usize)
    }

    /// Reads a frame of which all is there.
    pub fn read(bytes: &'a [u8]) -> Self {
        let (header, payload) = bytes.split_at(HEADER_BYTES);
        let stream = be_u32(&header[STREAM_AT..]) & 0x7fff_ffff;
        Self { kind: header[3], flags: header[FLAGS_AT], stream, payload }
    }

    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// The payload without padding.
    pub fn unpadded(&self) -> Result<&'a [u8], ConnectionError> {
        if !self.has(flag::PADDED) {
            return Ok(self.payload);
        }
        let unpadded = self.payload.split_first().and_then(|(&padding, rest)| {
            let length = rest.len().checked_sub(usize::from(padding))?;
            Some(&rest[..length])
        });
        unpadded.ok_or(ConnectionError::protocol("padding longer than its frame"))
    }
}

/// The first four bytes as a number.
pub(super) fn be_u32(bytes: &[u8]) -> u32 {
    u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// Appends a frame with all its payload.
pub(super) fn write(output: &mut Vec<u8>, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
    debug_assert!(payload.len() <= PAYLOAD_BYTES_MAX);
    let [_, a, b, c] = (payload.len() as u32).to_be_bytes();
    output.extend_from_slice(&[a, b, c, kind, flags]);
    output.extend_from_slice(&stream.to_be_bytes());
    output.extend_from_slice(payload);
}

pub(super) fn write_window_update(output: &mut Vec<u8>, stream: u32, increment: u32) {
    write(output, kind::WINDOW_UPDATE, 0, stream, &increment.to_be_bytes());
}

pub(super) fn write_reset(output: &mut Vec<u8>, stream: u32, code: ErrorCode) {
    write(output, kind::RST_STREAM, 0, stream, &code.0.to_be_bytes());
}
